"""``evaudit init``: a small project that checks, to start from."""

from __future__ import annotations

import os
from contextlib import suppress
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
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
    written = _write(folder, files)
    for name in sorted(written):
        write_text(one_line(f"wrote {folder / name}"))
    write_text(one_line(f"next: evaudit check {folder}"))


def _write(folder: Path, files: list[tuple[str, bytes]]) -> list[str]:
    """Write and freeze the files in a folder beside, then move them into place; returns their names."""
    top = next(p for p in (folder.absolute(), *folder.absolute().parents) if p.exists())
    made: list[Path] = []
    try:
        with TemporaryDirectory(dir=top, prefix=".evaudit-init.") as temporary:
            aside = Path(temporary)
            for name, content in files:
                (aside / name).parent.mkdir(parents=True, exist_ok=True)
                (aside / name).write_bytes(content)
            names = [name for name, _ in files]
            names += _freeze(aside) if any(name.endswith("calculation.yaml") for name in names) else []
            for name in names:
                target = folder / name
                for parent in reversed([p for p in target.parents if not p.exists()]):
                    parent.mkdir()
                    made.append(parent)
                (aside / name).rename(target)
                made.append(target)
    except (OSError, UnreadableInputError) as error:
        for path in reversed(made):
            with suppress(OSError):  # a folder that another process has put a file into
                path.rmdir() if path.is_dir() else path.unlink()
        reason = error.strerror if isinstance(error, OSError) else error
        raise UnreadableInputError(f"{folder}: cannot be written ({reason}); nothing was written") from error
    return names


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
    return ["controls/screening/calculation.lock.json"]
