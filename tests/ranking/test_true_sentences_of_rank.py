"""What the reports of ``rank`` say of all, of none or of no change is so, and is not said where it is not."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Literal

import pytest
from small_runs import write

from evaudit.audits.ranking import audit_runs
from evaudit.ranking.conventions import BOOK, Convention
from evaudit.reports.layout import Style
from evaudit.reports.terminal_rank import render
from evaudit.results import Result

Judged = dict[tuple[str, str], int]
Ranked = dict[str, list[str]]


def files(folder: Path, judged: Mapping[tuple[str, str], int], ranked: Ranked) -> tuple[str, list[str]]:
    (folder / "q").write_text("".join(f"{topic} 0 {doc} {grade}\n" for (topic, doc), grade in judged.items()))
    lines = [f"{t} Q0 {d} {i} {-i} t\n" for t, docs in ranked.items() for i, d in enumerate(docs, 1)]
    (folder / "r").write_text("".join(lines))
    return str(folder / "q"), [str(folder / "r")]


def drawn(rng: random.Random) -> tuple[Judged, Ranked]:
    """One or two topics of one to four documents, some of them judged, some judged ones not returned."""
    judged, ranked = Judged(), Ranked()
    for topic in "12"[: rng.randint(1, 2)]:
        docs = list("abcdef")[: rng.randint(2, 4)]
        judged |= {(topic, doc): rng.randint(0, 2) for doc in rng.sample(docs, rng.randint(1, len(docs)))}
        ranked[topic] = rng.sample(docs, rng.randint(1, len(docs)))
    return judged, ranked


def words(result: Result) -> str:
    return " ".join(render(result, Style(width=400)).split())


def cells(result: Result, name: str) -> list[str]:
    """The row of a measure: mean, ranges, n, missing, undefined."""
    [line] = [line for line in render(result, Style(width=400)).split("\n") if line.strip().startswith(name + "  ")]
    return re.split(r"\s{2,}", line.strip())[1:]


def completions(judged: Judged, ranked: Ranked, k: int | None) -> Iterator[Judged]:
    """The judgements with every assignment of grades to the unjudged documents down to rank k."""
    free = [(t, d) for t, docs in ranked.items() for d in docs[:k] if (t, d) not in judged]
    top = max([1, *judged.values()])
    for grades in product(range(top + 1), repeat=len(free)):
        yield judged | dict(zip(free, grades, strict=True))


def values(folder: Path, name: str, judged: Judged, ranked: Ranked, k: int | None) -> set[float | None]:
    found = set()
    for one in completions(judged, ranked, k):
        [mean] = audit_runs(*files(folder, one, ranked), [name], bounds=False).means
        found.add(None if mean.value is None else round(mean.value, 9))
    return found


@pytest.mark.parametrize("name", ["P@2", "recall@2", "RR@1", "AP@2", "nDCG(gain=exponential)@2", "bpref", "set-P"])
def test_no_change_and_the_same_are_said_where_no_grades_change_the_mean(tmp_path: Path, name: str) -> None:
    rng, told = random.Random(name), set()
    k = int(name[-1]) if "@" in name else None
    for _ in range(25):
        judged, ranked = drawn(rng)
        result = audit_runs(*files(tmp_path, judged, ranked), [name])
        _, *ranges, _, _, _ = cells(result, name)
        for text, end in zip(ranges, (k, None), strict=False):
            reached = values(tmp_path, name, judged, ranked, end)
            assert (text == "no change") == (len(reached) == 1 and None not in reached) or text == "the same"
            if text == "the same":
                assert reached == values(tmp_path, name, judged, ranked, k) or " exact" in ranges[0]
            told.add(text if text in ("no change", "the same") else "a range")
    assert {"no change", "a range"} <= told


CONVENTIONS = [BOOK, replace(BOOK, depth=2), replace(BOOK, unjudged="skip"), replace(BOOK, missing_topics="skip")]


@pytest.mark.parametrize("convention", CONVENTIONS, ids=["book", "depth", "skip", "missing"])
def test_every_unjudged_document_that_is_counted_takes_grades(tmp_path: Path, convention: Convention) -> None:
    """Where none varies, nothing is said of what each of them takes."""
    rng, told = random.Random(8), set()
    for _ in range(60):
        judged, ranked = drawn(rng)
        if rng.random() < 0.3:
            judged |= {(t, d): 1 for t, docs in ranked.items() for d in docs}
        measures = ["P@2", "recall@2", "AP@3", "judged@2", "set-P", "num_ret"]
        text = words(audit_runs(*files(tmp_path, judged, ranked), measures, convention))
        count = {
            k: sum(
                (t, d) not in judged for t, docs in ranked.items() for d in docs[:k] if any(t == u for u, _ in judged)
            )
            for k in (2, 3, None)
        }
        if convention.unjudged != "skip" and convention.depth is None:
            within = "".join(f"{count[k]} within {k}, " for k in (2, 3) if count[k] != count[None])
            assert f"unjudged {within}{count[None]} returned" in text
        assert f"{count[None]} returned" in text
        assert ("each takes every grade in the ranges, documents never returned are in none" in text) == bool(
            count[None]
        )
        assert ("0 returned; documents never returned are in no range" in text) == (not count[None])
        told.add(bool(count[None]))
    assert told == {True, False}


@pytest.mark.parametrize("measures", [["runid"], ["relstring"], ["runid", "relstring"], ["P@2"], ["P@2", "runid"]])
@pytest.mark.parametrize("summary", [True, False])
@pytest.mark.parametrize("per_topic", [True, False])
def test_no_mean_is_told_with_what_leaves_them_out(
    tmp_path: Path, measures: list[str], summary: bool, per_topic: bool
) -> None:
    given = write(tmp_path, "1 a=1 b=0; 2 c=2", "1 a(3) b(2); 2 c(1)")
    result = audit_runs(*given, measures, summary=summary, per_topic=per_topic)
    text = words(result)
    shown = bool(result.means) or bool(result.figures)
    assert ("no mean: " in text) == (not shown)
    assert ("Over topics" in text) == bool(result.means) == (summary and "P@2" in measures)
    assert ("Topics of" in text) == per_topic


def test_a_choice_is_said_to_have_no_effect_only_where_it_changes_no_figure(tmp_path: Path) -> None:
    changes: list[dict[str, object]] = [
        {"gain": "linear"}, {"ideal": "whole"}, {"collection_size": 100}, {"ties": "docno-ascending"},
        {"score_precision": "float32"}, {"top_grade": 5}, {"gain": "linear", "order": "score"},
        {"ties": "docno-ascending", "order": "score"}, {"discount": "rank"},
    ]  # fmt: skip
    measures = ["P@2", "nDCG@2", "DCG@2", "utility", "RBP(p=0.5)", "AP", "RR@1"]
    given = write(tmp_path, "1 a=1 b=2 c=0; 2 c=2", "1 a(3) b(3) u(3) c(2.00000001) d(2); 2 c(1) v(1)")
    told = set()
    for change in changes:
        for bounds in (True, False):
            for names in (measures[:1], measures, ["AP", "RR@1"], ["nDCG@2"], ["utility"], ["RBP(p=0.5)"]):
                try:
                    convention = replace(BOOK, **change)
                except ValueError:
                    continue
                result = audit_runs(*given, names, convention, bounds=bounds)
                notes = [note for note in result.notes if "has no effect" in note]
                for note in notes:
                    field = note.partition(" = ")[0].replace("-", "_")
                    usual = replace(convention, **{field: getattr(BOOK, field)})
                    plain = audit_runs(*given, names, usual, bounds=bounds)
                    assert [m.value for m in plain.means] == [m.value for m in result.means], note
                    assert [m.bounds for m in plain.means] == [m.bounds for m in result.means], note
                    told.add(note.partition(": ")[2])
    assert len(told) == 4


@pytest.mark.parametrize(
    ("qrels", "run", "missing", "said", "n"),
    [
        ("1 a=1; 2 b=1", "1 a(1)", "skip", "topic 2 of the qrels is not in the run: left out of every mean", 1),
        ("1 a=1; 2 b=1", "1 a(1)", "zero", "topic 2 of the qrels is not in the run: counted as nothing returned", 2),
        ("1 a=1", "1 a(1); 3 c(1)", "zero", "topic 3 of the run is not in the qrels: in no figure and no mean", 1),
        ("1 a=1; 2 b=1", "1 a(1); 2 b(1)", "skip", None, 2),
    ],
)
def test_a_topic_is_said_to_be_in_no_mean_where_none_counts_it(
    tmp_path: Path, qrels: str, run: str, missing: Literal["zero", "skip"], said: str | None, n: int
) -> None:
    convention = replace(BOOK, missing_topics=missing)
    result = audit_runs(*write(tmp_path, qrels, run), ["P@1", "recall@1", "AP"], convention)
    text = words(result)
    told = ("left out of every mean", "counted as nothing returned", "in no figure and no mean")
    assert [one for one in told if one in text] == [one for one in told if said and one in said]
    assert (said or "") in text
    assert {mean.n for mean in result.means} == {n}


def test_a_range_that_only_documents_below_the_cutoff_have_stands_alone(tmp_path: Path) -> None:
    result = audit_runs(*write(tmp_path, "1 a=0", "1 a(2) u(1)"), ["RR@1"])
    assert cells(result, "RR@1")[:2] == ["undefined", ".0000 exact, may be undefined"]


def test_no_judged_document_is_returned_is_said_where_none_is(tmp_path: Path) -> None:
    for run, true in (("1 x(2) y(1); 2 z(1)", True), ("1 x(2) y(1); 2 b(1)", False)):
        text = words(audit_runs(*write(tmp_path, "1 a=1; 2 b=1", run), ["P@1"]))
        assert ("no judged document is returned in any of 2 topics" in text) == true


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
