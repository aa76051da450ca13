"""What an entry must satisfy without running anything: links, figures, placeholders, succession."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from evaudit.errors import EvauditError, InvalidDocumentError
from evaudit.findings import Finding, finding
from evaudit.register.calculation import Calculation, figure_of
from evaudit.register.claim import placeholder
from evaudit.register.entry import Entry
from evaudit.register.entry_figures import EntryPlace, entry_at, exact_of, figure_findings, shown_of
from evaudit.register.expectation import parse_expected
from evaudit.register.offer import same_measure
from evaudit.register.shown import Shown, check_shown, impossible_hint
from evaudit.register.workspace import Loaded, Workspace


def form_findings(place: EntryPlace, workspace: Workspace) -> list[Finding]:
    """Every finding of one entry that needs no calculation and no published text."""
    entry = entry_at(place)
    found = [*_placeholders(place), *_paths(place, workspace)]
    if entry.status in ("withdrawn", "superseded"):
        return found
    others: list[tuple[int, int]] = []
    if entry.calculation is not None and entry.status != "draft":
        try:
            calculation, _ = bound_output(place, workspace)
            expected = [parse_expected(figure_of(n), o.expect) for n, o in calculation.model.outputs.items()]
            others = [e.counts for e in expected if e.kind == "counts"]
        except BindingError as error:
            found += [error.finding] if error.finding.rule != "path-refused" else []  # told with the other paths
    return [*found, *figure_findings(place, workspace), *_shown(place, others)]


def _paths(place: EntryPlace, workspace: Workspace) -> Iterator[Finding]:
    """A path that the rules of paths refuse; whether its file exists is not asked."""
    file, index = place
    entry = entry_at(place)
    written: list[tuple[str | None, tuple[str | int, ...]]] = [
        (entry.at.file, ("at", "file")),
        (entry.calculation.ref if entry.calculation else None, ("calculation", "ref")),
        *((one.ref, ("also", n, "ref")) for n, one in enumerate(entry.also)),
        *((declared.path, ("inputs", n, "path")) for n, declared in enumerate(entry.inputs)),
    ]
    for text, steps in written:
        if text is None:
            continue
        try:
            workspace.resolve(file, text, file.where("entries", index, *steps))
        except InvalidDocumentError as error:
            yield from error.findings
        except EvauditError:
            continue  # no refused path: it is told where the file is read


class BindingError(Exception):
    """An entry that cannot be bound to an output; carries the finding, and whether the file could not be read."""

    def __init__(self, problem: Finding, exit_code: int = 1) -> None:
        super().__init__(problem.message)
        self.finding = problem
        self.exit_code = exit_code


def bound_output(place: EntryPlace, workspace: Workspace) -> tuple[Loaded[Calculation], str]:
    """The calculation of an entry and the name of the output that it is bound to.

    Raises:
        BindingError: the calculation cannot be read, has no such output, or the output is of another measure.
    """
    file, index = place
    entry = entry_at(place)
    assert entry.calculation is not None
    steps = ("entries", index, "calculation", "ref")
    try:
        path = workspace.resolve(file, entry.calculation.ref, file.where(*steps))
        calculation = workspace.load(path, Calculation)
    except InvalidDocumentError as error:
        if error.findings[0].rule == "path-refused":
            raise BindingError(error.findings[0], error.exit_code) from None
        raise BindingError(_unreadable(place, error), error.exit_code) from None
    except EvauditError as error:
        raise BindingError(_unreadable(place, error), error.exit_code) from None
    outputs = list(calculation.model.outputs)
    named = entry.calculation.output
    fits = [o for o in outputs if (o == named if named else same_measure(figure_of(o), entry.figure))]
    where = file.where("entries", index, "figure")
    if len(fits) != 1:
        what = named or entry.figure
        count = "no output" if not fits else f"{len(fits)} outputs"
        message = (
            f"{calculation.name} has {count} {what}; it has {', '.join(outputs)}{_same_number(entry, calculation)}"
        )
        if fits:
            message = f"{calculation.name} has {count} {what} ({', '.join(fits)}); name one with calculation.output"
        raise BindingError(finding("entry-figure", message, where=where))
    if not same_measure(figure_of(fits[0]), entry.figure):
        message = (
            f"the figure is {entry.figure}, the output that it is bound to is {figure_of(fits[0])}; "
            "equal numbers of two measures are two figures"
        )
        raise BindingError(finding("entry-figure", message, where=where))
    return calculation, fits[0]


def _unreadable(place: EntryPlace, error: EvauditError) -> Finding:
    file, index = place
    message = f"the calculation cannot be read: {error}"
    return finding("entry-calculation", message, where=file.where("entries", index, "calculation", "ref"))


def _same_number(entry: Entry, calculation: Loaded[Calculation]) -> str:
    """The outputs that have the entry's exact figure under another name."""
    exact = exact_of(entry)
    if exact is None or exact.kind != "counts":
        return ""
    outputs = calculation.model.outputs.items()
    same = [n for n, o in outputs if parse_expected(figure_of(n), o.expect).text == exact.text]
    return f"; right number, wrong measure: {exact.text} is {' and '.join(same)}" if same else ""


