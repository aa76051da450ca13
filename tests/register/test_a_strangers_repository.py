"""``check`` of a stranger's repository is safe: what lies in it is read, within bounds, and nothing else happens."""

from __future__ import annotations

import base64
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

OUTSIDE = "what nobody may read"
WATCHED = r"""
import os, sys
outside, record = sys.argv[1], os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
STARTED = ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.system", "os.fork", "os.forkpty", "socket.connect",
           "socket.bind", "socket.getaddrinfo", "os.kill")
CHANGED = ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate", "os.chmod",
           "os.chown", "os.utime", "shutil.rmtree", "tempfile.mkstemp", "tempfile.mkdtemp")

def watch(event, given):
    said = None
    if event in STARTED or event in CHANGED:
        said = f"{event} {given!r}"
    elif event == "open":
        path, mode, flags = given
        writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        if writes and path != os.devnull:
            said = f"written {path!r}"
        elif not isinstance(path, int) and os.fsdecode(os.path.realpath(path)).startswith(outside):
            said = f"read {path!r}"
    if said:
        os.write(record, (said + "\n").encode(errors="backslashreplace"))

from evaudit.cli import main
sys.addaudithook(watch)
sys.argv = ["evaudit", *sys.argv[3:]]
main()
"""


def hostile(root: Path, outside: Path) -> None:
    """One sample of each kind of trap, in the folders that ``check`` looks through."""
    controls, registers = root / "controls", root / "registers"
    secret = os.path.relpath(outside / "secret.yaml", controls)
    samples = {
        "formula.yaml": "schema: evaudit/calculation@1\nid: formula\nkind: arithmetic\ninputs: []\n"
        'values: {a: 1}\noutputs:\n  "a + 1e-999999999": {expect: 1/1}\n  "9**9**9**9": {expect: 1/1}\n',
        "command.yaml": "schema: evaudit/calculation@1\nid: command\nkind: command\ninputs: []\n"
        f"command: [touch, {root / 'started'}]\nproduces: out.json\noutputs: {{}}\n",
        "deep.yaml": "schema: evaudit/control@1\ncontrols: " + "[" * 5000 + "]" * 5000 + "\n",
        "keys.yaml": "schema: evaudit/control@1\n" + "controls: []\n" * 50_000,
        "tags.yaml": "schema: evaudit/control@1\ncontrols: !!python/object/apply:os.system [touch started]\n",
        "aliases.yaml": "schema: evaudit/control@1\na: &a [1, 1]\nb: &b [*a, *a]\nc: [*b, *b]\n",
        "steering.yaml": 'schema: evaudit/control@1\ncontrols: [{id: "a\\e[2J\\u202e\\u009b31m", kind: ranking}]\n',
        "outside.yaml": f"schema: evaudit/calculation@1\nid: outside\nkind: decisions\nspec: {secret}\n"
        f"inputs: [{{id: x, path: /etc/passwd, as: bytes}}, {{id: y, path: {secret}, as: bytes}}]\n"
        "outputs: {}\n",
        "bytes.yaml": "schema: evaudit/control@1\ncontrols: []\n\x00\x01",
        "calculation.lock.json": "[" * 20_000,
    }
    for name, text in samples.items():
        (controls / name).write_text(text, encoding="utf-8")
    (controls / "invalid.yaml").write_bytes(b"schema: evaudit/control@1\ncontrols: [\xff\xfe]\n")
    (controls / os.fsdecode(b"name\xff\x1b[2J.yaml")).write_text("schema: evaudit/control@1\ncontrols: 1\n")
    (controls / ("n" * 250 + ".yaml")).write_text("schema: evaudit/control@1\ncontrols: 1\n")
    os.mkfifo(controls / "pipe.yaml")
    (controls / "device.yaml").symlink_to("/dev/zero")
    (controls / "link.yaml").symlink_to(outside / "secret.yaml")
    (controls / "folder").symlink_to(outside)
    (controls / "loop").symlink_to(controls)
    claims = {
        "digits": "9" * 400_000, "list": "1," * 50_000, "brackets": "[" * 50_000, "stars": "*_`" * 30_000,
    }  # fmt: skip
    for name, text in claims.items():
        (root / f"{name}.md").write_text(text, encoding="utf-8")
    (root / "roles.rst").write_text(":a" * 50_000 + "\n\n" + "=" * 100_000 + "x\n", encoding="utf-8")
    (root / "macros.tex").write_text("\\newcommand{\\a}{\\a\\a}\\a " + "{" * 20_000, encoding="utf-8")
    texts = [
        *(f"{name}.md" for name in claims),
        "roles.rst",
        "macros.tex",
        "n" * 300 + ".md",
        "{secret}",
    ]
    entries = "".join(
        f"  - {{id: T-{n}, claim: It is 1.5., status: cited, reason: elsewhere, figure: AP, "
        f'value: {{exact: 3/2, shown: "{"1" * 5000}.5"}}, at: {{file: "{name}", quote: "1.5"}}}}\n'
        for n, name in enumerate(texts)
    )
    (registers / "texts.yaml").write_text("schema: evaudit/register@1\nentries:\n" + entries, encoding="utf-8")
    foreign = root / "workflows"
    foreign.mkdir()
    for n in range(2_000):
        (foreign / f"{n}.yaml").write_text("on: push\njobs: {}\n" * 20, encoding="utf-8")


