"""How the ids of gold records and of predictions meet: by id or by place, other spellings, none in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from evaudit.errors import InvalidDocumentError
from evaudit.findings import Finding, Severity, Where, finding
from evaudit.formats.refusals import Refusals
from evaudit.near_ids import differences, is_systematic, near_pairs
from evaudit.plurals import counted

Known = tuple[str, int]
"""An id and the line where it stands, 0 where that is not known."""
SHOWN = 5
"""Ids, or pairs of them, that a message names."""


def need_names(ids: Sequence[str], lines: Sequence[int]) -> list[str]:
    """The names of needs: their ids where these are unique, else ``line:N``, or ``record:N`` where lines repeat."""
    if len(set(ids)) == len(ids) and all(ids):
        return list(ids)
    if len(set(lines)) == len(lines):
        return [f"line:{line}" for line in lines]
    return [f"record:{number}" for number in range(1, len(ids) + 1)]


def refuse_repeated(refusals: Refusals, ids: Sequence[Known]) -> None:
    """Refuse ids that stand twice.

    Raises:
        InvalidDocumentError: there is one.
    """
    first: dict[str, int] = {}
    for one, line in ids:
        if one in first:
            refusals.add("table-row-unreadable", f"the id {one} also stands on line {first[one]}", line)
        first.setdefault(one, line)
    refusals.raise_if_any()


def repeated(ids: Sequence[Known]) -> Iterator[tuple[int, str, int]]:
    """The place of each record whose id is no other's alone, what is wrong, and its line."""
    places: dict[str, list[int]] = {}
    for place, (one, _) in enumerate(ids):
        places.setdefault(one, []).append(place)
    for one, among in places.items():
        for place in among if len(among) > 1 else ():
            yield (
                place,
                f"the id {one} stands {len(among)} times in the gold file, first on line {ids[among[0]][1]}",
                ids[place][1],
            )


class Meeting:
    """What was told about two lists of ids that join, and the places of the needs that it withholds."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.withheld: list[int] = []

    def tell(
        self, rule: str, path: str, message: str, severity: Severity | None = None, line: int | None = None
    ) -> None:
        """Add a finding about a whole file, or about the line from which on it holds."""
        self.findings.append(finding(rule, message, where=Where(path, line or None), severity=severity))


def meet(gold: Sequence[str], predicted: Sequence[Known], shown: tuple[str, str]) -> Meeting:
    """How the ids of two files meet that pair by id: none in common, other spellings, those of one file only."""
    met = Meeting()
    lines = dict(predicted)
    if not lines:
        met.tell("table-empty", shown[1], "the file holds no prediction, so nothing was selected for any need")
        return met
    known = set(gold)
    missing, stray = [one for one in gold if one not in lines], [one for one in lines if one not in known]
    near = near_pairs(stray, missing)
    if near:
        message, severity = spellings(near, (len(known), len(lines)), shown[0])
        met.tell("need-id-near-miss", shown[1], message, severity, lines[near[0][0]])
    if gold and len(stray) == len(lines):
        message = f"no prediction has an id of {shown[0]}: found {listed(stray)}, expected {listed(gold)}"
        met.tell("need-ids-disjoint", shown[1], message)
        met.withheld = list(range(len(gold)))
        return met
    spelled, other = {one for _, one in near}, {found for found, _ in near}
    met.withheld = [place for place, one in enumerate(gold) if one in spelled]
    left = [one for one in stray if one not in other]
    if left:
        belong = counted(len(left), "prediction belongs", "predictions belong")
        message = f"{belong} to no record of {shown[0]}: {listed(left)}"
        met.tell("prediction-without-claim", shown[1], message, line=lines[left[0]])
    return met


def beside(
    gold: Sequence[str], predicted: Sequence[str], shown: tuple[str, str], severity: Literal["error", "warning"]
) -> Meeting:
    """Whether rows that pair by position say so by their ids, too.

    Pairs that differ are withheld where that is an error, as it always is where the files share no id.
    """
    met = Meeting()
    differ = [place for place, (one, other) in enumerate(zip(gold, predicted, strict=True)) if one != other]
    if not differ:
        return met
    first = f"{gold[differ[0]]!r} beside {predicted[differ[0]]!r}"
    message = f"records pair by position, and the ids differ in {len(differ)} of {counted(len(gold), 'pair')}: {first}"
    near = near_pairs([predicted[place] for place in differ], [gold[place] for place in differ])
    if sorted(gold) == sorted(predicted):
        message += "; the same ids stand in another order"
    elif near:
        message += f"; {spellings(near, (), shown[0])[0]}"
    disjoint = set(gold).isdisjoint(predicted)
    met.tell("need-ids-disjoint" if disjoint else "ids-do-not-pair", shown[1], message, None if disjoint else severity)
    met.withheld = differ if disjoint or severity == "error" else []
    return met


def same_length(gold: Sequence[int], predicted: Sequence[int], shown: tuple[str, str], advice: str = "") -> None:
    """Refuse files that pair by position and have different numbers of records, given by their lines.

    Raises:
        InvalidDocumentError: they have.
    """
    if len(gold) == len(predicted):
        return
    here = f"{counted(len(gold), 'record')} in {shown[0]}, {len(predicted)} here"
    message = f"{here}; they pair by position, so both need as many{advice}"
    line = predicted[-1] if predicted else None
    raise InvalidDocumentError([finding("table-row-unreadable", message, where=Where(shown[1], line))])


def spellings(near: Sequence[tuple[str, str]], tables: Sequence[int], path: str) -> tuple[str, Severity]:
    """The sentence about ids that are other spellings of ids in ``path``, and how severe that is."""
    what = [differences(found, known) for found, known in near]
    pairs = [
        f"{found!r} for {known!r} ({', '.join(difference)})"
        for (found, known), difference in zip(near[:SHOWN], what, strict=False)
    ]
    more = f" and {len(near) - SHOWN} more" if len(near) > SHOWN else ""
    are = counted(len(near), "id is another spelling of one", "ids are other spellings of those")
    message = f"{are} in {path}: {', '.join(pairs)}{more}; write both alike"
    return message, "error" if is_systematic(what, tables) else "warning"


def listed(ids: Sequence[str]) -> str:
    """The first ids, and how many more there are."""
    shown = ", ".join(ids[:SHOWN])
    return f"{shown} and {len(ids) - SHOWN} more" if len(ids) > SHOWN else shown
