"""``register scan``: the figures in a text, which entry binds each, and those that none binds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaudit.errors import NothingToCheckError
from evaudit.findings import Finding, Where, finding
from evaudit.formats.project_files import no_such
from evaudit.numerals import USUAL, NumberStyle, StatedFigure
from evaudit.register.from_here import root_from_here
from evaudit.register.known_figures import KnownOutput, fitting, known_outputs
from evaudit.register.project import Project, discover
from evaudit.register.quote import FoldedText, Place
from evaudit.register.scan_bindings import Bindings, same_file
from evaudit.register.workspace import Workspace, absolute
from evaudit.results import Result

_CONTEXT = 40
_Spared = tuple[int, int, str]
"""Words whose figures claim nothing: where they begin and end, and what the figures are."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A figure of a text: whether and by what it is bound, why it needs no entry, and what it could be.

    ``in_code``: it stands in a block of code, so that no author states it.
    """

    figure: StatedFigure
    line: Place
    span: tuple[int, int]
    context: str
    bound_by: tuple[str, ...]
    hint: str
    no_claim: str | None
    in_code: bool

    def record(self) -> dict[str, object]:
        return {
            "figure": self.figure.text,
            "kind": self.kind,
            "line": self.line,
            "span": list(self.span),
            "context": self.context,
            "bound_by": list(self.bound_by),
            "hint": self.hint,
            "no_claim": self.no_claim,
            "in_code": self.in_code,
        }

    @property
    def kind(self) -> str:
        """``ambiguous``, ``integer``, ``counts`` or ``figure``."""
        if self.figure.why is not None:
            return "ambiguous"
        return "integer" if self.figure.integer else "counts" if self.figure.counts is not None else "figure"


def scan(texts: Sequence[Path], root: Path | None = None, *, code: bool = False, integers: bool = True) -> Result:
    """List the figures of ``texts`` and the entries that bind them; those in fenced blocks of Markdown are marked.

    Args:
        code: tell of figures in such blocks that no entry binds, too. integers: list plain whole numbers, too.

    Raises:
        UnreadableInputError: a text is missing or cannot be read.
    """
    workspace, project = project_around(texts[0], root)
    outputs = list(known_outputs(project.calculations)) if project else []
    files, findings = [], list(project.findings) if project else []
    for text in texts:
        path = absolute(text)
        prose, name = workspace.prose(path), workspace.name(path)
        findings += unread(prose, name)
        spared, gone = _no_claims(prose, path, project)
        findings += gone
        found = _look_up(prose, path, project, outputs, spared)
        kept = [f for f in found if integers or f.kind != "integer"]
        findings += [
            _unbound(f, name) for f in kept if (code or not f.in_code) and not f.bound_by and f.no_claim is None
        ]
        files.append({"path": name, "figures": [f.record() for f in kept], "integers_left_out": len(found) - len(kept)})
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
        raise no_such(start, str(start))
    around = Workspace.at(start, root)
    try:
        project = discover([around.root], around.root)
    except NothingToCheckError:
        return around, None
    return project.workspace, project


def unread(prose: FoldedText, name: str) -> list[Finding]:
    """A warning for each construct of a text that cannot be read safely."""
    return [finding("prose-unread", _placed(place, told), where=_where(name, place)) for place, told in prose.warnings]


def style_of(path: Path, project: Project | None) -> NumberStyle:
    """How a text writes numbers: as the first register says that quotes it, else the first one of the project."""
    registers = project.registers if project else []
    for register in registers:
        if any(e.at.file and same_file(e.at.file, register.path, path, project) for e in register.model.entries):
            return register.model.numbers.style
    return registers[0].model.numbers.style if registers else USUAL


def _no_claims(prose: FoldedText, path: Path, project: Project | None) -> tuple[list[_Spared], list[Finding]]:
    """The words whose figures are declared to claim nothing, and the declarations whose words the text lacks."""
    spared: list[_Spared] = []
    gone: list[Finding] = []
    for register in project.registers if project else ():
        for n, declared in enumerate(register.model.no_claims):
            if not same_file(declared.file, register.path, path, project):
                continue
            for m, quote in enumerate(declared.quotes):
                spans = prose.spans(quote, register.model.numbers.style)
                spared += [(begin, end, declared.why) for begin, end in spans]
                if not spans:
                    where = register.where("no_claims", n, "quotes", m)
                    gone.append(finding("no-claim-gone", f'"{quote}" does not stand in {declared.file}', where=where))
    return spared, gone


def _look_up(
    prose: FoldedText, path: Path, project: Project | None, outputs: Sequence[KnownOutput], spared: Sequence[_Spared]
) -> list[_Found]:
    bindings = Bindings(prose, path, project)
    found = []
    for figure in prose.figures(style_of(path, project)):
        context = prose.text[max(figure.start - _CONTEXT, 0) : figure.end + _CONTEXT // 2].strip()
        bound = tuple(bindings.of(figure))
        hints = bindings.hints(figure)
        if not bound and figure.why is None:
            hints += [f"could be {o.text()}" for o in fitting([figure], outputs)]
        hint = "; ".join(dict.fromkeys(([figure.why] if figure.why else []) + hints[:4]))
        why = next((w for begin, end, w in spared if begin <= figure.start and figure.end <= end), None)
        place, span = prose.lines[figure.start], prose.source(figure)
        found.append(_Found(figure, place, span, context, bound, hint, why, prose.in_code(figure)))
    return found


_RULES = {"ambiguous": "figure-ambiguous", "integer": "integer-unbound"}


def _unbound(found: _Found, name: str) -> Finding:
    hint = f"; {found.hint}" if found.hint else ""
    told = _placed(found.line, f'{found.figure.text} in "{found.context}"{hint}')
    return finding(_RULES.get(found.kind, "figure-unbound"), told, where=_where(name, found.line))


def _placed(place: Place, told: str) -> str:
    return told if isinstance(place, int) else f"{place}: {told}"


def _where(name: str, place: Place) -> Where:
    return Where(name, place if isinstance(place, int) else None)
