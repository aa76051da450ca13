"""A topic that the judgements name and say nothing about is counted, whatever the judgements come as."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import evaudit
from evaudit.api.answers import Audit
from evaudit.ranking.conventions import BOOK, TREC_EVAL, Convention

RUN = {"q1": ["a", "b"], "q2": ["c"], "q3": ["a"]}
UNJUDGED = BOOK.choose(grade_map=(("-1", "unjudged"),))


def rank(qrels: Mapping[str, Mapping[str, int]], convention: Convention = BOOK, **more: object) -> Audit:
    return evaudit.rank(qrels, RUN, ["RR", "P@1", "num-q"], convention, **more)  # type: ignore[arg-type]  # choices


@pytest.mark.parametrize(
    ("qrels", "convention", "more"),
    [
        ({"q1": {"a": 1}, "q2": {}, "q3": {"a": 1}}, BOOK, {}),
        ({"q1": {"a": 1}, "q2": {"c": -1}, "q3": {"a": 1}}, UNJUDGED, {}),
        ({"q1": {"a": 1}, "q2": {}, "q3": {"a": 1}}, BOOK, {"unjudged": "skip"}),
        ({"q1": {"a": 1}, "q2": {"c": -1}, "q3": {"a": 1}}, UNJUDGED, {"unjudged": "skip"}),
    ],
)
def test_a_topic_without_judgements_is_undefined_counted_and_named(
    qrels: Mapping[str, Mapping[str, int]], convention: Convention, more: dict[str, object]
) -> None:
    found = rank(qrels, convention, **more)
    rr, precision, topics = found.result.means
    assert (rr.value, rr.n, rr.n_undefined) == (1.0, 2, {"no-known-positives": 1})
    assert (precision.n, topics.num) == (3, 3)
    assert found.figures["RR[need=q2]"].undefined == "no-known-positives"
    [note] = [one for one in found.findings if one.rule == "topic-without-judgements"]
    assert "topic q2 of the qrels has no judgement that counts" in note.message


def test_what_such_a_topic_could_be_is_in_the_range_of_the_mean() -> None:
    span = rank({"q1": {"b": 1}, "q2": {}, "q3": {"a": 1}}).result.means[0].bounds["unjudged-within"]
    assert (span.low, span.high, span.kind) == (0.75, 1.0, "exact")


def test_undefined_counts_as_zero_where_the_convention_says_so() -> None:
    mean = rank({"q1": {"a": 1}, "q2": {}, "q3": {"a": 1}}, TREC_EVAL).result.means[0]
    assert (mean.value, mean.n) == (pytest.approx(2 / 3), 3)
