"""A question file of chunking_evaluation with some references moved: only the rows that change are written anew."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from evaudit.errors import UsageError
from evaudit.formats.anchor_edits import Move, json_style, whole_lines
from evaudit.formats.stored_bytes import form_of, read_raw


def edited_questions(path: str, moves: Sequence[Move]) -> tuple[str, str]:
    """The text of the file as it is, and with the moves.

    Raises:
        UsageError: the file is no plain CSV file, so lines cannot be proposed for it.
    """
    if Path(path).is_dir() or Path(path).suffix.lower() in (".gz", ".zst") or form_of(Path(path)) != "csv":
        raise UsageError(f"{path}: a proposal can be made for a plain .csv file")
    before = read_raw(Path(path), path).decode("utf-8")
    by_line: dict[int, list[Move]] = {}
    for move in moves:
        by_line.setdefault(move.row.where.line or 0, []).append(move)
    names: list[str] = []
    after = []
    for line, text, cells in _rows(before):
        if not names:
            names = [cell.removeprefix("\ufeff") for cell in cells]
        after.append(_moved(text, cells, names.index("references"), by_line[line]) if line in by_line else text)
    return before, "".join(after)


def _rows(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """Each row: the 1-based line of its start, its text with the line end, and its cells."""
    lines = whole_lines(text)
    reader = csv.reader(iter(lines))
    begin = 0
    for cells in reader:
        yield begin + 1, "".join(lines[begin : reader.line_num]), cells
        begin = reader.line_num


def _moved(text: str, cells: list[str], place: int, moves: Sequence[Move]) -> str:
    references = json.loads(cells[place])
    separators, ascii_ = json_style(references, cells[place])
    new = {(m.row.anchor.start, m.row.anchor.end, m.row.anchor.exact): (m.start, m.end) for m in moves}
    for one in references:
        stated = (one["start_index"], one["end_index"], one["content"])
        one["start_index"], one["end_index"] = new.get(stated, stated[:2])
    changed = [*cells]
    changed[place] = json.dumps(references, separators=separators, ensure_ascii=ascii_)
    body = text.rstrip("\r\n")
    quoting = csv.QUOTE_ALL if _written(cells, csv.QUOTE_ALL) == body else csv.QUOTE_MINIMAL
    return _written(changed, quoting) + text[len(body) :]


def _written(cells: Sequence[str], quoting: int) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="", quoting=quoting).writerow(cells)  # type: ignore[arg-type]  # csv's own constant
    return out.getvalue()
