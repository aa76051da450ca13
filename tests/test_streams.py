"""Exit codes stay what they are, whatever happens to the streams; an interrupt ends with 130 and a word."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="streams and signals of POSIX")

EVAUDIT = f"{sys.executable} -m evaudit"
COMMANDS = {
    "rank demo/data/qrels.txt demo/data/run.txt": 0,
    "rank demo/data/qrels.txt nothing": 3,
    "check wrong": 1,
    "digest demo/REPORT.md --recipe bytes": 0,
    "explain nonsense": 2,
    "nonsense": 2,
    "--help": 0,
    "--version": 0,
}
STREAMS = {
    "a closed stderr": ("2>&-", False),
    "a full stderr": ("2>/dev/full", False),
    "a closed stdin": ("<&-", False),
    "a reader that goes away": ("| true", False),
    "a closed stdout": (">&-", True),
    "a full stdout": (">/dev/full", True),
    "nothing open": (">&- 2>&- <&-", True),
}
"""How the shell opens the streams, and whether the text of stdout is lost."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("streams")
    subprocess.run([sys.executable, "-m", "evaudit", "init", "demo"], cwd=root, check=True, capture_output=True)
    (root / "wrong").mkdir()
    text = (root / "demo/controls/ranking.yaml").read_text(encoding="utf-8").replace("P: 2/3", "P: 1/3")
    (root / "wrong/ranking.yaml").write_text(text, encoding="utf-8")
    return root


def shell(command, folder):
    return subprocess.run(
        ["/bin/bash", "-c", f"{command}; exit ${{PIPESTATUS[0]}}"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="needs the device of a full disk")
@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("command", COMMANDS)
def test_the_exit_code_does_not_depend_on_the_streams(folder, command, stream):
    opened, lost = STREAMS[stream]
    code = COMMANDS[command]
    done = shell(f"{EVAUDIT} {command} {opened}", folder)
    assert done.returncode == (3 if lost and code in (0, 1) else code)
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr
    if lost and "2>&-" not in opened and code in (0, 1):
        assert done.stderr.endswith(")\n") and "standard output cannot be written" in done.stderr


def interrupted(command, folder, after):
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    after(process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    return process.returncode, out, err


@pytest.mark.parametrize(
    "command",
    ["rank demo/data/qrels.txt pipe", "rank pipe demo/data/run.txt", "digest pipe --recipe bytes"],
)
def test_an_interrupt_while_a_command_waits_ends_with_130_and_a_word(folder, command):
    pipe = folder / "pipe"
    if not pipe.exists():
        os.mkfifo(pipe)

    def opened(process):
        handle = os.open(pipe, os.O_WRONLY)  # waits until the command reads
        os.write(handle, b"1 ")
        time.sleep(0.2)
        writers.append(handle)

    writers = []
    code, out, err = interrupted([sys.executable, "-m", "evaudit", *command.split()], folder, opened)
    os.close(writers[0])
    assert (code, out, err) == (130, "", "interrupted\n")


@pytest.mark.parametrize("delay", [0.0, 0.01, 0.03, 0.06, 0.1, 0.2, 0.4])
def test_an_interrupt_at_any_time_after_the_first_line_gives_no_traceback(folder, delay):
    program = f"""
import os, signal, sys, threading, time
from evaudit.cli import main

def interrupt():
    while signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        time.sleep(0.001)
    time.sleep({delay})
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
gold, predicted = "demo/data/fever-gold.jsonl", "demo/data/fever-predicted.jsonl"
sys.argv[1:] = ["bundles", "--from", "fever", "--gold", gold, "--predicted", predicted]
main()
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert (done.returncode, done.stderr) in ((130, "interrupted\n"), (0, ""))


SWALLOWED = """
    import os, sys
    from evaudit.cli.streams import run
    def command():
        try:
            os.kill(os.getpid(), 2)
        except KeyboardInterrupt:
            pass
        return 0
    sys.exit(run(command))
"""


def test_an_interrupt_that_is_swallowed_still_ends_with_130():
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(SWALLOWED)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (130, "interrupted\n")


def test_an_ignored_interrupt_stays_ignored(folder):
    done = shell(f"trap '' INT; {EVAUDIT} explain P & pid=$!; sleep .05; kill -INT $pid; wait $pid", folder)
    assert done.returncode == 0 and done.stdout.startswith("P ")


HOSTILE = "\x1b[2J\u202eq\x9b31m\r\x7f=1"


def printed(format, target, root):
    done = subprocess.run(
        [sys.executable, "-m", "evaudit", "check", "--format", format, *target],
        cwd=root, capture_output=True, check=False,
    )  # fmt: skip
    return (root / "out").read_text(encoding="utf-8") if target else done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("format", ["json", "jsonl", "sarif", "csv", "markdown", "junit", "table"])
def test_no_format_prints_a_character_that_steers_a_terminal_and_json_stays_json(tmp_path, format):
    (tmp_path / "controls").mkdir()
    escaped = json.dumps(HOSTILE)
    (tmp_path / "controls/c.yaml").write_text(
        "schema: evaudit/control@1\ncontrols:\n"
        f"  - {{id: c, kind: ranking, ranking: [{escaped}, {escaped}], grades: {{{escaped}: 1}}, cutoff: 3,"
        " expect: {P: 1/3}}\n",
        encoding="utf-8",
    )
    for target in ([], ["-o", "out"]):
        text, err = printed(format, target, tmp_path)
        assert not [c for c in text + err if c != "\n" and not c.isprintable()]
        if format in ("json", "sarif"):
            json.loads(text)
        if format == "jsonl":
            assert [json.loads(line) for line in text.splitlines()]


def test_json_gives_the_ids_back_and_trec_eval_the_bytes(tmp_path):
    topic = "q\x7f\x9b\u202e"
    (tmp_path / "qrels").write_text(f"{topic} 0 d 1\n", encoding="utf-8")
    (tmp_path / "run").write_text(f"{topic} Q0 d 1 2 t\n", encoding="utf-8")
    asked = [sys.executable, "-m", "evaudit", "rank", "qrels", "run", "-q", "-m", "P.5", "--format"]
    told = subprocess.run([*asked, "json"], cwd=tmp_path, capture_output=True, check=True).stdout.decode()
    assert json.loads(told)["figures"][0]["need"] == topic and topic not in told
    asked += ["trec_eval", "--convention", "trec_eval"]
    assert topic in subprocess.run(asked, cwd=tmp_path, capture_output=True, check=True).stdout.decode()


def test_no_text_from_data_becomes_markup_in_markdown():
    from evaudit.reports.markdown import _cell

    assert _cell("\\[x\\](http://a)") == "\\\\\\[x\\\\\\](http://a)"
    assert _cell("&#91; ~~x~~ <b>") == "&amp;#91; \\~\\~x\\~\\~ &lt;b&gt;"
