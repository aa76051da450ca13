"""The note of an interrupted accept lies in the project: it forges no check and writes what an accept may."""

from __future__ import annotations

import base64
import json
import os

import pytest

from program import ran

CALC, LOCK, LOG = "controls/calculation.yaml", "controls/calculation.lock.json", "registers/history.jsonl"
NOTE = "registers/.evaudit-accept.json"
ACCEPT = ("calc", "accept", CALC, "--output", "recall(endpoint=promoted, over=cohort)", "--reason", "decided on review")
ADD = ("register", "add", "README.md", "--quote", ".4884", "--id", "R-9")
VERIFYING = {
    "check": ("check",),
    "calc verify": ("calc", "verify", CALC),
    "register verify": ("register", "verify"),
    "history verify": ("history", "verify"),
    "control run": ("control", "run"),
}


def stored(text):
    return None if text is None else base64.b64encode(text.encode()).decode()


def note(small, **files):
    small.write(NOTE, json.dumps({"files": {name: stored(text) for name, text in files.items()}}))


def run(small, *arguments):
    done = ran(small.root, *arguments)
    assert "Traceback" not in done.stderr
    return done


def tree(folder):
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() if p.is_file() else None
        for p in sorted(folder.rglob("*"))
        if p.is_symlink() or not p.is_dir()
    }


@pytest.mark.parametrize("command", VERIFYING)
def test_an_interrupted_accept_is_an_error_and_the_disk_is_what_is_checked(small, command):
    whole = {CALC: small.read(CALC), LOCK: small.read(LOCK), LOG: None}
    small.write(LOCK, small.read(LOCK).replace('"num": 21', '"num": 22', 1))
    note(small, **whole)
    done = run(small, *VERIFYING[command], "--format", "json")
    rules = {f["rule"] for f in json.loads(done.stdout)["findings"] if f["severity"] == "error"}
    assert done.returncode == 1 and "accept-interrupted" in rules
    if command in ("check", "calc verify"):
        assert "lock-edited" in rules


def test_a_statement_is_not_made_over_an_interrupted_accept(small, tmp_path):
    note(small, **{CALC: small.read(CALC), LOCK: small.read(LOCK), LOG: None})
    done = run(small, "export", "--as", "in-toto", "-o", str(tmp_path / "out"))
    assert done.returncode == 1
    for path in (tmp_path / "out").glob("*"):
        assert "PASSED" not in path.read_text(encoding="utf-8")


def test_the_next_accept_restores_and_says_so(small):
    whole = {CALC: small.read(CALC), LOCK: small.read(LOCK), LOG: None}
    small.write(LOCK, "half")
    note(small, **whole)
    done = run(small, *ACCEPT)
    assert done.returncode == 0 and "restored after an interrupted accept" in done.stdout
    assert small.read(LOCK) == whole[LOCK] and not (small.root / NOTE).exists()


@pytest.mark.parametrize("command", [ADD, ("calc", "freeze", CALC)])
def test_nothing_else_is_written_while_an_accept_is_interrupted(small, command):
    note(small, **{CALC: small.read(CALC), LOCK: small.read(LOCK), LOG: None})
    before = tree(small.root)
    done = run(small, *command)
    assert done.returncode == 2 and "an accept was interrupted" in done.stderr
    assert tree(small.root) == before


HOSTILE = {
    "above the root": {"../outside/x": "gone"},
    "from the top": {"/tmp/evaudit-absolute": "gone"},
    "behind a link": {"link/new.yaml": "schema: evaudit/calculation@1\n"},
    "removes a file outside": {"../outside/kept": None},
    "removes a file inside": {"README.md": None},
    "removes a calculation": {CALC: None},
    "writes another file": {"README.md": "other"},
    "writes a register": {"registers/book.yaml": "schema: evaudit/register@1\n"},
    "writes two calculations": {CALC: "schema: evaudit/calculation@1\n", "controls/cases.yaml": "schema: x\n"},
    "a calculation that is none": {"controls/cases.yaml": "schema: evaudit/calculation@1\n"},
    "a lock of no calculation": {"controls/other.lock.json": "{}"},
    "a backslash": {"controls\\calculation.yaml": "schema: evaudit/calculation@1\n"},
    "two spellings": {
        CALC: "schema: evaudit/calculation@1\n",
        "controls/../" + CALC: "schema: evaudit/calculation@1\n",
    },
    "nothing": {},
}


@pytest.mark.parametrize("command", [("check",), ADD, ACCEPT])
@pytest.mark.parametrize("case", HOSTILE)
def test_a_note_that_names_anything_else_is_refused_and_nothing_is_touched(build, tmp_path, case, command):
    small = build(tmp_path / "project")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    (small.root / "link").symlink_to(outside)
    note(small, **HOSTILE[case])
    before = tree(tmp_path)
    done = run(small, *command)
    assert (done.returncode, NOTE in done.stderr or "accept-note-invalid" in done.stdout + done.stderr) == (2, True)
    assert tree(tmp_path) == before


RAW = {
    "no JSON": b"{",
    "a list": b"[]",
    "a number as a name's content": b'{"files": {"controls/calculation.yaml": 1}}',
    "loose base64": b'{"files": {"controls/calculation.yaml": "c2NoZW1h!!!!"}}',
    "deep": b"[" * 100_000,
    "bytes that are no text": b"\xff\xfe",
}


@pytest.mark.parametrize("case", RAW)
def test_a_note_that_cannot_be_read_is_refused(small, case):
    (small.root / NOTE).write_bytes(RAW[case])
    assert run(small, "check").returncode == 2


@pytest.mark.skipif(os.name != "posix", reason="pipes and links of POSIX")
def test_a_note_that_is_a_pipe_a_link_or_endless_is_not_read(small, tmp_path):
    path = small.root / NOTE
    os.mkfifo(path)
    assert run(small, "check").returncode == 3
    path.unlink()
    path.symlink_to("/dev/zero")
    assert run(small, "check").returncode == 3
    path.unlink()
    with path.open("wb") as sparse:
        sparse.truncate(2**31)
    assert run(small, "check").returncode == 3
