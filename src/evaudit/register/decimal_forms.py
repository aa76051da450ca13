"""The exact value of a formula beside its digits: 707/200 says little to a reader of 3.54."""

from __future__ import annotations

from fractions import Fraction

from evaudit.register.calculation import Calculation, is_undefined
from evaudit.register.lock import FrozenOutput
from evaudit.register.shown import Shown, check_shown, parse_shown


def decimal_forms(calculation: Calculation) -> dict[str, Shown]:
    """Output name to the digits that it is shown with, else expected with; of formulas only.

    Their fractions are in lowest terms and count nothing; other fractions are counts, and tell more than digits do.
    """
    forms: dict[str, Shown] = {}
    for name, output in calculation.outputs.items() if calculation.kind == "arithmetic" else ():
        written = output.expect if output.show is None else output.show
        if isinstance(written, str) and not is_undefined(written) and (form := _digits(written)) is not None:
            forms[name] = form
    return forms


def _digits(written: str) -> Shown | None:
    try:
        form = parse_shown(written)
    except ValueError:
        return None
    return form if form.exact is None else None


def digits_of(value: FrozenOutput | None, form: Shown | None) -> str | None:
    """``3.54`` for 707/200 in the form of ``3.50``; None where there is no form, or the value is no fraction."""
    if value is None or form is None or value.num is None or not value.den:
        return None
    return check_shown(Fraction(value.num, value.den), form).right


def sides(was: FrozenOutput | None, now: FrozenOutput | None, form: Shown | None) -> dict[str, str | None]:
    """Both values of a change for a report: exact, and ``was_shown`` and ``now_shown`` in digits where that helps."""
    exact = {"was": was.text() if was else None, "now": now.text() if now else None}
    digits = {"was_shown": digits_of(was, form), "now_shown": digits_of(now, form)}
    return exact | {name: text for name, text in digits.items() if text is not None}
