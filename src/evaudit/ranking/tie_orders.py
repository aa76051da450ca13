"""Groups of equal scores in a topic's list, and the list with its groups in another order."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import POOLED, TopicList
from evaudit.ranking.tie_search import Move, Steps, best_order, plus

MOST_CUTS = 50
"""Numbers of judged documents of a group that may stand before the end of a list; beyond, the range is left out."""

Group = tuple[int, int, list[int]]
"""First rank and size of a group of equal scores, and the positions of its judged documents in the topic's lists."""


def groups(topic: TopicList, depth: int | None) -> list[Group]:
    """The groups of two or more documents of equal score that hold a judged document, in rank order.

    Those that begin behind ``depth`` are left out; one that goes across it is whole.
    """
    found: dict[int, Group] = {}
    for i, (start, size) in enumerate(topic.tied or ()):
        if size > 1 and (depth is None or start <= depth):
            found.setdefault(start, (start, size, []))[2].append(i)
    return list(found.values())


def matters(worth: Sequence[float], group: Group, convention: Convention) -> bool:
    """Whether the order can change a figure over ``worth``, one number a judged document; unjudged ones are worth 0."""
    _, size, members = group
    found = {worth[i] for i in members}
    unjudged = size > len(members)
    if convention.unjudged == "skip":
        return len(found) > 1 or (unjudged and places_before_end(group, convention) < size)
    return len(found | {0} if unjudged else found) > 1


def places_before_end(group: Group, convention: Convention) -> int:
    """How many documents of the group stand before the end of a list that is cut."""
    start, size, _ = group
    return size if convention.depth is None else min(size, convention.depth - start + 1)


@dataclass(frozen=True, slots=True)
class Layout:
    """The order of a group: ``front``, then its unjudged documents, then ``back``.

    Both hold positions of judged documents in the topic's lists; below 0, ``-1 - i`` is the pooled document ``i``.
    """

    group: Group
    front: Sequence[int]
    back: Sequence[int]


def laid_out(topic: TopicList, layouts: Sequence[Layout]) -> TopicList:
    """The topic with some groups in another order."""
    ranks, pooled = list(topic.ranks), list(topic.pooled)
    for layout in layouts:
        start, size, _ = layout.group
        end = start + size - len(layout.back)
        for first, members in ((start, layout.front), (end, layout.back)):
            for rank, i in enumerate(members, first):
                if i >= 0:
                    ranks[i] = rank
                else:
                    pooled[-1 - i] = rank
    order = sorted(range(len(ranks)), key=ranks.__getitem__)
    return replace(
        topic,
        ranks=[ranks[i] for i in order],
        grades=[topic.grades[i] for i in order],
        pooled=sorted(pooled),
        tied=None,
        gains=None if topic.gains is None else [topic.gains[i] for i in order],
    )


def by_worth(topic: TopicList, own: Sequence[Group], convention: Convention, worth: Sequence[float]) -> list[TopicList]:
    """The topic's orders of which one gives the best and one the worst of a figure that rises with ``worth`` up front.

    Two, but for a group that goes across the end of a list whose unjudged documents are skipped: there the number of
    judged documents before the end depends on the order, and there are two orders for each such number. None at all
    where these are more than ``MOST_CUTS``.
    """
    found: list[TopicList] = []
    for best in (True, False):
        layouts = [_by_worth(group, worth, best=best) for group in own]
        cut = range(0)
        if convention.unjudged == "skip" and own:
            cut = _numbers_before_end(own[-1], convention)
        if len(cut) > MOST_CUTS:
            return []
        for number in cut:
            ordered = sorted(own[-1][2], key=worth.__getitem__, reverse=best)
            layouts[-1] = Layout(own[-1], ordered[:number], ordered[number:])
            found.append(_ordered_judged(topic, layouts))
        if not cut:
            found.append(_ordered_judged(topic, layouts))
    return found


