"""What the events of a ledger are ordered by: whole numbers, or ISO 8601 times compared as instants."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Literal

Kind = Literal["whole-numbers", "instants", "local-times", "days"]

KINDS: Mapping[Kind, str] = MappingProxyType(
    {
        "whole-numbers": "whole number",
        "instants": "time with an offset",
        "local-times": "time without an offset",
        "days": "day without a time",
    }
)
"""Kind of an order to what one value of it is called."""

_WHOLE = re.compile(r"-?[0-9]{1,4000}", re.ASCII)
_DAY = r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})"
_CLOCK = r"(?P<clock>[0-9]{2}:[0-9]{2}(?::[0-9]{2})?)(?:[.,](?P<fraction>[0-9]{1,18}))?"
_OFFSET = r"(?P<offset>[Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)"
_TIME = re.compile(rf"{_DAY}(?:[Tt ]{_CLOCK} ?{_OFFSET}?)?", re.ASCII)
_WITHOUT_SIGNS = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})[Tt]([0-9]{2})([0-9]{2})([0-9]{2})", re.ASCII)
_END_OF_DAY = ("24:00", "24:00:00")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FRACTION = 18
_DAY_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True)
class Moment:
    """One value of an order: its kind, and the integer that it is compared by within that kind."""

    kind: Kind
    number: int


def moment_of(text: str) -> Moment | None:
    """A value as its kind and number; None where it is neither a whole number nor an ISO 8601 time.

    A time with an offset is the same number however it is written: ``10:00Z`` is ``11:00+01:00``. Fractions of a
    second count to 18 digits. A leap second stands between the second before and the one after it.
    """
    text = text.strip()
    if _WHOLE.fullmatch(text):
        return Moment("whole-numbers", int(text))
    match = _TIME.fullmatch(_WITHOUT_SIGNS.sub(r"\1-\2-\3T\4:\5:\6", text, count=1))
    if match is None:
        return None
    clock, offset, fraction = match["clock"], match["offset"], match["fraction"] or ""
    shift, second = _shift(offset), _second(match["day"], clock or "00:00")
    if shift is None or second is None or (fraction and (clock in _END_OF_DAY or len(clock) < len("00:00:00"))):
        return None
    leap = clock is not None and _is_leap(clock)
    if leap and offset is not None and (second - shift) % _DAY_SECONDS != _DAY_SECONDS - 1:
        return None
    number = (2 * (second - shift) + leap) * 10**_FRACTION + int(fraction.ljust(_FRACTION, "0"))
    return Moment("days" if clock is None else "local-times" if offset is None else "instants", number)


def _second(day: str, clock: str) -> int | None:
    """The seconds since 1970, of a leap second those of the second before it; None where no calendar has the time."""
    midnight = clock in _END_OF_DAY
    shown = "00:00" if midnight else clock[:-2] + "59" if _is_leap(clock) else clock
    try:
        then = datetime.fromisoformat(f"{day}T{shown}").replace(tzinfo=UTC)
    except ValueError:  # a thirteenth month, a sixtieth minute
        return None
    return (then - _EPOCH) // timedelta(seconds=1) + _DAY_SECONDS * midnight


def _is_leap(clock: str) -> bool:
    """Whether it is the sixtieth second of a minute: the last one of a day in UTC, where one was added."""
    return clock[len("00:00") :] == ":60"


def _shift(offset: str | None) -> int | None:
    """The seconds by which a clock is ahead of UTC; None where no clock can be."""
    if offset is None or offset in "Zz":
        return 0
    hours, minutes = int(offset[1:3]), int(offset[3:].lstrip(":") or 0)
    if hours > 23 or minutes > 59:
        return None
    return (-1 if offset[0] == "-" else 1) * (hours * 3600 + minutes * 60)


def kinds_of(moments: Sequence[Moment | None]) -> list[Kind]:
    """The kinds that stand in a column, the most frequent first; of equally many the first that stands in it."""
    found = [m.kind for m in moments if m is not None]
    return sorted(dict.fromkeys(found), key=lambda kind: -found.count(kind))


def said_of(kind: Kind, column: str) -> str | None:
    """What is to be said of an order beside the figures; None of whole numbers."""
    if kind == "whole-numbers":
        return None
    if kind == "instants":
        return f"the events are ordered by {column!r}, compared as instants: each time with its offset"
    what = "times" if kind == "local-times" else "days"
    return (
        f"the events are ordered by {column!r}, compared as written: its {what} have no offset, so those of two time "
        "zones, or of an hour that a clock was set back, would stand in the wrong order"
    )
