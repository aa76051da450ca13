"""``evaudit digest``: a fingerprint with its recipe, so that anybody can check it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from evaudit.cli.printing import write_text
from evaudit.errors import UnreadableInputError
from evaudit.formats.project_files import no_such
from evaudit.visible import one_line

Recipe = Literal["bytes", "text/lf", "text/nfc", "prose"]


def digest(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Files to hash; - is standard input.")],
    recipe: Annotated[
        Recipe,
        typer.Option(
            "--recipe",
            help="What is hashed: the bytes; text with line ends folded to LF; that text in NFC; "
            "prose (NFC, white space collapsed to single blanks).",
        ),
    ],
) -> None:
    """Print the sha256 of files under a named recipe."""
    from evaudit.sources.digest import digest_stream

    for name in files:
        try:
            if name == "-":
                value = digest_stream(sys.stdin.buffer, recipe)
            else:
                with Path(name).open("rb") as file:
                    value = digest_stream(file, recipe)
        except UnreadableInputError as error:
            raise UnreadableInputError(f"{name}: {error}") from None
        except FileNotFoundError:
            raise no_such(Path(name), name) from None
        except OSError as error:
            raise UnreadableInputError(f"{name}: cannot be read ({error.strerror or error})") from error
        write_text(one_line(f"sha256({recipe}) {value}  {name}"))
