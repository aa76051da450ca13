"""Intervals of means over topics: seeded, printed with their seed, equal to what theory and scipy say."""

from __future__ import annotations

import json
import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from rank_command import run
from scipy import stats
from small_runs import write

import evaudit
from evaudit.audits.ranking import audit_runs
from evaudit.errors import UsageError
from evaudit.ranking.conventions import BOOK
from evaudit.ranking.resampling import Resampling
from evaudit.reports import render
from evaudit.reports.layout import Style

FILES = (
    "1 a=1; 2 a=1; 3 a=1; 4 a=1; 5 a=0",
    "1 a(9); 2 x(9) a(8); 3 x(9) y(8) a(7) z(6); 4 x(9)",
)


def test_the_interval_of_three_topics_is_that_of_all_27_resamples() -> None:
    values = [0.0, 0.25, 1.0]
    means = sorted(sum(drawn) / 3 for drawn in product(values, repeat=3))
    found = Resampling(level=0.8, resamples=200_000).interval(values)
    assert found is not None
    # a tenth of the 27 means is 2.7, so that each end is the third from outside
    assert (found.low, found.high) == pytest.approx((means[2], means[-3]))


def test_it_agrees_with_scipy_but_for_the_draws() -> None:
    values = list(np.random.RandomState(5).beta(0.5, 1.0, 60))
    ours = Resampling(resamples=50_000).interval(values)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=50_000, method="percentile", random_state=np.random.default_rng(0)
    ).confidence_interval
    assert ours is not None
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.003)


def test_the_seed_decides_and_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    qrels, runs = write(tmp_path, *FILES)

    def asked(*options: str) -> dict[str, object]:
        assert run([qrels, *runs, "-m", "RR", "--format", "json", *options]) == 0
        result: dict[str, object] = json.loads(capsys.readouterr().out)
        return result

    once, again, other = asked("--interval", ".9"), asked("--interval", ".9"), asked("--interval", ".9", "--seed", "2")
    assert once == again
    assert once["interval"] == {"method": "bootstrap-percentile", "level": 0.9, "resamples": 10_000, "seed": 1}
    assert other["means"][0]["interval"]["method"] == "bootstrap-percentile(resamples=10000, seed=2)"  # type: ignore[index]  # JSON
    assert "interval" not in asked()["means"][0]  # type: ignore[index]  # JSON


def test_only_topics_in_the_mean_are_drawn_and_a_geometric_mean_has_one_too(tmp_path: Path) -> None:
    names = ["RR", "GM-AP", "num-ret"]
    result = audit_runs(*write(tmp_path, *FILES), names, BOOK, resampling=Resampling(seed=3))
    reciprocal, geometric, count = result.means
    alone = Resampling(seed=3).interval([1.0, 1 / 2, 1 / 3, 0.0])
    assert reciprocal.interval == alone
    logs = Resampling(seed=3).interval([math.log(v) for v in (1.0, 1 / 2, 1 / 3, 0.00001)])
    assert geometric.interval is not None and logs is not None
    assert (geometric.interval.low, geometric.interval.high) == (math.exp(logs.low), math.exp(logs.high))
    assert geometric.interval.low <= geometric.value <= geometric.interval.high  # type: ignore[operator]  # a number
    assert count.interval is None
    for name in ("table", "markdown", "csv", "jsonl"):
        text = " ".join(render(result, name, 0, Style(width=200)).split())
        assert "seed 3" in text or "seed=3" in text


def test_one_topic_has_no_interval(tmp_path: Path) -> None:
    [mean] = audit_runs(*write(tmp_path, "1 a=1; 2 b=0", "1 a(1)"), ["AP"], BOOK, resampling=Resampling()).means
    assert mean.interval is None


BAD = [
    (["--interval", "1"], "between 0 and 1"),
    (["--interval", "nan"], "between 0 and 1"),
    (["--interval", "0.999", "--resamples", "1000"], "from 2000"),
    (["--interval", "0.95", "--seed", "-1"], "whole number from 0"),
    (["--seed", "1"], "needs --interval"),
    (["--interval", "0.95", "--convention", "trec_eval", "--format", "trec_eval"], "no place"),
]


@pytest.mark.parametrize(("options", "message"), BAD)
def test_what_gives_no_interval_is_refused(tmp_path: Path, options: list[str], message: str) -> None:
    qrels, runs = write(tmp_path, *FILES)
    with pytest.raises(UsageError, match=message):
        run([qrels, *runs, *options])


def test_the_function_takes_the_same_choices() -> None:
    answer = evaudit.rank({"1": {"a": 1}, "2": {"b": 1}}, {"1": ["a"], "2": ["x", "b"]}, "RR", interval=0.95, seed=4)
    [mean] = answer.result.means
    assert mean.interval == Resampling(0.95, 4).interval([1.0, 0.5])
    with pytest.raises(UsageError, match="between 0 and 1"):
        evaudit.rank({"1": {"a": 1}}, {"1": ["a"]}, "RR", interval=95)
