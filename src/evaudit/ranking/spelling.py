"""Names of measures: what a user may write, and the measure that it means."""

from __future__ import annotations

import difflib
import re

from evaudit.figures import parse_name
from evaudit.ranking.conventions import Convention
from evaudit.ranking.measures import MEASURES, Asked, Measure

_BY_SPELLING: dict[str, Measure] = {
    spelling.lower(): measure for measure in MEASURES for spelling in (measure.id, *measure.spellings)
}
_CUT = re.compile(r"@\s*([^@\]]*)$")


class MeasureNameError(ValueError):
    """A text that names no measure here; the message says what was expected."""


def parse_measure(text: str, convention: Convention, cutoff: int | None = None) -> Asked:
    """The measure that ``text`` names, e.g. ``nDCG@10``, ``nDCG(gain=linear)@10``, ``R@5``, ``P(bound=high)@3``.

    ``cutoff`` is used where the text has none; what is not spelled out is as the convention says.

    Raises:
        MeasureNameError: an unknown measure, parameter or value, a cutoff that is no whole number from 1, or a
            missing cutoff where the measure needs one.
    """
    written = _CUT.search(text)
    if written and not re.fullmatch(r"[0-9]{1,9}", written[1].strip()):
        raise MeasureNameError(f"{text}: expected a whole number from 1 after @, found {written[1]!r}")
    try:
        name, params, _ = parse_name(text)
    except ValueError as error:
        raise MeasureNameError(str(error)) from None
    measure = _BY_SPELLING.get(name.lower())
    if measure is None:
        raise MeasureNameError(_unknown(text, name))
    k = int(params.pop("k")) if "k" in params else cutoff
    if k is not None and k < 1:
        raise MeasureNameError(f"{text}: expected a cutoff from 1, found {k}")
    if k is None and measure.cutoff == "required":
        raise MeasureNameError(f"{text}: needs a cutoff, e.g. {measure.id}@10")
    for key, value in params.items():
        offered = measure.parameters.get(key)
        if offered is None:
            known = ", ".join(measure.parameters) or "none"
            raise MeasureNameError(f"{text}: {measure.id} has no parameter {key}; its parameters: {known}")
        if value not in offered:
            raise MeasureNameError(f"{text}: expected {key}={'|'.join(offered)}, found {key}={value}")
    gain = str(params.get("gain", convention.gain)) if measure.gain else None
    if gain == "map" and not convention.gain_map:
        raise MeasureNameError(f"{text}: gain=map needs a gain map, and none is declared")
    bound = params.get("bound")
    return Asked(measure, k, gain, None if bound is None else str(bound))


def _unknown(text: str, name: str) -> str:
    near = difflib.get_close_matches(name.lower(), list(_BY_SPELLING), n=1, cutoff=0.6)
    hint = f"did you mean {_BY_SPELLING[near[0]].id}? " if near else ""
    return f"{text}: no such measure; {hint}measures: {', '.join(m.id for m in MEASURES)}"
