"""What leaves the program: nothing raw from data, nothing half-written, no crash that looks like a finding."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evaudit.visible import one_line, visible
from program import ran

COHORT = """schema: evaudit/cohort@1
id: small
table: {in: {positive: 1, negative: 0}, out: {positive: 1, negative: 1}}
states: {in: {decided: yes}, out: {decided: yes}}
labels: {provenance: {kind: made-up, adjudicated: no}}
endpoints: {in: [in]}
population: this-cohort
"""


@pytest.fixture
def cohort(tmp_path: Path) -> Path:
    path = tmp_path / "cohort.yaml"
    path.write_text(COHORT, encoding="utf-8")
    return path


def into(stdout: object, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "evaudit", *arguments]
    environment = {**os.environ, "COLUMNS": "100"}
    return subprocess.run(
        command, cwd=cwd, env=environment, text=True, stdout=stdout, stderr=subprocess.PIPE, check=False
    )  # type: ignore[call-overload,no-any-return]  # stdout may be a file or a number


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain", "plain"),
        ("\x1b[2Jgone", "\\x1b[2Jgone"),
        ("a\u202eb", "a\\u202eb"),
        ("\x9b31m", "\\x9b31m"),
        ("Ω≈é漢", "Ω≈é漢"),
        ("\ud800", "\\ud800"),
    ],
)
def test_control_and_direction_characters_are_shown_as_escapes(raw: str, shown: str) -> None:
    assert visible(raw) == shown


def test_our_own_colours_stay_and_others_do_not() -> None:
    assert visible("\x1b[1mbold\x1b[0m \x1b[5mblink", color=True) == "\x1b[1mbold\x1b[0m \\x1b[5mblink"


def test_a_finding_is_one_line() -> None:
    assert one_line("a\nb\tc") == "a\\nb\\tc"


@pytest.mark.parametrize("output", [".", "", "cohort.yaml", "./cohort.yaml", "missing/out.json"])
def test_an_output_that_cannot_be_is_refused_and_nothing_is_lost(output: str, cohort: Path) -> None:
    done = ran(cohort.parent, "decisions", "cohort.yaml", "-o", output, columns=100)
    assert done.returncode in (2, 3)
    assert "Traceback" not in done.stderr
    assert cohort.read_text(encoding="utf-8") == COHORT
    assert [p.name for p in cohort.parent.iterdir()] == ["cohort.yaml"]


def test_an_output_link_is_followed(cohort: Path) -> None:
    target = cohort.parent / "target.json"
    link = cohort.parent / "link.json"
    link.symlink_to(target)
    done = ran(cohort.parent, "decisions", "cohort.yaml", "--format", "json", "-o", "link.json", columns=100)
    assert done.returncode == 0
    assert link.is_symlink() and target.read_text(encoding="utf-8").startswith("{")


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="needs the device of a full disk")
def test_a_full_disk_is_told_and_ends_with_three(cohort: Path) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = into(full, "decisions", "cohort.yaml", cwd=cohort.parent)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    written = ran(cohort.parent, "decisions", "cohort.yaml", "-o", "/dev/full", columns=100)
    assert written.returncode == 3
    assert Path("/dev/full").is_char_device()


def test_a_reader_that_goes_away_is_no_error(cohort: Path) -> None:
    command = f"{sys.executable} -m evaudit decisions cohort.yaml | head -1"
    done = subprocess.run(["/bin/sh", "-c", command], cwd=cohort.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stderr == ""


def test_a_fault_of_the_program_ends_with_three_and_a_traceback(cohort: Path) -> None:
    code = (
        "import sys, evaudit.cli, evaudit.reports;"
        "evaudit.reports.render = lambda *a, **k: 1 / 0;"
        "sys.argv = ['evaudit', 'decisions', 'cohort.yaml'];"
        "evaudit.cli.main()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=cohort.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "ZeroDivisionError" in done.stderr and "evaudit itself failed" in done.stderr


@pytest.mark.parametrize("format", ["csv", "json", "markdown", "table", "junit", "sarif"])
def test_notes_are_counted_beside_a_result_and_held_by_what_is_named(
    tmp_path: Path, project: Path, format: str
) -> None:
    book = "registers/book.yaml"
    out = tmp_path / "out.txt"
    done = ran(project, "check", book, "--format", format, "-o", str(out), columns=100)
    _, told = done.stderr.splitlines()
    count, _, held = told.partition(" notes: ")
    result = json.loads(ran(project, "check", book, "--format", "json", columns=100).stdout)
    notes = [f for f in result["findings"] if f["severity"] == "note"]
    assert len(notes) == int(count) > 1
    assert held == ("`--format json` lists them" if format in ("csv", "junit") else f"{out} holds them")
    if format in ("json", "markdown", "sarif"):
        assert out.read_text(encoding="utf-8").count("quote-not-checked") >= len(notes)


def test_an_error_beside_a_result_is_told_in_full_and_notes_as_a_count(tmp_path: Path, project: Path) -> None:
    text = (project / "registers/book.yaml").read_text(encoding="utf-8").replace("../controls/", "../none/", 1)
    (tmp_path / "registers").mkdir()
    (tmp_path / "registers/book.yaml").write_text(text, encoding="utf-8")
    done = ran(tmp_path, "register", "verify", "--format", "csv", columns=100)
    *errors, last = done.stderr.splitlines()
    assert errors and all(line.startswith(("error: ", "warning: ")) for line in errors)
    assert last.endswith(" notes: `--format json` lists them")


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("r.json", "{"),
        ("r.jsonl", '{"'),
        ("r.csv", "record,need,name,"),
        ("r.MD", "## evaudit decisions"),
        ("r.sarif", "{"),
        ("r.txt", "small: 3 cand"),
        ("r", "small: 3 cand"),
    ],
)
def test_the_ending_of_the_file_chooses_the_format(name: str, begins: str, cohort: Path) -> None:
    assert ran(cohort.parent, "decisions", "cohort.yaml", "-o", name, columns=100).returncode == 0
    assert (cohort.parent / name).read_text(encoding="utf-8").lower().startswith(begins.lower())


def test_a_named_format_stands_above_the_ending(cohort: Path) -> None:
    for form, name in (("json", "r.csv"), ("json", "r.html"), ("table", "r.json")):
        assert ran(cohort.parent, "decisions", "cohort.yaml", "--format", form, "-o", name, columns=100).returncode == 0
        assert (cohort.parent / name).read_text(encoding="utf-8").startswith("{") == (form == "json")


@pytest.mark.parametrize("name", ["r.html", "r.xlsx", "r.parquet"])
@pytest.mark.parametrize(
    "command",
    [["decisions", "cohort.yaml"], ["rank", "qrels", "run"], ["explain"], ["anchors", "check", "--documents", "."]],
)
def test_an_ending_that_names_no_format_is_refused(command: list[str], name: str, cohort: Path) -> None:
    done = ran(cohort.parent, *command, "-o", name, columns=100)
    assert done.returncode == 2 and not (cohort.parent / name).exists()
    assert f"-o {name}: no result is written as .{name[2:]}; name a file that ends in .txt (table)" in done.stderr


def test_rank_and_explain_take_the_format_from_the_ending(cohort: Path) -> None:
    (cohort.parent / "qrels").write_text("q 0 d 1\n", encoding="utf-8")
    (cohort.parent / "run").write_text("q Q0 d 1 1 r\n", encoding="utf-8")
    for command in (["rank", "qrels", "run", "-m", "AP"], ["explain", "recall"]):
        assert ran(cohort.parent, *command, "-o", "r.json", columns=100).returncode == 0
        json.loads((cohort.parent / "r.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("command", ["decisions", "explain", "bundles", "calc verify", "check", "anchors check"])
def test_a_format_that_is_not_offered_is_named_with_those_that_are(command: str, tmp_path: Path) -> None:
    done = ran(tmp_path, *command.split(), "--format", "html", columns=100)
    assert done.returncode == 2
    assert "Invalid value for '--format': 'html' is not one of 'table', 'json'" in done.stderr
