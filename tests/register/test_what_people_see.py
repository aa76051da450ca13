"""What a check says on screen: paths that work from here, every finding, and no word that the run did not grant."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import dataclass

import pytest

from evaudit.cli import main
from evaudit.cli.failing import asked_format
from evaudit.register.entry import RegisterFile
from evaudit.reports.terminal_check_words import fitting_widths, placed

CALC, LOCK, LEDGER = "controls/calculation.yaml", "controls/calculation.lock.json", "controls/inputs/decisions.csv"


@dataclass
class Done:
    code: int
    out: str
    err: str


@pytest.fixture
def run(monkeypatch, capsys):
    def command(folder, *args):
        monkeypatch.chdir(folder)
        asked_format.set("table")  # as in a process of its own
        monkeypatch.setattr(sys, "argv", ["evaudit", *map(str, args)])
        with pytest.raises(SystemExit) as ended:
            main()
        done = capsys.readouterr()
        return Done(int(ended.value.code or 0), done.out, done.err)

    return command


def commands(text):
    """The commands that a report prints, as words."""
    lines = [line.strip().removeprefix("next").strip() for line in text.splitlines()]
    return [shlex.split(line.partition(";")[0])[1:] for line in lines if line.startswith("evaudit ")]


@pytest.fixture(params=["the root", "a folder above", "a folder below", "another folder"])
def here(request, small, tmp_path_factory):
    places = {
        "the root": small.root,
        "a folder above": small.root.parent,
        "a folder below": small.root / "registers",
        "another folder": tmp_path_factory.mktemp("other folder"),
    }
    return places[request.param]


def test_the_command_that_freezes_works_where_it_was_printed(small, run, here):
    (small.root / LOCK).unlink()
    done = run(here, "check", small.root)
    freeze = next(c for c in commands(done.out) if c[:2] == ["calc", "freeze"])
    assert run(here, *freeze).code == 0
    assert (small.root / LOCK).exists()
    assert run(here, "check", small.root).code == 0


def test_the_commands_after_a_drift_work_where_they_were_printed(small, run, here):
    small.replace(LEDGER, "C22,deferred", "C22,promoted")
    diff, accept = commands(run(here, "check", small.root).out)[:2]
    assert diff[:2] + accept[:2] == ["calc", "diff", "calc", "accept"]
    assert run(here, *diff).code == 1
    assert run(here, *accept).code == 0
    assert run(here, "calc", "verify", small.root / CALC).code == 0


def test_another_root_goes_into_the_command(small, run):
    (small.root / LOCK).unlink()
    done = run(small.root.parent, "check", small.root, "--root", small.root.parent)
    assert f"calc freeze {small.root.name}/{CALC} --root ." in done.out


def test_places_are_named_as_they_are_found_from_here_and_kept_as_they_are_found_from_the_root(small, run):
    small.replace("README.md", ".4884", ".4885")
    small.write("controls/broken.yaml", "schema: [\n")
    above, name = small.root.parent, small.root.name
    done = run(above, "check", name)
    assert f"{name}/controls/cases.yaml\n" in done.out
    assert f"error {name}/registers/book.yaml:5:37: $.entries[0].at.quote: {name}/README.md: quote" in " ".join(
        done.out.split()
    )
    assert f"error {name}/controls/broken.yaml:" in done.out
    kept = json.loads(run(above, "check", name, "--format", "json").out)
    assert kept["root"] == name
    assert {f["where"]["path"] for f in kept["findings"] if f["where"]} == {
        "controls/broken.yaml",
        "registers/book.yaml",
    }
    assert "root" not in json.loads(run(small.root, "check", "--format", "json").out)


def test_what_was_written_is_named_as_it_is_found_from_here(small, run):
    (small.root / LOCK).unlink()
    assert f"wrote {small.root.name}/{LOCK}" in run(small.root.parent, "calc", "freeze", small.root / CALC).err
    again = run(small.root.parent, "calc", "freeze", small.root / CALC)
    assert f"{small.root.name}/{LOCK} exists" in again.err
    assert f"evaudit calc diff {small.root.name}/{CALC}" in again.err


def digest_of(project):
    return project.read("registers/book.yaml").partition('sha256: "')[2][:64]


FAILS = {
    "a quote that changed": lambda p: p.replace("README.md", ".4884", ".4885"),
    "a digest of another content": lambda p: p.replace("registers/book.yaml", digest_of(p), "0" * 64),
    "a shown figure that is wrong": lambda p: p.replace("registers/book.yaml", 'shown: ".4884"', 'shown: ".4885"'),
    "labels of another kind": lambda p: p.replace("registers/book.yaml", "kind: heuristic", "kind: human"),
    "a calculation that is not there": lambda p: p.replace("registers/book.yaml", "calculation.yaml", "none.yaml"),
    "a calculation that does not hold": lambda p: (p.root / LOCK).unlink(),
    "an id that two share": lambda p: p.replace("registers/book.yaml", "id: R-2", "id: R-1"),
    "a path that is refused": lambda p: p.replace("registers/book.yaml", "../README.md", "../../README.md"),
}


@pytest.mark.parametrize("change", FAILS)
def test_no_line_says_that_something_fails_and_is_verified(small, run, change):
    FAILS[change](small)
    done = run(small.root, "check")
    failed = [line for line in done.out.splitlines() if line.startswith("  ✗")]
    assert done.code and failed
    assert [line for line in failed if "verified" in line and "not verified" not in line] == []


BROKEN_LOCKS = {
    "a float": ('"num": 21', '"num": 21.0', "21.0 is a float"),
    "nothing": (None, "", "the lock cannot be read"),
    "a list": (None, "[]", "lock"),
    "a byte that is no text": (None, "\0", "the lock cannot be read"),
    "an edited value": ('"num": 21', '"num": 20', "was edited"),
}


@pytest.mark.parametrize("name", BROKEN_LOCKS)
def test_what_is_wrong_with_a_lock_is_said(small, run, name):
    old, new, told = BROKEN_LOCKS[name]
    small.write(LOCK, small.read(LOCK).replace(old, new, 1) if old else new)
    done = run(small.root, "check")
    part = done.out[done.out.index("✗ audit") : done.out.index("entries\n")]
    assert told in part, part


def test_every_error_and_warning_is_on_the_screen(small, run):
    first = small.read("registers/book.yaml").partition("  - id: R-2")[0]
    small.write("registers/again.yaml", first.replace("      - {path: ../controls/inputs/roster.txt", "      #"))
    small.write("controls/again.yaml", small.read("controls/cases.yaml"))
    small.write("controls/x.lock.json", "{}")
    found = json.loads(run(small.root, "check", "--format", "json").out)["findings"]
    shown = run(small.root, "check").out
    assert {"control-duplicate-id", "entry-input-unnamed", "lock-orphan"} <= {f["rule"] for f in found}
    for f in found:
        if f["severity"] != "note":
            assert shown.count(f"[{f['rule']}]") == sum(o["rule"] == f["rule"] for o in found)
            assert f["message"] in " ".join(shown.split())


@pytest.mark.parametrize(
    ("path", "old", "new", "kind", "held"),
    [
        ("registers/book.yaml", "id: R-2", "id: R-1", "entries", {"failed": 2, "cited-quote-not-checked": 1}),
        ("controls/cases.yaml", "id: cutoff-zero", "id: ranked", "refusals", {"failed": 1}),
    ],
)
def test_of_two_with_one_id_neither_is_counted_as_held(small, path, old, new, kind, held):
    small.replace(path, old, new)
    result = small.check()
    assert result.details["totals"][kind] == held
    assert len([f for f in result.findings if f.rule == "control-duplicate-id"]) == 2
    assert all(f.where.path == path for f in result.findings if f.rule == "control-duplicate-id")


def test_ids_of_different_kinds_do_not_share_their_findings(small, run):
    small.replace("controls/cases.yaml", "id: ranked", "id: R-1")
    small.replace("README.md", ".4884", ".4885")
    done = run(small.root, "check")
    assert done.out.count("[entry-quote]") == 1
    assert "✓ R-1          P 2/3" in done.out


def test_the_form_of_a_register_says_nothing_of_its_figures(small, run):
    (small.root / LOCK).unlink()
    done = run(small.root, "register", "check")
    assert done.code == 0
    assert "✓ R-1  .4884 = 21/43  recall(endpoint=promoted, over=cohort)   well formed (verified)" in done.out
    assert "not verified" not in done.out and "everything checked holds" not in done.out


COMMANDS = {
    "check": ["check"],
    "control run": ["control", "run"],
    "register check": ["register", "check"],
    "register verify": ["register", "verify"],
    "calc run": ["calc", "run", CALC],
    "calc verify": ["calc", "verify", CALC],
    "calc diff": ["calc", "diff", CALC],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_result_names_the_command_that_was_asked(small, run, command):
    assert json.loads(run(small.root, *COMMANDS[command], "--format", "json").out)["command"] == command
    assert run(small.root, *COMMANDS[command]).code == 0


def test_inputs_tell_their_rows_where_the_calculation_declares_them(small):
    rows = {i.path: i.rows for i in small.check().inputs}
    assert rows[LEDGER] == 50


@pytest.mark.parametrize("verb", ["run", "verify", "freeze", "diff"])
def test_a_refused_calculation_is_refused_at_a_place_that_is_found_from_here(small, run, verb):
    small.replace(CALC, "outputs:", "outputz:")
    done = run(small.root.parent, "calc", verb, f"{small.root.name}/{CALC}")
    assert done.code == 2
    assert f"error: {small.root.name}/{CALC}:" in done.err


def test_a_scan_names_its_text_and_the_next_command_as_they_are_found_from_here(small, run):
    small.write("a text.md", "It is .75 of all.")
    done = run(small.root.parent, "register", "scan", small.root / "a text.md")
    assert f"{small.root.name}/a text.md  1 figure" in done.out
    assert f"evaudit register add '{small.root.name}/a text.md' --quote" in done.out


@pytest.mark.parametrize("verb", ["run", "verify", "freeze", "diff"])
def test_an_empty_argument_is_no_calculation(small, run, verb):
    assert run(small.root, "calc", verb, "").code == 2


@pytest.mark.parametrize("name", ["Entry", "Place", "ExpectedFigure", "CalculationRef", "EntryInput", "CitedSource"])
def test_every_field_of_an_entry_is_described(name):
    fields = RegisterFile.model_json_schema()["$defs"][name]["properties"]
    assert [field for field, told in fields.items() if not told.get("description")] == []


def test_a_long_cell_moves_its_own_row_and_no_other():
    rows = [("a", "1/2", "recall"), ("b", "twenty-one of forty-three", "P"), ("c", "3/4", "recall(over=cohort)")]
    widths = fitting_widths(rows, 30)
    assert widths == [1, 3, 19]
    assert [placed(row, widths).rstrip() for row in rows] == [
        "a  1/2  recall",
        "b  twenty-one of forty-three  P",
        "c  3/4  recall(over=cohort)",
    ]
    assert fitting_widths(rows, 80) == [1, 25, 19]


def test_the_entries_of_several_registers_stand_apart(small, run):
    (small.root / "registers/second.yaml").write_text(
        (small.root / "registers/book.yaml").read_text().replace("R-", "S-"), encoding="utf-8"
    )
    out = run(small.root, "check").out
    assert "\nentries of registers/book.yaml\n  ✓ R-1" in out and "\nentries of registers/second.yaml\n  ✓ S-1" in out
