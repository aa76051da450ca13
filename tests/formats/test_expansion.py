"""A compressed file expands within a limit; a file that the memory does not hold is an error, not a traceback."""

from __future__ import annotations

import gzip
import os
import resource
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from evaudit.formats import decompression
from program import ran

DECISIONS = ["--endpoint", "in=in", "--undecided", "none", "--positive", "1"]


def packed(name: str, content: bytes) -> bytes:
    if name.endswith(".gz"):
        return gzip.compress(content, mtime=0)
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return sink.getvalue().to_pybytes()


@pytest.mark.parametrize("end", [".gz", ".zst"])
def test_a_file_expands_within_the_limit_and_no_further(tmp_path, monkeypatch, end):
    monkeypatch.setattr(decompression, "ALWAYS_EXPANDED", 1000)
    ledger = b"candidate_id,state,label\n" + b"".join(b"%06d,in,1\n" % n for n in range(3000))
    run = b"".join(b"1 Q0 d%06d %d 1 t\n" % (n, n + 1) for n in range(3000))
    (tmp_path / "q").write_text("1 0 d000000 1\n")
    (tmp_path / f"ledger.csv{end}").write_bytes(packed(end, ledger))
    (tmp_path / f"run{end}").write_bytes(packed(end, run))
    for words in (["decisions", f"ledger.csv{end}", *DECISIONS], ["rank", "q", f"run{end}"]):
        found = ran(tmp_path, *words, "--max-expansion", "2")
        assert found.returncode == 2 and words[1 if words[0] == "decisions" else 2] in found.stderr
        assert "over 2 times its size" in found.stderr and "--max-expansion" in found.stderr
        assert ran(tmp_path, *words).returncode == 0


def test_what_is_not_compressed_as_its_name_says_is_refused(tmp_path):
    (tmp_path / "ledger.csv.gz").write_text("candidate_id,state,label\na,in,1\n")
    found = ran(tmp_path, "decisions", "ledger.csv.gz", *DECISIONS)
    assert found.returncode == 2 and "not a gzip file" in found.stderr


def test_a_line_without_an_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("evaudit.formats.trec_lines.LONGEST_LINE", 100)
    (tmp_path / "q").write_text("1 0 a 1\n")
    (tmp_path / "r").write_text("1 Q0 a 1 1 t\n" + "x" * 1000)
    found = ran(tmp_path, "rank", "q", "r")
    assert found.returncode == 2 and found.stderr.startswith("error: r:2: expected lines of less than 100 bytes")


GIVEN = {
    "ledger.csv": ["decisions", "ledger.csv", *DECISIONS],
    "ledger.jsonl": ["decisions", "ledger.jsonl", *DECISIONS],
    "ledger.parquet": ["decisions", "ledger.parquet", *DECISIONS],
    "ledger.csv.gz": ["decisions", "ledger.csv.gz", *DECISIONS],
    "ledger.csv.zst": ["decisions", "ledger.csv.zst", *DECISIONS],
    "run": ["rank", "q", "run"],
    "run.zst": ["rank", "q", "run.zst"],
    "needs.csv": ["bundles", "--needs", "needs.csv", "--selected", "needs.csv"],
    "needs.jsonl": ["bundles", "--needs", "needs.jsonl", "--selected", "needs.jsonl"],
    "cohort.yaml": ["decisions", "cohort.yaml"],
    "gold.jsonl": ["bundles", "--from", "hotpotqa", "--gold", "gold.jsonl"],
}


def bounded() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))


@pytest.mark.parametrize("name", GIVEN)
def test_a_file_larger_than_the_memory_is_an_error_that_names_it(tmp_path: Path, name: str) -> None:
    (tmp_path / "q").write_text("1 0 a 1\n")
    if name.endswith((".gz", ".zst")):
        (tmp_path / name).write_bytes(packed(name, bytes(1 << 20)) * 1024)
    else:
        with (tmp_path / name).open("wb") as file:
            file.truncate(5 << 30)
    done = subprocess.run(
        [sys.executable, "-m", "evaudit", *GIVEN[name]], cwd=tmp_path, capture_output=True, text=True, check=False,
        preexec_fn=bounded, timeout=60, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode in (2, 3), (done.returncode, done.stderr)
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("error: ") and name in done.stderr.splitlines()[0], done.stderr
