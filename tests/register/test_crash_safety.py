"""A process that is killed at any write leaves the old state or the new one, and two writers never lose a record."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from evaudit.errors import NothingToCheckError
from evaudit.register.accept import accept
from evaudit.register.check import check_paths
from evaudit.register.freeze import freeze
from evaudit.register.history import check_history
from evaudit.register.history_report import verify_history
from evaudit.register.workspace import Workspace

PROJECT = Path(__file__).resolve().parents[2]
CALC, LOCK, LOG = "controls/calculation.yaml", "controls/calculation.lock.json", "registers/history.jsonl"
OUTPUTS = [
    "recall(endpoint=promoted, over=cohort)",
    "recall(endpoint=promoted, over=decided)",
    "accuracy(endpoint=promoted, over=decided)",
]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a process is killed in a child that was forked")

HARNESS = '''
"""Runs one write in a child for each of its system calls, and kills the child there; prints how many there are."""
import json, os, shutil, signal, sys
from pathlib import Path
task, source, target, outputs = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), json.loads(sys.argv[4])
from evaudit.register.accept import accept
from evaudit.register.freeze import freeze

def act(root):
    if task == "freeze":
        freeze(root / "controls/calculation.yaml")
    else:
        accept(root / "controls/calculation.yaml", outputs, "decided on review")

def killed_at(n):
    count = 0
    def counted(name):
        real = getattr(os, name)
        def call(*args, **options):
            nonlocal count
            count += 1
            if count == n:
                if name == "write":
                    real(args[0], bytes(args[1])[: len(args[1]) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **options)
        setattr(os, name, call)
    for name in ("write", "fsync", "replace", "link", "unlink", "chmod"):
        counted(name)

n = 0
while True:
    n += 1
    root = target / str(n)
    shutil.copytree(source, root)
    child = os.fork()
    if child == 0:
        killed_at(n)
        act(root)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    ended = os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0
    assert ended or os.WTERMSIG(status) == signal.SIGKILL, status
    if ended:
        break
print(n)
'''


def killed_everywhere(task, source, target):
    target.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", HARNESS, task, source, target, json.dumps(OUTPUTS)],
        capture_output=True, text=True, check=False, timeout=300,
        env={**os.environ, "PYTHONPATH": str(PROJECT / "src")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


def seen(root):
    """What a reader of a project without an interrupted accept sees: calculation, lock and history."""
    workspace = Workspace.at(root)
    history, findings = check_history(workspace)
    assert [f for f in findings + workspace.interrupted() if f.severity == "error"] == []
    return workspace.read(root / CALC), workspace.read(root / LOCK), len(history.records)


def rules(root):
    return {f.rule for f in check_paths([root]).findings if f.severity == "error"}


@pytest.fixture(scope="module")
def drifted(build, tmp_path_factory):
    project = build(tmp_path_factory.mktemp("source"))
    project.replace("controls/inputs/decisions.csv", "C22,deferred", "C22,promoted")
    return project.root


@pytest.fixture(scope="module")
def accepts(drifted, tmp_path_factory):
    """Folder of projects in which an accept was killed, and how many there are; the last one was not killed."""
    target = tmp_path_factory.mktemp("accepts") / "killed"
    return target, killed_everywhere("accept", drifted, target)


def test_an_accept_killed_at_any_write_leaves_the_old_state_or_the_new_one(drifted, accepts):
    target, steps = accepts
    assert steps > 15
    whole = target / str(steps)
    old, new = seen(drifted), seen(whole)
    assert (old[2], new[2]) == (0, 1)
    states = []
    for n in range(1, steps):
        root = target / str(n)
        interrupted = (root / "registers/.evaudit-accept.json").exists()
        if interrupted:
            assert "accept-interrupted" in rules(root), n
        else:
            assert seen(root) in (old, new), n
        states.append(not interrupted and seen(root) == new)
        told = accept(root / CALC, OUTPUTS, "decided on review").details
        assert set(told["restored"]) == ({CALC, LOCK, LOG} if interrupted else set())
        for name in (CALC, LOCK, LOG):
            assert (root / name).read_bytes() == (whole / name).read_bytes(), (n, name)
        assert [p.name for p in root.rglob("*") if p.name.startswith(".")] == [], n
        assert check_history(Workspace.at(root))[1] == []
    assert states == sorted(states)  # once the new state is there, it stays
    assert sum(states) <= 2  # only behind the last write of all


def test_a_freeze_killed_at_any_write_leaves_no_lock_or_a_whole_one(drifted, tmp_path):
    source = tmp_path / "source"
    shutil.copytree(drifted, source)
    calculation = (source / CALC).read_text(encoding="utf-8")
    for old, new in (("21/43", "22/43"), ("21/37", "22/38"), (".4884", ".5116"), (".5676", ".5789")):
        calculation = calculation.replace(old, new)
    calculation = calculation.replace(
        '"accuracy(endpoint=promoted, over=decided)": {expect: 27/43, show: ".6279"}',
        '"accuracy(endpoint=promoted, over=decided)": {expect: 28/44}',
    )
    (source / CALC).write_bytes(calculation.encode())
    (source / LOCK).unlink()
    steps = killed_everywhere("freeze", source, tmp_path / "killed")
    lock = (tmp_path / "killed" / str(steps) / LOCK).read_bytes()
    for n in range(1, steps):
        root = tmp_path / "killed" / str(n)
        if (root / LOCK).exists():
            assert (root / LOCK).read_bytes() == lock
        else:
            freeze(root / CALC)
            assert (root / LOCK).read_bytes() == lock


def test_eight_writers_never_lose_a_record_and_a_reader_meanwhile_sees_no_half_of_a_change(small):
    """Eight calculations are accepted by eight processes at once."""
    names = [f"audit-{n}" for n in range(8)]
    text = small.read(CALC)
    for name in names:
        small.write(f"controls/{name}.yaml", text.replace("id: audit", f"id: {name}"))
        freeze(small.root / f"controls/{name}.yaml")
    small.replace("controls/inputs/decisions.csv", "C22,deferred", "C22,promoted")
    environment = {**os.environ, "PYTHONPATH": str(PROJECT / "src")}
    options = [part for name in OUTPUTS for part in ("--output", name)]
    writers = [
        subprocess.Popen(
            [sys.executable, "-m", "evaudit", "calc", "accept", f"controls/{name}.yaml", *options, "--reason", name],
            cwd=small.root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
        for name in names
    ]  # fmt: skip
    seen = []
    while any(writer.poll() is None for writer in writers):
        with suppress(NothingToCheckError):
            seen += verify_history(small.root).findings
    assert seen == []
    printed = [writer.communicate(timeout=120)[0].decode() for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * 8, printed
    history, findings = check_history(Workspace.at(small.root))
    assert findings == []
    assert sorted(r.calculation for r in history.records) == names
