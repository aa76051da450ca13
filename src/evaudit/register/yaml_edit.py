"""Change single values in a YAML text and nothing else: comments, order and line ends stay as they were written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

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
    end = _token_end(line, at)
    plain = text.replace("/", "").isdigit() and line[at : at + 1] not in ("'", '"')
    return f"{line[:at]}{text if plain else json.dumps(text, ensure_ascii=False)}{line[end:]}"


def _token_end(line: str, at: int) -> int:
    """Where the scalar or mapping ends that begins at ``at``."""
    if at < len(line) and line[at] in "\"'":
        quote, end = line[at], at + 1
        while end < len(line) and line[end] != quote:
            end += 2 if quote == '"' and line[end] == "\\" else 1
        return end + 1
    if at < len(line) and line[at] == "{":
        return line.find("}", at) + 1 or len(line)
    ends = [line.find(sign, at) for sign in (",", "}", "]", " #", "\r")]
    end = min((e for e in ends if e >= 0), default=len(line))
    return at + len(line[at:end].rstrip())


def with_flag(raw: bytes, name: str, values: Sequence[Path], key: str) -> bytes:
    """``raw`` with ``key: yes`` behind the scalar at each path of ``values``, in the mapping that holds it.

    Raises:
        UsageError: a place is written in a way that is not changed safely; nothing was changed.
    """
    document = strict_yaml.load(raw, name)
    lines = raw.decode("utf-8").split("\n")
    for path in sorted(values, key=lambda p: document.marks[p], reverse=True):
        line, column = document.marks[path]
        text = lines[line - 1]
        end = _token_end(text, column - 1)
        if text.lstrip().startswith(f"{path[-1]}:"):
            carriage = "\r" if text.endswith("\r") else ""
            lines.insert(line, f"{text[: len(text) - len(text.lstrip())]}{key}: yes{carriage}")
        else:
            lines[line - 1] = f"{text[:end]}, {key}: yes{text[end:]}"
    changed = "\n".join(lines).encode("utf-8")
    flags: list[Path] = [(*path[:-1], key) for path in values]
    try:
        new = strict_yaml.load(changed, name)
        same = all(new.at(flag) == "yes" for flag in flags) and _left_out(new.data, (), frozenset(flags)) == _blanked(
            document.data, (), frozenset()
        )
    except Exception:  # whatever went wrong, the file is not the one that was meant
        same = False
    if not same:
        raise UsageError(f"{name}: cannot be changed safely as it is written; write `{key}: yes` beside the new values")
    return changed


def _left_out(node: object, path: Path, gone: frozenset[Path]) -> object:
    """The data without the places that were added."""
    if isinstance(node, dict):
        kept = {k: v for k, v in node.items() if (*path, k) not in gone}
        return {key: _left_out(value, (*path, key), gone) for key, value in kept.items()}
    if isinstance(node, list):
        return [_left_out(value, (*path, n), gone) for n, value in enumerate(node)]
    return str(node)


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
