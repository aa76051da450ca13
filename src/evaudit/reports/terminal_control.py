"""``control run`` for people: the same words as ``check``."""

from __future__ import annotations

from evaudit.reports.terminal_check import render

__all__ = ["render"]
