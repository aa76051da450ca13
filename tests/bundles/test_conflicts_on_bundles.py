"""What opposes a bundle: with a path or without, under every view, and whatever a resolution tries to keep."""

from __future__ import annotations

import json

import pytest
from case_files import answers, audit, figures, rules

from evaudit.audits.bundle_tables import Tables
from evaudit.audits.bundles import audit_tables
from evaudit.bundles import assessment
from evaudit.bundles.claims import Claim, NeedClaims
from evaudit.bundles.conflicts import ExclusiveRelations, OppositePolarity, SingleValued
from evaudit.bundles.opposition import Opposition
from evaudit.bundles.settling import conflicts
from evaudit.errors import InvalidDocumentError

PUMP = """
documents:
  - {ref: w/a@1, status: current, text: "The pump runs at 40 Hz."}
  - {ref: w/b@1, status: current, text: "The crew is led by Ines."}
  - {ref: w/c@1, status: %s, text: "The pump runs at 50 Hz."}
%s
rules: [{id: one-rate, kind: single-valued, relation: rate, look_in: %s, settle: %s}]
need: n
components:
  a: {anchor: {ref: w/a@1, exact: "runs at 40 Hz"}}
  b: {anchor: {ref: w/b@1, exact: "led by Ines"}}
accept: %s
claims:
  - {id: c1, component: a, says: [pump, rate, 40 Hz], valid_from: 2024-01-01}
  - {id: c2, anchor: {ref: w/c@1, exact: "runs at 50 Hz"}, says: [pump, rate, 50 Hz], valid_from: %s}
  - {id: c3, component: b, says: [crew, leader, Ines]}
%s
selected: [{ref: w/a@1, start: 0, end: 23}, {ref: w/b@1, start: 0, end: 24}%s]
"""
VIEW = "view: {name: now, statuses: [current]}"
OPPOSING_TEXT = ", {ref: w/c@1, start: 0, end: 23}"


GIVEN = {
    "status": "current", "view": "", "look": "inventory", "settle": "none", "accept": "[[a, b]]", "date": "2023-01-01",
}  # fmt: skip


def case(more="", *, text="", pattern=PUMP, **changes):
    return audit(pattern % (*(GIVEN | changes).values(), more, text))


def test_a_path_beside_a_contested_component_does_not_satisfy_the_need():
    plain, with_path = case(), case("path: [c3]")
    for result in (plain, with_path):
        assert answers(result)["verdict"] == "refused"
        assert figures(result)["complete"] == "0/1"
        assert answers(result)["conflict"]["claim"] == "c1"
        assert answers(result)["lost-at"] == {"a": "conflict-free"}
    assert answers(with_path)["path"] == "supported"
    assert with_path.details["needs"][0]["causes"] == [{"cause": "unresolved-conflict", "step": "c1"}]


def test_another_complete_bundle_satisfies_the_need_with_a_path_as_without_and_the_conflict_is_told():
    for path in ("", "path: [c3]"):
        result = case(path, accept="[[a], [b]]")
        assert answers(result)["verdict"] == "satisfied"
        assert answers(result)["conflict"]["opposed_by"] == ["c2"]


RESOLVED = "resolutions: [{rule: one-rate, keep: %s, dismiss: [%s], by: me, why: so}]"


@pytest.mark.parametrize("path", ["", "\npath: [c3]"])
def test_a_dismissed_claim_keeps_its_bundle_from_being_complete(path):
    result = case(RESOLVED % ("c2", "c1") + path)
    assert answers(result)["verdict"] == "refused"
    assert answers(result)["conflicts"][0]["dismissed"] is True
    assert answers(case(RESOLVED % ("c1", "c2") + path))["verdict"] == "satisfied"


@pytest.mark.parametrize("accept", ["[[a]]", "[[a], [b]]"])
def test_a_resolution_that_keeps_an_ineligible_claim_dismisses_nothing_and_is_an_error(accept):
    resolved = case(RESOLVED % ("c2", "c1"), status="revoked", view=VIEW, accept=accept)
    plain = case(status="revoked", view=VIEW, accept=accept)
    assert answers(resolved)["verdict"] == answers(plain)["verdict"] == "satisfied"
    assert figures(resolved) == figures(plain)
    assert "resolution-keeps-ineligible" in rules(resolved)
    assert "resolution-keeps-ineligible" not in rules(plain)
    assert "resolution-keeps-ineligible" not in rules(case(RESOLVED % ("c1", "c2"), status="revoked", view=VIEW))


