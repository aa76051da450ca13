"""Small qrels and runs in a short notation, written to files and measured."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evaudit.audits.ranking import audit_runs
from evaudit.ranking.conventions import Convention
from evaudit.results import Result


def write(folder: Path, qrels: str, *runs: str) -> tuple[str, list[str]]:
    """``1 a=1 b=0; 2 c=2`` and ``1 a(3) b(2); 2 c(1)``: topic, then documents with grade or score; ranks count up."""
    lines = []
    for part in filter(None, map(str.strip, qrels.split(";"))):
        topic, *judged = part.split()
        lines += [f"{topic} 0 {one.replace('=', ' ')}\n" for one in judged]
    (folder / "qrels").write_text("".join(lines), encoding="utf-8")
    paths = []
    for i, run in enumerate(runs):
        rows = []
        for part in filter(None, map(str.strip, run.split(";"))):
            topic, *documents = part.split()
            for rank, one in enumerate(documents, 1):
                doc, _, score = one.rstrip(")").partition("(")
                rows.append(f"{topic} Q0 {doc} {rank} {score} tag\n")
        (folder / f"run{i}").write_text("".join(rows), encoding="utf-8")
        paths.append(str(folder / f"run{i}"))
    return str(folder / "qrels"), paths


def measure(
    folder: Path, qrels: str, run: str, measures: Sequence[str], convention: Convention, *, per_topic: bool = False
) -> Result:
    """One run under a convention."""
    return audit_runs(*write(folder, qrels, run), measures, convention, per_topic=per_topic)


def values(result: Result) -> list[float | str | None]:
    """The means, each as its value or its reason."""
    return [mean.undefined if mean.value is None else round(mean.value, 4) for mean in result.means]
