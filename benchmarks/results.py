"""What the benchmarks measured, run by run: one CSV a benchmark beside this file's folder, ``results/NAME.csv``.

The published medians and ratios are computed from these files by frozen calculations; see ``register_entries.py``.
"""

from __future__ import annotations

import csv
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "results"
COLUMNS = ("what", "run", "unit", "value")


class Results:
    """Takes measurements in order; ``what`` names the thing measured, ``unit`` is seconds, MiB, …"""

    def __init__(self, name: str) -> None:
        self.path = FOLDER / f"{name}.csv"
        self.rows: list[tuple[str, int, str, str]] = []

    def add(self, what: str, unit: str, values: list[float]) -> None:
        """The runs of one thing in one unit, three decimals each."""
        self.rows += [(what, n, unit, f"{value:.3f}") for n, value in enumerate(values, 1)]

    def write(self) -> Path:
        """Write the file, LF line ends: what was measured now replaces its earlier runs, what was not stays."""
        FOLDER.mkdir(exist_ok=True)
        now = {row[0] for row in self.rows}
        kept: list[list[str]] = []
        if self.path.exists():
            with self.path.open(newline="", encoding="utf-8") as file:
                kept = [row for row in list(csv.reader(file))[1:] if row[0] not in now]
        with self.path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows([*kept, *self.rows])
        return self.path
