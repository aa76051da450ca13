"""Which measures a sentence names, so that a number is not taken for the figure of another measure."""

from __future__ import annotations

import re
from collections.abc import Mapping

_WORDS_OF = """
precision precision|ppv
recall recall|sensitivity
accuracy accuracy
specificity specificity
elusion elusion
F1 f1|f-measure
WSS wss
RR mrr|reciprocal rank
AP map|average precision
nDCG ndcg
DCG dcg
bpref bpref
infAP infap
Rprec r-precision|rprec
RBP rbp
success success|hit rate
coverage coverage
sufficiency sufficiency
labelled-positive-share prevalence
"""
_FAMILIES: Mapping[str, str] = {
    word: family
    for family, words in (line.split(" ", 1) for line in _WORDS_OF.strip().splitlines())
    for word in words.split("|")
}
"""Words of a text, in lower case, to the measure that they name."""
_CAPITALS = {"MRR": "RR", "RR": "RR", "MAP": "AP", "AP": "AP", "DCG": "DCG", "PPV": "precision", "P@": "precision"}
"""Names that are words of another meaning in small letters."""
_SMALL = sorted((w for w in _FAMILIES if w not in ("map", "mrr", "ppv", "dcg")), key=len, reverse=True)
_NAMED = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, _SMALL))})(?![\w-])", re.IGNORECASE)
_SHORT = re.compile(r"(?<![\w-])(?:P@|(?:MRR|RR|MAP|AP|DCG|PPV)(?![\w-]))")
_OF_OUTPUT: Mapping[str, str] = {
    "P": "precision", "set-P": "precision", "relative-P": "precision", "evidence-precision": "precision",
    "estimated-precision": "precision", "any-hit": "success", "GM-AP": "AP", "set-AP": "AP", "set-F": "F1", "MRR": "RR",
    "MAP": "AP", "GM-bpref": "bpref", "R-nDCG": "nDCG", "nDCG-rel": "nDCG", "ideal-DCG": "DCG", "Rprec-mult": "Rprec",
    "single-unit-sufficiency": "sufficiency", "RBP-residual": "RBP",
}  # fmt: skip
"""Measures to the family that words name them by, where the name does not say it."""


def measures_named(sentence: str) -> set[str]:
    """The measures that a sentence names."""
    found = {_FAMILIES[m[0].lower()] for m in _NAMED.finditer(sentence)}
    return found | {_CAPITALS[m[0]] for m in _SHORT.finditer(sentence)}


def speaks_of(named: set[str], figure: str) -> bool:
    """Whether a figure is of one of the measures that a sentence names; one that no word stands for counts as such."""
    measure = re.split(r"[(@\[]", figure.rpartition("/")[2] or figure, maxsplit=1)[0].strip()
    family = _OF_OUTPUT.get(measure)
    if family is not None:
        return family in named
    words = set(re.split(r"[-:]", measure))
    known = {f for f in _FAMILIES.values() if f == measure or f in words}
    return not known or bool(known & named)
