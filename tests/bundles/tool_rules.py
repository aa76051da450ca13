"""What the public tools compute, written out as their papers, pages and sources say, in exact fractions: an oracle.

Nothing here imports the package. Each function takes the records of a gold file and of a file of predictions, and
returns the figures by the names that the tool gives them, or None where the tool stops with an error. The recorded
outputs of the tools have six digits; these have all.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from fractions import Fraction
from itertools import product
from unicodedata import normalize

YES_NO = {"yes", "no", "noanswer"}
QUALITY = ("em", "f1", "prec", "recall")


def share(part, whole, empty=0):
    return Fraction(part, whole) if whole else Fraction(empty)


def harmonic(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision + recall else Fraction(0)


def mean(values):
    return share(sum(values, Fraction(0)), len(values))


def words(text):
    """Lower case, no ASCII punctuation, no articles."""
    bare = text.lower().translate(str.maketrans("", "", string.punctuation))
    return re.sub(r"\b(?:a|an|the)\b", " ", bare).split()


def overlap(one, other):
    """Precision and recall of two bags."""
    shared = sum((Counter(one) & Counter(other)).values())
    return share(shared, len(one)), share(shared, len(other))


def quality(exact, precision, recall):
    return Fraction(exact), harmonic(precision, recall), precision, recall


def fever(gold, predicted, limit=5):
    """Strict score, label accuracy, precision, recall and F1 of claims; evidence beyond the limit is not seen."""
    strict = right = 0
    precisions, recalls = [], []
    for claim, answer in zip(gold, predicted, strict=True):
        same = claim["label"].upper() == answer["predicted_label"].upper()
        right += same
        if claim["label"].upper() == "NOT ENOUGH INFO":
            strict += same  # whatever stands under its evidence
            continue
        said = [tuple(one) for one in answer["predicted_evidence"]][:limit]
        sets = [{(page, line) for _, _, page, line in one} for one in claim["evidence"]]
        known = {one for one in set().union(*sets) if one[1] is not None}
        whole = any(one <= set(said) for one in sets)
        strict += same and whole
        precisions.append(share(sum(one in known for one in said), len(said), empty=1))
        recalls.append(Fraction(whole or not sets))
    precision, recall = share(sum(precisions), len(precisions), empty=1), mean(recalls)
    if not gold or precision + recall == 0:
        return None
    return {
        "strict": share(strict, len(gold)), "label-accuracy": share(right, len(gold)),
        "precision": precision, "recall": recall, "f1": harmonic(precision, recall),
    }  # fmt: skip


def answer_quality(said, gold):
    one, other = words(said), words(gold)
    exact = " ".join(one) == " ".join(other)
    if not exact and {" ".join(one), " ".join(other)} & YES_NO:
        return quality(False, Fraction(0), Fraction(0))
    return quality(exact, *overlap(one, other))


def set_quality(said, gold):
    one, other = set(said), set(gold)
    return quality(one == other, *overlap(one, other))


def products(parts):
    """The joint figures: products of the parts; None where one of them is missing."""
    if None in parts:
        return None
    exact, precision, recall = Fraction(1), Fraction(1), Fraction(1)
    for part in parts:
        exact, precision, recall = exact * part[0], precision * part[2], recall * part[3]
    return exact, harmonic(precision, recall), precision, recall


def tabulated(rows, names):
    """Means over all questions of each quality of each part; a missing part counts 0."""
    return {
        part + name: mean([row[p][q] if row[p] is not None else Fraction(0) for row in rows])
        for p, part in enumerate(names)
        for q, name in enumerate(QUALITY)
    }


def hotpotqa(gold, predicted):
    """Answers as words, facts as sets, and their products; predictions are looked up by id."""
    if not gold or "answer" not in predicted:
        return None
    rows = []
    for question in gold:
        answer = facts = None
        if question["_id"] in predicted["answer"]:
            said = predicted["answer"][question["_id"]]
            if "answer" not in question or not isinstance(said, str):
                return None
            answer = answer_quality(said, question["answer"])
        if question["_id"] in predicted["sp"]:
            pairs = [
                [tuple(one) for one in facts]
                for facts in (predicted["sp"][question["_id"]], question["supporting_facts"])
            ]
            facts = set_quality(*pairs)
        rows.append([answer, facts, products([answer, facts])])
    return tabulated(rows, ["", "sp_", "joint_"])


def two_wiki(gold, predicted, aliases=()):
    """As HotpotQA, with the best of all names of an answer, and with triples; percent, two digits."""
    if not gold or not {"answer", "evidence"} <= predicted.keys():
        return None
    names = {one["Q_id"]: {*one["aliases"], *one["demonyms"]} for one in aliases}
    rows = []
    for question in gold:
        one = question["_id"]
        answer = facts = triples = None
        if one in predicted["answer"]:
            if not {"answer", "answer_id"} <= question.keys() or not isinstance(predicted["answer"][one], str):
                return None
            among = {question["answer"], *names.get(question["answer_id"], ())}
            answer = tuple(
                map(max, zip(*(answer_quality(predicted["answer"][one], name) for name in among), strict=True))
            )
        if one in predicted["sp"]:
            facts = sentences_of_two_wiki(predicted["sp"][one], question["supporting_facts"])
        if one in predicted["evidence"]:
            if not {"evidences", "evidences_id"} <= question.keys():
                return None
            wanted = spelled_out(question["evidences"], question["evidences_id"], names)
            if wanted is None:
                return None
            triples = triples_of_two_wiki(predicted["evidence"][one], wanted)
        rows.append([answer, facts, triples, products([answer, facts, triples])])
    return {name: round(value * 100, 2) for name, value in tabulated(rows, ["", "sp_", "evi_", "joint_"]).items()}


def sentences_of_two_wiki(said, gold):
    """Repeated facts are dropped, then titles lower-cased: two spellings of one fact stay two."""
    one, other = ([(title.lower(), n) for title, n in {tuple(f) for f in facts}] for facts in (said, gold))
    hits, missed = sum(fact in other for fact in one), sum(fact not in one for fact in other)
    return quality(hits == len(one) and not missed, share(hits, len(one)), share(hits, hits + missed))


def spelled_out(triples, ids, names):
    """Each gold triple in all names of its ends; None where the ids do not fit the triples."""
    if triples and ids and [one[1] for one in ids] != [one[1] for one in triples]:
        return None
    found = []
    for place, (subject, relation, value) in enumerate(triples):
        ends = (ids[place][0], ids[place][2]) if ids else ("", "")
        starts, stops = {subject, *names.get(ends[0], ())}, {value, *names.get(ends[1], ())}
        found.append([(s, relation, v) for s, v in product(starts, stops)])
    return found


def triples_of_two_wiki(said, gold):
    """A predicted triple that is some name of a gold one is a hit, each of them, over the number of gold ones."""

    def bare(triple):
        return tuple(" ".join(p.lower().translate(str.maketrans("", "", string.punctuation)).split()) for p in triple)

    one, other = {bare(triple) for triple in said}, [{bare(t) for t in names} for names in gold]
    hits = sum(any(triple in names for names in other) for triple in one)
    return quality(hits == len(one) == len(other), share(hits, len(one)), share(hits, len(other)))


def hover(gold, predicted):
    """Shares of the claims that have a prediction, in percent; titles in NFD, lists in which repetition counts."""
    answered = [(claim, predicted[claim["uid"]]) for claim in gold if claim["uid"] in predicted]
    if not answered:
        return None
    keys = {frozenset(found) & {"predicted_sp", "sorted_titles", "predicted_docs"} for _, found in answered}
    if len(keys) > 1:
        return None
    sums = Counter(total=0)
    for claim, found in answered:
        titles = list(dict.fromkeys(normalize("NFD", title) for title, _ in claim["supporting_facts"]))
        for k in (5, 8, 10) if "sorted_titles" in found else ():
            sums[f"hit{k}"] += Fraction(set(titles) <= {normalize("NFD", t) for t in found["sorted_titles"][:k]})
        if "predicted_sp" in found:
            said, wanted = (
                [(normalize("NFD", t), n) for t, n in f] for f in (found["predicted_sp"], claim["supporting_facts"])
            )
        else:
            said, wanted = [normalize("NFD", t) for t in found["predicted_docs"]], titles
        sums["exact"] += Fraction(len(said) == len(wanted) and all(one in said for one in wanted))
        sums["f1"] += harmonic(*overlap(said, wanted)) if said and wanted else Fraction(said == wanted)
    figures = {name: Fraction(100 * value, len(answered)) for name, value in sums.items()}
    return figures | {"total": Fraction(len(answered))}