def test_a_resolution_may_dismiss_an_ineligible_claim_in_favour_of_an_eligible_one():
    handed_over = {"status": "revoked", "view": VIEW, "text": OPPOSING_TEXT}
    assert answers(case(**handed_over))["verdict"] == "refused"
    assert answers(case(RESOLVED % ("c1", "c2"), **handed_over))["verdict"] == "satisfied"
    assert answers(case(RESOLVED % ("c2", "c1"), **handed_over))["verdict"] == "refused"


@pytest.mark.parametrize(("date", "verdict"), [("2023-01-01", "satisfied"), ("2025-01-01", "refused")])
def test_the_newest_claim_wins_only_if_it_is_eligible(date, verdict):
    result = case(status="revoked", view=VIEW, text=OPPOSING_TEXT, settle="newest", date=date)
    assert answers(result)["verdict"] == verdict
    assert [c["dismissed"] for c in answers(result)["conflicts"]] == ([False] if verdict == "refused" else [])


@pytest.mark.parametrize("look", ["inventory", "candidates", "selected"])
@pytest.mark.parametrize("status", ["current", "revoked", "draft"])
def test_a_claim_that_was_handed_over_opposes_wherever_the_rule_looks_and_whatever_the_status(look, status):
    for view in ("", VIEW):
        result = case(look=look, status=status, view=view, text=OPPOSING_TEXT)
        assert answers(result)["verdict"] == "refused"
        assert "selected" in answers(result)["conflict"]["seen_in"]


@pytest.mark.parametrize(("budget", "verdict"), [(2, "satisfied"), (3, "refused")])
def test_only_what_the_budget_admits_was_handed_over(budget, verdict):
    result = case(f"budget: {{units: {budget}}}", look="selected", view=VIEW, status="revoked", text=OPPOSING_TEXT)
    assert answers(result)["verdict"] == verdict


NEED = {
    "need": "n1",
    "components": {"a": {"anchor": {"ref": "w/a@1", "start": 0, "end": 5}}},
    "accept": [["a"]],
    "claims": [
        {"id": "c1", "component": "a", "says": ["pump", "rate", "40"]},
        {"id": "c2", "anchor": {"ref": "w/c@1", "start": 0, "end": 5}, "says": ["pump", "rate", "50"]},
    ],
    "resolutions": [{"rule": "r", "keep": "c2", "dismiss": ["c1"], "by": "me", "why": "so"}],
}
FILES = {
    "selected.csv": "need,source,doc,version,start,end\nn0,w,a,1,0,9\nn1,w,a,1,0,9\n",
    "documents.csv": "source,doc,version,status,text\nw,a,1,current,aaaaaaaaaaaa\nw,c,1,revoked,cccccccccccc\n",
    "view.yaml": "schema: evaudit/view@1\nview: {name: now, statuses: [current]}\n",
    "rules.yaml": "schema: evaudit/rules@1\nrules: [{id: r, kind: single-valued, relation: rate}]\n",
}


def audit_files(folder, needs, **more):
    files = FILES | {"needs.jsonl": "".join(json.dumps(need) + "\n" for need in needs)} | more
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return audit_tables(Tables(**{name.partition(".")[0]: str(folder / name) for name in files}))


def test_the_error_of_such_a_resolution_names_the_line_of_its_need(tmp_path):
    first = {"need": "n0", "components": NEED["components"], "accept": [["a"]]}
    result = audit_files(tmp_path, [first, NEED])
    (found,) = [f for f in result.findings if f.rule == "resolution-keeps-ineligible"]
    assert (found.severity, found.where.path[-11:], found.where.line) == ("error", "needs.jsonl", 2)
    assert result.details["needs"][1]["verdict"] == "satisfied"


CLAIMS = "need,claim,subject,relation,object,source,doc,version,start,end\n"


