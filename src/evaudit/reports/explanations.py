"""Definition texts, rules and reason codes as text, Markdown, JSON, JSON lines or CSV."""

from __future__ import annotations

import csv
import io
import json
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from evaudit.definitions import Definition
from evaudit.findings import Rule
from evaudit.reports.layout import Style
from evaudit.visible import spreadsheet_cell


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that can be explained; ``sections`` are pairs of heading and text."""

    group: str
    id: str
    summary: str
    sections: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of_definition(cls, group: str, definition: Definition) -> Entry:
        """The entry of a measure or rule kind."""
        parameters = tuple((f"Parameter {name}", text) for name, text in definition.parameters)
        return cls(group, definition.id, definition.question, definition.sections()[1:] + parameters)

    def has_parameters(self, names: set[str]) -> bool:
        """Whether each of ``names`` is a parameter of this measure."""
        return names <= {heading.removeprefix("Parameter ") for heading, _ in self.sections}

    @classmethod
    def of_rule(cls, rule: Rule[...]) -> Entry:
        """The entry of a finding."""
        return cls("Findings", rule.id, rule.text, (("Severity", rule.severity), ("What to do", rule.advice)))


def _groups(entries: Sequence[Entry]) -> Iterator[tuple[str, list[Entry]]]:
    return ((group, list(members)) for group, members in groupby(entries, key=lambda e: e.group))


def render_index(entries: Sequence[Entry], style: Style) -> str:
    """Every id with its one line, by group."""
    parts = []
    for group, members in _groups(entries):
        width = max(len(e.id) for e in members) + 2
        lines = [style.heading(group)]
        for e in members:
            room = max(40, style.width - width - 2)
            first, *rest = textwrap.wrap(e.summary, room) or [""]
            lines.append(f"  {style.paint(e.id.ljust(width), 'cyan')}{first}")
            lines += [" " * (width + 2) + line for line in rest]
        parts.append("\n".join(lines))
    parts.append("evaudit explain NAME prints the whole text.")
    return "\n\n".join(parts) + "\n"


def render_text(entries: Sequence[Entry], style: Style) -> str:
    """The whole text of each entry, wrapped to the terminal."""
    parts = []
    for e in entries:
        lines = [f"{style.heading(e.id)}  {style.paint(e.group, 'dim')}", "", _wrap(e.summary, style, "  ")]
        for heading, text in e.sections:
            lines += ["", f"  {style.paint(heading, 'cyan')}", _wrap(text, style, "    ")]
        parts.append("\n".join(lines))
    return "\n\n\n".join(parts) + "\n"


def _wrap(text: str, style: Style, indent: str) -> str:
    return textwrap.fill(text, min(style.width, 100), initial_indent=indent, subsequent_indent=indent)


def render_markdown(entries: Sequence[Entry]) -> str:
    """A reference page: a heading a group, a section a measure, a table for codes and findings."""
    parts = ["# Reference", "Printed by `evaudit explain --format markdown` from the texts beside the code."]
    for group, members in _groups(entries):
        parts.append(f"## {group}")
        if all(len(e.sections) > 2 for e in members):
            parts += [_section(e) for e in members]
        else:
            parts.append(_table(members))
    return "\n\n".join(parts) + "\n"


def _section(entry: Entry) -> str:
    lines = [f"### {entry.id}", "", entry.summary, ""]
    lines += [f"- **{heading}**: {text}" for heading, text in entry.sections]
    return "\n".join(lines)


def _table(members: Sequence[Entry]) -> str:
    headings = [heading for heading, _ in members[0].sections]
    lines = ["| id | meaning |" + "".join(f" {h} |" for h in headings), "|---|---|" + "---|" * len(headings)]
    for e in members:
        cells = [e.summary, *[text for _, text in e.sections]]
        lines.append(f"| `{e.id}` | " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def _record(entry: Entry) -> dict[str, object]:
    return {"group": entry.group, "id": entry.id, "summary": entry.summary, "sections": dict(entry.sections)}


def render_json(entries: Sequence[Entry]) -> str:
    """A list of objects: group, id, summary, and each section by its heading."""
    return json.dumps([_record(e) for e in entries], indent=1, ensure_ascii=False) + "\n"


def render_jsonl(entries: Sequence[Entry]) -> str:
    """The objects of ``render_json``, one a line."""
    return "".join(json.dumps(_record(e), ensure_ascii=False) + "\n" for e in entries)


def render_csv(entries: Sequence[Entry]) -> str:
    """One row an entry: group, id, summary, then a column a heading; the parameters of a measure share one."""
    rows = [_cells(e) for e in entries]
    headings = list(dict.fromkeys(heading for row in rows for heading in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, headings, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows({heading: spreadsheet_cell(cell) for heading, cell in row.items()} for row in rows)
    return out.getvalue()


def _cells(entry: Entry) -> dict[str, str]:
    cells = {"group": entry.group, "id": entry.id, "summary": entry.summary}
    parameters = []
    for heading, text in entry.sections:
        if heading.startswith("Parameter "):
            parameters.append(f"{heading.removeprefix('Parameter ')}: {text}")
        else:
            cells[heading] = text
    return cells | ({"Parameters": " · ".join(parameters)} if parameters else {})
