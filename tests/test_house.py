"""The rules of the house that a program can hold: lists are complete, texts are there, every finding is provoked."""

from __future__ import annotations

import ast
import graphlib
import pkgutil
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import grimp
import pytest

import evaudit.bundles.conflicts
import evaudit.formats
import evaudit.ranking.measures
import evaudit.reports
from evaudit.audits.catalogue import CONFLICT_RULES, MEASURES
from evaudit.cli.commands import COMMANDS
from evaudit.definitions import HEADINGS
from evaudit.figures import INCOMPLETE_REASONS, REASONS
from evaudit.findings import RULES
from evaudit.ranking.trec_names import TREC_NAMES

ALL_DEFINITIONS = [(room, d) for room, definitions in MEASURES for d in definitions]
ALL_DEFINITIONS += [("Conflict rules", d) for d in CONFLICT_RULES]


@pytest.mark.parametrize(("room", "definition"), ALL_DEFINITIONS, ids=lambda v: getattr(v, "id", v))
def test_every_definition_fills_every_heading(room: str, definition: object) -> None:
    for name, heading in HEADINGS:
        assert str(getattr(definition, name)).strip(), f"{room}: {heading}"


def test_no_measure_of_a_room_stands_twice() -> None:
    for room, definitions in MEASURES:
        ids = [d.id for d in definitions]
        assert len(ids) == len(set(ids)), room


def test_every_rule_has_text_advice_and_an_id_of_its_own() -> None:
    ids = [rule.id for rule in RULES]
    assert len(ids) == len(set(ids))
    for rule in RULES:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.id)
        assert rule.text.endswith(".") and rule.advice.endswith(".")


def _provoked(project: Path) -> set[str]:
    """Every quoted word in tests and controls that could be a rule id."""
    texts = [p.read_text(encoding="utf-8") for p in (project / "tests").rglob("*.py") if p.name != "test_house.py"]
    texts += [p.read_text(encoding="utf-8") for p in (project / "controls").rglob("*.yaml")]
    hyphened = {word for text in texts for word in re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)+", text)}
    return hyphened | {word for text in texts for word in re.findall(r'"([a-z]+)"', text)}


def test_every_finding_is_provoked_by_a_test_or_control(project: Path) -> None:
    missing = {rule.id for rule in RULES} - _provoked(project)
    assert not missing, f"no test or control names {sorted(missing)}"


def test_every_reason_code_is_provoked_by_a_test_or_control(project: Path) -> None:
    later = {"quote-exceeds-chunks"}  # quotes are not looked for in chunk texts yet
    missing = (set(REASONS) | set(INCOMPLETE_REASONS)) - _provoked(project) - later
    assert not missing, f"no test or control names {sorted(missing)}"


def test_every_ranked_measure_file_is_in_the_list() -> None:
    files = {m.name for m in pkgutil.iter_modules(evaudit.ranking.measures.__path__)} - {"measure"}
    listed = {m.definition.id.lower().replace("-", "_") for m in evaudit.ranking.measures.MEASURES}
    assert files == listed


@pytest.mark.parametrize(("room", "definition"), ALL_DEFINITIONS, ids=lambda v: getattr(v, "id", v))
def test_every_measure_is_asked_for_by_a_test_or_control(room: str, definition: object, project: Path) -> None:
    files = [p for p in (project / "tests").rglob("*.py") if p.name != "test_house.py"]
    files += [*(project / "tests").rglob("*.json"), *(project / "controls").rglob("*.yaml")]
    families = {str(getattr(definition, "id", "")), str(getattr(definition, "id", "")).removeprefix("compat:")}
    families |= {one.name for one in TREC_NAMES if one.measure in families}
    words = "|".join(re.escape(f) for f in families)
    named = re.compile(rf"(?<![\w-])(?:{words})(?![\w-])")
    assert any(named.search(p.read_text(encoding="utf-8")) for p in files), room


def test_every_foreign_format_is_a_module_with_a_test(project: Path) -> None:
    files = {p.stem for p in (project / "src/evaudit/formats").glob("*.py")}
    assert set(evaudit.formats.FOREIGN.values()) <= files
    texts = "".join(p.read_text(encoding="utf-8") for p in (project / "tests/bundles").glob("*.py"))
    for name in evaudit.formats.FOREIGN:
        assert re.search(rf"[\"']{name}[\"']", texts), name


def test_every_report_is_in_the_list(project: Path) -> None:
    files = {p.stem for p in (project / "src/evaudit/reports").glob("*.py")}
    files -= {"__init__", "layout", "parts", "explanations", "checked_records", "places"}
    terminal = {name for name in files if name.startswith("terminal_")}
    assert files - terminal == set(evaudit.reports.REPORTS) - {"table"}


