"""Names of measures: what a user may write, and the measures that it means.

Three spellings are read: our own (``nDCG(gain=linear)@10``), trec_eval's (``ndcg_cut.10``, ``P.5,10``, ``all_trec``)
and that of ir_measures (``nDCG@10``, ``RR@10``, ``RBP(p=0.8)``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from evaudit.figures import Param, parse_name
from evaudit.ranking.conventions import GAINS, HIGHEST_GRADE, LARGEST, Convention
from evaudit.ranking.gains import spelled_gains
from evaudit.ranking.measures import MEASURES, Asked, Measure, Option
from evaudit.ranking.trec_names import BY_NAME, NICKNAMES, TrecName

_BY_SPELLING: dict[str, Measure] = {
    spelling.lower(): measure
    for measure in MEASURES
    for spelling in (measure.id, *measure.spellings, measure.id.replace("-", "_"))
}
_BY_SPELLING |= {one.name.lower(): _BY_SPELLING[one.measure.lower()] for one in BY_NAME.values()}
_CUT = re.compile(r"@\s*([^@\]]*)$")
_TREC = re.compile(r"(?P<name>[A-Za-z0-9_]+)\.(?P<params>[^@()]+)")
_DCG_KINDS = {"log2": "linear", "exp-log2": "exponential"}
LARGEST_CUTOFF = 999_999_999
_GAINS = ("exponential", "linear", "map", "given")


class MeasureNameError(ValueError):
    """A text that names no measure here; the message says what was expected."""


def parse_measures(text: str, convention: Convention) -> list[Asked]:
    """Every measure that ``text`` names: one, or several for ``P.5,10`` and ``all_trec``.

    Raises:
        MeasureNameError: as ``parse_measure``.
    """
    text = text.strip()
    if text in NICKNAMES:
        return [asked for name in NICKNAMES[text] for asked in _trec(BY_NAME[name], "", text, convention)]
    written = _TREC.fullmatch(text)
    if written and written["name"] in BY_NAME:
        return _trec(BY_NAME[written["name"]], written["params"], text, convention)
    own = text == BY_NAME[text].measure if text in BY_NAME else True  # trec_eval's "P" is nine cutoffs, ours needs one
    if text in BY_NAME and BY_NAME[text].kind in ("cutoffs", "numbers") and (not own or convention.failures != "none"):
        return _trec(BY_NAME[text], "", text, convention)
    return [parse_measure(text, convention)]


def parse_measure(text: str, convention: Convention, cutoff: int | None = None) -> Asked:
    """The one measure that ``text`` names, e.g. ``nDCG@10``, ``nDCG(gain=linear)@10``, ``R@5``, ``P(bound=high)@3``.

    ``cutoff`` is used where the text has none; what is not spelled out is as the convention says.

    Raises:
        MeasureNameError: an unknown measure, parameter or value, a cutoff that is no whole number from 1, or a
            missing cutoff where the measure needs one.
    """
    text = text.strip()
    recall = re.fullmatch(r"(?i:iprec)@(0?\.[0-9]+|[01](?:\.[0-9]+)?)", text)  # ir_measures' one cutoff that is a share
    if recall:
        text = f"iprec(recall={recall[1]})"
    written = _CUT.search(text)
    if written and not re.fullmatch(r"[0-9]{1,9}", written[1].strip()):
        limits = f"expected a whole number from 1 to {LARGEST_CUTOFF}"
        raise MeasureNameError(f"{text}: {limits} after @, found {written[1]!r}")
    try:
        name, params, _ = parse_name(text)
    except ValueError as error:
        raise MeasureNameError(str(error)) from None
    measure = _BY_SPELLING.get(name.lower())
    if measure is None:
        raise MeasureNameError(_unknown(text, name))
    k = int(params.pop("k")) if "k" in params else None
    if k is not None and measure.cutoff == "none":
        raise MeasureNameError(f"{text}: {measure.id} has no cutoff")
    if measure.cutoff != "none" and k is None:
        k = cutoff
    if k is not None and k < 1:
        raise MeasureNameError(f"{text}: expected a cutoff from 1, found {k}")
    if k is None and measure.cutoff == "required":
        raise MeasureNameError(f"{text}: needs a cutoff, e.g. {measure.id}@10")
    params = _foreign(measure, params)
    for key in params:
        if key not in measure.parameters:
            if key in _CHOICES:
                raise MeasureNameError(f"{text}: {key} is a choice for all measures here: {_CHOICES[key]}")
            known = ", ".join(measure.parameters) or "none"
            raise MeasureNameError(f"{text}: {measure.id} has no parameter {key}; its parameters: {known}")
    bound = params.get("bound")
    if bound not in (None, "low", "high"):
        raise MeasureNameError(f"{text}: expected bound=low|high, found bound={bound}")
    options = _options(text, measure, params)
    gain = _gain(text, str(params.get("gain", convention.gain)), convention) if measure.gain else None
    return Asked(measure, k, gain, None if bound is None else str(bound), options)


_CHOICES = {"rel": "-l N, relevance_level=N in Python", "judged_only": '-J, unjudged="skip" in Python'}
"""Parameters of ir_measures that belong to the convention here, and what to write instead."""


def _options(text: str, measure: Measure, params: Mapping[str, Param]) -> tuple[tuple[str, str], ...]:
    written = {option: str(params.get(option.name, option.default)) for option in measure.options}
    if params.get("rel") and params.get("top-grade"):
        raise MeasureNameError(f"{text}: with rel a gain is 0 or 1, so top-grade has no effect; leave one of them out")
    return tuple((option.name, _value(text, option, value)) for option, value in written.items() if value)


def _foreign(measure: Measure, params: Mapping[str, Param]) -> dict[str, Param]:
    """Parameters as ir_measures names them, under our names."""
    result = {key: str(value).strip("'\"") for key, value in params.items()}
    if measure.gain and result.get("dcg") in _DCG_KINDS:
        result["gain"] = _DCG_KINDS[result.pop("dcg")]
    if measure.id == "set-F" and "beta" in result:
        try:
            result["x"] = _printed(float(result.pop("beta")) ** 2)
        except ValueError:
            result["x"] = "nan"
    return dict(result)


def _gain(text: str, gain: str, convention: Convention) -> str:
    if gain == "map" and not convention.gain_map:
        raise MeasureNameError(f"{text}: gain=map needs a gain map, and none is declared")
    if gain in _GAINS:
        return gain
    try:
        gains = spelled_gains(gain)
    except ValueError:
        message = f"expected gain={'|'.join(_GAINS)}, or gains such as gain=1=1;2=3 (each {GAINS}"
        raise MeasureNameError(f"{text}: {message} at grades from 0 to {HIGHEST_GRADE}), found gain={gain}") from None
    return ";".join(f"{grade}={_printed(value)}" for grade, value in gains.items())


def _value(text: str, option: Option, written: str) -> str:
    """A numeric parameter as it is printed."""
    if written in option.words:
        return written
    values = []
    for part in written.split(":") if option.name == "points" else [written]:
        try:
            value = float(part)
        except ValueError:
            value = math.nan
        if not math.isfinite(value) or (option.integer and value != int(value)):
            raise MeasureNameError(f"{text}: expected {option.text} as {option.name}, found {part!r}")
        if abs(value) > LARGEST or 0 < abs(value) < 1 / LARGEST:
            raise MeasureNameError(f"{text}: expected {option.text}, in size 0 or from 1e-15 to 1e15, found {part}")
        if (option.least is not None and value < option.least) or (option.most is not None and value > option.most):
            raise MeasureNameError(f"{text}: expected {option.text} as {option.name}, found {part}")
        values.append(_printed(value))
    return ":".join(values)


def _printed(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def _trec(one: TrecName, params: str, text: str, convention: Convention) -> list[Asked]:
    """What trec_eval makes of ``name.params``: one measure for each cutoff or number, sorted, none of them twice."""
    measure = _BY_SPELLING[one.measure.lower()]
    gain = _gain(text, convention.gain, convention) if measure.gain else None
    if one.kind == "cutoffs":
        numbers = _numbers(text, params or one.defaults)
        if bad := [number for number in numbers if not 1 <= int(number) <= LARGEST_CUTOFF]:  # 23.4 is 23 there
            limits = f"expected whole numbers from 1 to {LARGEST_CUTOFF}"
            raise MeasureNameError(f"{text}: {limits} as cutoffs, found {bad[0]:.15g}")
        cutoffs = list(map(int, numbers))
        _no_repeats(text, cutoffs)
        return [Asked(measure, k, gain) for k in sorted(cutoffs)]
    if one.kind == "numbers":
        numbers = _numbers(text, params or one.defaults)
        _no_repeats(text, numbers)
        option = measure.options[0]
        return [Asked(measure, options=((option.name, _value(text, option, str(n))),)) for n in sorted(numbers)]
    if one.kind == "gains":
        gain = _gain(text, params.replace(",", ";"), convention) if params else gain
        return [Asked(measure, gain=gain, written=params)]
    values = {option.name: option.default for option in measure.options}
    if params and one.kind == "points":
        values["points"] = ":".join(str(n) for n in sorted(_numbers(text, params)))
    elif params and one.kind == "prices":
        prices = _numbers(text, params)
        if len(prices) != 4:
            raise MeasureNameError(f"{text}: expected four prices, e.g. utility.1,-1,0,0")
        values = dict(zip(values, map(str, prices), strict=True))
    elif params and one.kind == "named":
        values[one.option] = _named(one, params, text)
    elif params:
        raise MeasureNameError(f"{text}: {one.name} has no parameters")
    return [Asked(measure, options=_options(text, measure, values), written=params)]


def _named(one: TrecName, params: str, text: str) -> str:
    """The one number of a measure, which trec_eval wants with its name or without it."""
    name, equals, value = params.rpartition("=")
    if one.pairs and name != one.option:
        expected = f"expected {one.option}=NUMBER, e.g. {one.name}.{one.option}=0.8"
        raise MeasureNameError(f"{text}: {expected}, found {params}")
    if equals and not one.pairs:
        message = f"expected a number, e.g. {one.name}.2, found {params}, of which trec_eval reads 0"
        raise MeasureNameError(f"{text}: {message}")
    return value


def _numbers(text: str, params: str) -> list[float]:
    try:
        numbers = [float(part) for part in params.split(",")]
    except ValueError:
        numbers = [math.nan]
    if not all(map(math.isfinite, numbers)):
        raise MeasureNameError(f"{text}: expected numbers joined by commas, found {params}")
    return numbers


def _no_repeats(text: str, numbers: list[int] | list[float]) -> None:
    if len(set(numbers)) != len(numbers):
        raise MeasureNameError(f"{text}: a number stands twice")


def _unknown(text: str, name: str) -> str:
    import difflib

    near = difflib.get_close_matches(name.lower(), list(_BY_SPELLING), n=1, cutoff=0.6)
    hint = f"did you mean {_BY_SPELLING[near[0]].id}? " if near else ""
    return f"{text}: no such measure; {hint}measures: {', '.join(m.id for m in MEASURES)}"
