"""A new thing of each kind touches exactly the files that CONTRIBUTING names, and is there for people at once."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Addition:
    """What is written into a copy of the program.

    Attributes:
        new: texts of new files. changed: what is put in front of a text in files that are there.
        asked: a command that shows the new thing, and what it prints of it.
    """

    new: dict[str, str]
    changed: dict[str, list[tuple[str, str]]]
    asked: list[str]
    shown: str
    files: dict[str, str] = field(default_factory=dict)


DEFINITION = """DEFINITION = Definition(
    id="{id}", question="Is it new?", definition="{id} is new.", denominator="1.", undefined_when="Never.",
    not_known="Nothing.", cannot_report="Anything.", source="This test.", differs="From nothing.",
)
"""

MEASURE = (
    """\"\"\"A new measure.\"\"\"
from evaudit.definitions import Definition
from evaudit.ranking.measures.measure import Column, Measure

"""
    + DEFINITION.format(id="newest")
    + """

def compute(lists, asked, convention):
    return Column.ratio([1 for _ in lists.topics], [2 for _ in lists.topics], "no-known-positives")


MEASURE = Measure(DEFINITION, compute, None, cutoff="none")
"""
)

NEW_RULE = """@rule("newest", "note", "It is new.", "Nothing.")
def newest() -> str:
    return ""


"""

RULE = """\"\"\"A new kind of conflict rule.\"\"\"
from typing import Literal

from evaudit.bundles.conflicts.rule import ConflictRule
from evaudit.definitions import Definition
from evaudit.fields import Text


class Newest(ConflictRule):
    \"\"\"Opposes nothing.\"\"\"

    kind: Literal["newest-rule"]
    relation: Text

    @property
    def named(self):
        return (self.relation,)

    def stance(self, claim):
        return None


""" + DEFINITION.format(id="newest-rule")

FORMAT = """\"\"\"A new format.\"\"\"
from evaudit.formats.foreign import Compat, CompatFigure, Foreign, ForeignNeed, Passage
from evaudit.formats.gold_and_predictions import checked_rows
from evaudit.formats.json_records import JsonFile


def read(request):
    file = JsonFile(request.gold, str(request.gold))
    rows = checked_rows(file, lambda row: None)
    needs = [ForeignNeed(r["id"], where.line, [[Passage(r["doc"])]], selected=[Passage(r["doc"])]) for r, where in rows]
    {scored}
    return Foreign(needs, [file.with_rows(len(rows))], compat=compat)
"""

SCORER = """\"\"\"The figures of a new tool.\"\"\"
from evaudit.formats.foreign import Compat, CompatFigure, definition


def score(n):
    return Compat("newest tool", (CompatFigure("novelty", 1.0, None, "nothing here is new", n),))


DEFINITION = definition("newest", "novelty: always 1.", "1.", "Never.", "Anything.", "This test.")
"""

ROWS = {"rows.jsonl": '{"id": "a", "doc": "d"}\n'}
FROM = ["bundles", "--from", "newest", "--gold", "rows.jsonl"]

ADDED = {
    "ranked measure": Addition(
        {"ranking/measures/newest.py": MEASURE},
        {"ranking/measures/__init__.py": [("    num_nonrel_judged_ret,\n", "    newest,\n"),
                                          ("    p.MEASURE,\n", "    newest.MEASURE,\n")]},
        ["rank", "q", "r", "-m", "newest"], "newest .5000",
        {"q": "1 0 a 1\n", "r": "1 Q0 a 1 1 t\n"},
    ),
    "kind of conflict rule": Addition(
        {"bundles/conflicts/newest.py": RULE},
        {"bundles/conflicts/__init__.py": [
            ("OppositePolarity | SingleValued", "newest.Newest | "),
            ("opposite_polarity.DEFINITION,", "newest.DEFINITION, "),
            ("opposite_polarity, single_valued\n", "newest, "),
        ]},
        ["explain", "newest-rule"], "newest-rule is new.",
    ),
    "foreign format": Addition(
        {"formats/newest.py": FORMAT.format(scored="compat = None")},
        {"formats/__init__.py": [('    "fever": "fever",\n', '    "newest": "newest",\n')]},
        FROM, "satisfied 1", ROWS,
    ),
    "scorer of a format": Addition(
        {"formats/newest_scorer.py": SCORER},
        {"formats/__init__.py": [('    "hotpotqa": "hotpotqa_scorer",\n', '    "newest": "newest_scorer",\n')]},
        ["explain", "compat:newest"], "novelty: always 1.",
    ),
    "report": Addition(
        {"reports/newest.py": "def render(result, exit_code):\n    return f'newest {exit_code}'\n"},
        {"reports/__init__.py": [('        Report("junit"', '        Report("newest", endings=(".new",)),\n')]},
        ["rank", "q", "r", "--format", "newest"], "newest 0",
        {"q": "1 0 a 1\n", "r": "1 Q0 a 1 1 t\n"},
    ),
    "finding": Addition(
        {},
        {"findings/commands.py": [
            ("RULES: tuple", NEW_RULE),
            ("    usage_invalid,", "    newest,\n"),
        ]},
        ["explain", "newest"], "It is new.",
    ),
}  # fmt: skip


def described(project: Path) -> dict[str, set[str]]:
    """The files that each row of the table in CONTRIBUTING names, below ``src/evaudit``."""
    text = (project / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w ]+) \| (.*) \|$", text, re.MULTILINE)
    files = {what: re.findall(r"`([\w/<>]+\.py)`", row) for what, row in rows}
    return {what: {name.removeprefix("src/evaudit/") for name in names} for what, names in files.items()}


@pytest.mark.parametrize("what", ADDED)
def test_a_new_thing_touches_the_files_that_are_named_and_no_other(what: str, tmp_path: Path, project: Path) -> None:
    added = ADDED[what]
    program = tmp_path / "program/evaudit"
    shutil.copytree(project / "src/evaudit", program, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in added.new.items():
        (program / name).write_text(text, encoding="utf-8")
    for name, edits in added.changed.items():
        text = (program / name).read_text(encoding="utf-8")
        for before, new in edits:
            assert before in text, before
            text = text.replace(before, new + before, 1)
        (program / name).write_text(text, encoding="utf-8")
    for name, text in added.files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "evaudit", *added.asked], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(program.parent)},
    )  # fmt: skip
    assert added.shown in " ".join(done.stdout.split()), done.stdout + done.stderr
    named = {name.replace("<name>", "newest").replace("<kind>", "newest") for name in described(project)[what]}
    named = {name.replace("<room>", "commands") for name in named}
    assert {*added.new, *added.changed} == named


def test_every_file_of_a_registered_kind_is_registered(project: Path) -> None:
    from evaudit.formats import FOREIGN, SCORERS

    formats = project / "src/evaudit/formats"
    scorers = {p.stem for p in formats.glob("*_scorer.py")}
    assert scorers == {*SCORERS.values(), "fever_scorer"}
    assert set(SCORERS) <= set(FOREIGN)
    rules = {p.stem for p in (project / "src/evaudit/bundles/conflicts").glob("*.py")} - {"__init__", "rule"}
    text = (project / "src/evaudit/bundles/conflicts/__init__.py").read_text(encoding="utf-8")
    assert all(f"{name}.DEFINITION" in text for name in rules)
