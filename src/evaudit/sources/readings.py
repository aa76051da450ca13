"""Other ways to read a position: what would explain that a quote does not stand where it is said to stand.

A diagnosis is a help for the person who corrects the data. It never makes an anchor resolve.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from types import MappingProxyType

from evaudit.plurals import counted
from evaudit.sources.code_points import UNIT_TEXT, UNITS, encoded, part, to_code_points
from evaudit.visible import excerpt

BOM = "\ufeff"

_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ſt", "ﬆ": "st"}
_LIGATURE = "".join(_LIGATURES)
_MARKS = dict.fromkeys("‘’‚‛′´`", "'") | dict.fromkeys("“”„‟″«»", '"') | dict.fromkeys("‐‑‒–—―−", "-")
_LINE_END_HYPHEN = re.compile(r"[-\u2010\u00ad][ \t]*(?:\r\n|\r|\n)[ \t]*")


Fold = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Reading:
    """A way in which a quote and a stored text can be the same passage and yet not the same characters.

    Attributes:
        name: the diagnosis. differs: what the two differ in only. told: the same as a sentence.
        fold: gives the two the same characters.
        text: the text in which positions may have been counted, in words; None where nobody counts in such a text.
        forms: that text, made from the stored one; in several ways where it is not known which.
    """

    name: str
    differs: str
    told: str
    fold: Fold
    text: str | None = None
    forms: tuple[Fold, ...] = ()


def _reading(name: str, differs: str, told: str, fold: Fold, text: str | None = None) -> Reading:
    return Reading(name, differs, told, fold, text, (fold,) if text is not None else ())


def _line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _carriage_returns(text: str) -> str:
    return _line_feeds(text).replace("\n", "\r\n")


def _replaced(characters: Mapping[str, str], text: str) -> str:
    """With other characters for some; most texts hold none of them."""
    for character, other in characters.items():
        if character in text:
            text = text.replace(character, other)
    return text


def _case(text: str) -> str:
    """Without case; full case folding would write ligatures out as well."""
    return "".join(part if part in _LIGATURE else part.casefold() for part in re.split(f"([{_LIGATURE}])", text))


READINGS: tuple[Reading, ...] = (
    Reading("crlf", "line ends", "the line ends differ (CRLF or LF)", _line_feeds,
            "a text with other line ends (CRLF or LF)", (_line_feeds, _carriage_returns)),
    _reading("nfc", "Unicode form", "the Unicode form differs (NFC)", partial(unicodedata.normalize, "NFC"),
             "the text in Unicode form NFC"),
    _reading("nfd", "Unicode form", "the Unicode form differs (NFD)", partial(unicodedata.normalize, "NFD"),
             "the text in Unicode form NFD"),
    _reading("line-end-hyphen", "hyphens at line ends", "words are hyphenated at line ends in one of the two",
             partial(_LINE_END_HYPHEN.sub, ""), "the text without its hyphens at line ends"),
    _reading("white-space", "white space", "only white space differs", lambda text: " ".join(text.split())),
    _reading("ligature", "ligatures", "one has ligatures where the other has letters",
             partial(_replaced, _LIGATURES), "the text with its ligatures written out"),
    _reading("soft-hyphen", "soft hyphens", "one has soft hyphens", lambda text: text.replace("\u00ad", ""),
             "the text without its soft hyphens"),
    _reading("html-entity", "HTML entities", "one has HTML entities where the other has characters", html.unescape,
             "the text with its HTML entities written out"),
    _reading("typography", "typographic quotes, apostrophes or dashes",
             "only typographic quotes, apostrophes or dashes differ", partial(_replaced, _MARKS)),
    _reading("compatibility", "compatibility forms of characters", "one has compatibility forms of characters (NFKC)",
             partial(unicodedata.normalize, "NFKC"), "the text in Unicode form NFKC"),
    _reading("lost-space", "spaces that one of the two lost", "one lost spaces that the other has",
             lambda text: "".join(text.split())),
    _reading("case", "upper and lower case", "only upper and lower case differ", _case),
)  # fmt: skip
"""Every reading, the mildest first; texts are folded in this order."""

DIAGNOSES: Mapping[str, str] = MappingProxyType(
    {
        "utf16": "the positions count UTF-16 units",
        "bytes": "the positions count UTF-8 bytes",
        "bom": "the text has a byte order mark that was not counted",
        **{reading.name: reading.told for reading in READINGS},
        "added-prefix": "the quote begins with text that the document does not hold",
        "no-text": "no text of the document is at hand to look in",
        "context": "the quote stands there, but not with this prefix and suffix",
        "prefix": "the text before the quote is another one",
        "suffix": "the text after the quote is another one",
    }
)
"""What each diagnosis says; two that are joined by ``+`` hold together."""

_REST = 20
"""Characters of a quote that must be in the text before its beginning is called added."""
_SHORT_REST = 8
"""The same where they are at least half of the quote."""


def explain_mismatch(text: str, exact: str, start: int, end: int, unit: str) -> tuple[str | None, str]:
    """The readings of ``start``-``end`` that give the quote, by name and as the end of a sentence.

    Every simple reading that fits is named (``bytes or nfd``), because the data does not tell them apart, but CRLF only
    where the text holds a carriage return or nothing else fits; then the first that combines two; then the distance to
    the nearest place of the quote; then what explains that it stands nowhere.
    """
    interval = to_code_points(text, start, end, unit)
    if isinstance(interval, tuple):
        there = text[interval[0] : interval[1]]
        if (fits := _fitting(there, exact, lambda one, other: one == other)) is not None:
            return fits[0], f"; the two differ only in {fits[1]}"
    others = [u for u in UNITS if u != unit]
    simple = {u: UNIT_TEXT[u] for u in others if part(text, start, end, u) == encoded(exact, u)}
    simple |= dict(_changed_readings(text, exact, start, end, [unit], unit))
    if len(simple) > 1:
        simple.pop("compatibility", None)  # it holds what Unicode forms and ligatures do
    if len(simple) > 1 and "\r" not in text:
        simple.pop("crlf", None)  # the text as it stands allows another reading, and holds no such line end
    if simple:
        return " or ".join(simple), f"; it fits if read in {', or in '.join(simple.values())}"
    for name, words in _changed_readings(text, exact, start, end, others, unit):
        return name, f"; it fits if read in {words}"
    if isinstance(interval, str) and unit != "codepoint":
        return None, ""
    shifted = _shift(text, exact, interval[0] if isinstance(interval, tuple) else start)
    return shifted if shifted[0] is not None else explain_absence(text, exact)


def explain_absence(text: str, exact: str) -> tuple[str | None, str]:
    """What the text holds instead: the quote in other readings, or without its beginning."""
    fits = _fitting(text, exact, lambda whole, quote: bool(quote) and quote in whole)
    if fits is not None:
        return fits[0], f"; it holds a passage that differs only in {fits[1]}"
    blanks = _READING["white-space"].fold
    for name, but_for, folds in (("", "", ()), ("white-space+", " but for white space", (blanks,))):
        quote = _folded(exact, folds)
        if added := _added(_folded(text, folds), quote):
            without = f"without its first {counted(added, 'character')}, {excerpt(quote[:added])}"
            return f"{name}added-prefix", f"; it holds the quote{but_for} {without}"
    return None, ""


def _fitting(text: str, exact: str, fits: Callable[[str, str], bool]) -> tuple[str, str] | None:
    """The readings that together make the quote fit and of which none could be left out: names, and what differs."""
    other_form = "nfc" if unicodedata.is_normalized("NFD", exact) and not exact.isascii() else "nfd"
    left = [
        one
        for one in READINGS
        if one.name != other_form and (_folded(text, (one.fold,)) != text or _folded(exact, (one.fold,)) != exact)
    ]

    def fit(readings: Sequence[Reading]) -> bool:
        folds = tuple(one.fold for one in readings)
        return fits(_folded(text, folds), _folded(exact, folds))

    if not fit(left):  # a word may have a hyphen of its own at the end of a line
        left = [one for one in left if one.name != "line-end-hyphen"]
        if not fit(left):
            return None
    for one in reversed(left):
        fewer = [other for other in left if other is not one]
        left = fewer if fit(fewer) else left
    return ("+".join(one.name for one in left), " and ".join(one.differs for one in left)) if left else None


def _added(text: str, exact: str) -> int:
    """How many characters at the beginning of a quote the text lacks, where it holds all that follows; else 0."""
    rest = min(_REST, max(_SHORT_REST, -(-len(exact) // 2)))
    low, high = 1, len(exact) - rest
    if high < low or exact[high:] not in text:
        return 0
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if exact[middle:] in text else (middle + 1, high)
    while low < len(exact) - rest and exact[low - 1].isalnum() and exact[low].isalnum():
        low += 1  # the rest begins with a word, whatever the letters before it are in the text
    return low if low < len(exact) - rest or not exact[low - 1].isalnum() else 0


def _changed_readings(
    text: str, exact: str, start: int, end: int, units: list[str], unit: str
) -> Iterator[tuple[str, str]]:
    """The forms of the text in which an interval of one of ``units`` gives the quote."""
    for name, words, changed, quote in _forms(text, exact):
        for u in units:
            if part(changed, start, end, u) in (encoded(exact, u), encoded(quote, u)):
                yield (name, words) if u == unit else (f"{name}+{u}", f"{words}, in {UNIT_TEXT[u]}")


def _forms(text: str, exact: str) -> Iterator[tuple[str, str, str, str]]:
    """Name, words, text and quote in each other form that the text may have had when the position was counted.

    A byte order mark that the text has lost looks like any other shift by one, so only one that it has is named.
    """
    if text.startswith(BOM):
        yield "bom", "the text without its byte order mark", text[1:], exact
    for one in READINGS:
        for form in one.forms:
            if (changed := _folded(text, (form,))) != text:
                yield one.name, one.text or "", changed, _folded(exact, (form,))


def _shift(text: str, exact: str, start: int) -> tuple[str | None, str]:
    """The nearest place of the quote, as a distance from where it was said to begin."""
    before, after = text.rfind(exact, 0, max(start, 0) + len(exact)), text.find(exact, max(start, 0))
    places = [place - start for place in (before, after) if place >= 0]
    if not places:
        return None, ""
    distance = min(places, key=abs)
    lost = " (a byte order mark or a blank may have been lost at the start)" if distance == -1 else ""
    return f"shifted by {distance:+d}", f"; the nearest place of the quote is shifted by {distance:+d}{lost}"


_READING = {one.name: one for one in READINGS}


@lru_cache(maxsize=64)
def _folded(text: str, folds: tuple[Fold, ...]) -> str:
    """The text in other readings, one after the other."""
    for fold in folds:
        text = fold(text)
    return text
