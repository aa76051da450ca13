"""Every measure has its text, its file and names that round-trip; every choice of the convention is printed."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from evaudit import ranking
from evaudit.definitions import HEADINGS
from evaudit.figures import parse_name
from evaudit.ranking.conventions import BOOK, CHOICES, CONVENTIONS, Convention
from evaudit.ranking.measures import MEASURES, Measure
from evaudit.ranking.spelling import MeasureNameError, parse_measure

FOLDER = Path(next(iter(ranking.__path__))) / "measures"


def test_every_file_is_in_the_list_and_bears_the_id() -> None:
    files = {path.stem for path in FOLDER.glob("*.py")} - {"__init__", "measure"}
    assert files == {measure.id.lower().replace("-", "_") for measure in MEASURES}


@pytest.mark.parametrize("measure", MEASURES, ids=lambda m: m.id)
def test_every_measure_has_its_text_under_every_heading(measure: Measure) -> None:
    sections = measure.definition.sections()
    assert [heading for heading, _ in sections] == [heading for _, heading in HEADINGS]
    assert all(text.strip() for _, text in sections)


@pytest.mark.parametrize("measure", MEASURES, ids=lambda m: m.id)
def test_printed_names_parse_back(measure: Measure) -> None:
    asked = parse_measure(measure.id if measure.cutoff == "none" else f"{measure.id}@7", BOOK)
    again = parse_measure(asked.name, BOOK.choose(gain="linear"))
    assert (again.name, again.params) == (asked.name, asked.params)
    assert parse_name(asked.name)[0] == asked.measure.id


SPELLINGS = {
    "nDCG@10": "nDCG(gain=exponential)@10",
    "ndcg@10": "nDCG(gain=exponential)@10",
    "nDCG": "nDCG(gain=exponential)",
    "nDCG(gain=linear)@10": "nDCG(gain=linear)@10",
    "P@10": "P@10",
    "precision@3": "P@3",
    "AP": "AP",
    "MAP": "AP",
    "AP@5": "AP@5",
    "RR@10": "RR@10",
    "MRR@4": "RR@4",
    "MRR": "RR",
    "recall@5": "recall@5",
    "R@5": "recall@5",
    "ideal-DCG@3": "ideal-DCG(gain=exponential)@3",
    "IDCG@3": "ideal-DCG(gain=exponential)@3",
    "judged@3": "judged@3",
    "P(bound=high)@3": "P(bound=high)@3",
    " P@3 ": "P@3",
}


@pytest.mark.parametrize("text", SPELLINGS)
def test_shorter_spellings_are_accepted(text: str) -> None:
    assert parse_measure(text, BOOK).name == SPELLINGS[text]


@pytest.mark.parametrize(
    "text",
    ["P", "judged", "P@0", "P@-1", "P@1.5", "P@", "P@ten", "", "Q@3", "P(bound=mid)@3", "P(gain=linear)@3",
     "nDCG(gain=map)@3", "DCG(bound=low)@3", "P(bound)@3"],
)  # fmt: skip
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(MeasureNameError):
        parse_measure(text, BOOK)


def test_the_closed_lists_are_those_of_the_type_hints() -> None:
    hints = get_type_hints(Convention)
    assert {n: get_args(h) for n, h in hints.items() if get_origin(h) is Literal} == CHOICES


SCORES = ("ties", "score_precision")


def test_every_choice_of_the_convention_is_printed_and_can_be_set_alone() -> None:
    printed = BOOK.as_dict()
    assert next(iter(printed)) == "name"
    assert set(printed) == {field.name for field in fields(Convention)} | {"changed", "digest"}
    for name, values in CHOICES.items():
        for value in values:
            if getattr(BOOK, name) == value or (name, value) == ("gain", "map") or value == "list":
                continue
            other = BOOK.choose(**{"order": "score", name: value} if name in SCORES else {name: value})
            assert name in other.changed
            assert other.as_dict()["digest"] != printed["digest"]


def test_a_value_that_no_choice_offers_is_refused() -> None:
    with pytest.raises(ValueError, match="zero or skip"):
        BOOK.choose(unjudged="ignored")
    with pytest.raises(TypeError):
        BOOK.choose(cutoff=3)
    assert set(CONVENTIONS) == {"book", "trec_eval"}
