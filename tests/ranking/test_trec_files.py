"""What qrels and run files may look like, and what is refused, with its line."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import sys
import threading
from pathlib import Path

import pyarrow as pa
import pytest

from evaudit.audits.ranking import audit_runs
from evaudit.errors import InvalidDocumentError, UnreadableInputError
from evaudit.findings import RULE_BY_ID
from evaudit.ranking.conventions import BOOK, Convention
from evaudit.results import Result

QRELS = b"1 0 a 1\n1 0 b 0\n1 0 c 2\n"
RUN = b"1 Q0 b 1 3.0 t\n1 Q0 a 2 2.0 t\n1 Q0 u 3 1.0 t\n"


def audit(folder: Path, qrels: bytes = QRELS, run: bytes = RUN, convention: Convention = BOOK) -> Result:
    (folder / "q").write_bytes(qrels)
    (folder / "r").write_bytes(run)
    return audit_runs(str(folder / "q"), [str(folder / "r")], ["RR@3", "AP"], convention, per_topic=True)


def values(result: Result) -> list[float | None]:
    return [figure.value for figure in result.iter_figures()]


SAME_QRELS = {
    "tabs": b"1\t0\ta\t1\n1\t0\tb\t0\n1\t0\tc\t2\n",
    "mixed and ragged": b"  1 \t 0  a\t\t1  \n1 0\tb 0\n\t1 0 c 2\n",
    "line ends of Windows": QRELS.replace(b"\n", b"\r\n"),
    "no final line end": QRELS.rstrip(b"\n"),
    "blank lines": b"\n1 0 a 1\n\n  \n1 0 b 0\n1 0 c 2\n\n",
    "comments, two in a row and at the end": b"# one\n# two\n1 0 a 1\n  # three\n1 0 b 0\n1 0 c 2\n# end",
    "byte order mark": b"\xef\xbb\xbf" + QRELS,
    "gz": gzip.compress(QRELS, mtime=0),
    "gz in two members": gzip.compress(QRELS[:9], mtime=0) + gzip.compress(QRELS[9:], mtime=0),
    "zst": pa.compress(QRELS, codec="zstd", asbytes=True),
}
SAME_RUN = {
    "tabs and ragged": RUN.replace(b" ", b" \t "),
    "line ends of Windows": RUN.replace(b"\n", b"\r\n"),
    "no final line end": RUN.rstrip(b"\n"),
    "blank lines and comments": b"# run\n\n" + RUN.replace(b"\n", b"\n# and\n\n"),
    "more columns": RUN.replace(b" t\n", b" t reserved for junk\n"),
    "ranks from 0": b"1 Q0 b 0 3.0 t\n1 Q0 a 1 2.0 t\n1 Q0 u 2 1.0 t\n",
    "lines in another order": b"1 Q0 u 3 1.0 t\n1 Q0 a 2 2.0 t\n1 Q0 b 1 3.0 t\n",
    "signs and exponents": b"1 Q0 b +1 3e+00 t\n1 Q0 a 02 +2 t\n1 Q0 u 3 -inf t\n",
    "infinite scores": RUN.replace(b"3.0", b"inf").replace(b"1.0", b"-Infinity"),
    "a tag on some lines only is another tag": RUN.replace(b"1.0 t", b"1.0 other"),
    "form feeds and vertical tabs": RUN.replace(b" ", b"\x0b\x0c"),
    "topics that come back": RUN[:15] + b"9 Q0 z 1 1 t\n" + RUN[15:],
    "byte order mark": b"\xef\xbb\xbf" + RUN,
    "gz": gzip.compress(RUN, mtime=0),
    "zst": pa.compress(RUN, codec="zstd", asbytes=True),
}


@pytest.mark.parametrize("form", SAME_QRELS)
def test_qrels_in_every_form_give_the_same_figures(tmp_path: Path, form: str) -> None:
    assert values(audit(tmp_path, qrels=SAME_QRELS[form])) == [0.5, 0.25]


@pytest.mark.parametrize("form", SAME_RUN)
def test_a_run_in_every_form_gives_the_same_figures(tmp_path: Path, form: str) -> None:
    assert values(audit(tmp_path, run=SAME_RUN[form])) == [0.5, 0.25]


def test_ids_are_bytes_so_a_no_break_space_separates_nothing(tmp_path: Path) -> None:
    result = audit(tmp_path, "1 0 a\u00a0b 1\n".encode(), "1 Q0 a\u00a0b 1 1 t\n".encode())
    assert values(result) == [1.0, 1.0]


@pytest.mark.parametrize("name", ["null", "NA", "nan", '"a"', "'", "a,b", "\\N", "0"])
@pytest.mark.parametrize("order", ["ranks", "score"])
def test_ids_are_texts_whatever_they_look_like(tmp_path: Path, name: str, order: str) -> None:
    raw = name.encode()
    run = b"%b Q0 x 1 2 t\n%b Q0 %b 2 1 t\n" % (raw, raw, raw)
    result = audit(tmp_path, b"%b 0 %b 1\n" % (raw, raw), run, BOOK.choose(order=order))
    assert [(figure.need, figure.value) for figure in result.iter_figures()] == [(name, 0.5), (name, 0.5)]


def test_a_number_sign_inside_an_id_is_no_comment(tmp_path: Path) -> None:
    assert values(audit(tmp_path, b"1 0 a#1 1\n", b"1 Q0 a#1 1 1 t\n")) == [1.0, 1.0]


def test_a_stripped_byte_order_mark_is_noted(tmp_path: Path) -> None:
    result = audit(tmp_path, qrels=b"\xef\xbb\xbf" + QRELS)
    assert [(f.rule, f.severity) for f in result.findings] == [("byte-order-mark", "note")]


def test_inputs_carry_the_digest_of_the_stored_bytes_and_their_rows(tmp_path: Path) -> None:
    stored = gzip.compress(QRELS, mtime=0)
    result = audit(tmp_path, qrels=stored)
    qrels, run = result.inputs
    assert (qrels.sha256, qrels.recipe) == (hashlib.sha256(stored).hexdigest(), "bytes")
    assert (qrels.rows, qrels.bytes, run.rows, run.bytes) == (3, len(stored), 3, len(RUN))


def test_a_run_is_read_from_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "q").write_bytes(b"1 0 a 1\n2 0 b 1\n")
    run = b"1 Q0 x 1 9 t\n2 Q0 b 1 9 t\n1 Q0 a 2 8 t\n"  # not grouped, so it is read twice
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(run)))
    result = audit_runs(str(tmp_path / "q"), ["-"], ["RR"], per_topic=True)
    assert values(result) == [0.5, 1.0]
    assert result.inputs[1].path == "-"
    assert result.inputs[1].sha256 == hashlib.sha256(run).hexdigest()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_named_pipe_is_read_once_and_hashed(tmp_path: Path) -> None:
    for name, text in (("q", QRELS), ("r", RUN)):
        os.mkfifo(tmp_path / name)
        threading.Thread(target=(tmp_path / name).write_bytes, args=(text,), daemon=True).start()
    result = audit_runs(str(tmp_path / "q"), [str(tmp_path / "r")], ["RR@3", "AP"], per_topic=True)
    assert values(result) == [0.5, 0.25]
    assert [one.sha256 for one in result.inputs] == [hashlib.sha256(text).hexdigest() for text in (QRELS, RUN)]


BAD_QRELS = [
    (b"1 0 a 1\n1 0 b\n", "trec-columns-invalid", 2),
    (b"1 0 a 1\n1 0 b 0 x\n", "trec-columns-invalid", 2),
    (b"1 0 a 0.5\n", "grade-invalid", 1),
    (b"1 0 a 1\n1 0 b -1\n", "grade-invalid", 2),
    (b"1 0 a x\n", "grade-invalid", 1),
    (b"1 0 a 1e3\n", "grade-invalid", 1),
    (b"1 0 a 99999999999999999999\n", "grade-invalid", 1),
    (b"# c\n1 0 a 1\n\n1 0 a 1\n", "repeated-judgement", 4),
    (b"1 0 a 1\n1 0 a 0\n", "repeated-judgement", 2),
    (b"1 0 a 1\n\xef\xbb\xbf1 0 b 1\n", "trec-id-invalid", 2),
    (b"1 0 \xef\xbb\xbfa 1\n", "trec-id-invalid", 1),
    (b"\xe9 0 a 1\n", "trec-id-invalid", 1),
    ("1 0 a 1\n".encode("utf-16"), "trec-id-invalid", 1),
    (b"1 0 a 1\r1 0 b 1\n", "trec-columns-invalid", 1),
    (b"", "trec-file-empty", None),
    (b"# nothing\n\n", "trec-file-empty", None),
    (gzip.compress(QRELS, mtime=0)[:-9], "trec-file-corrupt", None),
    (b"\x28\xb5\x2f\xfd and no more", "trec-file-corrupt", None),
]
BAD_RUN = [
    (b"1 Q0 a 1 1\n", "trec-columns-invalid", 1),
    (b"1 Q0 a 1 nan t\n", "score-invalid", 1),
    (b"1 Q0 a 1 2.0 t\n1 Q0 b 2 NaN t\n", "score-invalid", 2),
    (b"1 Q0 a 1 abc t\n", "score-invalid", 1),
    (b"1 Q0 a 1 1,5 t\n", "score-invalid", 1),
    (b"1 Q0 a 1 0x10 t\n", "score-invalid", 1),
    (b"1 Q0 a 1 1_0 t\n", "score-invalid", 1),
    (b"1 Q0 a 1.0 2.0 t\n", "rank-invalid", 1),
    (b"1 Q0 a first 2.0 t\n", "rank-invalid", 1),
    (b"1 Q0 a 1 2.0 t\n1 Q0 b 1 1.0 t\n", "repeated-rank", 2),
    (b"1 Q0 a 1 2.0 t\n1 Q0 x 2 1.5 t\n1 Q0 a 3 1.0 t\n", "repeated-result-id", 3),
    (b"1 Q0 a 1 2.0 t\n2 Q0 a 1 2 t\n1 Q0 a 2 1.0 t\n", "repeated-result-id", 3),
    (b"1 Q0 a\xef\xbb\xbf 1 2.0 t\n", "trec-id-invalid", 1),
    (b"1 Q0 a 1 2.0 t\r1 Q0 b 2 1.0 t\n", "trec-columns-invalid", 1),
    (b"\n", "trec-file-empty", None),
    (b"2 Q0 a 1 1 t\n", "topics-disjoint", None),
]


@pytest.mark.parametrize(("qrels", "rule", "line"), BAD_QRELS)
def test_qrels_are_refused(tmp_path: Path, qrels: bytes, rule: str, line: int | None) -> None:
    with pytest.raises(InvalidDocumentError) as refused:
        audit(tmp_path, qrels=qrels)
    first = refused.value.findings[0]
    assert first.where is not None
    assert (first.rule, first.where.line, first.where.path) == (rule, line, str(tmp_path / "q"))
    assert RULE_BY_ID[rule].severity == "error"


@pytest.mark.parametrize(("run", "rule", "line"), BAD_RUN)
def test_a_run_is_refused(tmp_path: Path, run: bytes, rule: str, line: int | None) -> None:
    with pytest.raises(InvalidDocumentError) as refused:
        audit(tmp_path, run=run)
    first = refused.value.findings[0]
    assert first.where is not None
    assert (first.rule, first.where.line, first.where.path) == (rule, line, str(tmp_path / "r"))


def test_a_repetition_names_both_lines(tmp_path: Path) -> None:
    with pytest.raises(InvalidDocumentError, match=r"r:3: .*first on line 1"):
        audit(tmp_path, run=b"1 Q0 a 1 2.0 t\n1 Q0 x 2 1.5 t\n1 Q0 a 3 1.0 t\n")
    with pytest.raises(InvalidDocumentError, match=r"q:4: .*first on line 2"):
        audit(tmp_path, qrels=b"# c\n1 0 a 1\n\n1 0 a 1\n")


def test_the_errors_of_every_file_are_told_in_one_go(tmp_path: Path) -> None:
    with pytest.raises(InvalidDocumentError) as refused:
        audit(tmp_path, qrels=b"1 0 a 0.5\n1 0 b -1\n", run=b"1 Q0 a 1 nan t\n1 Q0 b x 1 t\n1 Q0 c\n")
    places = [(f.rule, f.where.line) for f in refused.value.findings if f.where]
    assert places == [
        ("grade-invalid", 1), ("grade-invalid", 2),
        ("score-invalid", 1), ("rank-invalid", 2), ("trec-columns-invalid", 3),
    ]  # fmt: skip


def test_more_than_twenty_errors_are_counted(tmp_path: Path) -> None:
    with pytest.raises(InvalidDocumentError) as refused:
        audit(tmp_path, qrels=b"".join(b"1 0 d%d -1\n" % i for i in range(33)))
    assert len(refused.value.findings) == 21
    assert "13 more" in refused.value.findings[-1].message


@pytest.mark.parametrize("order", ["score", "lines"])
def test_other_orders_do_not_look_at_the_ranks(tmp_path: Path, order: str) -> None:
    run = b"1 Q0 b x 3.0 t\n1 Q0 a x 2.0 t\n1 Q0 u 1 1.0 t\n"
    assert values(audit(tmp_path, run=run, convention=BOOK.choose(order=order))) == [0.5, 0.25]


def test_a_missing_file_could_not_be_checked(tmp_path: Path) -> None:
    (tmp_path / "q").write_bytes(QRELS)
    with pytest.raises(UnreadableInputError, match="no such file"):
        audit_runs(str(tmp_path / "q"), [str(tmp_path / "none")])


def test_negative_grades_count_as_the_grade_map_says(tmp_path: Path) -> None:
    qrels = b"1 0 b -1\n1 0 a 1\n1 0 u -2\n"
    convention = BOOK.choose(grade_map=(("-1", 0), ("-2", "unjudged")))
    (tmp_path / "q").write_bytes(qrels)
    (tmp_path / "r").write_bytes(RUN)
    result = audit_runs(str(tmp_path / "q"), [str(tmp_path / "r")], ["judged@3"], convention, per_topic=True)
    [figure] = result.iter_figures()
    assert (figure.num, figure.den) == (2, 3)
    assert result.details["unjudged-by-grade-map"] == 1


def test_scores_that_rise_along_the_ranks_are_a_warning_with_its_count(tmp_path: Path) -> None:
    result = audit(tmp_path, run=b"1 Q0 b 1 1.0 t\n1 Q0 a 2 2.0 t\n1 Q0 u 3 3.0 t\n")
    [found] = result.findings
    assert (found.rule, found.severity) == ("score-rises-along-ranks", "warning")
    assert "2 times in 1 topic" in found.message
    assert values(result) == [0.5, 0.25]


def test_gaps_in_the_ranks_are_noted_and_places_counted(tmp_path: Path) -> None:
    result = audit(tmp_path, run=b"1 Q0 b 10 3.0 t\n1 Q0 a 70 2.0 t\n1 Q0 u 99 1.0 t\n")
    assert [f.rule for f in result.findings] == ["rank-gaps"]
    assert values(result) == [0.5, 0.25]
