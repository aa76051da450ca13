"""HTML to the words that a browser shows: no tags, comments, scripts or styles, entities as characters."""

from __future__ import annotations

import html
import re

from evaudit.register.prose.lines import cut, replace_all

_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)[^<>]*>|<![^<>]*>|<\?[^<>]*>")
_HIDDEN = re.compile(r"<(script|style|template|noscript)\b[^<>]*>", re.IGNORECASE)
_INLINE = frozenset(
    re.findall(
        r"\w+",
        "a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark math mfrac mi mn mo mrow msub msup "
        "mtext output q s samp small span strike strong sub sup time tt u var wbr",
    )
)
"""Elements that do not part words; every other one does, as a line or cell of its own."""


def html_words(text: str) -> str:
    """The words of an HTML text, line for line."""
    return html.unescape(without_tags(_without_hidden(cut(text, "<!--", "-->"))))


def without_tags(text: str) -> str:
    """``text`` without its tags; entities stay."""
    return replace_all(_TAG, lambda m: "" if (m[1] or "").lower() in _INLINE else " ", text)


def _without_hidden(text: str) -> str:
    at = 0
    while match := _HIDDEN.search(text, at):
        closing = re.compile(rf"</{match[1]}\s*>", re.IGNORECASE).search(text, match.end())
        end = closing.end() if closing else len(text)
        text = text[: match.start()] + " " + "\n" * text.count("\n", match.start(), end) + text[end:]
        at = match.start()
    return text
