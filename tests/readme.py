"""The commands of the README and what they print: how tests run them, and how they are written anew.

A block that opens with ```console holds lines ``$ command`` and, below each, its output to the letter.
``python tests/readme.py`` runs every command and writes the outputs into README.md.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from program import ran

PROJECT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def steps(block: str) -> Iterator[tuple[str, str]]:
    """Command and expected output, in order."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def console_blocks(text: str) -> list[str]:
    """Every console block of a Markdown text, without its fences."""
    return BLOCK.findall(text)


def prepare(folder: Path) -> None:
    """A working copy of what the commands of the README may read."""
    for name in ("controls", "registers"):
        shutil.copytree(PROJECT / name, folder / name)
    for name in ("README.md", "pyproject.toml"):
        shutil.copy(PROJECT / name, folder / name)
    for name in ("docs", "benchmarks"):
        if (PROJECT / name).is_dir():
            shutil.copytree(PROJECT / name, folder / name)


def run(command: str, folder: Path) -> str:
    """Stdout and stderr of a command line, run as in a terminal of 120 columns without colour."""
    words = shlex.split(command)
    if words[0] == "evaudit" and not set(command) & set("|&;<>$*`"):
        return ran(folder, *words[1:], columns=120, together=True).stdout
    scripts = folder / ".bin"
    scripts.mkdir(exist_ok=True)
    evaudit = scripts / "evaudit"
    evaudit.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m evaudit "$@"\n')
    evaudit.chmod(0o755)
    environment = {**os.environ, "COLUMNS": "120", "NO_COLOR": "1", "PATH": f"{scripts}:{os.environ['PATH']}"}
    paths = [str(PROJECT / "src"), os.environ.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(p for p in paths if p)
    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=folder, env=environment, text=True, encoding="utf-8",
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=120,
    )  # fmt: skip
    return done.stdout


def rewritten(text: str) -> str:
    """``text`` with every console block as the program prints it now."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)

        def replace(match: re.Match[str]) -> str:
            parts = [f"$ {command}\n{run(command, folder)}" for command, _ in steps(match[1])]
            return "```console\n" + "".join(parts) + "```"

        return BLOCK.sub(replace, text)


if __name__ == "__main__":
    readme = PROJECT / "README.md"
    readme.write_text(rewritten(readme.read_text(encoding="utf-8")), encoding="utf-8")
