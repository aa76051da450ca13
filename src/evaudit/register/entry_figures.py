"""The figures of an entry: those of its claim must follow from it, and its quote must hold the shown one, whole."""

from __future__ import annotations

from collections.abc import Iterator

from evaudit.errors import EvauditError
from evaudit.findings import Finding, finding
from evaudit.numerals import StatedFigure
from evaudit.register.calculation import Calculation, figure_of
from evaudit.register.claim import Known, claimed
from evaudit.register.entry import Entry, RegisterFile
from evaudit.register.expectation import Expectation, parse_expected
from evaudit.register.quote import FoldedText, fold
from evaudit.register.shown import Shown
from evaudit.register.workspace import Loaded, Workspace

EntryPlace = tuple[Loaded[RegisterFile], int]
"""An entry of a register: the file, and its position there."""


def entry_at(place: EntryPlace) -> Entry:
    """The entry itself."""
    file, index = place
    return file.model.entries[index]


def exact_of(entry: Entry) -> Expectation | None:
    """The exact figure as an expectation; None where a cited figure has none."""
    return None if entry.expected.exact is None else parse_expected("", entry.expected.exact)


def figure_findings(place: EntryPlace, workspace: Workspace) -> list[Finding]:
    """What is wrong with the figures of claim, quote and range."""
    also, problems = also_outputs(place, workspace)
    known = Known(shown_of(place), [e for e in (exact_of(entry_at(place)), *also) if e is not None])
    file, index = place
    where = file.where("entries", index, "at", "quote")
    quote = fold(entry_at(place).at.quote)
    in_quote = [
        finding(rule, told, where=where) for rule, told in unshown(place, quote, 0, len(quote.text), "the quote")
    ]
    if len(in_quote) > 1 and entry_at(place).at.file is not None:
        in_quote = in_quote[:1]  # the text itself can be clear, where cells or lines part what is one here
    return [*problems, *_claim(place, known), *in_quote, *_range(place, known)]


def shown_of(place: EntryPlace) -> Shown | None:
    """The shown figure, read in the style of its register; None where the text says that it is undefined."""
    file, _ = place
    return entry_at(place).expected.digits(file.model.numbers.style)


def also_outputs(place: EntryPlace, workspace: Workspace) -> tuple[list[Expectation], list[Finding]]:
    """What the outputs under ``also`` are expected to be, and those that there are not."""
    file, index = place
    entry = entry_at(place)
    found: list[Expectation] = []
    problems: list[Finding] = []
    for n, named in enumerate(entry.also):
        ref = named.ref or (entry.calculation.ref if entry.calculation else None)
        where = file.where("entries", index, "also", n)
        if ref is None:
            message = f"also: {named.output}: the entry has no calculation; name one with ref"
            problems.append(finding("entry-figure", message, where=where))
            continue
        try:
            calculation = workspace.load(workspace.resolve(file, ref, where), Calculation)
        except EvauditError as error:
            problems.append(finding("entry-calculation", f"also: {named.output}: {error}", where=where))
            continue
        outputs = calculation.model.outputs
        if named.output not in outputs:
            message = f"also: {calculation.name} has no output {named.output}; it has {', '.join(outputs)}"
            problems.append(finding("entry-figure", message, where=where))
            continue
        found.append(parse_expected(figure_of(named.output), outputs[named.output].expect))
    return found, problems


def _claim(place: EntryPlace, known: Known) -> Iterator[Finding]:
    """Every figure of the claim must follow; digits in the measure's own name and under ``not_figures`` are none."""
    file, index = place
    entry, style = entry_at(place), file.model.numbers.style
    where = file.where("entries", index, "claim")
    words = fold(entry.claim)
    for n, declared in enumerate(entry.not_figures):
        if not words.spans(declared.text, style):
            message = f'"{declared.text}" does not stand in the claim'
            yield finding("not-figure-gone", message, where=file.where("entries", index, "not_figures", n))
    told = " or ".join(dict.fromkeys([*(e.text for e in known.exact), entry.expected.shown]))
    for stated in claimed(entry, style):
        if stated.why is not None and (stated.counts is None or known.gives(stated)):
            yield finding("figure-ambiguous", _ambiguous(stated, "the claim"), where=where)
        elif not known.gives(stated):
            rule = "entry-claim-integer" if stated.integer else "entry-claim-figure"
            yield finding(rule, f"the claim states {stated.text}; the figure of this entry is {told}", where=where)


def _ambiguous(stated: StatedFigure, place: str) -> str:
    return f"{place} has {stated.text}: {stated.why}"


def unshown(place: EntryPlace, text: FoldedText, begin: int, end: int, where: str) -> Iterator[tuple[str, str]]:
    """Rule and message where a stretch of a text does not hold the shown figure, whole, as the reader reads it.

    ``1.2`` is no figure of a quote that says ``1.2 million``.
    """
    file, _ = place
    entry, shown = entry_at(place), shown_of(place)
    figures = text.figures_within(begin, end, file.model.numbers.style, lone=True)
    if any(f.states(shown) for f in figures) if shown else "undefined" in text.text[begin:end]:
        return
    unclear = next((f for f in figures if f.why is not None), None)
    if unclear is not None:
        yield "figure-ambiguous", _ambiguous(unclear, where)
    yield "entry-quote-figure", f"{where} does not contain the shown figure {entry.expected.shown}"


def _range(place: EntryPlace, known: Known) -> Iterator[Finding]:
    """Both ends of a shown range must follow: one from the exact figure, the other from an output under ``also``."""
    file, index = place
    if known.shown is None or known.shown.high is None:
        return
    for end in known.shown.ends:
        alone = Known(None, known.exact)
        if not alone.gives_shown(end):
            message = f"the end {end.text} of the range {known.shown.text} follows from no output; name it under also"
            yield finding("entry-shown-mismatch", message, where=file.where("entries", index, "expected", "shown"))
