"""The field's own files: a sample of each is read as its rules say, and a malformed one is refused with its line."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner

from evaudit.audits.bundle_partials import Wanted
from evaudit.audits.foreign import audit_foreign
from evaudit.bundles.budget import Allowance
from evaudit.cli import app
from evaudit.errors import InvalidDocumentError, UsageError
from evaudit.formats import FOREIGN
from evaudit.formats.foreign import Request


def put(path, value):
    """JSON Lines for ``.jsonl``, text for text, else indented JSON, so that records stand on lines of their own."""
    if isinstance(value, str):
        text = value
    elif path.suffix == ".jsonl":
        text = "".join(json.dumps(row) + "\n" for row in value)
    else:
        text = json.dumps(value, indent=1)
    path.write_text(text, encoding="utf-8")
    return path


def verdicts(result):
    return [row["verdict"] for row in result.details["needs"]]


# ruff: noqa: E501, ISC004 - samples read best with one record a line
HOTPOT = [
    {"_id": "q1", "answer": "a", "type": "bridge", "supporting_facts": [["A", 0], ["B", 1], ["A", 0]],
     "context": [["A", ["s0", "s1"]], ["B", ["s0", "s1"]]]},
    {"_id": "q2", "answer": "b", "type": "comparison", "supporting_facts": [["A", 0], ["A", 2]],
     "context": [["A", ["s0", "s1"]]]},
    {"_id": "q3", "answer": "c", "type": "bridge", "supporting_facts": [["a", 0]]},
    {"_id": "q4", "answer": "c", "type": "bridge", "supporting_facts": []},
]  # fmt: skip
HOTPOT_SP = {"answer": {"q1": "a"}, "sp": {"q1": [["B", 1], ["A", 0]], "q2": [["A", 0]], "q3": [["A", 0]]}}

SAMPLES = {
    "hotpotqa": ("g.json", HOTPOT, "p.json", HOTPOT_SP, {},
                 ["satisfied", "incomplete", "incomplete", "undefined"]),
    "2wikimultihop": ("g.json", HOTPOT[:1], "p.json", HOTPOT_SP | {"evidence": {"q1": [["x", "r", "y"]]}}, {},
                      ["satisfied"]),
    "hover": ("g.json", [{"uid": "u", "claim": "", "num_hops": 2, "label": "SUPPORTED", "supporting_facts": [["A", 0], ["B", 4]]}],
              "p.json", {"u": {"sorted_titles": ["B", "x", "A"]}}, {}, ["satisfied"]),
    "musique": ("g.jsonl", [{"id": "m", "answerable": True, "paragraphs": [
        {"idx": 0, "title": "T", "is_supporting": True}, {"idx": 1, "title": "T", "is_supporting": True}]},
        {"id": "m", "answerable": False, "paragraphs": [{"idx": 0, "title": "T", "is_supporting": True}]}],
        "p.jsonl", [{"id": "m", "predicted_support_idxs": [1]}, {"id": "m", "predicted_support_idxs": [0]}], {},
        ["incomplete", "undefined"]),
    "scifact": ("g.jsonl", [{"id": 1, "evidence": {"7": [{"sentences": [1, 2], "label": "SUPPORT"},
                                                       {"sentences": [4], "label": "CONTRADICT"}]}},
                           {"id": 2, "evidence": {}},
                           {"id": 3, "evidence": {"7": [{"sentences": [1], "label": "SUPPORT"}], "8": [{"sentences": [0], "label": "SUPPORT"}]}}],
                "p.jsonl", [{"id": 1, "evidence": {"7": {"sentences": [1, 2, 4], "label": "SUPPORT"}}},
                            {"id": 2, "evidence": {}}, {"id": 3, "evidence": {"8": {"sentences": [0], "label": "SUPPORT"}}}], {},
                ["refused", "undefined", "satisfied"]),
    "kilt": ("g.jsonl", [{"id": "1", "output": [{"answer": "a", "provenance": [{"wikipedia_id": 12}, {"wikipedia_id": "13"}]},
                                              {"answer": "b", "provenance": []}, {"answer": "c"}]},
                        {"id": "2", "output": [{"answer": "a"}]}],
             "p.jsonl", [{"id": "1", "output": [{"provenance": [{"wikipedia_id": "13 "}, {"wikipedia_id": "12"}]}]},
                         {"id": "2", "output": [{"provenance": []}]}], {}, ["satisfied", "undefined"]),
    "qasper": ("g.json", {"p1": {"full_text": [{"section_name": "s", "paragraphs": ["one", "two"]}], "qas": [
        {"question_id": "q1", "answers": [{"answer": {"unanswerable": False, "evidence": ["one", "two"]}},
                                         {"answer": {"unanswerable": False, "evidence": ["FLOAT SELECTED: Table 1"]}}]},
        {"question_id": "q2", "answers": [{"answer": {"unanswerable": True, "evidence": []}}]},
        {"question_id": "q3", "answers": [{"answer": {"unanswerable": False, "evidence": ["two"]}}]}]}},
        "p.jsonl", [{"question_id": "q1", "predicted_evidence": ["FLOAT SELECTED: Table 1"]},
                    {"question_id": "q2", "predicted_evidence": []},
                    {"question_id": "q3", "predicted_evidence": ["two "]}], {}, ["satisfied", "undefined", "withheld"]),
    "longmemeval": ("g.json", [{"question_id": "q", "question_type": "t", "haystack_session_ids": ["answer_1", "s2", "answer_3"],
                                "answer_session_ids": ["answer_1", "answer_3"]},
                               {"question_id": "r_abs", "answer_session_ids": ["answer_1"]}],
                    "p.jsonl", [{"question_id": "q", "retrieval_results": {"ranked_items": [
                        {"corpus_id": "answer_1"}, {"corpus_id": "s2"}, {"corpus_id": "answer_3"}]}}], {},
                    ["satisfied", "undefined"]),
    "chunking": ("g.csv", 'question,references,corpus_id\nq,"[{""content"": ""abc"", ""start_index"": 1, ""end_index"": 4}]",c\n'
                          'q,"[{""content"": ""abc"", ""start_index"": 1, ""end_index"": 4}]",c\n',
                 "p.jsonl", [{"retrieved": [{"start_index": 0, "end_index": 3}, {"start_index": 3, "end_index": 9}]},
                             {"retrieved": [{"start_index": 0, "end_index": 5}]}], {}, ["incomplete", "satisfied"]),
    "web-annotation": ("g.jsonl", [
        {"id": "a1", "target": {"source": "http://x/", "selector": [{"type": "TextPositionSelector", "start": 2, "end": 5}]}},
        {"id": "a2", "target": {"source": "http://x/", "state": {"type": "TimeState", "sourceDate": "2020"},
                               "selector": {"type": "FragmentSelector", "value": "char=0,3"}}}],
        "p.jsonl", [{"need": "a1", "selected": [{"source": "http://x/", "start": 0, "end": 9}]},
                    {"need": "a2", "selected": [{"source": "http://x/", "start": 0, "end": 9}]}], {},
        ["satisfied", "incomplete"]),
    "ragas": ("g.jsonl", [{"retrieved_context_ids": ["1", "2"], "reference_context_ids": [1]},
                         {"retrieved_context_ids": ["1"], "reference_context_ids": []}], None, None, {},
              ["satisfied", "undefined"]),
    "qrels": ("g.qrels", "t1 0 d1 1\nt1 0 d2 2\nt1 0 d3 0\n", "p.run", "t1 Q0 d3 1 9 x\nt1 Q0 d2 2 8 x\n",
              {"requires": "each-suffices"}, ["satisfied"]),
}  # fmt: skip
"""By format: gold file and content, predictions and content, choices, the verdicts that its rules give."""


@pytest.mark.parametrize("name", [name for name in FOREIGN if name != "fever"])
def test_a_sample_is_read_as_its_rules_say(tmp_path, name):
    gold, rows, predicted, answers, choices, expected = SAMPLES[name]
    second = put(tmp_path / predicted, answers) if predicted else None
    result = audit_foreign(name, Request(put(tmp_path / gold, rows), second, **choices))
    assert verdicts(result) == expected
    assert all(record.sha256 and record.rows for record in result.inputs)


MALFORMED = {
    "hotpotqa": (
        "g.json",
        '[\n{"_id": "1", "supporting_facts": [["A", 0]]},\n{"_id": "2", "supporting_facts": [["A"]]}\n]',
        3,
    ),
    "2wikimultihop": ("g.json", '[\n{"_id": "1", "supporting_facts": {}}\n]', 2),
    "hover": ("g.json", '[\n{"uid": "1", "supporting_facts": [[1, "A"]]}]', 2),
    "musique": ("g.jsonl", '{"id": "1", "paragraphs": []}\n{"id": "2", "paragraphs": [{"idx": "x"}]}\n', 2),
    "scifact": (
        "g.jsonl",
        '{"id": 1, "evidence": {}}\n{"id": 2, "evidence": {"7": {"sentences": [], "label": "S"}}}\n',
        2,
    ),
    "kilt": ("g.jsonl", '{"id": "1", "output": []}\n{"id": "2", "output": [{"provenance": [{"title": "x"}]}]}\n', 2),
    "qasper": ("g.json", '{\n"p": {"qas": [{"question_id": "q", "answers": [{"answer": {"evidence": [3]}}]}]}}', 2),
    "longmemeval": ("g.json", '[{"question_id": "q"}]', 1),
    "chunking": ("g.csv", 'question,references,corpus_id\nq,"[]",c\nq,"[{""start_index"": 1}]",c\n', 3),
    "web-annotation": (
        "g.jsonl",
        '{"id": "a", "target": {"source": "x"}}\n{"id": "b", "target": {"selector": {}}}\n',
        2,
    ),
    "ragas": ("g.jsonl", '{"reference_context_ids": ["1"]}\n{"reference_context_ids": "1"}\n', 2),
    "qrels": ("g.qrels", "t 0 d 1\nt 0 e\n", 2),
}


@pytest.mark.parametrize("name", [name for name in FOREIGN if name != "fever"])
def test_a_malformed_record_is_refused_with_its_line(tmp_path, name):
    gold, content, line = MALFORMED[name]
    _, _, predicted, answers, choices, _ = SAMPLES[name]
    second = put(tmp_path / predicted, answers) if predicted else None
    with pytest.raises(InvalidDocumentError) as caught:
        audit_foreign(name, Request(put(tmp_path / gold, content), second, **choices))
    assert [f.where.line for f in caught.value.findings] == [line]
    assert re.search("expected|found", caught.value.findings[0].message)


@pytest.mark.parametrize("name", ["hotpotqa", "musique", "kilt", "web-annotation"])
def test_broken_json_names_the_line_and_what_is_wrong(tmp_path, name):
    _, _, predicted, answers, choices, _ = SAMPLES[name]
    for content in ('[\n{"a": 1},\n{"a": }\n]', '{"a": 1}\n{"a": 1} {}\n', "[" * 10_000, '{"a": ' * 10_000):
        with pytest.raises(InvalidDocumentError) as caught:
            audit_foreign(
                name, Request(put(tmp_path / "g.jsonl", content), put(tmp_path / predicted, answers), **choices)
            )
        assert caught.value.findings[0].where.line in (1, 2, 3)


def test_every_foreign_format_has_a_sample_and_a_malformed_one():
    assert set(FOREIGN) - {"fever"} == set(SAMPLES) == set(MALFORMED)


def test_a_sentence_beyond_its_page_is_told_and_never_covered(tmp_path):
    gold, predicted = put(tmp_path / "g.json", HOTPOT), put(tmp_path / "p.json", HOTPOT_SP)
    result = audit_foreign("hotpotqa", Request(gold, predicted), wanted=Wanted(show=["q2"]))
    found = [f for f in result.findings if f.rule == "anchor-unresolved"]
    assert len(found) == 1 and found[0].need == "q2" and "sentences 0 to 1" in found[0].message
    assert result.details["show"][0]["reason"] == "unresolved-anchor"


def test_labels_that_oppose_each_other_are_a_conflict_and_no_crash(tmp_path):
    gold, rows, predicted, answers, _, _ = SAMPLES["scifact"]
    request = Request(put(tmp_path / gold, rows), put(tmp_path / predicted, answers))
    result = audit_foreign("scifact", request, compat=True, wanted=Wanted(show=["1"]))
    assert result.details["compat"]["fails"] == "ValueError: Conflicting labels."
    assert result.details["show"][0]["conflicts"][0]["rule"] == "mixed-labels"


def test_what_qrels_require_is_declared_and_never_guessed(tmp_path):
    gold, rows, predicted, run, _, _ = SAMPLES["qrels"]
    files = put(tmp_path / gold, rows), put(tmp_path / predicted, run)
    with pytest.raises(UsageError, match="--each-suffices or --all-required"):
        audit_foreign("qrels", Request(*files))
    assert verdicts(audit_foreign("qrels", Request(*files, requires="each-suffices"))) == ["satisfied"]
    assert verdicts(audit_foreign("qrels", Request(*files, requires="all-required"))) == ["incomplete"]


def test_qrels_are_read_as_the_ranked_measures_read_them(tmp_path):
    gold, run = tmp_path / "g.qrels", tmp_path / "p.run"
    gold.write_bytes("# made by hand\nt1 0 d\u00a01 1\n#t2 0 d2 1\n\n".encode())
    run.write_text("t1 Q0 d\u00a01 1 9 x\n", encoding="utf-8")
    result = audit_foreign("qrels", Request(gold, run, requires="each-suffices"))
    assert [(row["need"], row["verdict"]) for row in result.details["needs"]] == [
        ("t1", "satisfied"),
        ("#t2", "incomplete"),
    ]
    assert [(f.rule, f.where.line) for f in result.findings if f.where] == [("hash-lines", 1), ("hash-lines", 3)]
    assert [record.rows for record in result.inputs] == [2, 1]
    for wrong in (b"t1 0 d\xff1 1\nt1 0 d\xfe1 1\n", "t1 0 d1 ²\n".encode(), "t1 0 d1 ٣\n".encode(), b"t1 0 d1 1 1\n"):
        gold.write_bytes(wrong)
        with pytest.raises(InvalidDocumentError) as caught:
            audit_foreign("qrels", Request(gold, run, requires="each-suffices"))
        assert caught.value.findings[0].where.line == 1


def test_hypothesis_counts_utf16_and_the_standard_code_points(tmp_path):
    texts = tmp_path / "texts" / "web"
    texts.mkdir(parents=True)
    (texts / "page.txt").write_text("🤔🤔🤔🤔:thinking", encoding="utf-8")

    def annotation(start, end, **more):
        selectors = [
            {"type": "TextQuoteSelector", "exact": ":thinking"},
            {"type": "TextPositionSelector", "start": start, "end": end},
        ]
        return {"id": f"a{start}", "target": [{"source": "page", "selector": selectors}], **more}

    rows = [annotation(4, 13), annotation(8, 17, generator="https://hypothes.is"), annotation(9, 18)]
    gold = put(tmp_path / "g.jsonl", rows)
    result = audit_foreign("web-annotation", Request(gold), documents=str(tmp_path / "texts"))
    assert [f.need for f in result.findings if f.rule == "anchor-unresolved"] == ["a9"]


def test_paragraphs_of_kilt_need_whole_containment(tmp_path):
    def pieces(*spans):
        return [{"wikipedia_id": "1", "start_paragraph_id": a, "end_paragraph_id": b} for a, b in spans]

    gold = put(tmp_path / "g.jsonl", [{"id": "1", "output": [{"provenance": pieces((1, 2))}]}])
    for returned, verdict in (((1, 3), "satisfied"), ((2, 3), "incomplete")):
        predicted = put(tmp_path / "p.jsonl", [{"id": "1", "output": [{"provenance": pieces(returned)}]}])
        assert verdicts(audit_foreign("kilt", Request(gold, predicted, "paragraph"))) == [verdict]


def test_turns_of_a_chat_are_items(tmp_path):
    gold = put(tmp_path / "g.json", [{
        "question_id": "q", "haystack_session_ids": ["answer_1"], "answer_session_ids": ["answer_1"],
        "haystack_sessions": [[{"content": "x"}, {"content": "y", "has_answer": True}]],
    }])  # fmt: skip
    for corpus_id, verdict in (("answer_1_2", "satisfied"), ("noans_1_1", "incomplete")):
        log = [{"question_id": "q", "retrieval_results": {"ranked_items": [{"corpus_id": corpus_id}]}}]
        request = Request(gold, put(tmp_path / "p.jsonl", log), "turn")
        assert verdicts(audit_foreign("longmemeval", request)) == [verdict]


def test_hovers_own_claims_and_the_budget_of_five(shared_data):
    path = shared_data / "evidence" / "hover" / "hover_dev_first200.json"
    claims = json.loads(path.read_text(encoding="utf-8"))
    result = audit_foreign_hover(path, claims)
    assert result.details["verdicts"]["satisfied"] == sum(len(c["supporting_facts"]) <= 5 for c in claims)
    assert result.details["lint"]["bundle-over-budget"]["needs"] == sum(len(c["supporting_facts"]) > 5 for c in claims)
    assert {g["value"] for g in result.details["by"]["groups"]} == {str(c["num_hops"]) for c in claims}


def audit_foreign_hover(path, claims):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        answers = {c["uid"]: {"predicted_sp": c["supporting_facts"]} for c in claims}
        predicted = put(Path(folder) / "p.json", answers)
        wanted = Wanted(by="hops", lint=True)
        return audit_foreign("hover", Request(path, predicted), budget=Allowance("units", 5), wanted=wanted)


def test_qaspers_own_paper_matches_its_paragraphs(shared_data, tmp_path):
    path = shared_data / "evidence" / "qasper" / "qasper_sample_small.json"
    papers = json.loads(path.read_text(encoding="utf-8"))
    asked = {q["question_id"]: q for paper in papers.values() for q in paper["qas"]}
    answers = [
        {"question_id": one, "predicted_answer": "x", "predicted_evidence": q["answers"][0]["answer"]["evidence"]}
        for one, q in asked.items()
    ]
    result = audit_foreign("qasper", Request(path, put(tmp_path / "p.jsonl", answers)), compat=True)
    # The one id of its four questions stands four times: the tool takes the last, and nobody knows which is meant.
    assert result.details["verdicts"]["withheld"] == 4
    assert {f.rule for f in result.findings} == {"need-repeated"}
    figures = {f["name"]: f["value"] for f in result.details["compat"]["figures"]}
    assert figures["compat:qasper:Evidence-F1"] == 1.0


def test_the_command_reads_a_format_and_explains_a_wrong_name(tmp_path):
    gold, predicted = put(tmp_path / "g.json", HOTPOT), put(tmp_path / "p.json", HOTPOT_SP)
    given = ["--gold", str(gold), "--predicted", str(predicted)]
    found = CliRunner().invoke(app, ["bundles", "--from", "hotpotqa", *given, "--compat", "hotpotqa", "--by", "type"])
    assert found.exit_code == 0
    for words in ("by type", "hotpot_evaluate_v1, beside ours", "sp_recall", "why they differ"):
        assert words in found.stdout
    for arguments, message in (
        (["--from", "hotpot"], "did you mean hotpotqa"),
        (["--from", "hotpotqa", "--compat", "kilt"], "--compat kilt"),
        (["--from", "hotpotqa", "--each-suffices"], "belong to --from qrels"),
        (["--from", "hotpotqa", "--by", "nothing"], "it has type"),
    ):
        refused = CliRunner().invoke(app, ["bundles", *arguments, *given])
        assert isinstance(refused.exception, UsageError) and message in str(refused.exception)


FEVER_GOLD = [
    {"id": 1, "label": "SUPPORTS", "claim": "", "evidence": [[[1, 1, "A", 0], [1, 1, "B", 2]], [[1, 2, "C", 1]]]},
    {"id": 2, "label": "NOT ENOUGH INFO", "claim": "", "evidence": [[[2, 3, None, None]]]},
]


@pytest.mark.parametrize("name", list(FOREIGN))
def test_gold_alone_can_be_linted_and_its_anchors_checked(tmp_path, name):
    gold, rows, *_ = SAMPLES[name] if name != "fever" else ("g.jsonl", FEVER_GOLD)
    path = put(tmp_path / gold, rows)
    (tmp_path / "texts" / "wiki").mkdir(parents=True)
    (tmp_path / "texts" / "wiki" / "A.txt").write_text("A page.", encoding="utf-8")
    declared = ["--each-suffices"] if name == "qrels" else []
    given = ["--from", name, "--gold", str(path)]
    found = CliRunner().invoke(app, ["bundles", *given, *declared, "--lint", "--format", "json"])
    assert found.exit_code == 0
    read = json.loads(found.stdout)
    assert "bundle-repeated" in read["lint"]
    assert name == "ragas" or any("only the gold itself is looked at" in note for note in read["notes"])
    assert len(read["inputs"]) == 1
    if name != "ragas":  # its one file holds both
        refused = CliRunner().invoke(app, ["bundles", *given, *declared, "--compat", name])
        assert isinstance(refused.exception, UsageError) and "--compat" in str(refused.exception)
    checked = CliRunner().invoke(app, ["anchors", "check", *given, "--documents", str(tmp_path / "texts")])
    assert checked.exit_code == 1 and "anchors-resolved" in checked.stdout
    assert ("as-stated" in checked.stdout) == (name in ("fever", "hotpotqa", "2wikimultihop", "hover"))


def test_documents_beside_fever_are_refused_and_never_ignored(tmp_path):
    gold = put(tmp_path / "g.jsonl", FEVER_GOLD)
    given = ["--from", "fever", "--gold", str(gold), "--documents", str(tmp_path)]
    refused = CliRunner().invoke(app, ["bundles", *given])
    assert isinstance(refused.exception, UsageError) and "anchors check --from fever" in str(refused.exception)


@pytest.mark.parametrize("name", [name for name in FOREIGN if name != "fever"])
def test_no_report_counts_one_thing_in_the_plural(tmp_path, name):
    gold, rows, predicted, answers, choices, _ = SAMPLES[name]
    second = put(tmp_path / predicted, answers) if predicted else None
    request = Request(put(tmp_path / gold, rows), second, **choices)
    result = audit_foreign(name, request, compat=name not in ("web-annotation", "qrels"), wanted=Wanted(lint=True))
    words = [*result.notes, *(f.message for f in result.findings), json.dumps(result.details.get("compat", ""))]
    assert not re.findall(r"(?<![0-9.,:-])1 [a-z]+s\b(?<!is)(?<!has)(?<!was)", " | ".join(words))
