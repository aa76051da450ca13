"""Verify one entry: its quote in a text, its inputs, its labels, and its figure against the output it is bound to."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from evaudit.errors import EvauditError, InvalidDocumentError, UnreadableInputError
from evaudit.register.drift import was_and_is, written_otherwise
from evaudit.register.entry_check import EntryCheck
from evaudit.register.entry_figures import EntryPlace, exact_of, shown_of, unshown
from evaudit.register.entry_form import BindingError, bound_output, form_findings
from evaudit.register.entry_value import check_value, now_text
from evaudit.register.outcome import CalculationOutcome, EntryOutcome, of_subject
from evaudit.register.quote import FoldedText, explain
from evaudit.register.workspace import Workspace

LABEL_FREE = frozenset({"decided-share", "undecided-share", "labelled-share"})
"""Measures of a cohort that no label enters; every other figure of a cohort or a ranking rests on labels."""


def check_form(place: EntryPlace, workspace: Workspace) -> EntryOutcome:
    """The outcome of an entry of which only the form is checked."""
    return _outcome(_with_form(place, workspace), None)


def verify_entry(
    place: EntryPlace,
    workspace: Workspace,
    calculations: Mapping[Path, CalculationOutcome],
    texts: Mapping[str, Sequence[FoldedText]],
) -> EntryOutcome:
    """Check an entry in full.

    Args:
        calculations: the outcome of each calculation that an entry names, by its path.
        texts: the published texts that speak for each work; of a work without any, quotes are not checked.
    """
    check = _with_form(place, workspace)
    _check_quote(check, texts)
    calculation: CalculationOutcome | None = None
    if check.entry.status == "verified":
        try:
            file, output = bound_output(place, workspace)
        except BindingError as error:  # its finding is among those of the form
            check.end_with(error.exit_code)
        else:
            calculation = calculations[file.path]
            _check_also(check, calculations)
            _check_inputs(check, calculation)
            _check_labels(check, calculation)
            if output in calculation.outputs:
                check_value(check, output, calculation)
            elif calculation.lock is not None:
                _figure_gone(check, output, calculation)
    return _outcome(check, calculation)


def _check_also(check: EntryCheck, calculations: Mapping[Path, CalculationOutcome]) -> None:
    """The other calculations that the claim's figures follow from must hold as well."""
    file, _ = check.place
    for n, named in enumerate(check.entry.also):
        if named.ref is None:
            continue
        try:
            outcome = calculations.get(check.workspace.resolve(file, named.ref))
        except EvauditError:
            continue  # told with the paths
        if outcome is not None and not outcome.holds:
            check.add("entry-calculation", f"also: {named.output}: {outcome.id} does not hold", "also", n)


def _figure_gone(check: EntryCheck, output: str, calculation: CalculationOutcome) -> None:
    """The output is declared, but the audit does not give its figure any more."""
    told = next((c.message for c in calculation.comparisons if c.name == output), "")
    message = f"{calculation.id} does not give this figure any more{f': {told}' if told else ''}"
    check.add("entry-figure", message, "figure")


def _with_form(place: EntryPlace, workspace: Workspace) -> EntryCheck:
    """The check of an entry, begun with its form; a refused path is a document that is refused."""
    found = form_findings(place, workspace)
    return EntryCheck(place, workspace, found, exit=2 if any(f.rule == "path-refused" for f in found) else 0)


def _outcome(check: EntryCheck, calculation: CalculationOutcome | None) -> EntryOutcome:
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
        text=check.text,
        quote=entry.at.quote,
        now=now_text(shown_of(check.place), comparison),
        calculation=calculation.id if calculation else None,
        computed=entry.expected.computed,
    )


def _check_quote(check: EntryCheck, published: Mapping[str, Sequence[FoldedText]]) -> None:
    place, style = check.entry.at, check.style
    texts = published.get(place.work or "", ())
    gone = check.entry.status in ("superseded", "withdrawn")
    if place.file is not None:
        try:
            path = _text_file(check, place.file)
            name = check.text = check.quote_place = check.workspace.name(path)
            text = check.workspace.prose(path)
        except EvauditError as error:
            if _is_refused_path(error):
                return  # its finding is among those of the form
            rule = "input-missing" if isinstance(error, UnreadableInputError) else "document-invalid"
            check.add(rule, str(error), "at", "file")
            check.end_with(error.exit_code)
            return
        found = text.find(place.quote, style)
        check.quote_place = f"{name}:{found[0]}" if found else name
        if gone:
            if found:
                message = f"{check.entry.status} figure still in the text: its quote stands in {name}:{found[0]}"
                check.add("entry-quote-stands", message, "at", "quote")
        elif problem := explain(place.quote, place.occurs, shown_of(check.place), text, style):
            check.add("entry-quote", f"{name}: {problem}", "at", "quote")
        else:
            _check_shown_there(check, text, f"{check.quote_place}")
    elif gone:
        if any(text.find(place.quote, style) for text in texts):
            message = f"{check.entry.status} figure still in the text that was given"
            check.add("entry-quote-stands", message, "at", "quote")
    else:
        _check_published(check, texts)


