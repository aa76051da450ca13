"""reStructuredText to the words that are read: no roles, emphasis, targets or comments."""

from __future__ import annotations

import re

from evaudit.register.prose.latex import latex_signs
from evaudit.register.prose.lines import replace_all

_SUBSTITUTION = re.compile(r"^\.\. \|([^|\n]+)\| replace:: *([^\n]*)$", re.MULTILINE)
_DIRECTIVE = re.compile(r"^(\s*)\.\. ([a-zA-Z][\w:.-]*)::(.*)$")
_EXPLICIT = re.compile(r"^(\s*)\.\.(?:\s|$)")
_TARGET = re.compile(r"^\s*\.\. _[^\n]*$")
_NOTE = re.compile(r"^(\s*)\.\. \[[^\]\n]+\] ?")
_LITERAL = re.compile(r"``([^`]+)``")
_MATH = re.compile(r":math:`([^`]*)`")
_ROLE = re.compile(r"(?::[a-zA-Z][\w:.+-]*:)?`([^`]*)`(?:__?|:[a-zA-Z][\w:.+-]*:)?")
_REFERENCE = re.compile(r"(?<=\w)__?(?!\w)|\[[^\[\]\s]+\]_")
_STARS = re.compile(r"(?<![\s*])\*{1,2}|\*{1,2}(?![\s*])")
_ADORNMENT = re.compile(r"^([=\-~^\"'`#*+.:])\1{2,}[ \t=\-~+|]*$", re.MULTILINE)


def restructured_words(text: str) -> str:
    """The words of a reStructuredText, line for line."""
    named = {m[1]: m[2] for m in _SUBSTITUTION.finditer(text)}
    text = _ADORNMENT.sub(" ", _without_markup_lines(text))
    text = re.sub(r"\|([^|\n]+)\|_{0,2}", lambda m: named.get(m[1], m[0]), text).replace("|", " ")
    parts, at = [], 0
    for code in _LITERAL.finditer(text):
        parts += [_marked(text[at : code.start()]), code[1]]
        at = code.end()
    return "".join([*parts, _marked(text[at:])])


def _marked(text: str) -> str:
    text = replace_all(_MATH, lambda m: latex_signs(m[1]), text)
    text = replace_all(_ROLE, lambda m: re.sub(r"\s*<[^<>]*>$", "", m[1]), text)
    text = _STARS.sub("", _REFERENCE.sub("", text))
    return re.sub(r"\\(\s?)", "", text)


def _without_markup_lines(text: str) -> str:
    """Comments, targets and substitutions as empty lines; a directive as its argument, its content stays."""
    out: list[str] = []
    hidden: int | None = None  # indent of the comment that is being left out
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if hidden is not None and (not line.strip() or indent > hidden):
            out.append("")
            continue
        hidden = None
        if note := _NOTE.match(line):
            out.append(line[note.end() :])
        elif directive := _DIRECTIVE.match(line):
            out.append(directive[3] if directive[2] != "math" else latex_signs(directive[3]))
        elif _EXPLICIT.match(line):
            out.append("")
            hidden = None if _TARGET.match(line) else indent
        else:
            out.append(line)
    return "\n".join(out)
