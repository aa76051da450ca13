"""The figures of FEVER's own scorer, with its quirks, so that a reader sees both numbers and why they differ.

Source: sheffieldnlp/fever-scorer, ``fever_score``. Sums run in the order of the lines, as there.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaudit.definitions import Definition
from evaudit.formats.fever import NOT_ENOUGH_INFO, FeverClaim, FeverPairs
from evaudit.formats.foreign import Compat, CompatFigure
from evaudit.plurals import counted

FEVER_BUDGET = 5
"""Sentences that the scorer looks at."""


@dataclass(frozen=True, slots=True)
class ScorerTally:
    """What the scorer adds up.

    Attributes:
        lines, verifiable: lines, and those that are not NOT ENOUGH INFO.
        strict, labels, recalled: lines that count. precision: sum of the precisions of the verifiable lines.
        nothing_predicted: verifiable lines without a prediction, which the scorer gives precision 1.
        nothing_required: verifiable lines without any evidence set, which it gives recall 1.
        wrong_label: lines that hold a whole set under a wrong label.
        cut: lines with more predictions than it looks at. repeated: lines in which these repeat a sentence.
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


def score(pairs: FeverPairs, max_evidence: int | None) -> Compat:
    """The five figures of the scorer, which looks at ``max_evidence`` predictions of a line (None: at every one).

    It computes F1 last, so a division by zero there loses all five.
    """
    found = tally(pairs, max_evidence)
    if not found.lines:
        return _compat(found, max_evidence, dict.fromkeys(_OURS, None), "ZeroDivisionError: division by zero")
    precision = found.precision / found.verifiable if found.verifiable else 1.0
    recall = float(found.recalled) / found.verifiable if found.verifiable else 0.0
    fails = precision + recall == 0
    values = {
        "strict": found.strict / found.lines, "label-accuracy": found.labels / found.lines,
        "precision": precision, "recall": recall,
        "f1": None if fails else 2.0 * precision * recall / (precision + recall),
    }  # fmt: skip
    return _compat(found, max_evidence, values, "ZeroDivisionError: float division by zero" if fails else None)


_OURS = {
    "strict": "complete", "label-accuracy": None, "precision": "evidence-precision", "recall": "complete", "f1": None,
}  # fmt: skip
"""Each figure of the scorer, with ours that answers nearly the same."""


def _compat(
    found: ScorerTally, max_evidence: int | None, values: Mapping[str, float | None], fails: str | None
) -> Compat:
    counts = {"strict": found.strict, "label-accuracy": found.labels, "recall": found.recalled}
    because = _because(found, max_evidence)
    figures = []
    for name, value in values.items():
        n = found.lines if name in ("strict", "label-accuracy") else found.verifiable
        num, den = (counts[name], n) if name in counts and n else (None, None)
        figures.append(CompatFigure(name, value, _OURS[name], because[name], n, num, den))
    if fails:
        return dataclasses.replace(Compat.stopped(_TOOL, figures, fails, found.lines), looked=max_evidence)
    return Compat(_TOOL, tuple(figures), looked=max_evidence)


_TOOL = "fever-scorer"


def _because(found: ScorerTally, max_evidence: int | None) -> dict[str, str]:
    """The cause of a difference, for each figure of the scorer."""
    looked = "every prediction" if max_evidence is None else f"the first {max_evidence} predictions"
    return {
        "strict": (
            f"the scorer also needs the label: {counted(found.wrong_label, 'line holds', 'lines hold')} a whole "
            f"set under a wrong label; and it counts {counted(found.lines - found.verifiable, 'line')} without "
            "required evidence by the label alone (undefined here: no-requirement)"
        ),
        "label-accuracy": "labels of claims are no evidence, so nothing here corresponds",
        "precision": (
            f"the scorer gives 1 where nothing was predicted ({counted(found.nothing_predicted, 'line')}; "
            "undefined here: no-selection) and 0 where no set is required (undefined here: no-requirement), takes a "
            "sentence of any set for a hit and counts a repeated sentence again "
            f"({counted(found.repeated, 'line')}); both look at {looked} "
            f"({counted(found.cut, 'line has', 'lines have')} more)"
        ),
        "recall": (
            f"both ask for one whole set within {looked}; the scorer gives 1 where no set is required "
            f"({counted(found.nothing_required, 'verifiable line')}; undefined here: no-requirement), and an empty "
            "set is met by anything there (an error here)"
        ),
        "f1": "a harmonic mean of two means over needs answers no question of one need",
    }


def _definition(name: str, question: str, definition: str, denominator: str, cannot: str, differs: str) -> Definition:
    return Definition(
        id=f"compat:fever:{name}",
        question=question,
        definition=definition,
        denominator=denominator,
        undefined_when="The tool stops with an error (no line, or precision and recall both 0): tool-fails. Its "
        "release 2.0.39 prints an F1 of 0 in the second case.",
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
