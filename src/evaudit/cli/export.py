"""``evaudit export --as in-toto``: what a check found, in a form that others can sign and verify."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from evaudit.cli.check import AllowCommandsOption, PathsArgument, TextOption
from evaudit.cli.output import QuietOption, RootOption
from evaudit.cli.printing import report_findings, tell, write_text


def export(
    paths: PathsArgument = None,
    form: Annotated[
        Literal["in-toto"] | None,
        typer.Option("--as", help="in-toto: Statement v1, unsigned, with the DSSE bytes to sign.", show_default=False),
    ] = None,
    text: TextOption = None,
    allow_commands: AllowCommandsOption = False,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", help="New folder for statement.json, .pae and envelope.json."),
    ] = None,
    quiet: QuietOption = False,
    root: RootOption = None,
) -> None:
    """Check everything below PATH and state the outcome, passed or failed, over the digests of every file read.

    Without -o the statement is printed. The same project gives the same bytes; SOURCE_DATE_EPOCH sets a time. Exit
    codes as of `check`; where something could not be checked at all (2, 3), nothing is exported.
    """
    from evaudit.errors import UsageError
    from evaudit.register.check import check_paths
    from evaudit.register.statement import statement, write_export
    from evaudit.register.workspace import Workspace
    from evaudit.sources.run_digests import RunDigests

    if form is None:
        raise UsageError("name the form of the export: --as in-toto")
    asked = paths or [Path()]
    with RunDigests().serving():  # what is stated is what was checked, and no file is hashed for it once more
        result = check_paths(asked, root=root, texts=text or [], allow_commands=allow_commands)
        code = int(str(result.details["exit"]))
        if code in (2, 3):
            report_findings(result, held="`evaudit check` lists them")
            raise typer.Exit(code)
        payload = statement(result, Workspace.at(asked[0], root, allow_commands=allow_commands))
    if output is None:
        write_text(payload.decode("utf-8"))
    else:
        names = write_export(output, payload)
        if not quiet:
            tell(f"wrote {', '.join(str(output / name) for name in names)}")
    if code and not quiet:
        report_findings(result, held="`evaudit check` lists them")
    raise typer.Exit(code)
