"""Anchors: a passage of one document, named by its quote, by its position, or by both, and where it really stands.

Offsets are half-open and count Unicode code points of the stored text, or UTF-16 units or bytes where declared.
Normalisation never moves them, and a passage that is nearly the quoted one is not it: "50 mg" is not "90 mg".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, get_args

from pydantic import model_validator

from evaudit.fields import AnyText, Integer, Model, Nullable, refusal
from evaudit.findings import Finding, Where, finding
from evaudit.sources.code_points import to_code_points
from evaudit.sources.readings import explain_absence, explain_mismatch
from evaudit.sources.reference import Reference
from evaudit.sources.text_match import TextMatch, ends_at, places_of, same_text, starts_at
from evaudit.visible import excerpt, excerpts

Space = Literal["char", "token", "line", "sentence", "paragraph", "item", "page", "cell", "document"]
"""What positions count. Two spaces compare only through an offset table."""

Unit = Literal["codepoint", "utf16", "bytes"]
"""What positions in the space ``char`` count."""

State = Literal[
    "resolved",
    "as-stated",
    "ambiguous",
    "not-found",
    "mismatch",
    "out-of-range",
    "empty",
    "document-missing",
    "version-missing",
    "hash-mismatch",
]

STATES: tuple[str, ...] = get_args(State)

STATE_TEXT: Mapping[str, str] = MappingProxyType(
    {
        "resolved": "the passage stands in the stored text as stated",
        "as-stated": "the position was taken as stated: no text is at hand, or the text alone does not tell it",
        "ambiguous": "the quote stands in several places, and nothing says which one is meant",
        "not-found": "the quote does not stand in the stored text",
        "mismatch": "the stored text at the stated position is not the quoted one",
        "out-of-range": "the stated position lies outside the stored text, or inside a character",
        "empty": "the quote or the interval is empty",
        "document-missing": "the document is not among those given, or a quote has no text to be found in",
        "version-missing": "the document is given, but not in this version",
        "hash-mismatch": "the stored text of the document is not the one whose hash is stated",
    }
)
"""What each state means, for reports and help."""

COVERABLE = frozenset({"resolved", "as-stated"})
"""The states in which an anchor can be covered."""


class Anchor(Model):
    """A passage of one document: a quote (``exact``, ``prefix``, ``suffix``), or ``start`` and ``end``, or both."""

    ref: Reference
    """The document: source/doc@version, or {source, doc, version}."""
    exact: Nullable[AnyText] = None
    """The quoted text, character for character."""
    prefix: Nullable[AnyText] = None
    """The text directly before the quote, where the quote occurs several times."""
    suffix: Nullable[AnyText] = None
    """The text directly after the quote."""
    start: Nullable[Integer] = None
    """First position, from 0."""
    end: Nullable[Integer] = None
    """First position after the passage."""
    space: Space = "char"
    """What the positions count: char, token, line, sentence, paragraph, item, page, cell or document."""
    unit: Unit = "codepoint"
    """What positions in the space char count: codepoint, utf16 or bytes."""

    @model_validator(mode="after")
    def _names_a_passage(self) -> Anchor:
        placed = self.start is not None or self.end is not None
        if placed and (self.start is None or self.end is None):
            raise refusal("start and end", "one of them", "write both; the interval is half-open")
        if not placed and self.exact is None and self.space != "document":
            raise refusal("a quote (exact) or a position (start and end)", None, "write one of them, or both")
        if self.exact is None and (self.prefix or self.suffix):
            raise refusal(
                "a quote (exact) beside prefix or suffix", None, "write exact, or leave prefix and suffix out"
            )
        if self.space != "char" and not placed and self.space != "document":
            raise refusal(f"start and end in the space {self.space}", None, "write both, or use the space char")
        if self.space != "char" and self.unit != "codepoint":
            raise refusal("a unit only in the space char", self.unit, "leave unit out")
        return self


@dataclass(frozen=True, slots=True)
class Located:
    """Where an anchor stands.

    Attributes:
        state: one of ``STATES``.
        start, end: the half-open interval in the anchor's space (code points in ``char``); None unless coverable.
        count: how often the quote, with its prefix and suffix, stands in the text; 0 where that was not counted.
        diagnosis: what would explain a bad state: a name of ``readings.DIAGNOSES``, several joined by ``+`` that hold
            together or by `` or `` of which each would do, or ``shifted by N``; None where nothing would.
        message: the state in a sentence.
    """

    state: State
    start: int | None = None
    end: int | None = None
    count: int = 0
    diagnosis: str | None = None
    message: str = ""

    @property
    def coverable(self) -> bool:
        """Whether a unit can cover the anchor."""
        return self.state in COVERABLE

    @classmethod
    def without_place(cls, state: State, message: str, *, count: int = 0, diagnosis: str | None = None) -> Located:
        """An anchor that cannot be covered."""
        return cls(state, None, None, count, diagnosis, message)


def locate(anchor: Anchor, text: str | None, match: TextMatch = "exact") -> Located:
    """The state of ``anchor`` in the stored ``text``; None where no text is at hand. ``match``: how texts are compared.

    Without text a position is as-stated, and a quote without a position document-missing. Positions in a space other
    than ``char`` are as-stated too, as the text alone does not tell its lines or tokens.
    """
    if anchor.exact == "":
        return Located.without_place("empty", "the quote is empty")
    if anchor.start is None or anchor.end is None:
        if anchor.exact is None:
            return Located("as-stated", 0, 1, message="the whole document")
        if text is None:
            message = f"no text of {anchor.ref} to find the quote in"
            return Located.without_place("document-missing", message, diagnosis="no-text")
        found = _find(anchor, anchor.exact, text, match)
        if found.state == "resolved" and anchor.space == "document":
            return Located("as-stated", 0, 1, found.count, message="the whole document, which holds the quote")
        return found
    if anchor.start == anchor.end:
        return Located.without_place("empty", f"the interval {anchor.start}-{anchor.end} is empty")
    if anchor.start < 0 or anchor.end < anchor.start:
        return Located.without_place("out-of-range", f"{anchor.start}-{anchor.end} is no interval of positions from 0")
    if text is None or anchor.space != "char":
        return _as_stated(anchor, anchor.start, anchor.end, text, match)
    return _at(anchor, anchor.start, anchor.end, text, match)


def locate_within(anchor: Anchor, outer: Sequence[Anchor], text: str | None, match: TextMatch = "exact") -> Located:
    """The state of an anchor that selects within the passage of ``outer``, each of which selects within the one before.

    Quotes, positions, prefixes and suffixes are looked for in the outer passage alone, and positions count from its
    start; the interval found counts from the start of the text, as that of ``locate`` does.
    """
    if not outer:
        return locate(anchor, text, match)
    first, length = 0, None if text is None else len(text)
    for number, one in enumerate((*outer, anchor)):
        found = locate(one, text, match)
        if found.start is None or found.end is None:
            where = f"within the passage that refinement {number} starts from: " if number else ""
            return replace(found, message=where + found.message)
        if length is not None and found.end > length:
            message = f"{found.start}-{found.end} lies outside the passage that it refines, of {length} positions"
            return Located.without_place("out-of-range", message)
        first, length = first + found.start, found.end - found.start
        text = None if text is None else text[found.start : found.end]
    assert length is not None
    return replace(found, start=first, end=first + length)


def _as_stated(anchor: Anchor, start: int, end: int, text: str | None, match: TextMatch) -> Located:
    if text is not None and anchor.exact is not None and not places_of(text, anchor.exact, match):
        return Located.without_place("not-found", "the text does not hold the quote")
    if text is None and anchor.space == "char" and anchor.unit != "codepoint":
        message = f"{start}-{end} counts {anchor.unit} and cannot be converted without the text of {anchor.ref}"
        return Located.without_place("document-missing", message, diagnosis="no-text")
    return Located("as-stated", start, end, message="the position was not checked against a text")


def _at(anchor: Anchor, start: int, end: int, text: str, match: TextMatch) -> Located:
    """An anchor with a position in the space ``char``."""
    interval = to_code_points(text, start, end, anchor.unit)
    exact = anchor.exact
    if isinstance(interval, str):
        if exact is None:
            return Located.without_place("out-of-range", interval)
        diagnosis, hint = explain_mismatch(text, exact, start, end, anchor.unit)
        return Located.without_place("out-of-range", interval + hint, diagnosis=diagnosis)
    first, last = interval
    if exact is not None and not same_text(text[first:last], exact, match):
        diagnosis, hint = explain_mismatch(text, exact, start, end, anchor.unit)
        there, quoted = excerpts(text[first:last], exact)
        message = f"at {start}-{end} the text is {there}, quoted is {quoted}{hint}"
        return Located.without_place("mismatch", message, diagnosis=diagnosis)
    contexts = (("prefix", anchor.prefix, ends_at, first), ("suffix", anchor.suffix, starts_at, last))
    for name, context, fits, place in contexts:
        if context and not fits(text, context, place, match):
            message = f"the quote stands at {start}-{end}, but its {name} is not {excerpt(context)}"
            return Located.without_place("mismatch", message, diagnosis=name)
    return Located("resolved", first, last, 1, message="the passage stands in the text as stated")


def _find(anchor: Anchor, exact: str, text: str, match: TextMatch) -> Located:
    """An anchor with a quote alone: it must stand in exactly one place."""
    places = places_of(text, exact, match, anchor.prefix or "", anchor.suffix or "")
    if not places:
        plain = len(places_of(text, exact, match))
        if plain:
            message = f"the quote stands in the text {_times(plain)}, but not with this prefix and suffix"
            return Located.without_place("not-found", message, diagnosis="context")
        diagnosis, hint = explain_absence(text, exact)
        return Located.without_place("not-found", f"the text does not hold {excerpt(exact)}{hint}", diagnosis=diagnosis)
    if len(places) > 1:
        message = f"the quote stands in the text {_times(len(places))}; add a prefix, a suffix, or start and end"
        return Located.without_place("ambiguous", message, count=len(places))
    return Located("resolved", *places[0], 1, message="the quote stands in the text once")


def anchor_finding(
    anchor: Anchor, located: Located, *, where: Where | None = None, need: str | None = None
) -> Finding | None:
    """The finding of an anchor that cannot be covered, None where it can."""
    if located.coverable:
        return None
    named = excerpt(anchor.exact) if anchor.exact is not None else f"{anchor.start}-{anchor.end} ({anchor.space})"
    expected = f"expected the anchor {named} in {anchor.ref}"
    message = f"{expected}, found {located.state}: {located.message}"
    return finding("anchor-unresolved", message, where=where, need=need, diagnosis=located.diagnosis)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
