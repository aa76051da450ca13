"""Ids that a person takes for one and that a program takes for two: spellings that are equal after folding.

The whole folding decides whether an id that found no partner is a near miss, and names what differs. It is applied once
to each distinct id, in time linear in its length, however the id is made.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache

_ROUNDS = 3
"""How often nested encodings and endings are taken off; what is nested deeper stays as it is."""

_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_BRACKET = re.compile(r"-(LRB|RRB|LSB|RSB|LCB|RCB|COLON)-", re.IGNORECASE)
_WRITTEN = {"LRB": "(", "RRB": ")", "LSB": "[", "RSB": "]", "LCB": "{", "RCB": "}", "COLON": ":"}
_INVISIBLE = str.maketrans("", "", "\u200b\u2060\ufeff")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}://(?=/?[^\s/_])")
_ENDINGS = (".md", ".txt", ".html", ".pdf")
_WHOLE = re.compile(r"([0-9]+)\.0+")
_ZEROS = re.compile(r"(?<![0-9])(?<![0-9]\.)0+(?=[0-9])")
_FOLDED_ALREADY = re.compile(r"[1-9][0-9]*|[a-z]+(?:-?[1-9][0-9]*)?")
_SHORT, _MARKS = 256, 30
"""Combining marks in a row that are brought into order in longer ids: the time for more grows with their square."""

SAME_FROM = 3
"""Ids from which one difference is no accident of two names, but the way in which a list writes all of them."""


def _percent(text: str) -> str:
    return _repeated(text, lambda once: _PERCENT.sub(_decoded, once)) if "%" in text else text


def _decoded(match: re.Match[str]) -> str:
    try:
        return bytes.fromhex(match[0].replace("%", "")).decode("utf-8")
    except UnicodeDecodeError:
        return match[0]


def _entities(text: str) -> str:
    if "&" not in text:
        return text
    from html import unescape

    return _repeated(text, lambda once: _ENTITY.sub(lambda match: unescape(match[0]), once))


def _repeated(text: str, step: Callable[[str], str]) -> str:
    for _ in range(_ROUNDS):
        before, text = text, step(text)
        if text == before:
            break
    return text


def _brackets(text: str) -> str:
    return _BRACKET.sub(lambda match: _WRITTEN[match[1].upper()], text) if text.count("-") > 1 else text


def _composed(text: str) -> str:
    if text.isascii() or (len(text) > _SHORT and _endless_marks(text)):
        return text
    return unicodedata.normalize("NFC", text)


def _endless_marks(text: str) -> bool:
    row = 0
    for sign in text:
        row = row + 1 if unicodedata.combining(sign) else 0
        if row > _MARKS:
            return True
    return False


def _outer_blanks(text: str) -> str:
    return (text if text.isascii() else text.translate(_INVISIBLE)).strip()


def _white_space(text: str) -> str:
    words = text.split()
    return text if len(words) < 2 else text[: text.index(words[0])] + " ".join(words) + text[len(text.rstrip()) :]


def _without_scheme(text: str) -> str:
    found = _SCHEME.match(text) if "://" in text else None
    return text[found.end() :] if found else text


def _without_fragment(text: str) -> str:
    at = text.find("#", 1)
    if at < 0 or text[at - 1] == " " or (at == len(text) - 1 and "/" not in text):
        return text  # "We're #1" and "C#" are names
    return text[:at]


def _without_ending(text: str) -> str:
    for _ in range(_ROUNDS):
        end = text.rfind(".")
        if end < 1 or text[end:].lower() not in _ENDINGS:
            break
        text = text[:end]
    return text


def _whole_number(text: str) -> str:
    found = _WHOLE.fullmatch(text) if "." in text else None
    return found[1] if found else text


_STEPS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("percent-encoding", _percent),
    ("HTML entities", _entities),
    ("bracket escapes", _brackets),
    ("Unicode form", _composed),
    ("underscore for a space", lambda text: text.replace("_", " ")),
    ("outer blanks", _outer_blanks),
    ("white space", _white_space),
    ("case", str.casefold),
    ("Unicode form", _composed),
    ("URL scheme", _without_scheme),
    ("fragment", _without_fragment),
    ("trailing slash", lambda text: text.rstrip("/ ") if text.endswith("/") else text),
    ("file ending", _without_ending),
    ("decimal zeros", _whole_number),
    ("leading zeros", lambda text: _ZEROS.sub("", text) if "0" in text else text),
)
"""What the folding takes off, in this order, and what people call it."""

DIFFERENCES: tuple[str, ...] = tuple(dict.fromkeys(name for name, _ in _STEPS))
"""Every difference that the folding knows, by the name that messages give it."""


def folded(written: str, *, but: str | None = None) -> str:
    """What is left of an id after the whole folding; ``but`` names one difference that is kept."""
    if _FOLDED_ALREADY.fullmatch(written):
        return written
    text = written
    for name, step in _STEPS:
        if name != but:
            text = step(text) or text  # no step leaves nothing
    return text


@lru_cache(maxsize=1 << 16)  # one pair is asked for by the join, the message and the withholding
def differences(one: str, other: str) -> tuple[str, ...]:
    """What differs between two spellings of one id, in the order of ``DIFFERENCES``; none where they are no spellings.

    Two ids with different fragments are two places of one text, and no spellings of each other.
    """
    if one == other:
        return ()
    if folded(one, but="fragment") == folded(other, but="fragment"):
        known = tuple(name for name in DIFFERENCES if name != "fragment")
    elif folded(one) == folded(other) and not (_has_fragment(one) and _has_fragment(other)):
        known = DIFFERENCES
    else:
        return ()
    needed = tuple(name for name in known if folded(one, but=name) != folded(other, but=name))
    return needed or _first_that_helps(one, other)


def _has_fragment(written: str) -> bool:
    return "#" in written and folded(written, but="fragment") != folded(written)


def _first_that_helps(one: str, other: str) -> tuple[str, ...]:
    """The first step after which two ids are equal, where several steps would make them so."""
    for name, step in _STEPS:
        if name != "fragment":
            one, other = step(one) or one, step(other) or other
        if one == other:
            return (name,)
    return ()


class Spellings:
    """The ids that somebody knows, to be looked up by what is left of them after folding."""

    def __init__(self, known: Iterable[str]) -> None:
        """Fold each known id once."""
        self.known = frozenset(known)
        self._whole: dict[str, str] = {}
        self._fragments: dict[str, str] = {}
        for one in sorted(self.known):
            with_fragment = folded(one, but="fragment")
            self._whole.setdefault(with_fragment, one)
            if "#" in one and (bare := folded(one)) != with_fragment:
                self._fragments.setdefault(bare, one)

    def near(self, found: str) -> str | None:
        """The known id that differs from ``found`` in spelling only; None without one, or where ``found`` is known."""
        if found in self.known:
            return None
        whole = folded(found, but="fragment")
        near = self._whole.get(whole)
        if near is not None:
            return near
        bare = folded(found) if "#" in found else whole
        return self._fragments.get(bare) if bare == whole else self._whole.get(bare)


def near_pairs(found: Iterable[str], known: Iterable[str]) -> list[tuple[str, str]]:
    """Each id of ``found`` that no id of ``known`` equals, with the known one that it is a spelling of.

    Every pair once, in the order of ``found``. Many ids are first compared by what no folding touches.
    """
    there = frozenset(known)
    left = [one for one in dict.fromkeys(found) if one not in there]
    if len(left) > _FEW and there:
        left, there = _alike(left, list(there))
    spellings = Spellings(there if left else ())
    return [(one, near) for one in left if (near := spellings.near(one)) is not None]


_FEW = 500
_SMALL = bytes.maketrans(bytes(range(65, 91)), bytes(range(97, 123)))
_FLEETING = bytes(sign for sign in range(1, 128) if not chr(sign).isalnum())
_LEADING = re.compile(rb"(?<![0-9])0+")
_SCHEMES = re.compile(rb"(?<![^\0])[\s_]*[A-Za-z][A-Za-z0-9+.-]{0,30}://(?=/?[^\s/_\0])")
_FRAGMENTS = re.compile(rb"(?<=[^\0\s_])#[^\0]*")
_TAILS = re.compile(rb"(?:\.(?:md|txt|html|pdf)){1,3}(?=[/\s_]*(?![^\0]))", re.IGNORECASE)
_BRACKETS = re.compile(rb"-(?:LRB|RRB|LSB|RSB|LCB|RCB|COLON)-", re.IGNORECASE)
_ENCODED = re.compile(rb"[%&]")
_BLANKS = re.compile(r"\s+")


def _alike(found: Sequence[str], known: Sequence[str]) -> tuple[list[str], frozenset[str]]:
    """Those of two lists that may be spellings of an id of the other: all that are, and few that are not."""
    here, there = (remains([one.encode("utf-8", "surrogatepass") for one in ids])[1] for ids in (found, known))
    common = set(here) & set(there)
    return (
        [one for one, rest in zip(found, here, strict=True) if rest in common],
        frozenset(one for one, rest in zip(known, there, strict=True) if rest in common),
    )


def remains(ids: Sequence[bytes]) -> tuple[list[bytes], list[bytes]]:
    """What no folding touches of each id, its letters and its digits without leading zeros; and of it without fragment.

    Spellings of one id are alike in the first, or in the second where at most one has a fragment. Ids are UTF-8 without
    NUL.
    """
    joined = b"\0".join(ids)
    if _ENCODED.search(joined):
        ids = [unescaped(one) if _ENCODED.search(one) else one for one in ids]
        joined = b"\0".join(ids)
    if not joined.isascii():
        if max(map(len, ids)) > _SHORT:
            joined = b"\0".join([one if one.isascii() else unescaped(one) for one in ids])
        else:
            text = _BLANKS.sub(" ", joined.decode("utf-8", "surrogatepass").translate(_INVISIBLE))
            text = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
            joined = text.encode("utf-8", "surrogatepass")
    if b"-" in joined:
        joined = _BRACKETS.sub(b"(", joined)
    if b"://" in joined:
        joined = _SCHEMES.sub(b"", joined)
    whole = _letters(joined)
    return whole, _letters(_FRAGMENTS.sub(b"", joined)) if b"#" in joined else whole


def _letters(joined: bytes) -> list[bytes]:
    if b"." in joined:
        joined = _TAILS.sub(b"", joined)
    if b"0" in joined:
        joined = _LEADING.sub(b"", joined)
    return joined.translate(_SMALL, _FLEETING).split(b"\0")


def unescaped(written: bytes) -> bytes:
    """An id folded but for its fragment, without NUL."""
    text = folded(written.decode("utf-8", "surrogatepass"), but="fragment").replace("\0", "")
    return text.encode("utf-8", "surrogatepass")


def is_systematic(explained: Iterable[Iterable[Hashable]], tables: Sequence[int] = ()) -> bool:
    """Whether one difference explains three or more near misses, or every id of a table: then it is an error.

    Args:
        explained: the differences of each near miss, every pair of ids once.
        tables: how many different ids each of the joined tables holds.
    """
    most = max(Counter(one for found in explained for one in set(found)).values(), default=0)
    return most >= SAME_FROM or (most > 0 and most in tables)


def folded_id(candidate: str) -> str:
    """An id without outer blanks, case and Unicode form alone: ids that are equal here never name two things."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", candidate.strip()).casefold())


def near_hint(found: str, known: Spellings) -> str:
    """``; 'n01' differs only in case``, where a known id does; else nothing."""
    near = known.near(found)
    if near is None:
        return ""
    told = f"differs only in {' and '.join(differences(found, near))}"
    return f"; {near!r} {told}" if folded_id(found) == folded_id(near) else f'; did you mean "{near}"? {near!r} {told}'
