"""Markdown to the words that are read: ``**21/43** ≈ `.4884` `` is 21/43 ≈ .4884."""

from __future__ import annotations

import html
import re

from evaudit.register.prose.html import without_tags
from evaudit.register.prose.latex import latex_signs
from evaudit.register.prose.lines import cut, replace_all

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_CODE = re.compile(r"(`+)([^`]+)\1")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_IMAGE_OR_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()\n]*\)|\[[^\[\]\n]*\])")
_FOOTNOTE = re.compile(r"\[\^[^\[\]\n]+\]:?")
_DEFINITION = re.compile(r"^ {0,3}\[[^\[\]\n]+\]:[ \t]+\S[^\n]*$", re.MULTILINE)
_AUTOLINK = re.compile(r"<([a-z][a-z0-9+.-]*:[^<>\s]*)>", re.IGNORECASE)
_FORMULA = re.compile(r"\$\$?([^$]*\\[^$]*)\$\$?")
_STARS = re.compile(r"(?<!\s)\*+|\*+(?!\s)")
_UNDERSCORES = re.compile(r"(?<![^\W_])_+(?=\S)|(?<=\S)_+(?![^\W_])")
_LINE_START = re.compile(r"^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d+[.)](?=[ \t])|#{1,6}(?=[ \t])))+", re.MULTILINE)
_RULE = re.compile(r"^[ \t|:=-]{3,}$", re.MULTILINE)


def markdown_words(text: str) -> str:
    """The words of a Markdown text, line for line; code keeps every sign."""
    return _words(text, keep_code=True)


def markdown_words_without_code(text: str) -> str:
    """The same with every fenced block of code left blank: what the author wrote, not what a program printed."""
    return _words(text, keep_code=False)


def _words(text: str, *, keep_code: bool) -> str:
    blocks: list[str] = []
    lines: list[str] = []
    fence = ""
    for line in cut(text, "<!--", "-->").split("\n"):
        match = _FENCE.match(line)
        if fence:
            closes = match is not None and match[1].startswith(fence) and not line.strip(" `~")
            blocks.append(line if keep_code and not closes else " ")
            fence = "" if closes else fence
        elif match:
            blocks += [_inline("\n".join(lines))] if lines else []
            blocks.append(" ")
            lines, fence = [], match[1]
        else:
            lines.append(line)
    return "\n".join([*blocks, *([_inline("\n".join(lines))] if lines else [])])


def _inline(text: str) -> str:
    text = _DEFINITION.sub("", text)
    text = _RULE.sub(" ", _LINE_START.sub(" ", text))
    parts, at = [], 0
    for code in _CODE.finditer(text):
        parts += [_marked(text[at : code.start()]), code[2]]
        at = code.end()
    return "".join([*parts, _marked(text[at:])])


def _marked(text: str) -> str:
    """``text`` without the marks of emphasis, links, images and tags."""
    text = replace_all(_FORMULA, lambda m: latex_signs(m[1]), text)
    text = _ESCAPE.sub(lambda m: chr(0xE000 + ord(m[1])), text)
    text = _FOOTNOTE.sub("", text)
    for _ in range(2):  # an image may stand in a link
        text = replace_all(_IMAGE_OR_LINK, r"\1", text)
    text = without_tags(_AUTOLINK.sub(r"\1", text))
    text = _STARS.sub("", _UNDERSCORES.sub("", text)).replace("~~", "").replace("|", " ")
    return html.unescape(re.sub(r"[\ue000-\ue07f]", lambda m: chr(ord(m[0]) - 0xE000), text))
