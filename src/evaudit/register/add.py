"""``register add``: a draft entry from a quote, written to the end of a register."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaudit import strict_yaml
from evaudit.errors import EvauditError, UsageError
from evaudit.formats.project_files import no_such
from evaudit.numerals import NumberStyle, StatedFigure, parse_shown
from evaudit.register.calculation import Calculation
from evaudit.register.calculation_run import run_calculation
from evaudit.register.entry import RegisterFile
from evaudit.register.from_here import from_here, root_from_here
from evaudit.register.known_figures import KnownOutput, fitting, known_outputs
from evaudit.register.measure_words import measures_named, speaks_of
from evaudit.register.outcome import CalculationOutcome
from evaudit.register.project import Project
from evaudit.register.quote import FoldedText, explain
from evaudit.register.scan import project_around, style_of
from evaudit.register.workspace import Loaded, Workspace, absolute
from evaudit.register.writing import one_writer, write_new, write_whole
from evaudit.results import Result

_HEADER = "schema: evaudit/register@1\nentries:\n"


@dataclass(frozen=True, slots=True)
class Asked:
    """What ``register add`` is asked: only ``quote`` is needed where the rest follows from it."""

    text: Path
    quote: str
    id: str | None = None
    register: Path | None = None
    figure: str | None = None
    calculation: str | None = None
    output: str | None = None
    shown: str | None = None
    claim: str | None = None


def add(asked: Asked, root: Path | None = None) -> Result:
    """Write a draft entry for the figure in a quote, bound to an output where exactly one fits.

    Raises:
        UsageError: the quote does not stand in the text, holds no figure or several, or several outputs fit.
        UnreadableInputError: a file is missing or cannot be written.
    """
    if not asked.text.exists():
        raise no_such(Path(asked.text), str(asked.text))
    workspace = Workspace.at(asked.text, root)
    with one_writer(workspace.root):
        workspace.refuse_interrupted()
        return _add(asked, workspace.root)


def _add(asked: Asked, root: Path) -> Result:
    workspace, project = project_around(asked.text, root)
    prose = workspace.prose(absolute(asked.text))
    style = style_of(absolute(asked.text), project)
    spans = prose.spans(asked.quote, style)
    if not spans:
        told = explain(asked.quote, 1, None, prose, style)
        raise UsageError(f"{from_here(asked.text)}: {told}; copy it as it is read there")
    target = _target(asked, project, workspace)
    counts, shown = _figures(asked, prose.figures_within(*spans[0], style), style)
    bound = _bound(asked, [f for f in (counts, shown) if f], project)
    _same_measure(bound, prose, spans[0])
    raw = workspace.admitted(target).read_bytes() if target.exists() else _HEADER.encode()
    entry_id = _id(asked, [e.id for r in (project.registers if project else ()) for e in r.model.entries])
    lines = _entry(entry_id, asked, workspace, target, counts, shown, bound, len(spans))
    _write(target, raw, lines, workspace)
    return Result(
        command="register add",
        details={
            "id": entry_id,
            "register": workspace.name(target),
            "entry": lines,
            "bound": bound.text() if bound else None,
            "places": [prose.lines[begin] for begin, _ in spans],
            **root_from_here(workspace.root),
        },
    )


def _target(asked: Asked, project: Project | None, workspace: Workspace) -> Path:
    if asked.register is not None:
        if not absolute(asked.register).is_relative_to(workspace.root):
            raise UsageError(f"expected a register below {from_here(workspace.root)}, found {asked.register}")
        return absolute(asked.register)
    known = [r.path for r in project.registers] if project else []
    if len(known) == 1:
        return known[0]
    folder = workspace.root / "registers"
    if not known and folder.is_dir():
        return folder / "figures.yaml"
    told = f"there are {', '.join(map(from_here, known))}" if known else "there is none, nor a folder registers/"
    raise UsageError(f"name the register with --register; {told}")


def _figures(
    asked: Asked, found: Sequence[StatedFigure], style: NumberStyle
) -> tuple[StatedFigure | None, StatedFigure | None]:
    """The counts and the digits of the quote, as the text has them; one of each at most."""
    clear = [f for f in found if f.why is None]
    if asked.shown is not None:
        clear = [f for f in clear if _is_asked(f, asked.shown, style) or f.counts is not None]
    elif any(not f.integer for f in clear):
        clear = [f for f in clear if not f.integer]
    counts = list({f.counts: f for f in clear if f.counts is not None}.values())
    digits = list({f.text: f for f in clear if f.counts is None}.values())
    if not clear:
        told = "; ".join(f"{f.text} is {f.why}" for f in found if f.why is not None)
        raise UsageError(
            f"--quote: no figure of it can be read{f' ({told})' if told else ''}; quote the passage with the figure"
        )
    if len(counts) > 1 or len(digits) > 1:
        told = ", ".join(f.text for f in [*counts, *digits])
        raise UsageError(f"--quote: it holds several figures ({told}); shorten it, or name one with --shown")
    return (counts[0] if counts else None), (digits[0] if digits else None)


def _is_asked(figure: StatedFigure, shown: str, style: NumberStyle) -> bool:
    try:
        return figure.text == shown or figure.states(parse_shown(shown, style))
    except ValueError:
        return False


def _same_measure(bound: KnownOutput | None, prose: FoldedText, span: tuple[int, int]) -> None:
    """Refuse an output of another measure than the sentence names: it has the value by chance."""
    if bound is None:
        return
    sentence = prose.sentence(*span)
    named = measures_named(sentence)
    if named and not speaks_of(named, bound.figure):
        raise UsageError(
            f"the sentence names {' and '.join(sorted(named))}, and the output with this value is {bound.text()}: "
            "equal numbers are not equal figures; nothing was written; correct the text, or freeze its measure"
        )


def _bound(asked: Asked, figures: Sequence[StatedFigure], project: Project | None) -> KnownOutput | None:
    """The one output that the figures state; ``--calculation`` and ``--output`` choose among several."""
    outputs = list(known_outputs(project.calculations)) if project else []
    if asked.calculation is not None:
        path = absolute(Path(asked.calculation))
        outputs = [o for o in outputs if o.file.path == path or o.file.model.id == asked.calculation]
        if not outputs:
            raise UsageError(f"there is no calculation {asked.calculation} in the project")
    if asked.output is not None:
        known = [o.output for o in outputs]
        outputs = [o for o in outputs if asked.output in (o.output, o.figure)]
        if not outputs:
            raise UsageError(f"there is no output {asked.output}; there are {', '.join(known[:12]) or 'none'}")
    fits = outputs if asked.output is not None else fitting(figures, outputs)
    if asked.figure is not None:
        fits = [o for o in fits if o.figure == asked.figure]
    if len(fits) > 1:
        told = "; ".join(o.text() for o in fits)
        raise UsageError(
            f"{' = '.join(f.text for f in figures)} could be {told}: equal numbers are not equal figures; "
            "name one with --calculation and --output"
        )
    if not fits and asked.figure is None:
        raise UsageError("no output of a calculation gives this figure; name its measure with --figure")
    return fits[0] if fits else None


def _id(asked: Asked, known: Sequence[str]) -> str:
    if asked.id is not None:
        if asked.id in known:
            raise UsageError(f"the id {asked.id} is taken; ids are permanent and never used again")
        return asked.id
    match = re.fullmatch(r"(.*?)([0-9]+)", known[-1]) if known else None
    stem, digits = (match[1], match[2]) if match else ("R-", "000")
    numbers = [int(m[1]) for i in known if (m := re.fullmatch(re.escape(stem) + r"([0-9]+)", i))]
    return f"{stem}{max(numbers, default=0) + 1:0{len(digits)}}"


def _entry(
    entry_id: str, asked: Asked, workspace: Workspace, target: Path, counts: StatedFigure | None,
    shown: StatedFigure | None, bound: KnownOutput | None, occurs: int,
) -> list[str]:  # fmt: skip
    """The lines of the entry, without indentation of its list."""
    figure = bound.figure if bound else asked.figure
    exact = f"{counts.counts[0]}/{counts.counts[1]}" if counts and counts.counts else None
    computed = exact is None and bound is not None
    exact = bound.expected.text if exact is None and bound is not None else exact
    stated = shown or counts
    shown_text = stated.text if stated else ""
    at = [f"file: {_quoted(_relative(absolute(asked.text), target))}", f"quote: {_quoted(asked.quote)}"]
    at += [f"occurs: {occurs}"] if occurs != 1 else []
    exactly = _quoted(exact) if exact else "null"
    mark = ", computed: yes" if computed else ""
    lines = [
        f"- id: {entry_id}",
        f"  claim: {_quoted(asked.claim or asked.quote)}",
        f"  at: {{{', '.join(at)}}}",
        f"  figure: {_quoted(str(figure))}",
        f"  expected: {{exact: {exactly}, shown: {_quoted(shown_text)}, rounding: unknown{mark}}}",
    ]
    if bound is not None:
        lines += _binding(bound, workspace, target)
    return [*lines, "  status: draft"]


def _binding(bound: KnownOutput, workspace: Workspace, target: Path) -> list[str]:
    ref = _quoted(_relative(bound.file.path, target))
    named = f", output: {_quoted(bound.output)}" if bound.output != bound.figure else ""
    lines = [f"  calculation: {{ref: {ref}{named}}}"]
    outcome = run_calculation(bound.file, workspace)
    inputs = _inputs(bound.file, outcome, workspace, target)
    lines += ["  inputs:", *inputs] if inputs else []
    if outcome.provenance:
        told = {k: v for k, v in outcome.provenance.items() if v is not None}
        pairs = [f"{k}: {_scalar(v)}" for k, v in told.items()]
        lines.append(f"  labels: {{{', '.join(pairs)}}}")
    return lines


def _inputs(file: Loaded[Calculation], outcome: CalculationOutcome, workspace: Workspace, target: Path) -> list[str]:
    """The declared inputs with their digests; the spec where it holds the data itself."""
    paths = [(workspace.resolve(file, i.path), i.recipe) for i in file.model.inputs]
    if not paths and file.model.spec is not None and outcome.holds:
        paths = [(workspace.resolve(file, file.model.spec), "text/lf")]
    try:
        digests = [(_quoted(_relative(p, target)), workspace.fingerprint(p, r), r) for p, r in paths]
        return [f'    - {{path: {path}, sha256: "{sha256}", recipe: {r}}}' for path, sha256, r in digests]
    except EvauditError:
        return []


def _write(target: Path, raw: bytes, lines: Sequence[str], workspace: Workspace) -> None:
    """Append the entry, and make sure that the file then says what it said before, and the entry."""
    text = raw.decode("utf-8")
    end = "\r\n" if "\r\n" in text else "\n"
    indent = re.findall(r"^( *)- +id:", text, re.MULTILINE)
    pad = indent[-1] if indent else "  "
    body = text if text.endswith(("\n", "\r")) or not text else text + end
    changed = body + "".join(f"{pad}{line}{end}" for line in lines)
    name = workspace.name(target)
    try:
        _, model = strict_yaml.read(changed.encode("utf-8"), name, RegisterFile)
        before = strict_yaml.read(raw, name, RegisterFile)[1].entries if raw != _HEADER.encode() else []
        same = list(model.entries[:-1]) == list(before)
    except EvauditError as error:
        raise UsageError(f"{name}: the entry cannot be added there: {error}; nothing was written") from None
    if not same:
        raise UsageError(f"{name}: the entries are not a list at the end of the file; add this one by hand")
    (write_whole if target.exists() else write_new)(target, changed.encode("utf-8"))


def _relative(path: Path, target: Path) -> str:
    return Path(os.path.relpath(path, target.parent)).as_posix()


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _scalar(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else _quoted(str(value))
