"""Random files of the field's formats, well formed as their tools see it: titles in several forms, repetition, gaps."""

from __future__ import annotations

import random

TITLES = [
    "Beyonc\u00e9", "Beyonce\u0301", "\u00c5ngstr\u00f6m", "A\u030angstro\u0308m", "A_(film)", "A (film)",
    "A_-LRB-film-RRB-", "a", "A", "\u829d\u52a0\u54e5", "x: y",
]  # fmt: skip
WORDS = ["yes", "no", "noanswer", "The", "an", "red", "Red.", "car", "caf\u00e9", "42", "-", "U.S."]


def text(rng):
    return " ".join(rng.choice(WORDS) for _ in range(rng.randrange(4)))


def facts(rng, most=5):
    return [[rng.choice(TITLES), rng.randrange(4)] for _ in range(rng.randrange(most + 1))]


def ids(rng, records):
    return rng.sample([f"q{n}" for n in range(records * 2)], records)


def fever(rng, records):
    gold, predicted = [], []
    for n in range(records):
        label, said = (rng.choice(["SUPPORTS", "refutes", "NOT ENOUGH INFO"]) for _ in range(2))
        sets = [[[1, n, *fact] for fact in facts(rng) or [["A", 0]]] for _ in range(rng.randrange(4))]
        if label == "NOT ENOUGH INFO":
            sets = rng.choice([[[[n, None, None, None]]], [[n, None, None, None]]])
        gold.append({"id": n, "label": label, "claim": "", "evidence": sets})
        chosen = [fact[2:] for one in sets for fact in one if isinstance(fact, list) and fact[2] is not None]
        evidence = rng.sample(chosen, rng.randrange(len(chosen) + 1)) + facts(rng, 6)
        predicted.append({"id": n, "predicted_label": said, "predicted_evidence": evidence})
    return gold, predicted


def hotpotqa(rng, records):
    gold, predicted = [], {"answer": {}, "sp": {}}
    for one in ids(rng, records):
        question = {"_id": one, "answer": text(rng), "supporting_facts": facts(rng)}
        gold.append(question)
        if rng.random() < 0.9:
            predicted["answer"][one] = rng.choice([question["answer"], text(rng)])
        if rng.random() < 0.9:
            predicted["sp"][one] = rng.choice(
                [question["supporting_facts"], question["supporting_facts"][:1], []]
            ) + facts(rng, 2)
    return gold, predicted


def two_wiki(rng, records):
    gold, predicted = hotpotqa(rng, records)
    predicted["evidence"] = {}
    names = [
        {"Q_id": f"Q{n}", "aliases": [text(rng) for _ in range(2)], "demonyms": ["red"][: n % 2]} for n in range(5)
    ]
    for question in gold:
        triples = [[text(rng), rng.choice(["r", "s"]), text(rng)] for _ in range(rng.randrange(4))]
        among = [[f"Q{rng.randrange(7)}", triple[1], f"Q{rng.randrange(7)}"] for triple in triples]
        question |= {"answer_id": f"Q{rng.randrange(7)}", "evidences": triples}
        question["evidences_id"] = among if rng.random() < 0.8 else []
        if rng.random() < 0.9:
            said = [[text(rng), "r", text(rng)] for _ in range(rng.randrange(3))]
            predicted["evidence"][question["_id"]] = [list(one) for one in triples[: rng.randrange(4)]] + said
    return gold, predicted, names


def hover(rng, records, pages):
    gold, predicted = [], {}
    for one in ids(rng, records):
        wanted = facts(rng)
        gold.append({"uid": one, "claim": "", "supporting_facts": wanted})
        if rng.random() < 0.2:
            continue
        if pages:
            ranked = rng.sample(TITLES, rng.randrange(len(TITLES)))
            chosen = [rng.choice(TITLES) for _ in range(rng.randrange(4))]
            predicted[one] = {"sorted_titles": ranked, "predicted_docs": rng.choice([chosen, [f[0] for f in wanted]])}
        else:
            predicted[one] = {"predicted_sp": rng.choice([wanted, facts(rng)])}
    return gold, predicted


def musique(rng, records, full):
    gold, predicted = [], []
    for one in ids(rng, records):
        for answerable in rng.sample([True, False], 2) if full else [True]:
            paragraphs = [
                {"idx": n, "title": "T", "is_supporting": rng.random() < 0.5} for n in range(rng.randrange(5))
            ]
            question = {"id": one, "answerable": answerable, "answer": text(rng), "answer_aliases": [text(rng)]}
            gold.append(question | {"paragraphs": paragraphs})
            said = rng.choice([question["answer"], *question["answer_aliases"], text(rng)])
            found = [rng.randrange(6) for _ in range(rng.randrange(4))]
            predicted.append(
                {"id": one, "predicted_answer": said, "predicted_support_idxs": found,
                 "predicted_answerable": answerable if rng.random() < 0.8 else not answerable}
            )  # fmt: skip
    return gold, predicted


