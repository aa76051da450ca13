"""Whole commands as a user starts them: wall time against a bare interpreter, and FEVER's files against reading them.

    python benchmarks/commands.py [--fever FOLDER]

FOLDER holds ``actual.jsonl`` and ``predictions.jsonl`` of the FEVER scorer's own tests. Writes ``results/commands.csv``.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from results import Results

PROJECT = Path(__file__).resolve().parent.parent
READ_ONLY = """
import json, sys
for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        for line in file:
            json.loads(line)
"""


def wall(command: list[str], runs: int) -> list[float]:
    """Wall seconds of ``runs`` runs after one to warm up."""
    seconds = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        subprocess.run(command, cwd=PROJECT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - start)
    return seconds[1:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fever", type=Path, help="folder with actual.jsonl and predictions.jsonl")
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    os.environ["PYTHONPATH"] = str(PROJECT / "src")
    evaudit = [sys.executable, "-m", "evaudit"]
    results = Results("commands")

    def measure(what: str, command: list[str]) -> None:
        results.add(what, "s", wall(command, given.runs))

    measure("a bare interpreter", [sys.executable, "-c", "pass"])
    measure("evaudit --help", [*evaudit, "--help"])
    measure("evaudit check (this project)", [*evaudit, "check"])
    if given.fever:
        files = [str(given.fever / "actual.jsonl"), str(given.fever / "predictions.jsonl")]
        measure("json.loads of every line of the FEVER files", [sys.executable, "-c", READ_ONLY, *files])
        read = ["bundles", "--from", "fever", "--gold", files[0], "--predicted", files[1], "--compat", "fever"]
        measure("evaudit bundles --from fever --compat fever", [*evaudit, *read])
    print(f"wrote {results.write()}; now run benchmarks/register_entries.py")


if __name__ == "__main__":
    main()
