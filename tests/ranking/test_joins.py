"""Topics and documents of runs and qrels: near misses by name, with what differs, and files without a join.

Every way to read a run must tell the same.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evaudit
from evaudit.audits.ranking import audit_runs
from evaudit.audits.ranking_documents import DocumentCheck
from evaudit.cli import main
from evaudit.errors import UnjoinedError
from evaudit.ranking.conventions import BOOK, TREC_EVAL
from evaudit.results import Result

Lists = dict[str, list[str]]


def write(folder: Path, qrels: Lists, run: Lists) -> tuple[str, list[str]]:
    (folder / "q").write_text("".join(f"{t} 0 {d} 1\n" for t, docs in qrels.items() for d in docs))
    lines = [f"{t} Q0 {d} {i} {99 - i} t\n" for t, docs in run.items() for i, d in enumerate(docs, 1)]
    (folder / "r").write_text("".join(lines))
    return str(folder / "q"), [str(folder / "r")]


def by_lines(folder: Path, qrels: Lists, run: Lists) -> Result:
    return audit_runs(*write(folder, qrels, run), ["recall@10"], BOOK, kernel=True)


def by_plain_python(folder: Path, qrels: Lists, run: Lists) -> Result:
    return audit_runs(*write(folder, qrels, run), ["recall@10"], BOOK, kernel=False)


def by_the_strict_reader(folder: Path, qrels: Lists, run: Lists) -> Result:
    paths = write(folder, qrels, run)
    (folder / "q").write_text((folder / "q").read_text() + "# a comment below\n")
    (folder / "r").write_text((folder / "r").read_text() + "# a comment below\n")
    return audit_runs(*paths, ["recall@10"], BOOK)


def _columns(qrels: Lists, run: Lists) -> tuple[pa.Table, pa.Table]:
    judged = [(t, d, 1) for t, docs in qrels.items() for d in docs]
    ranked = [(t, d, i) for t, docs in run.items() for i, d in enumerate(docs, 1)]
    return (
        pa.table(dict(zip(("topic", "document", "grade"), map(list, zip(*judged, strict=True)), strict=True))),
        pa.table(dict(zip(("topic", "document", "rank"), map(list, zip(*ranked, strict=True)), strict=True))),
    )


def by_parquet(folder: Path, qrels: Lists, run: Lists) -> Result:
    for table, name in zip(_columns(qrels, run), ("q.parquet", "r.parquet"), strict=True):
        pq.write_table(table, folder / name)
    return audit_runs(str(folder / "q.parquet"), [str(folder / "r.parquet")], ["recall@10"], BOOK)


def by_json_lines(folder: Path, qrels: Lists, run: Lists) -> Result:
    for table, name in zip(_columns(qrels, run), ("q.jsonl", "r.jsonl"), strict=True):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))
    return audit_runs(str(folder / "q.jsonl"), [str(folder / "r.jsonl")], ["recall@10"], BOOK)


def by_frames(folder: Path, qrels: Lists, run: Lists) -> Result:
    return evaudit.rank(*_columns(qrels, run), "recall@10").result


def by_mappings(folder: Path, qrels: Lists, run: Lists) -> Result:
    return evaudit.rank({t: dict.fromkeys(docs, 1) for t, docs in qrels.items()}, run, "recall@10").result


READERS = [
    by_lines, by_plain_python, by_the_strict_reader, by_parquet, by_json_lines, by_frames, by_mappings,
]  # fmt: skip


def told(result: Result) -> list[tuple[str, str, str]]:
    """Rule, severity and message without the names of files."""
    words = [(f.rule, f.severity, f.message) for f in result.findings if f.rule.endswith(("near-miss", "disjoint"))]
    return [(r, s, m.partition(" than in ")[0] + m[m.find(": ") :] if "near" in r else "") for r, s, m in words]


def refused(read: object, folder: Path, qrels: Lists, run: Lists) -> list[tuple[str, str]]:
    with pytest.raises(UnjoinedError) as stopped:
        read(folder, qrels, run)  # type: ignore[operator]  # one of READERS
    assert stopped.value.exit_code == 1
    return [(f.rule, f.severity) for f in stopped.value.findings]


@pytest.mark.parametrize("read", READERS)
def test_topics_of_another_spelling_are_named_and_give_no_figure(tmp_path: Path, read: object) -> None:
    found = refused(read, tmp_path, {"1": ["a"], "2": ["b"]}, {"001": ["a"], "002": ["b"]})
    assert found == [("topic-near-miss", "error"), ("topics-disjoint", "error")]


@pytest.mark.parametrize("read", READERS)
def test_a_single_topic_of_another_spelling_is_a_warning(tmp_path: Path, read: object) -> None:
    run = {"1": ["a"], "02": ["b"], "3": ["c"]}
    result = read(tmp_path, {"1": ["a"], "2": ["b"], "3": ["c"]}, run)  # type: ignore[operator]  # one of READERS
    ((rule, severity, message),) = told(result)
    assert (rule, severity) == ("topic-near-miss", "warning")
    assert message.startswith("1 topic of the run in another spelling: '02' for '2' (leading zeros); in no figure")
    assert result.findings[0].rule == "topic-near-miss"


@pytest.mark.parametrize("read", READERS)
def test_one_document_and_its_other_spelling_are_an_error(tmp_path: Path, read: object) -> None:
    result = read(tmp_path, {"1": ["D12"]}, {"1": ["d12"]})  # type: ignore[operator]  # one of READERS
    ((rule, severity, message),) = told(result)
    assert (rule, severity) == ("document-near-miss", "error")
    assert "'d12' for 'D12' (case)" in message


@pytest.mark.parametrize("read", READERS)
def test_three_documents_of_one_difference_are_an_error_beside_others_that_join(tmp_path: Path, read: object) -> None:
    qrels = {"1": ["D1", "x"], "2": ["D2", "caf\u00e9"], "3": ["D3"]}
    run = {"1": ["d1", "x"], "2": ["d2", "cafe\u0301"], "3": ["d3"]}
    ((rule, severity, message),) = told(read(tmp_path, qrels, run))  # type: ignore[operator]  # one of READERS
    assert (rule, severity) == ("document-near-miss", "error")
    assert "4 judged documents are returned in another spelling" in message
    assert "'caf\u00e9' (Unicode form), 'd1' for 'D1' (case)" in message


@pytest.mark.parametrize("read", READERS)
def test_titles_of_two_spellings_are_a_warning(tmp_path: Path, read: object) -> None:
    qrels, run = {"1": ["NeXT", "x"], "2": ["y"]}, {"1": ["Next", "x"], "2": ["y"]}
    ((rule, severity, _),) = told(read(tmp_path, qrels, run))  # type: ignore[operator]  # one of READERS
    assert (rule, severity) == ("document-near-miss", "warning")


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ({"1": ["NeXT", "x"], "2": ["Next"]}, {"1": ["Next", "x"], "2": ["y"]}),
        ({"1": ["NeXT", "Next"]}, {"1": ["Next"]}),
        ({"1": ["NeXT"]}, {"1": ["Next", "NeXT"]}),
        ({"1": ["doc#1"]}, {"1": ["doc#2"]}),
    ],
)
def test_two_spellings_in_the_judgements_or_in_one_list_are_two_documents(
    tmp_path: Path, read: object, qrels: Lists, run: Lists
) -> None:
    assert told(read(tmp_path, qrels, run)) == []  # type: ignore[operator]  # one of READERS


@pytest.mark.parametrize("read", READERS)
def test_another_topic_that_returns_the_document_itself_does_not_make_them_two(tmp_path: Path, read: object) -> None:
    qrels, run = {"1": ["D1"], "2": ["D1"]}, {"1": ["d1"], "2": ["D1"]}
    ((rule, severity, _),) = told(read(tmp_path, qrels, run))  # type: ignore[operator]  # one of READERS
    assert (rule, severity) == ("document-near-miss", "warning")


def test_an_inventory_that_holds_both_spellings_makes_them_two_documents(tmp_path: Path) -> None:
    qrels, runs = write(tmp_path, {"1": ["NeXT"]}, {"1": ["Next"]})
    for stored, expected in (("NeXT",), ["document-near-miss"]), (("NeXT", "Next"), []):
        rows = "".join(f"w,{doc},1,t\n" for doc in stored)
        (tmp_path / "d.csv").write_text(f"source,doc,version,text\n{rows}")
        documents = DocumentCheck(str(tmp_path / "d.csv"), None, 1)
        result = audit_runs(qrels, runs, ["recall@10"], BOOK, documents=documents)
        assert [f.rule for f in result.findings if "near" in f.rule] == expected


@pytest.mark.parametrize("read", READERS)
def test_no_judged_document_in_any_topic_is_an_error(tmp_path: Path, read: object) -> None:
    result = read(tmp_path, {"1": ["a"], "2": ["b"]}, {"1": ["x"], "2": ["y", "a"]})  # type: ignore[operator]  # one of READERS
    assert told(result) == [("documents-disjoint", "error", "")]


SPELLINGS = {
    "case": str.upper, "outer blanks": lambda d: f"\u00a0{d}", "underscore for a space": lambda d: f"{d}_",
    "percent-encoding": lambda d: d.replace("a", "%61"), "HTML entities": lambda d: d.replace("a", "&#97;"),
    "bracket escapes": lambda d: d.replace("(", "-LRB-"), "URL scheme": lambda d: f"https://{d}",
    "trailing slash": lambda d: f"{d}/", "fragment": lambda d: f"{d}#p", "file ending": lambda d: f"{d}.md",
    "leading zeros": lambda d: d.replace("7", "07"),
}  # fmt: skip


def _plainly(written: str) -> str:
    """A folding of its own, for the ids of this test only."""
    text = written.replace("%61", "a").replace("&#97;", "a").lower().replace("-lrb-", "(").replace("\u00a0", "")
    text = text.replace("_", "").removeprefix("https://").partition("#")[0].rstrip("/").removesuffix(".md")
    return text.replace("07", "7")


@pytest.mark.parametrize("seed", range(60))
def test_every_reader_finds_the_near_misses_that_a_join_by_hand_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    rng = random.Random(seed)
    plain = [f"{rng.choice('abc')}{n}(a7" for n in range(12)]
    spell = [str, *SPELLINGS.values()]
    topics = ["t1", "t2", "t3"]
    qrels = {t: sorted({rng.choice(spell)(d) for d in rng.sample(plain, 5)}) for t in topics}
    run = {t: sorted({rng.choice(spell)(d) for d in rng.sample(plain, 8)}) for t in topics}
    judged = {d for docs in qrels.values() for d in docs}
    expected = {
        (one, other) for t in topics for one in run[t] for other in qrels[t]
        if one not in judged and other not in run[t] and _plainly(one) == _plainly(other)
        and not ("#p" in one and "#p" in other)
    }  # fmt: skip
    monkeypatch.setattr("evaudit.audits.ranking_joins.SHOWN_PAIRS", 999)
    answers = [told(read(tmp_path, qrels, run)) for read in READERS]
    assert all(answer == answers[0] for answer in answers)
    words = "".join(m for rule, _, m in answers[0] if rule == "document-near-miss")
    found = {(o, u) for t in topics for o in run[t] for u in qrels[t] if f"{o!r} for {u!r} (" in words}
    assert found == expected


def command(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["evaudit", "rank", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_near_misses_stand_above_the_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, (run,) = write(tmp_path, {"1": ["D12"]}, {"1": ["d12"]})
    for form in ("table", "markdown"):
        assert command(monkeypatch, qrels, run, "--format", form) == 1
        out = capsys.readouterr().out
        assert out.index("document-near-miss") < out.index("recall@10")
    assert command(monkeypatch, qrels, run, "--format", "json") == 1
    assert json.loads(capsys.readouterr().out)["findings"][0]["rule"] == "document-near-miss"


def test_topics_without_a_join_end_with_1_and_say_both_spellings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, (run,) = write(tmp_path, {"1": ["a"]}, {"001": ["a"]})
    assert command(monkeypatch, qrels, run) == 1
    told = capsys.readouterr()
    assert "'001' for '1' (leading zeros)" in told.err and "topics-disjoint" in told.err and not told.out


def test_what_trec_eval_prints_stays_on_stdout_and_near_misses_go_to_stderr(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, (run,) = write(tmp_path, {"1": ["D12"], "2": ["b"]}, {"1": ["d12"], "2": ["b"]})
    options = ["--convention", "trec_eval", "--format", "trec_eval", "-c", "-m", "map", "-q"]
    assert command(monkeypatch, qrels, run, *options) == 0
    told = capsys.readouterr()
    assert told.out == "".join(
        f"map                   \t{t}\t{v}\n" for t, v in (("1", "0.0000"), ("2", "1.0000"), ("all", "0.5000"))
    )
    assert "warning: " in told.err and "'d12' for 'D12' (case)" in told.err
    (tmp_path / "r").write_text("1 Q0 d12 1 9 t\n2 Q0 B 1 9 t\n")
    assert command(monkeypatch, qrels, run, *options) == 1
    told = capsys.readouterr()
    assert told.out == "".join(f"map                   \t{t}\t0.0000\n" for t in ("1", "2", "all"))
    assert "document-near-miss" in told.err and "documents-disjoint" in told.err


def test_trec_eval_without_c_names_the_topics_that_it_refuses(tmp_path: Path) -> None:
    paths = write(tmp_path, {"1": ["a"], "2": ["b"], "3": ["c"]}, {"1": ["a"], "02": ["b"], "3": ["c"]})
    with pytest.raises(evaudit.errors.InvalidDocumentError) as stopped:
        audit_runs(*paths, ["map"], TREC_EVAL)
    assert [f.rule for f in stopped.value.findings] == ["topic-near-miss", "topic-refused"]
    assert stopped.value.exit_code == 2


def test_topics_of_a_file_of_groups_are_held_against_the_qrels(tmp_path: Path) -> None:
    paths = write(tmp_path, {"1": ["a"], "2": ["b"]}, {"1": ["a"], "2": ["b"]})
    for topics, severity in ((("01", "02"), "error"), (("1", "02"), "warning")):
        (tmp_path / "g.csv").write_text("topic,group\n" + "".join(f"{topic},x\n" for topic in topics))
        result = audit_runs(*paths, ["recall@10"], BOOK, groups_path=str(tmp_path / "g.csv"))
        assert [(f.rule, f.severity) for f in result.findings] == [("topic-near-miss", severity)]
        assert "'02' for '2' (leading zeros)" in result.findings[0].message


def test_each_run_is_held_against_the_qrels(tmp_path: Path) -> None:
    qrels, (one,) = write(tmp_path, {"1": ["D1"], "2": ["b"]}, {"1": ["d1"], "2": ["b"]})
    other = tmp_path / "s"
    other.write_text("1 Q0 D1 1 9 t\n2 Q0 B 1 9 t\n")
    result = audit_runs(qrels, [one, str(other)], ["recall@10"], BOOK)
    assert [(f.rule, f.where.path) for f in result.findings if f.where] == [
        ("document-near-miss", one), ("document-near-miss", str(other)),
    ]  # fmt: skip


def test_a_large_run_in_parts_tells_what_it_tells_in_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaudit.formats.trec_parts.SMALLEST_PART", 64)
    qrels = {str(t): [f"D{t}", "x"] for t in range(1, 40)}
    paths = write(tmp_path, qrels, {t: [f"d{t}", "x", f"u{t}"] for t in qrels})
    answers = [told(audit_runs(*paths, ["P@1"], BOOK, kernel=k, jobs=j)) for k in (True, False) for j in (1, 2, 3)]
    assert all(answer == answers[0] for answer in answers)
    assert "39 judged documents" in answers[0][0][2]
