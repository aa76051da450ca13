"""Lines that begin with a number sign, bytes that are no text, options without effect: each is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from rank_command import run

from evaudit.audits.ranking import audit_runs
from evaudit.errors import InvalidDocumentError, UsageError
from evaudit.formats.topic_groups import read_groups
from evaudit.formats.trec_parts import scan_qrels, scan_run
from evaudit.ranking.compiled import loaded
from evaudit.ranking.conventions import BOOK, TREC_EVAL, Convention
from evaudit.reports import render
from evaudit.reports.layout import Style, display_width
from evaudit.results import Result

QRELS = b"q1 0 d1 1\nq1 0 d2 2\n"
RUN = b"q1 Q0 d1 1 3 r\nq1 Q0 d2 2 2 r\n"


def audit(folder: Path, qrels: bytes, run: bytes, convention: Convention = BOOK, *, kernel: bool = True) -> Result:
    (folder / "q").write_bytes(qrels)
    (folder / "r").write_bytes(run)
    return audit_runs(str(folder / "q"), [str(folder / "r")], ["P@2", "AP"], convention, per_topic=True, kernel=kernel)


def told(result: Result, rule: str) -> list[tuple[str, int | None, str]]:
    found = [f for f in result.findings if f.rule == rule]
    return [(Path(f.where.path).name, f.where.line, f.message) for f in found if f.where and f.where.path]


@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize("convention", [BOOK, TREC_EVAL])
def test_a_topic_whose_id_begins_with_a_number_sign_is_a_topic(
    tmp_path: Path, kernel: bool, convention: Convention
) -> None:
    qrels = b"#q1 0 d1 1\n#q2 0 d1 1\nq3 0 d1 1\n"
    ranking = b"#q1 Q0 d1 1 1 r\n\t#q2 Q0 d1 1 1 r\nq3 Q0 d2 1 1 r\n"
    result = audit(tmp_path, qrels, ranking, convention, kernel=kernel)
    assert [(f.need, f.value) for f in result.iter_figures() if f.measure == "AP"] == [
        ("#q1", 1.0), ("#q2", 1.0), ("q3", 0.0),
    ]  # fmt: skip
    assert [(name, line) for name, line, _ in told(result, "hash-lines")] == [("q", 1), ("r", 1)]
    assert "2 lines that begin with # were read as records" in told(result, "hash-lines")[0][2]


COMMENTS = [
    b"# four words only here 1",
    b"# q1 0 d1 1",
    b"#",
    b"#comment",
    b"# 0 d9 1",
    b"#judged by two people",
    b"  # set in",
]


@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize("comment", COMMENTS)
def test_a_comment_is_left_out_and_counted(tmp_path: Path, kernel: bool, comment: bytes) -> None:
    result = audit(tmp_path, QRELS + comment + b"\n" + comment, comment + b"\n" + RUN, kernel=kernel)
    assert [mean.value for mean in result.means] == [1.0, 1.0]
    notes = [(name, line, message.split(" left")[0]) for name, line, message in told(result, "hash-lines")]
    assert notes == [("q", 3, "2 lines that begin with # were"), ("r", 1, "a line that begins with # was")]


@pytest.mark.parametrize("compiled", [True, False])
def test_comments_at_the_head_cost_no_time(tmp_path: Path, compiled: bool) -> None:
    head = b"# made by hand\r\n#\n#twice\n"
    ranking = head + b"q1 Q0 d1 1 3 r\nq1 Q0 d2 2 4 r\n"
    (tmp_path / "q").write_bytes(head + QRELS)
    (tmp_path / "r").write_bytes(ranking)
    scanned = scan_qrels(str(tmp_path / "q"), BOOK, loaded() if compiled else None)
    assert scanned is not None
    found = scan_run(str(tmp_path / "r"), *scanned, BOOK, loaded() if compiled else None, ties=True, jobs=1)
    strict = audit(tmp_path, head + QRELS + b"\n\n# end\n#", ranking)
    assert found is not None
    run_findings = [f for f in strict.findings if f.where and f.where.path == str(tmp_path / "r")]
    assert [(f.rule, f.where and f.where.line) for f in found.findings] == [
        ("hash-lines", 1), ("score-rises-along-ranks", 5),
    ]  # fmt: skip
    assert list(found.findings) == run_findings
    assert "3 lines" in scanned[0].findings[0].message


def test_a_result_that_is_commented_out_with_a_blank_is_a_comment(tmp_path: Path) -> None:
    result = audit(tmp_path, QRELS, b"# 1048585 Q0 7187158 1 0.9 tag\n" + RUN)
    assert len(told(result, "hash-lines")) == 1
    assert not [f for f in result.findings if f.rule == "topic-not-in-qrels"]


def test_a_record_behind_a_number_sign_is_checked_as_every_record_is(tmp_path: Path) -> None:
    with pytest.raises(InvalidDocumentError) as refused:
        audit(tmp_path, b"#q1 0 d1 0.5\n", RUN)
    assert [f.rule for f in refused.value.findings] == ["grade-invalid"]


def test_a_grade_that_only_the_map_knows_makes_a_record_too(tmp_path: Path) -> None:
    convention = BOOK.choose(grade_map=(("rel", 1),))
    result = audit(tmp_path, b"#q1 0 d1 rel\n", b"#q1 Q0 d1 1 1 r\n", convention)
    assert [(f.need, f.value) for f in result.iter_figures()][-1] == ("#q1", 1.0)


def test_groups_of_such_topics_are_read(tmp_path: Path) -> None:
    (tmp_path / "g").write_text("# two groups only\n#q1 rare\nq2 frequent\n")
    assert read_groups(str(tmp_path / "g"))[0] == {"#q1": "rare", "q2": "frequent"}


NO_TEXT = [b"\x00", b"d\x00", b"\xff", b"\xe9t\xe9", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"\xe2\x82"]


@pytest.mark.parametrize("raw", NO_TEXT)
@pytest.mark.parametrize("column", range(6))
def test_a_line_that_is_no_text_is_refused_on_every_road(tmp_path: Path, raw: bytes, column: int) -> None:
    words = [b"q1", b"Q0", b"d9", b"3", b"1", b"r"]
    words[column] = raw
    bad = RUN + b" ".join(words) + b"\n"
    with pytest.raises(InvalidDocumentError) as refused:
        audit(tmp_path, QRELS, bad)
    first = refused.value.findings[0]
    assert (first.rule, first.where and first.where.line) == ("trec-id-invalid", 3)
    (tmp_path / "n").write_bytes(QRELS + b" ".join([b"q1", b"0", raw, b"1"]) + b"\n")
    for kernel in dict.fromkeys((loaded(), None)):
        assert scan_qrels(str(tmp_path / "n"), BOOK, kernel) is None
        scanned = scan_qrels(str(tmp_path / "q"), BOOK, kernel)
        assert scanned is not None
        assert scan_run(str(tmp_path / "r"), *scanned, BOOK, kernel, ties=True, jobs=1) is None


def test_the_quick_roads_read_every_character(tmp_path: Path) -> None:
    names = [chr(code) for code in (0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0x10000, 0x10FFFF)]
    (tmp_path / "q").write_text("".join(f"q 0 d{name} 1\n" for name in names), encoding="utf-8")
    rows = "".join(f"q Q0 d{name} {i} {9 - i} r\n" for i, name in enumerate(names, 1))
    (tmp_path / "r").write_text(rows, encoding="utf-8")
    for kernel in dict.fromkeys((loaded(), None)):
        scanned = scan_qrels(str(tmp_path / "q"), BOOK, kernel)
        assert scanned is not None
        found = scan_run(str(tmp_path / "r"), *scanned, BOOK, kernel, ties=True, jobs=1)
        assert found is not None
        assert [topic and len(topic.ranks) for topic in found.topics.values()] == [len(names)]


def test_a_grade_map_that_names_a_grade_in_vain_is_told(tmp_path: Path) -> None:
    convention = BOOK.choose(grade_map=(("-1", 0), ("2", 1), ("x", 1)))
    [(_, _, message)] = told(audit(tmp_path, QRELS, RUN, convention), "grade-map-unused")
    assert "-1, x" in message


CONTRADICTIONS = [
    (["--gain", "linear", "--gain-map", "1=1,2=3"], "--gain linear and --gain-map"),
    (["-c", "--missing-topics", "skip"], "--missing-topics skip and -c"),
    (["-J", "--unjudged", "zero"], "--unjudged zero and -J"),
    (["--ties", "refuse", "--set", "ties=as-listed"], "--ties refuse and --set ties=as-listed"),
    (["-l", "1", "--set", "relevance_level=2"], "--relevance-level 1 and --set relevance_level=2"),
]


@pytest.mark.parametrize(("options", "both"), CONTRADICTIONS)
def test_options_that_contradict_each_other_are_refused(tmp_path: Path, options: list[str], both: str) -> None:
    with pytest.raises(UsageError, match=f"{both} contradict each other"):
        run([str(tmp_path / "q"), str(tmp_path / "r"), *options])


VAIN = [
    ({"ties": "as-listed"}, "ties = as-listed has no effect: the run is not ordered by its scores"),
    ({"score_precision": "float32"}, "score-precision = float32 has no effect"),
    ({"gain": "linear"}, "gain = linear has no effect: no measure here knows gains"),
    ({"collection_size": 9}, "collection-size = 9 has no effect: no measure here is utility"),
]


@pytest.mark.parametrize(("choices", "note"), VAIN)
def test_a_choice_without_effect_is_told(tmp_path: Path, choices: dict[str, object], note: str) -> None:
    [only] = audit(tmp_path, QRELS, RUN, BOOK.choose(**choices)).notes
    assert only.startswith(note)


def test_a_cutoff_that_is_too_large_is_told_its_limit(tmp_path: Path) -> None:
    for name in ("P@99999999999999999999", "P.99999999999999999999"):
        with pytest.raises(UsageError, match="from 1 to 999999999"):
            run([str(tmp_path / "q"), str(tmp_path / "r"), "-m", name])


def test_digests_are_shown_with_their_recipe(tmp_path: Path) -> None:
    result = audit(tmp_path, QRELS, RUN)
    table = render(result, "table", 0, Style())
    assert f"sha256(bytes) {result.inputs[0].sha256[:8]}…" in table
    assert "sha256(choices) " in table


@pytest.mark.parametrize("width", [60, 80, 100])
def test_the_report_fits_the_terminal(tmp_path: Path, width: int) -> None:
    qrels, ranking = QRELS + b"q2 0 d1 1\n#q3 0 d1 1\n", RUN + b"".join(b"n%d Q0 d 1 1 r\n" % i for i in range(9))
    result = audit(tmp_path, qrels, ranking, BOOK.choose(ties="as-listed", grade_map=(("x", 1),)))
    for line in render(result, "table", 0, Style(width=width)).splitlines():
        longest = max(map(display_width, line.split()), default=0)
        assert display_width(line) <= max(width, longest + 12), line
