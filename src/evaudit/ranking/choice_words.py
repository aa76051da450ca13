"""The choices of a convention in words, for reports."""

from __future__ import annotations

from collections.abc import Mapping

CHOICE_WORDS: Mapping[str, str] = {
    "order": "order",
    "ties": "ties",
    "score_precision": "scores",
    "missing_topics": "missing topics",
    "undefined": "undefined",
    "unjudged": "unjudged",
    "depth": "depth",
    "relevance_level": "relevant from grade",
    "gain": "gain",
    "gain_map": "gain map",
    "discount": "discount",
    "ideal": "ideal",
    "precision_denominator": "P divides by",
    "r_multiples": "Rprec-mult",
    "recall_points": "recall levels",
    "fully_judged_residual": "residual of a fully judged list",
    "collection_size": "collection size",
    "negative_grades": "negative grades",
    "grade_map": "grade map",
    "top_grade": "highest grade",
    "summation": "means",
    "failures": "no figure where it fails",
}
"""Choice of a convention and what people read for it, in print order."""

VALUE_WORDS: Mapping[tuple[str, str], str] = {
    ("order", "ranks"): "rank column",
    ("order", "score"): "score, descending",
    ("order", "lines"): "lines of the file",
    ("order", "list"): "as given",
    ("ties", "docno-descending"): "document id, descending",
    ("ties", "docno-ascending"): "document id, ascending",
    ("ties", "as-listed"): "as listed",
    ("ties", "refuse"): "refused",
    ("score_precision", "double"): "64 bits",
    ("score_precision", "float32"): "32 bits",
    ("missing_topics", "zero"): "count as nothing returned",
    ("missing_topics", "skip"): "left out",
    ("missing_topics", "refuse"): "refused",
    ("undefined", "null"): "stays undefined, with its reason",
    ("undefined", "zero"): "counts as 0",
    ("unjudged", "zero"): "counts as grade 0",
    ("unjudged", "skip"): "skipped before ranking",
    ("gain", "exponential"): "2^grade - 1",
    ("gain", "linear"): "grade",
    ("gain", "map"): "by grade, declared",
    ("gain", "given"): "by document, declared",
    ("ideal", "cut-at-cutoff"): "cut at k",
    ("precision_denominator", "cutoff"): "k",
    ("precision_denominator", "returned"): "documents returned",
    ("r_multiples", "known-positives"): "floor(cR + .5) / R",
    ("r_multiples", "cutoff"): "trunc(cR + .9) / cutoff",
    ("recall_points", "nearest"): "nearest",
    ("recall_points", "plus-.9"): "trunc(cR + .9)",
    ("negative_grades", "refuse"): "refused",
    ("negative_grades", "pooled"): "pooled, not judged",
    ("summation", "exact"): "summed exactly",
    ("summation", "in-order"): "summed in topic order",
}
"""Choice and value, and what people read for the value."""

USUAL: Mapping[str, object] = {
    "score_precision": "double",
    "precision_denominator": "cutoff",
    "discount": "log2(rank + 1)",
    "r_multiples": "known-positives",
    "recall_points": "nearest",
    "fully_judged_residual": "p^n",
    "collection_size": 0,
    "negative_grades": "refuse",
    "summation": "exact",
    "failures": "none",
}
"""Choices that the table leaves out at their usual value; the JSON result holds every one."""
