"""HTML to the words that a browser shows, by the parser of the standard library, which tells where each word stands.

What is hidden by an element or its own attributes is left out: ``<script>``, ``<template>``, ``hidden``,
``display:none``, and what is struck out. What style sheets and scripts do is not known; a style sheet in the text that
hides something is a warning.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from html.parser import HTMLParser

from evaudit.register.prose.page import TURNED, Page
from evaudit.register.prose.raised import lowered, raised

_INLINE = frozenset(
    re.findall(
        r"\S+",
        "a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark math mfrac mi mn mo "
        "mrow msub msup msubsup mtext output q s samp semantics small span strike strong sub sup time tt "
        "u var wbr",
    )
)
"""Elements that do not part words; every other one does, as a line or cell of its own."""
_VOID = frozenset(
    re.findall(
        r"\S+",
        "area base br col embed hr img input link meta param source track wbr",
    )
)
_HIDDEN = frozenset(
    re.findall(
        r"\S+",
        "script style template noscript iframe noframes noembed datalist annotation del s strike "
        "object video audio canvas progress meter rp mphantom defs desc metadata symbol clippath mask",
    )
)
_CLOSED_BY: Mapping[str, frozenset[str]] = {
    "li": frozenset({"li"}), "dt": frozenset({"dt", "dd"}), "dd": frozenset({"dt", "dd"}),
    "td": frozenset({"td", "th"}), "th": frozenset({"td", "th"}), "tr": frozenset({"td", "th", "tr"}),
    "tbody": frozenset({"td", "th", "tr", "thead", "tbody"}), "tfoot": frozenset({"td", "th", "tr", "tbody"}),
    "option": frozenset({"option"}), "optgroup": frozenset({"option", "optgroup"}),
}  # fmt: skip
"""Start tag to the elements that end before it, though no tag says so."""
_ENDS_PARAGRAPH = frozenset(
    re.findall(
        r"\S+",
        "address article aside blockquote div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr "
        "main nav ol p pre section table ul",
    )
)
_STYLE_HIDES = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|opacity:0(?:\.0*)?(?:;|$)|font-size:0(?:;|$|[a-z])|line-through"
)

_STYLE_COULD_HIDE = re.compile(
    r"\\|position:(?:absolute|fixed)|(?:^|;)(?:clip(?:-path)?|transform|scale|rotate|mask[a-z-]*|filter):(?!none|auto)"
    r"|text-indent:-|(?:^|;)(?:max-)?(?:height|width):0[a-z]*(?:;|$)|(?:^|;)color:(?:transparent|white|#fff)"
    r"|direction:rtl|unicode-bidi"
)
_SHEET_ADDS = re.compile(r"content:[\"'][^\"']*[-+−0-9.,%×]")
_CLASSES_COULD_HIDE = frozenset({"hidden", "invisible", "d-none", "sr-only", "visually-hidden", "strike", "del"})


@dataclass(slots=True)
class _Open:
    """An element that is open: whether it hides its content, where it began, how many children it has had."""

    tag: str
    hides: bool
    at: int
    children: int = 0
    note: bool = False


class HtmlWords(HTMLParser):
    """Takes pieces of HTML and gives their words to a page; elements may begin in one piece and end in another."""

    def __init__(self, page: Page) -> None:
        super().__init__(convert_charrefs=False)
        self.page = page
        self._open: list[_Open] = []
        self._count: Counter[str] = Counter()
        self._begin = 0
        self._lines: list[int] = [0]

    def piece(self, text: str, at: int) -> None:
        """Read a piece that stands in the source from ``at`` on."""
        self.rawdata, self.lineno, self.offset = "", 1, 0
        self._begin, self._lines = at, [0, *(m.end() for m in re.finditer("\n", text))]
        self.feed(text)
        rest, self.rawdata = self.rawdata, ""
        if rest.startswith("<"):
            what = "a comment" if rest.startswith("<!--") else "a tag"
            self.page.warn(at + len(text) - len(rest), f"{what} begins and never ends: what follows it is left out")
        elif self.cdata_elem is None:
            self.page.add(rest, at + len(text) - len(rest))

    def finish(self) -> None:
        """The end of the text: what is hidden up to here only for want of an end tag is told."""
        for element in self._open:
            if element.hides:
                self.page.warn(
                    element.at, f"<{element.tag}> hides everything up to the end: no </{element.tag}> follows"
                )
            self.page.hidden -= element.hides

    @property
    def _at(self) -> int:
        line, column = self.getpos()
        return self._begin + self._lines[min(line - 1, len(self._lines) - 1)] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        at = self._at
        while self._open and self._ends_before(self._open[-1].tag, tag):
            self._pop()
        if tag not in _INLINE:
            self.page.border(at)
        parent = self._open[-1] if self._open else None
        if parent is not None:
            parent.children += 1
            if parent.tag == "mfrac" and parent.children > 1:
                self.page.put("/", at)
        if tag == "bdo":
            self.page.warn(at, "<bdo> turns the order in which its text is read")
            self.page.put(TURNED, at)
        if is_from_elsewhere(tag, dict(attrs)):
            self.page.warn(at, f"what this <{tag}> adds, changes or hides is not read")
        if tag in ("msqrt", "mroot"):
            self.page.put("√(", at)
        if tag in _VOID:
            return
        if "direction:rtl" in _style(dict(attrs)):
            self.page.put(TURNED, at)
        if _could_hide(attrs):
            self.page.warn(at, f"<{tag}> is read as if it were shown plainly: its style or class could hide or turn it")
        hides = _hides(tag, attrs) or (tag == "title" and self._count["svg"] > 0)
        element = _Open(tag, hides, at, note=tag == "a" and (dict(attrs).get("href") or "")[:1] == "#")
        self._open.append(element)
        self._count[tag] += 1
        self.page.hidden += element.hides

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element; ``/>`` closes it in MathML alone."""
        self.handle_starttag(tag, attrs)
        if tag in _MATHML:
            self._pop()

    def handle_endtag(self, tag: str) -> None:
        """Close an element, and those within it that no tag closes."""
        if tag in ("msqrt", "mroot"):
            self.page.put(")", self._at)
        if self._count[tag]:
            while self._pop() != tag:
                pass
        if tag not in _INLINE:
            self.page.border(self._at)

    def _ends_before(self, last: str, tag: str) -> bool:
        return last in _CLOSED_BY.get(tag, ()) or (last == "p" and tag in _ENDS_PARAGRAPH)

    def _pop(self) -> str:
        element = self._open.pop()
        self._count[element.tag] -= 1
        self.page.hidden -= element.hides
        return element.tag

    def handle_data(self, data: str) -> None:
        """Give words as they are written."""
        sheet = re.sub(r"\s+", "", data.lower()) if self.cdata_elem == "style" else ""
        if _SHEET_ADDS.search(sheet):
            self.page.warn(self._at, "a style sheet prints characters beside elements: they are not read")
        if _STYLE_HIDES.search(sheet):
            self.page.warn(self._at, "a style sheet hides elements; what it hides is read as if it were shown")
        self.print_words(data, self._at, as_written=True)

    def handle_entityref(self, name: str) -> None:
        """Give the character of a named entity."""
        self.print_words(html.unescape(f"&{name};"), self._at)

    def handle_charref(self, name: str) -> None:
        """Give the character of a number."""
        self.print_words(html.unescape(f"&#{name};"), self._at)

    def print_words(self, text: str, at: int, *, as_written: bool = False) -> None:
        """Give words to the page as the open elements set them; ``as_written``: as they stand in the source."""
        inner = [e for e in self._open[-3:] if e.tag in ("sup", "sub") or e.note]
        place = "sup" if any(e.tag == "sup" for e in inner) or self._second_of("msup") else ""
        place = "sub" if any(e.tag == "sub" for e in inner) or self._second_of("msub") else place
        if place == "sup" and any(e.note for e in inner) and text.strip("[]()*† ").isdigit():
            return  # the mark of a footnote
        if place and text.strip():
            self.page.put((raised if place == "sup" else lowered)(text.strip(), self.page.last), at)
        elif as_written:
            self.page.add(text, at)
        else:
            self.page.put(text, at)

    def _second_of(self, tag: str) -> bool:
        return len(self._open) > 1 and self._open[-2].tag == tag and self._open[-2].children > 1


