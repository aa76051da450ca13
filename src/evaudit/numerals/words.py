"""Numbers in words, up to a million: ``twenty-one``, ``two hundred and five``, ``two thirds``, ``half a million``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from evaudit.numerals.style import SPACES

_SMALL = re.findall(
    r"\S+",
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen",
)
_TENS = re.findall(
    r"\S+",
    "twenty thirty forty fifty sixty seventy eighty ninety",
)
_VALUES: Mapping[str, int] = {
    **{word: n for n, word in enumerate(_SMALL)},
    **{word: 20 + 10 * n for n, word in enumerate(_TENS)},
}
_SCALES: Mapping[str, int] = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_PARTS: Mapping[str, int] = {
    word: n
    for n, words in {2: "half halves", 3: "third thirds", 4: "quarter quarters fourths", 5: "fifth fifths",
                     6: "sixth sixths", 7: "seventh sevenths", 8: "eighth eighths", 9: "ninth ninths",
                     10: "tenth tenths", 100: "hundredth hundredths"}.items()
    for word in words.split()
}  # fmt: skip
FIRST_WORDS = frozenset({*_VALUES, "a", "an", "half"})
"""Words with which a number can begin."""
_VOCABULARY = frozenset({*FIRST_WORDS, *_SCALES, *_PARTS, "and", "of"})
_LONGEST = 16
_WORD = re.compile(r"[A-Za-z]+")
_AFTER_ARTICLE = re.compile(rf"an?[{SPACES}](?:{'|'.join((*_SCALES, *_PARTS))})\b", re.IGNORECASE)
_JOINT = re.compile(rf"[{SPACES}]|-(?=[A-Za-z])")


@dataclass(frozen=True, slots=True)
class InWords:
    """A number in words.

    Attributes:
        value: what it is. end: where it ends. whole: whether it is a whole number, no fraction in words.
        alone: whether it is a figure wherever it stands; ``one`` is so only before a unit or in ``one of three``.
    """

    value: Fraction
    end: int
    whole: bool
    alone: bool


@dataclass(frozen=True, slots=True)
class _Token:
    word: str
    start: int
    end: int
    hyphen: bool


def number_in_words(text: str, at: int) -> InWords | None:
    """The number whose first word begins at ``at``; None where no number begins there."""
    if text[at : at + 2].lower() in ("a ", "an") and not _AFTER_ARTICLE.match(text, at):
        return None  # by far the most frequent case
    tokens = list(_tokens(text, at))
    if tokens[0].word == "half":
        return _half(tokens)
    count, value = _whole(tokens)
    if not count:
        return None
    last = tokens[count - 1]
    if part := _part(tokens, count, len(text)):
        return InWords(Fraction(value, _PARTS[part.word]), part.end, whole=False, alone=True)
    if count < len(tokens) and tokens[count].hyphen:
        return None  # "two-sided", "five-fold": a word, no number
    return InWords(Fraction(value), last.end, whole=True, alone=value != 1 or count > 1)


def _tokens(text: str, at: int) -> Iterator[_Token]:
    """The words from ``at`` on that stand beside each other, each with whether a hyphen stands before it."""
    hyphen = False
    for _ in range(_LONGEST):
        match = _WORD.match(text, at)
        if match is None or text[match.end() : match.end() + 1].isalnum():
            return
        word = match[0].lower()
        yield _Token(word, match.start(), match.end(), hyphen)
        if word not in _VOCABULARY:
            return
        joint = _JOINT.match(text, match.end())
        if joint is None:
            return
        at, hyphen = joint.end(), joint[0] == "-"


def _half(tokens: list[_Token]) -> InWords | None:
    if len(tokens) > 1 and tokens[1].hyphen:
        return None
    words = [t.word for t in tokens[1:4]]
    skipped = 1 + (words[:1] == ["of"])
    if words[skipped - 1 : skipped] == ["a"] and len(words) > skipped and words[skipped] in _SCALES:
        end = tokens[skipped + 1].end
        return InWords(Fraction(_SCALES[words[skipped]], 2), end, whole=True, alone=True)
    return InWords(Fraction(1, 2), tokens[0].end, whole=False, alone=True)


def _part(tokens: list[_Token], count: int, length: int) -> _Token | None:
    """The ``thirds`` of ``two thirds``; of ``a third`` only where ``of`` or nothing follows."""
    if count >= len(tokens) or tokens[count].word not in _PARTS:
        return None
    article = tokens[0].word in ("a", "an")
    if article and tokens[count].end < length and (count + 1 >= len(tokens) or tokens[count + 1].word != "of"):
        return None
    return tokens[count]


def _whole(tokens: list[_Token]) -> tuple[int, int]:
    """How many words form a whole number, and the number; 0 words where none do."""
    total = group = 0
    used = at = 0
    previous = ""
    while at < len(tokens):
        word = tokens[at].word
        if word == "and" and previous in _SCALES and at + 1 < len(tokens) and tokens[at + 1].word in _VALUES:
            at += 1
            continue
        if word in ("a", "an") and at == 0:
            group = 1
        elif word in _VALUES and _may_follow(word, previous):
            group += _VALUES[word]
        elif word == "hundred" and previous and 0 < group < 100:
            group *= 100
        elif word in ("thousand", "million") and previous and group:
            total, group = (total + group) * _SCALES[word], 0
        else:
            break
        previous, at = word, at + 1
        used = at
    if used == 1 and tokens[0].word in ("a", "an"):
        return (1, 1) if len(tokens) > 1 and tokens[1].word in _PARTS else (0, 0)
    return used, total + group


def _may_follow(word: str, previous: str) -> bool:
    """Whether a number below a hundred goes on with ``word``: twenty-one, hundred five; not five six."""
    return not previous or previous in _SCALES or (previous in _TENS and word in _SMALL[1:10])
