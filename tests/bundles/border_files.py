"""A small pair of files of every foreign format, by the ids of its records: where each answer is right."""

from __future__ import annotations

import json
from unicodedata import normalize

IDS = ["qa", "qb", "qc", "qd"]
TITLE = normalize("NFC", "Beyonce\u0301")


def lines(rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def whole(value):
    return json.dumps(value, ensure_ascii=False, indent=1)


def fever(ids):
    gold = [{"id": one, "label": "SUPPORTS", "evidence": [[[1, 1, TITLE, n]]]} for n, one in enumerate(ids)]
    said = [{"id": one, "predicted_label": "SUPPORTS", "predicted_evidence": [[TITLE, n]]} for n, one in enumerate(ids)]
    return lines(gold), lines(said)


def hotpotqa(ids):
    gold = [{"_id": one, "answer": "a", "supporting_facts": [[TITLE, n]]} for n, one in enumerate(ids)]
    facts = {one: [[TITLE, n]] for n, one in enumerate(ids)}
    return whole(gold), whole({"answer": dict.fromkeys(ids, "a"), "sp": facts})


def two_wiki(ids):
    more = {"answer": "a", "answer_id": "Q1", "evidences": [], "evidences_id": []}
    gold = [{"_id": one, **more, "supporting_facts": [[TITLE, n]]} for n, one in enumerate(ids)]
    facts = {one: [[TITLE, n]] for n, one in enumerate(ids)}
    return whole(gold), whole(
        {"answer": dict.fromkeys(ids, "a"), "sp": facts, "evidence": {one: [] for one in ids}}
    )  # fmt: skip


def hover(ids):
    gold = [{"uid": one, "claim": "", "supporting_facts": [[TITLE, n]]} for n, one in enumerate(ids)]
    return whole(gold), whole({one: {"predicted_sp": [[TITLE, n]]} for n, one in enumerate(ids)})


def musique(ids):
    more = {"answerable": True, "answer": "a", "answer_aliases": []}
    gold = [{"id": one, **more, "paragraphs": [{"idx": n, "is_supporting": True}]} for n, one in enumerate(ids)]
    said = {"predicted_answer": "a", "predicted_answerable": True}
    return lines(gold), lines({"id": one, **said, "predicted_support_idxs": [n]} for n, one in enumerate(ids))


def scifact(ids):
    gold = [
        {"id": one, "evidence": {"7": [{"sentences": [n], "label": "SUPPORT"}]}} for n, one in enumerate(ids)
    ]  # fmt: skip
    said = [{"id": one, "evidence": {"7": {"sentences": [n], "label": "SUPPORT"}}} for n, one in enumerate(ids)]
    return lines(gold), lines(said)


def kilt(ids):
    gold = [
        {"id": one, "input": "", "output": [{"answer": "a"}, {"provenance": [{"wikipedia_id": str(n)}]}]}
        for n, one in enumerate(ids)
    ]
    said = [{"id": one, "output": [{"provenance": [{"wikipedia_id": str(n)}]}]} for n, one in enumerate(ids)]
    return lines(gold), lines(said)


def qasper(ids):
    answer = {"unanswerable": False, "extractive_spans": ["x"], "evidence": [TITLE]}
    asked = [{"question_id": one, "answers": [{"answer": answer}]} for one in ids]
    gold = {"p": {"full_text": [{"section_name": "s", "paragraphs": [TITLE, "two"]}], "qas": asked}}
    said = [{"question_id": one, "predicted_answer": "x", "predicted_evidence": [TITLE]} for one in ids]
    return whole(gold), lines(said)


def longmemeval(ids):
    chats = [[{"role": "user", "content": "", "has_answer": True}], [{"role": "user", "content": ""}]]
    gold = [
        {"question_id": one, "haystack_session_ids": [f"answer_{n}", "s2"], "answer_session_ids": [f"answer_{n}"],
         "haystack_sessions": chats}
        for n, one in enumerate(ids)
    ]  # fmt: skip
    log = [
        {"question_id": one, "retrieval_results": {"ranked_items": [{"corpus_id": f"answer_{n}"}, {"corpus_id": "s2"}]}}
        for n, one in enumerate(ids)
    ]
    return whole(gold), lines(log)


def chunking(ids):
    rows = ["question,references,corpus_id"]
    for n, one in enumerate(ids):
        cell = json.dumps([{"content": "xxxxx", "start_index": n * 10, "end_index": n * 10 + 5}]).replace('"', '""')
        rows.append(f'{one},"{cell}",{TITLE}')
    said = [{"start_index": n * 10, "end_index": n * 10 + 5, "corpus_id": TITLE} for n, _ in enumerate(ids)]
    return "".join(f"{row}\n" for row in rows), lines({"retrieved": [one]} for one in said)


def web_annotation(ids):
    gold = [
        {"id": one, "target": {"source": "x", "selector": {"type": "TextPositionSelector", "start": n, "end": n + 2}}}
        for n, one in enumerate(ids)
    ]
    said = [{"need": one, "selected": [{"source": "x", "start": n, "end": n + 2}]} for n, one in enumerate(ids)]
    return lines(gold), lines(said)


def qrels(ids):
    gold = [f"{one} 0 d{n} 1\n" for n, one in enumerate(ids)]
    return "".join(gold), "".join(f"{one} Q0 d{n} 1 9 x\n" for n, one in enumerate(ids))


FILES = {
    "fever": (fever, "g.jsonl", "p.jsonl"), "hotpotqa": (hotpotqa, "g.json", "p.json"),
    "2wikimultihop": (two_wiki, "g.json", "p.json"), "hover": (hover, "g.json", "p.json"),
    "musique": (musique, "g.jsonl", "p.jsonl"), "scifact": (scifact, "g.jsonl", "p.jsonl"),
    "kilt": (kilt, "g.jsonl", "p.jsonl"), "qasper": (qasper, "g.json", "p.jsonl"),
    "longmemeval": (longmemeval, "g.json", "p.jsonl"), "chunking": (chunking, "g.csv", "p.jsonl"),
    "web-annotation": (web_annotation, "g.jsonl", "p.jsonl"), "qrels": (qrels, "g.qrels", "p.run"),
}  # fmt: skip
"""Every format of two files: what writes them, and their names."""
BY_PLACE = {"fever", "musique", "scifact", "chunking"}
"""Those that pair by position; chunks carry no id at all."""
TOOLS = set(FILES) - {"web-annotation", "qrels"}
