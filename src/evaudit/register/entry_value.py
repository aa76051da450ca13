"""The value of an entry: the output that it is bound to must be the exact figure, and round to the shown one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evaudit.findings import Finding
from evaudit.register.compare import Comparison, compare_value
from evaudit.register.entry_check import EntryCheck
from evaudit.register.entry_figures import exact_of, shown_of
from evaudit.register.entry_form import shown_message
from evaudit.register.expectation import Expectation
from evaudit.register.offer import Offered
from evaudit.register.outcome import CalculationOutcome
from evaudit.register.shown import Shown, check_shown


def check_value(check: EntryCheck, output: str, calculation: CalculationOutcome) -> None:
    """The output's value must be the exact figure, and round to the shown one."""
    entry, value = check.entry, calculation.outputs[output]
    exact = exact_of(entry)
    assert exact is not None  # only a cited entry has none, and it has no calculation
    holds, _, message = compare_value(exact, value)
    rule = None if holds else "entry-drift"
    check.comparison = Comparison(entry.figure, exact.text, value.text(), holds, rule, message, value)
    if not holds:
        others = [o.counts for o in calculation.outputs.values() if o.counts]
        hint = _hint(check, exact.counts, others) if exact.kind == "counts" else ""
        hint += _elsewhere(exact, calculation)
        check.add("entry-drift", f"{entry.figure}: {message}{hint}", "expected", "exact")
        return
    check.findings = [_value_right(f) for f in check.findings]
    if exact.kind == "digits":
        _check_rounded(check, value)


def _value_right(found: Finding) -> Finding:
    """A wrong shown figure, told as what it is once the value has been found right."""
    if found.rule != "entry-shown-mismatch":
        return found
    return replace(found, facts={**found.facts, "value_right": True})


def _elsewhere(exact: Expectation, calculation: CalculationOutcome) -> str:
    """Which other outputs have the value that was expected: the right number under the wrong measure."""
    same = [n for n, o in calculation.outputs.items() if exact.kind == "counts" and o.counts == exact.counts]
    return f"; right number, wrong measure: {exact.text} is {' and '.join(same)}" if same else ""


def _hint(check: EntryCheck, counts: tuple[int, int], others: Sequence[tuple[int, int]]) -> str:
    told = shown_message(shown_of(check.place), counts, "", others)
    return f"; {told.partition('; ')[2]}" if "; " in told else ""


def _check_rounded(check: EntryCheck, value: Offered) -> None:
    shown, exact = shown_of(check.place), value.exact()
    if shown is None or exact is None:
        return
    rounded = check_shown(exact, shown, check.entry.expected.rounding)
    if not rounded.holds:
        message = f"{value.text()} rounds to {rounded.right}, the text has {shown.text}"
        check.add("entry-shown-mismatch", message, "expected", "shown", value_right=True)
    elif rounded.note:
        check.add("rounding-tie", f"{value.text()}: {rounded.note}", "expected", "shown")


def now_text(shown: Shown | None, comparison: Comparison | None) -> str | None:
    """``.5116 = 22/43``: the value found in the form of the shown figure; None where it is the published one."""
    if comparison is None or comparison.holds or comparison.value is None:
        return None
    exact = comparison.value.exact()
    if exact is None or shown is None or shown.exact is not None:
        return comparison.value.text()
    return f"{check_shown(exact, shown).right} = {comparison.value.text()}"
