"""Covering positive text and accepting a relation are two questions."""

from __future__ import annotations

import pytest
from case_files import answers, audit, figures, read, rules
from pydantic import ValidationError

from evaudit.errors import InvalidDocumentError

CASE = """
documents:
  - {{ref: directory/assignments@8, status: current, access: public, text: "Analyst 7 is assigned to Project Kestrel. Analyst 7 is assigned to Project Heron as of May."}}
  - {{ref: directory/contacts@2, status: current, access: public, text: "The contact for Project Kestrel is Desk Two."}}
  - {{ref: archive/assignments@1, status: {old}, access: public, text: "Analyst 7 is assigned to Project Heron."}}
view: {{name: current, statuses: [current], access: [public]}}
rules:
  - {{id: one-project, kind: single-valued, relation: assigned_to, look_in: {look}, settle: {settle}{sources}}}
need: "Who is the contact for Analyst 7's project?"
components:
  assignment: {{anchor: {{ref: directory/assignments@8, exact: "Analyst 7 is assigned to Project Kestrel."}}}}
  contact: {{anchor: {{ref: directory/contacts@2, exact: "The contact for Project Kestrel is Desk Two."}}}}
accept: [[assignment, contact]]
claims:
  - {{id: c1, component: assignment, says: [Analyst 7, assigned_to, Project Kestrel]{c1}}}
  - {{id: c2, component: contact, says: [Project Kestrel, contact, Desk Two]}}
  - {{id: c3, anchor: {{ref: {where}}}, says: [Analyst 7, assigned_to, Project Heron]{c3}}}
{path}
selected:
  - {{unit: k1, ref: directory/assignments@8, start: 0, end: 41}}
  - {{unit: k2, ref: directory/contacts@2, start: 0, end: 44}}
{more}
"""  # noqa: E501  (texts of the published control)

HERE = 'directory/assignments@8, exact: "Analyst 7 is assigned to Project Heron as of May."'
ARCHIVE = 'archive/assignments@1, exact: "Analyst 7 is assigned to Project Heron."'
K3 = "  - {unit: k3, ref: directory/assignments@8, start: 42, end: 91}"


def case(**changes):
    given = {
        "look": "inventory", "settle": "none", "sources": "", "c1": "", "c3": "", "where": HERE, "path": "path: "
        "[c1, c2]",
        "more": "", "old": "current",
    } | changes  # fmt: skip
    return audit(CASE.format(**given))


def test_the_opposing_assignment_refuses_the_path_and_leaves_coverage_true():
    result = case(more=K3)
    assert figures(result)["bundle-coverage"] == "1/1"
    assert figures(result)["single-unit-sufficiency"] == "0/1"
    told = answers(result)
    assert (told["path"], told["verdict"]) == ("refused", "refused")
    assert told["conflict"] == {
        "rule": "one-project", "claim": "c1", "opposed_by": ["c3"], "seen_in": ["inventory", "selected"],
    }  # fmt: skip
    assert figures(result)["complete"] == "0/1"
    assert figures(result)["complete-ignoring-eligibility"] == "1/1"
    assert told["lost-at"] == {"assignment": "conflict-free"}


def test_leaving_the_opposing_clause_out_of_the_packet_settles_nothing():
    assert answers(case())["conflict"]["seen_in"] == ["inventory"]
    assert answers(case())["verdict"] == "refused"


def test_a_rule_that_looks_in_the_selection_sees_only_the_selection():
    assert answers(case(look="selected"))["verdict"] == "satisfied"
    assert answers(case(look="selected", more=K3))["verdict"] == "refused"


NEWEST = [
    ("2026-06-01", "2026-05-01", "supported", "satisfied"),
    ("2026-05-01", "2026-06-01", "refused", "refused"),
    ("2026-05-01", "2026-05-01", "refused", "refused"),
    ("2026-05-01", None, "refused", "refused"),
    (None, None, "refused", "refused"),
]


@pytest.mark.parametrize(("first", "other", "path", "verdict"), NEWEST)
def test_the_newest_claim_stands_and_a_missing_or_equal_date_leaves_it_open(first, other, path, verdict):
    dates = {k: f", valid_from: {v}" if v else "" for k, v in (("c1", first), ("c3", other))}
    told = answers(case(settle="newest", **dates))
    assert (told["path"], told["verdict"]) == (path, verdict)


