"""What the ending of ``-o FILE`` says about the form of the result, where no ``--format`` does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from evaudit.errors import UsageError

FORMATS = {
    "": "table",
    ".txt": "table",
    ".md": "markdown",
    ".markdown": "markdown",
    ".json": "json",
    ".jsonl": "jsonl",
    ".csv": "csv",
    ".sarif": "sarif",
}
"""Ending of a file, in lower case, and the ``--format`` that it stands for."""


def format_of(output: PurePath, rows: Sequence[str] = (), *, but: Sequence[str] = ()) -> str:
    """The format in which ``output`` is written; ``table`` for the endings in ``rows``, which hold one row a need.

    Args:
        but: formats that the command does not offer.

    Raises:
        UsageError: the ending stands for no format.
    """
    ending = output.suffix.lower()
    if ending in rows:
        return "table"
    known = {end: form for end, form in FORMATS.items() if form not in but and end not in rows}
    if ending in known:
        return known[ending]
    one_a_need = f" or, with one row a need, {', '.join(rows)}" if rows else ""
    ends = ", ".join(f"{end} ({form})" for end, form in known.items() if end and end != ".markdown")
    raise UsageError(
        f"-o {output}: no result is written as {ending}; name a file that ends in {ends}{one_a_need}; "
        "or choose the form with --format"
    )
