"""The ranges over unjudged documents against every assignment of grades, for each measure.

Nothing leaves them, and one that calls itself exact is reached at both ends: for topics and for what stands for all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from measures_oracle import ORACLE, Rules, figure

from evaudit.figures import Amount, Bound, FigureColumn, Mean
from evaudit.ranking import unjudged_grades, unjudged_orders
from evaudit.ranking.conventions import BOOK, TREC_EVAL, Convention
from evaudit.ranking.evaluation import evaluate, overall, prepared
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures import MEASURES, Asked
from evaudit.ranking.order import RunTopic, judged_list
from evaudit.ranking.spelling import parse_measure

NUMBERS = [measure.id for measure in MEASURES if measure.bounds is not None]
BY_ID = {measure.id: measure for measure in MEASURES}
GAIN_MAP = ((0, 0.0), (1, 0.5), (2, 3.0), (3, 1.0))
BASE_MAP = ((0, 0.25), (1, 1.0), (2, 1.0), (3, 4.0))
OPTIONS = {
    "RBP": ["", "(rel=1)", "(rel=2)", "(p=0.5, top-grade=3)", "(top-grade=topic)"],
    "Rprec-mult": ["(factor=0.2)", "(factor=0.6)", "(factor=1.4)"],
    "set-F": ["(x=0.25)", "(x=4)"],
    "utility": ["", "(a=1, b=-2, c=-1, d=0.5)", "(a=-1, b=1, c=2, d=-1)"],
    "iprec": ["(recall=0)", "(recall=0.3)", "(recall=0.5)", "(recall=1)"],
    "iprec-avg": ["", "(points=0.2:0.8)"],
}


@dataclass(frozen=True)
class Topic:
    ranking: Sequence[str]
    grades: Mapping[str, int]


@st.composite
def topics(draw: st.DrawFn, most: int = 6, unjudged: int = 3) -> Topic:
    documents = [f"d{i}" for i in range(draw(st.integers(0, most)))]
    grades = draw(st.dictionaries(st.sampled_from([*documents, "x", "y", "z"]), st.integers(-1, 3), max_size=7))
    while sum(grades.get(doc, -1) < 0 for doc in documents) > unjudged:
        grades[next(doc for doc in documents if grades.get(doc, -1) < 0)] = draw(st.integers(0, 3))
    return Topic(documents, grades)


@st.composite
def conventions(draw: st.DrawFn) -> Convention:
    chosen: dict[str, object] = {
        "order": "list",
        "relevance_level": draw(st.integers(0, 3)),
        "unjudged": draw(st.sampled_from(["zero", "skip"])),
        "depth": draw(st.none() | st.integers(1, 6)),
        "top_grade": draw(st.none() | st.integers(0, 3)),
        "discount": draw(st.sampled_from(["log2(rank + 1)", "max(1, log2(rank))"])),
        "ideal": draw(st.sampled_from(["cut-at-cutoff", "whole"])),
        "precision_denominator": draw(st.sampled_from(["cutoff", "returned"])),
        "recall_points": draw(st.sampled_from(["nearest", "plus-.9"])),
    }
    gain = draw(st.sampled_from(["exponential", "linear", "map", "base"]))
    chosen |= {"gain": "map", "gain_map": GAIN_MAP if gain == "map" else BASE_MAP} if gain in ("map", "base") else {}
    chosen |= {"gain": "linear"} if gain == "linear" else {}
    return draw(st.sampled_from([BOOK, TREC_EVAL])).choose(**chosen)


@st.composite
def asked_figures(draw: st.DrawFn, measure: str, convention: Convention) -> Asked:
    cut = BY_ID[measure].cutoff != "none" and (BY_ID[measure].cutoff == "required" or draw(st.booleans()))
    text = measure + draw(st.sampled_from(OPTIONS.get(measure, [""])))
    return parse_measure(text, convention, draw(st.integers(1, 7)) if cut else None)


def settled(asked: Asked, top: int, convention: Convention) -> Asked:
    """The measure with its scale; no case where that is refused, as one that ends below a grade that was given."""
    try:
        return asked.settled(top, convention)
    except ValueError:
        reject()


def rules(asked: Asked, convention: Convention) -> Rules:
    names = {
        "exponential": lambda grade: 2.0**grade - 1,
        "linear": float,
        "map": lambda grade: dict(convention.gain_map)[grade],
    }
    options = dict(asked.options)
    scale = options.pop("top-grade", "1")
    discount = (
        (lambda rank: math.log2(rank + 1))
        if convention.discount == "log2(rank + 1)"
        else (lambda rank: max(1.0, math.log2(rank)))
    )
    top = int(scale) if scale.isdigit() else 0
    return Rules(
        asked.k, convention.relevance_level, names[asked.gain or "linear"], top, discount,
        convention.ideal == "whole", convention.precision_denominator == "returned", convention.name == "trec_eval",
        convention.recall_points == "nearest", options,
    )  # fmt: skip


def varied(topic: Topic, k: int | None, convention: Convention, scope: str) -> list[str]:
    """The unjudged documents that vary, from what the range promises."""
    kept = topic.ranking[: convention.depth]
    if scope == "within" and k is not None and convention.unjudged == "zero":
        kept = kept[:k]
    elif scope == "within" and k is not None:
        judged = [i for i, doc in enumerate(kept) if topic.grades.get(doc, -1) >= 0]
        kept = kept[: judged[k - 1]] if len(judged) >= k else kept
    elif scope == "returned":
        kept = topic.ranking
    return [doc for doc in kept if topic.grades.get(doc, -1) < 0]


def zero(asked: Asked) -> float:
    """What a topic without a value counts as: the logarithm of a geometric mean has no 0."""
    return 0.00001 if asked.measure.id.startswith("GM-") else 0.0


def values(
    topic: Topic, asked: Asked, convention: Convention, own: Rules, top: int, scope: str
) -> Iterator[float | None]:
    """The figure under each assignment."""
    free = varied(topic, asked.k, convention, scope)
    for grades in product(range(top + 1), repeat=len(free)):
        known = {**topic.grades, **dict(zip(free, grades, strict=True))}
        ranking = topic.ranking[: convention.depth]
        if convention.unjudged == "skip":
            ranking = [doc for doc in ranking if known.get(doc, -1) >= 0]
        rule = own
        if asked.measure.id == "RBP" and not own.top:
            highest = max([1, *known.values()])
            rule = replace(own, top=highest)
        value = figure(asked.measure.id, ranking, known, rule)
        yield zero(asked) if value is None and convention.undefined == "zero" else value


def measured(found: Sequence[Topic], asked: Asked, convention: Convention, top: int) -> FigureColumn:
    lists = JudgedLists.of(
        [
            judged_list(
                RunTopic(
                    str(i),
                    [doc.encode() for doc in one.ranking],
                    (),
                    [0.0] * len(one.ranking),
                    range(1, len(one.ranking) + 1),
                ),
                {doc.encode(): grade for doc, grade in one.grades.items()},
                convention,
                ties=False,
            )
            for i, one in enumerate(found)
        ],
        top,
    )
    return evaluate(prepared(lists, convention), asked, convention)


def number(amount: Amount | None) -> float:
    assert amount is not None
    return amount[0] / amount[1] if isinstance(amount, tuple) else amount


def holds(span: Bound | None, values: Sequence[float | None]) -> None:
    defined = [value for value in values if value is not None]
    if not defined:
        assert span is None
        return
    assert span is not None
    low, high = number(span.low), number(span.high)
    assert low <= min(defined) + 1e-9, "an assignment leaves the range below"
    assert high >= max(defined) - 1e-9, "an assignment leaves the range above"
    if span.kind == "exact":
        assert (low, high) == (pytest.approx(min(defined), abs=1e-9), pytest.approx(max(defined), abs=1e-9))
    assert span.may_be_undefined == (None in values)


def highest(found: Sequence[Topic]) -> int:
    return max([0, *(grade for one in found for grade in one.grades.values())])


def best(top: int, convention: Convention) -> int:
    return max(top if convention.top_grade is None else convention.top_grade, convention.relevance_level)


@pytest.mark.parametrize("scope", ["within", "returned"])
@pytest.mark.parametrize("measure", NUMBERS)
@given(data=st.data(), topic=topics(), convention=conventions())
@settings(max_examples=60, deadline=None)
def test_no_assignment_leaves_the_range_and_an_exact_one_is_reached(
    measure: str, scope: str, data: st.DataObject, topic: Topic, convention: Convention
) -> None:
    asked = data.draw(asked_figures(measure, convention))
    top = highest([topic])
    asked = settled(asked, top, convention)
    found = measured([topic], asked, convention, top)[0]
    if found.undefined == "tool-fails":
        assert not found.bounds
        return
    span = found.bounds.get(f"unjudged-{scope}")
    holds(span, list(values(topic, asked, convention, rules(asked, convention), best(top, convention), scope)))
    if span is not None:
        assert span.varies == len(varied(topic, asked.k, convention, scope))


def mean_of(values: Sequence[float | None], over: str) -> float | None:
    defined = [value for value in values if value is not None]
    if not defined:
        return None
    if over == "sum":
        return sum(defined)
    if over == "geometric":
        return math.exp(sum(math.log(max(value, 0.00001)) for value in defined) / len(defined))
    return sum(defined) / len(defined)


@pytest.mark.parametrize("scope", ["within", "returned"])
@pytest.mark.parametrize("measure", NUMBERS)
@given(data=st.data(), found=st.lists(topics(4, 2), min_size=1, max_size=3), convention=conventions())
@settings(max_examples=25, deadline=None)
def test_no_assignment_leaves_the_range_over_topics(
    measure: str, scope: str, data: st.DataObject, found: list[Topic], convention: Convention
) -> None:
    asked = data.draw(asked_figures(measure, convention))
    top = highest(found)
    asked = settled(asked, top, convention)
    column = measured(found, asked, convention, top)
    if any(one.undefined == "tool-fails" for one in column):
        return
    mean: Mean = overall(column, asked, convention, 0)
    own = rules(asked, convention)
    each = [set(values(one, asked, convention, own, best(top, convention), scope)) for one in found]
    together = [mean_of(one, asked.measure.over_topics) for one in product(*each)]
    holds(mean.bounds.get(f"unjudged-{scope}"), together)


@pytest.mark.parametrize("measure", NUMBERS)
@given(data=st.data(), topic=topics(), convention=conventions())
@settings(max_examples=30, deadline=None)
def test_the_point_is_what_the_formula_gives(
    measure: str, data: st.DataObject, topic: Topic, convention: Convention
) -> None:
    asked = settled(data.draw(asked_figures(measure, convention)), highest([topic]), convention)
    found = measured([topic], asked, convention, highest([topic]))[0]
    if found.undefined == "tool-fails":
        return
    ranking = topic.ranking[: convention.depth]
    if convention.unjudged == "skip":
        ranking = [doc for doc in ranking if topic.grades.get(doc, -1) >= 0]
    own = rules(asked, convention)
    own = own if own.top else replace(own, top=max([1, *topic.grades.values()]))
    expected = figure(measure, ranking, topic.grades, own)
    if expected is None and convention.undefined == "zero":
        expected = zero(asked)
    assert found.value == (None if expected is None else pytest.approx(expected, abs=1e-9))


def test_the_oracle_knows_every_measure_that_has_a_number() -> None:
    assert sorted(ORACLE) == sorted(NUMBERS)


@pytest.mark.parametrize("scope", ["within", "returned"])
@pytest.mark.parametrize("measure", ["bpref", "binG", "iprec", "iprec-avg", "nDCG-rel", "R-nDCG", "G"])
@given(data=st.data(), topic=topics(), convention=conventions())
@settings(max_examples=30, deadline=None)
def test_where_the_work_is_too_much_the_range_is_outer_and_nothing_leaves_it(
    measure: str, scope: str, data: st.DataObject, topic: Topic, convention: Convention
) -> None:
    asked = data.draw(asked_figures(measure, convention))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unjudged_orders, "MOST_WORK", 0)
        patch.setattr(unjudged_grades, "MOST_ASSIGNMENTS", 0)
        found = measured([topic], asked, convention, highest([topic]))[0]
    if found.undefined == "tool-fails":
        return
    span = found.bounds.get(f"unjudged-{scope}")
    assert span is None or span.kind == "outer" or convention.undefined == "zero"
    own, top = rules(asked, convention), best(highest([topic]), convention)
    each = list(values(topic, asked, convention, own, top, scope))
    if span is None:
        assert not any(each)
    else:
        defined = [value for value in each if value is not None]
        assert number(span.low) <= min(defined, default=0) + 1e-9
        assert number(span.high) >= max(defined, default=1) - 1e-9


def test_a_figure_that_the_two_extreme_gains_leave_undefined_keeps_its_range(monkeypatch: pytest.MonkeyPatch) -> None:
    """Grade 2 has the highest gain and is not relevant here: only grade 3 gives R-nDCG a value."""
    gains = ((0, 0.0), (1, 0.5), (2, 3.0), (3, 1.0))
    convention = replace(TREC_EVAL, relevance_level=3, gain="map", gain_map=gains)
    monkeypatch.setattr(unjudged_grades, "MOST_ASSIGNMENTS", 0)
    topic = Topic(ranking=["d0"], grades={})
    found = measured([topic], parse_measure("R-nDCG", convention), convention, 0)[0]
    span = found.bounds["unjudged-within"]
    assert (number(span.low), number(span.high), span.kind) == (0.0, 1.0, "outer")
