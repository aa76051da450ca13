"""Fenced divs of Quarto, ``::: {.callout-note}``: the lines of their fences are no words."""

from __future__ import annotations

import re

from evaudit.register.prose.page import Page

_CODE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_FENCE = re.compile(r"[ \t>]*(?P<colons>:{3,})[ \t]*(?P<attributes>.*?)[ \t:]*$")
_SHOWN = re.compile(
    r"\{(?:[\s]+|[.#](?:callout-[a-z]+|column[\w-]*|aside|panel-tabset|(?:fig|tbl|lst|eq|thm)-[\w-]+)(?=[\s}])"
    r"|layout[\w-]*=\"?[\[\]\w., %-]*\"?)*\}"
)


def without_fences(text: str, page: Page) -> str:
    """The text with the fences of its divs as blank lines, as long as before; a div that could hide is a warning."""
    out, at, code = [], 0, ""
    for line in text.split("\n"):
        if mark := _CODE.match(line):
            code = "" if code and mark[1].startswith(code) else code or mark[1]
        fence = None if code else _FENCE.match(line)
        if fence is not None:
            if fence["attributes"] and not _SHOWN.fullmatch(fence["attributes"]):
                page.warn(at, "a fenced div is read as if it were shown: its attributes could hide it")
            out.append(" " * len(line))
        else:
            out.append(line)
        at += len(line) + 1
    return "\n".join(out)
