"""Whole commands as a user starts them: wall time against a bare interpreter, and FEVER's files against reading them.

    python benchmarks/commands.py [--fever FOLDER]

FOLDER holds ``actual.jsonl`` and ``predictions.jsonl`` of the FEVER scorer's own tests. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
READ_ONLY = """
import json, sys
for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        for line in file:
            json.loads(line)
"""


def wall(command: list[str], runs: int) -> float:
    """Median wall seconds of ``runs`` runs after one to warm up."""
    seconds = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        subprocess.run(command, cwd=PROJECT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds[1:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fever", type=Path, help="folder with actual.jsonl and predictions.jsonl")
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    os.environ["PYTHONPATH"] = str(PROJECT / "src")
    evaudit = [sys.executable, "-m", "evaudit"]
    bare = wall([sys.executable, "-c", "pass"], given.runs)
    rows = [("a bare interpreter", bare, bare), ("evaudit --help", wall([*evaudit, "--help"], given.runs), bare)]
    rows.append(("evaudit check (this project)", wall([*evaudit, "check"], given.runs), bare))
    if given.fever:
        files = [str(given.fever / "actual.jsonl"), str(given.fever / "predictions.jsonl")]
        reading = wall([sys.executable, "-c", READ_ONLY, *files], given.runs)
        rows.append(("json.loads of every line of the FEVER files", reading, reading))
        command = [
            *evaudit,
            "bundles",
            "--from",
            "fever",
            "--gold",
            files[0],
            "--predicted",
            files[1],
            "--compat",
            "fever",
        ]
        rows.append(("evaudit bundles --from fever --compat fever", wall(command, given.runs), reading))
    print("| command | seconds | ratio to the row it is measured against |\n|---|---|---|")
    for name, seconds, against in rows:
        print(f"| {name} | {seconds:.3f} | {seconds / against:.1f} |")


if __name__ == "__main__":
    main()
