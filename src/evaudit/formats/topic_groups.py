"""A file that puts topics into groups: frequent and rare queries, say."""

from __future__ import annotations

from evaudit.formats.table_names import is_table
from evaudit.formats.trec_lines import TrecFile, shown
from evaudit.results import InputFile


def read_groups(path: str) -> tuple[dict[str, str], InputFile]:
    """Group by topic: two columns of plain text, or a table with the columns topic and group.

    Raises:
        UnreadableInputError: the file is missing or cannot be read.
        InvalidDocumentError: a line is wrong, or a topic stands in two groups.
    """
    if is_table(path):
        return _from_table(path)
    file = TrecFile(path, is_record=lambda row: len(row) == 2)
    groups: dict[str, str] = {}
    lines: dict[str, int] = {}
    rows = 0
    for number, line in file.lines():
        row = line.split(None, 1)
        if len(row) != 2:
            file.refusals.add("trec-columns-invalid", f"expected topic and group, found {shown(line)}", number)
            continue
        rows += 1
        topic, group = file.topic(number, row[0]), row[1].decode(errors="backslashreplace").replace(",", ";")
        if groups.setdefault(topic, group) != group:
            message = f"topic {topic} is in the groups {groups[topic]} (line {lines[topic]}) and {group}"
            file.refusals.add("topic-in-two-groups", message, number)
        lines.setdefault(topic, number)
    file.refusals.raise_if_any()
    return groups, file.record(rows)


def _from_table(path: str) -> tuple[dict[str, str], InputFile]:
    from evaudit.formats.refusals import Refusals
    from evaudit.formats.tables import read_table

    table = read_table(path, required=("topic", "group"), name="groups")
    refusals = Refusals(path)
    groups: dict[str, str] = {}
    for number, (topic, group) in enumerate(zip(table.texts("topic"), table.texts("group"), strict=True)):
        shown_group = group.replace(",", ";")
        if groups.setdefault(topic, shown_group) != shown_group:
            where = table.where(number)
            message = f"topic {topic} is in the groups {groups[topic]} and {shown_group}"
            refusals.add("topic-in-two-groups", message, where.line, where.pointer)
    refusals.raise_if_any()
    return groups, table.inputs[0]
