"""Files as people find them from the folder in which the command was run.

A result names every file relative to the root of its project, in places and within messages, so that it says the same
wherever it was made; ``root`` among its details says where that root lies, if it is another folder.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, cast

from evaudit.findings import Finding
from evaudit.results import Result


class Places:
    """How the files of one result are written for the reader.

    Args:
        root: where the root lies from here; ``.`` where the command was run from it.
        names: the files, relative to the root, that messages may name.
    """

    def __init__(self, root: str, names: Iterable[str]) -> None:
        self.root, self._names = root, names

    @classmethod
    def of(cls, result: Result) -> Places:
        """The places of a result."""
        return cls(str(result.details.get("root", ".")), _names(result))

    def path(self, name: object) -> str:
        """A file of the result as it is found from here."""
        path = str(name)
        return path if posixpath.isabs(path) else posixpath.relpath(posixpath.join(self.root, path))

    def text(self, text: str) -> str:
        """A text in which every file of the result is written as it is found from here."""
        return text if self.root == "." else self._pattern.sub(lambda match: self.path(match[0]), text)

    def finding(self, found: Finding) -> Finding:
        """The finding with its place, and the files of its message, as they are found from here."""
        where = found.where
        if where is not None and where.path is not None:
            where = replace(where, path=self.path(where.path))
        facts = {name: self.text(fact) if isinstance(fact, str) else fact for name, fact in found.facts.items()}
        return replace(found, facts=facts, where=where)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """Each name where it stands alone: not within a longer path or word."""
        names = sorted({n for n in self._names if n and not posixpath.isabs(n)}, key=len, reverse=True)
        return re.compile(rf"(?<![\w./-])(?:{'|'.join(map(re.escape, names))})(?![\w/-]|\.\w)" if names else r"(?!)")


def _names(result: Result) -> Iterable[str]:
    """The files that a result speaks of: read, missing, or the place of a finding or record."""
    details = result.details
    yield from (i.path for i in result.inputs)
    yield from cast("list[str]", details.get("missing_files", []))
    yield from (f.facts["file"] for f in result.findings if f.facts.get("file"))
    yield from (f.where.path for f in result.findings if f.where is not None and f.where.path is not None)
    checked = cast("Mapping[str, list[Mapping[str, Any]]]", details.get("checked", {}))
    yield from (str(c["path"]) for c in cast("list[Mapping[str, Any]]", details.get("inputs_changed", [])))
    entries = cast("list[Mapping[str, Any]]", details.get("entries", []))
    for record in (details, *entries, *(r for records in checked.values() for r in records)):
        yield from (str(record[key]) for key in ("path", "lock", "history", "text") if isinstance(record.get(key), str))
