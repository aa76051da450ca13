"""What the report says of needs that can only be met by declaring absence."""

from __future__ import annotations

import json

import pytest

from evaudit.audits.bundle_tables import Tables
from evaudit.audits.bundles import audit_tables
from evaudit.reports import render
from evaudit.reports.layout import Style

ABSENT = {"absent": {"inventory": ["w/d@1"], "declared_by": "author"}}
HEAD = "need,unit,source,doc,version,start,end,stop\n"
MET = "1 need can only be met by declaring absence;"
CASES = {
    ("n1", ""): f"{MET} nothing was selected; no selection for such a need says why it stopped.",
    (
        "n1",
        "n1,z,w,d,1,0,9,\n",
    ): f"{MET} 1 unit was selected all the same; no selection for such a need says why it stopped.",
    ("n1", "n1,y,w,d,1,0,9,abstained\nn1,z,w,d,1,9,12,abstained\n"): f"{MET} 2 units were selected all the same; why "
    "selections stopped: abstained 1.",
    ("n1 n2", "n2,y,w,d,1,0,9,abstained\nn2,z,w,d,1,9,12,abstained\n"): "2 needs can only be met by declaring absence; "
    "2 units were selected all the same, for 1 of them; why selections stopped: not stated 1, abstained 1.",
}


@pytest.mark.parametrize(("needs", "rows"), CASES)
def test_what_was_returned_is_said_in_one_way(tmp_path, needs, rows):
    lines = [json.dumps({"need": n, "components": {"a": ABSENT}, "accept": [["a"]]}) + "\n" for n in needs.split()]
    (tmp_path / "n.jsonl").write_text("".join(lines), encoding="utf-8")
    (tmp_path / "s.csv").write_text(HEAD + rows, encoding="utf-8")
    result = audit_tables(Tables(str(tmp_path / "n.jsonl"), str(tmp_path / "s.csv")))
    words = " ".join(render(result, "table", 0, Style(color=False, width=100)).split())
    assert CASES[needs, rows] in words
