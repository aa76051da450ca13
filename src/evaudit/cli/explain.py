"""``evaudit explain``: the definition text of a measure, rule, finding or reason code, printed from beside its code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from evaudit.cli.output import ColorOption, ExplainFormatOption, OutputOption
from evaudit.cli.printing import style_for, write_text, write_whole
from evaudit.errors import UsageError

if TYPE_CHECKING:
    from evaudit.reports.explanations import Entry


def explain(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]", help="A measure, figure name, finding, rule, reason code or word of a report."
        ),
    ] = None,
    format: ExplainFormatOption = "table",
    output: OutputOption = None,
    color: ColorOption = "auto",
) -> None:
    """Print the definition text of a measure, rule, finding, reason code or word of a report; all without a name."""
    from evaudit.reports import explanations as texts

    entries = all_entries()
    if name is not None:
        entries = named(name, entries)
    style = style_for("never" if output else color)
    if format == "table":
        text = texts.render_index(entries, style) if name is None else texts.render_text(entries, style)
    else:
        text = {
            "json": texts.render_json,
            "jsonl": texts.render_jsonl,
            "csv": texts.render_csv,
            "markdown": texts.render_markdown,
        }[format](entries)
    if output is None:
        write_text(text)
    else:
        write_whole(output, text)


def all_entries() -> tuple[Entry, ...]:
    """Everything that has a definition text: measures, conflict rules, reasons, words of reports, findings."""
    from evaudit.audits.catalogue import CONFLICT_RULES, MEASURES, WORDS
    from evaudit.figures import INCOMPLETE_REASONS, REASONS
    from evaudit.findings import RULES
    from evaudit.register.expectation import ANSWERS
    from evaudit.reports.explanations import Entry

    found = [Entry.of_definition(room, d) for room, definitions in MEASURES for d in definitions]
    found += [Entry.of_definition("Conflict rules", d) for d in CONFLICT_RULES]
    known = {e.id for e in found}
    found += [Entry("Answers of a control", name, text) for name, text in ANSWERS.items() if name not in known]
    found += [Entry("Reasons why a figure is undefined", code, text) for code, text in REASONS.items()]
    found += [Entry("Reasons why a need is incomplete", code, text) for code, text in INCOMPLETE_REASONS.items()]
    found += [Entry(group, word, text) for group, texts in WORDS for word, text in texts.items()]
    found += [Entry.of_rule(rule) for rule in RULES]
    return tuple(found)


def named(name: str, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The entries called ``name``; a whole figure name finds its family, in the room that knows its parameters.

    An output of a calculation (``CONTROL/FIGURE``, ``MRR``, an end of a bound) finds the figure that it is.
    """
    from difflib import get_close_matches

    from evaudit.figures import parse_name
    from evaudit.register.calculation import figure_of
    from evaudit.register.offer import MEAN_NAMES

    try:
        family, params, _ = parse_name(figure_of(name))
    except ValueError:
        family, params = figure_of(name), {}
    family = MEAN_NAMES.get(family, family)
    params = {key: value for key, value in params.items() if key not in ("bound", "of")}
    found = tuple(e for e in entries if e.id in {name, family})
    if not found:  # `compat:kilt:Rprec` is explained where all figures of the tool are
        found = tuple(e for e in entries if e.id.startswith("compat:") and family.startswith(e.id + ":"))
    if not found:
        found = tuple(e for e in entries if e.id.lower() in {name.lower(), family.lower()})
    if not found:
        by_lower = {e.id.lower(): e.id for e in entries}
        near = [by_lower[n] for n in get_close_matches(family.lower(), by_lower, n=3)]
        hint = f"did you mean {' or '.join(near)}?" if near else "`evaudit explain` lists every name"
        raise UsageError(f"there is no measure, rule or reason called {name!r}; {hint}")
    return tuple(e for e in found if e.has_parameters(set(params) - {"k"})) or found
