"""The figures of 2WikiMultihop's own script, with its quirks: answers, supporting facts and triples, in percent.

Source: Alab-NII/2wikimultihop, ``2wikimultihop_evaluate_v1.1.py``. Sums run in the order of the questions, as there.
"""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from evaudit.formats.foreign import Compat, CompatFigure, definition
from evaudit.formats.hotpotqa_scorer import Scores, answer_failure, answer_scores

Triple = Sequence[str]

_NAMES = ("em", "f1", "prec", "recall")
_PARTS = ("", "sp_", "evi_", "joint_")
_OURS = {"sp_prec": "evidence-precision", "sp_recall": "selected-recall"}
_BECAUSE = {
    "sp_em": "the tool asks for exactly the gold sentences; a superfluous one costs it, bundle-coverage ignores it",
    "sp_f1": "a harmonic mean over precision and recall of one question answers no question about a need",
    "sp_prec": "the tool lower-cases titles after it dropped repeated facts, so one fact can count twice, and gives 0 "
    "where nothing was predicted (undefined here: no-selection) or required (undefined here: no-requirement); percent",
    "sp_recall": "the tool lower-cases titles after it dropped repeated facts, so one fact can count twice, and gives "
    "0 where nothing is required; percent",
    "evi_": "triples name no place in a text, so nothing here corresponds; two names of one triple give a recall of 2",
    "joint_": "products of answer, evidence and triple figures: answers are no evidence, so nothing here corresponds",
    "": "answers are compared as normalised text, which is no evidence; nothing here corresponds",
}


@dataclass(frozen=True)
class Answers:
    """What was predicted, by question: ``texts`` and ``triples`` are None where the file has none at all."""

    texts: Mapping[str, Any] | None
    facts: Mapping[str, Sequence[tuple[str, int]]]
    triples: Mapping[str, Sequence[Triple]] | None
    aliases: Mapping[str, frozenset[str]] = field(default_factory=dict)


def sentence_scores(predicted: Sequence[tuple[str, int]], gold: Sequence[tuple[str, int]]) -> Scores:
    """The scores of one set of supporting facts; titles are lower-cased once repeated facts are gone."""
    one, other = ([(title.lower(), number) for title, number in dict.fromkeys(facts)] for facts in (predicted, gold))
    hits = sum(fact in other for fact in one)
    missed = sum(fact not in one for fact in other)
    return _scores(hits, len(one), hits + missed, hits == len(one) and not missed)


def triple_scores(predicted: Sequence[Triple], gold: Sequence[Sequence[Triple]]) -> Scores:
    """The scores of triples; each gold one is given in all its names, and every predicted name of it is a hit."""
    one = {_plain(triple) for triple in predicted}
    other = [{_plain(triple) for triple in names} for names in gold]
    hits = sum(any(triple in names for names in other) for triple in one)
    return _scores(hits, len(one), len(other), hits == len(one) == len(other))


def _scores(hits: int, predicted: int, required: int, exact: bool) -> Scores:
    precision = hits / predicted if predicted else 0.0
    recall = hits / required if required else 0.0
    return float(exact), _harmonic(precision, recall), precision, recall


