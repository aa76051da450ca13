"""Grades as people write them: whole numbers from 0, or whatever a grade map names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evaudit.ranking.conventions import HIGHEST_GRADE, UNJUDGED

_WHOLE = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
_LONG = re.compile(r"\+?[0-9]{19,}", re.ASCII)


class GradeError(ValueError):
    """A grade that cannot be read; the message says what was expected."""


def read_grade(text: str, grade_map: Sequence[tuple[str, int | str]] = (), negative: bool = False) -> int | None:
    """What a grade counts as: an integer from 0, or None for a judgement that a grade map makes unjudged.

    ``negative`` lets a grade below 0 through as it is.

    Raises:
        GradeError: a negative, fractional or non-numeric grade that the map does not name.
    """
    for written, grade in grade_map:
        if text == written:
            return None if grade == UNJUDGED else int(grade)
    if _LONG.fullmatch(text):
        raise GradeError(
            f"expected a grade of at most {HIGHEST_GRADE}, found {text[:40]}; or declare a grade map for it"
        )
    if not _WHOLE.fullmatch(text):
        raise GradeError(f"expected a whole number from 0 as grade, found {text[:40]!r}; or declare a grade map for it")
    value = int(text)
    if value < 0 and not negative:
        raise GradeError(f"expected a grade from 0, found {value}; or say with a grade map what {value} counts as")
    if value > HIGHEST_GRADE:
        raise GradeError(f"expected a grade of at most {HIGHEST_GRADE}, found {value}; or declare a grade map for it")
    return value
