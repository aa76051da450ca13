"""Runs as tables and frames, the check of their documents, means by group, and the Python function."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from small_runs import measure, write

import evaudit
from evaudit.audits.ranking import audit_runs
from evaudit.audits.ranking_documents import DocumentCheck
from evaudit.errors import InvalidDocumentError, UsageError
from evaudit.ranking.conventions import BOOK
from evaudit.results import Result

QRELS = [("1", "A", 2), ("1", "B", 1), ("1", "N", 0), ("2", "x", 1)]
RUN = [("1", "B", 1, 3.0), ("1", "U", 2, 2.0), ("1", "A", 3, 1.5), ("2", "x", 1, 9.0)]
MEASURES = ["AP", "nDCG@3", "judged@3"]


def columns(rows: list[tuple[Any, ...]], names: str) -> dict[str, list[Any]]:
    return {name: [row[i] for row in rows] for i, name in enumerate(names.split())}


def delimited(path: Path, table: dict[str, list[Any]], mark: str) -> None:
    rows = [mark.join(table), *(mark.join(map(str, row)) for row in zip(*table.values(), strict=True))]
    path.write_text("\n".join(rows) + "\n")


def written(folder: Path, form: str) -> tuple[str, str]:
    tables = {"qrels": columns(QRELS, "topic document grade"), "run": columns(RUN, "topic document rank score")}
    paths = []
    for name, table in tables.items():
        path = folder / f"{name}.{form}"
        if form == "parquet":
            pq.write_table(pa.table(table), path)
        elif form == "jsonl":
            rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        else:
            delimited(path, table, "," if form == "csv" else "\t")
        paths.append(str(path))
    return paths[0], paths[1]


def answers(result: Result) -> list[tuple[str, str | None, float | None]]:
    return [(figure.name, figure.need, figure.value) for figure in result.iter_figures()]


@pytest.fixture
def expected(tmp_path: Path) -> list[tuple[str, str | None, float | None]]:
    folder = tmp_path / "trec"
    folder.mkdir()
    text = "1 A=2 B=1 N=0; 2 x=1", "1 B(3) U(2) A(1.5); 2 x(9)"
    return answers(measure(folder, *text, MEASURES, BOOK, per_topic=True))


@pytest.mark.parametrize("order", ["ranks", "score", "lines"])
@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
def test_a_table_gives_what_a_trec_file_gives(tmp_path: Path, form: str, order: str, expected: object) -> None:
    qrels, run = written(tmp_path, form)
    result = audit_runs(qrels, [run], MEASURES, BOOK.choose(order=order), per_topic=True)
    assert answers(result) == expected
    assert [one.rows for one in result.inputs] == [4, 4]
    assert all(len(one.sha256) == 64 for one in result.inputs)


def test_a_table_and_a_trec_file_go_together(tmp_path: Path, expected: object) -> None:
    qrels, run = written(tmp_path, "parquet")
    _, trec = write(tmp_path, "", "1 B(3) U(2) A(1.5); 2 x(9)")
    assert answers(audit_runs(qrels, trec, MEASURES, per_topic=True)) == expected
    (tmp_path / "qrels.trec").write_text("".join(f"{t} 0 {d} {g}\n" for t, d, g in QRELS))
    assert answers(audit_runs(str(tmp_path / "qrels.trec"), [run], MEASURES, per_topic=True)) == expected


def test_tabs_without_a_header_are_a_trec_file(tmp_path: Path) -> None:
    (tmp_path / "qrels.tsv").write_text("1\t0\ta\t1\n")
    _, runs = write(tmp_path, "", "1 a(1)")
    assert audit_runs(str(tmp_path / "qrels.tsv"), runs, ["AP"]).means[0].value == 1.0


BAD = [
    ("run.csv", "topic,document,rank,score\n1,A,1,nan\n", "score-invalid", 2),
    ("run.csv", "topic,document,rank,score\n1,A,1,2\n\n1,A,2,1\n", "repeated-result-id", 4),
    ("run.csv", "topic,document,rank,score\n1,A,1,2\n1,B,1,1\n", "repeated-rank", 3),
    ("run.csv", "topic,document,rank,score\n1,A,one,2\n", "rank-invalid", 2),
    ("run.csv", "topic,document,score\n1,A,2\n", "table-column-missing", 1),
    ("run.csv", "topic,document,rank,score\n1,,1,2\n", "trec-id-invalid", 2),
    ("run.csv", "topic,document,rank,score\n1,A\ufeff,1,2\n", "trec-id-invalid", 2),
    ("run.csv", "topic,document,rank,score\n", "trec-file-empty", None),
    ("qrels.csv", "topic,document,grade\n1,A,0.5\n", "grade-invalid", 2),
    ("qrels.csv", "topic,document,grade\n1,A,-1\n", "grade-invalid", 2),
    ("qrels.csv", "topic,document,grade\n1,A,1\n1,A,1\n", "repeated-judgement", 3),
    ("qrels.csv", "topic,document\n1,A\n", "table-column-missing", 1),
]


@pytest.mark.parametrize(("name", "text", "rule", "line"), BAD)
def test_a_table_is_refused_with_its_line(tmp_path: Path, name: str, text: str, rule: str, line: int | None) -> None:
    written(tmp_path, "csv")
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InvalidDocumentError) as refused:
        audit_runs(str(tmp_path / "qrels.csv"), [str(tmp_path / "run.csv")], ["AP"])
    first = refused.value.findings[0]
    assert (first.rule, first.where and first.where.line) == (rule, line)


def frames() -> dict[str, tuple[object, object]]:
    pandas = pytest.importorskip("pandas")
    qrels, run = columns(QRELS, "topic document grade"), columns(RUN, "topic document rank score")
    other = {"query_id": qrels["topic"], "doc_id": qrels["document"], "relevance": qrels["grade"]}
    nested = {"1": {"A": 2, "B": 1, "N": 0}, "2": {"x": 1}}
    return {
        "columns": (qrels, run),
        "arrow": (pa.table(qrels), pa.table(run)),
        "pandas": (pandas.DataFrame(qrels), pandas.DataFrame(run)),
        "other names": (other, run),
        "rows": ([dict(zip(qrels, row, strict=True)) for row in QRELS], pa.table(run)),
        "scores by document": (nested, {"1": {"U": 2, "B": 3.0, "A": 1.5}, "2": {"x": 9}}),
        "lists": (nested, {"1": ["B", "U", "A"], "2": ["x"]}),
    }


@pytest.mark.parametrize("form", ["columns", "arrow", "pandas", "other names", "rows", "scores by document", "lists"])
def test_frames_and_mappings_give_what_files_give(form: str, expected: object) -> None:
    audit = evaudit.rank(*frames()[form], measures=MEASURES)
    assert answers(audit.result) == expected
    assert audit.inputs == ()
    assert "no digest guards it" in " ".join(audit.notes)


class Frame:
    """What any data frame library hands out."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