def _harmonic(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


def _plain(triple: Triple) -> tuple[str, ...]:
    """Lower case, without punctuation, white space folded; articles stay."""
    kept = ("".join(c for c in part.lower() if c not in string.punctuation) for part in triple)
    return tuple(" ".join(part.split()) for part in kept)


def score(rows: Sequence[Mapping[str, Any]], given: Answers) -> Compat:
    """The sixteen figures; what is missing of a question counts 0 and stays in the number of questions."""
    names = [part + name for part in _PARTS for name in _NAMES]
    fails = _failure(rows, given)
    if fails:
        return Compat.stopped(
            _TOOL, (CompatFigure(n, None, _OURS.get(n), _because(n)) for n in names), fails, len(rows)
        )
    sums = dict.fromkeys(names, 0.0)
    for row in rows:
        found = _question(row, given)
        for part, scores in zip(_PARTS, [*found, _joint(found)], strict=True):
            for name, value in zip(_NAMES, scores or (), strict=False):
                sums[part + name] += value
    return Compat(
        _TOOL,
        tuple(
            CompatFigure(name, round(total / len(rows) * 100, 2), _OURS.get(name), _because(name), len(rows))
            for name, total in sums.items()
        ),
    )


_TOOL = "2wikimultihop_evaluate_v1.1"


def _failure(rows: Sequence[Mapping[str, Any]], given: Answers) -> str | None:
    """The error with which the script stops, None where it runs to its end."""
    if not rows:
        return "ZeroDivisionError: division by zero"
    if given.texts is None or given.triples is None:
        return "KeyError: 'answer'" if given.texts is None else "KeyError: 'evidence'"
    for row in rows:
        need = str(row["_id"])
        keys = [key for key in ("answer", "answer_id") if need in given.texts]
        keys += [key for key in ("evidences", "evidences_id") if need in given.triples]
        missing = [key for key in keys if key not in row]
        if missing:
            return f"KeyError: {missing[0]!r}"
        ids = row["evidences_id"] if need in given.triples and row["evidences"] else []
        if ids and [one[1] for one in ids] != [one[1] for one in row["evidences"]]:
            return "AssertionError"
    return answer_failure(rows, given.texts)


def _question(row: Mapping[str, Any], given: Answers) -> list[Scores | None]:
    """The scores of answer, facts and triples; None for what was not predicted."""
    need = str(row["_id"])
    answer = facts = triples = None
    if given.texts is not None and need in given.texts:
        names = {row["answer"], *given.aliases.get(str(row["answer_id"]), ())}
        each = [answer_scores(given.texts[need], name) for name in names]
        answer = (max(s[0] for s in each), max(s[1] for s in each), max(s[2] for s in each), max(s[3] for s in each))
    if need in given.facts:
        facts = sentence_scores(given.facts[need], [(fact[0], fact[1]) for fact in row["supporting_facts"]])
    if given.triples is not None and need in given.triples:
        triples = triple_scores(given.triples[need], _all_names(row, given.aliases))
    return [answer, facts, triples]


def _all_names(row: Mapping[str, Any], aliases: Mapping[str, frozenset[str]]) -> list[list[Triple]]:
    """Each gold triple with every name of its subject and of its object."""
    ids = (row["evidences"] and row["evidences_id"]) or [("", "", "")] * len(row["evidences"])
    found: list[list[Triple]] = []
    for (subject, relation, value), one in zip(row["evidences"], ids, strict=True):
        subjects, values = {subject, *aliases.get(one[0], ())}, {value, *aliases.get(one[2], ())}
        found.append([(s, relation, v) for s, v in product(subjects, values)])
    return found


def _joint(found: Sequence[Scores | None]) -> Scores | None:
    answer, facts, triples = found
    if answer is None or facts is None or triples is None:
        return None
    exact, precision, recall = (answer[n] * facts[n] * triples[n] for n in (0, 2, 3))
    return exact, _harmonic(precision, recall), precision, recall


def _because(name: str) -> str:
    part = next(part for part in reversed(_PARTS) if name.startswith(part))
    return _BECAUSE.get(name, _BECAUSE.get(part, ""))


DEFINITION = definition(
    "2wikimultihop",
    "em, f1, prec and recall in percent, rounded to two digits: of the answer (normalised text, the best of all its "
    "names), of the supporting facts (sp_: title and sentence), of the reasoning triples (evi_: normalised text, in "
    "all names of their subjects and objects) and of the three together (joint_: products). Means over all questions. "
    "Names come from --aliases; without that file each has the one name of the gold.",
    "Every question of the gold file; what is missing of one counts 0.",
    "No question; predictions without `answer` or `evidence`; gold without `answer_id` or `evidences_id`; "
    "ids of triples that do not fit them; an answer that is no text: the tool stops with an error (tool-fails).",
    "Whether the facts were sufficient: em also fails where one fact too many came back.",
    "Alab-NII/2wikimultihop, 2wikimultihop_evaluate_v1.1.py.",
)
