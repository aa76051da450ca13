"""The causes of a difference are all of them: where none applies, the tool's figure and ours beside it are one."""

from __future__ import annotations

import json
import random

import pytest
from tool_files import lines, tool_figures, whole

from evaudit.audits.fever import audit_fever
from evaudit.audits.foreign import audit_foreign
from evaudit.bundles.budget import Allowance
from evaudit.formats.foreign import Request

SEEDS = pytest.mark.parametrize("seed", range(8))
PLACES = [(f"page {letter}", n) for letter in "ABCD" for n in range(3)]


def drawn(rng, most, least=1):
    """Distinct sentences, at least one."""
    return [list(one) for one in rng.sample(PLACES, rng.randrange(least, most + 1))]


def ours(result, name):
    return next(mean.value for mean in result.means if mean.name == name)


def beside(result, scale=1.0):
    """Each figure of the tool that has one of ours beside it, with both values."""
    told = {f["name"].split(":", 2)[2]: f for f in result.details["compat"]["figures"] if f["ours"]}
    return {name: (f["value"], f["ours_value"] * scale) for name, f in told.items()}


@SEEDS
def test_fever_where_every_line_is_verifiable_has_one_set_and_the_right_label(tmp_path, seed):
    rng = random.Random(seed)
    gold, said = [], []
    for n in range(9):
        needed = drawn(rng, 3)
        gold.append({"id": n, "label": "SUPPORTS", "evidence": [[[1, 1, *fact] for fact in needed]]})
        others = [fact for fact in drawn(rng, 7) if fact not in needed]
        found = needed[: rng.randrange(4)] + others
        rng.shuffle(found)
        said.append({"id": n, "predicted_label": "SUPPORTS", "predicted_evidence": found or [["page Z", 0]]})
    files = lines(tmp_path / "g.jsonl", gold), lines(tmp_path / "p.jsonl", said)
    for budget in (None, 2, 9):
        result = audit_fever(*files, compat=True, budget=None if budget is None else Allowance("units", budget))
        if result.details["compat"]["fails"] is None:
            for name, (tool, own) in beside(result).items():
                assert tool == pytest.approx(own, abs=1e-12), name


@SEEDS
@pytest.mark.parametrize("name", ["hotpotqa", "2wikimultihop"])
def test_hotpotqa_and_2wikimultihop_where_every_question_requires_and_every_answer_names_facts_once(
    tmp_path, name, seed
):
    rng = random.Random(seed)
    gold, facts = [], {}
    for n in range(9):
        needed = drawn(rng, 4)
        gold.append(
            {
                "_id": f"q{n}",
                "answer": "a",
                "answer_id": "Q",
                "evidences": [],
                "evidences_id": [],
                "supporting_facts": needed,
            }
        )
        facts[f"q{n}"] = needed[: rng.randrange(1, 5)] + [f for f in drawn(rng, 3) if f not in needed]
    said = {"answer": dict.fromkeys(facts, "a"), "sp": facts, "evidence": {one: [] for one in facts}}
    request = Request(whole(tmp_path / "g.json", gold), whole(tmp_path / "p.json", said))
    result = audit_foreign(name, request, compat=True)
    scale, tolerance = (100, 0.0051) if name == "2wikimultihop" else (1, 1e-12)
    pairs = beside(result, scale)
    assert set(pairs) == {"sp_prec", "sp_recall"}
    for figure, (tool, own) in pairs.items():
        assert tool == pytest.approx(own, abs=tolerance), figure


@SEEDS
@pytest.mark.parametrize("k", [5, 8, 10])
def test_hover_within_k_where_every_claim_has_facts_and_a_prediction(tmp_path, seed, k):
    rng = random.Random(seed)
    titles = [f"page {n}" for n in range(12)]
    gold, said = [], {}
    for n in range(9):
        gold.append({"uid": f"u{n}", "supporting_facts": [[one, 0] for one in rng.sample(titles, rng.randrange(1, 4))]})
        said[f"u{n}"] = {"sorted_titles": rng.sample(titles, rng.randrange(1, 12)), "predicted_docs": []}
    request = Request(whole(tmp_path / "g.json", gold), whole(tmp_path / "p.json", said))
    result = audit_foreign("hover", request, compat=True, budget=Allowance("units", k))
    assert tool_figures(result)[f"hit{k}"] == pytest.approx(100 * ours(result, "complete"), abs=1e-12)


