"""What the order within groups of equal scores could do to a figure: its range over those orders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from evaudit.figures import Amount
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import gains_of
from evaudit.ranking.judgements import JudgedLists, Reordered, TopicList
from evaudit.ranking.measures import Asked, Column
from evaudit.ranking.tie_orders import Group, by_steps, by_worth, groups, matters
from evaudit.ranking.unjudged import Range


def all_groups(lists: JudgedLists, convention: Convention) -> list[list[Group]]:
    """``groups`` of every topic, worked out once, in the lists as they were before any cut."""
    if lists.tie_groups is None:
        lists.tie_groups = [groups(topic, convention.depth) for topic in lists.whole]
    return lists.tie_groups


def tie_counts(lists: JudgedLists, convention: Convention) -> dict[str, int] | None:
    """How many groups there are and how many of them can change a figure; None where nobody looked at scores."""
    if all(topic.tied is None for topic in lists.whole):
        return None
    rows = list(zip(lists.whole, all_groups(lists, convention), strict=True))
    matter = [sum([matters(topic.grades, group, convention) for group in own]) for topic, own in rows]
    return {
        "groups-with-a-judged-document": sum(len(own) for _, own in rows),
        "groups-that-matter": sum(matter),
        "topics-with-such-a-group": sum(map(bool, matter)),
    }


def tied_range(lists: JudgedLists, asked: Asked, convention: Convention, point: Column) -> Range | None:
    """The range over all orders within tied groups, or None where the measure or the lists have none.

    Best is every group with its documents of most gain first (for measures of what is judged: judged ones first), worst
    the other way round; a measure that is neither says itself how it is added up. The documents of a group that goes
    across the end of a cut list come into it and drop out of it. A topic of ``too_tied`` has no range.
    """
    if asked.measure.ties is None or any(topic.tied is None for topic in lists.whole if topic.returned):
        return None
    moved = _moved(lists, asked, convention)
    undefined: set[int] = set()
    low: list[Amount | None] = [_amount(point, i, asked, convention) for i in range(len(lists))]
    high = list(low)
    column = asked.measure.compute(moved.lists, asked, convention)
    for j, i in enumerate(moved.places):
        found = _amount(column, j, asked, convention)
        if found is None:  # an order without a figure is no end of the range
            undefined.add(i)
        else:
            low[i] = found if (before := low[i]) is None or _float(found) < _float(before) else before
            high[i] = found if (before := high[i]) is None or _float(found) > _float(before) else before
    for i in moved.left_out:
        low[i] = high[i] = None
    undefined |= {i for i in range(len(lists)) if _amount(point, i, asked, convention) is None}
    return Range(low, high, [i in undefined for i in range(len(lists))])


def too_tied(lists: JudgedLists, asked: Asked, convention: Convention) -> list[str]:
    """The topics of which no range over ties is worked out, because too many orders would have to be looked at."""
    found = lists.reordered.get(_key(lists, asked, convention))
    return [lists.topics[i].need for i in found.left_out] if found is not None else []


def _key(lists: JudgedLists, asked: Asked, convention: Convention) -> tuple[object, ...]:
    kind = asked.measure.ties
    if not isinstance(kind, str):
        return (asked.name,)
    worth = _worth_of_grades(lists, asked, convention)
    return kind, None if worth is None else tuple(worth)


def _moved(lists: JudgedLists, asked: Asked, convention: Convention) -> Reordered:
    """The orders in which the ends of the range lie, of every topic with a group that matters."""
    key = _key(lists, asked, convention)
    if key not in lists.reordered:
        places: list[int] = []
        topics: list[TopicList] = []
        left_out = []
        for place, found in _orders(lists, asked, convention):
            places += [place] * len(found)
            topics += [topic.looked_at(convention.depth, skip=convention.unjudged == "skip") for topic in found]
            if not found:
                left_out.append(place)
        lists.reordered[key] = Reordered(places, JudgedLists.of(topics, lists.top_grade), left_out)
    return lists.reordered[key]


def _orders(lists: JudgedLists, asked: Asked, convention: Convention) -> Iterator[tuple[int, list[TopicList]]]:
    """The place of each topic with a group that matters, and its orders to be tried; none where they are too many."""
    tied = [(i, own) for i, own in enumerate(all_groups(lists, convention)) if own]
    kind = asked.measure.ties
    if kind is not None and not isinstance(kind, str):
        whole = JudgedLists.of([lists.whole[i] for i, _ in tied], lists.top_grade)
        for (place, own), topic, steps in zip(tied, whole.topics, kind(whole, asked, convention), strict=True):
            yield place, by_steps(topic, own, convention, steps)
        return
    grade_worth = _worth_of_grades(lists, asked, convention)
    for place, own in tied:
        topic = lists.whole[place]
        worth: Sequence[float] = [1] * len(topic.grades) if kind == "judged" else topic.gains or topic.grades
        if kind == "gains" and grade_worth is not None:
            worth = [grade_worth[grade] for grade in topic.grades]
        mattering = [group for group in own if matters(worth, group, convention)]
        if mattering:
            yield place, by_worth(topic, mattering, convention, worth)


def _worth_of_grades(lists: JudgedLists, asked: Asked, convention: Convention) -> Sequence[float] | None:
    """What orders grades where that is not the grade itself: a gain that does not rise with it."""
    if asked.measure.gain and asked.gain != "given":
        gains = gains_of(asked.gain or convention.gain, convention, lists.top_grade)
        if gains[0] != 0 or any(low >= high for low, high in pairwise(gains)):
            return gains
    return None


def _amount(column: Column, i: int, asked: Asked, convention: Convention) -> Amount | None:
    """The figure; one that is undefined is 0 where the convention counts it so."""
    if column.reason[i] and convention.undefined == "null":
        return None
    if column.value is not None:
        return asked.measure.zero if column.reason[i] else column.value[i]
    assert column.num is not None and column.den is not None
    return (0, 1) if column.reason[i] else (column.num[i], column.den[i])


def _float(amount: Amount) -> float:
    return amount[0] / amount[1] if isinstance(amount, tuple) else amount
