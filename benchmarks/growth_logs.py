"""Shapes of ledgers, runs and texts for ``growth.py``: each writes its files for a size and returns the command."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from growth_bundles import table

LABELS = "labels: {positive: [p], negative: [x], provenance: {kind: heuristic}}\n"


def _cohort(
    to: Path, more: str, states: Iterable[str] = ("in", "out", "open"), kept: Iterable[str] = ("in",)
) -> list[str]:
    declared = "".join(f"  {state}: {{decided: {'no' if state.startswith('open') else 'yes'}}}\n" for state in states)
    text = f"schema: evaudit/cohort@1\nid: c\nstates:\n{declared}{LABELS}"
    if "endpoints" not in more:
        text += "endpoints:\n  kept:\n" + "".join(f"    - {state}\n" for state in kept)
    if "source" not in more:
        text += "source: {path: l.csv}\n"
    (to / "c.yaml").write_text(text + more, encoding="utf-8")
    return ["decisions", str(to / "c.yaml"), "--root", str(to)]


def _ledger(to: Path, rows: Iterable[tuple[object, ...]], more: str = "") -> None:
    table(to / "l.csv", f"candidate_id,state,label{more}", rows)


def candidates(n: int, to: Path) -> list[str]:
    _ledger(to, ((f"c{i}", ("in", "out", "open")[i % 3], ("p", "x", "")[i % 7 % 3]) for i in range(n)))
    return _cohort(to, "")


def spellings_of_candidates(n: int, to: Path) -> list[str]:
    long = "Long%20Id_" * 10
    _ledger(to, ((f"{long}{i}", "in", "p") for i in range(n)))
    table(to / "r.csv", "candidate_id", ((f"{long.lower()}{i}",) for i in range(n)))
    return _cohort(to, "roster: r.csv\n")


def states(n: int, to: Path) -> list[str]:
    names = [f"open{i}" if i % 2 else f"in{i}" for i in range(n)]
    _ledger(to, ((f"c{i}", name, ("p", "x", "")[i % 3]) for i, name in enumerate(names)))
    return _cohort(to, "", names, names[: n // 2 + 1])


def labels(n: int, to: Path) -> list[str]:
    _ledger(to, ((f"c{i}", "in", f"l{i}") for i in range(n)))
    command = _cohort(to, "")
    listed = "".join(f"    - l{i}\n" for i in range(n))
    text = (
        (to / "c.yaml")
        .read_text(encoding="utf-8")
        .replace(LABELS, f"labels:\n  positive:\n{listed}  negative: [x]\n  provenance: {{kind: heuristic}}\n")
    )
    (to / "c.yaml").write_text(text, encoding="utf-8")
    return command


def events_of_a_candidate(n: int, to: Path) -> list[str]:
    _ledger(to, (("c", ("in", "out")[i % 2], "p", i) for i in range(n)), ",seq")
    return _cohort(to, "source: {path: l.csv, mode: events, seq: seq}\n")


def groups(n: int, to: Path) -> list[str]:
    _ledger(to, ((f"c{i}", ("in", "out", "open")[i % 3], "p", f"g{i}") for i in range(n)), ",site")
    return _cohort(to, "by: [site]\n")


def endpoints(n: int, to: Path) -> list[str]:
    _ledger(to, ((f"c{i}", f"s{i}", "p") for i in range(n)))
    return _cohort(to, "endpoints:\n" + "".join(f"  e{i}: [s{i}]\n" for i in range(n)), [f"s{i}" for i in range(n)])


def strata_of_a_sample(n: int, to: Path) -> list[str]:
    _ledger(to, ((f"c{i}", "in", ("p", "x", "")[i % 3], f"g{i // 3}") for i in range(3 * n)), ",year")
    return _cohort(to, "population: sampled\nsampling: {random: yes, stratum: year}\n")


def draws_with_probabilities(n: int, to: Path) -> list[str]:
    _ledger(to, ((f"c{i}", "in", ("p", "x", "")[i % 3], f"1/{2 + i // 3}") for i in range(3 * n)), ",p")
    return _cohort(to, "population: sampled\nsampling: {random: yes, probability: p}\n")


def _run(to: Path, judged: Iterable[tuple[object, ...]], returned: Iterable[tuple[object, ...]]) -> list[str]:
    for name, rows in (("qrels", judged), ("run", returned)):
        (to / name).write_text("".join(" ".join(map(str, row)) + "\n" for row in rows), encoding="utf-8")
    return ["rank", str(to / "qrels"), str(to / "run")]


def topics(n: int, to: Path) -> list[str]:
    judged = ((i, 0, f"d{j}", j % 3) for i in range(n) for j in range(5))
    return _run(to, judged, ((i, "Q0", f"d{j}", j, 20 - j // 2, "t") for i in range(n) for j in range(10)))


def documents_of_a_topic(n: int, to: Path) -> list[str]:
    judged = ((1, 0, f"d{j}", j % 3) for j in range(0, n, 2))
    return _run(to, judged, ((1, "Q0", f"d{j}", j, n - j, "t") for j in range(n)))


def _ties(n: int, to: Path, size: int, *more: str) -> list[str]:
    judged = ((1, 0, f"d{j}", j % 3) for j in range(n))
    command = _run(to, judged, ((1, "Q0", f"d{j}", j, n - j // size, "t") for j in range(n)))
    return [*command, "-m", "all_trec", "--convention", "trec_eval", *more]


def documents_tied_in_pairs(n: int, to: Path) -> list[str]:
    return _ties(n, to, 2)


def documents_tied_in_pairs_without_kernel(n: int, to: Path) -> list[str]:
    return _ties(n, to, 2, "--no-kernel")


def documents_all_tied(n: int, to: Path) -> list[str]:
    return _ties(n, to, n + 1)


def documents_all_tied_without_kernel(n: int, to: Path) -> list[str]:
    return _ties(n, to, n + 1, "--no-kernel")


def documents_tied_unjudged_skipped(n: int, to: Path) -> list[str]:
    return _ties(n, to, 4, "-J")


def unjudged_documents(n: int, to: Path) -> list[str]:
    judged = ((1, 0, f"d{j}", j % 3) for j in range(0, n, 10))
    return [*_run(to, judged, ((1, "Q0", f"d{j}", j, n - j, "t") for j in range(n))), "-m", "all_trec"]


def grades(n: int, to: Path) -> list[str]:
    judged = ((1, 0, f"d{j}", j) for j in range(n))
    command = _run(to, judged, ((1, "Q0", f"d{j}", j, n - j, "t") for j in range(n)))
    return [*command, "-m", "all_trec", "--convention", "trec_eval"]


def spellings_of_topics(n: int, to: Path) -> list[str]:
    long = "Long%20Id_" * 10
    judged = ((f"{long}{i}", 0, "d", 1) for i in range(n))
    return _run(to, judged, ((f"{long.lower()}{i}", "Q0", "d", 1, 1, "t") for i in range(n)))


def spellings_of_judged_documents(n: int, to: Path) -> list[str]:
    long = "Long%20Id_" * 10
    judged = ((1, 0, f"{long}{i}", 1) for i in range(n))
    return _run(to, judged, ((1, "Q0", f"{long.lower()}{i}", i, n - i, "t") for i in range(n)))
