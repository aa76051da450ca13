"""Bundle coverage of a large collection: evaudit beside DuckDB and polars, the same eight figures, in one run.

    python benchmarks/bundles.py --write DATA [--needs 100000] [--parts 20]    make the workload (numpy, pyarrow)
    python benchmarks/bundles.py DATA [--evaudit PYTHON] [--rounds 5]           time it

Needs duckdb, polars, numpy and pyarrow in the Python that runs it; evaudit is run by the Python that ``--evaudit``
names (default: the same). The engines take turns in processes of their own; what is printed are medians of the rounds,
the median of the ratios of each round, and whether all figures are equal. With ``--fever``, DATA holds actual.jsonl and
predictions.jsonl of FEVER's scorer, and its rules are timed beside ours over the lines twice.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bundle_engines import ENGINES
from results import Results

FIGURES = (
    "bundle-coverage", "bundle-coverage-joined", "single-unit-sufficiency", "components-covered", "candidate-recall",
    "selected-recall", "any-hit", "evidence-precision",
)  # fmt: skip


def write(data: str, needs: int, parts: int) -> None:
    """1 to 3 bundles of 1 to 4 anchors, 10 selected and 100 candidate units a need, from a fixed seed."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    random = np.random.default_rng(3)
    per = needs // parts
    for part in range(parts):
        ids = np.arange(part * per, (part + 1) * per)
        bundles = random.integers(1, 4, per)
        owner = np.repeat(ids, bundles)
        size = random.integers(1, 5, len(owner))
        need = np.repeat(owner, size)
        place = np.arange(len(owner)) - np.repeat(np.cumsum(bundles) - bundles, bundles)
        count = len(need)
        doc, start = random.integers(0, 60, count), random.integers(0, 4000, count)
        end = start + random.integers(20, 300, count)
        who = np.repeat(ids, 100)
        many = len(who)
        unit_doc, low = random.integers(0, 60, many), random.integers(0, 8, many) * 512
        first = np.searchsorted(need, who)
        near = first + (random.random(many) * (np.searchsorted(need, who, side="right") - first)).astype(int)
        planted = random.random(many) < 0.25
        unit_doc = np.where(planted, doc[near], unit_doc)
        low = np.where(planted, np.maximum(0, start[near] - random.integers(0, 250, many)), low)
        high = np.where(planted, low + random.choice([400, 600], many), low + 512)
        split = planted & (random.random(many) < 0.1)
        high = np.where(split, np.maximum(low + 1, (start[near] + end[near]) // 2), high)
        after = np.roll(split, 1) & (np.roll(who, 1) == who)
        low, unit_doc = np.where(after, np.roll(high, 1), low), np.where(after, np.roll(unit_doc, 1), unit_doc)
        high = np.maximum(high, low + 1)
        units = {
            "need": who, "rank": np.tile(np.arange(1, 101), per), "unit": np.arange(many),
            "doc": who * 7919 + unit_doc, "start": low, "end": high,
        }  # fmt: skip
        order = np.lexsort((random.random(many), ~(planted | after), who)).reshape(per, 100)[:, :10].ravel()
        selected = {name: column[order] for name, column in units.items()} | {"rank": np.tile(np.arange(1, 11), per)}
        anchors = {"need": need, "bundle": np.repeat(place, size).astype(np.int32), "component": np.arange(count),
                   "doc": need * 7919 + doc, "start": start, "end": end}  # fmt: skip
        for name, columns in (("needs", anchors), ("candidates", units), ("selected", selected)):
            folder = Path(data, name, f"part={part}")
            folder.mkdir(parents=True, exist_ok=True)
            text = {k: v.astype(str) if k in ("need", "doc", "unit", "component") else v for k, v in columns.items()}
            rows = len(columns["need"])
            text |= {"source": np.full(rows, "wiki"), "version": np.full(rows, "1")}
            pq.write_table(pa.table(text), folder / "0.parquet")


def timed(command: list[str]) -> tuple[float, float, int, list[float]]:
    """Wall and CPU seconds, peak memory in MB of the largest process, and the figures that were printed."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    out = child.stdout.read() if child.stdout else ""
    _, status, used = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    if status:
        raise SystemExit(f"{command} failed")
    record = json.loads(out)
    if isinstance(record, dict):
        means = {m["name"]: m["value"] for m in record["means"]}
        if "compat:fever:strict" in means:
            record = [means[f"compat:fever:{n}"] for n in ("strict", "label-accuracy", "precision", "recall")]
        else:
            record = [means[name] for name in FIGURES]
    return wall, used.ru_utime + used.ru_stime, round(used.ru_maxrss * 1024 / 1e6), record


MEANS = """
import json, os, sys
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command does
from evaudit.audits.bundles import Running, Tables, Wanted, audit_tables
from evaudit.formats.table_source import keep_memory_low
if __name__ == "__main__":
    keep_memory_low()
    data = sys.argv[1]
    tables = Tables(f"{data}/needs", f"{data}/selected", f"{data}/candidates")
    result = audit_tables(tables, wanted=Wanted(keep="nothing"), running=Running(int(sys.argv[2])))
    print(json.dumps({"means": [{"name": m.name, "value": m.value} for m in result.means]}))
"""
FEVER = """
import json, os, sys
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command does
from pathlib import Path
from evaudit.audits.fever import audit_fever
from evaudit.audits.bundle_partials import Wanted
gold, predicted = Path(sys.argv[1], "actual.jsonl"), Path(sys.argv[1], "predictions.jsonl")
result = audit_fever(gold, predicted, compat=True, wanted=Wanted(keep="nothing"))
print(json.dumps({"means": [{"name": m.name, "value": m.value} for m in result.means]}))
"""


def compare(results: Results, commands: dict[str, list[str]], rounds: int, rows: int | None) -> None:
    """The engines in turn; a table, the ratios to the first one, and whether the figures agree."""
    found: dict[str, list[tuple[float, float, int, list[float]]]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            measured = timed(command)
            if number:  # the first round warms the page cache
                found[name].append(measured)
    first = next(iter(found))
    print(f"| engine | wall s | cpu s | peak MB | {'unit rows/s | ' if rows else ''}wall, beside {first} |")
    print("|---|---|---|---|---|---|" if rows else "|---|---|---|---|---|")
    for name, runs in found.items():
        wall = statistics.median(r[0] for r in runs)
        ratio = statistics.median(r[0] / own[0] for r, own in zip(runs, found[first], strict=True))
        speed = f"{rows / wall / 1e6:.2f}M | " if rows else ""
        cpu, peak = statistics.median(r[1] for r in runs), max(r[2] for r in runs)
        results.add(f"{name}: wall", "s", [r[0] for r in runs])
        results.add(f"{name}: cpu", "s", [r[1] for r in runs])
        results.add(f"{name}: peak", "MB", [peak])
        results.add(f"{name}: ratio", "times", [r[0] / own[0] for r, own in zip(runs, found[first], strict=True)])
        if rows:
            results.add(f"{name}: million rows", "rows", [rows / 1e6])
        print(f"| {name} | {wall:.2f} | {cpu:.2f} | {peak} | {speed}{ratio:.2f} |")
    values = [runs[0][3] for runs in found.values()]
    worst = max(abs(a - b) for other in values for a, b in zip(values[0], other, strict=True))
    print(f"\nfigures: largest difference {worst:.1e}" + (" (equal)" if worst < 1e-12 else " (NOT EQUAL)"))
    print(f"wrote {results.write()}; now run benchmarks/register_entries.py")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--needs", type=int, default=100_000)
    parser.add_argument("--parts", type=int, default=20)
    parser.add_argument("--evaudit", default=sys.executable, metavar="PYTHON")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--fever", action="store_true", help="DATA holds actual.jsonl and predictions.jsonl")
    parser.add_argument("--large", action="store_true", help="DATA holds a million needs: evaudit beside DuckDB alone")
    parser.add_argument("--engine", choices=tuple(ENGINES))
    options = parser.parse_args()
    if options.write:
        write(options.data, options.needs, options.parts)
    elif options.engine:
        print(json.dumps(ENGINES[options.engine](options.data)))
    elif options.fever:
        with tempfile.TemporaryDirectory() as twice:
            for name in ("actual.jsonl", "predictions.jsonl"):
                Path(twice, name).write_bytes(Path(options.data, name).read_bytes() * 2)
            theirs = [sys.executable, __file__, twice, "--engine", "fever"]
            compare(
                Results("bundles-fever"),
                {"fever scorer": theirs, "evaudit": [options.evaudit, "-c", FEVER, twice]},
                options.rounds,
                None,
            )
    else:
        import pyarrow.dataset as dataset

        rows = sum(dataset.dataset(f"{options.data}/{name}").count_rows() for name in ("selected", "candidates"))
        script = Path(options.data, "means.py")  # spawned processes import the main file, so it must be one
        script.write_text(MEANS)
        commands = {
            label: [options.evaudit, str(script), options.data, jobs]
            for label, jobs in (("evaudit, 2 processes", "2"), ("evaudit, 1 process", "1"))
        } | {
            label: [sys.executable, __file__, options.data, "--engine", engine]
            for label, engine in (
                ("duckdb, the figures alone", "duckdb"),
                ("duckdb, figures and checks", "duckdb-checks"),
                ("duckdb, figures in 300 MB", "duckdb-300MB"),
                ("polars", "polars"),
            )
        }
        if options.large:  # polars would take tens of GB
            commands = {label: commands[label] for label in [*commands][:3]}
        compare(Results("bundles-large" if options.large else "bundles"), commands, options.rounds, rows)


if __name__ == "__main__":
    main()
