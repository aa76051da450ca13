"""The one reader of numbers in texts: what a sentence, a quote, a claim or a field ``shown:`` states.

    text  ──▶  runs: figures (value, digits, sign, unit, scale, place), names and dates that are none

Scan, verify, add and the check of claims all read through here; nothing else looks for digits in prose.
"""

from __future__ import annotations

import re

from evaudit.numerals.figure import Run, StatedFigure
from evaudit.numerals.scanner import figures_in, runs_in
from evaudit.numerals.style import USUAL, NumberStyle
from evaudit.rounding import Shown

__all__ = [
    "USUAL",
    "NumberStyle",
    "Run",
    "Shown",
    "StatedFigure",
    "figures_in",
    "parse_digits",
    "parse_shown",
    "runs_in",
]


_BLANKS = re.compile(r"[ \t\n]+")


def parse_shown(text: str, style: NumberStyle = USUAL) -> Shown:
    """Read a shown figure of any form: the text is one figure and nothing else.

    Raises:
        ValueError: it is none, or more than one; the message names the forms.
    """
    written = _BLANKS.sub(" ", text.strip())
    if written.endswith(".") and written[-2:-1].isdigit():
        written = written[:-1]
    found = list(runs_in(written, NumberStyle(style.group, style.decimal, "fraction")))
    figure = (found[0].figure or found[0].lone) if len(found) == 1 else None
    if figure is None or figure.shown is None or (figure.start, figure.end) != (0, len(written)):
        told = f": it could be {figure.why}" if figure is not None and figure.why else ""
        raise ValueError(f"expected digits such as .4884, 0.4884 or 48.84%, found {text!r}{told}")
    return figure.shown.named(text.strip())


def parse_digits(text: str) -> Shown:
    """Read a decimal number or a percentage, without groups, words or exponent.

    Raises:
        ValueError: it is neither.
    """
    if not set(text.strip()) <= _PLAIN:
        raise ValueError(f"expected digits such as .4884, 0.4884 or 48.84%, found {text!r}")
    return parse_shown(text)


_PLAIN = frozenset("0123456789.%+-− ")
"""What a decimal string is written with."""
