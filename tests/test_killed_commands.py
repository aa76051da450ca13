"""Every command that writes, killed at each call that changes the disk, or told that the disk is full or read-only: the
file that it writes is the old one or the new one, no other file changes, and the next run is not disturbed.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from program import ran

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a process is killed in a child that was forked")
CALLS = ("replace", "rename", "link", "unlink", "mkdir", "rmdir", "chmod", "fsync", "remove")
FEVER = ("bundles", "--from", "fever", "--gold", "data/fever-gold.jsonl", "--predicted", "data/fever-predicted.jsonl")
COMMANDS = {
    "a result": (("rank", "data/qrels.txt", "data/run.txt", "-o", "out.json"), ["out.json"]),
    "rows as CSV": ((*FEVER, "-o", "out.csv"), ["out.csv"]),
    "rows as Parquet": ((*FEVER, "-o", "out.parquet"), ["out.parquet"]),
    "a schema": (("schema", "view", "-o", "out.json"), ["out.json"]),
    "a definition": (("explain", "--format", "markdown", "-o", "out.md"), ["out.md"]),
    "a lock": (("calc", "freeze", "controls/other.yaml"), ["controls/other.lock.json"]),
    "an entry": (
        ("register", "add", "NOTES.md", "--register", "registers/more.yaml", "--quote", "Precision is 3/4 = .75",
         "--calculation", "screening-audit", "--output", "precision(endpoint=included)"),
        ["registers/more.yaml"],
    ),
    "a project": (("init", "another"), ["another"]),
    "a project in a folder": (("init", "data"), ["data/controls", "data/registers", "data/data", "data/REPORT.md"]),
}  # fmt: skip


def content(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("source")
    assert ran(folder, "init", "demo").returncode == 0
    root = folder / "demo"
    (root / "pyproject.toml").touch()
    (root / "NOTES.md").write_text("Precision is 3/4 = .75.\n")
    calculation = (root / "controls/screening/calculation.yaml").read_text()
    calculation = calculation.replace("id: screening-audit", "id: other")
    calculation = calculation.replace("cohort.yaml", "screening/cohort.yaml")
    calculation = calculation.replace("inputs/", "screening/inputs/")
    (root / "controls/other.yaml").write_text(calculation)
    return root


def killed_at(n: int, act: Callable[[], object]) -> bool:
    """Run in a child that is killed at its ``n``-th call; whether it came to its end before."""
    child = os.fork()
    if child == 0:
        count = 0

        def counted(name: str) -> None:
            real = getattr(os, name)

            def call(*given: object, **named: object) -> object:
                nonlocal count
                count += 1
                if count == n:
                    os.kill(os.getpid(), signal.SIGKILL)
                return real(*given, **named)

            setattr(os, name, call)

        for name in CALLS:
            counted(name)
        code = 1
        try:
            act()
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.WIFEXITED(status) or os.WTERMSIG(status) == signal.SIGKILL
    return os.WIFEXITED(status)


def is_temporary(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))


@pytest.mark.parametrize("what", COMMANDS)
def test_a_command_killed_at_any_call_leaves_the_old_file_or_the_new_one(
    source: Path, tmp_path: Path, what: str
) -> None:
    words, targets = COMMANDS[what]
    whole = tmp_path / "whole"
    shutil.copytree(source, whole)
    done = ran(whole, *words)
    assert done.returncode in (0, 1), done.stderr
    new, old = content(whole), content(source)
    made = {name for name in new if name not in old}
    assert made
    assert all(any(name == target or name.startswith(f"{target}/") for target in targets) for name in made)
    n = 0
    while True:
        n += 1
        root = tmp_path / str(n)
        shutil.copytree(source, root)
        ended = killed_at(n, lambda root=root: ran(root, *words))
        left = {name: raw for name, raw in content(root).items() if not is_temporary(name)}
        assert {name: raw for name, raw in left.items() if name in old} == old, n
        assert all(raw == new[name] for name, raw in left.items()), n
        if ended:
            break
        if not set(left) & made:
            ran(root, *words)
            assert {name: raw for name, raw in content(root).items() if not is_temporary(name)} == new, n
        shutil.rmtree(root)
    assert n > 1


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
@pytest.mark.parametrize("call", ["mkstemp", "replace", "fsync"])
@pytest.mark.parametrize("what", COMMANDS)
def test_a_disk_that_refuses_leaves_everything_as_it_was(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, call: str, number: int
) -> None:
    import tempfile

    words, _ = COMMANDS[what]
    root = tmp_path / "root"
    shutil.copytree(source, root)
    before = content(root)

    def refuse(*given: object, **named: object) -> object:
        raise OSError(number, os.strerror(number))

    place = tempfile if call == "mkstemp" else os
    monkeypatch.setattr(place, call, refuse)
    if call == "replace":
        for name in ("link", "rename"):
            monkeypatch.setattr(os, name, refuse)
    if call == "mkstemp":
        monkeypatch.setattr(tempfile, "mkdtemp", refuse)
    done = ran(root, *words)
    monkeypatch.undo()
    if done.returncode in (0, 1):  # it has no such call
        assert call == "fsync"
        return
    assert done.returncode == 3, done.stderr
    said = done.stdout + done.stderr  # an output that ends in .json asks for errors in JSON
    assert "nothing was written" in said
    assert os.strerror(number) in said
    assert content(root) == before


def full_disk(tmp_path: Path) -> Path | None:
    """A folder on a disk of 64 kB, where this process may mount one."""
    import subprocess

    folder = tmp_path / "disk"
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], capture_output=True, check=False)
    return folder if done.returncode == 0 else None


@pytest.mark.skipif(not shutil.which("mount"), reason="needs mount")
def test_outputs_that_a_real_disk_has_no_room_for_are_not_there(source: Path, tmp_path: Path) -> None:
    import subprocess

    disk = full_disk(tmp_path)
    if disk is None:
        pytest.skip("no disk can be mounted here")
    try:
        (disk / "filler").write_bytes(bytes(50_000))
        root = tmp_path / "root"
        shutil.copytree(source, root)
        for words in (
            ("explain", "--format", "markdown", "-o", disk / "out.md"),
            ("schema", "view", "-o", disk / "out.json"),
            (*FEVER, "-o", disk / "out.parquet"),
            ("init", disk / "demo"),
        ):
            done = ran(root, *words)
            names = {p.name for p in disk.rglob("*") if p.is_file()}
            assert done.returncode == 0 or (
                done.returncode == 3 and "nothing was written" in done.stdout + done.stderr
            ), done
            assert done.returncode == 0 or names == {"filler"} | (names & {"out.json", "out.parquet"})
    finally:
        subprocess.run(["umount", disk], check=False)