def test_every_command_is_one_file(project: Path) -> None:
    shared = {
        "__init__",
        "application",
        "commands",
        "output",
        "printing",
        "failing",
        "rank_choices",
        "bundle_rows",
        "bar",
        "endings",
        "careful_command",
        "streams",
    }
    files = {p.stem for p in (project / "src/evaudit/cli").glob("*.py")} - shared
    assert files == set(COMMANDS)


def test_the_help_text_names_every_command_and_exit_code() -> None:
    done = subprocess.run([sys.executable, "-m", "evaudit", "--help"], capture_output=True, text=True, check=True)
    shown = " ".join(done.stdout.split())
    for name, text in COMMANDS.items():
        assert f"{name} {text}" in shown
    assert all(f"{code} " in shown for code in range(5))


def test_names_say_what_a_thing_is(project: Path) -> None:
    banned = {"utils", "helpers", "common", "base", "manager", "misc"}
    assert not [p for p in (project / "src").rglob("*.py") if p.stem in banned]


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("evaudit.cli.application", {"numpy", "pyarrow", "pydantic", "scipy", "yaml", "rich"}),
        ("evaudit.audits.bundles", {"pydantic", "scipy", "yaml"}),
        ("evaudit.audits.fever", {"pyarrow", "pydantic", "scipy", "yaml"}),
        ("evaudit.audits.ranking", {"numpy", "pyarrow", "pydantic", "scipy", "yaml"}),
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(module: str, heavy: set[str]) -> None:
    code = f"import sys, {module}; print(sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_module_imports_itself_through_others() -> None:
    graph = grimp.build_graph("evaudit", cache_dir=None)  # imports for type checkers included
    order = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    try:
        graphlib.TopologicalSorter(order).prepare()
    except graphlib.CycleError as error:
        pytest.fail(f"a circle of imports: {' -> '.join(error.args[1])}")


def test_the_environment_of_the_process_is_not_written(project: Path) -> None:
    written = re.compile(r"os\.environ\[[^]]*\]\s*=|os\.environ\.(setdefault|update|pop)|os\.(putenv|unsetenv)")
    assert not [p for p in (project / "src/evaudit").rglob("*.py") if written.search(p.read_text("utf-8"))]


def test_only_cli_prints(project: Path) -> None:
    for path in (project / "src/evaudit").rglob("*.py"):
        if "cli" in path.parts:
            continue
        calls = [n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Call)]
        assert not [c for c in calls if isinstance(c.func, ast.Name) and c.func.id == "print"], path


def test_the_reference_page_is_what_explain_prints(project: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "evaudit", "explain", "--format", "markdown"],
        capture_output=True, text=True, encoding="utf-8", check=True,
    )  # fmt: skip
    assert done.stdout == (project / "docs" / "reference.md").read_text(encoding="utf-8")


def test_no_file_of_code_is_longer_than_350_lines(project: Path) -> None:
    files = [p for room in ("src", "tests", "benchmarks") for p in (project / room).rglob("*.py")]
    assert len(files) > 100
    long = {str(p.relative_to(project)): n for p in files if (n := len(p.read_text("utf-8").splitlines())) > 350}
    assert not long, f"split them along their meaning: {long}"


def test_the_top_level_holds_nothing_but_what_the_layout_names(project: Path) -> None:
    if not (project / ".git").exists():
        pytest.skip("not a clone: what is committed cannot be told from what was built")
    done = subprocess.run(["git", "ls-files"], cwd=project, capture_output=True, text=True, check=True)
    top = {line.partition("/")[0] for line in done.stdout.splitlines()}
    top = {name for name in top if not name.startswith(".")}
    texts = {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE"}
    assert top == {"pyproject.toml", "src", "tests", "controls", "registers", "docs", "benchmarks"} | texts


def test_the_oldest_versions_that_are_tested_are_the_lower_bounds(project: Path) -> None:
    if not (project / ".ci").is_dir():
        pytest.skip("CI's files are not at hand")
    with (project / "pyproject.toml").open("rb") as file:
        declared = tomllib.load(file)["project"]
    bounds = dict(one.split(">=") for one in [*declared["dependencies"], *declared["optional-dependencies"]["stats"]])
    lines = (project / ".ci" / "lowest.txt").read_text("utf-8").splitlines()
    tested = dict(line.split("==") for line in lines if "==" in line)
    assert len(bounds) > 5
    for name, bound in bounds.items():
        parts = len(bound.split("."))
        assert tested[name].split(".")[:parts] == bound.split("."), f"write .ci/lowest.txt anew: {name} {tested[name]}"
