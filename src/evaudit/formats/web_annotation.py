"""W3C Web Annotations as needs: every target is a passage, told by quote, position or fragment.

Positions count code points, as the standard says; those of Hypothesis count UTF-16 units. A TimeState gives the version
of the source. A selector under ``refinedBy`` selects within the passage of the outer one: its positions count from
the start of that passage. Source: W3C Web Annotation Data Model; RFC 5147 for ``char=`` fragments; hypothesis/client.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast, get_args

from evaudit.formats.foreign import Foreign, ForeignNeed, Passage, Request
from evaudit.formats.gold_and_predictions import GoldAndPredictions, checked_rows
from evaudit.formats.id_meeting import need_names
from evaudit.formats.json_records import JsonFile, MalformedError, Record, listed, mapping, short, text, whole, written
from evaudit.plurals import counted
from evaudit.sources.anchor import Space

Row = Mapping[str, Any]
SOURCE = "web"
_FRAGMENT = re.compile(r"char=([0-9]+),([0-9]+)")


def read(request: Request) -> Foreign:
    """Read ``--gold`` (annotations: a list, JSON Lines, or a page of ``items``) and ``--predicted``, if there is one.

    Predictions are JSON Lines ``{"need": id, "selected": [{"source", "start", "end"}]}`` in code points.

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a record is malformed; each with its line.
    """
    files = GoldAndPredictions(request)
    annotations = [(a, r) for r in _annotations(files.gold) if (a := _annotation(files.gold, r)) is not None]
    files.gold.refusals.raise_if_any()
    rows = checked_rows(files.predicted, _check_returned) if files.predicted is not None else []
    names = need_names([str(row.get("id") or "") for row, _ in annotations], [r.line for _, r in annotations])
    gold = [(str(row.get("id") or name), r.line) for name, (row, r) in zip(names, annotations, strict=True)]
    files.meet_by_id(gold, [(text(row, "need"), record.line) for row, record in rows])
    returned = {text(row, "need"): _units(row) for row, _ in rows}
    needs = [
        ForeignNeed(name, record.line, [passages(row)], selected=returned.get(one))
        for name, (one, _), (row, record) in zip(names, gold, annotations, strict=True)
    ]
    utf16 = sum(is_hypothesis(row) for row, _ in annotations)
    notes = [f"{counted(utf16, 'annotation')} of Hypothesis: positions count UTF-16 units"] if utf16 else []
    return files.foreign(needs, len(returned), notes)


def _annotations(file: JsonFile) -> list[Record]:
    found = []
    for record in file.records():
        page = record.value if isinstance(record.value, dict) else {}
        items = page.get("items") if isinstance(page.get("items"), list) else page.get("rows")
        if isinstance(items, list):
            found += [Record(one, record.line, f"{record.pointer}.items[{n}]") for n, one in enumerate(items)]
        else:
            found.append(record)
    return found


def _annotation(file: JsonFile, record: Record) -> Row | None:
    try:
        row = mapping(record.value, "an annotation")
        passages(row)
    except (MalformedError, ValueError) as error:
        file.refuse(record, error)
        return None
    return row


def is_hypothesis(row: Row) -> bool:
    """Whether the annotation comes from Hypothesis, by its generator or its API's own fields."""
    generator = row.get("generator")
    name = (
        str(generator.get("id", "")) + str(generator.get("name", "")) if isinstance(generator, dict) else str(generator)
    )
    return "hypothes" in name.lower() or ("uri" in row and "links" in row)


def passages(row: Row) -> list[Passage]:
    """The passage of every target.

    Raises:
        MalformedError: a target names no source, or no selector that can be read.
    """
    targets = row.get("target")
    members = targets if isinstance(targets, list) else [targets]
    if not members or members == [None]:
        raise MalformedError("expected a target with a source and a selector")
    return [_target(mapping(one, "a target"), row) for one in members]


