r"""Numbers as siunitx prints them: ``\num{1.2e-4}`` is 1.2 × 10⁻⁴, ``\SI{3.2}{\percent}`` is 3.2 %."""

from __future__ import annotations

import re
from collections.abc import Mapping

from evaudit.register.prose.raised import raised

NUMBERS: Mapping[str, int] = {
    "num": 1, "SI": 2, "qty": 2, "si": 1, "unit": 1, "numrange": 2, "SIrange": 3, "qtyrange": 3, "numlist": 1,
    "ang": 1, "tablenum": 1, "SIlist": 2, "qtylist": 2, "numproduct": 1,
}  # fmt: skip
"""Commands of siunitx and how many arguments they have."""
_UNITS: Mapping[str, str] = {
    "percent": "%", "permille": "‰", "second": "s", "metre": "m", "meter": "m", "gram": "g", "kilogram": "kg",
    "milli": "m", "micro": "µ", "nano": "n", "kilo": "k", "mega": "M", "giga": "G", "tera": "T", "centi": "c",
    "byte": "B", "bit": "bit", "hertz": "Hz", "hour": "h", "minute": "min", "day": "d", "degreeCelsius": "°C",
    "celsius": "°C", "degree": "°", "watt": "W", "volt": "V", "per": "/", "kibi": "Ki", "mebi": "Mi", "gibi": "Gi",
}  # fmt: skip
_PARTS = re.compile(r"\\([A-Za-z]+)|[^\\]+")
_EXPONENT = re.compile(r"(?P<before>.*?)\s*[eEdD]\s*(?P<power>[+-]?[0-9]{1,4})$", re.DOTALL)


def printed(name: str, arguments: list[str]) -> str:
    """What a command of siunitx prints."""
    if name in ("si", "unit"):
        return _unit(arguments[0])
    if name in ("numrange", "SIrange", "qtyrange"):
        unit = f" {_unit(arguments[2])}" if len(arguments) > 2 else ""
        return f"{_number(arguments[0])}{unit} to {_number(arguments[1])}{unit}"
    if name in ("numlist", "SIlist", "qtylist"):
        unit = f" {_unit(arguments[1])}" if len(arguments) > 1 else ""
        return ", ".join(f"{_number(one)}{unit}" for one in arguments[0].split(";"))
    if name == "numproduct":
        return " × ".join(_number(one) for one in arguments[0].split("x"))
    if name == "ang":
        return f"{arguments[0].replace(';', ' ')}°"
    unit = _unit(arguments[1]) if len(arguments) > 1 else ""
    return _number(arguments[0]) + (f" {unit}" if unit else "")


def _number(written: str) -> str:
    text = written.strip().replace("\\pm", "±").replace("+-", " ± ").replace("\\,", "").replace("~", "")
    match = _EXPONENT.match(text)
    if match is None:
        return text
    power = raised(match["power"].lstrip("+"), "")
    return f"{match['before']} × 10{power}" if match["before"] else f"10{power}"


def _unit(written: str) -> str:
    return "".join(_UNITS.get(m[1], m[1]) if m[1] else m[0].strip() for m in _PARTS.finditer(written)).strip("{} ")
