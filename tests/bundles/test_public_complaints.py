"""What people who do this job have complained about in public, each as a case with the right answer."""

from __future__ import annotations

from case_files import PUMPS, answers, audit, figures, read, rules

from evaudit.audits.bundle_case import audit_case


def test_nothing_required_is_undefined_and_neither_one_nor_zero():
    result = audit("need: n\naccept: []\nselected: [{ref: s/x@1, start: 0, end: 1}]")
    assert set(figures(result).values()) <= {"undefined: no-requirement", "undefined: not-applicable"}
    assert (answers(result)["verdict"], answers(result)["reason"]) == ("undefined", "no-requirement")


def test_an_empty_selection_is_zero_and_its_precision_undefined():
    shown = figures(audit(PUMPS + "selected: []"))
    assert (shown["selected-recall"], shown["bundle-coverage"], shown["any-hit"]) == ("0/2", "0/1", "0/1")
    assert shown["evidence-precision"] == "undefined: no-selection"


def test_a_scored_case_can_be_scored_again_with_the_same_answer():
    case = read(PUMPS + "selected: [{ref: wiki/pump-a@1, start: 0, end: 21}]\nbudget: {units: 3}")
    first = figures(audit_case(case, "q"))
    assert figures(audit_case(case, "q")) == first


def test_duplicates_never_lift_recall_and_are_credited_once():
    a = "{ref: wiki/pump-a@1, start: 0, end: 21}"
    result = audit(PUMPS + f"selected: [{a}, {a}, {{ref: wiki/both@1, start: 0, end: 3}}]")
    assert figures(result)["selected-recall"] == "1/2"
    assert figures(result)["evidence-precision"] == "1/3"
    assert "repeated-span" in rules(result)


def test_a_component_that_is_named_twice_in_a_bundle_is_one():
    result = audit(PUMPS.replace("[[a, b]]", "[[a, a]]") + "selected: [{ref: wiki/pump-a@1, start: 0, end: 21}]")
    assert figures(result)["components-covered"] == "1/1"
    assert rules(result) == ["bundle-component-repeated"]


def test_the_same_unit_id_twice_withholds_the_figures_of_the_need():
    twice = (
        "selected: [{unit: u, ref: wiki/pump-a@1, start: 0, end: 21}, {unit: u, ref: wiki/pump-b@1, start: 0, end: 21}]"
    )
    result = audit(PUMPS + twice)
    assert "unit-id-repeated" in rules(result)
    assert set(figures(result).values()) == {"undefined: need-error", "undefined: not-applicable"}


def test_a_position_before_the_text_is_no_place_and_never_read_from_the_end():
    result = audit(PUMPS + "selected: [{ref: wiki/pump-a@1, start: -1, end: 21}]")
    assert figures(result)["components-covered"] == "undefined: units-unlocated"
    assert "reference-out-of-range" in rules(result)


def test_an_empty_text_is_no_unit():
    result = audit(PUMPS + 'selected: [{ref: wiki/pump-a@1, text: ""}]')
    assert "reference-out-of-range" in rules(result)
    assert figures(result)["evidence-precision"] == "0/1"


def test_a_unit_known_by_its_text_stands_where_the_text_occurs_exactly_once():
    once = audit(PUMPS + 'selected: [{ref: wiki/pump-a@1, text: "Pump A runs at 40 Hz."}]')
    assert figures(once)["components-covered"] == "1/2"
    often = audit(PUMPS + 'selected: [{ref: wiki/both@1, text: "Pump"}]')
    assert "unit-unlocated" in rules(often)


def test_a_unit_whose_text_is_not_the_stored_one_gets_no_credit_and_is_no_failure():
    result = audit(PUMPS + 'selected: [{ref: wiki/pump-a@1, start: 0, end: 21, text: "Pump A runs at 90 Hz."}]')
    assert "reference-text-mismatch" in rules(result)
    assert figures(result)["components-covered"] == "undefined: units-unlocated"


DOSES = """
documents:
  - {ref: handbook/dose@2, status: deleted, access: public, text: "Give 50 mg twice a day."}
  - {ref: handbook/dose@3, status: current, access: public, text: "Give 50 mg twice a day."}
  - {ref: board/minutes@1, status: current, access: board-only, text: "Give 50 mg twice a day."}
  - {ref: board/note@1, status: current, text: "Give 50 mg twice a day."}
view: {name: current, statuses: [current], access: [public]}
need: What is the dose?
components: {dose: {anchor: {ref: %s, start: 0, end: 23}}}
accept: [[dose]]
selected: [{ref: %s, start: 0, end: 23, score: 0.99}]
"""


def test_a_deleted_version_does_not_stand_in_for_the_current_one():
    shown = figures(audit(DOSES % ("handbook/dose@3", "handbook/dose@2")))
    assert shown["bundle-coverage"] == "0/1"


def test_eligibility_is_the_only_loss_of_an_otherwise_complete_bundle():
    for ref, state in (("handbook/dose@2", "deleted"), ("board/minutes@1", "restricted"), ("board/note@1", "unknown")):
        result = audit(DOSES % (ref, ref))
        shown = figures(result)
        assert (shown["complete"], shown["complete-ignoring-eligibility"]) == ("0/1", "1/1")
        assert answers(result)["lost-at"] == {"dose": "eligible"}
        assert result.details["selected_eligibility"] == {state: 1}


def test_a_label_of_the_unit_counts_where_the_document_has_none_and_beside_one_it_has():
    unlabelled = (DOSES % ("board/note@1", "board/note@1")).replace("score: 0.99", "access: public")
    assert figures(audit(unlabelled))["complete"] == "1/1"
    stricter = (DOSES % ("handbook/dose@3", "handbook/dose@3")).replace("score: 0.99", "access: secret")
    assert audit(stricter).details["selected_eligibility"] == {"restricted": 1}


def test_a_fabricated_reference_is_named_and_covers_nothing_whatever_its_score():
    result = audit(DOSES % ("handbook/dose@3", "handbook/dose@9"))
    assert "reference-fabricated" in rules(result)
    assert figures(result)["bundle-coverage"] == "0/1"


def test_an_anchor_that_does_not_resolve_stays_required_and_is_lost_at_resolved():
    result = audit(
        PUMPS.replace('at 50 Hz."}}', 'at 60 Hz."}}') + "selected: [{ref: wiki/pump-b@1, start: 0, end: 21}]"
    )
    assert figures(result)["components-covered"] == "0/2"
    assert answers(result)["lost-at"]["b"] == "resolved"
    assert answers(result)["reason"] == "unresolved-anchor"
    assert "anchor-unresolved" in rules(result)


def test_a_selected_unit_that_was_no_candidate_is_a_finding():
    both = (
        "candidates: [{unit: x, ref: wiki/pump-a@1, start: 0, end: 21}]\n"
        "selected: [{unit: %s, ref: wiki/pump-a@1, start: 0, end: 21}]"
    )
    assert "unit-not-a-candidate" not in rules(audit(PUMPS + both % "x"))
    assert "unit-not-a-candidate" in rules(audit(PUMPS + both % "y"))