def test_a_settlement_against_a_step_refuses_the_path_as_dismissed():
    told = answers(case(settle="newest", c1=", valid_from: 2026-05-01", c3=", valid_from: 2026-06-01"))
    assert [c["cause"] for c in told["causes"]] == ["claim-dismissed"]


def test_the_order_of_sources_settles_where_both_are_listed():
    archive = {"where": ARCHIVE, "settle": "source-order"}
    assert answers(case(**archive, sources=", sources: [directory, archive]"))["verdict"] == "satisfied"
    assert answers(case(**archive, sources=", sources: [archive, directory]"))["verdict"] == "refused"
    assert answers(case(**archive, sources=", sources: [directory]"))["verdict"] == "refused"


def resolution(keep, dismiss):
    return (
        f"resolutions: [{{rule: one-project, keep: {keep}, dismiss: [{dismiss}], by: registrar, why: letter of May}}]"
    )


def test_an_explicit_resolution_settles_and_can_dismiss_the_path():
    kept = case(path="path: [c1, c2]\n" + resolution("c1", "c3"))
    assert (answers(kept)["path"], answers(kept)["verdict"]) == ("supported", "satisfied")
    dismissed = case(path="path: [c1, c2]\n" + resolution("c3", "c1"))
    assert answers(dismissed)["path"] == "refused"
    assert answers(dismissed)["causes"][0]["cause"] == "claim-dismissed"


def test_only_current_claims_oppose_and_only_at_the_same_time():
    assert answers(case(where=ARCHIVE, old="superseded"))["verdict"] == "satisfied"
    assert answers(case(c1=", valid_to: 2026-05-01", c3=", valid_from: 2026-05-01"))["verdict"] == "satisfied"
    assert answers(case(c1=", valid_to: 2026-05-02", c3=", valid_from: 2026-05-01"))["verdict"] == "refused"


def test_without_a_path_a_conflict_on_a_component_refuses_the_need():
    told = answers(case(path=""))
    assert (told["path"], told["verdict"]) == (None, "refused")


def test_a_path_that_is_no_chain_is_broken_and_reported():
    result = case(path="path: [c2, c1]")
    assert answers(result)["path"] == "broken-chain"
    assert answers(result)["verdict"] == "refused"
    assert "path-broken" in rules(result)
    assert {c["cause"] for c in answers(result)["causes"]} == {"object-is-not-next-subject", "unresolved-conflict"}


def test_a_step_that_nothing_selected_holds_is_uncovered():
    text = CASE.format(
        look="selected",
        settle="none",
        sources="",
        c1="",
        c3="",
        where=HERE,
        path="path: [c1, c2]",
        more="",
        old="current",
    ).replace("  - {unit: k2, ref: directory/contacts@2, start: 0, end: 44}\n", "")
    assert answers(audit(text))["path"] == "step-uncovered"


def test_two_weights_of_one_thing_are_an_unresolved_conflict_with_both_places():
    result = audit("""
documents: [{ref: lab/log@1, text: "The casing weighs 3.1 kg. Revised: the casing weighs 2.8 kg."}]
rules: [{id: one-weight, kind: single-valued, relation: weight}]
need: How heavy is the casing?
components: {w: {anchor: {ref: lab/log@1, exact: "The casing weighs 3.1 kg."}}}
accept: [[w]]
claims:
  - {id: first, component: w, says: [casing, weight, 3.1 kg]}
  - {id: revised, anchor: {ref: lab/log@1, exact: "Revised: the casing weighs 2.8 kg."}, says: [casing, weight, 2.8 kg]}
selected: [{ref: lab/log@1, start: 0, end: 60}]
""")
    assert answers(result)["verdict"] == "refused"
    assert answers(result)["conflict"]["opposed_by"] == ["revised"]
    assert answers(result)["conflict"]["seen_in"] == ["inventory", "selected"]


