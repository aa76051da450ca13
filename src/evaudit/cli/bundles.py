"""``evaudit bundles``: what selected units cover of the evidence that needs require."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from evaudit.cli.output import ColorOption, FailOnOption, FormatOption, OutputOption, QuietOption, RootOption, emit
from evaudit.errors import UsageError

if TYPE_CHECKING:
    from evaudit.bundles.budget import Allowance

_TABLES = "Tables"
_FOREIGN = "Foreign files"
_QUESTIONS = "Questions"


def bundles(
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
    claims: Annotated[
        str | None, typer.Option(metavar="FILE", help="Who says what, and where.", rich_help_panel=_TABLES)
    ] = None,
    rules: Annotated[
        str | None, typer.Option(metavar="FILE", help="What opposes what (YAML).", rich_help_panel=_TABLES)
    ] = None,
    source: Annotated[
        Literal["fever"] | None, typer.Option("--from", help="Read a foreign format.", rich_help_panel=_FOREIGN)
    ] = None,
    gold: Annotated[str | None, typer.Option(metavar="FILE", help="Its gold file.", rich_help_panel=_FOREIGN)] = None,
    predicted: Annotated[
        str | None, typer.Option(metavar="FILE", help="Its predictions.", rich_help_panel=_FOREIGN)
    ] = None,
    compat: Annotated[
        Literal["fever"] | None,
        typer.Option(help="Also print the figures of the format's own scorer.", rich_help_panel=_FOREIGN),
    ] = None,
    pair: Annotated[
        Literal["line", "id"], typer.Option(help="How gold and predictions are paired.", rich_help_panel=_FOREIGN)
    ] = "line",
    budget_units: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="At most N units.", rich_help_panel=_QUESTIONS)
    ] = None,
    budget_chars: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="At most N code points.", rich_help_panel=_QUESTIONS)
    ] = None,
    budget_tokens: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="At most N tokens.", rich_help_panel=_QUESTIONS)
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
    format: FormatOption = "table",
    output: OutputOption = None,
    fail_on: FailOnOption = None,
    quiet: QuietOption = False,
    color: ColorOption = "auto",
    root: RootOption = None,
) -> None:
    """Audit evidence bundles: what is covered, what is complete, where components are lost, and what opposes them."""
    from evaudit.audits.bundles import Tables, Wanted, audit_fever, audit_tables

    budget = _budget(budget_units, budget_chars, budget_tokens)
    tables = {
        "--needs": needs, "--selected": selected, "--candidates": candidates, "--units": units,
        "--documents": documents, "--view": view, "--claims": claims, "--rules": rules,
    }  # fmt: skip
    if source is not None:
        _refuse_beside_from([name for name, path in tables.items() if path] + (["--by"] if by else []))
        if gold is None or predicted is None:
            raise UsageError(f"--from {source} needs --gold FILE and --predicted FILE")
        wanted = Wanted(show=show or (), lint=lint)
        result = audit_fever(
            Path(gold), Path(predicted), pair=pair, budget=budget, compat=compat is not None, wanted=wanted
        )
    else:
        if gold or predicted or compat or pair != "line":
            raise UsageError("--gold, --predicted, --compat and --pair belong to a foreign format; name it with --from")
        if needs is None or selected is None:
            raise UsageError("give --needs FILE and --selected FILE, or --from fever --gold FILE --predicted FILE")
        given = Tables(needs, selected, candidates, units, documents, view, claims, rules)
        result = audit_tables(given, budget=budget, by=by, show=show or (), with_lint=lint, root=root)
    emit(result, format=format, output=output, fail_on=fail_on, quiet=quiet, color=color)


def _refuse_beside_from(names: list[str]) -> None:
    if names:
        raise UsageError(f"{', '.join(names)} cannot stand beside --from: the foreign files say what is required")


def _budget(units: int | None, chars: int | None, tokens: int | None) -> Allowance | None:
    from evaudit.bundles.budget import Allowance

    given = [("units", units), ("chars", chars), ("tokens", tokens)]
    stated = [(name, limit) for name, limit in given if limit is not None]
    if len(stated) > 1:
        raise UsageError("give one of --budget-units, --budget-chars and --budget-tokens")
    if units is not None:
        return Allowance("units", units)
    if chars is not None:
        return Allowance("chars", chars)
    return Allowance("tokens", tokens) if tokens is not None else None