def _target(target: Row, row: Row) -> Passage:
    doc = text(target, "source")
    selectors = target.get("selector")
    members = selectors if isinstance(selectors, list) else [selectors] if selectors is not None else []
    version, utf16 = _version(target), is_hypothesis(row)
    known: dict[str, Any] = {}
    refined: list[list[dict[str, Any]]] = []
    unread = []
    for one in members:
        chain, last = _chain(mapping(one, "a selector"))
        if last is not None:
            unread.append(last)
        elif len(chain) > 1:
            refined.append(chain)
        else:
            known |= chain[0]
    if known:  # several selectors of a target tell one passage, so a plain one is as good as a refined one
        refined = [[known]]
    if refined:
        passage = None
        for part in refined[0]:
            passage = _passage(doc, version, part, passage, utf16=utf16)
        assert passage is not None
        return passage
    nowhere = f"{', '.join(unread)} names no place in the text" if members else None
    return Passage(doc, source=SOURCE, version=version, nowhere=nowhere)


def _chain(selector: Row) -> tuple[list[dict[str, Any]], str | None]:
    """What a selector and those that refine it tell, the widest first; or the name of one that tells no place here."""
    chain: list[dict[str, Any]] = []
    while True:
        found = _told(selector)
        if found is None:
            return chain, str(selector.get("type")) + (" within a refinement" if chain else "")
        chain.append(found)
        finer = selector.get("refinedBy")
        if isinstance(finer, list) and len(finer) == 1:
            finer = finer[0]
        if finer is None or finer == []:
            return chain, None
        if isinstance(finer, list):
            return chain, f"{selector.get('type')} with {len(finer)} refinements"
        selector = mapping(finer, "a selector under 'refinedBy'")


def _told(selector: Row) -> dict[str, Any] | None:
    """The quote or the interval of a selector; None for a kind that is not of texts."""
    kind = selector.get("type")
    if kind == "TextQuoteSelector":
        if not isinstance(selector.get("exact"), str) or not selector["exact"]:
            raise MalformedError(f"expected text under 'exact', found {short(selector.get('exact'))}")
        return {k: selector[k] for k in ("exact", "prefix", "suffix") if selector.get(k)}
    if kind == "TextPositionSelector":
        return {"start": whole(selector.get("start"), "start"), "end": whole(selector.get("end"), "end")}
    if kind == "FragmentSelector" and (match := _FRAGMENT.fullmatch(str(selector.get("value", "")))):
        return {"start": written(match[1], "char="), "end": written(match[2], "char=")}
    return None


def _passage(doc: str, version: str, told: Row, within: Passage | None, *, utf16: bool) -> Passage:
    offsets = "utf16" if utf16 and "start" in told else "codepoint"
    return Passage(
        doc, "char", told.get("start"), told.get("end"), SOURCE, version, told.get("exact"), told.get("prefix"),
        told.get("suffix"), offsets, within=within,
    )  # fmt: skip


def _version(target: Row) -> str:
    """The version that a TimeState names: the cached copy, else the date of the source; ``1`` without one."""
    states = target.get("state")
    for state in states if isinstance(states, list) else [states]:
        if isinstance(state, dict) and (state.get("cached") or state.get("sourceDate")):
            named = state.get("cached") or state.get("sourceDate")
            return str(named[0] if isinstance(named, list) else named)
    return "1"


def _check_returned(row: Row) -> None:
    text(row, "need")
    _units(row)


def _space(unit: Row) -> Space:
    """The space that a unit is placed in, ``char`` where it names none."""
    found = unit.get("space", "char")
    if found not in get_args(Space):
        raise MalformedError(f"expected 'space' to be one of {', '.join(get_args(Space))}, found {short(found)}")
    return cast("Space", found)


def _units(row: Row) -> list[Passage]:
    """The passages that came back for an annotation."""
    units = [mapping(one, "a unit") for one in listed(row, "selected")]
    return [
        Passage(
            text(u, "source"), _space(u), whole(u.get("start"), "start"), whole(u.get("end"), "end"), SOURCE,
            str(u.get("version", "1")), unit=str(u["unit"]) if "unit" in u else None,
        )
        for u in units
    ]  # fmt: skip