def scifact(rng, records):
    gold, predicted = [], []
    for one in ids(rng, records):
        labels = ["SUPPORT", "CONTRADICT"]
        evidence, said = {}, {}
        for doc in rng.sample(["1", "2", "3"], rng.randrange(4)):
            sentences, label = rng.sample(range(9), rng.randrange(1, 8)), rng.choice(labels)
            cut = rng.randrange(1, len(sentences) + 1)
            parts = [part for part in (sentences[:cut], sentences[cut:]) if part]
            evidence[doc] = [{"sentences": part, "label": label} for part in parts]
        for doc in rng.sample(["1", "2", "3"], rng.randrange(4)):
            known = [s for r in evidence.get(doc, []) for s in r["sentences"]]
            chosen = rng.sample(known, rng.randrange(len(known) + 1)) + [
                rng.randrange(9) for _ in range(rng.randrange(3))
            ]
            said[doc] = {"sentences": chosen, "label": rng.choice(labels)}
        gold.append({"id": one, "claim": "", "evidence": evidence})
        predicted.append({"id": one, "evidence": said})
    return gold, predicted


def kilt(rng, records):
    gold, guesses = [], []

    def pieces(most):
        return [{"wikipedia_id": rng.choice(["1", 1, "2 ", "3", 4, "05"])} for _ in range(rng.randrange(most))]

    for one in ids(rng, records):
        outputs = [rng.choice([{"answer": "a"}, {"provenance": pieces(4)}]) for _ in range(rng.randrange(1, 4))]
        gold.append({"id": one, "input": "q", "output": outputs})
        guesses.append(
            {
                "id": rng.choice([one, f"{one} "]),
                "output": [{"answer": "a"}, {"provenance": pieces(8)}][rng.randrange(2) :],
            }
        )
    return gold, guesses


def qasper(rng, records):
    texts = [*TITLES, "FLOAT SELECTED: Table 1", "two "]

    def answer():
        return {
            "unanswerable": rng.random() < 0.2, "extractive_spans": rng.choice([[], [text(rng), text(rng)]]),
            "free_form_answer": rng.choice(["", text(rng)]), "yes_no": rng.choice([True, False]),
            "evidence": [rng.choice(texts) for _ in range(rng.randrange(4))],
        }  # fmt: skip

    asked = [
        {"question_id": one, "answers": [{"answer": answer()} for _ in range(rng.randrange(1, 4))]}
        for one in ids(rng, records)
    ]
    said = [
        {"question_id": q["question_id"], "predicted_answer": text(rng),
         "predicted_evidence": rng.choice([q["answers"][0]["answer"]["evidence"], [rng.choice(texts)], []])}
        for q in asked if rng.random() < 0.9
    ]  # fmt: skip
    return {"p": {"full_text": [{"section_name": "s", "paragraphs": texts}], "qas": asked}}, said


def longmemeval(rng, records, level):
    gold, log = [], []
    for one in ids(rng, records):
        names = [f"{kind}_{one}_{n}" for n, kind in enumerate(rng.choices(["answer", "chat"], k=rng.randrange(1, 9)))]
        chats = [
            [
                {"role": rng.choice(["user", "assistant"]), "has_answer": "answer" in name and rng.random() < 0.5}
                for _ in range(rng.randrange(1, 5))
            ]
            for name in names
        ]
        need = one + rng.choice(["", "", "_abs"])
        answers = [name for name in names if "answer" in name]
        gold.append(
            {
                "question_id": need,
                "haystack_session_ids": names,
                "haystack_sessions": chats,
                "answer_session_ids": answers,
            }
        )
        index = []
        for name, chat in zip(names, chats, strict=True):
            said = [(n, turn["has_answer"]) for n, turn in enumerate(chat, 1) if turn["role"] == "user"]
            pieces = (
                [(f"{name}_{n}", told) for n, told in said] if level == "turn" else [(name, any(t for _, t in said))]
            )
            index += [
                piece if told or "answer" not in name else piece.replace("answer", "noans") for piece, told in pieces
            ]
        shown = rng.sample(index, rng.choice([len(index), rng.randrange(len(index) + 1)]))
        if rng.random() < 0.9:
            log.append({"question_id": need, "retrieval_results": {"ranked_items": [{"corpus_id": p} for p in shown]}})
    return gold, log


def chunking(rng, records):
    def some(most):
        starts = [rng.randrange(40) for _ in range(rng.randrange(most + 1))]
        return [
            {"start_index": s, "end_index": s + rng.randrange(12), "corpus_id": rng.choice(["A", "B"])} for s in starts
        ]

    rows = []
    for _ in range(records):
        spans = [(s := rng.randrange(40), s + rng.randrange(1, 12)) for _ in range(rng.randrange(1, 4))]
        references = [{"content": "x" * (b - a), "start_index": a, "end_index": b} for a, b in spans]
        rows.append({"references": references, "corpus_id": rng.choice(["A", "B"])})
    return rows, [some(5) for _ in rows], rng.choice([None, some(12)])


def ragas(rng, records):
    def some():
        return rng.choice([[rng.choice(["1", 1, "01", "a"]) for _ in range(rng.randrange(4))]] * 4 + [None])

    rows = [{"reference_context_ids": some(), "retrieved_context_ids": some()} for _ in range(records)]
    kept = [{key: value for key, value in row.items() if value is not None} for row in rows]
    return [row for row in kept if row] or [{"reference_context_ids": ["1"], "retrieved_context_ids": ["1"]}]


def generator(seed):
    return random.Random(seed)
