"""A small project that holds in every part; tests change one thing and say what must catch it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from evaudit.register.check import check_paths
from evaudit.register.freeze import freeze
from evaudit.results import Result

STATES = {"promoted": (21, 0), "deferred": (6, 1), "rejected": (16, 6)}


def ledger() -> str:
    rows = ["candidate_id,state,label,label_source"]
    for state, (positive, negative) in STATES.items():
        for label, n in (("positive", positive), ("negative", negative)):
            rows += [f"C{len(rows) + i:02},{state},{label},rules" for i in range(n)]
    return "\n".join(rows) + "\n"


COHORT = """\
schema: evaudit/cohort@1
id: selector
source: {path: inputs/decisions.csv}
roster: inputs/roster.txt
expect: {candidates: 50}
states: {promoted: {decided: yes}, deferred: {decided: no}, rejected: {decided: yes}}
labels: {provenance: {kind: heuristic, method: keyword rules, adjudicated: no}}
endpoints: {promoted: [promoted], retained: [promoted, deferred]}
population: this-cohort
"""
CALCULATION = """\
schema: evaudit/calculation@1
id: audit
kind: decisions
spec: cohort.yaml
inputs:
  - {id: decisions, path: inputs/decisions.csv, as: text, rows: 50, row_digests: yes}
  - {id: roster, path: inputs/roster.txt, as: bytes}
outputs:
  "recall(endpoint=promoted, over=cohort)": {expect: 21/43, show: ".4884"}
  "recall(endpoint=promoted, over=decided)": {expect: 21/37, show: ".5676"}
  "recall(endpoint=retained, over=cohort)": {expect: 27/43, show: ".6279"}
  "accuracy(endpoint=promoted, over=decided)": {expect: 27/43, show: ".6279"}
"""
CONTROLS = """\
schema: evaudit/control@1
controls:
  - id: ranked
    kind: ranking
    ranking: [B, U, A]
    grades: {A: 2, B: 1, N: 0}
    cutoff: 3
    expect: {P: 2/3, nDCG: "0.68853"}
    wrong: {P: 3/3}
  - id: cutoff-zero
    kind: refusal
    of: ranking
    ranking: [A]
    grades: {A: 1}
    cutoff: 0
    expect: {finding: cutoff-invalid}
"""
REGISTER = """\
schema: evaudit/register@1
entries:
  - id: R-1
    claim: Recall of promotion over the whole cohort is 21/43, about .4884.
    at: {file: ../README.md, quote: "recall is 21/43 ≈ .4884"}
    figure: "recall(endpoint=promoted, over=cohort)"
    expected: {exact: 21/43, shown: ".4884", rounding: half-even}
    calculation: {ref: ../controls/calculation.yaml}
    inputs:
      - {path: ../controls/inputs/decisions.csv, sha256: "LEDGER", recipe: text/lf}
      - {path: ../controls/inputs/roster.txt, sha256: "ROSTER", recipe: bytes}
    labels: {kind: heuristic, method: keyword rules, adjudicated: no}
    status: verified
  - id: R-2
    claim: Recall of promotion over the decided is 21/37, about .5676.
    at: {work: "A book", quote: "leaves .5676"}
    figure: "recall(endpoint=promoted, over=decided)"
    expected: {exact: 21/37, shown: ".5676"}
    calculation: {ref: ../controls/calculation.yaml}
    inputs:
      - {path: ../controls/inputs/decisions.csv, sha256: "LEDGER", recipe: text/lf}
      - {path: ../controls/inputs/roster.txt, sha256: "ROSTER", recipe: bytes}
    labels: {kind: heuristic, method: keyword rules, adjudicated: no}
    status: verified
  - id: R-3
    claim: Adaptive MRR@4 is .7500.
    at: {work: "A book", quote: "MRR@4 is .7500"}
    figure: "MRR@4"
    expected: {exact: null, shown: ".7500", rounding: unknown}
    source: {work: "A book"}
    status: cited
"""
README = "# Project\n\nWith promotion as the endpoint, recall is\n21/43 ≈ .4884 of the cohort.\n"


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass
class SmallProject:
    """Files of a project, and what a check of it says."""

    root: Path

    def read(self, name: str) -> str:
        return (self.root / name).read_text(encoding="utf-8")

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())

    def replace(self, name: str, old: str, new: str, count: int = 1) -> None:
        text = self.read(name)
        assert old in text, f"{old!r} is not in {name}"
        self.write(name, text.replace(old, new, count))

    def check(self, **options: object) -> Result:
        return check_paths([self.root], **options)  # type: ignore[arg-type]  # options are passed through

    def rules(self, **options: object) -> set[str]:
        return {f.rule for f in self.check(**options).findings if f.severity == "error"}


def build_small(root: Path) -> SmallProject:
    """Write the small project below ``root``."""
    small = SmallProject(root)
    roster = "".join(f"C{i:02}\n" for i in range(1, 51))
    small.write("pyproject.toml", "")
    small.write("README.md", README)
    small.write("controls/inputs/decisions.csv", ledger())
    small.write("controls/inputs/roster.txt", roster)
    small.write("controls/cohort.yaml", COHORT)
    small.write("controls/calculation.yaml", CALCULATION)
    small.write("controls/cases.yaml", CONTROLS)
    small.write("registers/book.yaml", REGISTER.replace("LEDGER", _sha(ledger())).replace("ROSTER", _sha(roster)))
    freeze(root / "controls/calculation.yaml")
    return small


@pytest.fixture
def small(tmp_path: Path) -> SmallProject:
    return build_small(tmp_path)


@pytest.fixture(scope="session")
def build() -> Callable[[Path], SmallProject]:
    """Writes the small project below a folder."""
    return build_small


@pytest.fixture
def one_register(small: SmallProject) -> Callable[[str], SmallProject]:
    """The project with another register in place of its own."""

    def write(text: str) -> SmallProject:
        small.write("registers/book.yaml", text)
        return small

    return write
