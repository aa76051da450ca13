"""A sentence of a report that generalises is printed where the facts bear it out, and not where one of them changes."""

from __future__ import annotations

import json

import pytest

from evaudit.audits.anchors import AnchorFiles, check_anchors
from evaudit.audits.bundle_tables import Tables
from evaudit.audits.bundles import audit_tables
from evaudit.bundles.budget import Allowance
from evaudit.register.accept import accept
from evaudit.register.add import Asked, add
from evaudit.register.check import check_paths
from evaudit.register.diff import diff_calculation
from evaudit.register.history_report import verify_history
from evaudit.register.scan import scan
from evaudit.reports import render
from evaudit.reports.layout import Style

CALC, LOCK, LOG = "controls/calculation.yaml", "controls/calculation.lock.json", "registers/history.jsonl"
LEDGER, BOOK = "controls/inputs/decisions.csv", "registers/book.yaml"
OUTPUTS = [f"{name}(endpoint=promoted, over={over})"
           for name, over in (("recall", "cohort"), ("recall", "decided"), ("accuracy", "decided"))]  # fmt: skip
FROZEN = "as frozen: 4 outputs, every input"
HELD = "everything checked holds"
FORM = "the form holds; nothing was calculated or looked up"


def words(result):
    return " ".join(render(result, "table", 0, Style(color=False, width=100)).split())


def diff(project):
    return words(diff_calculation(project.root / CALC))


def drift(project):
    project.replace(LEDGER, "C22,deferred", "C22,promoted")


def take(project):
    return accept(project.root / CALC, OUTPUTS, "C22 was decided on review")


@pytest.mark.parametrize(("end", "true"), [(8, True), (9, False)])
def test_every_anchor_stands_where_it_is_said_to(tmp_path, end, true):
    (tmp_path / "d.jsonl").write_text('{"source": "w", "doc": "d", "version": "1", "text": "The lamp turns."}\n')
    anchor = {"ref": "w/d@1", "exact": "The lamp", "start": 0, "end": end}
    need = {"need": "n", "components": {"a": {"anchor": anchor}}, "accept": [["a"]]}
    (tmp_path / "n.jsonl").write_text(json.dumps(need) + "\n")
    result = check_anchors(AnchorFiles(str(tmp_path / "d.jsonl"), str(tmp_path / "n.jsonl")))
    assert ("every anchor stands where it is said to stand" in words(result)) == true


def test_a_difference_says_as_frozen_only_where_nothing_changed(small):
    assert FROZEN in diff(small) and "nothing could be compared" not in diff(small)
    drift(small)
    assert FROZEN not in diff(small) and "no verified entry is touched" not in diff(small)


def test_an_input_that_changes_no_output_is_not_as_frozen_and_touches_its_entries(small):
    small.replace(LEDGER, "C01,promoted,positive,rules", "C01,promoted,positive,other")
    told = diff(small)
    assert FROZEN not in told and "no verified entry is touched" not in told
    assert "entries that it touches R-1" in told


def test_no_verified_entry_is_touched_by_a_remark_in_the_calculation(small):
    small.write(CALC, small.read(CALC) + "# a remark\n")
    told = diff(small)
    assert "no verified entry is touched; 2 rest on it" in told and FROZEN not in told


@pytest.mark.parametrize("name", [LOCK, LEDGER])
def test_nothing_could_be_compared_where_a_side_is_gone(small, name):
    (small.root / name).unlink()
    told = diff(small)
    assert "nothing could be compared" in told and "no verified entry is touched" not in told


def test_nothing_is_to_be_accepted_only_where_all_is_as_frozen(small):
    nothing = "nothing to accept: every output and input is as frozen"
    assert nothing in words(take(small))
    drift(small)
    assert nothing not in words(take(small))
    assert nothing in words(take(small))


def test_an_entry_that_disagrees_after_an_accept_is_told(small):
    agrees = "no verified entry that rests on it disagrees"
    drift(small)
    assert agrees not in words(take(small))
    small.replace(LEDGER, "C22,promoted", "C22,deferred")
    back = words(accept(small.root / CALC, OUTPUTS, "C22 was put back"))
    assert agrees in back


def test_everything_checked_holds_only_without_a_failure(small):
    assert HELD in words(small.check())
    for name, old, new in (
        ("controls/cases.yaml", "P: 2/3", "P: 1/3"),
        ("controls/cases.yaml", "wrong: {P: 3/3}", "wrong: {P: 2/3}"),
        (BOOK, "expected: {exact: 21/43", "expected: {exact: 22/43"),
        ("README.md", "21/43", "22/43"),
        (LEDGER, "C22,deferred", "C22,promoted"),
    ):
        small.replace(name, old, new)
        result = small.check()
        assert result.details["exit"] and HELD not in words(result)
        small.replace(name, new, old)
    assert HELD in words(small.check())


def test_nothing_was_compared_where_a_lock_is_gone(small):
    assert "nothing was compared" not in words(small.check())
    (small.root / LOCK).unlink()
    assert "so nothing was compared" in words(small.check())


def test_the_form_holds_is_not_said_of_a_check_that_calculates(small):
    form = check_paths([small.root / BOOK], scope="register-form")
    assert FORM in words(form) and HELD not in words(form)
    assert FORM not in words(small.check())


