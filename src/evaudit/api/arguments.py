"""How the functions take what may be given in two ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol


class ArrowStream(Protocol):
    """A frame that hands out Arrow data, as those of pandas, polars, duckdb and pyarrow do."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The PyCapsule interface of Arrow."""


Frame = ArrowStream | Mapping[str, Sequence[object]] | Sequence[Mapping[str, object]]
"""A table in memory: Arrow data, columns by name, or one mapping a row."""

Table = str | Path | Frame
"""A table: a file or a frame."""

Document = str | Path | Mapping[str, object]
"""A YAML file, or what it would hold."""


def listed(values: Sequence[str] | str) -> list[str]:
    """One name, or several, as a list."""
    return [values] if isinstance(values, str) else list(values)
