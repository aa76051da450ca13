"""Where trec_eval 10 crashes or prints a senseless value: the figures that are refused under its convention."""

from __future__ import annotations

from itertools import pairwise

from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import spelled_gains
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures import Asked
from evaudit.ranking.measures.iprec import points_needed

_PLACEHOLDERS = {"utility": ("1", "-1", "0", "0"), "RBP-residual": ("0.9",), "relstring": ("10",)}
"""Measures that trec_eval repairs for a missing topic under -c, with the only parameters for which it does."""


def failing_topics(lists: JudgedLists, asked: Asked, convention: Convention) -> frozenset[int]:
    """Positions of the topics for which trec_eval has no sound value; empty under any other convention."""
    if convention.failures != "trec_eval":
        return frozenset()
    failing: set[int] = set()
    name = asked.measure.id
    if name in _PLACEHOLDERS and tuple(value for _, value in asked.options) != _PLACEHOLDERS[name]:
        # the placeholder document that trec_eval 10 puts into a missing topic is scored, not taken back
        failing |= {i for i, topic in enumerate(lists.topics) if topic.missing}
    if convention.unjudged == "skip" and name in ("iprec", "iprec-avg"):
        known = lists.known_positives(convention.relevance_level)
        levels = [float(part) for _, text in asked.options for part in text.split(":")]
        for i, topic in enumerate(lists.topics):
            if not topic.returned and any(points_needed(level, known[i], convention) == 0 for level in levels):
                failing.add(i)  # 0/0: nothing judged is left, nor of the placeholder that -c puts into a missing topic
    if name == "R-nDCG" and asked.gain is not None and "=" in asked.gain:
        gains = spelled_gains(asked.gain)
        for i, topic in enumerate(lists.topics):
            positive = [grade for grade, _ in topic.pool if grade >= convention.relevance_level]
            if positive and not any(gains.get(grade, grade) > 0 for grade in positive):
                failing.add(i)
    return frozenset(failing)


def senseless_gains(gain: str) -> bool:
    """Whether trec_eval cannot order these gains: it cuts their differences to whole numbers before it compares."""
    gains = sorted({0.0, *spelled_gains(gain).values()})
    return any(0 < high - low < 1 for low, high in pairwise(gains))


def failing_total(lists: JudgedLists, asked: Asked, convention: Convention) -> bool:
    """Whether trec_eval sums something else than its topics: under -c it counts grades above 0, whatever the level."""
    if convention.failures != "trec_eval" or convention.missing_topics != "zero" or asked.measure.id != "num-rel":
        return False
    return sum(lists.known_positives(1)) != sum(lists.known_positives(convention.relevance_level))