def _placeholders(place: EntryPlace) -> Iterator[Finding]:
    file, index = place
    for name, text in entry_at(place).texts():
        if word := placeholder(text):
            where = file.where("entries", index, *name.split("."))
            yield finding("entry-placeholder", f"{name} holds the placeholder {word}", where=where)


def _shown(place: EntryPlace, others: Sequence[tuple[int, int]]) -> Iterator[Finding]:
    """The shown figure must be what the exact counts round to; a decimal exact figure is looked at in a run only."""
    file, index = place
    entry = entry_at(place)
    exact, shown = exact_of(entry), shown_of(place)
    if exact is None:
        return
    where = file.where("entries", index, "expected", "shown")
    if (shown is None) != (exact.kind == "undefined"):
        message = f"the exact figure is {exact.text}, shown as {entry.expected.shown}"
        yield finding("entry-shown-mismatch", message, where=where)
    elif shown is not None and exact.kind == "counts" and exact.counts[1]:
        check = check_shown(Fraction(*exact.counts), shown, entry.expected.rounding)
        if check.holds and check.note:
            yield finding("rounding-tie", f"{exact.text}: {check.note}", where=where)
        if not check.holds:
            message = shown_message(shown, exact.counts, check.right, others)
            yield finding("entry-shown-mismatch", message, where=where)


def shown_message(shown: Shown | None, counts: tuple[int, int], right: str, others: Sequence[tuple[int, int]]) -> str:
    """``21/50 rounds to .4200, the text has .4884; no whole number over 50 gives .4884; 21/43 does``."""
    message = f"{counts[0]}/{counts[1]} rounds to {right}, the text has {shown.text if shown else 'undefined'}"
    hint = impossible_hint(*counts, shown, others) if shown else None
    return f"{message}; {hint}" if hint else message


def succession_findings(places: Sequence[EntryPlace]) -> list[tuple[str, Finding]]:
    """``superseded_by`` must name an entry, and no chain may come back to where it began; with the entry's id."""
    by_id = {entry_at(p).id: entry_at(p) for p in places}
    found = []
    for file, index in places:
        entry = file.model.entries[index]
        if entry.superseded_by is None:
            continue
        where = file.where("entries", index, "superseded_by")
        chain, at = [entry.id], entry.superseded_by
        while at in by_id and at not in chain and by_id[at].superseded_by is not None:
            chain.append(at)
            at = by_id[at].superseded_by or ""
        if at in chain:
            message = f"{' -> '.join([*chain, at])}: an entry is superseded by itself"
            found.append((entry.id, finding("entry-superseded-by", message, where=where)))
        elif entry.superseded_by not in by_id:
            message = f"there is no entry {entry.superseded_by}"
            found.append((entry.id, finding("entry-superseded-by", message, where=where)))
    return found
