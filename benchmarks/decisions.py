"""How long a decision ledger takes, beside DuckDB with a pandas reconciliation and beside DuckDB alone.

    python benchmarks/decisions.py --rows 10000000 --rivals /path/to/python-with-duckdb-and-pandas

Makes its own data in a temporary folder (ledger and label file each in an order of its own, roster sorted), runs each
contestant as a whole process in turn, checks that all print the same counts, and prints rows of a Markdown table.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import csv
from results import Results

SPEC = """\
schema: evaudit/cohort@1
id: benchmark
source: {{path: ledger.{form}}}
roster: roster.csv
states: {{promoted: {{decided: yes}}, deferred: {{decided: no}}, rejected: {{decided: yes}}}}
labels: {{source: {{path: labels.{form}}}, provenance: {{kind: heuristic}}}}
endpoints: {{promoted: [promoted], retained: [promoted, deferred]}}
"""

PANDAS = """
import sys, duckdb, json
folder, form = sys.argv[1:]
read = "read_csv('{}', all_varchar=true)" if form == "csv" else "read_parquet('{}')"
frame = lambda name, f=form: duckdb.sql(f"SELECT * FROM {('read_csv(%r, all_varchar=true)' if f == 'csv' else 'read_parquet(%r)') % (folder + '/' + name + '.' + f)}").df()
ledger, labels, roster = frame("ledger"), frame("labels"), frame("roster", "csv")
problems = {
    "repeated": int(ledger.candidate_id.duplicated().sum()),
    "labels repeated": int(labels.candidate_id.duplicated().sum()),
    "lost": int((~roster.candidate_id.isin(ledger.candidate_id)).sum()),
    "stray": int((~ledger.candidate_id.isin(roster.candidate_id)).sum()),
    "stray labels": int((~labels.candidate_id.isin(ledger.candidate_id)).sum()),
    "unknown states": int((~ledger.state.isin(["promoted", "deferred", "rejected"])).sum()),
    "unknown labels": int((~labels.label.isin(["positive", "negative"])).sum()),
    "spellings": int(ledger.candidate_id.str.strip().str.lower().duplicated().sum()),
}
assert not any(problems.values()), problems
joined = ledger.merge(labels, on="candidate_id", how="left")
joined["label"] = joined.label.fillna("")
table = joined.groupby(["state", "label"]).size()
print(json.dumps({f"{s} {l}": int(n) for (s, l), n in table.items()}))
"""

DUCKDB = """
import sys, duckdb, json
folder, form = sys.argv[1:]
con = duckdb.connect()
for name, f in (("ledger", form), ("labels", form), ("roster", "csv")):
    source = f"read_csv('{folder}/{name}.{f}', all_varchar=true)" if f == "csv" else f"read_parquet('{folder}/{name}.{f}')"
    con.sql(f"CREATE TABLE {name} AS SELECT * FROM {source}")
