"""The compiled scanner, the flat reader and the strict reader give the same lists, or the first two step aside."""

from __future__ import annotations

import mmap
import os
import random
from pathlib import Path

import pytest
from rank_command import run

from evaudit.errors import InvalidDocumentError
from evaudit.formats import trec_flat, trec_parts
from evaudit.formats.trec import read_qrels, read_run
from evaudit.formats.trec_parts import scan_qrels, scan_run
from evaudit.ranking.compiled import loaded
from evaudit.ranking.conventions import BOOK, TREC_EVAL, Convention
from evaudit.ranking.evaluation import prepared
from evaudit.ranking.judgements import JudgedLists, TopicList, histogram
from evaudit.ranking.measures import ap
from evaudit.ranking.order import RunTopic, judged_list
from evaudit.ranking.ranges import all_ranges
from evaudit.ranking.spelling import parse_measure

INPUTS = int(os.environ.get("EVAUDIT_FUZZ", "800"))
"""Files to try; the long run is EVAUDIT_FUZZ=50000."""

CONVENTIONS = [
    BOOK,
    BOOK.choose(order="lines"),
    BOOK.choose(order="score", ties="docno-ascending"),
    BOOK.choose(order="score", ties="as-listed"),
    BOOK.choose(order="score", ties="refuse"),
    TREC_EVAL,
    TREC_EVAL.choose(score_precision="float32"),
]

TOPICS = ["1", "2", "q10", "é", "\u00a0x", "#3", "t"]
DOCUMENTS = ["a", "b", "c", "doc-0000001", "doc-0000002", "x_y", "d#1", "\ufeffz", "tag", "ü"]
SCORES = ["3", "2.5", "2.50", "-1", "+4", "1e3", "1E-2", "0.1", ".5", "5.", "0.30000001", "0.3", "12.345678901234567",
          "9007199254740993", "1e400", "-0", "0"]  # fmt: skip
ODD_SCORES = ["nan", "inf", "-Infinity", "1_0", "0x10", "1,5", "", "--1", "1e", "٣", "1e99999999999999999999"]
RANKS = ["1", "2", "3", "10", "+4", "007", "0"]
ODD_RANKS = ["1.0", "x", "", "-1", "99999999999999999999", "1_0"]
BLANKS = [" ", "\t", "  ", " \t", "\x0b", "\x0c"]
GRADES = ["0", "1", "2", "3", "+1", "01", "-1", "-2"]
ODD_GRADES = ["0.5", "x", "1001", "", "1_0", "-0"]
COMMENTS = ["# remark", "#", "#x y", "#3 0 a 1", "#3 Q0 a 1 2 tag", "# 3 Q0 a 1 2 tag"]
ENDS = ["\n", "\r\n", "", "\n\n", " \n", "\r", "\n# remark\n", "\n#\n\n"]


def pick(rng: random.Random, usual: list[str], odd: list[str], often: float) -> str:
    return rng.choice(odd) if rng.random() < often else rng.choice(usual)


def qrels_file(rng: random.Random, odd: float) -> bytes:
    lines = []
    for topic in rng.sample(TOPICS, rng.randint(1, 4)):
        for doc in rng.sample(DOCUMENTS, rng.randint(1, 6)):
            words = [topic, "0", doc, pick(rng, GRADES[:4] if odd == 0 else GRADES, ODD_GRADES, odd / 10)]
            lines.append(rng.choice(BLANKS[:2] if odd < 0.1 else BLANKS).join(words))
    lines[:0] = rng.choices(COMMENTS, k=rng.randint(0, 2)) if rng.random() < odd else []
    return spoiled(rng, "".join(line + pick(rng, ["\n"], ENDS, odd / 5) for line in lines).encode(), odd)


def run_file(rng: random.Random, odd: float) -> bytes:
    lines = []
    topics = rng.sample(TOPICS, rng.randint(1, 4))
    for topic in topics + (topics[:1] if rng.random() < odd / 4 else []):
        documents = rng.sample(DOCUMENTS, rng.randint(1, 8))
        ranks = list(range(1, len(documents) + 1))
        if rng.random() < 0.3:
            rng.shuffle(ranks)
        for doc, rank in zip(documents, ranks, strict=True):
            score = pick(rng, SCORES, ODD_SCORES, odd / 10)
            shown = pick(rng, [str(rank)], RANKS + ODD_RANKS, odd / 10)
            words = [topic, "Q0", doc, shown, score, "tag" if rng.random() > odd / 10 else "other"]
            if rng.random() < odd / 10:
                words += ["more"] * rng.randint(0, 2)
            lines.append(rng.choice(BLANKS[:2] if odd < 0.1 else BLANKS).join(words))
    lines[:0] = rng.choices(COMMENTS, k=rng.randint(0, 2)) if rng.random() < odd else []
    return spoiled(rng, "".join(line + pick(rng, ["\n"], ENDS, odd / 5) for line in lines).encode(), odd)