def watched(root: Path, outside: Path, record: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the program under an audit hook that records what it starts, changes, or opens outside."""
    record.touch()
    return subprocess.run(
        [sys.executable, "-c", WATCHED, str(outside), str(record), *words], cwd=root, capture_output=True, text=True,
        encoding="utf-8", errors="surrogateescape", timeout=60, check=False, preexec_fn=bounded,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip


@pytest.fixture
def outside(tmp_path_factory):
    folder = tmp_path_factory.mktemp("outside")
    (folder / "secret.yaml").write_text(f"schema: evaudit/control@1\n{OUTSIDE}: 1\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("with_note", [False, True], ids=["traps", "a forged note of an accept"])
def test_check_of_a_strangers_repository_reads_and_does_nothing_else(small, outside, tmp_path_factory, with_note):
    hostile(small.root, outside)
    if with_note:
        taken = base64.b64encode(b"taken over").decode()
        files = dict.fromkeys([os.path.relpath(outside / "new", small.root), "/tmp/evaudit-taken", "link/new"], taken)
        files[os.path.relpath(outside / "secret.yaml", small.root)] = None
        small.write("registers/.evaudit-accept.json", json.dumps({"files": files}))
    record = tmp_path_factory.mktemp("watch") / "record"
    before = listing(small.root) | listing(outside)
    done = watched(small.root, outside, record, "check", "--quiet")
    assert done.returncode in (1, 2, 3), done.stdout + done.stderr
    assert record.read_text(encoding="utf-8") == ""
    assert listing(small.root) | listing(outside) == before
    shown = done.stdout + done.stderr
    assert "Traceback" not in shown and OUTSIDE not in shown
    assert not [c for c in shown if c in "\x1b\x9b\u202e" or (ord(c) < 32 and c not in "\n\t")]
    assert len(shown) < 400_000


def test_the_watch_sees_what_is_written_started_and_read_outside(small, outside, tmp_path):
    record = tmp_path / "record"
    assert watched(small.root, outside, record, "init", "demo").returncode == 0
    watched(small.root, outside, record, "digest", str(outside / "secret.yaml"), "--recipe", "bytes")
    seen = record.read_text(encoding="utf-8")
    assert (
        "os.rename" in seen
        and "demo/controls" in seen
        and "os.mkdir" in seen
        and "read" in seen
        and "secret.yaml" in seen
    )


def bounded() -> None:
    """A limit of memory and processor time, so that a trap ends the test and not the machine."""
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (45, 45))


def listing(folder: Path) -> dict[Path, tuple[int, int, int]]:
    """Every name below a folder with its mode, size and time of change; links are not followed."""
    names = [Path(here) / name for here, folders, files in os.walk(folder) for name in [*folders, *files]]
    return {name: (state.st_mode, state.st_size, state.st_mtime_ns) for name in names if (state := name.lstat())}
