"""Numbers of things in sentences: ``1 need``, ``2 needs``."""

from __future__ import annotations


def counted(number: int, one: str, several: str | None = None) -> str:
    """The number with what it counts; ``several`` where its plural is more than an ``s`` at the end."""
    return f"{number} {one if number == 1 else several or f'{one}s'}"
