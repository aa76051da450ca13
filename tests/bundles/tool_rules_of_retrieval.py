"""As ``tool_rules``, for the tools that look at what a retriever returned. Nothing here imports the package."""

from __future__ import annotations

from fractions import Fraction
from math import log2

from tool_rules import harmonic, mean, overlap, share, words


def scifact(gold, predicted):
    """Counts over all claims: abstracts by label, by label and rationale; sentences by rationale, and by label too."""
    if [claim["id"] for claim in gold] != [answer["id"] for answer in predicted]:
        return None
    relevant, retrieved = {"abstract": 0, "sentence": 0}, {"abstract": 0, "sentence": 0}
    correct = dict.fromkeys(("abstract_label_only", "abstract_rationalized", "sentence_selection", "sentence_label"), 0)
    for claim, answer in zip(gold, predicted, strict=True):
        if any(len({r["label"] for r in rationales}) != 1 for rationales in claim["evidence"].values()):
            return None
        relevant["abstract"] += len(claim["evidence"])
        relevant["sentence"] += sum(len(r["sentences"]) for rs in claim["evidence"].values() for r in rs)
        for doc, said in answer["evidence"].items():
            if said["label"] not in ("SUPPORT", "CONTRADICT"):
                return None
            retrieved["abstract"] += 1
            retrieved["sentence"] += len(said["sentences"])
            rationales = [set(r["sentences"]) for r in claim["evidence"].get(doc, [])]
            if not rationales:
                continue
            chosen = set(said["sentences"])
            if any(sum(one in r for r in rationales) > 1 for one in chosen):
                return None
            same = claim["evidence"][doc][0]["label"] == said["label"]
            seen = set(said["sentences"][: max(3, min(map(len, rationales)))])
            whole = set().union(*(r for r in rationales if r <= chosen))
            correct["abstract_label_only"] += same
            correct["abstract_rationalized"] += same and any(r <= seen for r in rationales)
            correct["sentence_selection"] += len(whole)
            correct["sentence_label"] += len(whole) if same else 0
    figures = {}
    for name, hits in correct.items():
        of = name.split("_")[0]
        precision, recall = share(hits, retrieved[of]), share(hits, relevant[of])
        figures |= {f"{name}_precision": precision, f"{name}_recall": recall, f"{name}_f1": harmonic(precision, recall)}
    return figures


def musique(gold, predicted):
    """Words and paragraphs of answerable questions; with unanswerable ones, pairs whose answerability is told right."""
    if [g["id"] for g in gold] != [p["id"] for p in predicted]:
        return None
    pairs = list(zip(gold, predicted, strict=True))
    if any(not {"predicted_answer", "predicted_answerable"} <= p.keys() for p in predicted):
        return None
    scores = {n: scores_of_musique(g, p) for n, (g, p) in enumerate(pairs) if g["answerable"]}
    figures = {
        name: mean([one[place] for one in scores.values()])
        for place, name in enumerate(("answer_f1", "answer_em", "support_f1"))
    }
    if len(scores) < len(pairs):
        groups = {}
        for n, (g, p) in enumerate(pairs):
            groups.setdefault(g["id"], []).append((n, g["answerable"] == p["predicted_answerable"]))
        if any(len(members) != 2 or not any(n in scores for n, _ in members) for members in groups.values()):
            return None
        kept = [
            scores[max(n for n, _ in members if n in scores)] if all(right for _, right in members) else (0, 0, 0)
            for members in groups.values()
        ]
        figures["group_answer_sufficiency_f1"] = mean([one[0] for one in kept])
        figures["group_support_sufficiency_f1"] = mean([one[2] for one in kept])
    return {name: round(float(value), 3) for name, value in figures.items()}


def scores_of_musique(gold, predicted):
    """F1 and exact match of the answer, the best over its aliases, and F1 of paragraphs; empty agrees with empty."""
    said = words(predicted["predicted_answer"])
    golds = [words(one) for one in (gold["answer"], *gold["answer_aliases"])]
    f1 = max(harmonic(*overlap(said, one)) if said and one else Fraction(said == one) for one in golds)
    wanted = {p["idx"] for p in gold["paragraphs"] if p["is_supporting"]}
    found = set(predicted["predicted_support_idxs"])
    support = harmonic(*overlap(found, wanted)) if found or wanted else Fraction(1)
    return f1, Fraction(said in golds), support


