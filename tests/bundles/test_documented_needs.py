"""The guide's needs in JSON lines are read as they stand, and what it says withholds figures does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from evaudit.audits.bundle_tables import Tables
from evaudit.audits.bundles import audit_tables
from evaudit.findings import RULES

GUIDE = (Path(__file__).parents[2] / "docs" / "files.md").read_text(encoding="utf-8")
SECTION = GUIDE.split("`need-error` is an error after which", 1)[1].split("###", 1)[0]
WITHHOLDING, ANSWERS = (
    set(re.findall(r"`([a-z-]+)`", part)) for part in SECTION.split("A unit of a document that does not exist", 1)
)
DOCUMENT = {"source": "s", "doc": "d", "version": "1", "text": "0123456789"}
ANCHOR = {"anchor": {"ref": "s/d@1", "start": 0, "end": 5}}
NEED = {"need": "n", "components": {"c": ANCHOR}, "accept": [["c"]]}
OTHER = {**NEED, "need": "other"}
UNIT = {"need": "n", "unit": "u", "rank": "1", "source": "s", "doc": "d", "version": "1", "start": 0, "end": 5}
OTHER_UNIT = {**UNIT, "need": "other"}
CASES = {
    "document-invalid": ([{**NEED, "components": {"c": {"anchor": {"ref": "s/d@1", "start": 0}}}}], [UNIT]),
    "unknown-field": ([{**NEED, "components": {"c": {"anchr": ANCHOR["anchor"]}}}], [UNIT]),
    "need-repeated": ([NEED, NEED], [UNIT]),
    "bundle-empty": ([{**NEED, "accept": [[]]}], [UNIT]),
    "bundle-unknown-component": ([{**NEED, "accept": [["x"]]}], [UNIT]),
    "anchor-space-not-comparable": ([NEED], [{**UNIT, "space": "line"}]),
    "unit-invalid": ([NEED], [{**UNIT, "end": "x"}]),
    "unit-id-repeated": ([NEED], [UNIT, {**UNIT, "rank": "2"}]),
    "unit-rank-repeated": ([NEED], [UNIT, {**UNIT, "unit": "v"}]),
    "unit-unknown": ([NEED], [{"need": "n", "unit": "nobody", "rank": "1"}]),
    "reference-fabricated": ([NEED], [UNIT, {**UNIT, "unit": "v", "rank": "2", "doc": "none"}]),
    "reference-out-of-range": ([NEED], [UNIT, {**UNIT, "unit": "v", "rank": "2", "end": 99}]),
    "reference-text-mismatch": ([NEED], [UNIT, {**UNIT, "unit": "v", "rank": "2", "text": "abcde"}]),
    "need-unknown": ([NEED], [UNIT, {**UNIT, "need": "nobody"}]),
}


def audit(tmp_path, needs, selected, documents=(DOCUMENT,)):
    paths = {}
    for name, rows in (("needs", needs), ("selected", selected), ("documents", documents)):
        paths[name] = str(tmp_path / f"{name}.jsonl")
        Path(paths[name]).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return audit_tables(Tables(**paths))


def test_the_example_of_the_guide_is_read_as_it_stands(tmp_path):
    block = GUIDE.split("### Needs in JSON lines\n\n", 1)[1].split("\n\n", 1)[0]
    texts = {("heron", "3"): "Heron is the bird of the marsh by the lake, in May", ("list", "1"): "Heron: May"}
    documents = [{"source": "wiki", "doc": d, "version": v, "text": text} for (d, v), text in texts.items()]
    unit = {"need": "n1", "source": "wiki", "doc": "heron", "version": "3", "start": 0, "end": 50}
    result = audit(tmp_path, [json.loads(block)], [unit], documents)
    assert "error" not in {f.severity for f in result.findings}
    assert [row["verdict"] for row in result.details["needs"]] == ["satisfied"]


@pytest.mark.parametrize("rule", CASES)
def test_an_error_withholds_what_the_guide_says(tmp_path, rule):
    needs, units = CASES[rule]
    result = audit(tmp_path, [*needs, OTHER], [*units, OTHER_UNIT])
    verdicts = {row["need"]: row["verdict"] for row in result.details["needs"]}
    assert rule in {f.rule for f in result.findings}
    assert verdicts == {"n": "withheld" if rule in WITHHOLDING else "satisfied", "other": "satisfied"}
    assert (rule in WITHHOLDING) != (rule in ANSWERS)


def test_the_guide_names_rules_that_exist():
    assert {rule.id for rule in RULES} >= WITHHOLDING | ANSWERS
