"""From lists of unit entries of one case to columns: ids resolved, references checked, lengths and labels noted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaudit.bundles.case import UnitEntry
from evaudit.bundles.columns import CHAR, NOWHERE, UNKNOWN, UnitTable, integers
from evaudit.bundles.places import BAD_REFERENCE, Placed, Places
from evaudit.bundles.unlocated import Unlocated
from evaudit.findings import Finding, finding
from evaudit.sources.eligibility import ELIGIBILITIES


@dataclass(frozen=True, slots=True)
class Listed:
    """One list of a case as columns, what is wrong with it, and its units of unknown place."""

    table: UnitTable
    findings: tuple[Finding, ...]
    unlocated: Unlocated


def with_places_of(entries: Sequence[UnitEntry], known: Mapping[str, UnitEntry]) -> tuple[list[UnitEntry], list[str]]:
    """Entries that give only an id take the place of the known unit of that id; the ids of which none is known."""
    unknown = [e.unit for e in entries if e.ref is None and e.unit is not None and e.unit not in known]
    return [known.get(e.unit or "", e) if e.ref is None else e for e in entries], unknown


def list_units(entries: Sequence[UnitEntry], places: Places, ids: dict[str, int], what: str, need: str) -> Listed:
    """One list of units, best first, as columns. ``ids`` gives codes to unit ids; ``what`` names the list in
    messages.
    """
    findings: list[Finding] = []
    placed: list[Placed | None] = []
    unlocated = Unlocated(what)
    for rank, entry in enumerate(entries, 1):
        anchor = entry.as_anchor()
        place = places.locate(anchor) if anchor is not None else None
        placed.append(place)
        found = unit_finding(place, f"{what} unit {entry.unit or rank}", entry.ref, need)
        if found is not None:
            findings.append(found)
            unlocated.note(rank - 1, places, entry.ref.key if entry.ref is not None else None, place, entry.text)
    document = integers([p.document if p else NOWHERE for p in placed])
    start, end = integers([p.start if p else 0 for p in placed]), integers([p.end if p else 0 for p in placed])
    space = integers([p.space if p else CHAR for p in placed])
    table = UnitTable(
        np.zeros(len(entries), dtype=np.int64), document, space, start, end,
        integers([_chars(e, p) for e, p in zip(entries, placed, strict=True)]),
        integers([UNKNOWN if e.tokens is None else e.tokens for e in entries]),
        integers([ids.setdefault(e.unit, len(ids)) if e.unit else UNKNOWN for e in entries]),
        integers(np.arange(len(entries))), lambda row: entries[row].unit or f"#{row + 1}", _states(entries, places),
    )  # fmt: skip
    return Listed(table, tuple(findings), unlocated)


def unit_finding(place: Placed | None, what: str, ref: object, need: str) -> Finding | None:
    """What is wrong with the reference of a unit; None where it has a place."""
    if place is None:
        return finding("unit-unlocated", f"{what} has no position; give start and end, or its text", need=need)
    if place.document >= 0:
        return None
    located = place.located
    rule = BAD_REFERENCE[located.state] if located.diagnosis != "no-text" else "unit-unlocated"
    so = "its place is not known" if place.may_stand else "it covers nothing"
    return finding(rule, f"expected {what} in {ref}, found {located.state}: {located.message}; {so}", need=need)


def _chars(entry: UnitEntry, place: Placed | None) -> int:
    if entry.text is not None:
        return len(entry.text)
    if place is not None and place.document >= 0 and place.space == CHAR:
        return place.end - place.start
    if entry.space != "char" or entry.start is None or entry.end is None or entry.end < entry.start:
        return UNKNOWN
    # A length is the same in every unit only where it is 0.
    return entry.end - entry.start if entry.offsets == "codepoint" or entry.start == entry.end else UNKNOWN


def _states(entries: Sequence[UnitEntry], places: Places) -> npt.NDArray[np.int8] | None:
    if places.view is None:
        return None
    unknown = ELIGIBILITIES.index("unknown")
    found = [places.state(e.ref.key, e.access) if e.ref is not None else unknown for e in entries]
    return np.asarray(found, dtype=np.int8)