def spoiled(rng: random.Random, raw: bytes, odd: float) -> bytes:
    """The file with a few bytes changed, cut, doubled or put in, for the oddest files."""
    data = bytearray(raw)
    while data and rng.random() < odd / 2:
        place = rng.randrange(len(data))
        kind = rng.randrange(4)
        if kind == 0:
            data[place] = rng.choice(b"\x00\xff\xef\xbb\xbf \t\r\n#.-+e9")
        elif kind == 1:
            del data[place : place + rng.randint(1, 9)]
        elif kind == 2:
            data[place:place] = data[place : place + rng.randint(1, 40)]
        else:
            data[place:place] = rng.choice([b"\xef\xbb\xbf", b"\r", b"\n", b" ", b"#", b"\x00", b"\xfe\xff"])
    return bytes(data)


def strictly(qrels: Path, run: Path, convention: Convention) -> object:
    """What the strict reader says: qrels, topic lists, findings; or the rules that it refuses by."""
    try:
        judged = read_qrels(str(qrels), convention)

        def step(topic: RunTopic) -> object:
            pool = judged.pools.get(topic.topic)
            return None if pool is None else flat(judged_list(topic, pool, convention, ties=True))

        found = read_run(str(run), convention, step)
    except InvalidDocumentError as error:
        return [f.rule for f in error.findings]
    return (judged.counts, judged.unjudged, judged.highest_negative, judged.input.rows, judged.findings), (
        found.topics, found.input, found.findings, found.tag,
    )  # fmt: skip


def flat(topic: object) -> object:
    names = ("returned", "ranks", "grades", "pool", "pooled", "tied")
    return None if topic is None else tuple(_plain(getattr(topic, name)) for name in names)


def _plain(value: object) -> object:
    return (
        [tuple(v) if isinstance(v, tuple | list) else v for v in value]
        if isinstance(value, list | tuple | range)
        else value
    )


