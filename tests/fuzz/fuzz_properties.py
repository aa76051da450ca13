"""What every run must keep, whatever it reads."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import random
import re
import resource
import signal
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from xml.etree import ElementTree

from fuzz_commands import WRITERS, any_command, further, has_format
from fuzz_mutations import mutated
from fuzz_targets import Target
from markdown_it import MarkdownIt

from evaudit.reports import offered
from evaudit.visible import visible
from program import ran

LONGEST = 5.0
"""Seconds of work of one run of files below 1 MB."""
MOST = 1 << 30
"""Bytes that a run may take above the most that the process took before."""
_OPTION = re.compile(r"(?<!\w)--?[a-z]")
_COLOR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Case:
    """Changed files of a target, and the command that is run on them."""

    files: Mapping[str, bytes]
    words: tuple[str, ...]
    form: str | None


def drawn(target: Target, rng: random.Random) -> Case:
    """A case of a target."""
    files = dict(target.files)
    words = any_command(sorted(files), rng) if rng.random() < 0.15 else rng.choice(list(target.commands))
    if rng.random() < 0.3:
        words = further(words, sorted(files), rng)
    read = [name for name in files if name in words] or list(files)
    for name in rng.sample(read, min(len(read), rng.choice([1, 1, 1, 2]))):
        files[name] = mutated(name, files[name], rng)
    if rng.random() < 0.03:
        del files[rng.choice(sorted(files))]
    forms = [report.name for report in offered(words[0])] if has_format(words) else [None]
    return Case(files, words, rng.choice(forms))


def written(files: Mapping[str, bytes], folder: Path) -> None:
    """Write the files of a case into a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _content(folder: Path) -> dict[str, bytes | None]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() if p.is_file() else None for p in sorted(folder.rglob("*"))
    }


class TooSlow(BaseException):
    """A run took more than ``LONGEST``; no handler of the program catches it."""


@contextlib.contextmanager
def _time_limit() -> Iterator[None]:
    """Stop what works for too long, however busy the machine is with other things."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _most_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def broken(case: Case, folder: Path) -> str | None:
    """Which property a run of the case breaks; None where it keeps all."""
    written(case.files, folder)
    before = _content(folder)
    words = [*case.words, *(["--format", case.form] if case.form else [])]
    most = _most_memory()
    try:
        with _time_limit():
            done = ran(folder, *words)
    except (Exception, TooSlow):
        return traceback.format_exc(limit=-6)
    if (used := _most_memory() - most) > MOST:
        return f"took {used >> 20} MiB of memory"
    if done.returncode not in (0, 1, 2, 3, 4):
        return f"exit code {done.returncode}: {done.stderr[-300:]}"
    for text in (done.stdout, done.stderr):
        if "Traceback (most recent" in text or "stderr holds the lines to report" in text:
            return text[-1500:]
    writes = done.returncode in (0, 1) and any(case.words[: len(one)] == one for one in WRITERS)
    if not writes and _content(folder) != before:
        return "the folder was changed"
    shown = _COLOR.sub("", done.stdout) if case.form == "table" else done.stdout
    return _unplaced(case, done.stderr) or (_unparsed(case.form, shown) if case.form else None)


def _unplaced(case: Case, errors: str) -> str | None:
    """An error line that names no file, option or word of the command."""
    words = [
        part for word in (*case.files, *case.words) for part in (word, word.rpartition("/")[2], word.split("=")[0])
    ]
    names = {
        shown for word in (*words, ".", "an empty argument") if word for shown in (visible(word), repr(word)[1:-1])
    }
    for line in _COLOR.sub("", errors).splitlines():
        if not line.startswith("error: ") or _OPTION.search(line):
            continue
        if not any(re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", line) for name in names):
            return f"an error names no file: {line[:300]}"
    return None


def _unparsed(form: str, text: str) -> str | None:
    """Why an output is not what its form says."""
    if not text:
        return None
    try:
        if form in ("json", "sarif"):
            json.loads(text)
        elif form == "jsonl":
            for line in text.splitlines():
                json.loads(line)
        elif form == "junit":
            ElementTree.fromstring(text)
        elif form == "csv":
            rows = list(csv.reader(io.StringIO(text), strict=True))
            if len({len(row) for row in rows}) > 1:
                return "rows of CSV of different length"
        elif form == "markdown":
            inside = [token for block in MarkdownIt().enable("table").parse(text) for token in block.children or ()]
            if any(token.attrGet("href") == "http://x" or token.content.startswith("<script") for token in inside):
                return f"live markup from the data: {text[:300]}"
    except (ValueError, csv.Error, ElementTree.ParseError) as error:
        return f"{form} that does not parse: {error}: {text[:300]}"
    if any(ord(c) < 32 and c not in "\n\t\r" for c in text) or "\x9b" in text or "\u202e" in text:
        return f"control characters in {form}"
    return None
