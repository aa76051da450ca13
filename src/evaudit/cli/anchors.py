"""``evaudit anchors``: do quoted passages stand where they are said to stand, and where do they stand now?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from evaudit.cli.output import ColorOption, FailOnOption, FormatOption, OutputOption, QuietOption, RootOption, emit
from evaudit.errors import UsageError
from evaudit.formats import FOREIGN
from evaudit.plurals import counted

app = typer.Typer(
    help="Check quotes and positions against stored texts; propose where they moved.", no_args_is_help=True
)

NeedsOption = Annotated[str | None, typer.Option("--needs", metavar="FILE", help="Needs with anchors.")]
DocumentsOption = Annotated[
    str, typer.Option("--documents", metavar="PATH", help="Texts: a folder of .txt and .md files, or a table.")
]


GoldOption = Annotated[str | None, typer.Option("--gold", metavar="FILE", help="Its gold file.")]


@app.command("check")
def check(
    documents: DocumentsOption,
    needs: NeedsOption = None,
    source: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help=f"A foreign format: {', '.join(FOREIGN)}.")
    ] = None,
    gold: GoldOption = None,
    level: Annotated[
        Literal["page", "paragraph", "session", "turn"] | None,
        typer.Option(help="What a piece of evidence is (kilt, longmemeval)."),
    ] = None,
    format: FormatOption = "table",
    output: OutputOption = None,
    fail_on: FailOnOption = None,
    quiet: QuietOption = False,
    color: ColorOption = "auto",
    root: RootOption = None,
) -> None:
    """Locate every anchor in its document: resolved, ambiguous, not found, shifted, in UTF-16, …

    Ends with 1 where an anchor does not resolve.
    """
    from evaudit.audits.anchors import AnchorFiles, check_anchors

    if (needs is None) == (source is None):
        raise UsageError("give --needs FILE, or --from FORMAT --gold FILE")
    if source is None and (gold is not None or level is not None):
        raise UsageError("--gold and --level belong to a foreign format; name it with --from")
    result = check_anchors(AnchorFiles(documents, needs, source, gold, level), root=root)
    emit(result, format=format, output=output, fail_on=fail_on, quiet=quiet, color=color)


@app.command("refresh")
def refresh(
    documents: DocumentsOption,
    needs: NeedsOption = None,
    source: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="A foreign format that can be refreshed: chunking.")
    ] = None,
    gold: GoldOption = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write the proposed file; never over the needs."),
    ] = None,
    quiet: QuietOption = False,
    root: RootOption = None,
) -> None:
    """Propose, as a diff, the positions at which moved quotes stand now. Nothing is changed.

    Ends with 1 where an anchor does not resolve and nothing can be proposed for it.
    """
    from evaudit.audits.anchors import AnchorFiles, propose
    from evaudit.cli.printing import tell, write_text, write_whole

    if needs is not None and (source is not None or gold is not None):
        raise UsageError("give --needs FILE, or --from FORMAT --gold FILE")
    for path in (needs, gold):
        if output is not None and path is not None and output.resolve() == Path(path).resolve():
            raise UsageError(f"-o names {path} itself; a proposal is never applied, so write it beside the file")
    proposal = propose(AnchorFiles(documents, needs, source, gold), root=root)
    if output is not None:
        write_whole(output, proposal.text)
    elif proposal.diff:
        write_text(proposal.diff, as_is=True)
    if not quiet:
        tell(f"{counted(len(proposal.moves), 'anchor')} would move; nothing was changed")
        for row, why in proposal.left[:20]:
            tell(f"  no proposal: {row.where.text()}: {row.name} of need {row.need}: {why}")
        if len(proposal.left) > 20:
            tell(f"  and {len(proposal.left) - 20} more without a proposal")
    raise typer.Exit(1 if proposal.left else 0)
