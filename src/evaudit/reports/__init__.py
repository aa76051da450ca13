"""Results to text: one file a report, pure functions of a ``Result``."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from evaudit.reports.layout import Style
from evaudit.results import Result
from evaudit.visible import json_text, visible


@dataclass(frozen=True, slots=True)
class Report:
    """A form in which results are printed.

    Attributes:
        name: what ``--format`` takes; ``table`` is ``terminal_COMMAND``, each other one a file of its own.
        endings: endings of ``-o FILE``, in lower case, that stand for it.
        only: the commands that offer it; all where it is empty.
        never: commands that do not offer it.
        holds: the least severe findings that it has a place for; None where it has figures only.
        controls: whether a control character is shown, written as JSON does, or left as it is.
    """

    name: str
    endings: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    holds: Literal["note", "warning"] | None = "note"
    controls: Literal["shown", "json", "kept"] = "shown"


REPORTS: dict[str, Report] = {
    report.name: report
    for report in (
        Report("table", endings=("", ".txt")),
        Report("json", endings=(".json",), controls="json"),
        Report("jsonl", endings=(".jsonl",), controls="json"),
        Report("csv", endings=(".csv",), holds=None),
        Report("markdown", endings=(".md", ".markdown")),
        Report("junit", never=("explain",), holds="warning"),
        Report("sarif", endings=(".sarif",), never=("explain",), controls="json"),
        Report("trec_eval", only=("rank",), holds=None, controls="kept"),
    )
}
"""Every report by its name; a new one is its file and its line here."""


def offered(command: str) -> list[Report]:
    """The reports that a command offers; the first is its default."""
    return [one for one in REPORTS.values() if command not in one.never and (not one.only or command in one.only)]


def render(result: Result, report: str, exit_code: int, style: Style) -> str:
    """The text of ``result`` as ``report``; each report module offers ``render(result, exit_code, style)``.

    Raises:
        KeyError: ``report`` is not in ``REPORTS``.
    """
    controls = REPORTS[report].controls
    if report == "table":
        module = importlib.import_module(f"evaudit.reports.terminal_{result.command.split()[0]}")
        table: Callable[[Result, Style], str] = module.render
        return visible(table(result, style), color=style.color)
    module = importlib.import_module(f"evaudit.reports.{report}")
    text: Callable[[Result, int], str] = module.render
    shown = text(result, exit_code)
    if controls == "kept":
        return shown
    return json_text(shown) if controls == "json" else visible(shown)
