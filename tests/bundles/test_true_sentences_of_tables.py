"""What is said of tables without a row, and of labels that no document has, holds for the tables that were given."""

from __future__ import annotations

import itertools
import json

import pytest

from evaudit.audits.bundle_tables import Tables
from evaudit.audits.bundles import Wanted, audit_tables
from evaudit.bundles.budget import Allowance
from evaudit.reports import render
from evaudit.reports.layout import Style

LABELS = {"status": "current", "access": "public", "valid_from": "2020-01-01"}
ASKED = {"status": "statuses: [current]", "access": "access: [public]", "valid_from": "as_of: 2021-01-01"}
NAMES = {"valid_from": "valid_from or valid_to"}


def words(result):
    return " ".join(render(result, "table", 0, Style(color=False, width=100)).split())


def audit(folder, documents, *, asked=(), access=None, corpus=None):
    """One need of one anchor, one selected unit; the documents, or None for no table of them."""
    need = {"need": "n", "components": {"a": {"anchor": {"ref": "w/d@1", "start": 0, "end": 5}}}, "accept": [["a"]]}
    (folder / "n.jsonl").write_text(json.dumps(need) + "\n")
    more = "" if access is None else ",access"
    (folder / "s.csv").write_text(
        f"need,unit,source,doc,version,start,end{more}\nn,u,w,d,1,0,9{'' if access is None else ',' + access}\n"
    )
    given = {}
    if documents is not None:
        (folder / "d.csv").write_text(
            "source,doc,version,status,access,valid_from\n" + "".join(f"w,d{i or ''},1,{row}\n" for i, row in documents)
        )
        given["documents"] = str(folder / "d.csv")
    if asked:
        lines = "".join(f"  {ASKED[label]}\n" for label in asked)
        (folder / "v.yaml").write_text(f"schema: evaudit/view@1\nview:\n  name: v\n{lines}")
        given["view"] = str(folder / "v.yaml")
    if corpus is not None:
        (folder / "u.csv").write_text("unit,source,doc,version,start,end\n" + corpus)
        given["units"] = str(folder / "u.csv")
    return words(audit_tables(Tables(str(folder / "n.jsonl"), str(folder / "s.csv"), **given)))


@pytest.mark.parametrize("asked", [a for n in (1, 2, 3) for a in itertools.combinations(LABELS, n)])
@pytest.mark.parametrize("held", [h for n in (0, 1, 2, 3) for h in itertools.combinations(LABELS, n)])
def test_a_label_that_none_of_the_documents_has_is_told_of_exactly_those(tmp_path, asked, held):
    row = ",".join(LABELS[label] if label in held else "" for label in LABELS)
    text = audit(tmp_path, [(0, row), (1, ",,")], asked=asked)
    missing = " and ".join(NAMES.get(label, label) for label in asked if label not in held)
    said = f"the view v asks for {missing}, and none of 2 documents has it, so none of them may be used"
    assert (said in text) == bool(missing)
    assert ("none of 2 documents" in text) == bool(missing)


@pytest.mark.parametrize(
    ("access", "documents", "said"),
    [
        (None, None, "no documents were given, so no document may be used"),
        (None, [], "the table of documents has no row, so no document may be used"),
        ("public", None, None),
        (None, [(0, ",public,")], None),
    ],
)
def test_no_document_may_be_used_is_said_where_no_label_is_at_hand(tmp_path, access, documents, said):
    text = audit(tmp_path, documents, asked=("access",), access=access)
    assert ("so no document may be used" in text) == (said is not None) and (said or "") in text


@pytest.mark.parametrize(
    ("documents", "who"),
    [(None, "no documents were given"), ([], "the table of documents has no row"), ([(0, ",,")], None)],
)
def test_no_text_was_checked_is_said_of_what_was_given(tmp_path, documents, who):
    text = audit(tmp_path, documents)
    for one in ("no documents were given", "the table of documents has no row"):
        assert (f"{one}: positions are taken as stated and no text was checked" in text) == (one == who)
    assert ("the table of documents has no row: no reference and no text is checked" in text) == (documents == [])


@pytest.mark.parametrize(("corpus", "empty"), [("", True), ("x,w,d,1,0,9\n", False)])
def test_an_empty_corpus_is_not_said_to_leave_no_unit_at_all(tmp_path, corpus, empty):
    text = audit(tmp_path, None, corpus=corpus)
    assert ("the table of corpus units has no row, so the corpus holds no unit" in text) == empty
    assert "there is no unit" not in text


@pytest.mark.parametrize("budget", [None, Allowance("units", 1), Allowance("chars", 9), Allowance("tokens", 9)])
def test_found_in_no_need_is_said_of_what_was_looked_for(tmp_path, budget):
    need = {"need": "n", "components": {"a": {"anchor": {"ref": "w/d@1", "start": 0, "end": 5}}}, "accept": [["a"]]}
    (tmp_path / "n.jsonl").write_text(json.dumps(need) + "\n")
    (tmp_path / "s.csv").write_text("need,unit,source,doc,version,start,end,tokens\nn,u,w,d,1,0,9,3\n")
    tables = Tables(str(tmp_path / "n.jsonl"), str(tmp_path / "s.csv"))
    text = words(audit_tables(tables, budget=budget, wanted=Wanted(lint=True)))
    asked = budget is not None and budget.measured != "tokens"
    assert "found in no need: bundle-repeated" in text
    assert ("bundle-over-budget" in text) == asked
