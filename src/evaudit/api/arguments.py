"""How the functions take what may be given in two ways."""

from __future__ import annotations

from collections.abc import Sequence


def listed(values: Sequence[str] | str) -> list[str]:
    """One name, or several, as a list."""
    return [values] if isinstance(values, str) else list(values)
