"""Work that grows with the input and not with its square, held by counting calls instead of seconds."""

from __future__ import annotations

from typing import Any

import pytest

from evaudit.decisions.cohort import Cohort
from evaudit.decisions.cohort_figures import Parts, endpoint_lines
from evaudit.decisions.state_table import StateTable, Tally
from evaudit.ranking import order
from evaudit.ranking.conventions import TREC_EVAL
from evaudit.ranking.order import RunTopic, judged_list
from evaudit.repeats import first_again
from evaudit.reports import terminal_fitting
from evaudit.reports.layout import Style


class Counter:
    """Counts the calls of a function or method."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
        self.calls = 0
        function = getattr(owner, name)

        def counting(*given: Any, **named: Any) -> Any:
            self.calls += 1
            return function(*given, **named)

        monkeypatch.setattr(owner, name, counting)


def test_the_width_of_each_word_of_a_cell_is_measured_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    words = 3000
    measured = Counter(monkeypatch, terminal_fitting, "display_width")
    row = ["name", "21/43", ", ".join(f"part{n} of {n}" for n in range(words // 3))]
    text = terminal_fitting.fitted(("figure", "exact", "note"), [row] * 3, Style(width=120))
    assert max(map(len, text.split("\n"))) <= 120
    assert measured.calls < 20 * words


def test_a_sentence_measures_each_word_once(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = Counter(monkeypatch, terminal_fitting, "display_width")
    terminal_fitting.sentence("word " * 1000, Style(width=120))
    assert measured.calls < 1100


def test_endpoints_of_one_state_each_are_added_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    states = [f"s{n}" for n in range(400)]
    table = StateTable({state: Tally(1, 2, 3) for state in states})
    added = Counter(monkeypatch, Tally, "plus")
    parts = Parts.of(table, states, frozenset(states[:200]))
    for state in states:
        endpoint_lines(parts, state, [state])
    assert added.calls < 10 * len(states)


def test_the_undecided_states_are_listed_once() -> None:
    cohort = Cohort.model_validate(
        {
            "id": "c",
            "table": {"in": {"positive": "1", "negative": "0"}},
            "states": {"in": {"decided": "no"}},
            "labels": {"provenance": {"kind": "heuristic"}},
            "endpoints": {"kept": ["in"]},
        }
    )
    assert cohort.undecided is cohort.undecided == {"in"}
    assert cohort.labels.meaning is cohort.labels.meaning


@pytest.mark.parametrize("ties", ["docno-descending", "docno-ascending"])
def test_each_group_of_equal_scores_is_looked_at_once(monkeypatch: pytest.MonkeyPatch, ties: str) -> None:
    groups, size = 5, 40
    documents = [f"d{(n * 7919) % 1000:03}".encode() for n in range(groups * size)]
    scores = [float(groups - n // size) for n in range(groups * size)]
    run = RunTopic("t", documents, (), scores, range(len(documents)))
    looked = Counter(monkeypatch, order, "tie_group")
    found = judged_list(run, dict.fromkeys(reversed(documents), 1), TREC_EVAL.choose(ties=ties), ties=True)
    assert looked.calls == groups
    assert found.ranks == list(range(1, len(documents) + 1))
    assert found.tied == [(n // size * size + 1, size) for n in range(len(documents))]


def test_the_first_value_that_stands_again() -> None:
    assert first_again(["a", "b", "b", "a"]) == "b"
    assert first_again(["", "x", ""]) == ""
    assert first_again(map(str, range(9))) is None
