"""A Jupyter notebook as its readers see it: text cells as Markdown, code cells with what they printed; no raw cells."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from evaudit.errors import UnreadableInputError
from evaudit.register.prose.html import html_page
from evaudit.register.prose.latex import latex_page
from evaudit.register.prose.markdown import markdown_page
from evaudit.register.prose.page import Page, plain_page

Piece = tuple[Page, str, str]
"""The words of a part, its source, and the name of the place where it stands, e.g. ``cell 3``."""

_FORMS: tuple[tuple[str, Callable[[str], Page]], ...] = (
    ("text/html", html_page), ("text/markdown", markdown_page), ("text/latex", latex_page), ("text/plain", plain_page),
)  # fmt: skip
"""Forms of an output, best first: a reader sees one of them."""


def notebook_pages(text: str, name: str) -> list[Piece]:
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


def _cell(cell: Mapping[str, Any], place: str) -> Iterator[Piece]:
    kind, source = cell["cell_type"], _joined(cell.get("source", ""))
    metadata = cell.get("metadata") or {}
    tags, folded = set(metadata.get("tags") or ()), metadata.get("jupyter") or {}
    if kind == "raw" or "remove-cell" in tags:
        return
    if kind == "markdown":
        yield markdown_page(source), source, place
        return
    if not folded.get("source_hidden") and "remove-input" not in tags:
        page = Page()
        page.add_code(source, 0)
        yield page, source, place
    if folded.get("outputs_hidden") or "remove-output" in tags:
        return
    outputs = cell.get("outputs", [])
    for output in outputs if isinstance(outputs, list) else []:
        yield from _output(output, f"{place} output")


def _output(output: Mapping[str, Any], place: str) -> Iterator[Piece]:
    """The one form of an output that a reader sees, as words."""
    if "text" in output:
        text = _joined(output["text"])
        yield plain_page(text), text, place
        return
    data = output.get("data", {})
    for kind, convert in _FORMS if isinstance(data, dict) else ():
        if kind in data:
            text = _joined(data[kind])
            yield convert(text), text, place
            return


def _joined(source: object) -> str:
    return "".join(str(part) for part in source) if isinstance(source, list) else str(source)
