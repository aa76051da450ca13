"""What the reports of ``rank`` and ``decisions`` say of all or of none is so in the input."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from evaudit.audits.ranking import audit_runs
from evaudit.decisions.cohort_figures import shared_by_endpoints
from evaudit.ranking.conventions import BOOK
from evaudit.reports.layout import Style
from evaudit.reports.terminal_rank import render


def test_no_judged_document_is_tied_where_the_report_says_so(tmp_path: Path) -> None:
    rng, told = random.Random(5), set()
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    for _ in range(80):
        scores = {f"d{i}": rng.randint(1, 9) for i in range(rng.randint(1, 6))}
        judged = rng.sample(sorted(scores), rng.randint(1, min(3, len(scores))))
        qrels.write_text("".join(f"1 0 {d} {rng.randint(0, 2)}\n" for d in judged))
        ranked = sorted(scores, key=lambda d: -scores[d])
        run.write_text("".join(f"1 Q0 {d} {i} {scores[d]} t\n" for i, d in enumerate(ranked, 1)))
        depth = rng.choice([None, 1, 2])
        convention = replace(BOOK, depth=depth)
        text = " ".join(render(audit_runs(str(qrels), [str(run)], ["P@3"], convention), Style(width=400)).split())
        tied = [d for d in judged if sum(s == scores[d] for s in scores.values()) > 1]
        within = [d for d in tied if depth is None or sum(s > scores[d] for s in scores.values()) < depth]
        assert ("no judged document shares its score with another" in text) == (depth is None and not tied)
        assert (f"no judged document within depth {depth} shares" in text) == (depth is not None and not within)
        told.add((depth is None, bool(tied), bool(within)))
    assert {(True, False, False), (True, True, True), (False, True, False), (False, True, True)} <= told


def test_endpoints_differ_in_undecided_states_only_where_the_note_says_so() -> None:
    rng, told = random.Random(6), set()
    undecided = frozenset({"deferred", "asked"})
    for _ in range(300):
        states = ["promoted", "rejected", *sorted(undecided)]
        endpoints = {name: rng.sample(states, rng.randint(1, 3)) for name in "ABC"[: rng.randint(1, 3)]}
        notes = shared_by_endpoints(endpoints, undecided)
        named = [set(note.split("endpoints ")[1].split(":")[0].split(" and ")) for note in notes]
        for a, b in combinations(endpoints, 2):
            same = set(endpoints[a]) - undecided == set(endpoints[b]) - undecided
            assert any({a, b} <= names for names in named) == same
        for note, names in zip(notes, named, strict=True):
            apart = all(set(endpoints[a]) != set(endpoints[b]) for a, b in combinations(sorted(names), 2))
            assert note.endswith("they differ in undecided states only") == apart
            told.add(apart)
    assert told == {True, False}
