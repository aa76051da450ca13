"""The sentences of a check: what held and what failed, counted in words, and lines that fit the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from evaudit.plurals import counted
from evaudit.reports.layout import display_width

_LEAST_ROOM = 40
"""Cells that a list of values needs beside its id; with less it stands below."""

_ENTRIES: Mapping[str, str] = {
    "verified": "verified",
    "verified-quote-not-checked": "verified (quotes not checked)",
    "not-verified": "not verified",
    "cited": "cited",
    "cited-quote-not-checked": "cited",
    "well-formed": "well formed",
    "failed": "wrong",
    "not-checked": "could not be checked",
}
"""Kind of an entry in the totals to its words; the other kinds are their own words."""

_CALCULATIONS: Mapping[str, str] = {
    "as-frozen": "as frozen",
    "held": "as expected",
    "failed": "not as expected",
    "not-run": "could not be run",
}
"""Kind of a calculation in the totals to its words."""


def fitting_widths(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """Column widths at which most rows fit beside each other: the longest cells give way, those of few rows first."""
    columns = [Counter(display_width(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows)))]
    cells = [sorted(column) for column in columns]
    while sum(widths[-1] for widths in cells) + 2 * (len(cells) - 1) > width:
        open_ = [i for i, widths in enumerate(cells) if len(widths) > 1]
        if not open_:
            break
        chosen = min(open_, key=lambda i: (columns[i][cells[i][-1]], cells[i][-2] - cells[i][-1]))
        cells[chosen].pop()
    return [widths[-1] for widths in cells]


def placed(cells: Sequence[str], widths: Sequence[int]) -> str:
    """The cells of a row in their columns, the last one padded too; behind a cell that is too long, where there is
    room again.
    """
    text, border = "", 0
    for cell, width in zip(cells, widths, strict=False):
        text += ("  " if text else "") + cell
        border += width + (2 if border else 0)
        text += " " * (border - display_width(text))
    return text


def in_words(totals: Mapping[str, Mapping[str, int]]) -> list[str]:
    """``47 controls hold (193 values)``, ``8 refusals``, …: the totals of a check, piece by piece."""
    pieces = [*_controls(totals), *_calculations(totals.get("calculations", {})), *_entries(totals.get("entries", {}))]
    rooms = ("values-in-controls", "values-in-calculations", "values-in-entries")
    reproduced = sum(totals.get(room, {}).get("reproduced", 0) for room in rooms)
    told = f"{counted(reproduced, 'value')} reproduced only: the program wrote what is expected"
    return [*pieces, told] if reproduced else pieces


def _controls(totals: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    for kind, one, many in (
        ("controls", "control", "controls"),
        ("refusals", "refusal", "refusals"),
        ("negative-controls", "negative control", "negative controls"),
    ):
        counts = totals.get(kind, {})
        if held := counts.get("held", 0):
            values = totals.get("values-in-controls", {}).get("held", 0)
            told = f"{held} {one if held == 1 else many}"
            told += (" holds" if held == 1 else " hold") if kind == "controls" else ""
            yield told + (f" ({values} {'value' if values == 1 else 'values'})" if kind == "controls" else "")
        if failed := counts.get("failed", 0):
            yield f"{failed} {one} fails" if failed == 1 else f"{failed} {many} fail"


def _calculations(counts: Mapping[str, int]) -> Iterator[str]:
    for what, told in (
        ("as-frozen", "as frozen"),
        ("held", "as expected"),
        ("failed", "not as expected"),
        ("not-run", "could not be run"),
    ):
        if n := counts.get(what, 0):
            yield f"{n} {'calculation' if n == 1 else 'calculations'} {told}"


def _entries(counts: Mapping[str, int]) -> Iterator[str]:
    merged: dict[str, int] = {}
    for what in sorted(counts, key=lambda w: list(_ENTRIES).index(w) if w in _ENTRIES else len(_ENTRIES)):
        words = _ENTRIES.get(what, what)
        merged[words] = merged.get(words, 0) + counts[what]
    for n, (words, count) in enumerate(merged.items()):
        yield f"{count} {('entry ' if count == 1 else 'entries ') if n == 0 else ''}{words}"


def flowing(pieces: Sequence[str], width: int, between: str, indent: int = 0) -> list[str]:
    """``pieces`` one after the other in lines of at most ``width`` cells; a longer piece breaks at blanks.

    Args:
        between: what stands between two pieces; at the end of a line without its blanks.
        indent: blanks in front of every line.
    """
    room = max(width - indent, 1)
    gap = between[len(between.rstrip()) :]
    lines: list[str] = []
    line = ""
    for n, piece in enumerate(pieces):
        text = piece + (between.rstrip() if n + 1 < len(pieces) else "")
        if line and display_width(line + gap + text) > room:
            lines.append(line)
            line = ""
        line = f"{line}{gap}{text}" if line else text
        while display_width(line) > room and " " in line[:room].strip():
            at = line.rindex(" ", 0, room)
            lines.append(line[:at])
            line = line[at + 1 :]
    return [" " * indent + text for text in [*lines, *([line] if line else [])]]


def beside(head: str, values: Sequence[str], width: int) -> list[str]:
    """``head`` with the values to its right and a hanging indent; below it, where the terminal is too narrow."""
    indent = display_width(head) + 2
    if width - indent < _LEAST_ROOM:
        return [head.rstrip(), *flowing(values, max(width, 20), " · ", 6)]
    first, *rest = flowing(values, width, " · ", indent)
    return [f"{head}  {first.lstrip()}", *rest]