def test_anything_of_the_arrow_interface_is_a_frame(expected: object) -> None:
    frames = (Frame(pa.table(columns(rows, names))) for rows, names in ((QRELS, "topic document grade"),
                                                                       (RUN, "topic document rank score")))  # fmt: skip
    assert answers(evaudit.rank(*frames, measures=MEASURES).result) == expected


def test_the_function_takes_files_and_answers_like_the_command(tmp_path: Path) -> None:
    qrels, runs = write(tmp_path, "1 A=2 B=1 N=0; 2 x=1", "1 B(3) U(2) A(1.5); 2 x(9)", "2 x(1)")
    audit = evaudit.rank(qrels, runs[0], measures=["AP@1000", "nDCG@10"], convention="book")
    assert list(audit.means) == ["AP@1000", "nDCG(gain=exponential)@10"]
    assert audit.figures["AP@1000[need=1]"].value == pytest.approx(5 / 6)
    assert audit.to_arrow().num_rows == 4
    assert json.loads(audit.to_json())["command"] == "rank"
    assert str(audit).startswith("judgements  ")
    assert repr(audit).startswith("<Audit of rank: 4 figures, 2 means, ")
    several = evaudit.rank(qrels, runs, "RR", per_topic=False)
    assert list(several.means) == ["RR(run=run0)", "RR(run=run1)"]
    assert not several.figures


def test_choices_of_the_convention_are_keywords(tmp_path: Path) -> None:
    audit = evaudit.rank({"1": {"a": 1}, "2": {"b": 1}}, {"1": {"a": 1.0}}, "AP", missing_topics="skip")
    assert audit.means["AP"].value == 1.0
    assert evaudit.rank({"1": {"a": 1}, "2": {"b": 1}}, {"1": {"a": 1.0}}, "AP", "trec_eval", missing_topics="zero")
    for wrong in ({"convention": "trec"}, {"missing_topics": "drop"}, {"cutoff": 3}, {"measures": "ndgc@3"}):
        with pytest.raises(UsageError):
            evaudit.rank({"1": {"a": 1}}, {"1": {"a": 1.0}}, **{"measures": "AP", **wrong})


