"""The reverse check of a shown figure: which counts over a denominator can round to its digits (GRIM)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from evaudit.errors import UsageError
from evaudit.findings import Finding, finding
from evaudit.numerals import parse_shown
from evaudit.results import Result
from evaudit.rounding import Shown, check_shown, possible_counts

LISTED = 1000
"""Counts that are listed; the others lie between the first and the last of them."""


def audit_possible(shown: str, of: Sequence[int]) -> Result:
    """Every count over each denominator that rounds to a shown figure, under half-even and under half-up.

    Args:
        shown: the digits as printed: ``.4884``, ``48.84%``, ``21/43``.
        of: denominators, each from 1.

    Raises:
        UsageError: the figure cannot be read, or a denominator is below 1.
    """
    try:
        figure = parse_shown(shown)
    except ValueError as error:
        raise UsageError(f"--possible: {error}") from None
    if bad := [n for n in of if n < 1]:
        raise UsageError(f"--of {bad[0]}: expected a whole number from 1")
    records = [_record(figure, n) for n in of]
    findings: list[Finding] = []
    for n, record in zip(of, records, strict=True):
        if not record["total"]:
            message = f"no count over {n} rounds to {figure.text}, half-even or half-up; look for another denominator"
            findings.append(finding("figure-impossible", message))
    return Result("decisions", {"name": "book"}, findings=findings, details={"possible": records})


def _record(figure: Shown, n: int) -> dict[str, object]:
    fits = possible_counts(n, figure)
    counts: list[dict[str, object]] = []
    for num in fits[:LISTED]:
        value = Fraction(num, n)
        even, up = (check_shown(value, figure, rounding) for rounding in ("half-even", "half-up"))
        counts.append({"num": num, "half-even": even.right, "half-up": up.right, "both": even.holds and up.holds})
    ends = [fits[0], fits[-1]] if fits else None
    return {"shown": figure.text, "of": n, "total": len(fits), "ends": ends, "counts": counts}
