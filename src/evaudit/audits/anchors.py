"""The audit of anchors alone: does every passage stand where it is said to stand, and where does it stand now?"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaudit.audits.anchor_steps import next_step, options_of
from evaudit.audits.foreign_reader import reader
from evaudit.errors import NothingToCheckError, UsageError
from evaudit.figures import Figure
from evaudit.findings import Finding
from evaudit.formats import FOREIGN
from evaudit.formats.anchor_edits import Move, can_edit, edited, whole_lines
from evaudit.formats.anchor_rows import AnchorRow, foreign_anchors, native_anchors
from evaudit.formats.chunking_edits import edited_questions
from evaudit.formats.documents import read_documents
from evaudit.formats.foreign import Level, Request
from evaudit.formats.yaml_documents import find_root, name_in_root
from evaudit.results import InputFile, Result
from evaudit.sources.anchor import STATES, Located, anchor_finding
from evaudit.sources.document import Inventory
from evaudit.sources.text_match import occurrences

LIMIT = 50
"""Anchors that are told one by one; all are counted."""


@dataclass(frozen=True)
class AnchorFiles:
    """What is checked against what: ``needs``, or the ``gold`` file of a foreign ``format``; and the documents.

    ``level`` says what a piece of evidence of a foreign format is, where it has several.
    """

    documents: str
    needs: str | None = None
    format: str | None = None
    gold: str | None = None
    level: Level | None = None


@dataclass(frozen=True)
class _Checked:
    rows: Sequence[AnchorRow]
    located: Sequence[Located]
    inventory: Inventory
    findings: list[Finding]
    inputs: list[InputFile]


def check_anchors(files: AnchorFiles, *, root: Path | None = None) -> Result:
    """Locate every anchor in the documents; ``details["exit"]`` is 1 where one does not resolve.

    Raises:
        UnreadableInputError, InvalidDocumentError: a file is missing or refused. UsageError: no needs were named.
        NothingToCheckError: they hold no anchor.
    """
    checked = _check(files, root)
    if not checked.rows:
        raise NothingToCheckError("the needs name no anchor, so there is nothing to check")
    states: Counter[str] = Counter(one.state for one in checked.located)
    diagnoses = Counter(one.diagnosis for one in checked.located if one.diagnosis is not None)
    told: list[Finding] = []
    for row, one in zip(checked.rows, checked.located, strict=True):
        found = anchor_finding(row.anchor, one, where=row.where, need=row.need)
        if found is not None and len(told) < LIMIT:
            told.append(found)
    repeats = [_repeats(row, checked.inventory) for row in checked.rows]
    details = {
        "states": {state: n for state in STATES if (n := states[state])},
        "diagnoses": dict(sorted(diagnoses.items())),
        "repeated_quotes": _repeated(checked, repeats),
        "exit": int(any(not one.coverable for one in checked.located)),
        "untold": sum(not one.coverable for one in checked.located) - len(told),
    }
    notes = ["an anchor that does not resolve can never be covered"]
    if bad := sum(not one.coverable for one in checked.located):
        options = options_of(files.documents, files.needs, files.format, files.gold)
        can_move = can_edit(files.needs) if files.needs is not None else files.format == "chunking"
        moved = len(_moves(files, checked)[0]) if can_move else None
        notes.append(next_step(options, moved, bad))
    return Result(
        "anchors check", {"name": "book", "coverage": "whole"}, _figures(checked, repeats), (),
        [*checked.findings, *told], checked.inputs, details, notes,
    )  # fmt: skip


def _check(files: AnchorFiles, root: Path | None) -> _Checked:
    inventory, findings, read = read_documents(files.documents, root)
    if files.format is not None:
        if files.gold is None:
            raise UsageError(f"--from {files.format} needs --gold FILE")
        # Which of the anchors suffice together changes nothing about where they stand.
        request = Request(Path(files.gold), None, files.level, "each-suffices", Path(files.documents))
        found = reader(files.format).read(request)
        rows, inputs = foreign_anchors(found, files.gold), tuple(found.inputs)
    elif files.needs is not None:
        rows, inputs = native_anchors(files.needs)
    else:
        raise UsageError("give --needs FILE, or --from FORMAT --gold FILE")
    located = [
        Located.without_place("out-of-range", row.nowhere) if row.nowhere else inventory.locate(row.anchor, row.within)
        for row in rows
    ]
    return _Checked(rows, located, inventory, findings, [*inputs, *read])


def _repeats(row: AnchorRow, inventory: Inventory) -> int | None:
    """How often the bare quote stands in its document; None where there is no quote or no text."""
    document = inventory.get(row.anchor.ref)
    if not row.anchor.exact or document is None or document.text is None:
        return None
    return len(occurrences(document.text, row.anchor.exact))


def _figures(checked: _Checked, repeats: Sequence[int | None]) -> list[Figure]:
    """Resolved of all; of those with quote and position, the ones whose slice is the quote; quotes that stand once."""
    both = [
        one for row, one in zip(checked.rows, checked.located, strict=True)
        if row.anchor.exact is not None and row.anchor.start is not None
    ]  # fmt: skip
    quoted = [n for n in repeats if n is not None]
    return [
        Figure.ratio("anchors-resolved", {}, sum(one.coverable for one in checked.located), len(checked.located)),
        Figure.ratio("slices-hold", {}, sum(one.state == "resolved" for one in both), len(both)),
        Figure.ratio("quotes-unique", {}, sum(n == 1 for n in quoted), len(quoted)),
    ]


def _repeated(checked: _Checked, repeats: Sequence[int | None]) -> list[dict[str, object]]:
    """Quotes that stand several times: without a position, or a prefix and suffix, they would be ambiguous."""
    found: list[dict[str, object]] = [
        {"need": row.need, "quote": row.anchor.exact, "times": n, "state": one.state}
        for row, one, n in zip(checked.rows, checked.located, repeats, strict=True)
        if n is not None and n > 1
    ]
    return found[:LIMIT]


@dataclass(frozen=True)
class Proposal:
    """Moves that would make anchors resolve, as a unified diff; and the anchors that nothing can be proposed for."""

    diff: str
    text: str
    moves: Sequence[Move]
    left: Sequence[tuple[AnchorRow, str]]


def propose(files: AnchorFiles, *, root: Path | None = None) -> Proposal:
    """Where moved passages stand now. Nothing is written: who wants it applies the diff.

    A move is proposed only where the exact quote, with its prefix and suffix, stands in exactly one place of the
    document; of another version only where the stated one is not given and exactly one other is.

    Raises:
        UnreadableInputError, InvalidDocumentError: a file is missing or refused. UsageError: the file cannot be
            proposed for.
    """
    path = _refreshable(files)
    checked = _check(files, root)
    moves, left = _moves(files, checked)
    before, after = edited(path, moves) if files.needs is not None else edited_questions(path, moves)
    name = _name_in_diff(Path(path), root)
    lines = difflib.unified_diff(whole_lines(before), whole_lines(after), f"a/{name}", f"b/{name}")
    diff = "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)
    return Proposal(diff, after, moves, left)


def _moves(files: AnchorFiles, checked: _Checked) -> tuple[list[Move], list[tuple[AnchorRow, str]]]:
    """The moves that can be proposed, and the anchors that do not resolve for which none can, with the reason."""
    moves: list[Move] = []
    left: list[tuple[AnchorRow, str]] = []
    for row, one in zip(checked.rows, checked.located, strict=True):
        if one.coverable:
            continue
        move, why = _move(row, checked.inventory)
        if move is None:
            left.append((row, f"{one.state}: {why}"))
        elif files.needs is None and move.version != row.anchor.ref.version:
            given = f"version {move.version} of the document is given, and the file cannot name one"
            left.append((row, f"{one.state}: {given}"))
        else:
            moves.append(move)
    return moves, left


def _name_in_diff(path: Path, root: Path | None) -> str:
    """The file as `git apply` finds it: from this folder, or, where it lies outside, from the root of its project."""
    here = Path.cwd()
    name = name_in_root(path, here)
    if name.startswith(("/", "../")):
        name = name_in_root(path, find_root(path, root))
    return name.removeprefix("/")


def _refreshable(files: AnchorFiles) -> str:
    """The file that a proposal is made for.

    Raises:
        UsageError: there is none.
    """
    if files.needs is not None:
        return files.needs
    if files.format == "chunking" and files.gold is not None:
        return files.gold
    if files.format in (None, "chunking"):
        raise UsageError("give --needs FILE, or --from chunking --gold FILE")
    if files.format not in FOREIGN:
        reader(files.format)
    told = f"`evaudit anchors check --from {files.format}` names every anchor that does not resolve"
    if files.format == "web-annotation":
        told += "; an annotation finds its quote again once its position selectors are taken away"
    raise UsageError(f"--from {files.format}: a proposal is made for native needs and for chunking only; {told}")


def _move(row: AnchorRow, inventory: Inventory) -> tuple[Move | None, str]:
    anchor = row.anchor
    if not anchor.exact or anchor.space != "char":
        return None, "there is no quote to look for"
    document = inventory.get(anchor.ref)
    if document is None:
        same = [d for d in inventory if (d.ref.source, d.ref.doc) == (anchor.ref.source, anchor.ref.doc)]
        if len(same) != 1:
            return None, f"{len(same)} versions of the document are given" if same else "the document is not given"
        document = same[0]
    if document.text is None:
        return None, "the document has no text"
    prefix, suffix = anchor.prefix or "", anchor.suffix or ""
    whole = prefix + anchor.exact + suffix
    times = len(occurrences(document.text, whole))
    if times != 1:
        return None, "the quote does not stand in the text" if not times else f"the quote stands in {times} places"
    start = document.text.index(whole) + len(prefix)
    return Move(row, start, start + len(anchor.exact), document.ref.version), ""
