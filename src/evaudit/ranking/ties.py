"""What the order within groups of equal scores could do to a figure: its range over those orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evaudit.figures import Amount
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import gains_of
from evaudit.ranking.judgements import JudgedLists, TopicList
from evaudit.ranking.measures import Asked, Column
from evaudit.ranking.unjudged import Range

Group = tuple[int, int, list[int]]
"""First rank and size of a group of equal scores, and the positions of its judged documents in the topic's lists."""


def groups(topic: TopicList) -> list[Group]:
    """The groups of two or more documents of equal score that hold a judged document, in rank order."""
    found: dict[int, Group] = {}
    for i, (start, size) in enumerate(topic.tied or ()):
        if size > 1:
            found.setdefault(start, (start, size, []))[2].append(i)
    return list(found.values())


def mattering_groups(topic: TopicList) -> int:
    """Groups whose order can change a figure: not all of their documents have the same grade, unjudged ones grade 0."""
    count = 0
    for _, size, members in groups(topic):
        grades = {topic.grades[i] for i in members} | ({0} if size > len(members) else set())
        count += len(grades) > 1
    return count


def tied_range(lists: JudgedLists, asked: Asked, convention: Convention, point: Column) -> Range | None:
    """The range over all orders within tied groups, or None where the measure or the lists have none.

    Best is every group with its documents of most gain first (for measures of what is judged: judged ones first), worst
    the other way round.
    """
    kind = asked.measure.ties
    if kind is None or any(topic.tied is None for topic in lists.topics if topic.returned):
        return None
    ends: list[list[Amount | None]] = []
    touched = [i for i, topic in enumerate(lists.topics) if groups(topic)]
    for best in (False, True):
        amounts = [_amount(point, i) for i in range(len(lists))]
        moved = [reordered(lists.topics[i], kind, best, _worth(lists, asked, convention)) for i in touched]
        column = asked.measure.compute(JudgedLists.of(moved, lists.top_grade), asked, convention)
        for j, i in enumerate(touched):
            amounts[i] = _amount(column, j)
        ends.append(amounts)
    pairs = [_ordered(one, other) for one, other in zip(*ends, strict=True)]
    return Range([low for low, _ in pairs], [high for _, high in pairs])


def _worth(lists: JudgedLists, asked: Asked, convention: Convention) -> Sequence[float]:
    """What orders grades: their gain where the measure has one, else the grade itself."""
    if not asked.measure.gain or asked.gain == "given":
        return range(lists.top_grade + 1)
    return gains_of(asked.gain or convention.gain, convention, lists.top_grade)


def reordered(topic: TopicList, kind: str, best: bool, worth: Sequence[float]) -> TopicList:
    """The topic with every tied group in its best or worst order."""
    ranks = list(topic.ranks)
    for start, size, members in groups(topic):
        if kind == "judged":
            ordered, front = members, len(members) if best else 0
        else:
            ordered = sorted(members, key=lambda i: _gain(topic, i, worth), reverse=best)
            zero = [i for i in ordered if _gain(topic, i, worth) <= 0]
            front = len(members) - len(zero) if best else len(zero)
        end = start + size - (len(members) - front)
        for place, i in enumerate(ordered):
            ranks[i] = start + place if place < front else end + place - front
    order = sorted(range(len(ranks)), key=ranks.__getitem__)
    gains = None if topic.gains is None else [topic.gains[i] for i in order]
    return replace(
        topic,
        ranks=[ranks[i] for i in order],
        grades=[topic.grades[i] for i in order],
        pooled=(),
        tied=None,
        gains=gains,
    )


def _gain(topic: TopicList, i: int, worth: Sequence[float]) -> float:
    return worth[topic.grades[i]] if topic.gains is None else topic.gains[i]


def _amount(column: Column, i: int) -> Amount | None:
    if column.reason[i]:
        return None
    if column.num is not None and column.den is not None and column.value is None:
        return column.num[i], column.den[i]
    assert column.value is not None
    return column.value[i]


def _ordered(one: Amount | None, other: Amount | None) -> tuple[Amount | None, Amount | None]:
    """The two ends, the smaller first: for unj the best order gives the smaller figure."""
    if one is None or other is None:
        return one, other
    return (one, other) if _float(one) <= _float(other) else (other, one)


def _float(amount: Amount) -> float:
    return amount[0] / amount[1] if isinstance(amount, tuple) else amount
