"""Files as the user names them: relative to the folder that a command was run in, so that what is printed works there.

Everything that is kept (results, locks, findings) names files relative to the root of the project instead; a result
says with ``root`` where that lies, if it is another folder.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evaudit.errors import InvalidDocumentError
from evaudit.formats.yaml_documents import ROOMS, find_root
from evaudit.register.workspace import Workspace
from evaudit.register.workspace import from_here as from_here
from evaudit.reports.places import Places
from evaudit.results import Result


def root_from_here(root: Path) -> dict[str, object]:
    """``{"root": "demo"}`` for the details of a result; nothing where the command was run from the root."""
    here = from_here(root)
    return {} if here == "." else {"root": here}


def where_files_lie(workspace: Workspace) -> dict[str, object]:
    """For the details of a result: where its root lies, and the files that could not be read, if there are some."""
    missing = sorted(workspace.memory.missing)
    return root_from_here(workspace.root) | ({"missing_files": missing} if missing else {})


def calc_command(verb: str, name: str, workspace: Workspace, arguments: str = "", known_as: str | None = None) -> str:
    """``evaudit calc VERB FILE …``, with the options of this run that another run would not find by itself.

    Args:
        name: of the calculation file, relative to the root.
        known_as: the id to name it by instead, if this folder is the root: there, ids are found.
    """
    path, root = workspace.root / name, from_here(workspace.root)
    by_id = known_as is not None and root == "." and name.startswith(tuple(f"{room}/" for room in ROOMS))
    options = f" --root {shlex.quote(root)}" if find_root(path) != workspace.root else ""
    options += " --allow-commands" if workspace.allow_commands else ""
    target = known_as if by_id and known_as else from_here(path)
    return f"evaudit calc {verb} {shlex.quote(target)}{arguments}{options}"


def quoted(text: str) -> str:
    """A text as one word of a command line, in double quotes where they are enough."""
    return shlex.quote(text) if any(c in text for c in '"$`\\!') else f'"{text}"'


@contextmanager
def places_from_here(named: str, root: Path | None) -> Iterator[None]:
    """Within it, a document that is refused is refused with places as they are found from the current folder.

    Args:
        named: the file or id that the command was given. root: the root that it was given.
    """
    try:
        yield
    except InvalidDocumentError as error:
        base = find_root(Path(named) if Path(named).exists() else Path(), root)
        places = Places.of(Result(command="", findings=error.findings, details=root_from_here(base)))
        told = InvalidDocumentError([places.finding(f) for f in error.findings])
        told.exit_code = error.exit_code
        raise told from None
