"""Checks of the candidates of a ledger: one row each, in a declared state, with a declared label, on the roster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evaudit.decisions.columns import Coded, Ids
from evaudit.decisions.ledger_rows import Reconciliation, Roster, Rows, suggestion
from evaudit.findings import Where
from evaudit.near_ids import differences, folded_id


def check_missing_ids(found: Reconciliation, rows: Rows, lines: Sequence[int]) -> None:
    """Rows that name no candidate."""
    if lines:
        entries = [(f"row at {rows.where(i).text()}", _record(rows, "", [i])) for i in lines]
        what = f"{_many(len(lines), 'row')} without a candidate id"
        found.add("cohort-missing-id", what, entries, rows.where(lines[0]), "every row needs one")


def check_declared(
    found: Reconciliation,
    rows: Rows,
    kind: str,
    column: Coded,
    known: Mapping[str, object],
    also: Iterable[str] = (),
    noun: str = "candidate",
) -> None:
    """States or labels (``kind``) that the cohort does not declare; one finding a value, in order of its first row.

    Values of ``also`` are let through as well, and no message offers them. ``noun`` is what a row is.
    """
    unknown = np.flatnonzero(~column.is_one_of([*known, *also]))
    lines: dict[str, list[int]] = {}
    for i in unknown.tolist():
        lines.setdefault(column[i], []).append(i)
    for value, where in lines.items():
        entries = [(f"{_name(rows.ids[i])} ({_line(rows.where(i))})", _record(rows, rows.ids[i], [i])) for i in where]
        what = f"the {kind} {value!r} of {_many(len(where), noun)} is not declared{suggestion(value, list(known))}"
        advice = f"declared are {', '.join(repr(k) for k in known)}"
        found.add(f"cohort-unknown-{kind}", what, entries, rows.where(where[0]), advice)


def check_several_rows(found: Reconciliation, rows: Rows, blank: Iterable[int]) -> None:
    """Candidates with more than one row: in two states, with two labels, or simply repeated."""
    skip = set(blank)
    several = [(rows.ids[lines[0]], lines) for lines in rows.ids.repeated() if lines[0] not in skip]
    states = [(c, lines) for c, lines in several if len({rows.states[i] for i in lines}) > 1]
    labels = [(c, lines) for c, lines in several if len({rows.labels[i] for i in lines}) > 1]
    same = [(c, lines) for c, lines in several if len({(rows.states[i], rows.labels[i]) for i in lines}) < len(lines)]
    _group(found, rows, "cohort-two-states", "in more than one state", states, rows.states)
    _group(found, rows, "cohort-conflicting-labels", "with different labels", labels, rows.labels)
    _group(found, rows, "cohort-repeated-row", "with repeated rows", same, None)


def _group(
    found: Reconciliation,
    rows: Rows,
    rule: str,
    what: str,
    candidates: Sequence[tuple[str, Sequence[int]]],
    values: Coded | None,
) -> None:
    if candidates:
        entries = []
        for candidate, lines in candidates:
            places = [
                f"{values[i] or 'no label'} {_line(rows.where(i))}" if values is not None else _line(rows.where(i))
                for i in lines
            ]
            entries.append((f"{_name(candidate)} ({', '.join(places)})", _record(rows, candidate, lines)))
        text = f"{_many(len(candidates), 'candidate')} {what}"
        found.add(rule, text, entries, rows.where(candidates[0][1][1]), "keep one row a candidate")


def check_roster(found: Reconciliation, rows: Rows, roster: Roster, blank: Sequence[int]) -> None:
    """Candidates that the roster has and the ledger lacks, and the other way round."""
    empty = {int(i) for i in roster.ids.blank()}
    again = sorted({row for lines in roster.ids.repeated() for row in lines[1:]} | empty)
    if again:
        repeated: list[tuple[str, dict[str, object]]] = [
            (f"{roster.ids[i]!r} ({_line(roster.where(i))})", {"id": roster.ids[i], "line": roster.where(i).line})
            for i in again
        ]
        what = f"{_many(len(repeated), 'entry', 'entries')} of the roster repeated or blank"
        found.add("cohort-roster-repeated", what, repeated, Where(roster.where(0).path), "list every candidate once")
    skip = set(again)
    lost = [int(i) for i in np.flatnonzero(roster.ids.rows_in(rows.ids) < 0) if int(i) not in skip]
    if lost:
        entries: list[tuple[str, dict[str, object]]] = [
            (_name(roster.ids[i]), {"id": roster.ids[i], "line": roster.where(i).line}) for i in lost
        ]
        what = f"{_many(len(lost), 'candidate')} of the roster without a row in the ledger"
        if len(rows) and len(lost) == len(roster.ids) - len(skip):
            what += ", which has no id in common with it"
        advice = "a candidate in no state is lost; add its row, or declare its state with unlisted: STATE"
        found.add("cohort-lost-candidate", what, entries, roster.where(lost[0]), advice)
    outside = [int(i) for i in np.flatnonzero(rows.ids.rows_in(roster.ids) < 0)]
    stray = group_rows(rows.ids, outside, blank)
    if stray:
        strays = [(f"{_name(c)} ({_line(rows.where(lines[0]))})", _record(rows, c, lines)) for c, lines in stray]
        what = f"{_many(len(stray), 'candidate')} of the ledger not on the roster"
        found.add("cohort-stray-candidate", what, strays, rows.where(stray[0][1][0]), "add to the roster or remove")


def group_rows(ids: Ids, rows: Iterable[int], blank: Iterable[int]) -> list[tuple[str, list[int]]]:
    """Some rows by candidate, those without an id left out."""
    skip = set(blank)
    groups: dict[str, list[int]] = {}
    for i in rows:
        if i not in skip:
            groups.setdefault(ids[i], []).append(i)
    return list(groups.items())


def check_spellings(found: Reconciliation, sources: Sequence[tuple[Ids, Callable[[int], Where]]]) -> None:
    """Ids of ledger, roster and label file that differ only in blanks, case or Unicode form."""
    if not any(ids.may_be_respelled() for ids, _ in sources) and not _cases_differ([ids for ids, _ in sources]):
        return
    if _folds_apart([ids for ids, _ in sources]):
        return
    first: dict[str, str] = {}
    groups: dict[str, list[str]] = {}
    places: dict[str, Where] = {}
    seen: set[str] = set()
    for ids, where in sources:
        for i, candidate in enumerate(ids.to_list()):
            if candidate in seen or not candidate.strip():
                continue
            seen.add(candidate)
            folded = folded_id(candidate)
            if first.setdefault(folded, candidate) != candidate:
                groups.setdefault(folded, [first[folded]]).append(candidate)
                places[candidate] = where(i)
    if not groups:
        return
    firsts = {group[0] for group in groups.values()}
    for ids, where in sources:
        for i, candidate in enumerate(ids.to_list()):
            if candidate in firsts and candidate not in places:
                places[candidate] = where(i)
    named: list[tuple[str, dict[str, object]]] = [
        (
            " = ".join(repr(c) for c in group),
            {"ids": group, "places": [places[c].text() for c in group], "differs": _ways(group)},
        )
        for group in groups.values()
    ]
    what = f"{_many(len(groups), 'id')} in several spellings (blanks, case, Unicode form)"
    where_second = places[next(iter(groups.values()))[1]]
    found.add("cohort-near-equal-ids", what, named, where_second, "give each candidate one spelling")


def _ways(group: Sequence[str]) -> list[str]:
    """What differs between the first spelling and any other."""
    return list(dict.fromkeys(way for other in group[1:] for way in differences(group[0], other)))


def _folds_apart(sources: Sequence[Ids]) -> bool:
    """Whether the different ids of all sources, all ASCII, stay different without outer blanks and case."""
    distinct = pc.unique(pa.concat_arrays([pc.cast(ids.array, pa.large_string()) for ids in sources]))
    if not pc.all(pc.string_is_ascii(distinct)).as_py():
        return False
    return len(pc.unique(pc.ascii_lower(pc.ascii_trim_whitespace(distinct)))) == len(distinct)


def _cases_differ(sources: Sequence[Ids]) -> bool:
    """Whether one source writes its letters large and another small."""
    return len({ids.letters() for ids in sources} - {"none"}) > 1


def _record(rows: Rows, candidate: str, lines: Sequence[int]) -> dict[str, object]:
    places = [rows.where(i) for i in lines]
    return {
        "id": candidate,
        "lines": [p.line if p.line is not None else p.pointer for p in places],
        "states": [rows.states[i] for i in lines],
        "labels": [rows.labels[i] for i in lines],
    }


def _name(candidate: str) -> str:
    """An id as a message shows it: in quotes where blanks or other signs would hide in the sentence."""
    return candidate if candidate.isprintable() and candidate.split() == [candidate] else repr(candidate)


def _line(where: Where) -> str:
    return f"line {where.line}" if where.line is not None else where.pointer or ""


def _many(n: int, noun: str, plural: str = "") -> str:
    return f"{n} {noun if n == 1 else plural or noun + 's'}"