@pytest.mark.parametrize("reader", ["kernel", "flat"])
@pytest.mark.parametrize("odd", [0.0, 0.05, 0.3, 1.0])
def test_a_quick_reader_agrees_with_the_strict_one_or_steps_aside(tmp_path: Path, reader: str, odd: float) -> None:
    kernel = loaded()
    if reader == "kernel" and kernel is None:
        pytest.skip("the scanner was not built")
    rng = random.Random(f"{reader} {odd}")
    qrels, run = tmp_path / "q", tmp_path / "r"
    taken = 0
    for _ in range(INPUTS // 8):
        qrels.write_bytes(qrels_file(rng, odd))
        run.write_bytes(run_file(rng, odd))
        convention = rng.choice(CONVENTIONS)
        expected = strictly(qrels, run, convention)
        used = kernel if reader == "kernel" else None
        quick = scan_qrels(str(qrels), convention, used)
        if quick is None:
            continue
        judged, handle = quick
        found = scan_run(str(run), judged, handle, convention, used, ties=True, jobs=1)
        if found is None:
            continue
        taken += 1
        assert not isinstance(expected, list), (expected, qrels.read_bytes(), run.read_bytes())
        topics = {topic: flat(one) for topic, one in found.topics.items()}
        negative = judged.highest_negative
        assert ((judged.counts, judged.unjudged, negative, judged.input.rows, judged.findings), (
            topics, found.input, found.findings, found.tag,
        )) == expected, (qrels.read_bytes(), run.read_bytes())  # fmt: skip
    assert taken or odd > 0.1, "no file was taken by the quick reader"


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("order", ["ranks", "score"])
def test_a_large_run_cut_into_parts_is_the_run(
    tmp_path: Path, compiled: bool, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = loaded() if compiled else None
    if compiled and kernel is None:
        pytest.skip("the scanner was not built")
    rng = random.Random(5)
    lines = []
    for topic in range(30):
        scores = sorted((rng.randint(1, 40) for _ in range(50)), reverse=True)
        lines += [f"t{topic} Q0 d{(7 * i + topic) % 61} {i + 1 + (topic == 20)} {s} x\n" for i, s in enumerate(scores)]
    (tmp_path / "r").write_text("".join(lines))
    (tmp_path / "q").write_text("".join(f"t{t} 0 d{i} {(t + i) % 3}\n" for t in range(31) for i in range(40)))
    monkeypatch.setattr(trec_parts, "SMALLEST_PART", 1 << 12)
    monkeypatch.setattr(trec_flat, "BLOCK", 1 << 9)
    convention = BOOK.choose(order=order)
    expected = strictly(tmp_path / "q", tmp_path / "r", convention)
    quick = scan_qrels(str(tmp_path / "q"), convention, kernel)
    assert quick is not None
    for jobs in (1, 2, 5):
        found = scan_run(str(tmp_path / "r"), *quick, convention, kernel, ties=True, jobs=jobs)
        assert found is not None
        topics = {topic: flat(one) for topic, one in found.topics.items()}
        assert isinstance(expected, tuple)
        assert (topics, found.input, found.findings, found.tag) == expected[1]


def test_parts_begin_with_a_topic(tmp_path: Path) -> None:
    (tmp_path / "r").write_bytes(b"".join(b"t%d Q0 d%d 1 1 x\n" % (t, i) for t in range(40) for i in range(9)))
    with (tmp_path / "r").open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    place = trec_parts._next_topic(data, 700)
    assert place is not None
    before, after = data[:place].splitlines()[-1], data[place:].splitlines()[0]
    assert before.split()[0] != after.split()[0]
    assert trec_parts._next_topic(data, len(data) - 5) is None


def test_the_compiled_range_of_ap_is_that_of_python_bit_for_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    if loaded() is None:
        pytest.skip("the scanner was not built")
    rng = random.Random(8)
    topics = []
    for number in range(400):
        size = rng.randint(0, 60)
        judged = sorted(rng.sample(range(1, size + 1), rng.randint(0, size)))
        grades = [rng.choice([0, 0, 1]) for _ in judged]
        pool = histogram([*grades, *[1] * rng.randint(0, 2)])
        topics.append(TopicList(str(number), size, judged, grades, pool))
    for k in (None, 5, 20):
        asked = parse_measure("AP", BOOK, k)
        for depth in (None, 30):
            convention = BOOK.choose(depth=depth)
            lists = prepared(JudgedLists.of(topics), convention)
            monkeypatch.setattr(ap, "loaded", loaded)
            compiled = all_ranges(lists, asked, convention, ap.compute(lists, asked, convention), ())
            monkeypatch.setattr(ap, "loaded", lambda: None)
            assert all_ranges(lists, asked, convention, ap.compute(lists, asked, convention), ()) == compiled


def test_the_command_prints_the_same_bytes_with_and_without_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVAUDIT_NO_KERNEL", "")
    rng = random.Random(9)
    documents = [f"d{i}" for i in range(30)]
    judged = [(t, doc, rng.randint(0, 3)) for t in range(9) for doc in rng.sample(documents, 12)]
    (tmp_path / "q").write_text("".join(f"{t} 0 {doc} {grade}\n" for t, doc, grade in judged))
    lines = [(t, doc, rank) for t in range(8) for rank, doc in enumerate(rng.sample(documents, 25), 1)]
    (tmp_path / "r").write_text("".join(f"{t} Q0 {doc} {rank} {99 - rank // 3} tag\n" for t, doc, rank in lines))
    for options in (["-q"], ["-q", "--convention", "trec_eval", "-c", "-m", "all_trec"]):
        texts = []
        for more in ([], ["--no-kernel"]):
            run([str(tmp_path / "q"), str(tmp_path / "r"), "--format", "json", *options, *more])
            texts.append(capsys.readouterr().out)
            monkeypatch.setenv("EVAUDIT_NO_KERNEL", "")
        assert texts[0] == texts[1]


def test_a_compiled_part_of_another_source_is_not_loaded(monkeypatch):
    kernel = loaded()
    if kernel is None:
        pytest.skip("the compiled part is not built")
    monkeypatch.setattr(kernel, "source", "0" * 64)
    assert loaded() is None


@pytest.mark.parametrize("ties", ["docno-descending", "docno-ascending", "as-listed"])
@pytest.mark.parametrize("judged", [1, 4, 5, 30])
@pytest.mark.parametrize("compiled", [True, False])
def test_ranks_within_large_groups_of_equal_scores_are_those_of_a_sorted_list(
    tmp_path: Path, ties: str, judged: int, compiled: bool
) -> None:
    kernel = loaded() if compiled else None
    if compiled and kernel is None:
        pytest.skip("the scanner was not built")
    rng = random.Random(judged)
    documents = [f"d{n}" * (1 + n % 3) for n in range(90)]
    rng.shuffle(documents)
    rows = [(doc, 9 - n // 30) for n, doc in enumerate(documents)]
    sorted_rows = {
        "docno-descending": sorted(sorted(rows, reverse=True), key=lambda row: -row[1]),
        "docno-ascending": sorted(rows, key=lambda row: (-row[1], row[0])),
        "as-listed": rows,
    }[ties]
    chosen = [doc for first in range(0, 90, 30) for doc in rng.sample(documents[first : first + 30], judged)]
    (tmp_path / "qrels").write_text("".join(f"1 0 {doc} 1\n" for doc in chosen))
    (tmp_path / "run").write_text("".join(f"1 Q0 {doc} 1 {score} t\n" for doc, score in rows))
    expected = [n for n, (doc, _) in enumerate(sorted_rows, 1) if doc in set(chosen)]
    convention = BOOK.choose(order="score", ties=ties)
    quick = scan_qrels(str(tmp_path / "qrels"), convention, kernel)
    assert quick is not None
    found = scan_run(str(tmp_path / "run"), *quick, convention, kernel, ties=True, jobs=1)
    assert found is not None
    topic = found.topics["1"]
    assert topic is not None
    assert list(topic.ranks) == expected
    assert [tuple(group) for group in topic.tied or ()] == [((n - 1) // 30 * 30 + 1, 30) for n in expected]
