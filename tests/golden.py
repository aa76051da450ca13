"""Whole outputs of the program for clean, failing and undefined input, kept as files in tests/golden.

``python tests/golden.py`` writes them anew; look at the difference before you keep it.
"""

from __future__ import annotations

from pathlib import Path

import readme

FOLDER = Path(__file__).resolve().parent / "golden"

LEDGER = "demo/controls/screening/inputs/decisions.csv"
SHORT = "--endpoint included=included --endpoint kept=included,unsure --undecided unsure --positive positive"
FEVER = "--from fever --gold demo/data/fever-gold.jsonl --predicted demo/data/fever-predicted.jsonl"
RANK = "demo/data/qrels.txt demo/data/run.txt -m P@3 -m recall@3 -m AP -m nDCG@3 -m judged@3"

CASES: dict[str, str] = {
    "decisions-clean": "evaudit decisions controls/next-selector/cohort.yaml",
    "decisions-clean-json": "evaudit decisions controls/next-selector/cohort.yaml --format json",
    "decisions-clean-jsonl": "evaudit decisions controls/next-selector/cohort.yaml --format jsonl",
    "decisions-clean-csv": "evaudit decisions controls/next-selector/cohort.yaml --format csv",
    "decisions-clean-markdown": "evaudit decisions controls/next-selector/cohort.yaml --format markdown",
    "decisions-color": "evaudit decisions controls/next-selector/cohort.yaml --color always",
    "decisions-unlabelled": f"evaudit decisions {LEDGER} {SHORT}",
    "decisions-not-reconciled": "evaudit decisions broken.yaml",
    "decisions-not-reconciled-json": "evaudit decisions broken.yaml --format json",
    "bundles-fever": f"evaudit bundles {FEVER} --compat fever --lint",
    "bundles-fever-json": f"evaudit bundles {FEVER} --compat fever --format json",
    "bundles-fever-csv": f"evaudit bundles {FEVER} --format csv",
    "bundles-fever-markdown": f"evaudit bundles {FEVER} --format markdown",
    "bundles-need": f"evaudit bundles {FEVER} --show 2",
    "rank-topics": f"evaudit rank {RANK} -q",
    "rank-json": f"evaudit rank {RANK} -q --format json",
    "rank-csv": f"evaudit rank {RANK} -q --format csv",
    "rank-markdown": f"evaudit rank {RANK} --format markdown",
    "rank-refused": "evaudit rank demo/data/qrels.txt broken.run",
    "check-clean": "evaudit check demo",
    "check-markdown": "evaudit check demo --format markdown",
    "check-drift": f"sed -i.bak s/C05,unsure/C05,included/ {LEDGER}; evaudit check demo; mv {LEDGER}.bak {LEDGER}",
    "check-wrong-digit": "evaudit check wrong",
    "check-invalid-yaml": "evaudit check invalid",
    "explain-reason": "evaudit explain no-known-positives",
}
"""Name of the golden file and the command whose output it holds; the exit code stands in its last line."""


def prepare(folder: Path) -> None:
    """The project's own controls, a fresh starter project, and broken input of each kind."""
    readme.prepare(folder)
    readme.run("evaudit init demo", folder)
    (folder / "broken.csv").write_text(
        "candidate_id,state,label\nC1,promoted,positive\nC2,maybe,positive\nC1,rejected,negative\n", encoding="utf-8"
    )
    (folder / "broken.yaml").write_text(
        "schema: evaudit/cohort@1\nid: broken\nsource: {path: broken.csv}\n"
        "states: {promoted: {decided: yes}, rejected: {decided: yes}}\n"
        "labels: {provenance: {kind: heuristic, adjudicated: no}}\nendpoints: {promoted: [promoted]}\n"
        "population: this-cohort\n",
        encoding="utf-8",
    )
    (folder / "broken.run").write_text("q1 Q0 d1 1 nan x\nq1 Q0 d1 2 0.5 x\nq1 Q0 d2\n", encoding="utf-8")
    for name, cutoff, value in (("wrong", "2", "2/2"), ("invalid", "2", "2/2\n    ranking: [A]\n    colour: red")):
        (folder / name).mkdir()
        (folder / name / "case.yaml").write_text(
            "schema: evaudit/control@1\ncontrols:\n  - id: case\n    kind: ranking\n    ranking: [A]\n"
            f"    grades: {{A: 1, B: 1}}\n    cutoff: {cutoff}\n    expect:\n      P: {value}\n",
            encoding="utf-8",
        )


def output(name: str, folder: Path) -> str:
    """What the case prints, stderr included, and its exit code."""
    return readme.run(f"{CASES[name]}; echo exit $?", folder)


if __name__ == "__main__":
    import tempfile

    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    with tempfile.TemporaryDirectory() as place:
        prepare(Path(place))
        for case in CASES:
            (FOLDER / f"{case}.txt").write_text(output(case, Path(place)), encoding="utf-8")