def test_a_claim_of_every_need_opposes_what_the_need_itself_claims(tmp_path):
    own = {**NEED, "claims": NEED["claims"][:1], "resolutions": []}
    documents = FILES["documents.csv"].replace("revoked", "current")
    result = audit_files(
        tmp_path, [own], **{"claims.csv": CLAIMS + ",c9,pump,rate,50,w,c,1,0,5\n", "documents.csv": documents}
    )
    assert result.details["needs"][0]["verdict"] == "refused"


def test_a_claim_of_every_need_shares_its_id_with_no_other_claim(tmp_path):
    rows = ",c9,pump,rate,50,w,c,1,0,5\nn1,c9,pump,rate,40,w,a,1,0,5\n"
    with pytest.raises(InvalidDocumentError, match="the claim id c9 is that of a claim of every need, too") as caught:
        audit_files(tmp_path, [NEED], **{"claims.csv": CLAIMS + rows})
    assert caught.value.findings[0].where.line == 3


def test_a_claim_whose_validity_ends_before_it_begins_is_refused():
    with pytest.raises(InvalidDocumentError, match="expected valid_to after valid_from"):
        case(date="2023-01-01, valid_to: 2022-01-01")


LOST = PUMP.replace('exact: "runs at 50 Hz"', 'exact: "runs at 55 Hz"')


def lost(more="", **changes):
    return case(more, **{"pattern": LOST} | changes)


def test_a_claim_whose_quote_is_not_found_withholds_the_need_that_it_could_oppose():
    result = lost()
    told = answers(result)
    assert (told["verdict"], told["reason"]) == ("withheld", "claim-unlocated")
    assert "claim-unlocated" in rules(result)
    ranges = {f.measure: f.bounds["withheld"] for f in result.iter_figures() if "withheld" in f.bounds}
    assert [(e.low, e.high, e.kind) for e in (ranges["complete"], ranges["bundle-coverage"])] == [
        ((0, 1), (1, 1), "exact"), ((1, 1), (1, 1), "exact"),
    ]  # fmt: skip


def test_it_withholds_nothing_where_no_place_of_it_would_change_the_answer():
    uncovered = LOST.replace("selected: [{ref: w/a@1, start: 0, end: 23}, ", "selected: [")
    assert answers(lost(accept="[[b]]"))["verdict"] == "satisfied"
    assert answers(lost(RESOLVED % ("c1", "c2")))["verdict"] == "satisfied"
    assert answers(lost(settle="newest"))["verdict"] == "satisfied"
    assert answers(lost(settle="newest", date="2025-01-01"))["verdict"] == "withheld"
    assert answers(case(pattern=uncovered))["verdict"] == "withheld"


def test_a_claim_of_unknown_place_in_a_document_out_of_the_view_matters_only_if_that_was_handed_over():
    old = {"status": "revoked", "view": VIEW}
    assert answers(lost(**old))["verdict"] == "satisfied"
    assert answers(lost(**old, text=OPPOSING_TEXT))["verdict"] == "withheld"
    assert answers(lost("budget: {units: 2}", **old, text=OPPOSING_TEXT))["verdict"] == "satisfied"


def test_a_refused_need_stays_refused_whatever_else_could_oppose_it():
    also = '  - {id: c4, anchor: {ref: w/c@1, exact: "runs at 60 Hz"}, says: [pump, rate, 60 Hz]}\n'
    text = PUMP.replace("  - {id: c3", also + "  - {id: c3")
    assert answers(case(pattern=text))["verdict"] == "refused"