def test_exclusive_relations_and_opposite_polarity_oppose():
    base = """
need: n
components: {x: {anchor: {ref: s/d@1, start: 0, end: 5}}}
accept: [[x]]
claims:
  - {id: p, component: x, says: [A, employs, B]}
  - {id: q, anchor: {ref: s/d@1, start: 6, end: 9}, says: [A, %s, B]%s}
rules: [%s]
selected: [{ref: s/d@1, start: 0, end: 9}]
"""
    exclusive = "{id: r, kind: exclusive-relations, relations: [employs, audits]}"
    polarity = "{id: r, kind: opposite-polarity}"
    for relation, sign, rule, verdict in (
        ("audits", "", exclusive, "refused"),
        ("owns", "", exclusive, "satisfied"),
        ("employs", ", polarity: negative", polarity, "refused"),
        ("employs", "", polarity, "satisfied"),
    ):
        assert answers(audit(base % (relation, sign, rule)))["verdict"] == verdict


REFUSED = {
    "bundle-empty": "need: n\ncomponents: {}\naccept: [[]]\nselected: []",
    "bundle-unknown-component": "need: n\ncomponents: {reset: {anchor: {ref: s/d@1, start: 0, end: 1}}}\naccept: "
    "[[rest]]\nselected: []",
    "absent-component-with-evidence": "need: n\ncomponents: {a: {absent: {inventory: [s/d@1], declared_by: me, "
    "exact: x}}}\n"
    "accept: [[a]]\nselected: []",
    "claim-invalid": "need: n\nclaims: [{id: c, component: zz, says: [a, b, c]}]\nselected: []",
    "resolution-unknown": "need: n\nresolutions: [{rule: r, keep: a, dismiss: [b], by: me, why: so}]\nselected: []",
}  # fmt: skip


@pytest.mark.parametrize("rule", sorted(REFUSED))
def test_a_case_that_says_nothing_sensible_is_refused_by_name(rule):
    with pytest.raises((InvalidDocumentError, ValidationError)) as caught:
        read(REFUSED[rule])
    assert rule in [f.rule for f in caught.value.findings]


def test_an_unknown_component_is_refused_with_the_name_that_was_meant():
    with pytest.raises(InvalidDocumentError) as caught:
        read(REFUSED["bundle-unknown-component"])
    assert 'did you mean "reset"' in caught.value.findings[0].message


UNPATHED = """
need: n
components:
  x: {anchor: {ref: s/d@1, start: 0, end: 5}}
  y: {anchor: {ref: s/e@1, start: 0, end: 5}}
  z: {anchor: {ref: s/f@1, start: 0, end: 5}}
accept: [[x, y], [z]]
claims:
  - {id: p, component: x, says: [A, employs, B]}
  - {id: q, anchor: {ref: s/d@1, start: 6, end: 9}, says: [A, audits, B]}
rules: [{id: r, kind: exclusive-relations, relations: [employs, audits]}]
"""

WITHOUT_A_PATH = {
    "nothing-selected": ("selected: []", "refused"),
    "in-part": ("selected: [{ref: s/d@1, start: 0, end: 3}]", "refused"),
    "contested-bundle-whole": ("selected: [{ref: s/d@1, start: 0, end: 5}, {ref: s/e@1, start: 0, end: 5}]", "refused"),
    "other-bundle-in-part": ("selected: [{ref: s/f@1, start: 0, end: 3}]", "refused"),
    "other-bundle-whole": ("selected: [{ref: s/f@1, start: 0, end: 5}]", "satisfied"),
}


@pytest.mark.parametrize(("selected", "verdict"), WITHOUT_A_PATH.values(), ids=WITHOUT_A_PATH)
def test_without_a_path_a_contested_bundle_refuses_the_need_unless_another_is_complete(selected, verdict):
    result = audit(UNPATHED + selected)
    assert answers(result)["verdict"] == verdict
    assert answers(result)["reason"] is None


def test_the_record_of_a_need_lists_every_cause():
    path = "path: [c2, c1]"
    record = case(path=path).details["needs"][0]
    assert record["path"] == "broken-chain"
    assert record["causes"] == [
        {"cause": "object-is-not-next-subject", "step": "c1"},
        {"cause": "unresolved-conflict", "step": "c1"},
    ]
    assert audit(UNPATHED + "selected: []").details["needs"][0]["causes"] == [
        {"cause": "unresolved-conflict", "step": "p"}
    ]
    assert "causes" not in audit(UNPATHED.split("rules")[0] + "selected: []").details["needs"][0]