def test_no_record_is_missing_only_where_the_whole_log_can_be_read(small):
    drift(small)
    head = take(small).details["head"]
    missing = "no record is missing at the end"
    assert missing in words(verify_history(small.root, expected_head=head))
    assert missing not in words(verify_history(small.root))
    assert missing not in words(verify_history(small.root, expected_head="1" * 64))
    small.write(LOG, small.read(LOG) + '{"seq": 2}\n')  # a later record that was damaged
    damaged = words(verify_history(small.root, expected_head=head))
    assert missing not in damaged and "the chain is broken" in damaged


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Nothing here.\n", "no figures"),
        ("There are 12 lamps.\n", "no figures listed"),
        ("Before.\n\n```\nrecall .4884\n```\n", "no figures listed"),
        ("Recall is .4884.\n", "1 figure,"),
    ],
)
def test_no_figures_is_not_said_of_a_text_with_some(small, text, told):
    small.write("README.md", text)
    found = words(scan([small.root / "README.md"], integers=False))
    assert told in found
    assert ("no figures" in found) == (told != "1 figure,")
    assert ("no figures listed" in found) == (told == "no figures listed")


@pytest.mark.parametrize(("figure", "given"), [("recall(endpoint=promoted, over=decided)", False), (None, True)])
def test_no_output_gives_it_is_said_of_the_outputs_asked_for(small, figure, given):
    small.write("page.md", "The share is .4884 here.\n")
    told = words(add(Asked(small.root / "page.md", "share is .4884", register=small.root / BOOK, figure=figure)))
    assert ("no output that was asked for gives it" in told) != given and "no output gives it" not in told


HEAD = "need,unit,source,doc,version,start,end,stop\n"
PLAIN = {"anchor": {"ref": "w/d@1", "start": 0, "end": 5}}
ABSENT = {"absent": {"inventory": ["w/d@1"], "declared_by": "author"}}


def audit(folder, selected, *, component=PLAIN, **more):
    budget = more.pop("budget", None)
    need = {"need": "n", "components": {"a": component}, "accept": [["a"]]}
    (folder / "n.jsonl").write_text("".join(json.dumps(need | {"need": n}) + "\n" for n in more.pop("needs", "n")))
    paths = {}
    for name, text in {"selected": HEAD + selected, **more}.items():
        paths[name] = str(folder / f"{name}.{'yaml' if name in ('rules', 'view') else 'csv'}")
        (folder / paths[name]).write_text(text)
    return audit_tables(Tables(needs=str(folder / "n.jsonl"), **paths), budget=budget)


def test_nothing_was_selected_is_said_of_the_budget_where_the_list_has_a_unit(tmp_path):
    listed = "n,u,w,d,1,0,9,abstained\n"
    assert "; nothing was selected; no selection for such a need says" in words(audit(tmp_path, "", component=ABSENT))
    cut = words(audit(tmp_path, listed, component=ABSENT, budget=Allowance("chars", 5)))
    assert "nothing was selected within the budget" in cut and "no selection for such" not in cut
    assert "nothing was selected" not in words(audit(tmp_path, listed, component=ABSENT))


@pytest.mark.parametrize(
    ("pool", "true"), [("n,x,w,d,1,20,29,\n", True), ("n,x,w,d,1,20,29,\nn,u,w,d,1,0,9,\n", False)]
)
def test_as_many_selected_units_as_candidates_are_not_called_all_of_them(tmp_path, pool, true):
    result = audit(tmp_path, "n,u,w,d,1,0,9,\n", candidates=HEAD + pool)
    assert any("no fewer selected units than candidates" in note for note in result.notes) == true
    assert not any("selecting all" in note for note in result.notes)


@pytest.mark.parametrize(("pool", "true"), [("n,u,w,d,1,0,9,\n", True), ("n,u,w,d,1,0,9,\nn,x,w,d,1,20,29,\n", False)])
def test_a_pool_within_the_budget_is_told(tmp_path, pool, true):
    result = audit(tmp_path, "n,u,w,d,1,0,9,\n", candidates=HEAD + pool, budget=Allowance("units", 1))
    assert any("no more candidates than the budget has places" in note for note in result.notes) == true


def test_an_empty_table_is_told_and_one_with_a_row_is_not(tmp_path):
    row = "n,u,w,d,1,0,9,\n"
    assert "nothing was selected for any need" in words(audit(tmp_path, "", candidates=HEAD + row))
    assert "nothing to select from for any need" in words(audit(tmp_path, row, candidates=HEAD))
    both = words(audit(tmp_path, row, candidates=HEAD + row))
    assert "for any need" not in both and "has no row" not in both


CLAIMS = "need,claim,component,subject,relation,object,polarity,source,doc,version,start,end\n"
CLAIM = "n,k1,,gate,weight,3 kg,positive,w,d,1,0,5\n"
RULES = "schema: evaudit/rules@1\nrules: [{id: r, kind: exclusive-relations, relations: [RELATIONS]}]\n"


@pytest.mark.parametrize(
    ("claims", "relations", "told"),
    [
        (CLAIM, "weight, width", "rule r names relation width, of which there is none in 1 claim"),
        (CLAIM, "height, width", "rule r (relation height, width) matches none of 1 claim"),
        (CLAIM + CLAIM.replace("k1", "k2").replace("weight", "width"), "weight, width", None),
        ("", "weight, width", "rule r finds nothing, as there is no claim"),
        (CLAIM, None, "no rules were given, so no claim opposes another one"),
    ],
)
def test_a_rule_matches_none_only_where_no_claim_has_a_relation_of_it(tmp_path, claims, relations, told):
    rules = {} if relations is None else {"rules": RULES.replace("RELATIONS", relations)}
    found = words(audit(tmp_path, "n,u,w,d,1,0,9,\n", claims=CLAIMS + claims, **rules))
    every = ("rule r names", "matches none of", "finds nothing", "no rules were given")
    assert [one for one in every if one in found] == ([one for one in every if one in told] if told else [])
    assert told is None or told in found
    assert ("it adds no claim" in found) == (not claims)
