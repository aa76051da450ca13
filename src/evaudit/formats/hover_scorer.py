"""The figures of HoVer's own scripts, with their quirks: pages hit at 5, 8 and 10, and sentences.

Source: hover-nlp/hover, its document and sentence metrics. Claims without a prediction leave the denominator.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from evaudit.formats.foreign import Compat, CompatFigure, definition

Row = Mapping[str, Any]
_LEFT_OUT = "the tool drops claims without a prediction from the denominator; here they are an empty selection: 0, in n"


def score(rows: Sequence[Row], returned: Mapping[str, Row]) -> Compat:
    """Percentages over the claims that have a prediction, and ``total``, their number."""
    answered = [(row, returned[str(row["uid"])]) for row in rows if str(row["uid"]) in returned]
    if not answered:
        return Compat("hover", (CompatFigure("total", None, None, _LEFT_OUT),), "ZeroDivisionError")
    if any(found.get("predicted_sp") is not None for _, found in answered):
        exact, f1 = _sentences(answered)
    else:
        exact, f1 = _pages(answered)
    figures = [*_hits(answered), *_shares(exact, f1)]
    total = CompatFigure("total", float(len(answered)), None, _LEFT_OUT, len(answered))
    return Compat("hover", (*figures, total))


def _hits(answered: Sequence[tuple[Row, Row]]) -> list[CompatFigure]:
    """All distinct gold titles among the first k."""
    if not all("sorted_titles" in found for _, found in answered):
        return []
    figures = []
    for k in (5, 8, 10):
        hit = sum(_gold_titles(row) <= set(found["sorted_titles"][:k]) for row, found in answered)
        because = f"the tool looks at the first k titles; give --budget-units k for the same. {_LEFT_OUT}"
        figures.append(
            CompatFigure(f"hit{k}", 100 * hit / len(answered), "complete", because, len(answered), hit, len(answered))
        )
    return figures


def _gold_titles(row: Row) -> set[str]:
    return {str(fact[0]) for fact in row["supporting_facts"]}


def _shares(exact: Sequence[bool], f1: Sequence[float]) -> list[CompatFigure]:
    n = len(exact)
    if not n:
        return []
    return [
        CompatFigure(
            "exact", 100 * sum(exact) / n, None, f"one piece too many costs the tool everything. {_LEFT_OUT}", n
        ),
        CompatFigure("f1", 100 * sum(f1) / n, None, f"a mean of harmonic means. {_LEFT_OUT}", n),
    ]


def _pages(answered: Sequence[tuple[Row, Row]]) -> tuple[list[bool], list[float]]:
    """Sets of titles, where the prediction says which pages it chose."""
    exact, f1 = [], []
    for row, found in answered:
        if "predicted_docs" in found:
            gold, chosen = _gold_titles(row), set(found["predicted_docs"])
            exact.append(gold == chosen)
            f1.append(_f1(Counter(chosen), Counter(gold)))
    return exact, f1


def _sentences(answered: Sequence[tuple[Row, Row]]) -> tuple[list[bool], list[float]]:
    exact, f1 = [], []
    for row, found in answered:
        gold = [_decomposed(fact) for fact in row["supporting_facts"]]
        returned = [_decomposed(fact) for fact in found.get("predicted_sp") or ()]
        exact.append(sentences_exact(returned, gold))
        f1.append(_f1(Counter(returned), Counter(gold)))
    return exact, f1


def sentences_exact(returned: Sequence[object], gold: Sequence[object]) -> bool:
    """The tool's test: as many sentences, and every gold one among them; repeated gold is met by one prediction."""
    return len(returned) == len(gold) and all(fact in returned for fact in gold)


def _decomposed(fact: Sequence[Any]) -> tuple[str, Any]:
    return unicodedata.normalize("NFD", str(fact[0])), fact[1]


def _f1(one: Counter[Any], other: Counter[Any]) -> float:
    shared = sum((one & other).values())
    if not shared:
        return 0.0
    precision, recall = shared / sum(one.values()), shared / sum(other.values())
    return 2 * precision * recall / (precision + recall)


DEFINITION = definition(
    "hover",
    "hit5, hit8, hit10: share of claims with every gold title among the first k; exact and f1 of titles, or of "
    "sentences (multisets of NFD text). Percentages. total: claims with a prediction.",
    "Claims with a prediction; the others are dropped.",
    "No claim has a prediction: the tool divides by zero (tool-fails).",
    "How many claims were never answered.",
    "hover-nlp/hover.",
)
