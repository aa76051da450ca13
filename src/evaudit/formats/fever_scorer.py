"""The figures of FEVER's own scorer, with its quirks, so that a reader sees both numbers and why they differ.

Source: sheffieldnlp/fever-scorer, ``fever_score``. Sums run in the order of the lines, as there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaudit.definitions import Definition
from evaudit.figures import Mean
from evaudit.formats.fever import NOT_ENOUGH_INFO, FeverClaim, FeverPairs, FeverPrediction
from evaudit.plurals import counted

FEVER_BUDGET = 5
"""Sentences that the scorer looks at."""


@dataclass(frozen=True, slots=True)
class ScorerTally:
    """What the scorer adds up. ``fails`` says why it would stop with an error, None where it would not.

    Attributes:
        lines, verifiable: lines, and those that are not NOT ENOUGH INFO.
        strict, labels, recalled: lines that count. precision: sum of the precisions of the verifiable lines.
        nothing_predicted: verifiable lines without a prediction, which the scorer gives precision 1.
        nothing_required: verifiable lines without any evidence set, which it gives recall 1.
        other_set, repeated: predictions that it counts as hits and that hold no sentence of the best set, or repeat
            one.
        cut: lines with more predictions than it looks at.
    """

    lines: int
    verifiable: int
    strict: int
    labels: int
    recalled: int
    precision: float
    nothing_predicted: int
    nothing_required: int
    wrong_label: int
    cut: int
    repeated: int


def tally(pairs: FeverPairs, max_evidence: int | None) -> ScorerTally:
    """Score every line as ``fever_score`` does; ``max_evidence`` None looks at every prediction."""
    strict = labels = recalled = verifiable = nothing = free = wrong = cut = repeated = 0
    precision = 0.0
    for claim, prediction in zip(pairs.claims, pairs.predictions, strict=True):
        evidence = prediction.evidence if prediction else ()
        looked = evidence[:max_evidence]
        right = prediction is not None and claim.label.upper() == prediction.label.upper()
        labels += right
        if claim.label.upper() == NOT_ENOUGH_INFO:
            strict += right
            continue
        verifiable += 1
        seen = set(looked)
        whole = any(map(seen.issuperset, claim.sets))
        strict += right and whole
        wrong += whole and not right
        recalled += whole or not claim.sets
        free += not claim.sets
        nothing += not looked
        cut += len(looked) < len(evidence)
        repeated += len(seen) < len(looked)
        precision += _precision(claim, looked)
    return ScorerTally(
        len(pairs.claims), verifiable, strict, labels, recalled, precision, nothing, free, wrong, cut, repeated
    )


def _precision(claim: FeverClaim, looked: Sequence[tuple[str, int]]) -> float:
    if not looked:
        return 1.0
    known = {sentence for members in claim.sets for sentence in members if sentence[1] is not None}
    return sum(map(known.__contains__, looked)) / len(looked)


def scorer_means(found: ScorerTally) -> list[Mean]:
    """The five figures of the scorer. Where it stops with an error they are undefined, ``tool-fails``.

    The scorer computes F1 last, so a division by zero there loses all five.
    """
    if not found.lines:
        return [_mean(name, None, 0) for name in ("strict", "label-accuracy", "precision", "recall", "f1")]
    precision = found.precision / found.verifiable if found.verifiable else 1.0
    recall = float(found.recalled) / found.verifiable if found.verifiable else 0.0
    fails = precision + recall == 0
    f1 = None if fails else 2.0 * precision * recall / (precision + recall)
    return [
        _mean("strict", None if fails else found.strict / found.lines, found.lines, found.strict),
        _mean("label-accuracy", None if fails else found.labels / found.lines, found.lines, found.labels),
        _mean("precision", None if fails else precision, found.verifiable),
        _mean("recall", None if fails else recall, found.verifiable, found.recalled if found.verifiable else None),
        _mean("f1", f1, found.verifiable),
    ]


def _mean(name: str, value: float | None, n: int, num: int | None = None) -> Mean:
    measure = f"compat:fever:{name}"
    if value is None:
        return Mean(measure, {}, None, 0, {"tool-fails": n}, undefined="tool-fails")
    return Mean(measure, {}, value, n, {}, num=num, den=n if num is not None else None)


def differences(found: ScorerTally, max_evidence: int | None) -> list[tuple[str, str | None, str]]:
    """For each figure of the scorer: its name, ours that answers nearly the same, and the cause of the difference."""
    looked = "every prediction" if max_evidence is None else f"the first {max_evidence} predictions"
    return [
        (
            "compat:fever:strict",
            "complete",
            (
                f"the scorer also needs the label: {counted(found.wrong_label, 'line holds', 'lines hold')} a whole "
                f"set under a wrong label; and it counts {counted(found.lines - found.verifiable, 'line')} without "
                "required evidence by the label alone (undefined here: no-requirement)"
            ),
        ),
        ("compat:fever:label-accuracy", None, "labels of claims are no evidence, so nothing here corresponds"),
        (
            "compat:fever:precision",
            "evidence-precision",
            (
                f"the scorer gives 1 where nothing was predicted ({counted(found.nothing_predicted, 'line')}; "
                "undefined here: no-selection), takes a sentence of any set for a hit, counts a repeated sentence "
                f"again ({counted(found.repeated, 'line')}) and looks at {looked} "
                f"({counted(found.cut, 'line has', 'lines have')} more)"
            ),
        ),
        (
            "compat:fever:recall",
            "complete",
            (
                f"both ask for one whole set within {looked}; the scorer gives 1 where no set is required "
                f"({counted(found.nothing_required, 'verifiable line')}; undefined here: no-requirement), and an empty "
                "set is met by anything there (an error here)"
            ),
        ),
        ("compat:fever:f1", None, "a harmonic mean of two means over needs answers no question of one need"),
    ]


def _definition(name: str, question: str, definition: str, denominator: str, cannot: str, differs: str) -> Definition:
    return Definition(
        id=f"compat:fever:{name}",
        question=question,
        definition=definition,
        denominator=denominator,
        undefined_when="The tool stops with an error (no line, or precision and recall both 0): tool-fails.",
        not_known="A sentence that no annotator marked counts as wrong.",
        cannot_report=cannot,
        source="sheffieldnlp/fever-scorer, fever_score (max_evidence 5 by default).",
        differs=differs,
        parameters=(("max_evidence", "the budget in units; 5 if none is given"),),
    )


SCORER_DEFINITIONS: tuple[Definition, ...] = (
    _definition(
        "strict",
        "How many lines have the right label and, unless NOT ENOUGH INFO, one whole evidence set?",
        "Lines that count / lines. Labels are compared without case; a set is met by the first predictions.",
        "Every line.",
        "Evidence by itself: a NOT ENOUGH INFO line counts by its label alone.",
        "complete asks for the evidence only, and leaves lines without required evidence undefined.",
    ),
    _definition(
        "label-accuracy",
        "How many labels are right?",
        "Lines whose labels are equal without case / lines.",
        "Every line.",
        "Anything about evidence.",
        "Nothing here corresponds.",
    ),
    _definition(
        "precision",
        "How many of the predicted sentences stand in some evidence set?",
        "Mean over verifiable lines of hits / predictions looked at; 1 where nothing was predicted.",
        "Verifiable lines (label not NOT ENOUGH INFO).",
        "Whether the hits belong to one set.",
        "evidence-precision is undefined on an empty selection and credits a repeated sentence once.",
    ),
    _definition(
        "recall",
        "How many verifiable lines hold one whole evidence set?",
        "Verifiable lines with a whole set among the predictions looked at, or without any set / verifiable lines; "
        "0 without such lines.",
        "Verifiable lines.",
        "Partial recall: a set that is met in part counts nothing.",
        "complete leaves lines without a set undefined and refuses an empty set.",
    ),
    _definition(
        "f1",
        "What is the harmonic mean of the two means?",
        "2PR / (P + R) of compat:fever:precision and compat:fever:recall.",
        "None.",
        "The quality of any single line.",
        "Nothing here corresponds.",
    ),
)
"""Definition texts of the scorer's figures."""

__all__ = [
    "FEVER_BUDGET",
    "SCORER_DEFINITIONS",
    "FeverPrediction",
    "ScorerTally",
    "differences",
    "scorer_means",
    "tally",
]