_MATHML = frozenset(
    re.findall(
        r"\S+",
        "math mfrac mi mn mo mrow msub msup mtext",
    )
)


def is_from_elsewhere(tag: str, given: Mapping[str, str | None]) -> bool:
    """Whether an element brings a style sheet of another file or a program; data in a script does nothing."""
    if tag == "link":
        return "stylesheet" in (given.get("rel") or "").lower().split()
    kind = (given.get("type") or "").lower()
    return tag == "script" and not kind.endswith("json") and not kind.startswith("text/x-")


def _hides(tag: str, attrs: list[tuple[str, str | None]]) -> bool:
    given = dict(attrs)
    hides = "hidden" in given or "popover" in given or (tag == "dialog" and "open" not in given)
    return tag in _HIDDEN or hides or _STYLE_HIDES.search(_style(given)) is not None


def _could_hide(attrs: list[tuple[str, str | None]]) -> bool:
    given = dict(attrs)
    classes = (given.get("class") or "").split()
    return _STYLE_COULD_HIDE.search(_style(given)) is not None or not _CLASSES_COULD_HIDE.isdisjoint(classes)


def _style(given: Mapping[str, str | None]) -> str:
    return re.sub(r"\s+|/\*.*?\*/", "", (given.get("style") or "").lower())


def html_page(text: str) -> Page:
    """The words of an HTML text."""
    page = Page()
    words = HtmlWords(page)
    words.piece(text, 0)
    words.finish()
    return page
