r"""LaTeX as tokens: commands, braces, signs and words, each with its place; comments are gone."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"(?P<command>\\(?P<name>[A-Za-z@]+)\*?)(?:[ \t]+(?!\n[ \t]*\n)|[ \t]*\n[ \t]*(?!\n|[ \t]))?"
    r"|(?P<symbol>\\[^A-Za-z@])|(?P<comment>%[^\n]*(?:\n[ \t]*(?!\n))?)|(?P<par>\n[ \t]*(?:\n[ \t]*)+)"
    r"|(?P<sign>[{}\[\]&~^_#]|\$\$?)|(?P<text>[^\\%{}\[\]$&~^_#\n]+|\n)|(?P<lone>\\)",
    re.DOTALL,
)
_VERBATIM = re.compile(r"\\begin\s*\{((?:[vV]erbatim|lstlisting|minted|filecontents|comment|tikzpicture|CCSXML)\*?)\}")
_INLINE = re.compile(r"\\(?:verb\*?|lstinline)([^A-Za-z\s*{\[])")
UNSHOWN = frozenset(["comment", "filecontents", "tikzpicture", "CCSXML"])
"""Environments whose content is not read as text."""


@dataclass(frozen=True, slots=True)
class Token:
    r"""One token: its kind, its text (``em`` of ``\em*``), and where it stands."""

    kind: str
    text: str
    at: int


def tokens_of(source: str, base: int = 0) -> list[Token]:
    """The tokens of a LaTeX text; what stands behind its end is none."""
    return list(_tokens(source, base))


def _tokens(source: str, base: int) -> Iterator[Token]:
    at = 0
    while at < len(source):
        if source.startswith("\\end{document}", at):
            return
        if match := _VERBATIM.match(source, at):
            at = yield from _verbatim(source, match, base)
            continue
        if (match := _INLINE.match(source, at)) and (end := source.find(match[1], match.end())) >= 0:
            yield Token("verbatim", source[match.end() : end], base + match.end())
            at = end + 1
            continue
        token = _TOKEN.match(source, at)
        assert token is not None  # every character begins a token
        if token["name"] is not None:
            yield Token("command", token["name"], base + at)
        elif token["comment"] is None:
            yield Token(token.lastgroup or "text", token[0], base + at)
        at = token.end()


def _verbatim(source: str, match: re.Match[str], base: int) -> Generator[Token, None, int]:
    """The content of a verbatim environment; returns where what follows begins."""
    closing = f"\\end{{{match[1]}}}"
    end = source.find(closing, match.end())
    begin = match.end()
    if end < 0:
        yield Token("unclosed", match[1], base + match.start())
        return len(source)
    if match[1].rstrip("*") == "tikzpicture":
        yield Token("unread", match[1], base + match.start())
    if match[1].rstrip("*") not in UNSHOWN:
        yield Token("verbatim block", source[begin:end], base + begin)
    return end + len(closing)


def matches(tokens: list[Token]) -> dict[int, int]:
    """Where each opening brace closes, by position."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for i, token in enumerate(tokens):
        if token.kind == "sign" and token.text == "{":
            opened.append(i)
        elif token.kind == "sign" and token.text == "}" and opened:
            found[opened.pop()] = i
    return found
