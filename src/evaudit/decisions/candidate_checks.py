"""Checks of the candidates of a ledger: one row each, in a declared state, with a declared label, on the roster."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

from evaudit.decisions.ledger_rows import Reconciliation, Roster, Rows, suggestion
from evaudit.findings import Where


def check_missing_ids(found: Reconciliation, rows: Rows, lines: Sequence[int]) -> None:
    """Rows that name no candidate."""
    if lines:
        entries = [(f"row at {rows.where(i).text()}", _record(rows, "", [i])) for i in lines]
        what = f"{_many(len(lines), 'row')} without a candidate id"
        found.add("cohort-missing-id", what, entries, rows.where(lines[0]), "every row needs one")


def check_declared(
    found: Reconciliation, rows: Rows, kind: str, values: Sequence[str], known: Mapping[str, object]
) -> None:
    """States or labels (``kind``) that the cohort does not declare; one finding a value."""
    lines: dict[str, list[int]] = {}
    for i, value in enumerate(values):
        if value not in known:
            lines.setdefault(value, []).append(i)
    for value, where in lines.items():
        entries = [(f"{_name(rows.ids[i])} ({_line(rows.where(i))})", _record(rows, rows.ids[i], [i])) for i in where]
        what = (
            f"the {kind} {value!r} of {_many(len(where), 'candidate')} is not declared{suggestion(value, list(known))}"
        )
        advice = f"declared are {', '.join(repr(k) for k in known)}"
        found.add(f"cohort-unknown-{kind}", what, entries, rows.where(where[0]), advice)


def check_several_rows(found: Reconciliation, rows: Rows, by_id: Mapping[str, Sequence[int]]) -> None:
    """Candidates with more than one row: in two states, with two labels, or simply repeated."""
    several = [(c, lines) for c, lines in by_id.items() if len(lines) > 1]
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
    values: Sequence[str] | None,
) -> None:
    if candidates:
        entries = []
        for candidate, lines in candidates:
            places = [
                f"{values[i] or 'no label'} {_line(rows.where(i))}" if values else _line(rows.where(i)) for i in lines
            ]
            entries.append((f"{_name(candidate)} ({', '.join(places)})", _record(rows, candidate, lines)))
        text = f"{_many(len(candidates), 'candidate')} {what}"
        found.add(rule, text, entries, rows.where(candidates[0][1][1]), "keep one row a candidate")


def check_roster(found: Reconciliation, rows: Rows, by_id: Mapping[str, Sequence[int]], roster: Roster) -> None:
    """Candidates that the roster has and the ledger lacks, and the other way round."""
    first: dict[str, int] = {}
    repeated: list[tuple[str, dict[str, object]]] = []
    for i, candidate in enumerate(roster.ids):
        if candidate in first or not candidate:
            repeated.append(
                (f"{candidate!r} ({_line(roster.where(i))})", {"id": candidate, "line": roster.where(i).line})
            )
        first.setdefault(candidate, i)
    if repeated:
        what = f"{_many(len(repeated), 'entry', 'entries')} of the roster repeated or blank"
        found.add("cohort-roster-repeated", what, repeated, Where(roster.where(0).path), "list every candidate once")
    lost = [(c, i) for c, i in first.items() if c and c not in by_id]
    if lost:
        entries: list[tuple[str, dict[str, object]]] = [
            (_name(c), {"id": c, "line": roster.where(i).line}) for c, i in lost
        ]
        what = f"{_many(len(lost), 'candidate')} of the roster without a row in the ledger"
        found.add("cohort-lost-candidate", what, entries, roster.where(lost[0][1]), "a candidate in no state is lost")
    stray = [(c, lines) for c, lines in by_id.items() if c not in first]
    if stray:
        strays = [(f"{_name(c)} ({_line(rows.where(lines[0]))})", _record(rows, c, lines)) for c, lines in stray]
        what = f"{_many(len(stray), 'candidate')} of the ledger not on the roster"
        found.add("cohort-stray-candidate", what, strays, rows.where(stray[0][1][0]), "add to the roster or remove")


def folded_id(candidate: str) -> str:
    """An id without outer blanks, case and Unicode form: ids that are equal here are two spellings of one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", candidate.strip()).casefold())


def check_spellings(
    found: Reconciliation, rows: Rows, by_id: Mapping[str, Sequence[int]], roster: Roster | None
) -> None:
    """Ids of ledger and roster that differ only in blanks, case or Unicode form."""
    first: dict[str, str] = {}
    groups: dict[str, list[str]] = {}
    entries = {c: i for i, c in enumerate(roster.ids) if c} if roster else {}
    for candidate in dict.fromkeys([*by_id, *entries]):
        folded = folded_id(candidate)
        if first.setdefault(folded, candidate) != candidate:
            groups.setdefault(folded, [first[folded]]).append(candidate)
    if not groups:
        return

    def place(candidate: str) -> Where:
        return rows.where(by_id[candidate][0]) if candidate in by_id or not roster else roster.where(entries[candidate])

    named: list[tuple[str, dict[str, object]]] = [
        (" = ".join(repr(c) for c in group), {"ids": group, "places": [place(c).text() for c in group]})
        for group in groups.values()
    ]
    what = f"{_many(len(groups), 'id')} in several spellings (blanks, case, Unicode form)"
    where = place(next(iter(groups.values()))[1])
    found.add("cohort-near-equal-ids", what, named, where, "give each candidate one spelling")


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