one = lambda sql: con.sql(sql).fetchall()[0][0]
problems = {
    "repeated": one("SELECT count(*) - count(DISTINCT candidate_id) FROM ledger"),
    "labels repeated": one("SELECT count(*) - count(DISTINCT candidate_id) FROM labels"),
    "lost": one("SELECT count(*) FROM roster ANTI JOIN ledger USING (candidate_id)"),
    "stray": one("SELECT count(*) FROM ledger ANTI JOIN roster USING (candidate_id)"),
    "stray labels": one("SELECT count(*) FROM labels ANTI JOIN ledger USING (candidate_id)"),
    "unknown": one("SELECT count(*) FROM ledger WHERE state NOT IN ('promoted', 'deferred', 'rejected')"),
    "spellings": one("SELECT count(*) - count(DISTINCT lower(trim(candidate_id))) FROM ledger"),
}
assert not any(problems.values()), problems
rows = con.sql("SELECT state, coalesce(label, ''), count(*) FROM ledger LEFT JOIN labels USING (candidate_id) GROUP BY ALL").fetchall()
print(json.dumps({f"{s} {l}": n for s, l, n in rows}))
"""


def make(folder: Path, rows: int) -> None:
    """Ledger, labels of nine candidates in ten, roster; CSV and Parquet."""
    rng = np.random.default_rng(7)

    def ids(order: np.ndarray) -> pa.Array:
        return pc.binary_join_element_wise("C", pc.utf8_lpad(pc.cast(pa.array(order), pa.string()), 8, "0"), "")

    def column(values: list[str], n: int, weights: list[float]) -> pa.Array:
        return pa.DictionaryArray.from_arrays(rng.choice(len(values), n, p=weights).astype(np.int32), values).cast(
            pa.string()
        )

    order = rng.permutation(rows)
    states = column(["promoted", "deferred", "rejected"], rows, [0.4, 0.1, 0.5])
    labelled = rng.permutation(rows)[: rows * 9 // 10]
    labels = column(["positive", "negative"], len(labelled), [0.3, 0.7])
    ledger = pa.table({"candidate_id": ids(order), "state": states})
    truth = pa.table({"candidate_id": ids(labelled), "label": labels})
    plain = csv.WriteOptions(quoting_style="none")
    for name, table in (("ledger", ledger), ("labels", truth)):
        csv.write_csv(table, folder / f"{name}.csv", plain)
        pq.write_table(table, folder / f"{name}.parquet")
    csv.write_csv(pa.table({"candidate_id": ids(np.arange(rows))}), folder / "roster.csv", plain)
    (folder / "pyproject.toml").write_text("")
    for form in ("csv", "parquet"):
        (folder / f"{form}.yaml").write_text(SPEC.format(form=form))


def run(command: list[str], env: dict[str, str]) -> tuple[float, float, float, str]:
    """Wall seconds, processor seconds, peak MiB and standard output of a whole process."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, stdout=out, env=env)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        out.seek(0)
        text = out.read().decode()
    if status:
        raise SystemExit(f"{command[:4]} ended with {status}: {text[:400]}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text


def counts_of(result: str) -> dict[str, int]:
    """State and label to candidates, from a JSON result of ours."""
    kinds = {"positive": "positive", "negative": "negative", "unlabelled": ""}
    return {f"{s['state']} {word}": s[kind] for s in json.loads(result)["states"] for kind, word in kinds.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--rivals", help="a Python with duckdb and pandas; without it only evaudit runs")
    parser.add_argument("--forms", nargs="+", default=["csv", "parquet"])
    parser.add_argument("--without", nargs="+", default=[], metavar="WHO", help="contestants to leave out")
    arguments = parser.parse_args()
    results = Results("decisions")
    env = dict(os.environ)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder, arguments.rows)
        (folder / "pandas_way.py").write_text(PANDAS)
        (folder / "duckdb_way.py").write_text(DUCKDB)
        print("| rows | form | who | wall s (median) | processor s (median) | peak MiB |\n|---|---|---|---|---|---|")
        for form in arguments.forms:
            ours = [sys.executable, "-m", "evaudit", "decisions", str(folder / f"{form}.yaml"), "--format", "json"]
            contest = {"evaudit": ours}
            if arguments.rivals:
                contest["duckdb + pandas"] = [arguments.rivals, str(folder / "pandas_way.py"), name, form]
                contest["duckdb alone"] = [arguments.rivals, str(folder / "duckdb_way.py"), name, form]
            contest = {who: command for who, command in contest.items() if who not in arguments.without}
            walls: dict[str, list[float]] = {who: [] for who in contest}
            cpus: dict[str, list[float]] = {who: [] for who in contest}
            peaks: dict[str, float] = {}
            answers: dict[str, dict[str, int]] = {}
            for _ in range(arguments.repeat):
                for who, command in contest.items():
                    wall, cpu, peak, text = run(command, env)
                    walls[who].append(wall)
                    cpus[who].append(cpu)
                    peaks[who] = max(peak, peaks.get(who, 0))
                    answers[who] = counts_of(text) if who == "evaudit" else json.loads(text)
            for who, answer in answers.items():
                key = f"{arguments.rows} {form} {who}"
                results.add(f"{key}: wall", "s", walls[who])
                results.add(f"{key}: cpu", "s", cpus[who])
                results.add(f"{key}: peak", "MiB", [peaks[who]])
                assert {k: v for k, v in answer.items() if v} == {k: v for k, v in answers["evaudit"].items() if v}, who
                wall, cpu = (sorted(times[who])[len(times[who]) // 2] for times in (walls, cpus))
                print(f"| {arguments.rows} | {form} | {who} | {wall:.2f} | {cpu:.2f} | {peaks[who]:.0f} |", flush=True)
    print(f"wrote {results.write()}; now run benchmarks/register_entries.py")


if __name__ == "__main__":
    main()
