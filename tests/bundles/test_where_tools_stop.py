"""Single cases of the tools: what counts below the line, what is compared how, and where a tool stops."""

from __future__ import annotations

import pytest
from tool_files import lines, tool_figures, whole

from evaudit.audits.fever import audit_fever
from evaudit.audits.foreign import audit_foreign
from evaudit.errors import InvalidDocumentError
from evaudit.formats.foreign import Request


def test_chunks_of_another_corpus_stand_below_the_line_as_in_the_tool(tmp_path):
    gold = tmp_path / "gold.csv"
    cell = '[{""content"": ""xxxxxxxxxx"", ""start_index"": 10, ""end_index"": 20}]'
    gold.write_text(f'question,references,corpus_id\nq,"{cell}",docA\n', encoding="utf-8")
    chunks = [
        {"start_index": 0, "end_index": 20, "corpus_id": "docA"},
        {"start_index": 0, "end_index": 30, "corpus_id": "docB"},
    ]
    result = audit_foreign("chunking", Request(gold, lines(tmp_path / "p.jsonl", [{"retrieved": chunks}])), compat=True)
    assert tool_figures(result) == {"iou": 0.2, "recall": 1.0, "precision": 0.2}


def test_the_ideal_of_longmemeval_knows_what_a_shortened_log_leaves_out(tmp_path):
    asked = {"question_id": "q", "haystack_session_ids": ["answer_1", "answer_2", "s"]}
    gold = whole(tmp_path / "gold.json", [asked | {"answer_session_ids": ["answer_1", "answer_2"]}])
    ranked = [{"corpus_id": "s"}, {"corpus_id": "answer_1"}]
    log = lines(tmp_path / "log.jsonl", [{"question_id": "q", "retrieval_results": {"ranked_items": ranked}}])
    found = tool_figures(audit_foreign("longmemeval", Request(gold, log), compat=True))
    assert (found["ndcg_any@1"], found["ndcg_any@3"]) == (0.0, 0.5)  # 1 of the ideal 2: ranks 1 and 2 weigh the same


def test_hover_compares_titles_in_nfd(tmp_path):
    gold = whole(tmp_path / "gold.json", [{"uid": "u", "supporting_facts": [["Beyonc\u00e9", 0]]}])
    for found in (
        {"sorted_titles": ["Beyonce\u0301"], "predicted_docs": ["Beyonce\u0301"]},
        {"predicted_sp": [["Beyonce\u0301", 0]]},
    ):
        result = audit_foreign("hover", Request(gold, whole(tmp_path / "p.json", {"u": found})), compat=True)
        assert set(tool_figures(result).values()) == {100.0, 1.0}


@pytest.mark.parametrize("found", [{"sorted_titles": ["A"]}, {"predicted_sp": [["A", 0]]}])
def test_hovers_tool_stops_where_predictions_have_different_keys(tmp_path, found):
    gold = [{"uid": uid, "supporting_facts": [["A", 0]]} for uid in ("u", "v")]
    predicted = {"u": {"sorted_titles": ["A"], "predicted_docs": ["A"]}, "v": found}
    request = Request(whole(tmp_path / "gold.json", gold), whole(tmp_path / "p.json", predicted))
    assert audit_foreign("hover", request, compat=True).details["compat"]["fails"].startswith("KeyError")


SCIFACT = {"id": 1, "evidence": {"7": [{"sentences": [3], "label": "SUPPORT"}]}}
SAID = {"id": 1, "evidence": {"7": {"sentences": [3], "label": "SUPPORT"}}}
TWO_RATIONALES = [{"sentences": [3, 4], "label": "SUPPORT"}, {"sentences": [3, 5], "label": "SUPPORT"}]


@pytest.mark.parametrize(
    ("gold", "said", "fails"),
    [
        (SCIFACT, SAID | {"id": 2}, "ValueError: Predicted claims do not match gold."),
        (SCIFACT, SAID | {"id": "1"}, "ValueError: Predicted claims do not match gold."),
        ({"id": 1, "evidence": {"7": []}}, SAID, "IndexError: list index out of range"),
        ({"id": 1, "evidence": {"7": TWO_RATIONALES}}, SAID, "AssertionError"),
        ({"id": 1, "evidence": {"7": TWO_RATIONALES}}, {"id": 1, "evidence": {}}, None),
    ],
)
def test_scifacts_tool_stops_there_and_nowhere_else(tmp_path, gold, said, fails):
    request = Request(lines(tmp_path / "g.jsonl", [gold]), lines(tmp_path / "p.jsonl", [said]))
    compat = audit_foreign("scifact", request, compat=True).details["compat"]
    assert compat["fails"] is None if fails is None else compat["fails"].startswith(fails)


