"""What a YAML syntax error means, in words for people who write the file."""

from __future__ import annotations

import re

from evaudit.strict_yaml.decoding import line_column
from evaudit.strict_yaml.document import Mark

_BEYOND_UNICODE = re.compile(r"\\U(?!00(?:0[0-9A-Fa-f]|10))[0-9A-Fa-f]{8}")

_WORDS: tuple[tuple[str, str], ...] = (
    (
        r"'\\t'",
        'expected blanks, found a tab; use blanks, and write "\\t" in double quotes where a text has a tab',
    ),
    (r"mapping values are not allowed", "expected one value, found a second `: ` in it; put the text in quotes"),
    (
        r"could not find expected ':'",
        "expected `key: value`, found no colon after the key; add it, or put the text in quotes",
    ),
    (
        r"character '[%@`]' that cannot start",
        "expected a text, found a sign that YAML keeps for itself; put the text in quotes",
    ),
    (
        r"unknown escape character|escape sequence",
        "expected a known escape, found another; in double quotes write \\\\ for a backslash",
    ),
    (r"while scanning a quoted scalar", "expected a closing quote, found none; close the quote"),
    (
        r"while parsing a block mapping",
        "expected the next key in the same column, found something else; check indentation and quotes",
    ),
    (
        r"while parsing a block collection",
        "expected the next `- ` in the same column, found something else; check the indentation",
    ),
    (
        r"while parsing a flow",
        "expected `,` or the closing bracket, found something else; close the bracket or quote the text",
    ),
    (
        r"undefined tag handle|scanning a tag",
        "expected no tag, found one; remove it: the field decides how a value is read",
    ),
    (r"scanning an? (alias|anchor)", "expected a value, found & or *; put the text in quotes"),
    (r"block scalar", "expected the text below | or > to be indented, found another form; indent it with blanks"),
    (r"directive", "expected no directive, found a % line; remove it"),
    (r"expected '?<document start>", "expected one mapping, found more after its end; check the indentation"),
)


def syntax_message(error: Exception, text: str) -> tuple[str, Mark]:
    """The message and the 1-based line and column of a parser's error."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is None:
        match = _BEYOND_UNICODE.search(text)
        message = "expected a character of Unicode, found an escape beyond U+10FFFF; write the character itself"
        return message, line_column(text[: match.start()] if match else "")
    place = (mark.line + 1, mark.column + 1)
    told = f"{getattr(error, 'context', None) or ''} {getattr(error, 'problem', None) or ''}"
    for pattern, words in _WORDS:
        if re.search(pattern, told):
            return words + _opened(error), place
    return "expected YAML, found something that cannot be read as such; check indentation, quotes and brackets", place


def _opened(error: Exception) -> str:
    """Where the thing began that the parser could not finish."""
    context, problem = getattr(error, "context_mark", None), getattr(error, "problem_mark", None)
    if context is None or problem is None or context.line == problem.line:
        return ""
    return f" (it began in line {context.line + 1})"
