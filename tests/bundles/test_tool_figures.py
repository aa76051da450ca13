"""The figures of the formats' own tools: every recorded output is reproduced, quirks included, or tool-fails."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
import tool_rules
import tool_rules_of_retrieval as retrieval_rules
from tool_files import lines, tool_figures, whole

from evaudit.audits.fever import audit_fever
from evaudit.audits.foreign import audit_foreign
from evaudit.bundles.budget import Allowance
from evaudit.cli.explain import all_entries, named
from evaudit.errors import InvalidDocumentError
from evaudit.formats import kilt_scorer, longmemeval_scorer, qasper_scorer, two_wiki_scorer
from evaudit.formats.foreign import Request

CASES = json.loads((Path(__file__).parent / "tool_cases.json").read_text(encoding="utf-8"))
"""Recorded outputs of the public tools, one case a line: the input as the tool took it, the figures by our names."""

EXACT, PRINTED = 1e-12, 5e-7
"""Values are held to the exact ones; where the record has six digits, these are those of ``tool_rules``."""

RETRIEVAL = ("recall_any", "recall_all", "ndcg")


def of(*tools):
    found = [case for case in CASES if case["tool"] in tools]
    assert found
    return pytest.mark.parametrize("case", found, ids=lambda c: c["case"])


def six_digits(value):
    return value is not None and round(value, 6) == value != round(value, 5)


def exactly_as_recorded(recorded, rules=None):
    """The recorded values, and in place of those with six digits what the tool's rules give; the two must agree."""
    wanted = dict(recorded)
    for name, value in (rules or {}).items():
        if name in recorded:
            assert recorded[name] == (None if value is None else pytest.approx(float(value), abs=PRINTED)), name
            wanted[name] = None if value is None else float(value)
    assert [name for name, value in wanted.items() if six_digits(value)] == []
    return wanted


def expect(result, case, rules=None):
    expected, found = case["expected"], tool_figures(result)
    for mean in result.means:
        assert named(mean.name, all_entries()), mean.name  # every printed name is explained
    if "fails" in expected:
        assert result.details["compat"].get("fails") or all(v is None for v in found.values())
        means = [m for m in result.means if m.measure.startswith("compat:")]
        assert means and all(m.value is None and m.undefined == "tool-fails" for m in means)
        return
    unprinted = (
        "rank",
        "sets",
        "recall@1",
        "success_rate@1",
    )  # of KILT: not printed
    recorded = {name.replace(" ", "-"): value for name, value in expected.items() if name not in unprinted}
    wanted = exactly_as_recorded(recorded, rules)
    assert wanted.keys() <= found.keys()
    for name, value in wanted.items():
        assert found[name] == (None if value is None else pytest.approx(value, abs=EXACT)), name


@of("fever-scorer")
def test_fever(tmp_path, case):
    gold = [{"id": n, "label": i["label"], "evidence": i["evidence"], "claim": ""} for n, i in enumerate(case["gold"])]
    predicted = [
        {"id": n, "predicted_label": i["predicted_label"], "predicted_evidence": i["predicted_evidence"]}
        for n, i in enumerate(case["gold"])
    ]
    files = lines(tmp_path / "gold.jsonl", gold), lines(tmp_path / "predicted.jsonl", predicted)
    every = "max_evidence" in case["kwargs"]
    if case["expected"].get("fails", "").startswith("AssertionError"):
        with pytest.raises(InvalidDocumentError, match="line"):
            audit_fever(*files, compat=True)
        return
    result = audit_fever(*files, compat=True, budget=Allowance("units", 1000) if every else None)
    limit = case["kwargs"].get("max_evidence", 5)
    expect(result, case, tool_rules.fever(case["gold"], case["gold"], limit) or {})


@of("hotpot_evaluate_v1")
def test_hotpotqa(tmp_path, case):
    request = Request(whole(tmp_path / "gold.json", case["gold"]), whole(tmp_path / "pred.json", case["pred"]))
    expect(audit_foreign("hotpotqa", request, compat=True), case)


def test_hotpotqas_tool_stops_without_answers_and_ours_is_null(tmp_path):
    gold = whole(tmp_path / "gold.json", [{"_id": "1", "answer": "a", "supporting_facts": [["A", 0]]}])
    result = audit_foreign(
        "hotpotqa", Request(gold, whole(tmp_path / "p.json", {"sp": {"1": [["A", 0]]}})), compat=True
    )
    assert result.details["compat"]["fails"] == "KeyError: 'answer'"
    assert set(tool_figures(result).values()) == {None}
    assert result.details["verdicts"]["satisfied"] == 1