def _check_published(check: EntryCheck, texts: Sequence[FoldedText]) -> None:
    """A quote of a published work: in one of the texts that speak for it; without any it is not checked."""
    place, style = check.entry.at, check.style
    if not texts:
        check.quote_checked = False
        advice = f'give it with --text FILE, or --text "{place.work}=FILE" if no quote of it stands there any more'
        check.add("quote-not-checked", f"the text of {place.work} is not at hand; {advice}", "at")
        return
    problems = [explain(place.quote, place.occurs, shown_of(check.place), text, style) for text in texts]
    for text, problem in zip(texts, problems, strict=True):
        if problem is None:
            _check_shown_there(check, text, f"{place.work}")
    if all(problems):
        told = "; ".join(dict.fromkeys(p for p in problems if p))
        check.add("entry-quote", f"{place.work}: {told}", "at", "quote")


def _check_shown_there(check: EntryCheck, text: FoldedText, where: str) -> None:
    """What the text has at the place of the quote must be the shown figure: words around a quote can change it."""
    at_quote = check.place[0].where("entries", check.place[1], "at", "quote")
    of_quote = ("entry-quote-figure", "figure-ambiguous")  # found in the quote alone; the text tells more
    check.findings = [f for f in check.findings if f.rule not in of_quote or f.where != at_quote]
    for begin, end in text.spans(check.entry.at.quote, check.style):
        for rule, told in unshown(check.place, text, begin, end, where):
            check.add(rule, told, "at", "quote")


def _text_file(check: EntryCheck, written: str) -> Path:
    """The file that a quote stands in: relative to the register, else to the root."""
    file, index = check.place
    where = file.where("entries", index, "at", "file")
    path = check.workspace.resolve(file, written, where)
    at_root = check.workspace.root / written
    if not os.path.exists(path) and os.path.isfile(at_root):  # noqa: PTH110, PTH113  (a name may be too long to ask for)
        path = at_root
    return path


def _check_inputs(check: EntryCheck, calculation: CalculationOutcome) -> None:
    file, _ = check.place
    named = set()
    for n, declared in enumerate(check.entry.inputs):
        steps = ("inputs", n)
        try:
            path = check.workspace.resolve(file, declared.path)
            name = check.workspace.name(path)
            now = check.workspace.fingerprint(path, declared.recipe)
        except EvauditError as error:
            if not _is_refused_path(error):
                check.add("input-missing", str(error), *steps, file=getattr(error, "file", None))
                check.end_with(error.exit_code)
            continue
        named.add(name)
        if calculation.guarded and name not in calculation.guarded:
            known = ", ".join(calculation.guarded)
            check.add("entry-input", f"{name} is no input of {calculation.id}; its files are {known}", *steps)
        if now == declared.sha256:
            continue
        if same := written_otherwise(check.workspace.read(path, declared.recipe), declared.recipe, declared.sha256):
            check.add("input-line-ends", f"{name}: same text, {same}", *steps, "sha256")
        else:
            told = f"{name}: content changed ({was_and_is(declared.sha256, now, declared.recipe)})"
            check.add("entry-input", told, *steps, "sha256", file=name, recipe=declared.recipe, now=now)
    for name, what in calculation.guarded.items():
        if name not in named and what == "input":
            check.add("entry-input-unnamed", f"{name} is an input of {calculation.id} and is not named", "inputs")


def _is_refused_path(error: EvauditError) -> bool:
    return isinstance(error, InvalidDocumentError) and any(f.rule == "path-refused" for f in error.findings)


def _check_labels(check: EntryCheck, calculation: CalculationOutcome) -> None:
    entry = check.entry
    measure = entry.figure.partition("(")[0].partition("@")[0]
    if calculation.lock is None or not calculation.labelled or measure in LABEL_FREE:
        return  # where nothing was run, it is not known whether anything rests on labels
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
