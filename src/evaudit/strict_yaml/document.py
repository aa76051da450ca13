"""A parsed document: its data, and where in the file each part of it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from evaudit.findings import Where

Path = tuple[str | int, ...]
"""The keys and 0-based list positions that lead to a part of a document."""

Mark = tuple[int, int]
"""1-based line and column."""

_SIMPLE_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def pointer(path: Path) -> str:
    """``$.controls[0].need``; a key with other signs is quoted: ``$.expect["P(bound=high)"]``."""
    steps = []
    for step in path:
        if isinstance(step, int):
            steps.append(f"[{step}]")
        elif _SIMPLE_KEY.fullmatch(step):
            steps.append(f".{step}")
        else:
            text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in step).replace('"', '\\"')
            steps.append(f'["{text if len(text) <= 80 else text[:79] + "…"}"]')
    return "$" + "".join(steps)


def has_step(node: object, step: str | int) -> bool:
    """Whether a key or list position exists in a part of a document."""
    if isinstance(node, list):
        return isinstance(step, int) and 0 <= step < len(node)
    return isinstance(node, dict) and step in node


@dataclass(frozen=True, slots=True)
class Document:
    """What ``load`` gives: ``data`` is made of dict (text keys), list and ``fields.Scalar`` only.

    Attributes:
        path: the file's name as findings give it.
        data: the top-level mapping.
        marks: path to the line and column where the value there begins.
        key_marks: path to the line and column where the key of that value stands.
        damaged: paths whose value was refused while parsing; errors of fields there would only repeat it.
    """

    path: str
    data: dict[str, object]
    marks: Mapping[Path, Mark]
    key_marks: Mapping[Path, Mark] = field(default_factory=dict)
    damaged: frozenset[Path] = frozenset()

    def at(self, path: Path) -> object:
        """The part at ``path``; KeyError where it does not exist."""
        node: object = self.data
        for step in path:
            if not has_step(node, step):
                raise KeyError(pointer(path))
            node = node[step]  # type: ignore[index]  # has_step has looked
        return node

    def where(self, path: Path = (), *, key: bool = False) -> Where:
        """The place of the value at ``path`` (or of its ``key``); a missing part stands at its parent's place."""
        mark = self.key_marks.get(path) if key else None
        known = path
        while known and known not in self.marks:
            known = known[:-1]
        line, column = mark or self.marks.get(known, (1, 1))
        return Where(self.path, line, column, pointer(path))