@pytest.mark.parametrize(
    ("qrels", "run", "rule"),
    [
        ({"1": {"a": 0.5}}, {"1": {"a": 1.0}}, "grade-invalid"),
        ({"1": {"a": True}}, {"1": {"a": 1.0}}, "grade-invalid"),
        ({"1": {"a": 1}}, {"1": {"a": float("nan")}}, "score-invalid"),
        ({"1": {"a": 1}}, {"1": ["a", "a"]}, "repeated-result-id"),
        ({"1": {"a": 1}}, {}, "trec-file-empty"),
        ({"1": {"a": 1}}, {"2": ["a"]}, "topics-disjoint"),
    ],
)
def test_mappings_are_refused_as_files_are(qrels: object, run: object, rule: str) -> None:
    with pytest.raises(InvalidDocumentError) as refused:
        evaudit.rank(qrels, run, "AP")
    assert refused.value.findings[0].rule == rule


DOCUMENTS = """source,doc,version,status,access
web,A,1,current,public
web,B,1,revoked,public
web,U,1,current,secret
web,x,1,current,public
"""
VIEW = "schema: evaudit/view@1\nview:\n  name: public-now\n  statuses: [current]\n  access: [public]\n"


@pytest.fixture
def inventory(tmp_path: Path) -> Path:
    (tmp_path / "documents.csv").write_text(DOCUMENTS)
    (tmp_path / "view.yaml").write_text(VIEW)
    return tmp_path


def checked(folder: Path, run: str, view: bool = True) -> Result:
    check = DocumentCheck(str(folder / "documents.csv"), str(folder / "view.yaml") if view else None, 1)
    return audit_runs(*write(folder, "1 A=1 B=1", run), ["AP"], documents=check)


def test_returned_documents_are_checked_against_inventory_and_view(inventory: Path) -> None:
    result = checked(inventory, "1 A(5) B(4) U(3) ghost(2)")
    runs = result.details["runs"]
    assert isinstance(runs, list)
    assert runs[0]["documents"] == {
        "returned": 4, "usable": 1, "view": "public-now", "states": {"fabricated": 1, "restricted": 1, "revoked": 1},
    }  # fmt: skip
    assert [(f.rule, f.severity, f.where and f.where.line) for f in result.findings] == [
        ("reference-fabricated", "error", 4),
        ("returned-document-ineligible", "error", 3),
        ("returned-document-ineligible", "error", 2),
    ]
    assert result.means[0].value == 1.0, "the check changes no figure"
    assert len(result.inputs) == 4


def test_without_a_view_only_existence_is_asked(inventory: Path) -> None:
    result = checked(inventory, "1 A(5) B(4) web/U@1(3)", view=False)
    assert not result.findings
    assert [f.rule for f in checked(inventory, "1 web/A@2(1)", view=False).findings][:1] == ["reference-fabricated"]


def test_means_by_group_name_the_groups_that_have_none(tmp_path: Path) -> None:
    qrels, runs = write(tmp_path, "1 a=1; 2 b=1; 3 c=0; 4 d=1", "1 a(1); 2 x(2) b(1); 3 c(1); 4 d(1)")
    (tmp_path / "groups").write_text("1 frequent\n2 frequent\n3 rare\n")
    result = audit_runs(qrels, runs, ["RR"], groups_path=str(tmp_path / "groups"))
    assert [(mean.name, mean.value, mean.n, mean.undefined) for mean in result.means] == [
        ("RR", 2.5 / 3, 3, None),
        ("RR(group=(none))", 1.0, 1, None),
        ("RR(group=frequent)", 0.75, 2, None),
        ("RR(group=rare)", None, 0, "no-known-positives"),
    ]
    (tmp_path / "groups.csv").write_text("topic,group\n1,frequent\n2,frequent\n3,rare\n")
    again = audit_runs(qrels, runs, ["RR"], groups_path=str(tmp_path / "groups.csv"))
    assert again.means == result.means


def test_a_topic_in_two_groups_is_refused(tmp_path: Path) -> None:
    qrels, runs = write(tmp_path, "1 a=1", "1 a(1)")
    (tmp_path / "groups").write_text("1 frequent\n1 rare\n")
    with pytest.raises(InvalidDocumentError) as refused:
        audit_runs(qrels, runs, ["RR"], groups_path=str(tmp_path / "groups"))
    assert [(f.rule, f.where and f.where.line) for f in refused.value.findings] == [("topic-in-two-groups", 2)]
