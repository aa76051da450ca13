"""Digits that are no figure: in names, labels, dates, times and versions; they name, they do not claim."""

from __future__ import annotations

import re

from evaudit.numerals.style import SPACES
from evaudit.numerals.units import unit_after

_S = f"[{SPACES}]"
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_DAY = r"(?:0?[1-9]|[12][0-9]|3[01])"
_YEAR = r"(?:19|20)[0-9]{2}"
_END = r"(?![\w%]|[.,:/'’-][0-9])"
_DATED = re.compile(
    rf"(?:{_YEAR}-[01][0-9]-[0-3][0-9](?:T[0-9:.]{{4,18}}(?:Z|[+-][0-9]{{2}}:?[0-9]{{2}})?)?"  # 2024-10-12T09:30
    rf"|{_YEAR}-(?:0[1-9]|1[0-2])"
    rf"|{_DAY}/{_DAY}/(?:{_YEAR}|[0-9]{{2}})|{_DAY}\.{_DAY}\.{_YEAR}|{_YEAR}/[01]?[0-9]/[0-3]?[0-9]"
    rf"|{_DAY}(?:st|nd|rd|th)?{_S}(?:of{_S})?{_MONTH}\b\.?(?:,?{_S}{_YEAR})?"
    rf"|[012]?[0-9]:[0-5][0-9](?::[0-5][0-9](?:\.[0-9]+)?|{_S}?[ap]\.?m\b)"
    rf"|{_YEAR}[-–](?:{_YEAR}|[0-9]{{2}}))"
    rf"{_END}"
)
_AFTER_MONTH = re.compile(rf"\.?{_S}(?:{_YEAR}|{_DAY}(?:st|nd|rd|th)?(?:,?{_S}{_YEAR})?){_END}")
_MONTH_WORD = re.compile(_MONTH)
_YEAR_WORDS = frozenset(
    re.findall(
        r"\S+",
        "in since until during year early late mid spring summer autumn winter copyright",
    )
)
_YEAR_ALONE = re.compile(rf"{_YEAR}(?=$|[\n.,;:)\]](?![0-9]))")
_VERSION = re.compile(r"[0-9]+(?:\.[0-9]+){2,}(?:[.-]?(?:a|b|rc|dev|post|alpha|beta)\.?[0-9]*)?(?![\w%]|[.,/'’][0-9])")
_ORDINAL = re.compile(r"[0-9]+(?:st|nd|rd|th)\b")
_LABELS = frozenset(
    re.findall(
        r"\S+",
        "table tables figure figures section sections chapter chapters equation equations page pages line "
        "lines appendix algorithm algorithms listing listings step footnote footnotes version versions "
        "theorem lemma definition proposition corollary",
    )
)
"""Words that make a number after them a label, however they are written."""
_WRITTEN_LABELS = _LABELS | frozenset(
    re.findall(
        r"\S+",
        "fig figs sec secs ch eq eqs p pp no nos v ver vol note example exercise part item question issue "
        "article clause problem",
    )
)
"""Words that do so with a capital letter or a full stop: ``Fig. 3``, ``Note 4``."""
_NUMBERED = re.compile(
    rf"\.?{_S}?(?P<first>[0-9]+(?:\.[0-9]+)*[a-z]?)(?P<more>(?:(?:,{_S}|{_S}and{_S}|{_S}?[-–]{_S}?|,{_S}and{_S})"
    rf"[0-9]+(?:\.[0-9]+)*[a-z]?){{0,9}})(?![\w%‰]|[.,:/'’][0-9]|{_S}[0-9]{{3}}(?![0-9]))"
)
_WORD = re.compile(r"[^\W\d]\w*")
_GLUED = re.compile(r"@\.?\w+|[-./#\\‐‑]\w+|::\w+")
_SIGN_LABELS = "§#"
_DOTTED = re.compile(r"[0-9]+(?:\.[0-9]+)*")


def word_end(text: str, at: int) -> int:
    """Where the word ends that begins at ``at``, with what is written onto it: ``MRR@4``, ``GPT-4``, ``a/1/2``."""
    match = _WORD.match(text, at)
    end = match.end() if match else at + 1
    while glued := _GLUED.match(text, end):
        end = glued.end()
    return end


def numbers_named_by(word: str, text: str, end: int) -> int:
    """Where the numbers end that a word before ``end`` makes labels, a date or a year; ``end`` where it makes none.

    Small words take whole numbers only: the figure .5 is no figure 5.
    """
    lower, written = word.lower(), word[0].isupper() or text[end : end + 1] == "."
    if lower in (_WRITTEN_LABELS if written else _LABELS) and (match := _NUMBERED.match(text, end)):
        unit = unit_after(text, match.end())
        if not unit.unit and not unit.scale and (written or "." not in match["first"] + match["more"]):
            return match.end()
    if _MONTH_WORD.fullmatch(word) and (match := _AFTER_MONTH.match(text, end)):
        return match.end()
    if lower in _YEAR_WORDS and text[end : end + 1] in SPACES and (match := _YEAR_ALONE.match(text, end + 1)):
        return match.end()
    return end


def name_at(text: str, at: int) -> int:
    """Where a date, time, version or ordinal ends that begins with the digit at ``at``; ``at`` where none does."""
    if at and text[at - 1] in _SIGN_LABELS and (match := _DOTTED.match(text, at)):
        return match.end()
    for pattern in (_DATED, _VERSION, _ORDINAL):
        if match := pattern.match(text, at):
            return match.end() if pattern is not _VERSION or not _is_grouped(match[0]) else at
    return at


def _is_grouped(version: str) -> bool:
    """Whether ``1.234.567`` could be one number in groups of three."""
    first, *rest = version.split(".")
    return len(first) <= 3 and all(len(part) == 3 and part.isdigit() for part in rest)
