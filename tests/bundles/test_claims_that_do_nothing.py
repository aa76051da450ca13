"""A claim, a rule or a label that has no effect is told, with its place and what to do; none is passed over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaudit.audits.bundle_tables import Tables
from evaudit.audits.bundles import audit_tables
from evaudit.errors import InvalidDocumentError, UnreadableInputError
from evaudit.formats import claims

TEXT = "The rota of the sluice names one of the wardens, and its gate weighs 3.1 kg."
NEED = {
    "need": "n02", "components": {"sw": {"anchor": {"ref": "w/d@1", "start": 42, "end": 54}}}, "accept": [["sw"]],
}  # fmt: skip
FLAT = "need,bundle,component,source,doc,version,start,end\nn02,1,sw,w,d,1,42,54\n"
HEAD = "need,claim,component,subject,relation,object,polarity,source,doc,version,start,end\n"
RULES = "schema: evaudit/rules@1\nrules: [{id: denied, kind: opposite-polarity, relation: weight}]\n"
DENIAL = "n02,k9,,gate,weight,3.1 kg,negative,w,d,1,60,70\n"


def claim(start=42, end=54, *, need="n02", component="", name="k1", where="w,d,1"):
    return f"{need},{name},{component},gate,weight,3.1 kg,positive,{where},{start},{end}\n"


@pytest.fixture
def audit(tmp_path):
    def run(stated, *, rules=RULES, needs="needs.jsonl", **more):
        files = {
            "needs.jsonl": json.dumps(NEED) + "\n", "needs.csv": FLAT, "claims.csv": HEAD + stated, "rules.yaml": rules,
            "selected.csv": "need,unit,source,doc,version,start,end\nn02,u,w,d,1,30,60\n", **more,
        }  # fmt: skip
        for name, text in files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        paths = {name.partition(".")[0]: str(tmp_path / name) for name in files if name[:5] != "needs"}
        return audit_tables(Tables(needs=str(tmp_path / needs), **paths))

    return run


def verdict(result):
    return result.details["needs"][0]["verdict"]


def told(result, rule):
    return [(Path(f.where.path).name, f.where.line, f.message) for f in result.findings if f.rule == rule and f.where]


BOTH_FORMS = pytest.mark.parametrize("needs", ["needs.jsonl", "needs.csv"])


@BOTH_FORMS
@pytest.mark.parametrize(("start", "end"), [(42, 54), (48, 54), (42, 43)])
def test_a_claim_within_the_anchor_refuses_the_need(audit, needs, start, end):
    result = audit(claim(start, end) + DENIAL, needs=needs)
    assert verdict(result) == "refused"
    assert not told(result, "claim-beside-component")


@BOTH_FORMS
@pytest.mark.parametrize(("start", "end"), [(35, 54), (42, 55), (53, 59), (0, 43)])
def test_a_claim_that_reaches_out_of_the_anchor_is_told_and_refuses_once_its_component_is_named(
    audit, needs, start, end
):
    beside = audit(claim(start, end) + DENIAL, needs=needs)
    assert verdict(beside) == "satisfied"
    ((file, line, message),) = told(beside, "claim-beside-component")
    assert (file, line) == ("claims.csv", 2)
    assert f"claim k1 (w/d@1 char {start}-{end}) stands on no component" in message
    assert "sw (w/d@1 char 42-54)" in message
    named = audit(claim(start, end, component="sw") + DENIAL, needs=needs)
    assert verdict(named) == "refused"
    assert not named.findings


@pytest.mark.parametrize(("start", "end"), [(30, 42), (54, 60)])
def test_a_claim_that_only_meets_the_anchor_shares_no_text_with_it(audit, start, end):
    assert not told(audit(claim(start, end) + DENIAL), "claim-beside-component")


@BOTH_FORMS
def test_a_component_without_a_passage_is_where_the_claim_stands(audit, needs):
    result = audit(claim("", "", component="sw", where=",,") + DENIAL, needs=needs)
    assert (verdict(result), list(result.findings)) == ("refused", [])


@BOTH_FORMS
def test_a_component_that_the_need_does_not_have_withholds_the_need(audit, needs):
    result = audit(claim(component="sww") + DENIAL, needs=needs)
    assert verdict(result) == "withheld"
    ((file, line, message),) = told(result, "claim-invalid")
    assert (file, line) == ("claims.csv", 2)
    assert 'did you mean "sw"?' in message


def test_a_name_that_a_flat_table_gives_to_two_passages_is_not_guessed(audit):
    twice = FLAT + "n02,2,sw,w,d,1,0,8\n"
    result = audit(claim("", "", component="sw", where=",,"), needs="needs.csv", **{"needs.csv": twice})
    assert verdict(result) == "withheld"
    assert "different passages" in told(result, "claim-invalid")[0][2]


def test_a_claim_of_every_need_names_no_component(audit):
    with pytest.raises(InvalidDocumentError, match="names of components belong to one need"):
        audit(claim(need="", component="sw"))


def test_a_step_of_the_path_is_no_claim_beside_a_component(audit):
    path = json.dumps(NEED | {"path": ["k1"]}) + "\n"
    assert not told(audit(claim(35, 54), **{"needs.jsonl": path}), "claim-beside-component")


@BOTH_FORMS
def test_a_claim_of_a_need_that_does_not_exist_is_an_error_with_its_line(audit, needs):
    result = audit(claim(need="n2") + DENIAL, needs=needs)
    ((file, line, message),) = told(result, "need-unknown")
    assert (file, line) == ("claims.csv", 2)
    assert "'n2' (claim k1)" in message
    assert "'n02' differs only in leading zeros" in message


def test_of_many_claims_of_unknown_needs_the_first_are_listed_and_all_counted(audit):
    result = audit("".join(claim(need="x", name=f"k{n}") for n in range(30)))
    found = [f.message for f in result.findings if f.rule == "need-unknown"]
    assert (len(found), found[-1][:7]) == (21, "10 more")


def test_a_near_name_is_looked_for_among_few_names_and_for_few_claims(audit, monkeypatch):
    asked = []
    monkeypatch.setattr(claims, "did_you_mean", lambda name, known: asked.append(name) or " (near)")
    audit("".join(claim(need=f"x{n}") for n in range(30)))
    audit("".join(claim(component="x", name=f"k{n}") for n in range(30)))
    assert len(asked) == 40
    monkeypatch.setattr(claims, "_MOST_COMPARED", 0)
    assert not any("(near)" in f.message for f in audit(claim(need="x") + claim(component="x")).findings)


def test_a_claim_without_a_place_is_told_with_its_own_line(audit):
    result = audit(DENIAL + claim(500, 600), **{"documents.csv": f'source,doc,version,text\nw,d,1,"{TEXT}"\n'})
    assert [(file, line) for file, line, _ in told(result, "claim-unlocated")] == [("claims.csv", 3)]


def idle(result):
    return [message for _, _, message in told(result, "rule-idle")]


def test_a_rule_whose_relation_no_claim_has_is_told_with_its_line_and_the_relations_there(audit):
    rules = (
        "schema: evaudit/rules@1\nrules:\n"
        "  - {id: a, kind: single-valued, relation: wieght}\n"
        "  - {id: b, kind: opposite-polarity}\n"
        "  - {id: c, kind: exclusive-relations, relations: [weight, width]}\n"
    )
    result = audit(claim() + DENIAL + "n02,k2,,gate,wardens,two,,w,d,1,42,54\n", rules=rules)
    assert told(result, "rule-idle") == [
        ("rules.yaml", 3, "rule a (relation wieght) matches none of 3 claims; relations there: wardens, weight"),
        (
            "rules.yaml",
            5,
            "rule c names relation width, of which there is none in 3 claims; relations there: wardens, weight",
        ),
    ]


def test_a_rule_that_meets_a_claim_of_the_table_or_of_a_need_is_not_idle(audit):
    assert not idle(audit(claim() + DENIAL))
    own = NEED | {"claims": [{"id": "c1", "component": "sw", "says": ["gate", "weight", "3.1 kg"]}]}
    inside = audit("", **{"needs.jsonl": json.dumps(own) + "\n"})
    assert (idle(inside), told(inside, "table-empty")) == (
        [],
        [("claims.csv", None, "the table of claims has no row, so it adds no claim")],
    )


def test_the_relations_of_a_claim_for_every_need_are_there_though_it_is_near_none(audit):
    far = ",k1,,gate,weight,3.1 kg,,w,far,1,0,5\n"
    assert not idle(audit(far))


@BOTH_FORMS
def test_rules_without_claims_are_told(audit, needs):
    found = audit("", needs=needs)
    assert idle(found) == ["rule denied finds nothing, as there is no claim; give claims, in a table or in the needs"]


def test_claims_without_rules_are_told(tmp_path, audit):
    audit(claim() + DENIAL)
    paths = {name: str(tmp_path / f"{name}.{end}") for name, end in (("needs", "jsonl"), ("selected", "csv"))}
    result = audit_tables(Tables(**paths, claims=str(tmp_path / "claims.csv")))
    assert [(file, message[:19]) for file, _, message in told(result, "claim-idle")] == [
        ("claims.csv", "no rules were given")
    ]


VIEWS = {
    "statuses: [current]": "status",
    "access: [public]": "access",
    'as_of: "2025-06-01"': "valid_from or valid_to",
    "statuses: [current], access: [public]": "status and access",
}


@pytest.fixture
def view(tmp_path):
    def run(view, documents, selected="need,unit,source,doc,version,start,end\nn02,u,w,d,1,30,60\n"):
        files = {"needs.jsonl": json.dumps(NEED) + "\n", "selected.csv": selected}
        files["view.yaml"] = f"schema: evaudit/view@1\nview: {{name: now, {view}}}\n"
        files |= documents or {}
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        given = str(tmp_path / next(iter(documents)).partition("/")[0]) if documents else None
        needs, selected, view_ = (str(tmp_path / name) for name in ("needs.jsonl", "selected.csv", "view.yaml"))
        return audit_tables(Tables(needs, selected, documents=given, view=view_))

    return run


@pytest.mark.parametrize("asked", VIEWS)
def test_a_view_of_labels_that_a_folder_of_texts_cannot_carry_is_told(view, asked):
    result = view(asked, {"texts/w/d.txt": TEXT, "texts/w/e.txt": TEXT})
    assert result.details["reasons"]["ineligible"] == 1
    ((file, _, message),) = told(result, "view-label-missing")
    assert file == "texts"
    assert message.startswith(f"the view now asks for {VIEWS[asked]}, and none of 2 documents has it")


def test_one_labelled_document_or_the_access_of_units_is_enough(view):
    head = "source,doc,version,status,access,text\n"
    table = {"documents.csv": f'{head}w,d,1,current,,"{TEXT}"\nw,e,1,,,other\n'}
    assert not told(view("statuses: [current]", table), "view-label-missing")
    units = "need,unit,source,doc,version,start,end,access\nn02,u,w,d,1,30,60,public\n"
    labelled = view("access: [public]", None, units)
    assert (verdict(labelled), list(labelled.findings)) == ("satisfied", [])


def test_a_view_without_documents_is_told(view):
    result = view("statuses: [current]", None)
    assert [f.message.partition(";")[0] for f in result.findings if f.rule == "view-label-missing"] == [
        "the view now asks for status, and no documents were given, so no document may be used"
    ]


EMPTY = {"selected.csv": "need,unit,source,doc,version,start,end\n", "selected.jsonl": ""}


@pytest.mark.parametrize("name", EMPTY)
@pytest.mark.parametrize("what", ["selected", "candidates", "units"])
def test_a_list_without_a_row_is_told(tmp_path, name, what):
    full = {"needs.jsonl": json.dumps(NEED) + "\n", "full.csv": EMPTY["selected.csv"] + "n02,u,w,d,1,30,60\n"}
    for file, text in (full | {name: EMPTY[name]}).items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    given = {"selected": str(tmp_path / "full.csv")} | {what: str(tmp_path / name)}
    result = audit_tables(Tables(str(tmp_path / "needs.jsonl"), **given))
    ((file, _, message),) = told(result, "table-empty")
    assert file == name
    assert {"selected": "selected", "candidates": "candidate", "units": "corpus"}[what] in message
    assert verdict(result) == ("incomplete" if what == "selected" else "satisfied")


NO_ACCEPT = {
    "left out": ({"components": NEED["components"]}, "(sw)"),
    "empty beside components": ({"components": NEED["components"], "accept": []}, "(sw)"),
    "neither": ({"components": {}}, "(none yet)"),
}


@pytest.mark.parametrize("name", NO_ACCEPT)
def test_a_need_that_does_not_say_what_it_accepts_is_told(audit, name):
    fields, names = NO_ACCEPT[name]
    row = json.dumps({"need": "n02", **fields}) + "\n"
    result = audit(claim() + DENIAL, **{"needs.jsonl": json.dumps(NEED | {"need": "n1"}) + "\n" + row})
    ((file, line, message),) = told(result, "need-requires-nothing")
    assert (file, line) == ("needs.jsonl", 2)
    assert message.startswith("need n02 accepts no bundle")
    assert names in message


def test_a_need_that_says_that_it_requires_nothing_is_not_told(audit):
    row = json.dumps({"need": "n02", "components": {}, "accept": []}) + "\n"
    assert not told(audit(claim() + DENIAL, **{"needs.jsonl": row}), "need-requires-nothing")


def test_a_path_without_an_ending_may_be_a_folder_that_is_missing(tmp_path):
    with pytest.raises(UnreadableInputError, match=r"nodir: no such file or folder$"):
        audit_tables(Tables(str(tmp_path / "n.jsonl"), "s.csv", documents=str(tmp_path / "nodir")))
