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
Piece = str | tuple[str, Any]
_TOOL = "hover"
_LEFT_OUT = "the tool drops claims without a prediction from the denominator; here they are an empty selection: 0, in n"
_BECAUSE = {
    "hit": "the tool looks at the first k titles; give --budget-units k for the same. A claim without facts is hit "
    f"there (undefined here: no-requirement). {_LEFT_OUT}",
    "exact": f"one piece too many costs the tool everything. {_LEFT_OUT}",
    "f1": f"a mean of harmonic means; 1 where nothing is required and nothing returned. {_LEFT_OUT}",
    "total": _LEFT_OUT,
}


def score(rows: Sequence[Row], returned: Mapping[str, Row]) -> Compat:
    """Percentages over the claims that have a prediction, and ``total``, their number."""
    # Scores are kept by uid, so of a uid that stands twice the last record counts.
    by_uid = {str(row["uid"]): row for row in rows}
    answered = [(row, returned[uid]) for uid, row in by_uid.items() if uid in returned]
    figures = _figures(answered)
    if not answered:
        return Compat.stopped(_TOOL, figures, "ZeroDivisionError", len(rows))
    missing = _missing_key([found for _, found in answered])
    if missing:
        return Compat.stopped(_TOOL, figures, f"KeyError: {missing!r}", len(answered))
    return Compat(_TOOL, tuple(figures))


def _missing_key(found: Sequence[Row]) -> str | None:
    """A key that some predictions have and others lack: the tool reads it from each."""
    for key in ("predicted_sp", "sorted_titles", "predicted_docs"):
        if 0 < sum(row.get(key) is not None for row in found) < len(found):
            return key
    return None


def _figures(answered: Sequence[tuple[Row, Row]]) -> list[CompatFigure]:
    figures = []
    if answered and all(found.get("sorted_titles") is not None for _, found in answered):
        figures += [_hit(answered, k) for k in (5, 8, 10)]
    compared = [pair for row, found in answered if (pair := _compared(row, found)) is not None]
    if compared:
        n = len(compared)
        exact, f1 = sum(pieces_exact(*pair) for pair in compared), sum(pieces_f1(*pair) for pair in compared)
        figures.append(CompatFigure("exact", 100.0 * exact / n, None, _BECAUSE["exact"], n))
        figures.append(CompatFigure("f1", 100.0 * f1 / n, None, _BECAUSE["f1"], n))
    return [*figures, CompatFigure("total", float(len(answered)), None, _BECAUSE["total"], len(answered))]


def _hit(answered: Sequence[tuple[Row, Row]], k: int) -> CompatFigure:
    """All distinct gold titles among the first k."""
    hit = sum(set(_gold_titles(row)) <= {_nfd(one) for one in found["sorted_titles"][:k]} for row, found in answered)
    n = len(answered)
    return CompatFigure(f"hit{k}", 100 * hit / n, "complete", _BECAUSE["hit"], n, hit, n)


def _compared(row: Row, found: Row) -> tuple[list[Piece], list[Piece]] | None:
    """What came back and what was required, as sentences or, where the prediction chose pages, as titles."""
    if found.get("predicted_sp") is not None:
        return _sentences(found["predicted_sp"]), _sentences(row["supporting_facts"])
    if found.get("predicted_docs") is not None:
        return [_nfd(title) for title in found["predicted_docs"]], [*_gold_titles(row)]
    return None


def _nfd(title: object) -> str:
    return unicodedata.normalize("NFD", str(title))


def _gold_titles(row: Row) -> list[str]:
    """The distinct titles of the gold facts."""
    return list(dict.fromkeys(_nfd(fact[0]) for fact in row["supporting_facts"]))


def _sentences(facts: Sequence[Sequence[Any]]) -> list[Piece]:
    return [(_nfd(fact[0]), fact[1]) for fact in facts]


def pieces_exact(returned: Sequence[object], gold: Sequence[object]) -> bool:
    """The tool's test: as many pieces, and every gold one among them; repeated gold is met by one prediction."""
    return len(returned) == len(gold) and all(fact in returned for fact in gold)


def pieces_f1(returned: Sequence[Any], gold: Sequence[Any]) -> float:
    """F1 of two multisets; 1 where both are empty, 0 where one is."""
    if not returned or not gold:
        return float(list(returned) == list(gold))
    shared = sum((Counter(returned) & Counter(gold)).values())
    if not shared:
        return 0.0
    precision, recall = shared / len(returned), shared / len(gold)
    return 2 * precision * recall / (precision + recall)


DEFINITION = definition(
    "hover",
    "hit5, hit8, hit10: share of claims with every gold title among the first k; exact and f1 of titles, or of "
    "sentences: lists whose repeated members count. Titles are compared in NFD. Percentages. total: claims with a "
    "prediction.",
    "Claims with a prediction; the others are dropped.",
    "No claim has a prediction: the tool divides by zero. Predictions of which some lack a key that others have: a "
    "KeyError (tool-fails).",
    "How many claims were never answered.",
    "hover-nlp/hover.",
)
