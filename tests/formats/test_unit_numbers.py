"""Numbers in tables of needs and units: the digits 0 to 9, of a size that the figures can carry, or an error of the
need that names the line.
"""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evaudit.audits.bundle_tables import Tables
from evaudit.audits.bundles import audit_tables
from evaudit.bundles.budget import Allowance

NEEDS = "need,bundle,component,source,doc,version,start,end\nn,b,c,s,d,1,0,9\nother,b,c,s,d,1,0,9\n"
OTHER = "other,1,s,d,1,0,9,3"


def audit(tmp_path, rows, needs=NEEDS, budget=None):
    (tmp_path / "needs.csv").write_text(needs)
    (tmp_path / "selected.csv").write_text("need,rank,source,doc,version,start,end,tokens\n" + rows)
    return audit_tables(Tables(str(tmp_path / "needs.csv"), str(tmp_path / "selected.csv")), budget=budget)


def verdicts(result):
    return {row["need"]: row["verdict"] for row in result.details["needs"]}


BAD = {
    "arabic-digit": "n,1,s,d,1,0,\u0669,3",
    "plus-sign": "n,1,s,d,1,+0,9,3",
    "hexadecimal": "n,1,s,d,1,0,0x9,3",
    "underscore": "n,1,s,d,1,0,1_0,3",
    "blank": "n,1,s,d,1,0, 9,3",
    "end-beyond-64-bits": "n,1,s,d,1,0,99999999999999999999,3",
    "end-beyond-any-document": "n,1,s,d,1,0,1099511627777,3",
    "rank-beyond-64-bits": "n,99999999999999999999,s,d,1,0,9,3",
    "least-of-64-bits": "n,-9223372036854775808,s,d,1,0,9,3",
    "negative-rank": "n,-1,s,d,1,0,9,3",
    "negative-tokens": "n,1,s,d,1,0,9,-1",
    "tokens-beyond": "n,1,s,d,1,0,9,1099511627777",
}


@pytest.mark.parametrize("row", BAD.values(), ids=BAD)
def test_a_cell_that_is_no_such_number_withholds_its_need_with_the_line(tmp_path, row):
    result = audit(tmp_path, f"{row}\n{OTHER}\n")
    assert [(f.rule, f.where.line, f.need) for f in result.findings] == [("unit-invalid", 2, "n")]
    assert verdicts(result) == {"n": "withheld", "other": "satisfied"}


@pytest.mark.parametrize("ranks", [("0", "1"), ("1", "2"), ("7", "40")])
def test_ranks_are_an_order_from_whatever_number_they_count(tmp_path, ranks):
    first, second = ranks
    rows = f"n,{second},s,d,1,0,9,3\nn,{first},s,e,1,0,9,3\n{OTHER}\n"
    result = audit(tmp_path, rows, budget=Allowance("units", 1))
    assert not result.findings
    assert verdicts(result) == {"n": "incomplete", "other": "satisfied"}


UNSIGNED = {
    "end": ("end", "withheld"),
    "rank": ("rank", "withheld"),
    "tokens": ("tokens", "withheld"),
    "in-range": (None, "satisfied"),
}


@pytest.mark.parametrize(("column", "verdict"), UNSIGNED.values(), ids=UNSIGNED)
def test_unsigned_numbers_of_parquet_are_read_as_what_they_are(tmp_path, column, verdict):
    (tmp_path / "needs.csv").write_text(NEEDS)
    row = {"rank": 1, "start": 0, "end": 9, "tokens": 3} | ({column: 2**64 - 1} if column else {})
    numbers = {name: pa.array([value, 9], pa.uint64()) for name, value in row.items()}
    texts = {"need": ["n", "other"], "source": ["s", "s"], "doc": ["d", "d"], "version": ["1", "1"]}
    pq.write_table(pa.table(texts | numbers), tmp_path / "selected.parquet")
    result = audit_tables(Tables(str(tmp_path / "needs.csv"), str(tmp_path / "selected.parquet")))
    assert verdicts(result)["n"] == verdict


BAD_ANCHORS = {"arabic": "0,\u0669", "plus": "0,+9x", "beyond": "0,99999999999999999999"}


@pytest.mark.parametrize("positions", BAD_ANCHORS.values(), ids=BAD_ANCHORS)
def test_an_anchor_that_cannot_be_read_is_an_error_of_its_need(tmp_path, positions):
    needs = NEEDS.replace("n,b,c,s,d,1,0,9", f"n,b,c,s,d,1,{positions}", 1)
    result = audit(tmp_path, f"n,1,s,d,1,0,9,3\n{OTHER}\n", needs)
    assert [(f.rule, f.where.line, f.need) for f in result.findings] == [("need-invalid", 2, "n")]
    assert verdicts(result) == {"n": "withheld", "other": "satisfied"}
    assert "error" in {f.severity for f in result.findings}


BAD_NESTED = {
    "no-place": {"ref": "s/d@1"},
    "no-reference": {"start": 0, "end": 9},
    "misspelt": {"ref": "s/d@1", "strat": 0, "end": 9},
    "no-interval": {"ref": "s/d@1", "start": 0},
    "beyond": {"ref": "s/d@1", "start": 0, "end": 10**20},
    "text": "s/d@1 0-9",
}


@pytest.mark.parametrize("anchor", BAD_NESTED.values(), ids=BAD_NESTED)
def test_a_nested_anchor_that_cannot_be_read_is_an_error_of_its_need(tmp_path, anchor):
    needs, selected = tmp_path / "needs.jsonl", tmp_path / "selected.csv"
    good = {"anchor": {"ref": "s/d@1", "start": 0, "end": 9}}
    rows = [("n", {"anchor": anchor}), ("other", good)]
    needs.write_text(
        "".join(json.dumps({"need": n, "components": {"c": c}, "accept": [["c"]]}) + "\n" for n, c in rows)
    )
    selected.write_text("need,source,doc,version,start,end\nn,s,d,1,0,9\nother,s,d,1,0,9\n")
    result = audit_tables(Tables(str(needs), str(selected)))
    assert {(f.where.line, f.need) for f in result.findings} == {(1, "n")}
    assert all("expected" in f.message for f in result.findings)
    assert verdicts(result) == {"n": "withheld", "other": "satisfied"}
    assert "error" in {f.severity for f in result.findings}


def test_a_budget_beyond_64_bits_holds_everything(tmp_path):
    result = audit(tmp_path, f"n,1,s,d,1,0,9,3\n{OTHER}\n", budget=Allowance("tokens", 2**63 - 1))
    assert verdicts(result) == {"n": "satisfied", "other": "satisfied"}
