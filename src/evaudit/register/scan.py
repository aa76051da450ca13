"""``register scan``: the figures in a text, which entry binds each, and those that none binds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaudit.errors import EvauditError, NothingToCheckError, UnreadableInputError
from evaudit.findings import Finding, Where, finding
from evaudit.register.claim import StatedFigure
from evaudit.register.entry import Entry
from evaudit.register.entry_form import exact_of
from evaudit.register.from_here import root_from_here
from evaudit.register.known_figures import KnownOutput, fitting, known_outputs
from evaudit.register.project import Project, discover
from evaudit.register.prose import read_prose
from evaudit.register.quote import FoldedText
from evaudit.register.workspace import Workspace, absolute
from evaudit.results import Result

_GONE = ("superseded", "withdrawn")
_CONTEXT = 40
_Spared = tuple[int, int, str]
"""Words whose figures claim nothing: where they begin and end, and what the figures are."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A figure of a text: whether and by what it is bound, why it needs no entry, and what it could be.

    ``in_code``: it stands in a block of code, so that no author states it.
    """

    figure: StatedFigure
    line: int | str
    context: str
    bound_by: tuple[str, ...]
    hint: str
    no_claim: str | None
    in_code: bool

    def record(self) -> dict[str, object]:
        return {
            "figure": self.figure.text,
            "line": self.line,
            "context": self.context,
            "bound_by": list(self.bound_by),
            "hint": self.hint,
            "no_claim": self.no_claim,
            "in_code": self.in_code,
        }


def scan(texts: Sequence[Path], root: Path | None = None, *, code: bool = False) -> Result:
    """List the figures of ``texts`` and the entries that bind them; those in fenced blocks of Markdown are marked.

    Args:
        code: tell of figures in such blocks that no entry binds, too.

    Raises:
        UnreadableInputError: a text is missing or cannot be read.
    """
    workspace, project = project_around(texts[0], root)
    outputs = list(known_outputs(project.calculations)) if project else []
    files, findings = [], list(project.findings) if project else []
    for text in texts:
        path = absolute(text)
        prose, in_code = workspace.prose(path), _lines_of_code(workspace, path)
        name = workspace.name(path)
        spared, gone = _no_claims(prose, path, project)
        findings += gone
        found = [_look_up(f, prose, path, project, outputs, spared, in_code) for f in prose.figures()]
        asked = [f for f in found if code or not f.in_code]
        findings += [_unbound(f, name) for f in asked if not f.bound_by and f.no_claim is None]
        files.append({"path": name, "figures": [f.record() for f in found]})
    return Result(
        command="register scan",
        findings=findings,
        inputs=[workspace.inputs[workspace.name(absolute(t))] for t in texts],
        details={
            "texts": files,
            "code": code,
            "exit": max(project.exits, default=0) if project else 0,
            **root_from_here(workspace.root),
        },
    )


def project_around(start: Path, root: Path | None = None) -> tuple[Workspace, Project | None]:
    """The workspace around a text, and the documents of its project; None where there are none."""
    if not start.exists():
        raise UnreadableInputError(f"{start}: expected a file, found none; check the path")
    around = Workspace.at(start, root)
    try:
        project = discover([around.root], around.root)
    except NothingToCheckError:
        return around, None
    return project.workspace, project


def _lines_of_code(workspace: Workspace, path: Path) -> set[int | str]:
    """The lines whose words are gone where code is left out."""
    whole, prose = workspace.prose(path), read_prose(workspace.read(path), path.name, code=False)
    lines = [{place for char, place in zip(one.text, one.lines, strict=True) if char != " "} for one in (whole, prose)]
    return lines[0] - lines[1]


def _no_claims(prose: FoldedText, path: Path, project: Project | None) -> tuple[list[_Spared], list[Finding]]:
    """The words whose figures are declared to claim nothing, and the declarations whose words the text lacks."""
    spared: list[_Spared] = []
    gone: list[Finding] = []
    for register in project.registers if project else ():
        for n, declared in enumerate(register.model.no_claims):
            if not _same_file(declared.file, register.path, path, project):
                continue
            for m, quote in enumerate(declared.quotes):
                spans = prose.spans(quote)
                spared += [(begin, end, declared.why) for begin, end in spans]
                if not spans:
                    where = register.where("no_claims", n, "quotes", m)
                    gone.append(finding("no-claim-gone", f'"{quote}" does not stand in {declared.file}', where=where))
    return spared, gone


def _look_up(
    figure: StatedFigure, prose: FoldedText, path: Path, project: Project | None, outputs: Sequence[KnownOutput],
    spared: Sequence[_Spared], in_code: Collection[int | str],
) -> _Found:  # fmt: skip
    end = figure.start + len(figure.text)
    context = prose.text[max(figure.start - _CONTEXT, 0) : end + _CONTEXT // 2].strip()
    line = prose.lines[figure.start]
    bound: list[str] = []
    hints: list[str] = []
    for register in project.registers if project else ():
        for entry in register.model.entries:
            here = entry.at.file is None or _same_file(entry.at.file, register.path, path, project)
            if here and _covers(entry, figure, prose):
                if entry.status in _GONE:
                    hints.append(f"{entry.id} is {entry.status}")
                else:
                    bound.append(entry.id)
            elif _publishes(entry, figure):
                hints.append(f"{entry.id} publishes it elsewhere")
    why = next((w for begin, end, w in spared if begin <= figure.start < end), None)
    if not bound:
        hints += [f"could be {o.text()}" for o in fitting([figure], outputs)]
    hint = "; ".join(dict.fromkeys(hints[:4]))
    return _Found(figure, line, context, tuple(dict.fromkeys(bound)), hint, why, line in in_code)


def _covers(entry: Entry, figure: StatedFigure, prose: FoldedText) -> bool:
    """Whether the figure stands within the entry's quote."""
    return any(begin <= figure.start < end for begin, end in prose.spans(entry.at.quote))


def _publishes(entry: Entry, figure: StatedFigure) -> bool:
    shown, exact = entry.expected.digits, exact_of(entry)
    return (shown is not None and figure.states(shown)) or (
        exact is not None and exact.kind == "counts" and exact.counts == figure.counts
    )


def _same_file(written: str, register: Path, path: Path, project: Project | None) -> bool:
    assert project is not None
    root = project.workspace.root
    try:
        from evaudit.formats.yaml_documents import resolve_inside

        return path in (resolve_inside(register, written, root), root / written)
    except EvauditError:
        return False


def _unbound(found: _Found, name: str) -> Finding:
    hint = f"; {found.hint}" if found.hint else ""
    line = found.line if isinstance(found.line, int) else None
    place = "" if line else f"{found.line}: "
    return finding("figure-unbound", f'{place}{found.figure.text} in "{found.context}"{hint}', where=Where(name, line))
