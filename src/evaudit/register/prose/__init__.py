"""Texts as their readers see them: markup removed, so that a quote is found however it is set.

    Markdown, LaTeX, HTML, reStructuredText, notebooks  ──▶  words in order, each with its line

Nothing is straightened, translated or guessed: emphasis, commands, tags and comments go, entities and signs become the
characters that they print. Every converter keeps the number of lines, so a place in its result is a place in the file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from evaudit.errors import UnreadableInputError
from evaudit.register.prose.html import html_words
from evaudit.register.prose.latex import latex_words
from evaudit.register.prose.markdown import markdown_words, markdown_words_without_code
from evaudit.register.prose.notebook import notebook_words
from evaudit.register.prose.restructured import restructured_words
from evaudit.register.quote import FoldedText, fold, fold_pieces

CONVERTERS: Mapping[str, Callable[[str], str]] = {
    ".md": markdown_words,
    ".markdown": markdown_words,
    ".qmd": markdown_words,
    ".rmd": markdown_words,
    ".tex": latex_words,
    ".html": html_words,
    ".htm": html_words,
    ".xhtml": html_words,
    ".rst": restructured_words,
}
"""End of a file's name to what turns its text into the words that are read; every other file is plain text."""

NOTEBOOK = ".ipynb"


def read_prose(raw: bytes, name: str, *, code: bool = True) -> FoldedText:
    """The text of a file, folded for searching.

    A quote is looked for in the words as they are read; one that is written with markup, by the words that it gives.

    Args:
        name: the file's name; its end says which markup it holds.
        code: whether fenced blocks of code in Markdown are words, too.

    Raises:
        UnreadableInputError: the file is no UTF-8 text, or a notebook that cannot be read.
    """
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableInputError(f"{name}: expected UTF-8 text; save it as UTF-8") from None
    suffix = PurePosixPath(name).suffix.lower()
    if suffix == NOTEBOOK:
        return fold_pieces(notebook_words(text, name))
    convert = CONVERTERS.get(suffix)
    if convert is markdown_words and not code:
        convert = markdown_words_without_code
    if convert is None:
        return fold(text)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return fold(convert(text), convert=convert)
