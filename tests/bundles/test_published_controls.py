"""The three controls of the chapter, and their twins."""

from __future__ import annotations

from case_files import PUMPS, answers, audit, figures, rules

RESET = """
documents:
  - {ref: handbook/reset-guide@3, status: current, access: public, text: "Hold the side button for ten seconds to reset the meter. The lamp turns green."}
view: {name: current, statuses: [current], access: [public]}
need: "How is the meter reset, and how is its battery replaced?"
components:
  reset: {anchor: {ref: handbook/reset-guide@3, exact: "Hold the side button for ten seconds to reset the meter."}}
  battery: {absent: {inventory: [handbook/reset-guide@3], declared_by: "author, full read"}}
accept: [[reset, battery]]
"""  # noqa: E501  (the text of the published control)


def test_partial_absence_covers_one_component_and_never_the_need():
    result = audit(RESET + "selected: [{unit: u1, ref: handbook/reset-guide@3, start: 0, end: 78}]")
    shown = figures(result)
    assert shown["bundle-coverage"] == "0/1"
    assert shown["components-covered"] == "1/2"
    assert shown["existing-components-covered"] == "1/1"
    assert shown["single-unit-sufficiency"] == "0/1"
    assert answers(result)["verdict"] == "incomplete"
    assert answers(result)["reason"] == "absent-component"
    assert answers(result)["lost-at"] == {"battery": "resolved"}


def test_a_bundle_without_the_absent_component_can_still_be_complete():
    text = RESET.replace("accept: [[reset, battery]]", "accept: [[reset, battery], [reset]]")
    result = audit(text + "selected: [{unit: u1, ref: handbook/reset-guide@3, start: 0, end: 78}]")
    assert answers(result)["verdict"] == "satisfied"
    assert next(f for f in result.iter_figures() if f.measure == "components-covered").params["bundle"] == "2"


def test_candidate_recall_is_one_while_the_selection_loses_half():
    result = audit(
        PUMPS
        + """
budget: {units: 1}
candidates:
  - {unit: p1, ref: wiki/pump-a@1, start: 0, end: 21}
  - {unit: p2, ref: wiki/pump-b@1, start: 0, end: 21}
selected: [p1]
"""
    )
    shown = figures(result)
    assert (shown["candidate-recall"], shown["selected-recall"], shown["bundle-coverage"]) == ("2/2", "1/2", "0/1")
    told = answers(result)
    assert told["lost-at"] == {"b": "selected"}
    assert told["budget-feasible"] is False
    assert told["min-units-needed"] == 2
    assert told["verdict"] == "incomplete"


def test_a_selection_beyond_the_budget_is_lost_there():
    both = "selected: [{ref: wiki/pump-a@1, start: 0, end: 21}, {ref: wiki/pump-b@1, start: 0, end: 21}]\n"
    for budget, complete in (
        ("{units: 1}", "0/1"),
        ("{units: 2}", "1/1"),
        ("{chars: 41}", "0/1"),
        ("{chars: 42}", "1/1"),
    ):
        result = audit(PUMPS + both + f"budget: {budget}\n")
        assert figures(result)["complete"] == complete
        assert answers(result)["lost-at"] == ({} if complete == "1/1" else {"b": "within-budget"})
        assert answers(result)["reason"] == (None if complete == "1/1" else "over-budget")


def test_a_span_that_is_one_character_short_is_not_covered():
    for end, covered in ((21, "1/2"), (20, "0/2")):
        result = audit(PUMPS + f"selected: [{{ref: wiki/pump-a@1, start: 0, end: {end}}}]")
        assert figures(result)["components-covered"] == covered
        assert answers(result)["reason"] == ("uncovered" if end == 21 else "partial-overlap")


def test_a_passage_across_a_chunk_border_is_covered_joined_and_not_whole():
    cut = """
  - {unit: c1, ref: wiki/pump-a@1, start: 0, end: 10}
  - {unit: c2, ref: wiki/pump-a@1, start: %d, end: 21}
  - {unit: c3, ref: wiki/pump-b@1, start: 0, end: 21}
"""
    for second, joined in ((10, "1/1"), (9, "1/1"), (11, "0/1")):
        shown = figures(audit(PUMPS + "selected:" + cut % second))
        assert (shown["bundle-coverage"], shown["bundle-coverage-joined"]) == ("0/1", joined)


def test_chunk_borders_of_the_corpus_are_a_stage_of_their_own():
    units = """
units: [{unit: c1, ref: wiki/pump-a@1, start: 0, end: 10}, {unit: c2, ref: wiki/pump-a@1, start: 10, end: 21}, {unit: c3, ref: wiki/pump-b@1, start: 0, end: 21}]
selected: [c1, c2, c3]
"""  # noqa: E501  (one list on one line)
    result = audit(PUMPS + units)
    assert answers(result)["lost-at"] == {"a": "intact"}
    assert answers(result)["min-units-needed"] is None


def test_one_unit_that_holds_all_anchors_is_sufficient_alone():
    both = PUMPS.replace("wiki/pump-a@1, exact", "wiki/both@1, exact").replace(
        "wiki/pump-b@1, exact", "wiki/both@1, exact"
    )
    shown = figures(audit(both + "selected: [{ref: wiki/both@1, start: 0, end: 43}]"))
    assert shown["single-unit-sufficiency"] == "1/1"
    apart = "selected: [{ref: wiki/both@1, start: 0, end: 21}, {ref: wiki/both@1, start: 22, end: 43}]"
    shown = figures(audit(both + apart))
    assert (shown["bundle-coverage"], shown["single-unit-sufficiency"]) == ("1/1", "0/1")


def test_a_whole_document_holds_every_passage_of_it():
    shown = figures(audit(PUMPS + "selected: [{ref: wiki/pump-a@1, space: document}]"))
    assert shown["components-covered"] == "1/2"


def test_two_spaces_are_incomparable_which_is_not_false():
    result = audit(PUMPS + "selected: [{ref: wiki/pump-a@1, space: sentence, start: 0, end: 1}]")
    assert "anchor-space-not-comparable" in rules(result)
    assert figures(result)["bundle-coverage"] == "undefined: need-error"
    assert answers(result)["verdict"] == "withheld"
