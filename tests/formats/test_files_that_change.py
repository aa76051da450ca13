"""A file that is written while it is read is an error: its figures would be of one content, its digest of another."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from hashlib import sha256

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evaudit.audits import bundle_blocks, ranking
from evaudit.formats import mapped_files
from evaudit.formats.trec_lines import TrecFile
from program import ran

QRELS = "1 0 a 1\n"
RUN = "1 Q0 a 1 9 t\n1 Q0 b 2 8 t\n"


def meanwhile(monkeypatch, place, name, path, change):
    """Change a file when a function has done its work."""
    done = getattr(place, name)

    def changed(*given, **named):
        found = done(*given, **named)
        change(path)
        return found

    monkeypatch.setattr(place, name, changed)


def overwritten(path):
    path.write_bytes(path.read_bytes().replace(b" a ", b" b ", 1))
    os.utime(path, (1, 1))


def truncated(path):
    with path.open("r+b") as file:
        file.truncate(5)


WRITTEN = "the file was written while it was being checked"


@pytest.mark.parametrize("change", [overwritten, truncated])
def test_a_run_that_is_written_while_it_is_scanned_is_an_error(tmp_path, monkeypatch, change):
    (tmp_path / "q").write_text(QRELS)
    (tmp_path / "r").write_text(RUN)
    meanwhile(monkeypatch, ranking, "read_inputs", tmp_path / "r", change)
    found = ran(tmp_path, "rank", "q", "r")
    assert (found.returncode, found.stderr.startswith(f"error: r: {WRITTEN}")) == (3, True)


@pytest.mark.parametrize("change", [overwritten, truncated])
def test_a_run_that_is_written_between_its_lines_and_its_digest_is_an_error(tmp_path, monkeypatch, change):
    (tmp_path / "q").write_text(QRELS)
    run = tmp_path / "r"
    run.write_text(RUN + "# a comment further down is for the strict reader\n")
    record = TrecFile.record

    def late(file, rows):
        if file.path == "r":
            change(run)
        return record(file, rows)

    monkeypatch.setattr(TrecFile, "record", late)
    found = ran(tmp_path, "rank", "q", "r")
    assert (found.returncode, found.stderr.startswith(f"error: r: {WRITTEN}")) == (3, True)


@pytest.mark.parametrize("change", [overwritten, truncated])
def test_a_parquet_table_that_is_written_while_it_is_read_is_an_error(tmp_path, monkeypatch, change):
    row = {
        "need": "n",
        "bundle": "1",
        "component": "a",
        "source": "s",
        "doc": "d",
        "version": "1",
        "start": 0,
        "end": 5,
    }
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "needs.parquet")
    del row["bundle"], row["component"]
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "selected.parquet")
    words = ["bundles", "--needs", "needs.parquet", "--selected", "selected.parquet"]
    assert ran(tmp_path, *words).returncode == 0
    meanwhile(monkeypatch, bundle_blocks.BlockJudge, "__call__", tmp_path / "selected.parquet", change)
    found = ran(tmp_path, *words)
    assert found.returncode == 3
    assert f"selected.parquet: {WRITTEN}" in found.stderr


def test_a_small_run_is_read_and_not_mapped_so_that_cutting_it_off_ends_nothing(tmp_path):
    path = tmp_path / "r"
    path.write_text(RUN)
    file = mapped_files.mapped(str(path))
    truncated(path)
    assert bytes(file.bytes) == RUN.encode()


LARGE = "".join(f"{topic} Q0 d{n} 1 {9999 - n} t\n" for topic in range(1, 101) for n in range(9000))
CUT_OFF = """
import sys
from evaudit.formats import mapped_files
from evaudit.cli import main

made = mapped_files.MappedFile.__init__

def mapped_and_cut_off(file, path):
    made(file, path)
    if path == "r":
        with open(path, "r+b") as stored:
            stored.truncate({size})

mapped_files.MappedFile.__init__ = mapped_and_cut_off
sys.argv = ["evaudit", "rank", "q", "r"]
sys.exit(main())
"""


@pytest.fixture(scope="module")
def large_run(tmp_path_factory):
    path = tmp_path_factory.mktemp("large") / "r"
    path.write_text(LARGE)
    assert path.stat().st_size > mapped_files.SMALLEST_MAP
    return path


@pytest.mark.parametrize("size", [0, 5, 8_000_001])
def test_a_mapped_run_that_is_cut_off_before_it_is_scanned_is_an_error_and_no_signal(tmp_path, large_run, size):
    (tmp_path / "q").write_text("1 0 d5 1\n")
    shutil.copy(large_run, tmp_path / "r")
    done = subprocess.run(
        [sys.executable, "-c", CUT_OFF.format(size=size)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.startswith(f"error: r: {WRITTEN}")) == (3, True), done.stderr[-500:]


def other_content(path):
    with path.open("r+b") as file:
        file.write(LARGE.replace(" d5 ", " e5 ").encode())


@pytest.mark.parametrize("change", [other_content, truncated])
@pytest.mark.parametrize("moment", range(int(os.environ.get("EVAUDIT_MOMENTS", "4"))))
def test_a_large_run_that_is_written_at_any_time_gives_the_figures_of_its_digest_or_an_error(
    tmp_path, large_run, moment, change
):
    (tmp_path / "q").write_text("1 0 d5 1\n100 0 d5 1\n")
    shutil.copy(large_run, tmp_path / "r")
    words = ["rank", "q", "r", "-m", "recall@9000", "--format", "json"]
    program = subprocess.Popen(
        [sys.executable, "-m", "evaudit", *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    time.sleep(0.1 + 0.7 * random.Random(moment).random())
    change(tmp_path / "r")
    text, errors = program.communicate(timeout=60)
    assert program.returncode in (0, 2, 3), errors
    if program.returncode == 0:
        result = json.loads(text)
        texts = {1.0: LARGE, 0.0: LARGE.replace(" d5 ", " e5 ")}
        digests = {value: sha256(content.encode()).hexdigest() for value, content in texts.items()}
        assert result["inputs"][1]["sha256"] == digests[result["means"][0]["value"]]
