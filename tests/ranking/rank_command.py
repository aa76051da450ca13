"""``evaudit rank`` in process: what tests of the command share."""

from __future__ import annotations

from collections.abc import Sequence

from evaudit.cli import app


def run(arguments: Sequence[str]) -> int:
    """The exit code of the command; what it prints goes to the streams, and what stops it is raised."""
    return int(app(["rank", *map(str, arguments)], prog_name="evaudit", standalone_mode=False) or 0)
