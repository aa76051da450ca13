"""What stands twice where it may stand once."""

from __future__ import annotations

from collections.abc import Iterable


def first_again(values: Iterable[str]) -> str | None:
    """The first value that stands there for the second time; None where each stands once."""
    seen: set[str] = set()
    for value in values:
        if value in seen:
            return value
        seen.add(value)
    return None
