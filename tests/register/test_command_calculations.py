"""Calculations by command: what runs, on what, for how long, and what is left of it."""

from __future__ import annotations

import os
import sys
import time

import pytest
from test_calculation_kinds import outputs, ran, rules, write

from evaudit.register.check import check_paths
from evaudit.register.freeze import freeze

COMMAND = """\
kind: command
command: [python, count.py]
produces: figures.json
time_limit: 20
inputs:
  - {id: program, path: count.py, as: text}
  - {id: decisions, path: inputs/decisions.csv, as: text, rows: 50}
outputs:
  "promoted-share": {expect: 21/50, show: ".42"}
  "mean-length": {expect: "3.0"}
"""
PROGRAM = """\
import csv, json
rows = list(csv.DictReader(open("inputs/decisions.csv")))
promoted = sum(r["state"] == "promoted" for r in rows)
length = sum(len(r["candidate_id"]) for r in rows) / len(rows)
json.dump({"promoted-share": f"{promoted}/{len(rows)}", "mean-length": length}, open("figures.json", "w"))
"""


@pytest.fixture
def command(small):
    small.write("controls/count.py", PROGRAM)
    return small


def test_a_command_runs_only_where_it_is_allowed(command):
    result = ran(command, COMMAND)
    assert (rules(result), result.details["exit"]) == ({"command-not-allowed"}, 3)
    result = ran(command, COMMAND, allow_commands=True)
    assert rules(result) == set(), [f.message for f in result.findings]
    assert outputs(result) == {"promoted-share": "21/50", "mean-length": "3"}


def test_a_project_with_a_command_is_not_checked_without_it(command):
    freeze(write(command, COMMAND), allow_commands=True)
    assert check_paths([command.root]).details["exit"] == 3
    assert check_paths([command.root], allow_commands=True).details["exit"] == 0


def test_a_command_works_on_a_copy_of_its_inputs_alone(command):
    write(command, COMMAND)
    before = {p: p.read_bytes() for p in command.root.rglob("*") if p.is_file()}
    command.write(
        "controls/count.py",
        PROGRAM
        + 'import os\nopen("inputs/decisions.csv", "w").write("gone")\nassert not os.path.exists("cohort.yaml")\n',
    )
    assert rules(ran(command, COMMAND, allow_commands=True)) == set()
    after = {p: p.read_bytes() for p in command.root.rglob("*") if p.is_file()}
    assert {p.name for p in after if before.get(p) != after[p]} == {"count.py"}


FAILING = {
    "it ends with an error": ('raise SystemExit("no data")', "ended with 1: no data"),
    "it writes nothing": ("", "did not write figures.json"),
    "it writes no JSON": ('open("figures.json", "w").write("{")', "is no JSON"),
    "it writes a list": ('open("figures.json", "w").write("[1]")', "expected an object"),
    "it writes NaN": ('open("figures.json", "w").write(\'{"promoted-share": NaN}\')', "is no figure"),
    "an output is missing": ('open("figures.json", "w").write("{}")', "gives no output promoted-share"),
    "an output is no figure": (
        'open("figures.json", "w").write(\'{"promoted-share": "many", "mean-length": 3}\')',
        "expected",
    ),
}


@pytest.mark.parametrize("name", FAILING)
def test_a_command_that_fails_is_not_checked(command, name):
    program, message = FAILING[name]
    command.write("controls/count.py", program)
    result = ran(command, COMMAND, allow_commands=True)
    assert (rules(result), result.details["exit"]) == ({"command-failed"}, 3)
    assert any(message in f.message for f in result.findings), [f.message for f in result.findings]


@pytest.mark.skipif(os.name != "posix", reason="a group of processes is ended as one")
def test_a_command_is_ended_after_its_time_with_everything_it_started(command):
    child = f"import subprocess, time\nsubprocess.Popen([{sys.executable!r}, '-c', 'import time; time.sleep(60)'])\n"
    command.write("controls/count.py", child + "time.sleep(60)\n")
    start = time.monotonic()
    result = ran(command, COMMAND.replace("time_limit: 20", "time_limit: 1"), allow_commands=True)
    assert time.monotonic() - start < 15
    assert rules(result) == {"command-failed"}
    assert any("time limit of 1 s" in f.message for f in result.findings)


def gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


DETACHED = """\
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open({pid!r}, "w").write(str(os.getpid()))
        time.sleep(60)
    os._exit(0)
while not os.path.exists({pid!r}):
    time.sleep(0.01)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a detached process is found on Linux only")
@pytest.mark.parametrize("ends", ["in time", "too late", "with an error"])
def test_a_process_that_detaches_itself_does_not_outlive_the_command(command, tmp_path, ends):
    pid = tmp_path / "pid"
    end = {"in time": PROGRAM, "too late": "time.sleep(60)\n", "with an error": "sys.exit(3)\n"}[ends]
    command.write("controls/count.py", DETACHED.format(pid=str(pid)) + end)
    start = time.monotonic()
    result = ran(command, COMMAND.replace("time_limit: 20", "time_limit: 2"), allow_commands=True)
    assert time.monotonic() - start < 30
    assert rules(result) == (set() if ends == "in time" else {"command-failed"})
    assert gone(int(pid.read_text()))


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_pipe_in_place_of_the_result_is_not_waited_for(command):
    command.write("controls/count.py", 'import os\nos.mkfifo("figures.json")\n')
    result = ran(command, COMMAND, allow_commands=True)
    assert any("found a pipe or device" in f.message for f in result.findings)


def test_of_endless_output_the_end_is_kept(command):
    command.write("controls/count.py", "import sys\nfor i in range(3000): print('x' * 9999)\nsys.exit('the end')\n")
    result = ran(command, COMMAND, allow_commands=True)
    assert any("ended with 1: the end" in f.message for f in result.findings)


def test_there_is_no_shell(command):
    text = COMMAND.replace("[python, count.py]", '[python, count.py, "; touch hacked", "$(touch hacked)"]')
    assert rules(ran(command, text, allow_commands=True)) == set()
    assert not list(command.root.rglob("hacked"))


def test_a_result_outside_the_copy_is_refused(command):
    text = COMMAND.replace("produces: figures.json", "produces: ../../../figures.json")
    assert rules(ran(command, text, allow_commands=True)) == {"command-failed"}
