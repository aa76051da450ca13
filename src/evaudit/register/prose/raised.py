"""What is set above or below the line, as characters that no number swallows: ``10⁴`` is not 104."""

from __future__ import annotations

_RAISED = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
_DIGITS = frozenset("0123456789+-−")


def raised(text: str, before: str) -> str:
    """A superscript behind the character ``before``: digits as raised ones, anything else behind ``^`` if it must."""
    if set(text) <= _DIGITS:
        return text.translate(_RAISED)
    return f"^{text}" if before.isdigit() and text[:1].isdigit() else text


def lowered(text: str, before: str) -> str:
    """A subscript behind the character ``before``, kept apart from a number."""
    return f"_{text}" if before.isdigit() and text[:1].isdigit() else text
