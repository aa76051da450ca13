"""The texts that the registers of a project name: what ``register scan`` looks through where it is given none."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from evaudit.errors import NothingToCheckError
from evaudit.register.project import Project, discover


def quoted_texts(start: Path, root: Path | None = None) -> list[Path]:
    """Every text of the project around ``start`` that a register quotes or leaves out, once, in order of path.

    A text that is gone is among them, so that whoever reads it says so.

    Raises:
        NothingToCheckError: there is no register, or it names no text.
    """
    project = discover([start], root)
    found = sorted(set(_named(project)))
    if not found:
        raise NothingToCheckError(f"{start}: no register names a text; name the texts that are scanned")
    return found


def _named(project: Project) -> Iterator[Path]:
    workspace = project.workspace
    for register in project.registers:
        written = [e.at.file for e in register.model.entries if e.at.file is not None]
        for text in dict.fromkeys([*written, *(n.file for n in register.model.no_claims)]):
            beside = workspace.resolve(register, text)
            below = workspace.root / text
            yield below if not os.path.exists(beside) and os.path.exists(below) else beside  # noqa: PTH110  (perhaps too long)