def qasper(gold, predicted):
    """The best over annotators, of the words of the answer and of the texts of its evidence."""
    said = {one["question_id"]: one for one in predicted}
    answers, evidence = [], []
    by_type = {"extractive": [], "abstractive": [], "boolean": [], "none": []}
    for question in (q for paper in gold.values() for q in paper["qas"]):
        found = said.get(question["question_id"])
        if found is None:
            answers.append(Fraction(0))
            evidence.append(Fraction(0))
            continue
        scored = []
        for one in (a["answer"] for a in question["answers"]):
            text, kind = reference_of_qasper(one)
            scored.append((harmonic(*overlap(words(found["predicted_answer"]), words(text))), kind))
        best = max(value for value, _ in scored)
        answers.append(best)
        by_type[next(kind for value, kind in scored if value == best)].append(best)
        wanted = [[] if a["answer"]["unanswerable"] else a["answer"]["evidence"] for a in question["answers"]]
        evidence.append(max(paragraphs_of_qasper(found["predicted_evidence"], one) for one in wanted))
    figures = {f"Answer-F1-by-type:{kind}": mean(values) for kind, values in by_type.items()}
    missing = Fraction(len(answers) - sum(map(len, by_type.values())))
    return figures | {"Answer-F1": mean(answers), "Evidence-F1": mean(evidence), "Missing-predictions": missing}


def reference_of_qasper(answer):
    if answer["unanswerable"]:
        return "Unanswerable", "none"
    if answer["extractive_spans"]:
        return ", ".join(answer["extractive_spans"]), "extractive"
    if answer["free_form_answer"]:
        return answer["free_form_answer"], "abstractive"
    return "Yes" if answer["yes_no"] else "No", "boolean"


def paragraphs_of_qasper(predicted, gold):
    """F1 of paragraphs by their text; a repeated one stays in its list's length. Both empty: one."""
    if not predicted and not gold:
        return Fraction(1)
    hits = len(set(predicted) & set(gold))
    return harmonic(share(hits, len(predicted)), share(hits, len(gold)))


def kilt(gold, guesses, cutoffs=(1, 2, 5, 10, 20)):
    """Pages: the best R-precision, and a rank in which a set of pages is one point, where its last page stands."""
    said = {str(one["id"]).strip(): one["output"][0] for one in guesses}
    sums = {"Rprec": []} | {f"{n}@{k}": [] for n in ("precision", "recall", "success_rate") for k in cutoffs}
    for record in gold:
        if str(record["id"]).strip() not in said or not record["output"]:
            return None
        guess = pages_of_kilt(said[str(record["id"]).strip()])
        sets = [pages_of_kilt(one) for one in record["output"]]
        sums["Rprec"].append(max(share(len(set(guess[: len(one)]) & set(one)), len(one)) for one in sets))
        points, count = points_of_kilt(guess, [one for one in record["output"] if "provenance" in one])
        for k in cutoffs:
            hits = points[:k].count("whole") if count else 0
            sums[f"precision@{k}"].append(Fraction(hits, k))
            sums[f"recall@{k}"].append(share(hits, count))
            sums[f"success_rate@{k}"].append(Fraction(hits > 0))
    printed = {name: values for name, values in sums.items() if name not in ("recall@1", "success_rate@1")}
    return {name: mean(values) for name, values in printed.items()} if gold else None


def pages_of_kilt(output):
    return list(dict.fromkeys(str(one["wikipedia_id"]).strip() for one in output.get("provenance", ())))


def points_of_kilt(guess, outputs):
    """The rank with one point a set: nowhere until a page of it came, then at the latest page so far."""
    if not guess:
        return [], 0
    sets = []
    for one in outputs:
        pages = set(pages_of_kilt(one))
        if pages not in sets:
            sets.append(pages)
    places = []  # place in time, kind: a miss, a set in part, a whole set
    for number, pages in enumerate(sets):
        seen = [place for place, page in enumerate(guess) if page in pages]
        if seen:
            places.append((max(seen), number, "whole" if len(seen) == len(pages) else "part"))
    known = set().union(*sets)
    places += [(place, -1, "miss") for place, page in enumerate(guess) if page not in known]
    return [kind for _, _, kind in sorted(places)], len(sets)


def longmemeval(ranked, right, corpus, k):
    """Any, all, and gain in the first ``k``; the second rank is discounted by log2(2), so no more than the first."""

    def gain(relevant):
        return sum(one / (1 if rank < 2 else log2(rank)) for rank, one in enumerate(relevant[:k], 1))

    best = gain(sorted((one in right for one in corpus), reverse=True))
    found = gain([one in right for one in ranked])
    return (
        float(any(one in ranked[:k] for one in right)),
        float(all(one in ranked[:k] for one in right)),
        found / best if best else 0.0,
    )


