"""Web annotations whose selectors are refined: the finer one selects within the passage of the wider one."""

from __future__ import annotations

import json
from functools import reduce

import pytest

from evaudit.audits.anchors import AnchorFiles, check_anchors
from evaudit.audits.foreign import audit_foreign
from evaudit.formats.foreign import Request

TEXT = "Alpha pays 5. Beta pays 5. 🤔 Gamma pays 7."


def quote(exact, **more):
    return {"type": "TextQuoteSelector", "exact": exact, **more}


def position(start, end):
    return {"type": "TextPositionSelector", "start": start, "end": end}


def refined(*selectors):
    """The first refined by the second, that one by the third, and so on."""
    return reduce(lambda finer, wider: {**wider, "refinedBy": finer}, reversed(selectors))


def files(tmp_path, selector, **more):
    (tmp_path / "web").mkdir(exist_ok=True)
    (tmp_path / "web" / "page.txt").write_text(TEXT, encoding="utf-8")
    gold = tmp_path / "g.jsonl"
    gold.write_text(
        json.dumps({"id": "n", "target": {"source": "page", "selector": selector}, **more}), encoding="utf-8"
    )
    return gold


HOLDS = [
    ((quote("Beta pays 5."), quote("pays 5")), "pays 5", 19),  # it stands twice in the page, once in the passage
    ((position(14, 26), position(5, 9)), "pays", 19),
    ((quote("Beta pays 5."), position(0, 4)), "Beta", 14),
    ((position(14, 26), quote("5", prefix="pays ", suffix=".")), "5", 24),
    ((position(0, 26), quote("Beta pays 5."), position(5, 11), quote("5")), "5", 24),
    (({"type": "FragmentSelector", "value": "char=27,42"}, quote("Gamma")), "Gamma", 29),
]


@pytest.mark.parametrize(("chain", "passage", "start"), HOLDS)
def test_a_refined_selection_stands_within_the_wider_one(tmp_path, chain, passage, start):
    assert TEXT[start : start + len(passage)] == passage
    gold = files(tmp_path, refined(*chain))
    predicted = tmp_path / "p.jsonl"
    for low, high, verdict in (
        (start, start + len(passage), "satisfied"),
        (start + 1, len(TEXT), "incomplete"),
        (0, start + len(passage) - 1, "incomplete"),
    ):
        predicted.write_text(json.dumps({"need": "n", "selected": [{"source": "page", "start": low, "end": high}]}))
        result = audit_foreign("web-annotation", Request(gold, predicted), documents=str(tmp_path))
        assert result.details["needs"][0]["verdict"] == verdict, (low, high)
    checked = check_anchors(AnchorFiles(str(tmp_path), None, "web-annotation", str(gold)))
    assert checked.details["states"] == {"resolved": 1}


@pytest.mark.parametrize(
    ("chain", "state", "said"),
    [
        ((quote("Beta pays 5."), quote("Alpha")), "not-found", "refinement 1"),
        ((quote("pays 5"), quote("5")), "ambiguous", ""),  # the wider one is not one passage
        ((position(14, 26), quote("Beta", prefix=" ")), "not-found", "refinement 1"),  # nothing stands before it there
        ((position(14, 26), position(5, 13)), "out-of-range", "refinement 1"),
        ((position(0, 99), position(0, 4)), "out-of-range", ""),
    ],
)
def test_what_does_not_stand_in_the_wider_selection_does_not_resolve(tmp_path, chain, state, said):
    checked = check_anchors(AnchorFiles(str(tmp_path), None, "web-annotation", str(files(tmp_path, refined(*chain)))))
    assert checked.details["states"] == {state: 1}
    assert said in checked.findings[0].message


def test_without_texts_positions_within_positions_are_taken_as_stated(tmp_path):
    gold = files(tmp_path, refined(position(14, 26), position(5, 9)))
    predicted = tmp_path / "p.jsonl"
    for low, high, verdict in ((19, 23, "satisfied"), (14, 22, "incomplete"), (5, 9, "incomplete")):
        predicted.write_text(json.dumps({"need": "n", "selected": [{"source": "page", "start": low, "end": high}]}))
        assert audit_foreign("web-annotation", Request(gold, predicted)).details["needs"][0]["verdict"] == verdict
    beyond = files(tmp_path, refined(position(14, 26), position(5, 13)))
    found = audit_foreign("web-annotation", Request(beyond)).findings
    assert [f.rule for f in found] == ["anchor-unresolved"] and "of 12 positions" in found[0].message
    quoted = files(tmp_path, refined(position(14, 26), quote("Beta")))
    assert "no text" in audit_foreign("web-annotation", Request(quoted)).findings[0].message


def test_offsets_of_hypothesis_count_utf16_within_the_passage_too(tmp_path):
    gold = files(tmp_path, refined(quote("🤔 Gamma pays 7."), position(3, 8)), generator="https://hypothes.is")
    checked = check_anchors(AnchorFiles(str(tmp_path), None, "web-annotation", str(gold)))
    assert checked.details["states"] == {"resolved": 1}
    predicted = tmp_path / "p.jsonl"
    predicted.write_text(json.dumps({"need": "n", "selected": [{"source": "page", "start": 29, "end": 34}]}))
    result = audit_foreign("web-annotation", Request(gold, predicted), documents=str(tmp_path))
    assert result.details["verdicts"]["satisfied"] == 1


@pytest.mark.parametrize(
    "selector",
    [
        refined({"type": "XPathSelector", "value": "/p[2]"}, quote("Beta")),
        refined(quote("Beta pays 5."), {"type": "CssSelector", "value": "b"}),
        {**quote("Beta pays 5."), "refinedBy": [quote("Beta"), quote("5")]},
    ],
)
def test_a_refinement_that_cannot_be_read_is_told_and_has_no_place(tmp_path, selector):
    found = audit_foreign("web-annotation", Request(files(tmp_path, selector)), documents=str(tmp_path)).findings
    assert [f.rule for f in found] == ["anchor-unresolved"] and "names no place in the text" in found[0].message
    beside = files(tmp_path, [selector, quote("Beta pays 5.")])
    assert not audit_foreign("web-annotation", Request(beside), documents=str(tmp_path)).findings
