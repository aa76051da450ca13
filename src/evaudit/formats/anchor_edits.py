"""A file of needs with some anchors moved: only the lines that change are written anew."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaudit.errors import UsageError
from evaudit.formats.anchor_rows import AnchorRow
from evaudit.formats.stored_bytes import form_of, is_folder, read_raw


@dataclass(frozen=True, slots=True)
class Move:
    """A proposal: the anchor of ``row`` stands at ``start``-``end`` (code points), in ``version`` of its document."""

    row: AnchorRow
    start: int
    end: int
    version: str


def can_edit(path: str) -> bool:
    """Whether lines can be proposed for the file: it is one, plain, and of text."""
    file = Path(path)
    plain = path != "-" and not is_folder(file) and file.suffix.lower() not in (".gz", ".zst")
    return plain and form_of(file) in ("jsonl", "csv", "tsv")


def edited(path: str, moves: Sequence[Move]) -> tuple[str, str]:
    """The text of the file as it is, and with the moves.

    Raises:
        UsageError: the file is no plain JSON Lines or CSV file, so lines cannot be proposed for it.
    """
    if not can_edit(path):
        raise UsageError(f"{path}: a proposal can be made for a plain .jsonl, .csv or .tsv file")
    form = form_of(Path(path))
    before = read_raw(Path(path), path).decode("utf-8")
    by_line: dict[int, list[Move]] = {}
    for move in moves:
        by_line.setdefault(move.row.where.line or 0, []).append(move)
    lines = before.split("\n")
    change = _json_line if form == "jsonl" else _Cells(lines[0], "\t" if form == "tsv" else ",").line
    for line, of_line in by_line.items():
        lines[line - 1] = change(lines[line - 1], of_line)
    return before, "\n".join(lines)


def _json_line(line: str, moves: Sequence[Move]) -> str:
    """The line written in the style in which it stands."""
    row = json.loads(line)
    text = line.rstrip("\r")
    style = json_style(row, text)
    for move in moves:
        anchor: Any = row
        for step in move.row.steps:
            anchor = anchor[step]
        _move(anchor, move)
    return json.dumps(row, separators=style[0], ensure_ascii=style[1]) + line[len(text) :]


def whole_lines(text: str) -> list[str]:
    """The lines of a text with their ends; only a line feed ends one, not the other characters that can."""
    *lines, last = text.split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def json_style(value: object, text: str) -> tuple[tuple[str, str], bool]:
    """Separators, and whether escapes stand for what is no ASCII, as far as the text has one of the usual styles."""
    styles = [(separators, ascii_) for separators in ((", ", ": "), (",", ":")) for ascii_ in (False, True)]
    return next((s for s in styles if json.dumps(value, separators=s[0], ensure_ascii=s[1]) == text), styles[0])


def _move(anchor: dict[str, Any], move: Move) -> None:
    anchor["start"], anchor["end"] = move.start, move.end
    anchor.pop("unit", None)
    ref = move.row.anchor.ref
    if not move.row.steps:
        anchor["version"] = move.version
    elif move.version != ref.version:
        if isinstance(anchor["ref"], str):
            anchor["ref"] = f"{ref.source}/{ref.doc}@{move.version}"
        else:
            anchor["ref"]["version"] = move.version


@dataclass(frozen=True)
class _Cells:
    """The cells of a delimited line, by the header."""

    header: str
    delimiter: str

    def line(self, line: str, moves: Sequence[Move]) -> str:
        """The line with start, end and version of its one anchor anew."""
        names = next(csv.reader([self.header.removeprefix("\ufeff").rstrip("\r")], delimiter=self.delimiter))
        text = line.rstrip("\r")
        cells = next(csv.reader([text], delimiter=self.delimiter))
        if len(cells) != len(names):
            raise UsageError("a cell with a line break stands in a row that would move; correct it by hand")
        values: Mapping[str, str] = {
            "start": str(moves[0].start), "end": str(moves[0].end), "version": moves[0].version
        }  # fmt: skip
        changed = [values.get(name, cell) for name, cell in zip(names, cells, strict=True)]
        out = io.StringIO()
        csv.writer(out, delimiter=self.delimiter, lineterminator="").writerow(changed)
        return out.getvalue() + line[len(text) :]
