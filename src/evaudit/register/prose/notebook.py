"""A Jupyter notebook as its readers see it: text cells as Markdown, code cells with what they printed."""

from __future__ import annotations

import json
from collections.abc import Iterator

from evaudit.errors import UnreadableInputError
from evaudit.register.prose.html import html_words
from evaudit.register.prose.markdown import markdown_words

Piece = tuple[str, str]
"""A text and the name of the place where it stands, e.g. ``cell 3``."""


def notebook_words(text: str, name: str) -> list[Piece]:
    """The words of a notebook, cell by cell.

    Raises:
        UnreadableInputError: the file is no notebook of format 4.
    """
    try:
        cells = json.loads(text)["cells"]
        return [piece for n, cell in enumerate(cells, start=1) for piece in _cell(cell, f"cell {n}")]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        message = f"{name}: expected a notebook (JSON of format 4 with cells); save it in Jupyter"
        raise UnreadableInputError(message) from None


def _cell(cell: dict[str, object], place: str) -> Iterator[Piece]:
    source = _joined(cell.get("source", ""))
    yield (markdown_words(source) if cell["cell_type"] == "markdown" else source), place
    outputs = cell.get("outputs", [])
    for output in outputs if isinstance(outputs, list) else []:
        if printed := _printed(output):
            yield printed, f"{place} output"


def _printed(output: dict[str, object]) -> str:
    """The one form of an output that a reader sees, as words."""
    if "text" in output:
        return _joined(output["text"])
    data = output.get("data", {})
    if not isinstance(data, dict):
        return ""
    for kind, convert in (("text/html", html_words), ("text/markdown", markdown_words), ("text/plain", str)):
        if kind in data:
            return convert(_joined(data[kind]))
    return ""


def _joined(source: object) -> str:
    return "".join(str(part) for part in source) if isinstance(source, list) else str(source)
