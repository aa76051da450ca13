"""Results to text: one file a report, pure functions of a ``Result``."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from evaudit.reports.layout import Style
from evaudit.results import Result
from evaudit.visible import visible

REPORTS: tuple[str, ...] = ("table", "json", "jsonl", "csv", "markdown", "junit", "sarif", "trec_eval")
"""The names that ``--format`` takes; ``table`` is ``terminal_COMMAND``, the others are one file each."""


ESCAPED_THEMSELVES = frozenset({"json", "jsonl", "trec_eval"})
"""Formats for programs: their own rules say how a control character is written."""


def render(result: Result, report: str, exit_code: int, style: Style) -> str:
    """The text of ``result`` as ``report``; each report module offers ``render(result, exit_code, style)``.

    Raises:
        KeyError: ``report`` is not in ``REPORTS``.
    """
    if report not in REPORTS:
        raise KeyError(report)
    if report == "table":
        module = importlib.import_module(f"evaudit.reports.terminal_{result.command.split()[0]}")
        table: Callable[[Result, Style], str] = module.render
        return visible(table(result, style), color=style.color)
    module = importlib.import_module(f"evaudit.reports.{report}")
    text: Callable[[Result, int], str] = module.render
    return text(result, exit_code) if report in ESCAPED_THEMSELVES else visible(text(result, exit_code))
