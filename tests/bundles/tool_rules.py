"""What the public tools compute, written out as their papers and pages say, in exact fractions: an oracle for tests.

Nothing here imports the package. The recorded outputs of the tools have six digits; these have all.
"""

from __future__ import annotations

from fractions import Fraction
from math import log2


def share(part, whole, empty=0):
    return Fraction(part, whole) if whole else Fraction(empty)


def harmonic(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision + recall else Fraction(0)


def fever(case):
    """Strict score, label accuracy, precision, recall and F1 of claims; evidence beyond the first five is not seen."""
    claims, limit = case["gold"], case["kwargs"].get("max_evidence", 5)
    strict = right = 0
    precisions, recalls = [], []
    for claim in claims:
        predicted = [tuple(one) for one in claim["predicted_evidence"]][:limit]
        sets = [{(page, line) for _, _, page, line in one} for one in claim["evidence"]]
        whole = any(one <= set(predicted) for one in sets)
        same = claim["label"].upper() == claim["predicted_label"].upper()
        right += same
        nothing_to_find = claim["label"].upper() == "NOT ENOUGH INFO"
        strict += same and (nothing_to_find or whole)
        if nothing_to_find:
            continue
        precisions.append(share(sum(one in set().union(*sets) for one in predicted), len(predicted), empty=1))
        recalls.append(Fraction(whole or not sets))
    precision, recall = share(sum(precisions), len(precisions), empty=1), share(sum(recalls), len(recalls))
    return {
        "strict": share(strict, len(claims)), "label-accuracy": share(right, len(claims)),
        "precision": precision, "recall": recall, "f1": harmonic(precision, recall),
    }  # fmt: skip


def scifact(case):
    """Counts over all claims: abstracts by label, by label and rationale; sentences by rationale, and by label too."""
    relevant, retrieved = {"abstract": 0, "sentence": 0}, {"abstract": 0, "sentence": 0}
    correct = dict.fromkeys(("abstract_label_only", "abstract_rationalized", "sentence_selection", "sentence_label"), 0)
    for gold, predicted in zip(case["gold"], case["pred"], strict=True):
        relevant["abstract"] += len(gold["evidence"])
        relevant["sentence"] += sum(len(r["sentences"]) for rs in gold["evidence"].values() for r in rs)
        for doc, said in predicted["evidence"].items():
            retrieved["abstract"] += 1
            retrieved["sentence"] += len(said["sentences"])
            rationales = gold["evidence"].get(doc, [])
            if not rationales:
                continue
            same = rationales[0]["label"] == said["label"]
            seen = said["sentences"][: max(3, min(len(r["sentences"]) for r in rationales))]
            held = any(set(r["sentences"]) <= set(seen) for r in rationales)
            chosen = {s for r in rationales if set(r["sentences"]) <= set(said["sentences"]) for s in r["sentences"]}
            correct["abstract_label_only"] += same
            correct["abstract_rationalized"] += same and held
            correct["sentence_selection"] += len(chosen)
            correct["sentence_label"] += len(chosen) if same else 0
    figures = {}
    for name, hits in correct.items():
        of = name.split("_")[0]
        precision, recall = share(hits, retrieved[of]), share(hits, relevant[of])
        figures |= {f"{name}_precision": precision, f"{name}_recall": recall, f"{name}_f1": harmonic(precision, recall)}
    return figures


def qasper(predicted, gold):
    """F1 of paragraphs by their text; a repeated one stays in its list's length. Both empty: one."""
    if not predicted and not gold:
        return Fraction(1)
    hits = len(set(predicted) & set(gold))
    return harmonic(share(hits, len(predicted)), share(hits, len(gold)))


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


def turns(ranked, right, k):
    """As ``longmemeval`` by session, over the shortest prefix of turns that names ``k`` sessions."""
    sessions = [one.rsplit("_", 1)[0] for one in ranked]
    upto = next((n for n in range(1, len(ranked) + 1) if len(set(sessions[:n])) == k), len(ranked))
    return longmemeval(sessions, {one.rsplit("_", 1)[0] for one in right}, sessions, upto)


def chunking(case):
    """Characters as sets; retrieved lengths are summed, so an overlap or a repeated chunk weighs twice."""
    wanted = [set(range(a, b)) for a, b in case["references"]]
    got = [set(range(a, b)) for a, b in case["retrieved"]]
    every, seen = set().union(*wanted), set().union(*got)
    hit, length = len(every & seen), sum(map(len, got))
    figures = {
        "recall": share(hit, sum(map(len, wanted))),
        "precision": share(hit, length),
        "iou": share(hit, length + len(every - seen)),
    }
    if case["all_chunks"] is not None:
        # A chunk that only touches a reference at its border is relevant, too.
        touched = [(a, b) for a, b in case["all_chunks"] for c, d in case["references"] if max(a, c) <= min(b, d)]
        highlighted = set().union(*(set(range(a, b)) for a, b in touched))
        figures["precision_omega"] = share(len(every & highlighted), len(highlighted))
    return figures


def ragas(row):
    """Recall and precision over distinct ids as text; None where the tool divides by nothing (NaN)."""
    wanted = {str(one) for one in row["reference_context_ids"]}
    found = {str(one) for one in row["retrieved_context_ids"]}
    hits = len(wanted & found)
    return {
        "id_based_context_recall": Fraction(hits, len(wanted)) if wanted else None,
        "id_based_context_precision": Fraction(hits, len(found)) if found else None,
    }
