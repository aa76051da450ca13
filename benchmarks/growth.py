"""Growth: user CPU time of one command over three sizes of each shape of input, and the exponent between them.

    python benchmarks/growth.py [--only WORD] [--runs 3] [--limit 60]

An exponent of 1 is time in proportion to the size, 2 its square. What starting costs, the time of size 1, is taken off.
Sizes after one beyond ``--limit`` seconds are left out. Writes ``results/growth.csv``.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import growth_bundles as evidence
import growth_logs as logs
import growth_register as register
from results import Results

PROJECT = Path(__file__).resolve().parent.parent

Shape = Callable[[int, Path], list[str]]
ENDINGS = (0, 1)
"""Exit codes with an answer."""


@dataclass(frozen=True)
class Growing:
    """A shape at its largest size; the other two are a quarter and a sixteenth."""

    shape: Shape
    most: int

    @property
    def name(self) -> str:
        return self.shape.__name__.replace("_", " ")

    @property
    def sizes(self) -> tuple[int, int, int]:
        return self.most // 16, self.most // 4, self.most


SHAPES = (
    Growing(evidence.needs, 16_000),
    Growing(evidence.anchors_of_a_component, 16_000),
    Growing(evidence.components_of_a_bundle, 16_000),
    Growing(evidence.bundles_of_a_need, 16_000),
    Growing(evidence.bundles_with_lint, 16_000),
    Growing(evidence.bundles_with_a_common_component, 16_000),
    Growing(evidence.units_of_a_document, 16_000),
    Growing(evidence.overlapping_units, 16_000),
    Growing(evidence.documents_with_quotes, 16_000),
    Growing(evidence.chunks_of_one_text, 8_000),
    Growing(evidence.labels_of_a_view, 16_000),
    Growing(evidence.spellings_of_documents, 1_600),
    Growing(evidence.claims_that_all_oppose, 4_000),
    Growing(evidence.claims_of_two_sides, 4_000),
    Growing(evidence.claims_that_agree, 16_000),
    Growing(evidence.claims_without_a_conflict, 16_000),
    Growing(evidence.claims_that_newest_settles, 16_000),
    Growing(evidence.claims_on_nested_components, 1_600),
    Growing(evidence.claims_of_the_inventory, 16_000),
    Growing(evidence.rules_of_relations, 3_200),
    Growing(evidence.a_path_of_claims, 16_000),
    Growing(logs.candidates, 256_000),
    Growing(logs.spellings_of_candidates, 4_000),
    Growing(logs.states, 8_000),
    Growing(logs.labels, 16_000),
    Growing(logs.events_of_a_candidate, 64_000),
    Growing(logs.groups, 4_000),
    Growing(logs.endpoints, 3_200),
    Growing(logs.strata_of_a_sample, 4_000),
    Growing(logs.draws_with_probabilities, 4_000),
    Growing(logs.topics, 16_000),
    Growing(logs.documents_of_a_topic, 64_000),
    Growing(logs.documents_tied_in_pairs, 32_000),
    Growing(logs.documents_tied_in_pairs_without_kernel, 32_000),
    Growing(logs.documents_all_tied, 64_000),
    Growing(logs.documents_all_tied_without_kernel, 64_000),
    Growing(logs.documents_tied_unjudged_skipped, 32_000),
    Growing(logs.unjudged_documents, 64_000),
    Growing(logs.grades, 1_000),
    Growing(logs.spellings_of_topics, 4_000),
    Growing(logs.spellings_of_judged_documents, 4_000),
    *(Growing(shape, most) for shape, most in register.SHAPES),
)


def seconds(command: list[str]) -> float:
    """User CPU seconds of a command of this project; those of its children count."""
    run = [sys.executable, "-m", "evaudit", *command]
    with tempfile.TemporaryFile() as said, subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=said) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in ENDINGS:
            said.seek(0)
            raise SystemExit(f"{' '.join(run)}: ended with {process.returncode}\n{said.read().decode()}")
    return used.ru_utime


def measured(one: Growing, runs: int, limit: float, results: Results) -> None:
    """The runs of each size, and a line on the terminal."""
    before = (0, 0.0)
    told = f"{one.name:45}"
    for size in (1, *one.sizes):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "pyproject.toml").touch()
            command = one.shape(size, Path(folder))
            found = [seconds(command) for _ in range(runs)]
        results.add(f"{one.name}: {size}", "s", found)
        best = min(found)
        if size == 1:
            start = best
            continue
        told += f"  {size:>7}: {best:7.2f} s"
        net = max(best - start, 0.001)
        if before[0]:
            told += f" ({math.log(net / before[1]) / math.log(size / before[0]):.2f})"
        before = (size, net)
        if best > limit:
            break
    print(told, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="shapes whose name holds this")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=float, default=60)
    given = parser.parse_args()
    os.environ["PYTHONPATH"] = str(PROJECT / "src")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    results = Results("growth")
    for one in SHAPES:
        if given.only in one.name:
            measured(one, given.runs, given.limit, results)
    print(f"wrote {results.write()}; now run benchmarks/register_entries.py")


if __name__ == "__main__":
    main()