@SEEDS
@pytest.mark.parametrize("k", [2, 5])
def test_kilt_within_k_where_each_set_is_one_page(tmp_path, seed, k):
    rng = random.Random(seed)
    gold, said = [], []
    for n in range(9):
        pages = rng.sample("abcdefgh", rng.randrange(1, 4))
        gold.append({"id": n, "output": [{"provenance": [{"wikipedia_id": page}]} for page in pages]})
        found = rng.sample("abcdefgh", rng.randrange(1, 9))
        said.append({"id": n, "output": [{"provenance": [{"wikipedia_id": page} for page in found]}]})
    request = Request(lines(tmp_path / "g.jsonl", gold), lines(tmp_path / "p.jsonl", said))
    result = audit_foreign("kilt", request, compat=True, budget=Allowance("units", k))
    assert tool_figures(result)[f"success_rate@{k}"] == pytest.approx(ours(result, "complete"), abs=1e-12)


def kilt_of_one_set(tmp_path, rng, guesses):
    """Gold records with one set of pages each, and the result with as many guesses as ``guesses`` says of its size."""
    gold, said = [], []
    for n in range(9):
        pages = rng.sample("abcdefgh", rng.randrange(1, 5))
        gold.append({"id": n, "output": [{"provenance": [{"wikipedia_id": page} for page in pages]}]})
        found = rng.sample("abcdefgh", guesses(len(pages)))
        said.append({"id": n, "output": [{"provenance": [{"wikipedia_id": page} for page in found]}]})
    return gold, said


@SEEDS
def test_kilts_r_precision_where_each_record_has_one_set_and_as_many_guesses(tmp_path, seed):
    gold, said = kilt_of_one_set(tmp_path, random.Random(seed), lambda size: size)
    request = Request(lines(tmp_path / "g.jsonl", gold), lines(tmp_path / "p.jsonl", said))
    tool, own = beside(audit_foreign("kilt", request, compat=True))["Rprec"]
    assert tool == pytest.approx(own, abs=1e-12)


@SEEDS
@pytest.mark.parametrize("k", [1, 2, 5])
def test_kilts_precision_within_k_where_a_set_is_one_page_and_k_guesses_came_back(tmp_path, seed, k):
    gold, said = kilt_of_one_set(tmp_path, random.Random(seed), lambda size: 8)
    for record in gold:
        del record["output"][0]["provenance"][1:]
    request = Request(lines(tmp_path / "g.jsonl", gold), lines(tmp_path / "p.jsonl", said))
    result = audit_foreign("kilt", request, compat=True, budget=Allowance("units", k))
    assert tool_figures(result)[f"precision@{k}"] == pytest.approx(ours(result, "evidence-precision"), abs=1e-12)


@SEEDS
@pytest.mark.parametrize("k", [2, 5])
def test_kilts_recall_divides_the_completed_sets_by_all_sets(tmp_path, seed, k):
    """Records of two sets of one page: the mean of the two sets, each as a record of its own, is the tool's recall."""
    rng = random.Random(seed)
    pages = [rng.sample("abcdefgh", 2) for _ in range(9)]
    found = [rng.sample("abcdefgh", rng.randrange(1, 9)) for _ in pages]
    said = [{"id": n, "output": [{"provenance": [{"wikipedia_id": p} for p in one]}]} for n, one in enumerate(found)]
    sets = [[{"provenance": [{"wikipedia_id": page}]} for page in pair] for pair in pages]
    predicted = lines(tmp_path / "p.jsonl", said)
    values = []
    for which in (slice(None), slice(0, 1), slice(1, 2)):
        gold = [{"id": n, "output": pair[which]} for n, pair in enumerate(sets)]
        request = Request(lines(tmp_path / "g.jsonl", gold), predicted)
        result = audit_foreign("kilt", request, compat=True, budget=Allowance("units", k))
        values.append(tool_figures(result)[f"recall@{k}"] if which == slice(None) else ours(result, "complete"))
    assert values[0] == pytest.approx((values[1] + values[2]) / 2, abs=1e-12)


