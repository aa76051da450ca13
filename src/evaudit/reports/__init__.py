"""Results to text: one file a report, pure functions of a ``Result``."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from evaudit.reports.layout import Style
from evaudit.results import Result
from evaudit.visible import json_text, visible

REPORTS: tuple[str, ...] = ("table", "json", "jsonl", "csv", "markdown", "junit", "sarif", "trec_eval")
"""The names that ``--format`` takes; ``table`` is ``terminal_COMMAND``, the others are one file each."""


_JSON = frozenset({"json", "jsonl", "sarif"})
"""Formats that write a control character as JSON does; ``trec_eval`` leaves it as it is, and the others show it."""


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
    shown = text(result, exit_code)
    if report == "trec_eval":
        return shown
    return json_text(shown) if report in _JSON else visible(shown)
