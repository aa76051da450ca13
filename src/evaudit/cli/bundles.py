"""``evaudit bundles``: what selected units cover of the evidence that needs require."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from evaudit.cli.bar import Bar
from evaudit.cli.bundle_rows import RowsFile
from evaudit.cli.output import (
    ROW_ENDINGS,
    BundleFailOnOption,
    ColorOption,
    FormatOption,
    MaxExpansionOption,
    QuietOption,
    RootOption,
    by_ending_or_rows,
    emit,
    format_is_named,
)
from evaudit.errors import UsageError
from evaudit.formats import FOREIGN
from evaudit.sources.text_match import TextMatch

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from evaudit.audits.bundle_partials import Wanted
    from evaudit.bundles.budget import Allowance, BudgetRule, Measured
    from evaudit.formats.foreign import Level, Requires
    from evaudit.results import Result

_TABLES = "Tables"
_FOREIGN = "Foreign files"
_QUESTIONS = "Questions"


def bundles(
    context: typer.Context,
    needs: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="What is required: components and accepted bundles.", rich_help_panel=_TABLES
        ),
    ] = None,
    selected: Annotated[
        str | None, typer.Option(metavar="FILE", help="Selected units, in rank order.", rich_help_panel=_TABLES)
    ] = None,
    candidates: Annotated[
        str | None, typer.Option(metavar="FILE", help="What they were selected from.", rich_help_panel=_TABLES)
    ] = None,
    units: Annotated[
        str | None, typer.Option(metavar="FILE", help="The chunked corpus.", rich_help_panel=_TABLES)
    ] = None,
    documents: Annotated[
        str | None, typer.Option(metavar="FILE", help="The inventory, with texts and labels.", rich_help_panel=_TABLES)
    ] = None,
    view: Annotated[
        str | None, typer.Option(metavar="FILE", help="Which documents may be used (YAML).", rich_help_panel=_TABLES)
    ] = None,
    offsets: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE|line|paragraph",
            help="Where sentences, pages, … stand in the texts, so that positions of different spaces compare: "
            "a table, or made from the documents. May be repeated.",
            rich_help_panel=_TABLES,
        ),
    ] = None,
    claims: Annotated[
        str | None, typer.Option(metavar="FILE", help="Who says what, and where.", rich_help_panel=_TABLES)
    ] = None,
    rules: Annotated[
        str | None, typer.Option(metavar="FILE", help="What opposes what (YAML).", rich_help_panel=_TABLES)
    ] = None,
    text_match: Annotated[
        TextMatch, typer.Option("--text-match", help="How texts are compared.", rich_help_panel=_TABLES)
    ] = "exact",
    duplicates: Annotated[
        Literal["refuse", "first"],
        typer.Option(
            help="What becomes of a unit that stands twice in one list of a need: refuse the need, or count the first.",
            rich_help_panel=_TABLES,
        ),
    ] = "refuse",
    source: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="FORMAT", help=f"Read a foreign format: {', '.join(FOREIGN)}.", rich_help_panel=_FOREIGN
        ),
    ] = None,
    gold: Annotated[str | None, typer.Option(metavar="FILE", help="Its gold file.", rich_help_panel=_FOREIGN)] = None,
    predicted: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Its predictions; the gold alone without them.", rich_help_panel=_FOREIGN),
    ] = None,
    compat: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT", help="Also print the figures of the format's own tool.", rich_help_panel=_FOREIGN
        ),
    ] = None,
    aliases: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="2wikimultihop: further names, for --compat.", rich_help_panel=_FOREIGN),
    ] = None,
    pair: Annotated[
        Literal["line", "id"], typer.Option(help="How gold and predictions of fever pair.", rich_help_panel=_FOREIGN)
    ] = "line",
    level: Annotated[
        Literal["page", "paragraph", "session", "turn"] | None,
        typer.Option(help="What a piece of evidence is (kilt, longmemeval).", rich_help_panel=_FOREIGN),
    ] = None,
    each_suffices: Annotated[
        bool,
        typer.Option("--each-suffices", help="qrels: any one relevant document is enough.", rich_help_panel=_FOREIGN),
    ] = False,
    all_required: Annotated[
        bool,
        typer.Option("--all-required", help="qrels: every relevant document is needed.", rich_help_panel=_FOREIGN),
    ] = False,
    budget_units: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="At most N units.", rich_help_panel=_QUESTIONS)
    ] = None,
    budget_chars: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="At most N code points.", rich_help_panel=_QUESTIONS)
    ] = None,
    budget_tokens: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="At most N tokens.", rich_help_panel=_QUESTIONS)
    ] = None,
    budget_rule: Annotated[
        Literal["prefix", "skip"] | None,
        typer.Option(
            help="What the budget admits: the longest prefix that fits (the default), or all that fits, passing over "
            "what does not.",
            rich_help_panel=_QUESTIONS,
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Also group by a column of the needs.", rich_help_panel=_QUESTIONS),
    ] = None,
    lint: Annotated[
        bool, typer.Option("--lint", help="Also check the accepted bundles themselves.", rich_help_panel=_QUESTIONS)
    ] = False,
    show: Annotated[
        list[str] | None,
        typer.Option(metavar="NEED", help="Tell the story of one need. May be repeated.", rich_help_panel=_QUESTIONS),
    ] = None,
    jobs: Annotated[int, typer.Option(metavar="N", min=1, help="Processes; the result is the same for any N.")] = 1,
    max_expansion: MaxExpansionOption = None,
    format: FormatOption = "table",
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the result to FILE, whole or not at all; without --format as the ending says, where .parquet, "
            ".jsonl and .csv hold one row a need.",
            callback=by_ending_or_rows,
            rich_help_panel="Output",
        ),
    ] = None,
    fail_on: BundleFailOnOption = None,
    quiet: QuietOption = False,
    color: ColorOption = "auto",
    root: RootOption = None,
) -> None:
    """Audit evidence bundles: what is covered, what is complete, where components are lost, and what opposes them."""
    budget = _budget({"units": budget_units, "chars": budget_chars, "tokens": budget_tokens}, budget_rule)
    tables = {
        "--needs": needs, "--selected": selected, "--candidates": candidates, "--units": units,
        "--view": view, "--claims": claims, "--rules": rules,
    }  # fmt: skip
    _refuse_idle(fail_on or (), view, rules)
    _keep_inputs(output, [*tables.values(), documents, gold, predicted, aliases, *(offsets or ())])
    a_need = output is not None and not format_is_named(context) and output.suffix.lower() in ROW_ENDINGS
    rows = output if a_need else None
    question = _Question(by, tuple(show or ()), lint, "rows" if rows else "nothing" if format == "table" else "figures")
    with RowsFile(rows) as writer:
        if source is not None:
            kept = {"--duplicates (a format keeps its own rule)": duplicates != "refuse"}
            if beside := [name for name, given in {**tables, **kept}.items() if given]:
                raise UsageError(f"{', '.join(beside)} cannot be used with --from: its files say what is required")
            choices = _choices(source, compat, each_suffices, all_required)
            if aliases is not None and source != "2wikimultihop":
                raise UsageError(f"--aliases belongs to --from 2wikimultihop; {source} has one name for each thing")
            files = _Files(source, gold, predicted, pair, level, choices, aliases, text_match, tuple(offsets or ()))
            result = _foreign(files, budget, compat is not None, question, documents, root, writer)
        else:
            if gold or predicted or compat or aliases or pair != "line" or level or each_suffices or all_required:
                options = "--gold, --predicted, --compat, --aliases, --pair, --level and what qrels require"
                raise UsageError(f"{options} belong to a foreign format; name it with --from")
            if needs is None or selected is None:
                raise UsageError(
                    "give --needs FILE and --selected FILE, or --from FORMAT --gold FILE [--predicted FILE]"
                )
            paths = [needs, selected, candidates, units, documents, view, claims, rules]
            texts = _Texts(text_match, offsets or [], duplicates)
            result = _tables(paths, texts, budget, question, root, jobs, None if quiet else Bar("needs"), writer)
        if "gold" in result.details and (asked := sorted({*(fail_on or ())} - {"warning"})):
            raise UsageError(f"--fail-on {asked[0]}: without --predicted there is no verdict; give the predictions")
        writer.keep(quiet=quiet)
    emit(result, format=format, output=None if rows else output, fail_on=fail_on, quiet=quiet, color=color)


class _Question(NamedTuple):
    """What is asked beside the means, and what is kept of each need."""

    by: str | None
    show: tuple[str, ...]
    lint: bool
    keep: Literal["figures", "rows", "nothing"]

    def wanted(self) -> Wanted:
        from evaudit.audits.bundle_partials import Wanted

        return Wanted(self.by, self.show, self.lint, self.keep)


class _Files(NamedTuple):
    """A foreign format, its files, and the choices that no file makes."""

    format: str
    gold: str | None
    predicted: str | None
    pair: Literal["line", "id"]
    level: Level | None
    requires: Requires | None
    aliases: str | None = None
    text_match: TextMatch = "exact"
    offsets: tuple[str, ...] = ()


class _Texts(NamedTuple):
    """How texts are compared, where their pieces stand, and what becomes of a unit that stands twice."""

    match: TextMatch
    offsets: list[str]
    duplicates: Literal["refuse", "first"]


def _tables(
    paths: list[str | None],
    texts: _Texts,
    budget: Allowance | None,
    question: _Question,
    root: Path | None,
    jobs: int,
    bar: Bar | None,
    writer: RowsFile,
) -> Result:
    from evaudit.audits.bundles import Running, Tables, audit_tables
    from evaudit.formats.table_source import keep_memory_low

    keep_memory_low()
    needs, selected, candidates, units, documents, view, claims, rules = paths
    assert needs is not None and selected is not None
    running = Running(jobs, bar.show if bar else lambda done, total: None, writer.write if writer.path else None)
    try:
        tables = Tables(needs, selected, candidates, units, documents, view, claims, rules, *texts)
        return audit_tables(tables, budget=budget, wanted=question.wanted(), root=root, running=running)
    finally:
        if bar:
            bar.clear()


def _foreign(
    files: _Files,
    budget: Allowance | None,
    compat: bool,
    question: _Question,
    documents: str | None,
    root: Path | None,
    writer: RowsFile,
) -> Result:
    if files.gold is None:
        raise UsageError(f"--from {files.format} needs --gold FILE")
    wanted = question.wanted()
    rows = writer.write if writer.path else None
    if files.format == "fever":
        from evaudit.audits.fever import audit_fever

        if documents is not None or files.offsets or files.text_match != "exact":
            message = "a sentence of fever is known by its page and number alone, so no text can be checked here"
            raise UsageError(f"{message}; `evaudit anchors check --from fever` looks whether the pages are there")
        gold, predicted = Path(files.gold), Path(files.predicted) if files.predicted else None
        return audit_fever(gold, predicted, pair=files.pair, budget=budget, compat=compat, wanted=wanted, rows=rows)
    from evaudit.audits.foreign import audit_foreign
    from evaudit.formats.foreign import Request

    predicted, texts, aliases = (Path(p) if p else None for p in (files.predicted, documents, files.aliases))
    request = Request(Path(files.gold), predicted, files.level, files.requires, texts, aliases)
    return audit_foreign(
        files.format, request, documents=documents, text_match=files.text_match, offsets=files.offsets, budget=budget,
        compat=compat, wanted=wanted, root=root, rows=rows,
    )  # fmt: skip


def _choices(source: str, compat: str | None, each: bool, every: bool) -> Requires | None:
    if source not in FOREIGN:
        from difflib import get_close_matches

        near = get_close_matches(source, FOREIGN, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise UsageError(f"--from {source}: no such format{hint} There are {', '.join(FOREIGN)}")
    if compat is not None and compat != source:
        raise UsageError(f"--compat {compat} prints the figures of the tool of {compat}; the files are --from {source}")
    if each and every:
        raise UsageError("say --each-suffices or --all-required, not both")
    if (each or every) and source != "qrels":
        raise UsageError(f"--each-suffices and --all-required belong to --from qrels; {source} says what is required")
    return "each-suffices" if each else "all-required" if every else None


def _keep_inputs(output: Path | None, inputs: list[str | None]) -> None:
    """Refuse to write over what is read, or into a folder that is read as a table."""
    for path in inputs if output is not None else ():
        if path is None or path == "-" or output is None:
            continue
        target, source = output.resolve(), Path(path).resolve()
        same = target == source or (target.exists() and source.exists() and target.samefile(source))
        if same or (source.is_dir() and source in target.parents):
            where = "is" if same else "stands in"
            raise UsageError(f"-o {output}: this file {where} an input of the command ({path}); name another one")


def _refuse_idle(fail_on: Collection[str], view: str | None, rules: str | None) -> None:
    """Refuse to fail on what is not asked: such a command would always end well."""
    if "ineligible" in fail_on and view is None:
        raise UsageError("--fail-on ineligible: without --view no unit is asked whether it may be used; give one")
    if "unclean" in fail_on and view is None and rules is None:
        raise UsageError("--fail-on unclean: without --view and --rules nothing is asked of the selection; give one")


def _budget(limits: Mapping[Measured, int | None], rule: BudgetRule | None) -> Allowance | None:
    from evaudit.bundles.budget import allowance

    try:
        return allowance(limits, rule)
    except ValueError as error:
        names = "--budget-units, --budget-chars and --budget-tokens"
        raise UsageError(f"{error}; give one of {names}") from None