@of("2wiki v1.1 update_sp", "2wiki v1.1 update_evi")
def test_2wikimultihop(case):
    pairs = [tuple(one) for one in case["pred"]]
    if case["tool"].endswith("sp"):
        found = two_wiki_scorer.sentence_scores(pairs, [tuple(one) for one in case["gold"]])
    else:
        found = two_wiki_scorer.triple_scores(pairs, case["gold"])
    # The record has 1.33333 for the harmonic mean of 1 and 2.
    wanted = [Fraction(4, 3) if value == 1.33333 else value for value in case["expected"].values()]
    assert found == pytest.approx([float(value) for value in wanted], abs=EXACT)


TWO_WIKI = {
    "_id": "q1", "answer": "the USA", "answer_id": "Q30", "supporting_facts": [["A", 0], ["B", 0]],
    "evidences": [["x", "r", "USA"], ["y", "s", "z"]], "evidences_id": [["Q1", "r", "Q30"], ["Q2", "s", "Q3"]],
}  # fmt: skip


def two_wiki(tmp_path, gold, predicted, aliases=()):
    names = lines(tmp_path / "aliases.jsonl", aliases) if aliases else None
    request = Request(whole(tmp_path / "gold.json", gold), whole(tmp_path / "pred.json", predicted), aliases=names)
    return audit_foreign("2wikimultihop", request, compat=True)


def test_2wikimultihops_figures_of_whole_files_by_hand(tmp_path):
    """Percent over both questions, of which one has no prediction; with and without the further names."""
    predicted = {
        "answer": {"q1": "United States"},
        "sp": {"q1": [["A", 0], ["a", 0], ["x", 0]]},
        "evidence": {"q1": [["X.", "r", "usa"], ["x", "r", "United  States"], ["y", "s", "w"]]},
    }
    gold = [TWO_WIKI, TWO_WIKI | {"_id": "q2"}]
    found = tool_figures(two_wiki(tmp_path, gold, predicted))
    # sp: [A0, a0, x0] against [A0, B0]: two of three, and two of the three that were hit or missed.
    assert [found[f"sp_{n}"] for n in ("em", "f1", "prec", "recall")] == [0, 33.33, 33.33, 33.33]
    assert [found[f"evi_{n}"] for n in ("em", "f1", "prec", "recall")] == [0, 20, 16.67, 25]
    assert [found[n] for n in ("em", "f1", "joint_f1")] == [0, 0, 0]
    names = [{"Q_id": "Q30", "aliases": ["United States"], "demonyms": ["American"]}]
    result = two_wiki(tmp_path, gold, predicted, names)
    found = tool_figures(result)
    assert [found[n] for n in ("em", "f1", "prec", "recall")] == [50, 50, 50, 50]
    assert [found[f"evi_{n}"] for n in ("em", "f1", "prec", "recall")] == [0, 40, 33.33, 50]
    # joint: precision 1 x 2/3 x 2/3, recall 1 x 2/3 x 2/2, their harmonic mean 8/15; half of each.
    assert [found[f"joint_{n}"] for n in ("em", "f1", "prec", "recall")] == [0, 26.67, 22.22, 33.33]
    assert "aliases.jsonl" in result.inputs[-1].path


@pytest.mark.parametrize(
    ("gold", "predicted", "fails"),
    [
        ({"answer_id": None}, {}, "KeyError: 'answer_id'"),
        ({"evidences_id": None}, {}, "KeyError: 'evidences_id'"),
        ({"evidences_id": [["Q1", "r", "Q30"]]}, {}, "AssertionError"),
        ({"evidences_id": [["Q1", "r", "Q30"], ["Q2", "r", "Q3"]]}, {}, "AssertionError"),
        ({}, {"evidence": None}, "KeyError: 'evidence'"),
        ({}, {"answer": None}, "KeyError: 'answer'"),
    ],
)
def test_2wikimultihops_tool_stops_where_ids_are_missing_and_ours_is_null(tmp_path, gold, predicted, fails):
    row = {key: value for key, value in (TWO_WIKI | gold).items() if value is not None}
    answers = {"answer": {"q1": "a"}, "sp": {"q1": [["A", 0]]}, "evidence": {"q1": []}} | predicted
    result = two_wiki(tmp_path, [row], {key: value for key, value in answers.items() if value is not None})
    assert result.details["compat"]["fails"] == fails
    assert set(tool_figures(result).values()) == {None}


@pytest.mark.parametrize(
    "row", [{"Q_id": "Q1", "aliases": "x", "demonyms": []}, {"aliases": [], "demonyms": []}, {"Q_id": "Q1"}]
)
def test_malformed_names_of_2wikimultihop_are_refused_with_their_line(tmp_path, row):
    good = {"Q_id": "Q2", "aliases": [], "demonyms": []}
    with pytest.raises(InvalidDocumentError) as caught:
        two_wiki(tmp_path, [TWO_WIKI], {"answer": {}, "sp": {}, "evidence": {}}, [good, row])
    assert [one.where.line for one in caught.value.findings] == [2]