def turns(ranked, right, corpus, k):
    """As ``longmemeval`` by session, over the shortest prefix of turns that names ``k`` sessions."""
    sessions = [one.rsplit("_", 1)[0] for one in ranked]
    upto = next((n for n in range(k, len(corpus) + 1) if len(set(sessions[:n])) >= k), len(corpus) + 1)
    return longmemeval(sessions, {one.rsplit("_", 1)[0] for one in right}, [o.rsplit("_", 1)[0] for o in corpus], upto)


def longmemeval_file(gold, log, level, cutoffs=(1, 3, 5, 10, 30, 50)):
    """Means over the questions whose answer a turn of the user holds; the corpus is what the chats hold."""
    ranked = {one["question_id"]: [r["corpus_id"] for r in one["retrieval_results"]["ranked_items"]] for one in log}
    sums = {}
    for question in gold:
        chats = list(zip(question["haystack_session_ids"], question["haystack_sessions"], strict=True))
        told = [turn for _, chat in chats for turn in chat if turn["role"] == "user" and turn.get("has_answer")]
        if question["question_id"] not in ranked or "_abs" in question["question_id"] or not told:
            continue
        corpus = []
        for name, chat in chats:
            said = [(n, turn) for n, turn in enumerate(chat, 1) if turn["role"] == "user"]
            pieces = (
                [(f"{name}_{n}", [turn]) for n, turn in said] if level == "turn" else [(name, [t for _, t in said])]
            )
            for piece, among in pieces:
                silent = "answer" in name and not any(turn["has_answer"] for turn in among)
                corpus.append(piece.replace("answer", "noans") if silent else piece)
        right = {one for one in corpus if "answer" in one}
        for k in cutoffs:
            found = longmemeval(ranked[question["question_id"]], right, corpus, k)
            names = ["recall_any", "recall_all", "ndcg_any"]
            if level == "turn":
                found += turns(ranked[question["question_id"]], right, corpus, k)
                names += [f"session_{name}" for name in names]
            for name, value in zip(names, found, strict=True):
                sums.setdefault(f"{name}@{k}", []).append(value)
    return {name: sum(values) / len(values) for name, values in sums.items()}


def chunking(rows, retrieved, chunks):
    """Characters as sets; retrieved lengths are summed over every corpus, so a repeated chunk weighs twice."""
    sums = {name: [] for name in ("iou", "recall", "precision", "precision_omega")}
    for row, found in zip(rows, retrieved, strict=True):
        wanted = [(r["start_index"], r["end_index"]) for r in row["references"]]
        if not wanted:
            return None

        def within(some, corpus=row["corpus_id"]):
            return [(c["start_index"], c["end_index"]) for c in some if c["corpus_id"] == corpus]

        every, seen = characters(wanted), characters(within(found))
        hit, length = len(every & seen), sum(c["end_index"] - c["start_index"] for c in found)
        sums["recall"].append(share(hit, sum(b - a for a, b in wanted)))
        sums["precision"].append(share(hit, length))
        missed = sum(len(set(range(a, b)) - seen) for a, b in wanted)  # what two references share is missed twice
        sums["iou"].append(share(hit, length + missed))
        # A chunk that only touches a reference at its border is relevant, too.
        touched = [(a, b) for a, b in within(chunks or ()) for c, d in wanted if max(a, c) <= min(b, d)]
        highlighted = characters(touched)
        sums["precision_omega"].append(share(len(every & highlighted), len(every | highlighted)))
    if chunks is None:
        del sums["precision_omega"]
    return {name: mean(values) for name, values in sums.items()}


def characters(ranges):
    return {place for a, b in ranges for place in range(a, b)}


def ragas(rows):
    """Recall and precision over distinct ids as text; None where the tool divides by nothing or lacks a list (NaN)."""
    recalls, precisions = [], []
    for row in rows:
        if row.get("reference_context_ids") is None or row.get("retrieved_context_ids") is None:
            continue
        wanted, found = ({str(one) for one in row[key]} for key in ("reference_context_ids", "retrieved_context_ids"))
        recalls += [Fraction(len(wanted & found), len(wanted))] if wanted else []
        precisions += [Fraction(len(wanted & found), len(found))] if found else []
    return {
        "id_based_context_recall": mean(recalls) if recalls else None,
        "id_based_context_precision": mean(precisions) if precisions else None,
    }
