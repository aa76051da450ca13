"""A project of its own for one test: files are written, the command is run, its answer is read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Answer = tuple[int, str, str]


class Workspace:
    """A folder with a root mark, in which files are written and the command is run."""

    def __init__(self, folder: Path, call: Callable[..., Answer]) -> None:
        self.folder = folder
        self.call = call

    def write(self, files: Mapping[str, str | bytes]) -> None:
        for name, content in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def run(self, *arguments: str) -> Answer:
        return self.call(*arguments)

    def json(self, *arguments: str, exit_code: int = 0) -> dict[str, Any]:
        code, out, err = self.run(*arguments, "--format", "json")
        assert code == exit_code, (out, err)
        return dict(json.loads(out))

    def figures(self, *arguments: str) -> dict[str, Any]:
        """Name to figure; of a group ``NAME[need=COLUMN=VALUE]``."""
        found = self.json(*arguments)["figures"]
        return {f["name"] + (f"[need={f['need']}]" if f["need"] else ""): f for f in found}

    def rules(self, *arguments: str) -> list[str]:
        """The findings of a cohort that must be withheld, in order."""
        result = self.json(*arguments, exit_code=1)
        assert {f["undefined"] for f in result["figures"]} == {"cohort-not-reconciled"}
        return [f["rule"] for f in result["findings"] if f["severity"] == "error"]


def counts(figure: Mapping[str, Any]) -> tuple[int | None, int | None]:
    return figure["num"], figure["den"]
