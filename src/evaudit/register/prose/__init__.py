"""Texts as their readers see them: markup removed, so that a quote is found however it is set.

    Markdown, LaTeX, HTML, reStructuredText, notebooks  ──▶  a page: words in order, each with its place in the source
                                                        ──▶  folded for quotes, read for figures

Nothing is straightened, translated or guessed: emphasis, commands, tags and comments go, entities and signs become the
characters that they print. What a reader does not see is left out; what cannot be read safely is a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from evaudit.errors import UnreadableInputError
from evaudit.register.prose.html import html_page
from evaudit.register.prose.latex import latex_page
from evaudit.register.prose.markdown import markdown_page, quarto_page
from evaudit.register.prose.notebook import notebook_pages
from evaudit.register.prose.page import Page, plain_page
from evaudit.register.prose.restructured import restructured_page
from evaudit.register.quote import FoldedText, fold_pages

PAGES: Mapping[str, Callable[[str], Page]] = {
    ".md": markdown_page,
    ".markdown": markdown_page,
    ".qmd": quarto_page,
    ".rmd": quarto_page,
    ".tex": latex_page,
    ".html": html_page,
    ".htm": html_page,
    ".xhtml": html_page,
    ".rst": restructured_page,
}
"""End of a file's name to what turns its text into the words that are read; every other file is plain text."""

NOTEBOOK = ".ipynb"


def read_prose(raw: bytes, name: str) -> FoldedText:
    """The text of a file, folded for searching.

    A quote is looked for in the words as they are read; one that is written with markup, by the words that it gives.

    Args:
        name: the file's name; its end says which markup it holds.

    Raises:
        UnreadableInputError: the file is no UTF-8 text, or a notebook that cannot be read.
    """
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableInputError(f"{name}: expected UTF-8 text; save it as UTF-8") from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    suffix = PurePosixPath(name).suffix.lower()
    if suffix == NOTEBOOK:
        return fold_pages(notebook_pages(text, name))
    make = PAGES.get(suffix)
    if make is None:
        return fold_pages([(plain_page(text), text, "")])
    return fold_pages([(make(text), text, "")], convert=lambda quote: make(quote).text())
