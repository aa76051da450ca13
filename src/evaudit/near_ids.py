"""Ids that a person takes for one and that are two: they differ in outer blanks, in case or in Unicode form."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable


def folded_id(candidate: str) -> str:
    """An id without outer blanks, case and Unicode form: ids that are equal here are two spellings of one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", candidate.strip()).casefold())


def by_fold(known: Iterable[str]) -> dict[str, str]:
    """The known ids by what they are without blanks, case and Unicode form."""
    return {folded_id(one): one for one in known}


def near_hint(found: str, known: dict[str, str]) -> str:
    """``; 'n01' differs only in case``, where a known id (as ``by_fold`` gives them) does; else nothing."""
    near = known.get(folded_id(found))
    if near is None or near == found:
        return ""
    ways = []
    if near != near.strip() or found != found.strip():
        ways.append("outer blanks")
    one, other = (unicodedata.normalize("NFC", text.strip()) for text in (near, found))
    if one != other:
        ways.append("case")
    return f"; {near!r} differs only in {' and '.join(ways) or 'Unicode form'}"
