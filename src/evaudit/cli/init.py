"""``evaudit init``: a small project that checks, to start from."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from evaudit.cli.printing import write_text
from evaudit.errors import UnreadableInputError, UsageError
from evaudit.visible import one_line

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

Starter = Literal["evidence", "decisions", "ranking", "register"]

STARTERS: dict[str, tuple[str, ...]] = {
    "evidence": ("evidence",),
    "decisions": ("decisions",),
    "ranking": ("ranking",),
    "register": ("decisions", "register"),
}
"""Starter and the folders of ``starters/`` that it copies; without ``--starter`` all of them are copied."""

LOCK = "controls/screening/calculation.lock.json"
"""What is written for this version, and not copied."""


def init(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where to put it.")] = Path(),
    starter: Annotated[Starter | None, typer.Option("--starter", help="Only this part; default: all of them.")] = None,
) -> None:
    """Write a small project that `evaudit check` reproduces, to start from."""
    parts = STARTERS[starter] if starter else tuple(dict.fromkeys(p for ps in STARTERS.values() for p in ps))
    files = [file for part in parts for file in _files(resources.files("evaudit.cli") / "starters" / part)]
    taken = [name for name, _ in files if os.path.lexists(folder / name)]
    if taken:
        raise UsageError(f"{folder / taken[0]} exists already; nothing was written. Name another folder.")
    blocked = [p for name, _ in files for p in (folder / name).parents if p.exists() and not p.is_dir()]
    if blocked:
        raise UsageError(f"{blocked[0]} is a file, so no folder can stand there; nothing was written")
    with _all_or_none(folder, [*(name for name, _ in files), LOCK]):
        for name, content in files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        frozen = _freeze(folder) if any(name.endswith("calculation.yaml") for name, _ in files) else []
    for name in sorted([name for name, _ in files] + frozen):
        write_text(one_line(f"wrote {folder / name}"))
    write_text(one_line(f"next: evaudit check {folder}"))


@contextmanager
def _all_or_none(folder: Path, names: list[str]) -> Iterator[None]:
    """Remove every file and folder that was made for ``names``, unless all of them are written.

    Raises:
        UnreadableInputError: one of them cannot be written.
    """
    new = dict.fromkeys(
        p for name in names for p in [folder / name, *(folder / name).parents] if not os.path.lexists(p)
    )
    try:
        yield
    except BaseException as error:
        for path in sorted(new, key=lambda p: len(p.parts), reverse=True):
            with suppress(OSError):  # not made, or a folder that another process has put a file into
                path.rmdir() if path.is_dir() else path.unlink()
        if isinstance(error, OSError):
            told = f"{error.filename or folder}: cannot be written ({error.strerror}); nothing was written"
            raise UnreadableInputError(told) from error
        raise


def _files(top: Traversable, prefix: str = "") -> list[tuple[str, bytes]]:
    """Every file below ``top`` as relative POSIX name and content."""
    found: list[tuple[str, bytes]] = []
    for item in sorted(top.iterdir(), key=lambda i: i.name):
        name = f"{prefix}{item.name}"
        found += _files(item, f"{name}/") if item.is_dir() else [(name, item.read_bytes())]
    return found


def _freeze(folder: Path) -> list[str]:
    """Freeze the starter's calculation, so that its lock fits this version; returns what was written."""
    from evaudit.register.freeze import freeze

    calculation = folder / "controls" / "screening" / "calculation.yaml"
    freeze(calculation)
    return [LOCK]
