"""Replacing parts of a text without changing the number of its lines."""

from __future__ import annotations

import re
from collections.abc import Callable


def keep_lines(old: str, new: str) -> str:
    """``new`` with as many line ends as ``old`` has, at least."""
    return new + "\n" * max(old.count("\n") - new.count("\n"), 0)


def replace_all(pattern: re.Pattern[str], new: str | Callable[[re.Match[str]], str], text: str) -> str:
    """``pattern.sub`` that keeps line ends; ``new`` as there."""

    def replaced(match: re.Match[str]) -> str:
        return keep_lines(match[0], match.expand(new) if isinstance(new, str) else new(match))

    return pattern.sub(replaced, text)


def cut(text: str, opens: str, closes: str) -> str:
    """``text`` without everything from ``opens`` to ``closes``; what is never closed is cut to the end."""
    out, at = [], 0
    while (begin := text.find(opens, at)) >= 0:
        end = text.find(closes, begin + len(opens))
        after = len(text) if end < 0 else end + len(closes)
        out += [text[at:begin], keep_lines(text[begin:after], "")]
        at = after
    return "".join([*out, text[at:]])
