"""Labels from several places - ledger, earlier stages, a label file - joined by id; they must agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from evaudit.decisions.candidate_checks import check_declared, group_rows
from evaudit.decisions.cohort import Labels
from evaudit.decisions.columns import Coded, Ids
from evaudit.decisions.ledger_rows import Reconciliation, Rows
from evaudit.findings import Where
from evaudit.plurals import counted

_POSITIVE, _NEGATIVE, _UNLABELLED, _UNKNOWN = range(4)


@dataclass(frozen=True, slots=True)
class LabelRows:
    """The rows of a file that carry labels; ``name`` is what messages call it, ``topics`` the topic of each row."""

    name: str
    ids: Ids
    labels: Coded
    where: Callable[[int], Where]
    topics: Coded | None = None


@dataclass(frozen=True, slots=True)
class LabelJoin:
    """How the label file joined: candidates that it labels, those without a label in it, and labels of nobody.

    ``others`` belong to other cohorts; ``others_undeclared`` of them have a value that the cohort does not declare, so
    that nobody knows what they mean. ``left_out_negative`` and ``left_out_unlabelled`` are judged for this cohort and
    stand in no row of the ledger.
    """

    joined: int
    lacking: int
    others: int
    others_positive: int
    others_undeclared: int
    left_out_negative: int = 0
    left_out_unlabelled: int = 0

    @property
    def left_out(self) -> int:
        """Everybody who is judged for this cohort, stands in no row, and is not labelled positive."""
        return self.left_out_negative + self.left_out_unlabelled


def check_label_file(
    found: Reconciliation, file: LabelRows, ids: Ids, labels: Labels, own: np.ndarray, *, others_are_errors: bool
) -> LabelJoin:
    """Reconcile a label file with the candidates: blank, repeated, contradicting and stray ids, unknown labels.

    Args:
        file: the label file. ids: the candidates. labels: what the labels mean.
        own: whether each row of the file is judged for this cohort. others_are_errors: whether the rest may not be.
    """
    rows = Rows(file.ids, Coded.constant("", len(file.ids)), file.labels, file.where)
    blank = [int(i) for i in file.ids.blank()]
    if blank:
        entries: list[tuple[str, dict[str, object]]] = [(f"row at {file.where(i).text()}", {}) for i in blank]
        what = f"{counted(len(blank), 'row')} of {file.name} without an id"
        found.add("cohort-missing-id", what, entries, file.where(blank[0]), "every label needs its candidate")
    _check_repeated(found, file, set(blank))
    inside = file.ids.rows_in(ids) >= 0
    meaning = file.labels.lookup(dict(labels.meaning), _UNKNOWN)
    within = np.flatnonzero(inside | own | others_are_errors)
    check_declared(found, rows.take(within), "label", rows.labels.take(within), labels.meaning)
    stray = group_rows(file.ids, (int(i) for i in np.flatnonzero(~inside)), blank)
    joined = int((ids.rows_in(file.ids) >= 0).sum())
    counts = (joined, len(ids) - joined)
    if others_are_errors:
        _stray(found, file, stray, meaning)
        means = [int(meaning[i[0]]) for _, i in stray]
        return LabelJoin(*counts, len(stray), means.count(_POSITIVE), means.count(_UNKNOWN))
    mine = [(c, i) for c, i in stray if own[i[0]]]
    means = [int(meaning[i[0]]) for c, i in stray if not own[i[0]]]
    negative, unlabelled = _left_out(found, file, mine, meaning)
    return LabelJoin(*counts, len(means), means.count(_POSITIVE), means.count(_UNKNOWN), negative, unlabelled)


Candidates = Sequence[tuple[str, Sequence[int]]]
"""Ids with their rows in the label file."""


def _stray(found: Reconciliation, file: LabelRows, stray: Candidates, meaning: np.ndarray) -> None:
    """Labels for nobody, where there may be none."""
    if stray:
        what = f"{counted(len(stray), 'label')} of {file.name} for no candidate of the ledger"
        positive = sum(int(meaning[rows[0]]) == _POSITIVE for _, rows in stray)
        what += f", {positive} of them positive: recall would lose what belongs to this cohort" if positive else ""
        advice = (
            "say with unlisted: STATE what became of those of this cohort, or leave the labels of other cohorts out "
            "with others: ignore"
        )
        found.add("cohort-stray-label", what, _entries(file, stray), file.where(stray[0][1][0]), advice)


def _left_out(found: Reconciliation, file: LabelRows, mine: Candidates, meaning: np.ndarray) -> tuple[int, int]:
    """Candidates of this cohort that the ledger does not list: positive ones are an error, the others are counted."""
    positive = [(c, i) for c, i in mine if meaning[i[0]] == _POSITIVE]
    if positive:
        many = counted(len(positive), "candidate")
        what = f"{many} of this cohort labelled positive in {file.name} without a row in the ledger"
        advice = "recall would lose them; say with unlisted: STATE what became of them"
        found.add("cohort-unlisted-positive", what, _entries(file, positive), file.where(positive[0][1][0]), advice)
    rest = [(c, i) for c, i in mine if meaning[i[0]] in (_NEGATIVE, _UNLABELLED)]
    if rest:
        many = counted(len(rest), "candidate")
        what = f"{many} of this cohort judged in {file.name}, none of them positive, without a row in the ledger"
        advice = "figures that count negatives are withheld; say with unlisted: STATE what became of them"
        found.add("cohort-unlisted-negative", what, _entries(file, rest), file.where(rest[0][1][0]), advice)
    negative = sum(int(meaning[i[0]]) == _NEGATIVE for _, i in rest)
    return negative, len(rest) - negative


def _entries(file: LabelRows, some: Candidates) -> list[tuple[str, dict[str, object]]]:
    return [(f"{c} ({_place(file.where(i[0]))})", {"id": c, "label": file.labels[i[0]]}) for c, i in some]


def _check_repeated(found: Reconciliation, file: LabelRows, blank: set[int]) -> None:
    groups = [g for g in file.ids.repeated() if g[0] not in blank]
    differing = [g for g in groups if len({file.labels[i] for i in g}) > 1]
    same = [g for g in groups if len({file.labels[i] for i in g}) == 1]
    for rule, what, chosen in (
        ("cohort-conflicting-labels", "with different labels in", differing),
        ("cohort-repeated-row", "with repeated rows in", same),
    ):
        if chosen:
            entries: list[tuple[str, dict[str, object]]] = [
                (
                    f"{file.ids[g[0]]} ({', '.join(f'{file.labels[i]!r} {_place(file.where(i))}' for i in g)})",
                    {"id": file.ids[g[0]], "labels": [file.labels[i] for i in g]},
                )
                for g in chosen
            ]
            text = f"{len(chosen)} candidate{'s' * (len(chosen) != 1)} {what} {file.name}"
            found.add(rule, text, entries, file.where(chosen[0][1]), "keep one label a candidate")


def joined_labels(found: Reconciliation, ids: Ids, sources: Sequence[LabelRows], labels: Labels) -> Coded:
    """The label of every candidate: the one that its sources state. Where two state different ones, a finding.

    Two spellings of one meaning (``1`` and ``positive``) agree; a source without a label says nothing.
    """
    meaning = dict(labels.meaning)
    positions = [ids.rows_in(source.ids) for source in sources]
    columns = [s.labels.take(rows) for s, rows in zip(sources, positions, strict=True)]
    meanings = [
        np.where(p < 0, _UNLABELLED, c.lookup(meaning, _UNKNOWN)) for p, c in zip(positions, columns, strict=True)
    ]
    values: list[str] = [labels.unlabelled[0] if labels.unlabelled else ""]
    codes = np.zeros(len(ids), np.int32)
    settled = np.full(len(ids), _UNLABELLED)
    conflict = np.zeros(len(ids), bool)
    for column, means in zip(columns, meanings, strict=True):
        states_one = means != _UNLABELLED
        conflict |= states_one & (settled != _UNLABELLED) & (settled != means)
        first = states_one & (settled == _UNLABELLED)
        codes = np.where(first, column.codes + len(values), codes).astype(np.int32)
        settled = np.where(first, means, settled)
        values += column.values
    _relabelled(found, ids, sources, positions, columns, np.flatnonzero(conflict))
    return Coded.of([values[0]]) if not len(ids) else _compact(values, codes)


def _compact(values: Sequence[str], codes: np.ndarray) -> Coded:
    """The same column with each value listed once."""
    places: dict[str, int] = {}
    table = np.array([places.setdefault(v, len(places)) for v in values], np.int32)
    return Coded(tuple(places), table[codes])


def _relabelled(
    found: Reconciliation,
    ids: Ids,
    sources: Sequence[LabelRows],
    positions: Sequence[np.ndarray],
    columns: Sequence[Coded],
    rows: np.ndarray,
) -> None:
    if not len(rows):
        return
    entries: list[tuple[str, dict[str, object]]] = []
    for i in rows:
        stated = {s.name: c[i] for s, p, c in zip(sources, positions, columns, strict=True) if p[i] >= 0 and c[i]}
        text = ", ".join(f"{label!r} in {name}" for name, label in stated.items())
        entries.append((f"{ids[i]} ({text})", {"id": ids[i], "labels": stated}))
    first = next(
        s.where(int(p[rows[0]])) for s, p in zip(reversed(sources), reversed(positions), strict=True) if p[rows[0]] >= 0
    )
    what = f"{len(rows)} candidate{'s' * (len(rows) != 1)} labelled differently in two places"
    found.add("cohort-relabelled", what, entries, first, "settle the label in one place")


def _place(where: Where) -> str:
    return f"line {where.line}" if where.line is not None else where.pointer or ""
