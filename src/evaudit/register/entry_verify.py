"""Verify one entry: its quote in a text, its inputs, its labels, and its figure against the output it is bound to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaudit.errors import EvauditError, UnreadableInputError
from evaudit.findings import Finding, finding
from evaudit.register.compare import Comparison, compare_value
from evaudit.register.drift import was_and_is
from evaudit.register.entry import Entry
from evaudit.register.entry_form import (
    BindingError,
    EntryPlace,
    bound_output,
    entry_at,
    exact_of,
    form_findings,
    shown_message,
)
from evaudit.register.offer import Offered
from evaudit.register.outcome import CalculationOutcome, EntryOutcome, of_subject
from evaudit.register.quote import FoldedText, explain
from evaudit.register.shown import check_shown
from evaudit.register.workspace import Workspace

LABEL_FREE = frozenset({"decided-share", "undecided-share", "labelled-share"})
"""Measures of a cohort that no label enters; every other figure of a cohort or a ranking rests on labels."""


@dataclass
class _Check:
    """What checking one entry collects."""

    place: EntryPlace
    workspace: Workspace
    findings: list[Finding] = field(default_factory=list)
    exit: int = 0
    quote_checked: bool = True
    quote_place: str | None = None
    comparison: Comparison | None = None

    @property
    def entry(self) -> Entry:
        return entry_at(self.place)

    def add(self, rule: str, message: str, *steps: str | int) -> None:
        file, index = self.place
        self.findings.append(finding(rule, message, where=file.where("entries", index, *steps)))


def check_form(place: EntryPlace, workspace: Workspace) -> EntryOutcome:
    """The outcome of an entry of which only the form is checked."""
    check = _Check(place, workspace, findings=form_findings(place, workspace))
    return _outcome(check, None)


def verify_entry(
    place: EntryPlace,
    workspace: Workspace,
    calculations: Mapping[Path, CalculationOutcome],
    texts: Sequence[FoldedText],
) -> EntryOutcome:
    """Check an entry in full.

    Args:
        calculations: the outcome of each calculation that an entry names, by its path.
        texts: published texts that the user has, for quotes of works.
    """
    check = _Check(place, workspace, findings=form_findings(place, workspace))
    _check_quote(check, texts)
    calculation: CalculationOutcome | None = None
    if check.entry.status == "verified":
        try:
            file, output = bound_output(place, workspace)
        except BindingError as error:  # its finding is among those of the form
            check.exit = error.exit_code
        else:
            calculation = calculations[file.path]
            _check_inputs(check, calculation)
            _check_labels(check, calculation)
            if output in calculation.outputs:
                _check_value(check, output, calculation)
    return _outcome(check, calculation)


def _outcome(check: _Check, calculation: CalculationOutcome | None) -> EntryOutcome:
    entry = check.entry
    file, index = check.place
    wrong = any(f.severity == "error" for f in check.findings)
    exact = exact_of(entry)
    place = check.quote_place or entry.at.file or entry.at.work or ""
    same = exact is None or exact.text == entry.expected.shown
    verified = entry.status == "verified" and not wrong and calculation is not None and calculation.holds
    comparison = check.comparison
    return EntryOutcome(
        entry.id,
        file.name,
        file.where("entries", index, "id").line,
        (comparison,) if comparison else (),
        of_subject(check.findings, entry.id),
        check.exit or int(wrong),
        status=entry.status,
        verified=verified,
        quote_checked=check.quote_checked,
        figure=entry.figure,
        published=entry.expected.shown if same or exact is None else f"{entry.expected.shown} = {exact.text}",
        exact=exact.text if exact else None,
        shown=entry.expected.shown,
        place=place,
        quote=entry.at.quote,
        now=_now(entry, comparison),
        calculation=calculation.id if calculation else None,
    )


def _now(entry: Entry, comparison: Comparison | None) -> str | None:
    """``.5116 = 22/43``: the value found in the form of the shown figure; None where it is the published one."""
    if comparison is None or comparison.holds or comparison.value is None:
        return None
    exact, shown = comparison.value.exact(), entry.expected.digits
    if exact is None or shown is None or shown.exact is not None:
        return comparison.value.text()
    return f"{check_shown(exact, shown).right} = {comparison.value.text()}"


def _check_quote(check: _Check, texts: Sequence[FoldedText]) -> None:
    place = check.entry.at
    gone = check.entry.status in ("superseded", "withdrawn")
    if place.file is not None:
        try:
            name, text = _text_file(check, place.file)
        except EvauditError as error:
            rule = "input-missing" if isinstance(error, UnreadableInputError) else "document-invalid"
            check.add(rule, str(error), "at", "file")
            check.exit = error.exit_code
            return
        found = text.find(place.quote)
        check.quote_place = f"{name}:{found[0]}" if found else name
        if gone:
            if found:
                message = f"the quote of a {check.entry.status} entry still stands in {name}:{found[0]}"
                check.add("entry-quote-stands", message, "at", "quote")
        elif problem := explain(place.quote, place.occurs, check.entry.expected.digits, text):
            check.add("entry-quote", f"{name}: {problem}", "at", "quote")
    elif gone:
        if any(text.find(place.quote) for text in texts):
            message = f"the quote of a {check.entry.status} entry still stands in the text that was given"
            check.add("entry-quote-stands", message, "at", "quote")
    else:
        _check_published(check, texts)


def _check_published(check: _Check, texts: Sequence[FoldedText]) -> None:
    """A quote of a published work: in one of the texts at hand, else not checked."""
    place = check.entry.at
    if not texts:
        check.quote_checked = False
        check.add("quote-not-checked", f"the text of {place.work} is not at hand; give it with --text FILE", "at")
        return
    problems = [explain(place.quote, place.occurs, check.entry.expected.digits, text) for text in texts]
    if all(problems):
        told = "; ".join(dict.fromkeys(p for p in problems if p))
        check.add("entry-quote", f"{place.work}: {told}", "at", "quote")


def _text_file(check: _Check, written: str) -> tuple[str, FoldedText]:
    """Name and text of the file that a quote stands in: relative to the register, else to the root."""
    file, index = check.place
    where = file.where("entries", index, "at", "file")
    path = check.workspace.resolve(file, written, where)
    if not path.exists() and (check.workspace.root / written).is_file():
        path = check.workspace.root / written
    return check.workspace.name(path), check.workspace.prose(path)


def _check_inputs(check: _Check, calculation: CalculationOutcome) -> None:
    file, _ = check.place
    named = set()
    for n, declared in enumerate(check.entry.inputs):
        steps = ("inputs", n)
        try:
            path = check.workspace.resolve(file, declared.path)
            now = check.workspace.fingerprint(path, declared.recipe)
        except EvauditError as error:
            check.add("input-missing", str(error), *steps)
            check.exit = max(check.exit, error.exit_code)
            continue
        name = check.workspace.name(path)
        named.add(name)
        if calculation.guarded and name not in calculation.guarded:
            known = ", ".join(calculation.guarded)
            check.add("entry-input", f"{declared.path} is no input of {calculation.id}; its files are {known}", *steps)
        if now != declared.sha256:
            told = f"content changed ({was_and_is(declared.sha256, now, declared.recipe)})"
            check.add("entry-input", f"{declared.path}: {told}", *steps, "sha256")
    for name, what in calculation.guarded.items():
        if name not in named and what == "input":
            check.add("entry-input-unnamed", f"{name} is an input of {calculation.id} and is not named", "inputs")


def _check_labels(check: _Check, calculation: CalculationOutcome) -> None:
    entry = check.entry
    measure = entry.figure.partition("(")[0].partition("@")[0]
    if not calculation.labelled or measure in LABEL_FREE:
        return
    if entry.labels is None:
        check.add("entry-labels", f"{entry.figure} rests on labels; say where they come from with labels:", "id")
        return
    if calculation.provenance is None:
        return
    for name, stated in entry.labels.model_dump().items():
        given = calculation.provenance.get(name)
        if stated != given:
            message = f"labels.{name} is {_said(stated)}; the cohort of {calculation.id} says {_said(given)}"
            check.add("entry-labels", message, "labels", name)


def _said(value: object) -> str:
    return "nothing" if value is None else ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _check_value(check: _Check, output: str, calculation: CalculationOutcome) -> None:
    """The output's value must be the exact figure, and round to the shown one."""
    entry, value = check.entry, calculation.outputs[output]
    exact = exact_of(entry)
    assert exact is not None  # only a cited entry has none, and it has no calculation
    holds, _, message = compare_value(exact, value)
    rule = None if holds else "entry-drift"
    check.comparison = Comparison(entry.figure, exact.text, value.text(), holds, rule, message, value)
    if not holds:
        others = [o.counts for o in calculation.outputs.values() if o.counts]
        hint = _hint(entry, exact.counts, others) if exact.kind == "counts" else ""
        check.add("entry-drift", f"{entry.figure}: {message}{hint}", "expected", "exact")
    elif exact.kind == "digits":
        _check_rounded(check, value)


def _hint(entry: Entry, counts: tuple[int, int], others: Sequence[tuple[int, int]]) -> str:
    told = shown_message(entry, counts, "", others)
    return f"; {told.partition('; ')[2]}" if "; " in told else ""


def _check_rounded(check: _Check, value: Offered) -> None:
    shown, exact = check.entry.expected.digits, value.exact()
    if shown is None or exact is None:
        return
    rounded = check_shown(exact, shown, check.entry.expected.rounding)
    if not rounded.holds:
        message = f"{value.text()} rounds to {rounded.right}, the text has {shown.text}"
        check.add("entry-shown-mismatch", message, "expected", "shown")
    elif rounded.note:
        check.add("rounding-tie", f"{value.text()}: {rounded.note}", "expected", "shown")
