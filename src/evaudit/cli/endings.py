"""What the ending of ``-o FILE`` says about the form of the result, where no ``--format`` does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from evaudit.errors import UsageError
from evaudit.reports import offered


def format_of(output: PurePath, command: str, rows: Sequence[str] = ()) -> str:
    """The format in which ``output`` is written; ``table`` for the endings in ``rows``, which hold one row a need.

    Raises:
        UsageError: the ending stands for no format that ``command`` offers.
    """
    ending = output.suffix.lower()
    if ending in rows:
        return "table"
    known = {end: report.name for report in offered(command) for end in report.endings if end not in rows}
    if ending in known:
        return known[ending]
    one_a_need = f" or, with one row a need, {', '.join(rows)}" if rows else ""
    ends = ", ".join(f"{end} ({form})" for end, form in known.items() if end and end != ".markdown")
    raise UsageError(
        f"-o {output}: no result is written as {ending}; name a file that ends in {ends}{one_a_need}; "
        "or choose the form with --format"
    )