@of("HoVer doc metrics", "HoVer sent metrics")
def test_hover(tmp_path, case):
    request = Request(whole(tmp_path / "gold.json", case["gold"]), whole(tmp_path / "pred.json", case["pred"]))
    expect(audit_foreign("hover", request, compat=True), case)


@of("musique evaluate_v1.0")
def test_musique(tmp_path, case):
    request = Request(lines(tmp_path / "gold.jsonl", case["gold"]), lines(tmp_path / "pred.jsonl", case["pred"]))
    expect(audit_foreign("musique", request, compat=True), case)


@of("scifact-evaluator")
def test_scifact(tmp_path, case):
    request = Request(lines(tmp_path / "gold.jsonl", case["gold"]), lines(tmp_path / "pred.jsonl", case["pred"]))
    result = audit_foreign("scifact", request, compat=True)
    expect(result, case, retrieval_rules.scifact(case["gold"], case["pred"]) or {})
    if "conflicting" in case["case"]:
        assert [r.rule for r in result.findings if r.severity == "error"] == []


@of("KILT eval_retrieval")
def test_kilt(tmp_path, case):
    request = Request(
        lines(tmp_path / "gold.jsonl", case["gold"]), lines(tmp_path / "pred.jsonl", case["pred"]), case.get("level")
    )
    expect(audit_foreign("kilt", request, compat=True), case)
    keys = kilt_scorer.PARAGRAPH if "level" in case else kilt_scorer.PAGE
    rank, sets = kilt_scorer.collapsed_rank(case["pred"][0], case["gold"][0], keys)
    assert (rank, sets) == (case["expected"]["rank"], case["expected"]["sets"])


@of("QASPER paragraph_f1_score")
def test_qasper_evidence(case):
    found = qasper_scorer.paragraph_f1(case["pred"], case["gold"])
    wanted = exactly_as_recorded(
        case["expected"], {"f1": retrieval_rules.paragraphs_of_qasper(case["pred"], case["gold"])}
    )
    assert found == pytest.approx(wanted["f1"], abs=EXACT)


@of("QASPER evaluate")
def test_qasper(tmp_path, case):
    request = Request(whole(tmp_path / "gold.json", case["gold"]), lines(tmp_path / "pred.jsonl", case["pred"]))
    expect(audit_foreign("qasper", request, compat=True), case)


@of("LongMemEval evaluate_retrieval")
def test_longmemeval(case):
    ranked = [case["ids"][place] for place in case["rankings"]]
    rules = retrieval_rules.longmemeval(ranked, set(case["correct"]), case["ids"], case["k"])
    found = longmemeval_scorer.retrieval(ranked, case["correct"], case["ids"], case["k"])
    wanted = exactly_as_recorded(case["expected"], dict(zip(RETRIEVAL, rules, strict=True)))
    assert found == pytest.approx([wanted[name] for name in RETRIEVAL], abs=EXACT)


@of("LongMemEval turn2session")
def test_longmemeval_turns_to_sessions(case):
    corpus = case["ranked"]  # all of it is ranked
    found = longmemeval_scorer.turns_to_sessions(case["ranked"], case["correct"], corpus, case["k"])
    rules = retrieval_rules.turns(case["ranked"], case["correct"], corpus, case["k"])
    wanted = exactly_as_recorded(case["expected"], dict(zip(RETRIEVAL, rules, strict=True)))
    assert found == pytest.approx([wanted[name] for name in RETRIEVAL], abs=EXACT)


@of("chunking_evaluation")
def test_chunking(tmp_path, case):
    references = [{"content": "x" * (b - a), "start_index": a, "end_index": b} for a, b in case["references"]]
    chunks = [{"start_index": a, "end_index": b} for a, b in case["retrieved"]]
    row = {"retrieved": chunks}
    if case["all_chunks"] is not None:
        row["all_chunks"] = [{"start_index": a, "end_index": b} for a, b in case["all_chunks"]]
    gold = tmp_path / "gold.csv"
    cell = json.dumps(references).replace('"', '""')
    gold.write_text(f'question,references,corpus_id\nq,"{cell}",c\n', encoding="utf-8")
    result = audit_foreign("chunking", Request(gold, lines(tmp_path / "pred.jsonl", [row])), compat=True)
    recorded = {name: value for name, value in case["expected"].items() if name != "highlighted_chunks"}
    gold_rows = [{"references": references, "corpus_id": "c"}]
    of_c = [[{**chunk, "corpus_id": "c"} for chunk in some] for some in (chunks, row.get("all_chunks") or [])]
    rules = retrieval_rules.chunking(gold_rows, of_c[:1], of_c[1] if "all_chunks" in row else None)
    expect(result, case | {"expected": recorded}, rules)


