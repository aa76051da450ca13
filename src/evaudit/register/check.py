"""The main job: run every control once, every calculation once, check every entry, and put it all into one result."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Literal, Protocol, TypeVar

from evaudit.errors import EvauditError, NothingToCheckError, UsageError
from evaudit.findings import Finding, Where, finding
from evaudit.formats.yaml_documents import find_root
from evaudit.plurals import counted
from evaudit.register.calculation import Calculation
from evaudit.register.calculation_run import run_calculation
from evaudit.register.checked import Checked
from evaudit.register.control_run import run_control
from evaudit.register.entry_figures import EntryPlace, entry_at
from evaudit.register.entry_form import succession_findings
from evaudit.register.entry_verify import check_form, verify_entry
from evaudit.register.freeze import verify_calculation
from evaudit.register.from_here import from_here
from evaudit.register.history import check_history
from evaudit.register.outcome import CalculationOutcome, ControlOutcome, EntryOutcome
from evaudit.register.project import Project, discover
from evaudit.register.published import idle_texts, read_given, texts_by_work
from evaudit.register.quote import FoldedText
from evaudit.register.rooms import is_document
from evaudit.register.summary import summarise
from evaudit.register.workspace import Workspace, absolute
from evaudit.register.writing import no_writer
from evaudit.results import Result

OutcomeT = TypeVar("OutcomeT", ControlOutcome, CalculationOutcome, EntryOutcome)

Progress = Callable[[int, int], None]
T = TypeVar("T")

Scope = Literal["all", "controls", "register", "register-form"]
"""What is checked: everything, controls only, entries with their calculations, or the form of entries only."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What is kept elsewhere about a project, because nothing inside shows that it was taken away; None: not asked.

    ``head`` is the digest of the last record of the history; ``entries`` and ``controls`` are their numbers.
    """

    head: str | None = None
    entries: int | None = None
    controls: int | None = None


def check_paths(
    paths: Sequence[Path],
    *,
    root: Path | None = None,
    scope: Scope = "all",
    only: Sequence[str] = (),
    texts: Sequence[str | Path] = (),
    allow_commands: bool = False,
    expected: Expected = Expected(),
    progress: Progress = lambda done, total: None,
) -> Result:
    """Check everything below ``paths``; a document that is broken does not stop the others.

    Args:
        only: ids of controls (scope ``controls``) or entries (the register scopes); empty for all.
        texts: published texts in which quotes of works are checked, each ``FILE`` or ``WORK=FILE``.
        allow_commands: run calculations of kind ``command``.
        expected: what the project must still hold (scope ``all``). progress: told how many of how many are checked.

    Raises:
        UsageError: an id of ``only``, or the work of a text, does not exist.
        UnreadableInputError: a path or text does not exist.
        NothingToCheckError: nothing that the scope asks for was found.
    """
    with no_writer(find_root(paths[0], root)):
        return _check_paths(paths, root, scope, only, texts, allow_commands, expected, progress)


def _check_paths(
    paths: Sequence[Path],
    root: Path | None,
    scope: Scope,
    only: Sequence[str],
    texts: Sequence[str | Path],
    allow_commands: bool,
    expected: Expected,
    progress: Progress,
) -> Result:
    project = discover(paths, root, allow_commands=allow_commands)
    published, given, idle = _published(project, texts, only if scope == "register" else ())
    _announce_recipes(project)
    checked = Checked(project.workspace, findings=list(project.findings), exits=set(project.exits), texts=given)
    tick = _ticks(project, progress)
    if scope in ("all", "controls"):
        _run_controls(project, checked, only if scope == "controls" else (), tick)
    if scope == "all":
        checked.calculations = [verify_calculation(tick(c), project.workspace) for c in project.calculations]
        checked.history, found = check_history(project.workspace, expected.head)
        checked.findings += found
    if scope != "controls":
        asked = only if scope != "all" else ()
        _check_entries(project, checked, asked, published, tick, form_only=scope == "register-form")
    if not (checked.controls or checked.calculations or checked.entries or checked.findings):
        raise NothingToCheckError(f"{', '.join(map(str, paths))}: nothing to check: no control, calculation or entry")
    checked.findings += [*idle, *_missing(project, expected)]
    return summarise(checked, scope)


def _missing(project: Project, expected: Expected) -> list[Finding]:
    """Entries and controls are as many as somebody counted elsewhere; a deleted one leaves no other trace."""
    found = []
    for what, several, asked, now in (
        ("entry", "entries", expected.entries, sum(len(file.model.entries) for file in project.registers)),
        ("control", "controls", expected.controls, sum(len(file.model.controls) for file in project.controls)),
    ):
        if asked is not None and asked != now:
            many = counted(asked, what, several)
            change = f"{counted(asked - now, what, several)} fewer" if now < asked else f"{now - asked} more"
            advice = f"restore what is gone, or pass --expect-{several} {now} where the change is meant"
            found.append(finding("count-not-as-expected", f"expected {many}, found {now}, {change}; {advice}"))
    return found


def check_calculation(named: str, *, root: Path | None = None, frozen: bool, allow_commands: bool = False) -> Result:
    """Run one calculation, by file or id, and with ``frozen`` compare it with its lock.

    Raises:
        UsageError: there is no such file or id. InvalidDocumentError: the file is refused.
    """
    path = find_calculation(named, root)
    with no_writer(find_root(path, root)):
        workspace = Workspace.at(path, root, allow_commands=allow_commands)
        file = workspace.load(path, Calculation)
        outcome = verify_calculation(file, workspace) if frozen else run_calculation(file, workspace)
        return summarise(Checked(workspace, calculations=[outcome]), "calculation" if frozen else "calculation-run")


def find_calculation(named: str, root: Path | None = None) -> Path:
    """The file of a calculation: ``named`` itself, or the one below the current folder with that id.

    Raises:
        UsageError: there is none, or more than one.
    """
    if not named.strip():
        raise UsageError("an empty argument names no calculation; give its file or id")
    path = Path(named)
    if path.exists() or is_document(path):
        return absolute(path)
    try:
        project = discover([Path()], root)
    except NothingToCheckError:
        raise UsageError(f"{named}: expected a calculation file, or an id below the current folder") from None
    fits = [c for c in project.calculations if c.model.id == named]
    if not fits:
        known = ", ".join(dict.fromkeys(c.model.id for c in project.calculations)) or "none"
        raise UsageError(f"there is no calculation {named} below the current folder; the ids are {known}")
    if len(fits) > 1:
        files = ", ".join(from_here(c.path) for c in fits)
        raise UsageError(f"there are {len(fits)} calculations {named}: {files}; name one by its file")
    return fits[0].path


def _announce_recipes(project: Project) -> None:
    """Every recipe that an entry names for an input, so that its one pass over the file gives them all."""
    for file in project.registers:
        for declared in (i for entry in file.model.entries for i in entry.inputs):
            try:
                project.workspace.want(project.workspace.resolve(file, declared.path), declared.recipe)
            except EvauditError:
                continue  # the entry itself tells it


def _published(
    project: Project, texts: Sequence[str | Path], only: Sequence[str]
) -> tuple[dict[str, list[FoldedText]], dict[str, list[str]], list[Finding]]:
    """The texts that speak for each work that an entry is of, how they were given, and those that serve no entry."""
    entries = [entry for file in project.registers for entry in file.model.entries]
    quotes = [(e.at.work, e.at.quote) for e in entries if e.at.work is not None]
    given = read_given(texts, (work for work, _ in quotes))
    spoken_for = texts_by_work(given, quotes)
    asked = [e for e in entries if e.id in only] or entries
    idle = idle_texts(given, {work: spoken_for[work] for work in (e.at.work for e in asked) if work is not None})
    written = {id(one.text): one.written for one in given}
    return spoken_for, {work: [written[id(text)] for text in its] for work, its in spoken_for.items()}, idle


class Tick(Protocol):
    """Counts what it is given, and gives it back."""

    def __call__(self, one: T) -> T: ...  # noqa: D102  (said above)


def _ticks(project: Project, progress: Progress) -> Tick:
    entries = sum(len(file.model.entries) for file in project.registers)
    controls = sum(len(file.model.controls) for file in project.controls)
    total, done = entries + controls + len(project.calculations), count()

    def tick(one: T) -> T:
        progress(next(done), total)
        return one

    return tick


def _run_controls(project: Project, checked: Checked, only: Sequence[str], tick: Tick) -> None:
    places = [(file, n) for file in project.controls for n in range(len(file.model.controls))]
    _known(only, [file.model.controls[n].id for file, n in places], "control")
    for file, n in places:
        if not only or file.model.controls[n].id in only:
            checked.controls.append(run_control(tick(file), n, project.workspace))
    checked.controls = _without_namesakes(checked.controls)


def _check_entries(
    project: Project,
    checked: Checked,
    only: Sequence[str],
    texts: Mapping[str, Sequence[FoldedText]],
    tick: Tick,
    *,
    form_only: bool,
) -> None:
    every: list[EntryPlace] = [(file, n) for file in project.registers for n in range(len(file.model.entries))]
    _known(only, [entry_at(p).id for p in every], "entry")
    places = [p for p in every if not only or entry_at(p).id in only]
    if form_only:
        checked.entries = [check_form(p, project.workspace) for p in places]
    else:
        calculations = bound_calculations(places, project, checked)
        checked.entries = [verify_entry(tick(p), project.workspace, calculations, texts) for p in places]
        checked.findings += _unread_texts(project)
    asked = {entry_at(p).id for p in places}
    succession = [(i, f) for i, f in succession_findings(every) if i in asked]
    checked.entries = [_with(o, [f for i, f in succession if i == o.id]) for o in checked.entries]
    checked.entries = _without_namesakes(checked.entries)


def _unread_texts(project: Project) -> list[Finding]:
    """One warning for each text that entries quote and that holds what cannot be read safely."""
    found = []
    for path, prose in project.workspace.memory.prose.items():
        if prose.warnings:
            name, (place, told) = project.workspace.name(path), prose.warnings[0]
            more = f", and {counted(len(prose.warnings) - 1, 'other place')}" if len(prose.warnings) > 1 else ""
            message = (
                f"{told}{more}; `evaudit register scan {shlex.quote(from_here(path))}` lists what cannot be read safely"
            )
            where = Where(name, place if isinstance(place, int) else None)
            found.append(finding("prose-unread", message, where=where))
    return found


def bound_calculations(
    places: Sequence[EntryPlace], project: Project, checked: Checked
) -> dict[Path, CalculationOutcome]:
    """The calculations that entries name, each run once; those that were not run yet join ``checked``.

    A calculation behind a link is the one that the link leads to. Those that share an id all fail.
    """
    run = {os.path.realpath(file.path): n for n, file in enumerate(project.calculations[: len(checked.calculations)])}
    named: dict[Path, int] = {}
    for file, n in places:
        entry = file.model.entries[n]
        for ref in entry.references() if entry.status == "verified" else ():
            try:
                path = project.workspace.resolve(file, ref)
                real = os.path.realpath(path)
                if real not in run:
                    loaded = project.workspace.load(path, Calculation)
                    checked.calculations.append(verify_calculation(loaded, project.workspace))
                    run[real] = len(checked.calculations) - 1
                named[path] = run[real]
            except EvauditError:
                continue  # the entry itself tells it
    checked.calculations = _without_namesakes(checked.calculations)
    return {path: checked.calculations[n] for path, n in named.items()}


def _with(outcome: EntryOutcome, findings: Sequence[Finding]) -> EntryOutcome:
    if not findings:
        return outcome
    more = tuple(replace(f, need=outcome.id) for f in findings)
    return replace(outcome, findings=(*outcome.findings, *more), exit=outcome.exit or 1, verified=False)


def _known(asked: Sequence[str], known: Sequence[str], what: str) -> None:
    for name in asked:
        if name not in known:
            listed = ", ".join(known[:20]) or "none"
            raise UsageError(f"there is no {what} {name}; the ids are {listed}{', …' if len(known) > 20 else ''}")


def _without_namesakes(outcomes: list[OutcomeT]) -> list[OutcomeT]:
    """The outcomes, where those that share an id all fail: whoever names it may mean any of them."""
    places: dict[str, list[str]] = {}
    for o in outcomes:
        places.setdefault(o.id, []).append(f"{o.path}:{o.line}")
    return [_renamed(o, places[o.id]) if len(places[o.id]) > 1 else o for o in outcomes]


def _renamed(outcome: OutcomeT, places: Sequence[str]) -> OutcomeT:
    own = f"{outcome.path}:{outcome.line}"
    others = ", ".join(p for p in places if p != own) or own
    message = f"the id {outcome.id} is used at {others}, too; rename one"
    repeated = finding("control-duplicate-id", message, where=Where(outcome.path, outcome.line), need=outcome.id)
    failed = replace(outcome, findings=(*outcome.findings, repeated), exit=outcome.exit or 1)
    return replace(failed, verified=False) if isinstance(failed, (CalculationOutcome, EntryOutcome)) else failed
