"""Labels that a view asks for and that no document has: an error that lists what was found, above the figures."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
from join_rows import Row, command, need, unit

import evaudit
from evaudit.audits.ranking import audit_runs
from evaudit.audits.ranking_documents import DocumentCheck

RULE = "view-label-unknown"


def document(doc: str, **more: object) -> Row:
    return {"source": "kb", "doc": doc, "version": "1", "status": "current", "access": "public", **more}


def told(view: dict[str, object], documents: list[Row], **more: object) -> list[tuple[str, str]]:
    needs, chosen = pa.Table.from_pylist([need("n1", "a")]), pa.Table.from_pylist([unit("n1", "a", **more)])
    found = evaudit.cover(needs, chosen, None, pa.Table.from_pylist(documents), view={"name": "v", **view}).result
    assert all(f.rule == RULE for f in found.findings[: sum(f.rule == RULE for f in found.findings)])
    return [(f.severity, f.message) for f in found.findings if f.rule == RULE]


DOCUMENTS = [document("a"), document("b"), document("c", status="revoked", access="staff")]


@pytest.mark.parametrize(
    ("view", "asks", "found", "differs"),
    [
        (
            {"statuses": ["Current"]},
            "status 'Current'",
            "'current' (2), 'revoked' (1)",
            "'current' differs from 'Current' only in case",
        ),
        ({"statuses": ["current "]}, "status 'current '", "'current' (2), 'revoked' (1)", "only in outer blanks"),
        (
            {"access": ["Public"]},
            "access 'Public'",
            "'public' (2), 'staff' (1)",
            "'public' differs from 'Public' only in case",
        ),
        ({"versions": {"kb": "1.0"}}, "version (of source 'kb') '1.0'", "'1' (3)", "only in decimal zeros"),
        ({"statuses": ["active"]}, "status 'active'", "'current' (2), 'revoked' (1)", ""),
    ],
)
def test_a_label_that_no_document_has_is_an_error_that_lists_those_found(view, asks, found, differs):
    ((severity, message),) = told(view, DOCUMENTS)
    assert severity == "error"
    assert message.startswith(f"the view v asks for the {asks}, which no document has; found are {found}")
    assert message.endswith(differs) if differs else "differs" not in message


def test_one_label_of_several_that_no_document_has_is_a_warning():
    ((severity, message),) = told({"statuses": ["current", "published"]}, DOCUMENTS)
    assert severity == "warning" and "'published'" in message
    ((severity, _),) = told({"statuses": ["current", "Revoked"]}, DOCUMENTS)
    assert severity == "error"


@pytest.mark.parametrize(
    "view", [{"statuses": ["current"]}, {"access": ["public", "staff"]}, {"versions": {"web": "3"}}]
)
def test_labels_that_documents_have_say_nothing(view):
    assert told(view, DOCUMENTS) == []


def test_an_access_label_that_units_carry_themselves_is_found():
    documents = [{k: v for k, v in one.items() if k != "access"} for one in DOCUMENTS]
    needs = pa.Table.from_pylist([need("n1", "a")])
    for label, rules in (("public", []), ("Public", [RULE])):
        chosen = pa.Table.from_pylist([unit("n1", "a") | {"access": label}])
        view = {"name": "v", "access": ["public"]}
        found = evaudit.cover(needs, chosen, None, pa.Table.from_pylist(documents), view=view).result.findings
        assert [f.rule for f in found if f.rule == RULE] == rules


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_the_command_says_it_above_the_figures_and_ends_with_1(tmp_path, monkeypatch, capsys, form):
    rows = {"needs": [need("n1", "a")], "selected": [unit("n1", "a")], "documents": DOCUMENTS}
    for name, table in rows.items():
        cells = [list(table[0]), *([str(v) for v in row.values()] for row in table)]
        lines = map(",".join, cells) if form == "csv" else map(json.dumps, table)
        (tmp_path / f"{name}.{form}").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "view.yaml").write_text("schema: evaudit/view@1\nview:\n  name: v\n  statuses: [Current]\n")
    given = [part for name in rows for part in (f"--{name}", str(tmp_path / f"{name}.{form}"))]
    given += ["--view", str(tmp_path / "view.yaml")]
    for report in ("table", "markdown"):
        code, out = command(monkeypatch, capsys, *given, "--format", report)
        assert code == 1 and out.index(RULE) < out.index("bundle-coverage")
    assert json.loads(command(monkeypatch, capsys, *given, "--format", "json")[1])["findings"][0]["rule"] == RULE


def test_a_view_of_ranked_documents_is_asked_too(tmp_path):
    (tmp_path / "q").write_text("1 0 a 1\n")
    (tmp_path / "r").write_text("1 Q0 a 1 1 t\n")
    (tmp_path / "d.csv").write_text("source,doc,version,status\nkb,a,1,current\n")
    (tmp_path / "v.yaml").write_text("schema: evaudit/view@1\nview:\n  name: v\n  statuses: [Current]\n")
    documents = DocumentCheck(str(tmp_path / "d.csv"), str(tmp_path / "v.yaml"), 1)
    result = audit_runs(str(tmp_path / "q"), [str(tmp_path / "r")], ["P@1"], documents=documents)
    assert (result.findings[0].rule, result.findings[0].severity) == (RULE, "error")


def test_the_place_is_that_of_the_field_in_the_file_of_the_view(tmp_path):
    documents, needs = pa.Table.from_pylist(DOCUMENTS), pa.Table.from_pylist([need("n1", "a")])
    view = tmp_path / "view.yaml"
    view.write_text("schema: evaudit/view@1\nview:\n  name: v\n  statuses: [Current]\n  versions: {kb: '1.0'}\n")
    chosen = pa.Table.from_pylist([unit("n1", "a")])
    found = evaudit.cover(needs, chosen, None, documents, view=str(view)).result.findings
    places = [(f.where.path, f.where.line, f.where.pointer) for f in found if f.rule == RULE]
    assert places == [(str(view), 4, "$.view.statuses"), (str(view), 5, "$.view.versions.kb")]
    given = {"name": "v", "statuses": ["Current"]}
    found = evaudit.cover(needs, chosen, None, documents, view=given).result.findings
    assert [(f.where.path, f.where.pointer) for f in found if f.rule == RULE] == [("view", "$.statuses")]


def test_a_view_of_ranked_documents_is_told_at_its_line(tmp_path):
    (tmp_path / "d.csv").write_text("source,doc,version,status\nkb,a,1,current\n")
    (tmp_path / "v.yaml").write_text("schema: evaudit/view@1\nview:\n  name: v\n  statuses: [Current]\n")
    check = DocumentCheck(str(tmp_path / "d.csv"), str(tmp_path / "v.yaml"), 1)
    assert [f.where.line for f in check.findings(0, "r") if f.rule == RULE] == [4]