def harmonic(result):
    """The mean over needs of the harmonic mean of ``selected-recall`` and ``evidence-precision``."""
    values = {"selected-recall": {}, "evidence-precision": {}}
    for figure in result.iter_figures():
        if figure.measure in values:
            values[figure.measure][figure.need] = figure.value
    recall, precision = values.values()
    assert set(recall) == set(precision)
    return sum(2 * p * r / (p + r) if p + r else 0 for p, r in ((precision[n], recall[n]) for n in recall)) / len(
        recall
    )


@SEEDS
def test_musique_support_is_a_harmonic_mean_with_precision_where_something_is_required_and_predicted(tmp_path, seed):
    rng = random.Random(seed)
    gold, said = [], []
    for n in range(9):
        needed = rng.sample(range(8), rng.randrange(1, 5))
        paragraphs = [{"idx": i, "is_supporting": i in needed} for i in range(8)]
        gold.append({"id": n, "answerable": True, "answer": "a", "answer_aliases": [], "paragraphs": paragraphs})
        found = rng.sample(range(8), rng.randrange(1, 6))
        said.append({"id": n, "predicted_answer": "a", "predicted_answerable": True, "predicted_support_idxs": found})
    request = Request(lines(tmp_path / "g.jsonl", gold), lines(tmp_path / "p.jsonl", said))
    result = audit_foreign("musique", request, compat=True)
    assert tool_figures(result)["support_f1"] == pytest.approx(harmonic(result), abs=0.00051)


@SEEDS
def test_qasper_evidence_is_a_harmonic_mean_where_one_annotator_names_paragraphs_and_each_is_returned_once(
    tmp_path, seed
):
    rng = random.Random(seed)
    paragraphs = [f"Paragraph {n}." for n in range(8)]
    questions, said = [], []
    for n in range(9):
        answer = {
            "unanswerable": False,
            "extractive_spans": ["x"],
            "evidence": rng.sample(paragraphs, rng.randrange(1, 5)),
        }
        questions.append({"question_id": f"q{n}", "question": "", "answers": [{"answer": answer}]})
        found = rng.sample(paragraphs, rng.randrange(1, 6))
        said.append({"question_id": f"q{n}", "predicted_answer": "x", "predicted_evidence": found})
    paper = {"p": {"full_text": [{"section_name": "s", "paragraphs": paragraphs}], "qas": questions}}
    request = Request(whole(tmp_path / "g.json", paper), lines(tmp_path / "p.jsonl", said))
    result = audit_foreign("qasper", request, compat=True)
    assert tool_figures(result)["Evidence-F1"] == pytest.approx(harmonic(result), abs=1e-12)


@SEEDS
def test_scifact_sentence_precision_where_each_claim_has_one_rationale_of_one_sentence(tmp_path, seed):
    rng = random.Random(seed)
    gold, said = [], []
    for n in range(9):
        gold.append({"id": n, "evidence": {"7": [{"sentences": [rng.randrange(8)], "label": "SUPPORT"}]}})
        found = rng.sample(range(8), rng.randrange(1, 6))
        said.append({"id": n, "evidence": {"7": {"sentences": found, "label": "SUPPORT"}}})
    request = Request(lines(tmp_path / "g.jsonl", gold), lines(tmp_path / "p.jsonl", said))
    result = audit_foreign("scifact", request, compat=True)
    hits = {f.need: f.num for f in result.iter_figures() if f.measure == "evidence-precision"}
    returned = sum(len(one["evidence"]["7"]["sentences"]) for one in said)
    assert tool_figures(result)["sentence_selection_precision"] == pytest.approx(sum(hits.values()) / returned)