MUSIQUE = {
    "id": "q", "answerable": True, "answer": "a", "answer_aliases": [],
    "paragraphs": [{"idx": 0, "is_supporting": True}],
}  # fmt: skip
MUSIQUE_SAID = {"id": "q", "predicted_answer": "a", "predicted_support_idxs": [0], "predicted_answerable": True}
NO, NO_SAID = MUSIQUE | {"answerable": False}, MUSIQUE_SAID | {"predicted_answerable": False}


@pytest.mark.parametrize(
    ("gold", "said", "fails"),
    [
        ([MUSIQUE], [MUSIQUE_SAID | {"id": "r"}], "AssertionError: The instances (ids)"),
        ([MUSIQUE], [{k: v for k, v in MUSIQUE_SAID.items() if k != "predicted_answerable"}], "KeyError"),
        ([MUSIQUE], [MUSIQUE_SAID | {"predicted_answer": 3}], "AttributeError: 'int'"),
        ([{k: v for k, v in MUSIQUE.items() if k != "answer_aliases"}], [MUSIQUE_SAID], "KeyError: 'answer_aliases'"),
        ([NO], [NO_SAID], "AssertionError: For sufficiency evaluation"),
        ([NO, NO], [NO_SAID, NO_SAID], "AssertionError"),
        ([MUSIQUE, NO], [MUSIQUE_SAID, NO_SAID], None),
    ],
)
def test_musiques_tool_stops_there_and_nowhere_else(tmp_path, gold, said, fails):
    request = Request(lines(tmp_path / "g.jsonl", gold), lines(tmp_path / "p.jsonl", said))
    result = audit_foreign("musique", request, compat=True)
    compat = result.details["compat"]
    assert compat["fails"] is None if fails is None else compat["fails"].startswith(fails)
    assert (None in tool_figures(result).values()) == (fails is not None)


def test_cfevers_evidence_of_not_enough_info_is_read_as_its_scorer_reads_it(tmp_path):
    gold = [
        {"id": 463, "label": "NOT ENOUGH INFO", "claim": "", "evidence": [[54, None, None, None]]},
        {"id": 464, "label": "supports", "claim": "", "evidence": [[[296, 318, "\u829d\u52a0\u54e5", 0]]]},
    ]
    predicted = [
        {"id": 463, "predicted_label": "NOT ENOUGH INFO", "predicted_evidence": []},
        {"id": 464, "predicted_label": "SUPPORTS", "predicted_evidence": [["\u829d\u52a0\u54e5", 0]]},
    ]
    files = lines(tmp_path / "g.jsonl", gold), lines(tmp_path / "p.jsonl", predicted)
    result = audit_fever(*files, compat=True)
    assert set(tool_figures(result).values()) == {1.0}
    assert (result.details["verdicts"]["undefined"], result.details["verdicts"]["satisfied"]) == (1, 1)
    gold[0]["label"] = "REFUTES"  # there the scorer looks into the evidence, and stops
    lines(tmp_path / "g.jsonl", gold)
    with pytest.raises(InvalidDocumentError, match="list of its own"):
        audit_fever(*files)


@pytest.mark.parametrize("row", [{"reference_context_ids": ["a"]}, {"retrieved_context_ids": ["a"]}])
@pytest.mark.parametrize("null", [False, True])
def test_a_row_of_ragas_without_one_of_its_lists_is_ids_unavailable_and_no_zero(tmp_path, row, null):
    whole_row = {"reference_context_ids": ["a"], "retrieved_context_ids": ["a"]}
    rows = [whole_row, dict.fromkeys(whole_row) | row if null else row]
    result = audit_foreign("ragas", Request(lines(tmp_path / "g.jsonl", rows)), compat=True)
    assert tool_figures(result) == {"id_based_context_recall": 1.0, "id_based_context_precision": 1.0}
    assert [need["verdict"] for need in result.details["needs"]] == ["satisfied", "withheld"]
    mean = next(mean for mean in result.means if mean.name == "selected-recall")
    assert (mean.value, mean.n_undefined) == (None, {"ids-unavailable": 1})
    ends = mean.bounds["withheld"].low, mean.bounds["withheld"].high
    assert [end[0] / end[1] if isinstance(end, tuple) else end for end in ends] == [0.5, 1.0]
