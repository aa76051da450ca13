"""The retrieval figures of KILT's own script, with their quirks.

Source: facebookresearch/KILT, ``eval_retrieval.py``: ``rprecision`` and ``get_rank``, in which an evidence set is one
point of the rank, at the place of its last member.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaudit.formats.foreign import Compat, CompatFigure, definition

Row = Mapping[str, Any]
Rank = list[bool | str]
PAGE = ("wikipedia_id",)
PARAGRAPH = ("wikipedia_id", "start_paragraph_id", "end_paragraph_id")
CUTOFFS = (1, 2, 5, 10, 20)
_AT_A_CUTOFF = ("precision", "recall", "success_rate")
_NAMES = (
    "Rprec", *(f"{name}@{k}" for name in _AT_A_CUTOFF for k in CUTOFFS if k > 1 or name == "precision")
)  # fmt: skip
"""The script gives recall and success rate from two guesses on."""
_TOOL = "KILT eval_retrieval"


def ids_of(output: Row, keys: Sequence[str]) -> list[str]:
    """The ids of a provenance in order, each once; pieces that lack a key are left out."""
    pieces = [piece for piece in output.get("provenance") or () if all(key in piece for key in keys)]
    return list(dict.fromkeys("+".join(str(piece[key]).strip() for key in keys) for piece in pieces))


def r_precision(guess: Row, gold: Row, keys: Sequence[str]) -> float:
    """The best over outputs of hits among the first R guesses / R."""
    guesses = ids_of(guess["output"][0], keys)
    found = [0.0]
    for output in gold["output"]:
        wanted = ids_of(output, keys)
        found.append(sum(one in wanted for one in guesses[: len(wanted)]) / len(wanted) if wanted else 0.0)
    return max(found)


def collapsed_rank(guess: Row, gold: Row, keys: Sequence[str]) -> tuple[Rank, int]:
    """The rank with each evidence set as one point, and the number of distinct sets (0 without a guess)."""
    guesses = ids_of(guess["output"][0], keys)
    sets: list[set[str]] = []
    if guesses:
        for output in gold["output"]:
            if "provenance" in output:
                members = set(ids_of(output, keys))
                if members not in sets:
                    sets.append(members)
    count = len(sets)
    left = [set(members) for members in sets]
    rank: Rank = []
    for one in guesses:
        found = False
        for place, members in enumerate(left):
            if one not in members:
                continue
            found = True
            point = f"evidence_set:{place}"
            if point in rank:
                rank.remove(point)
            members.remove(one)
            rank.append(point if members else True)
        if not found:
            rank.append(False)
    return rank, count


def at_cutoff(rank: Rank, sets: int, k: int) -> tuple[float, float, float]:
    """Precision, recall and success at ``k``; 0 without any set."""
    if not sets:
        return 0.0, 0.0, 0.0
    hits = sum(point is True for point in rank[:k])
    return hits / k, hits / sets, float(hits > 0)


def score(gold: Sequence[Row], guesses: Mapping[str, Row], keys: Sequence[str]) -> Compat:
    """Rprec, and precision, recall and success at each cutoff: means over the gold records; ``guesses`` by id."""
    sums = dict.fromkeys(_NAMES, 0.0)
    fails = _failure(gold, guesses)
    if fails:
        return Compat.stopped(_TOOL, (CompatFigure(n, None, _ours(n), _because(n)) for n in sums), fails, len(gold))
    for row in gold:
        guess = guesses[str(row["id"]).strip()]
        sums["Rprec"] += r_precision(guess, row, keys)
        rank, sets = collapsed_rank(guess, row, keys)
        for k in CUTOFFS:
            for name, value in zip(_AT_A_CUTOFF, at_cutoff(rank, sets, k), strict=True):
                if f"{name}@{k}" in sums:
                    sums[f"{name}@{k}"] += value
    return Compat(
        _TOOL,
        tuple(CompatFigure(n, total / len(gold), _ours(n), _because(n), len(gold)) for n, total in sums.items()),
    )


def _failure(gold: Sequence[Row], guesses: Mapping[str, Row]) -> str | None:
    """The error with which the script stops, None where it runs to its end."""
    ids = [str(row["id"]).strip() for row in gold]
    if len(set(ids)) < len(ids):
        return "AssertionError: Gold IDs should be unique"
    missing = next((one for one in ids if one not in guesses), None)
    if missing is not None:
        return f"ValueError: ERROR: no prediction provided for id: {missing}"
    return None if all(row["output"] for row in gold) else "ValueError: max() arg is an empty sequence"


def _ours(name: str) -> str | None:
    return {"Rprec": "selected-recall", "precision": "evidence-precision", "success_rate": "complete"}.get(
        name.partition("@")[0]
    )


def _because(name: str) -> str:
    kind = name.partition("@")[0]
    if kind == "Rprec":
        return (
            "the tool looks at the first R guesses of each set and takes the best; half a set scores .5; 0 without gold"
        )
    cut = "give --budget-units k to look at the first k guesses; the tool's rank has one point for a whole set"
    return {
        "precision": f"{cut}, divides by k even where fewer came back, and counts every whole set, and no page of one; "
        "here the pages of the best set count",
        "recall": f"{cut}; it divides the completed sets by all sets, although any one suffices; an empty provenance "
        "counts as a set",
        "success_rate": f"{cut}; 0 without gold (undefined here: no-requirement)",
    }[kind]


DEFINITION = definition(
    "kilt",
    "Rprec: best over outputs of hits in the first R guesses / R. precision, recall and success_rate at k over a rank "
    "in which an evidence set is one point, at the place of its last member. Means over records.",
    "Every gold record.",
    "A gold id stands twice or has no guess, or a gold record has no output: the tool stops with an error "
    "(tool-fails).",
    "Whether a whole set came back: Rprec of half a set is .5.",
    "facebookresearch/KILT, eval_retrieval.py.",
)
