"""No grade, gain, price or cutoff that is accepted leads to a figure that is no number; the others are refused."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest
from rank_command import run

import evaudit
from evaudit.audits.ranking import audit_case, audit_runs
from evaudit.errors import UsageError
from evaudit.ranking.case import RankingCase
from evaudit.ranking.conventions import BOOK, HIGHEST_GRADE, LARGEST, TREC_EVAL
from evaudit.ranking.measures import MEASURES
from evaudit.reports import render
from evaudit.reports.layout import Style
from evaudit.results import Result

EXTREMES = [0, 1, 2, 52, 53, 54, 60, 999, HIGHEST_GRADE]
MAPS = [
    tuple((grade, float(LARGEST)) for grade in EXTREMES),
    tuple((grade, float(LARGEST) if grade > 53 else 1 / LARGEST) for grade in EXTREMES),
    tuple((grade, float(grade % 7) * LARGEST / 7) for grade in EXTREMES),
]
CONVENTIONS = [
    BOOK,
    TREC_EVAL.choose(missing_topics="zero"),
    BOOK.choose(relevance_level=HIGHEST_GRADE, top_grade=HIGHEST_GRADE),
    BOOK.choose(unjudged="skip", order="score", undefined="zero"),
    *(BOOK.choose(gain="map", gain_map=one) for one in MAPS),
]
PARAMETERS = ["utility.1e15,-1e15,1e15,-1e15", "set_F.1e15", "set_F.1e-15", "Rprec_mult.1e15", "RBP(p=1)", "RBP(p=0)"]


def files(folder: Path, rng: random.Random) -> tuple[str, list[str]]:
    documents = [f"d{i}" for i in range(40)]
    judged = [(t, doc, rng.choice(EXTREMES)) for t in range(5) for doc in rng.sample(documents, 25)]
    (folder / "q").write_text("".join(f"{t} 0 {doc} {grade}\n" for t, doc, grade in judged))
    lines = [(t, doc, rank) for t in range(4) for rank, doc in enumerate(rng.sample(documents, 30), 1)]
    (folder / "r").write_text("".join(f"{t} Q0 {doc} {rank} {99 - rank // 3} tag\n" for t, doc, rank in lines))
    return str(folder / "q"), [str(folder / "r")]


def numbers(value: object) -> list[float]:
    if isinstance(value, dict | list):
        parts = value.values() if isinstance(value, dict) else value
        return [number for part in parts for number in numbers(part)]
    return [value] if isinstance(value, float) else []


def assert_finite(result: Result) -> None:
    for number in numbers(json.loads(render(result, "json", 0, Style()))):
        assert math.isfinite(number)
    table = render(result, "table", 0, Style(width=10_000))
    assert "nan" not in table.split() and "inf" not in table.split()
    assert not [word for word in table.split() if word.replace(".", "").isdigit() and len(word) > 22]


@pytest.mark.parametrize("place", range(len(CONVENTIONS)))
def test_every_measure_of_extreme_grades_and_gains_is_a_number(tmp_path: Path, place: int) -> None:
    convention = CONVENTIONS[place]
    own = [m.id + ("@7" if m.cutoff != "none" else "") for m in MEASURES]
    measures = [*own, "all_trec", *(PARAMETERS if convention.failures == "none" else ())]
    result = audit_runs(*files(tmp_path, random.Random(place)), measures, convention, per_topic=True)
    assert any(figure.value for figure in result.iter_figures())
    assert_finite(result)


REFUSED = [
    ["--grade-map", "2=1024"],
    ["--grade-map", "2=99999999999999999999"],
    ["--grade-map", "2=" + "9" * 5000],
    ["--gain-map", "1=1.7e308,2=1.7e308"],
    ["--gain-map", "1=1e-300,2=1"],
    ["--gain-map", "1=nan,2=1"],
    ["--gain-map", "1=inf,2=1"],
    ["--gain-map", "1=-1,2=1"],
    ["--gain-map", "1001=1"],
    ["-l", "1001"],
    ["-N", "9" * 400],
    ["-M", "0"],
    ["--set", "top_grade=5000"],
    ["-m", "nDCG(gain=1=1e300)@2"],
    ["-m", "ndcg.1=1e300"],
    ["-m", "utility.1e308,1e308,0,0"],
    ["-m", "set_F.1e308"],
    ["-m", "set_F.1e-308"],
]


@pytest.mark.parametrize("options", REFUSED, ids=lambda options: " ".join(options)[:40])
def test_what_would_lead_out_of_the_numbers_is_refused(tmp_path: Path, options: list[str]) -> None:
    (tmp_path / "q").write_text("q1 0 d1 1\nq1 0 d2 2\n")
    (tmp_path / "r").write_text("q1 Q0 d1 1 3 r\nq1 Q0 d2 2 2 r\n")
    measures = [] if "-m" in options else ["-m", "nDCG@2", "-m", "DCG@2"]
    with pytest.raises(UsageError, match="expected"):
        run([str(tmp_path / "q"), str(tmp_path / "r"), *measures, *options])


def test_the_same_choices_are_refused_from_python() -> None:
    qrels, ranking = {"1": {"a": 1}}, {"1": ["a"]}
    for choices in (
        {"grade_map": (("1", 1024),)},
        {"grade_map": (("1", 1.5),)},
        {"gain": "map", "gain_map": ((1, 1e300),)},
        {"relevance_level": 5000},
        {"relevance_level": True},
        {"depth": 0},
    ):
        with pytest.raises(UsageError, match="expected"):
            evaudit.rank(qrels, ranking, ["nDCG@1"], **choices)  # type: ignore[arg-type]  # choices of any kind


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"gain_map": {1: "1e308"}}, None),
        ({"gain_map": {1: "9" * 30}}, "gain-invalid"),
        ({"gain_map": {1: "1", 5000: "1"}}, "gain-invalid"),
        ({"gains": {"a": "9" * 30}}, "gain-invalid"),
        ({"gains": {"a": "." + "0" * 30 + "1"}}, "gain-invalid"),
        ({"relevance_level": 5000}, "grade-invalid"),
        ({"relevance_level": -1}, "grade-invalid"),
    ],
)
def test_a_case_that_would_is_refused(fields: dict[str, object], rule: str | None) -> None:
    data = {"ranking": ["a", "b"], "grades": {"a": "1"}, "cutoff": "2", **fields}
    if rule is None:
        with pytest.raises(ValueError, match="gain_map"):
            RankingCase.model_validate(data)
        return
    result = audit_case(RankingCase.model_validate(data), "n")
    assert {finding.rule for finding in result.findings} == {rule}
    assert not list(result.iter_figures())


def test_a_large_sum_is_printed_in_few_digits(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("q1 0 d1 1000\n")
    (tmp_path / "r").write_text("q1 Q0 d1 1 3 r\n")
    result = audit_runs(str(tmp_path / "q"), [str(tmp_path / "r")], ["DCG@2"])
    assert "1.0715e+301" in render(result, "table", 0, Style())
