"""Every measure has its text, its file and names that round-trip; every choice of the convention is printed."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from evaudit import ranking
from evaudit.definitions import HEADINGS
from evaudit.figures import parse_name
from evaudit.ranking.conventions import BOOK, CHOICES, CONVENTIONS, TREC_EVAL, Convention
from evaudit.ranking.measures import MEASURES, Measure
from evaudit.ranking.spelling import MeasureNameError, parse_measure, parse_measures

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


THREE = [
    ("nDCG(gain=linear)@10", "ndcg_cut.10", "nDCG@10"),
    ("P@5", "P.5", "P@5"),
    ("recall@100", "recall.100", "R@100"),
    ("AP", "map", "AP"),
    ("AP@5", "map_cut.5", "AP@5"),
    ("RR", "recip_rank", "RR"),
    ("Rprec", "Rprec", "Rprec"),
    ("bpref", "bpref", "Bpref"),
    ("infAP", "infAP", "infAP"),
    ("success@5", "success.5", "Success@5"),
    ("iprec(recall=0.1)", "iprec_at_recall.0.1", "IPrec@0.1"),
    ("set-P", "set_P", "SetP"),
    ("set-recall", "set_recall", "SetR"),
    ("set-AP", "set_map", "SetAP"),
    ("set-relative-P", "set_relative_P", "SetRelP"),
    ("set-F(x=0.25)", "set_F.0.25", "SetF(beta=0.5)"),
    ("RBP(p=0.8)", "rbp.p=0.8", "RBP(p=0.8)"),
    ("num-ret", "num_ret", "NumRet"),
    ("num-rel", "num_rel", "NumRel"),
    ("num-q", "num_q", "NumQ"),
    ("nDCG(gain=exponential)", "nDCG(gain=exponential)", "nDCG(dcg='exp-log2')"),
    ("nDCG(gain=1=3;2=9)", "ndcg.1=3,2=9", "nDCG(gain=1=3;2=9)"),
]


@pytest.mark.parametrize("names", THREE, ids=lambda names: names[0])
def test_three_spellings_are_one_measure(names: tuple[str, ...]) -> None:
    assert {asked.name for text in names for asked in parse_measures(text, TREC_EVAL)} == {names[0]}


def test_one_name_of_trec_eval_may_be_several_measures() -> None:
    assert [asked.name for asked in parse_measures("P.10,5", BOOK)] == ["P@5", "P@10"]
    assert [asked.name for asked in parse_measures("ndcg_cut.10,23.4", TREC_EVAL)][1] == "nDCG(gain=linear)@23"
    assert (
        len(parse_measures("all_trec", TREC_EVAL)) == len({a.name for a in parse_measures("all_trec", TREC_EVAL)}) > 80
    )
    assert parse_measures("11pt_avg..25,.5,.75", BOOK)[0].name == "iprec-avg(points=0.25:0.5:0.75)"
    assert parse_measures("utility.2,-1,0,0", BOOK)[0].name == "utility(a=2, b=-1, c=0, d=0)"


BAD_PARAMETERS = """
    P.0 P.5,5 P.x utility.1,2 map.5 iprec_at_recall.2 rbp.p=1.5 set_F.x Rprec_mult.-1 AP@5.5 bpref@5 ndcg.1=x
    ndcg.-1=1 relstring.0
"""


@pytest.mark.parametrize("text", BAD_PARAMETERS.split())
def test_parameters_that_trec_eval_refuses_are_refused(text: str) -> None:
    with pytest.raises(MeasureNameError):
        parse_measures(text, TREC_EVAL)


@pytest.mark.parametrize("text", SPELLINGS)
def test_shorter_spellings_are_accepted(text: str) -> None:
    assert parse_measure(text, BOOK).name == SPELLINGS[text]


@pytest.mark.parametrize(
    "text",
    ["P", "judged", "P@0", "P@-1", "P@1.5", "P@", "P@ten", "", "Q@3", "P(bound=mid)@3", "P(gain=linear)@3",
     "nDCG(gain=map)@3", "relstring(bound=low)", "P(bound)@3"],
)  # fmt: skip
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(MeasureNameError):
        parse_measure(text, BOOK)


@pytest.mark.parametrize(("text", "instead"), [("AP(rel=2)@10", "-l N"), ("nDCG(judged_only=True)@10", "-J")])
def test_a_parameter_of_ir_measures_that_is_a_choice_here_says_what_to_write(text: str, instead: str) -> None:
    with pytest.raises(MeasureNameError, match=instead):
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
