"""What in a project rests on one calculation: the entries bound to it, and the calculations that use it."""

from __future__ import annotations

from pathlib import Path

from evaudit.errors import EvauditError, NothingToCheckError
from evaudit.formats.yaml_documents import ROOMS
from evaudit.register.check import bound_calculations
from evaudit.register.checked import Checked
from evaudit.register.entry_figures import entry_at
from evaudit.register.entry_verify import verify_entry
from evaudit.register.outcome import EntryOutcome
from evaudit.register.project import Project, discover


def resting_on(path: Path, root: Path, *, allow_commands: bool = False) -> tuple[list[EntryOutcome], list[str]]:
    """The verified entries below ``root`` that are bound to the calculation ``path``, checked as things are now; and
    the ids of the calculations that use its outputs.
    """
    try:
        project = discover([root, *_nested(path, root)], root, allow_commands=allow_commands)
    except NothingToCheckError:
        return [], []
    places = [
        (file, n)
        for file in project.registers
        for n, entry in enumerate(file.model.entries)
        if entry.calculation is not None
        and entry.status in ("verified", "draft", "disputed")
        and _is(path, project, file.path, entry.calculation.ref)
    ]
    calculations = bound_calculations(places, project, Checked(project.workspace))
    entries = [verify_entry(p, project.workspace, calculations, {}) for p in places if entry_at(p).status == "verified"]
    users = [
        c.model.id
        for c in project.calculations
        if any(used.ref is not None and _is(path, project, c.path, used.ref) for used in c.model.uses.values())
    ]
    return entries, users


def _nested(path: Path, root: Path) -> list[Path]:
    """The folder within ``root`` whose ``controls`` or ``registers`` the calculation is one of, if it is another."""
    above = [f for f in path.parents if f != root and f.is_relative_to(root)]
    return [f for f in above if any((f / room).is_dir() for room in ROOMS)][:1]


def _is(path: Path, project: Project, base: Path, written: str) -> bool:
    from evaudit.formats.yaml_documents import resolve_inside

    try:
        return resolve_inside(base, written, project.workspace.root) == path
    except EvauditError:
        return False


def entry_record(outcome: EntryOutcome) -> dict[str, object]:
    """An entry for a report: what it publishes, where, what is found now, and every error."""
    return {
        "id": outcome.id,
        "place": outcome.place,
        "text": outcome.text,
        "quote": outcome.quote,
        "figure": outcome.figure,
        "published": outcome.published,
        "now": outcome.now,
        "holds": outcome.holds,
        "findings": [f.message for f in outcome.findings if f.severity == "error"],
    }