@of("ragas 0.3.9 IDBasedContextRecall", "ragas 0.3.9 IDBasedContextPrecision")
def test_ragas(tmp_path, case):
    request = Request(lines(tmp_path / "rows.jsonl", case["gold"]))
    expect(audit_foreign("ragas", request, compat=True), case, retrieval_rules.ragas(case["gold"]))


def exactly(result, wanted):
    found = tool_figures(result)
    assert {name: found[name] for name in wanted} == pytest.approx(wanted, abs=EXACT)


def test_fevers_own_files_to_twelve_digits(shared_data):
    folder = shared_data / "evidence" / "fever"
    assert len((folder / "actual.jsonl").read_bytes().splitlines()) == 9999  # as the README says
    exactly(
        audit_fever(folder / "actual.jsonl", folder / "predictions.jsonl", compat=True),
        {
            "strict": 0.32573257325732574, "label-accuracy": 0.5208520852085209, "precision": 0.1043804380438068,
            "recall": 0.44224422442244227, "f1": 0.1688970477815144,
        },
    )  # fmt: skip


def test_scifacts_own_files_to_twelve_digits(shared_data):
    folder = shared_data / "evidence" / "scifact"
    # The second set of predictions there belongs to a gold file that is not part of the fixture.
    expected = json.loads((folder / "expected_metrics_small.json").read_text(encoding="utf-8"))
    request = Request(folder / "gold_small.jsonl", folder / "predictions_small.jsonl")
    exactly(audit_foreign("scifact", request, compat=True), expected)


def test_kilts_own_files_to_twelve_digits(shared_data):
    folder = shared_data / "evidence" / "kilt"
    for guess, wanted in (
        ("guess2_1", {"Rprec": 1 / 2, "precision@1": 1, "precision@5": 2 / 5, "recall@5": 2 / 3}),
        ("guess2_2", {"Rprec": 1, "precision@1": 1, "precision@5": 1 / 5, "recall@5": 1 / 3}),
    ):
        request = Request(folder / "gold2.jsonl", folder / f"{guess}.jsonl")
        exactly(audit_foreign("kilt", request, compat=True), wanted)


def test_longmemevals_gain_to_twelve_digits():
    ranked = ["answer_1", "s2", "answer_3", "s4", "s5"]
    assert longmemeval_scorer.retrieval(ranked, ["answer_1", "answer_3"], ranked, 3)[2] == pytest.approx(
        0.8154648767857288, abs=1e-12
    )


def test_longmemeval_reports_questions_with_a_target_and_no_others(tmp_path):
    """Gold is what has ``answer`` in its id; the log writes ``noans`` where no user turn holds the answer."""
    asked = {"q1": ["answer_1", "answer_2"], "q2": ["answer_3"], "q3_abs": ["answer_4"], "q4": ["answer_5"]}
    gold = [{"question_id": q, "answer_session_ids": s, "haystack_session_ids": [*s, "x"]} for q, s in asked.items()]
    order = {"q1": ["answer_1", "x", "noans_2"], "q2": ["noans_3", "x"], "q3_abs": ["x"], "q4": ["x"]}
    log = [
        {"question_id": q, "retrieval_results": {"ranked_items": [{"corpus_id": one} for one in ids]}}
        for q, ids in order.items()
    ]
    request = Request(whole(tmp_path / "gold.json", gold), lines(tmp_path / "log.jsonl", log))
    result = audit_foreign("longmemeval", request, compat=True)
    found = tool_figures(result)
    # q1: its one target is first. q4: its target is not in the shortened log. q2 has no target, q3 is an abstention.
    assert (found["recall_any@1"], found["recall_all@5"], found["ndcg_any@5"]) == (0.5, 0.5, 0.5)
    assert next(m for m in result.means if m.measure == "compat:longmemeval:recall_all").n == 2


def test_hover_compares_lengths_and_looks_one_way_so_repeated_gold_is_exact_beside_a_wrong_sentence(tmp_path):
    gold = whole(tmp_path / "gold.json", [{"uid": "u", "supporting_facts": [["A", 0], ["A", 0]]}])
    predicted = whole(tmp_path / "pred.json", {"u": {"predicted_sp": [["A", 0], ["B", 1]]}})
    assert tool_figures(audit_foreign("hover", Request(gold, predicted), compat=True))["exact"] == 100