def _ordered_judged(topic: TopicList, layouts: Sequence[Layout]) -> TopicList:
    return laid_out(replace(topic, pooled=()), layouts)  # no such figure knows pooled documents


def _by_worth(group: Group, worth: Sequence[float], *, best: bool) -> Layout:
    ordered = sorted(group[2], key=worth.__getitem__, reverse=best)
    zero = sum([worth[i] <= 0 for i in ordered])
    front = len(ordered) - zero if best else zero
    return Layout(group, ordered[:front], ordered[front:])


def _numbers_before_end(group: Group, convention: Convention) -> range:
    """How many judged documents of the group may stand before the end; none where that is the same in every order."""
    _, size, members = group
    inside = places_before_end(group, convention)
    least, most = max(0, inside - (size - len(members))), min(len(members), inside)
    return range(least, most + 1) if inside < size and least < most else range(0)


def by_steps(topic: TopicList, own: Sequence[Group], convention: Convention, steps: Steps) -> list[TopicList]:
    """The topic in its worst and in its best order for a figure that is added up; none where that is too much work."""
    skip = convention.unjudged == "skip"
    moves: list[Move | None] = [steps.move(grade) for grade in topic.grades]
    pooled = None if skip else steps.move(POOLED)
    found = []
    for best in (False, True):
        layouts = []
        for group, rank, before in _with_sums(topic, own, moves, pooled, skip=skip):
            layout = _by_steps(topic, group, convention, steps, _Place(moves, pooled, rank, before), best=best)
            if layout is None:
                return []
            layouts.append(layout)
        found.append(laid_out(topic, layouts))
    return found


@dataclass(frozen=True, slots=True)
class _Place:
    moves: Sequence[Move | None]
    pooled: Move | None
    rank: int
    before: Move


def _with_sums(
    topic: TopicList, own: Sequence[Group], moves: Sequence[Move | None], pooled: Move | None, *, skip: bool
) -> Iterator[tuple[Group, int, Move]]:
    """Each group, the rank at which it begins and the sum before it."""
    width = next((len(move) for move in (*moves, pooled) if move is not None), 0)
    rows = [(rank, move, 1) for rank, move in zip(topic.ranks, moves, strict=True)]
    rows += [(rank, pooled, 0) for rank in topic.pooled]
    rows.sort(key=lambda row: row[0])
    total: Move = (0.0,) * width
    judged = at = 0
    for group in own:
        while at < len(rows) and rows[at][0] < group[0]:
            _, move, one = rows[at]
            total = total if move is None else plus(total, move)
            judged += one
            at += 1
        yield group, judged + 1 if skip else group[0], total


def _by_steps(
    topic: TopicList, group: Group, convention: Convention, steps: Steps, place: _Place, *, best: bool
) -> Layout | None:
    start, size, members = group
    kinds: dict[Move, list[int]] = {}
    idle = []
    for i in members:
        move = place.moves[i]
        if move is None:
            idle.append(i)
        else:
            kinds.setdefault(move, []).append(i)
    if place.pooled is not None:
        for i in range(bisect_left(topic.pooled, start), bisect_left(topic.pooled, start + size)):
            kinds.setdefault(place.pooled, []).append(-1 - i)
    total = sum(map(len, kinds.values()))
    inside = places_before_end(group, convention)
    places, rank = min(total, inside), place.rank
    if not best:
        places = max(0, inside - (size - total))
        rank += len(idle) if convention.unjudged == "skip" else size - total
    counts = [(move, len(found)) for move, found in kinds.items()]
    order = best_order(counts, places, rank, place.before, steps, best=best)
    if order is None:
        return None
    moved = _members_of(order, kinds)
    return Layout(group, moved, idle) if best else Layout(group, idle, moved)


def _members_of(order: Sequence[Move], kinds: Mapping[Move, list[int]]) -> list[int]:
    """A document for each kind in turn, then those that the order leaves out."""
    left = {move: iter(members) for move, members in kinds.items()}
    return [*(next(left[move]) for move in order), *(i for rest in left.values() for i in rest)]