@SEEDS
@pytest.mark.parametrize("k", [1, 3, 5])
def test_longmemeval_within_k_where_the_user_gives_every_answer(tmp_path, seed, k):
    rng = random.Random(seed)
    gold, log = [], []
    for n in range(9):
        answers = [f"answer_{n}_{m}" for m in range(rng.randrange(1, 4))]
        names = [*answers, *(f"chat_{n}_{m}" for m in range(5))]
        chats = [[{"role": "user", "content": "", "has_answer": name in answers}] for name in names]
        gold.append(
            {
                "question_id": f"q{n}",
                "haystack_session_ids": names,
                "haystack_sessions": chats,
                "answer_session_ids": answers,
            }
        )
        ranked = [{"corpus_id": name} for name in rng.sample(names, len(names))]
        log.append({"question_id": f"q{n}", "retrieval_results": {"ranked_items": ranked}})
    request = Request(whole(tmp_path / "g.json", gold), lines(tmp_path / "p.jsonl", log))
    result = audit_foreign("longmemeval", request, compat=True, budget=Allowance("units", k))
    found = tool_figures(result)
    assert found[f"recall_any@{k}"] == pytest.approx(ours(result, "any-hit"), abs=1e-12)
    assert found[f"recall_all@{k}"] == pytest.approx(ours(result, "complete"), abs=1e-12)


@SEEDS
def test_chunking_where_references_lie_apart_and_no_chunk_cuts_one(tmp_path, seed):
    rng = random.Random(seed)
    cells, said = [], []
    for _ in range(6):
        starts = rng.sample(range(0, 100, 10), rng.randrange(1, 4))
        references = [{"content": "xxxx", "start_index": s, "end_index": s + 4} for s in starts]
        cells.append('"' + json.dumps(references).replace('"', '""') + '",c')
        chunks = rng.sample(range(0, 100, 10), rng.randrange(1, 6))
        said.append({"retrieved": [{"start_index": s, "end_index": s + 10, "corpus_id": "c"} for s in chunks]})
    gold = tmp_path / "g.csv"
    gold.write_text("question,references,corpus_id\n" + "".join(f"q,{cell}\n" for cell in cells), encoding="utf-8")
    result = audit_foreign("chunking", Request(gold, lines(tmp_path / "p.jsonl", said)), compat=True)
    tool, own = beside(result)["recall"]
    assert tool == pytest.approx(own, abs=1e-12)


@SEEDS
def test_chunking_precision_and_iou_where_a_chunk_is_evidence_or_not_and_none_comes_back_twice(tmp_path, seed):
    """Every chunk and every reference is a block of ten characters: counts of blocks are lengths."""
    rng = random.Random(seed)
    cells, said, missed = [], [], []
    for _ in range(6):
        needed, found = (rng.sample(range(10), rng.randrange(1, 5)) for _ in range(2))
        references = [{"content": "x" * 10, "start_index": 10 * n, "end_index": 10 * n + 10} for n in needed]
        cells.append('"' + json.dumps(references).replace('"', '""') + '",c')
        chunks = [{"start_index": 10 * n, "end_index": 10 * n + 10, "corpus_id": "c"} for n in found]
        said.append({"retrieved": chunks})
        missed.append(len(set(needed) - set(found)))
    gold = tmp_path / "g.csv"
    gold.write_text("question,references,corpus_id\n" + "".join(f"q,{cell}\n" for cell in cells), encoding="utf-8")
    result = audit_foreign("chunking", Request(gold, lines(tmp_path / "p.jsonl", said)), compat=True)
    tool, own = beside(result)["precision"]
    assert tool == pytest.approx(own, abs=1e-12)
    ratios = [f for f in result.iter_figures() if f.measure == "evidence-precision"]
    iou = sum(f.num / (f.den + more) for f, more in zip(ratios, missed, strict=True)) / len(ratios)
    assert tool_figures(result)["iou"] == pytest.approx(iou, abs=1e-12)


@SEEDS
def test_ragas_where_every_row_requires_ids_and_returns_each_once(tmp_path, seed):
    rng = random.Random(seed)
    rows = [
        {"reference_context_ids": rng.sample("abcdef", rng.randrange(1, 4)),
         "retrieved_context_ids": rng.sample("abcdef", rng.randrange(1, 5))}
        for _ in range(9)
    ]  # fmt: skip
    result = audit_foreign("ragas", Request(lines(tmp_path / "g.jsonl", rows)), compat=True)
    for name, (tool, own) in beside(result).items():
        assert tool == pytest.approx(own, abs=1e-12), name
