"""Change single values in a YAML text and nothing else: comments, order and line ends stay as they were written."""

from __future__ import annotations

import json
from collections.abc import Mapping

from evaudit import strict_yaml
from evaudit.errors import UsageError
from evaudit.strict_yaml import Document, Path


def with_values(raw: bytes, document: Document, values: Mapping[Path, str]) -> bytes:
    """``raw`` with the scalar at each path of ``values`` as the new text, quoted where it was or must be.

    Raises:
        UsageError: a value is written in a way that is not changed safely; nothing was changed.
    """
    lines = raw.decode("utf-8").split("\n")
    for path, text in sorted(values.items(), key=lambda item: document.marks[item[0]], reverse=True):
        line, column = document.marks[path]
        lines[line - 1] = _with_token(lines[line - 1], column - 1, text)
    changed = "\n".join(lines).encode("utf-8")
    try:
        same = _without(strict_yaml.load(changed, document.path), values) == _without(document, values)
        new = strict_yaml.load(changed, document.path)
        same = same and all(new.at(path) == text for path, text in values.items())
    except Exception:  # whatever went wrong, the file is not the one that was meant
        same = False
    if not same:
        places = ", ".join(f"{document.where(p).text()}" for p in values)
        raise UsageError(f"{places}: cannot be changed safely as it is written; write the new value by hand: "
                         f"{', '.join(values.values())}")  # fmt: skip
    return changed


def _with_token(line: str, at: int, text: str) -> str:
    if at < len(line) and line[at] in "\"'":
        quote, end = line[at], at + 1
        while end < len(line) and line[end] != quote:
            end += 2 if quote == '"' and line[end] == "\\" else 1
        return f"{line[:at]}{json.dumps(text, ensure_ascii=False)}{line[end + 1 :]}"
    if at < len(line) and line[at] == "{":
        end = line.find("}", at) + 1 or len(line)
    else:
        ends = [line.find(sign, at) for sign in (",", "}", "]", " #", "\r")]
        end = min((e for e in ends if e >= 0), default=len(line))
    plain = text.replace("/", "").isdigit()
    old = line[at:end]
    tail = old[len(old.rstrip()) :]
    return f"{line[:at]}{text if plain else json.dumps(text, ensure_ascii=False)}{tail}{line[end:]}"


def _without(document: Document, values: Mapping[Path, str]) -> object:
    """The data with the changed places blanked."""
    return _blanked(document.data, (), frozenset(values))


def _blanked(node: object, path: Path, gone: frozenset[Path]) -> object:
    if path in gone:
        return None
    if isinstance(node, dict):
        return {key: _blanked(value, (*path, key), gone) for key, value in node.items()}
    if isinstance(node, list):
        return [_blanked(value, (*path, n), gone) for n, value in enumerate(node)]
    return str(node)
