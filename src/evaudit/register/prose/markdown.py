"""Markdown to the words that are read: ``**21/43** ≈ `.4884` `` is 21/43 ≈ .4884; by markdown-it-py and its plugins.

Footnotes that something refers to are read, struck out text is not, raw HTML is read as HTML. Alternative texts, titles
of links, front matter and, in Quarto and R Markdown, attributes are no prose.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING

from evaudit.register.prose.fenced_divs import without_fences
from evaudit.register.prose.html import HtmlWords
from evaudit.register.prose.latex import latex_words
from evaudit.register.prose.page import Page

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_TOML = re.compile(r"\+\+\+[ \t]*\n(?:.*?\n)??\+\+\+[ \t]*(?:\n|$)", re.DOTALL)
_UNREAD = re.compile(r"\{\{[<%]|^\{=", re.MULTILINE)
_RAW_TEX = re.compile(r"\\(?:(?!(?:eq)?ref|cite|label|[vh]space)[a-zA-Z]+\{|iffalse)")
_SET_OTHERWISE = re.compile(r"`[^`]*`|\$[^$]*\$")
_COULD_HIDE = re.compile(r"hidden|content-visible|style=|when-|unless-|strike|\bdel\b")
_TAKE_ATTRIBUTES = frozenset({"image", "link_close", "code_inline"})
_ATTRIBUTES = re.compile(r"\{ *(?:[#.][\w-]+|[\w-]+=(?:\"[^\"\n]*\"|[\w%.-]+))(?: [^{}\n]*)?\}")
"""Attributes as Pandoc writes them behind what they belong to."""
_COMPUTED = re.compile(r"\{?(?:r|python|julia|ojs)\}?\s")


_DEEPEST = 20
"""Blocks within each other that the parser reads; it passes over deeper ones."""


@cache
def _parser(quarto: bool) -> MarkdownIt:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin
    from mdit_py_plugins.front_matter import front_matter_plugin

    parser = MarkdownIt("commonmark", {"strikethrough_single_tilde": not quarto, "maxNesting": _DEEPEST})
    parser.enable(["table", "strikethrough"]).disable("text_join")
    parser.use(footnote_plugin).use(front_matter_plugin)
    parser.use(dollarmath_plugin, allow_labels=False, allow_space=False, allow_digits=False, double_inline=True)
    if quarto:
        from mdit_py_plugins.attrs import attrs_block_plugin, attrs_plugin

        parser.use(attrs_plugin, spans=True).use(attrs_block_plugin)
    return parser


def markdown_page(text: str, *, quarto: bool = False) -> Page:
    """The words of a Markdown text; with ``quarto`` as Quarto and R Markdown read it."""
    page = Page()
    toml = _TOML.match(text)
    begin = toml.end() if toml else 0
    blank = re.sub(r"[^\n]", " ", text[:begin])
    text = blank + text[begin:]
    _Markdown(without_fences(text, page) if quarto else text, page, quarto).read()
    return page


def quarto_page(text: str) -> Page:
    """The words of a Quarto or R Markdown text."""
    return markdown_page(text, quarto=True)


class _Markdown:
    def __init__(self, text: str, page: Page, quarto: bool) -> None:
        self.text, self.page, self.quarto = text, page, quarto
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.used: dict[int, int] = {}  # line to where the last cell that was read on it ends
        self.html = HtmlWords(page)
        self.spans: list[bool] = []  # whether each open span hides its words

    def read(self) -> None:
        for token in _parser(self.quarto).parse(self.text):
            if token.nesting > 0 and token.level + 1 == _DEEPEST:
                line = token.map[0] if token.map else 0
                self.page.warn(self.starts[line], f"what is nested in more than {_DEEPEST} blocks is not read")
            at = self.starts[token.map[0]] if token.map else self.starts[-1]
            if token.type == "inline":
                self._inline(token)
            elif token.type in ("fence", "code_block"):
                self._code(token, at)
            elif token.type == "html_block":
                self.html.piece(token.content, at)
            elif token.type == "math_block":
                self.page.border(at)
                latex_words(token.content, self.page, self.text.find(token.content, at), math=True)
                self.page.border(at)
            elif token.type != "front_matter":
                self.page.border(at)
        self.html.finish()

    def _code(self, token: Token, at: int) -> None:
        first = token.content.split("\n", 1)[0]
        begin = self.starts[token.map[0] + 1] if token.map and token.type == "fence" else at
        found = self.text.find(first, begin) if first else begin
        raw = self.quarto and token.info.strip().startswith("{=")
        if raw:
            self.page.warn(at, f"a raw block {token.info.strip()} is left out: which outputs show it is not known")
        else:
            self.page.add_code(token.content, max(found, begin))

    def _inline(self, token: Token) -> None:
        where = _Places(self, token)
        children = token.children or []
        if self.quarto and _RAW_TEX.search(_SET_OTHERWISE.sub("", token.content)):
            self.page.warn(where.of(0), "raw text in LaTeX is read as it is written: what it prints is not known")
        before = ""
        for child in children:
            if before in _TAKE_ATTRIBUTES and child.type == "text" and (match := _ATTRIBUTES.match(child.content)):
                where.take(match[0])
                child = child.copy(content=child.content[match.end() :])
            self._child(child, where, alone=len(children) == 1)
            before = child.type

    def _child(self, child: Token, where: _Places, *, alone: bool) -> None:
        page, kind = self.page, child.type
        if kind == "text":
            self._text(child.content, where)
        elif kind == "text_special":
            self.html.print_words(child.content, where.take(child.markup))
        elif kind == "code_inline":
            at = where.take(child.markup + child.content) + len(child.markup)
            self._inline_code(child, at)
            where.take(child.markup)
        elif kind in ("softbreak", "hardbreak"):
            page.put("\n" if kind == "softbreak" else "\f", where.take("\n"))
        elif kind == "html_inline":
            self.html.piece(child.content, where.take(child.content))
        elif kind.startswith("math_inline"):
            at = where.take(child.markup + child.content) + len(child.markup)
            latex_words(child.content, page, at, math=True)
            where.take(child.markup)
        elif kind in ("s_open", "s_close"):
            page.hidden += child.nesting
        elif kind == "link_close":
            where.pass_target()
        elif kind == "image":
            self._image(child, where, alone=alone)
        elif kind == "footnote_ref":
            where.take("]")
        elif kind in ("span_open", "span_close"):
            self._span(child, where)

    def _text(self, text: str, where: _Places) -> None:
        shown, comment, _ = text.partition("<!--")
        at = where.take(text)
        self.html.print_words(shown, at, as_written=True)
        if comment:
            self.page.warn(at + len(shown), "a comment begins and never ends: the rest of its line is left out")
        if self.quarto and _UNREAD.search(text):
            self.page.warn(at, "a shortcode or raw text is not read: what it shows or hides is not known")

    def _inline_code(self, child: Token, at: int) -> None:
        if self.quarto and _COMPUTED.match(child.content):
            self.page.warn(
                at, f"`{child.content}` prints a value that is computed when the text is made: it is not read"
            )
        else:
            self.page.add(child.content, at)

    def _image(self, child: Token, where: _Places, *, alone: bool) -> None:
        """A text in place of an image is no prose; alone in a paragraph Quarto sets it as the caption."""
        if self.quarto and alone:
            for part in child.children or []:
                self._child(part, where, alone=False)
        else:
            where.take("](") if f"]({child.attrs.get('src', '')}" in where.rest(2000) else where.take("]")
        where.pass_target()

    def _span(self, child: Token, where: _Places) -> None:
        """``[text]{.hidden}`` of Quarto: shown unless it says so."""
        if child.nesting > 0:
            hides = "hidden" in str(child.attrs.get("class", "")).split() or "hidden" in child.attrs
            self.spans.append(hides)
            self.page.hidden += hides
            if not hides and _COULD_HIDE.search(" ".join(f"{k}={v}" for k, v in child.attrs.items())):
                self.page.warn(where.of(where.at), "a span is read as if it were shown: its attributes could hide it")
        elif self.spans:
            self.page.hidden -= self.spans.pop()


class _Places:
    """Where the parts of a paragraph or cell stand in the source: they follow each other there."""

    def __init__(self, source: _Markdown, token: Token) -> None:
        self.content = token.content
        self.at = 0
        first = token.map[0] if token.map else self._line_of(source)
        self.begins: list[int] = []  # offsets in the content at which a line begins
        self.offsets: list[int] = []  # and in the source
        begin = 0
        for n, line in enumerate(self.content.split("\n")):
            number = min(first + n, len(source.lines) - 1)
            column = source.lines[number].find(line, source.used.get(number, 0))
            column = max(column, 0)
            source.used[number] = column + len(line)
            self.begins.append(begin)
            self.offsets.append(source.starts[number] + column)
            begin += len(line) + 1

    def _line_of(self, source: _Markdown) -> int:
        """The line of an inline footnote, of which the parser keeps no place."""
        found = source.text.find(self.content.split("\n", 1)[0])
        return max(bisect_right(source.starts, max(found, 0)) - 1, 0)

    def of(self, offset: int) -> int:
        """The offset in the source of an offset in the content."""
        n = bisect_right(self.begins, offset) - 1
        return self.offsets[n] + offset - self.begins[n]

    def take(self, words: str) -> int:
        """The offset in the source of the next ``words``; what follows stands behind them."""
        found = self.content.find(words, self.at)
        at = found if found >= 0 else self.at
        self.at = min(at + len(words), len(self.content))
        return self.of(at)

    def rest(self, length: int) -> str:
        """What follows."""
        return self.content[self.at : self.at + length]

    def pass_target(self) -> None:
        """Pass the target of a link or image: ``](address "title")`` or ``][name]``."""
        closing = self.content.find("]", self.at)
        if closing < 0 or self.content[self.at : closing].strip():
            return
        ends = {"(": ")", "[": "]"}.get(self.content[closing + 1 : closing + 2])
        end = self.content.find(ends, closing + 1) if ends else closing
        self.at = max(end, closing) + 1