MANY = 4000
RULES = [
    SingleValued(id="v", kind="single-valued", relation="rate", settle="newest"),
    OppositePolarity(id="p", kind="opposite-polarity"),
    ExclusiveRelations(id="e", kind="exclusive-relations", relations=["rate", "speed"]),
]
SHAPES = {
    "one thing said by all": lambda n: ("pump", "rate", "40 Hz"),
    "a subject each": lambda n: (f"pump {n}", "rate", "40 Hz"),
    "a relation each": lambda n: ("pump", f"rate {n}", "40 Hz"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_claims_are_not_compared_pairwise(shape, monkeypatch):
    asked = []
    against = Opposition.against
    monkeypatch.setattr(Opposition, "against", lambda group, one: asked.append(one) or against(group, one))
    claims = [Claim(f"c{n}", *SHAPES[shape](n), True, n, (0,)) for n in range(MANY)]
    claims.append(Claim("denial", "pump", "rate", "40 Hz", False, MANY, ()))
    found, _ = conflicts(NeedClaims(claims), range(MANY), RULES, [("inventory",)] * len(claims))
    said = sum(claim.positive and claim.says() == "pump rate 40 Hz" for claim in claims)
    assert [(c.claim, c.opposed_by) for c in found] == [(f"c{n}", ("denial",)) for n in range(said)]
    assert len(asked) <= len(RULES) * len(claims)


SPACES = PUMP.replace('exact: "runs at 50 Hz"', "space: sentence, start: 0, end: 1")
TABLE = "offsets: [{space: sentence, ref: w/c@1, spans: [[0, 23]]}]"


def test_a_claim_that_does_not_compare_with_a_unit_of_its_document_may_have_been_handed_over():
    old = {"pattern": SPACES, "status": "revoked", "view": VIEW}
    apart = case(text=OPPOSING_TEXT, **old)
    assert (answers(apart)["verdict"], answers(apart)["reason"]) == ("withheld", "claim-unlocated")
    assert "anchor-space-not-comparable" in rules(apart)
    assert answers(case(TABLE, text=OPPOSING_TEXT, **old))["verdict"] == "refused"
    assert answers(case(TABLE, text=", {ref: w/c@1, start: 0, end: 9}", **old))["verdict"] == "satisfied"
    assert answers(case(**old))["verdict"] == "satisfied"
    assert rules(case(**old)) == rules(case(TABLE, **old))


def test_many_claims_of_unknown_place_cost_no_more_than_one_where_nothing_is_settled(monkeypatch):
    asked = []
    answer = assessment.path_answer
    monkeypatch.setattr(assessment, "path_answer", lambda *given: asked.append(given) or answer(*given))
    more = "".join(
        f'  - {{id: d{n}, anchor: {{ref: w/c@1, exact: "no {n}"}}, says: [pump, rate, "{n} Hz"]}}\n' for n in range(40)
    )
    text = LOST.replace("  - {id: c3", more + "  - {id: c3")
    assert answers(case(pattern=text))["verdict"] == "withheld"
    assert len(asked) == 2
    del asked[:]
    settled = case(pattern=text, settle="newest")
    assert (answers(settled)["verdict"], answers(settled)["reason"]) == ("withheld", "claim-unlocated")
    ends = next(f for f in settled.iter_figures() if f.measure == "complete").bounds["withheld"]
    assert (ends.low, ends.high, ends.kind) == ((0, 1), (1, 1), "outer")
    assert len(asked) == 1


def test_claims_of_unknown_place_about_something_else_are_not_asked():
    more = "".join(
        f'  - {{id: d{n}, anchor: {{ref: w/c@1, exact: "no {n}"}}, says: [fan, rate, "{n} Hz"]}}\n' for n in range(40)
    )
    text = PUMP.replace("  - {id: c3", more + "  - {id: c3").replace("pump, rate, 50 Hz", "gate, rate, 50 Hz")
    for settle in ("none", "newest"):
        assert answers(case(pattern=text, settle=settle))["verdict"] == "satisfied"


OPEN = "claim c1 is opposed by c2 (rule one-rate), and nothing settles it; the need is satisfied"


@pytest.mark.parametrize("path", ["", "path: [c3]"])
@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"accept": "[[a], [b]]"}, [OPEN]),
        ({"accept": "[[a, b]]"}, []),
        ({"accept": "[[b]]"}, []),
        ({"accept": "[[a], [b]]", "settle": "newest"}, []),
    ],
)  # fmt: skip
def test_an_open_conflict_is_told_beside_a_verdict_that_does_not_tell_of_it(path, changes, told):
    result = case(path, **changes)
    assert [f.message for f in result.findings if f.rule == "conflict-open"] == told
    assert (answers(result)["verdict"] == "refused") == (changes == {"accept": "[[a, b]]"})
