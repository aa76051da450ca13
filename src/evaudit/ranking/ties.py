"""What the order within groups of equal scores could do to a figure: its range over those orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

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


def all_groups(lists: JudgedLists) -> list[list[Group]]:
    """``groups`` of every topic, worked out once."""
    if lists.tie_groups is None:
        lists.tie_groups = [groups(topic) for topic in lists.topics]
    return lists.tie_groups


def matters(topic: TopicList, group: Group) -> bool:
    """Whether the order can change a figure: not all documents have the same grade, unjudged ones grade 0."""
    _, size, members = group
    first = topic.grades[members[0]]
    if size > len(members) and first:
        return True
    return any(topic.grades[i] != first for i in members)


def tied_range(lists: JudgedLists, asked: Asked, convention: Convention, point: Column) -> Range | None:
    """The range over all orders within tied groups, or None where the measure or the lists have none.

    Best is every group with its documents of most gain first (for measures of what is judged: judged ones first), worst
    the other way round.
    """
    kind = asked.measure.ties
    if kind is None or any(topic.tied is None for topic in lists.topics if topic.returned):
        return None
    worth = _worth(lists, asked, convention)
    key = (kind, None if worth is None else tuple(worth))
    if key not in lists.moved:
        lists.moved[key] = _moved(lists, kind, worth)
    places, worst, best = lists.moved[key]
    ends: list[list[Amount | None]] = []
    for reordered_lists in (worst, best):
        amounts = [_amount(point, i) for i in range(len(lists))]
        column = asked.measure.compute(reordered_lists, asked, convention)
        for j, i in enumerate(places):
            amounts[i] = _amount(column, j)
        ends.append(amounts)
    pairs = [_ordered(one, other) for one, other in zip(*ends, strict=True)]
    return Range([low for low, _ in pairs], [high for _, high in pairs])


def _moved(lists: JudgedLists, kind: str, worth: Sequence[float] | None) -> tuple[list[int], JudgedLists, JudgedLists]:
    """The places of the topics whose groups matter, and those topics in their worst and in their best order."""
    found = []
    for place, (topic, tied) in enumerate(zip(lists.topics, all_groups(lists), strict=True)):
        if kind == "judged":
            own = [group for group in tied if group[1] > len(group[2])]
        else:
            own = [group for group in tied if topic.gains is not None or matters(topic, group)]
        if own:
            found.append((place, topic, own))
    orders = [
        JudgedLists.of([reordered(topic, own, kind, best, worth) for _, topic, own in found], lists.top_grade)
        for best in (False, True)
    ]
    return [place for place, _, _ in found], orders[0], orders[1]


def _worth(lists: JudgedLists, asked: Asked, convention: Convention) -> Sequence[float] | None:
    """What orders grades where that is not the grade itself: a gain that does not rise with it."""
    if asked.measure.gain and asked.gain != "given":
        gains = gains_of(asked.gain or convention.gain, convention, lists.top_grade)
        if gains[0] != 0 or any(low >= high for low, high in pairwise(gains)):
            return gains
    return None


def reordered(
    topic: TopicList, own: Sequence[Group], kind: str, best: bool, worth: Sequence[float] | None
) -> TopicList:
    """The topic with the groups ``own`` in their best or worst order."""
    gain = topic.gains or (topic.grades if worth is None else [worth[grade] for grade in topic.grades])
    ranks = list(topic.ranks)
    for start, size, members in own:
        if kind == "judged":
            ordered, front = members, len(members) if best else 0
        else:
            ordered = sorted(members, key=gain.__getitem__, reverse=best)
            zero = sum([gain[i] <= 0 for i in members])
            front = len(members) - zero if best else zero
        end = start + size - (len(members) - front)
        for place, i in enumerate(ordered):
            ranks[i] = start + place if place < front else end + place - front
    order = sorted(range(len(ranks)), key=ranks.__getitem__)
    gains = None if topic.gains is None else [topic.gains[i] for i in order]
    grades = [topic.grades[i] for i in order]
    return replace(topic, ranks=[ranks[i] for i in order], grades=grades, pooled=(), tied=None, gains=gains)


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
