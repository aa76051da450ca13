"""Returned documents that are other spellings of judged ones: found topic by topic, told for the run as a whole."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from evaudit.ranking.judgements import Pool

Among = Callable[[Collection[bytes]], set[bytes]]
"""Those of some documents that a file names anywhere."""


@dataclass(frozen=True, slots=True)
class NearDocument:
    """A returned document, the judged one that it is another spelling of, and what differs."""

    returned: str
    judged: str
    differs: tuple[str, ...]


def may_be_near(documents: Sequence[bytes], pool: Pool, joined: int) -> list[tuple[bytes, bytes]]:
    """Returned documents that are not judged, each with the judged ones, not returned, that it may be a spelling of.

    Args:
        documents: all that the topic returned. pool: its judgements. joined: how many of the one are in the other.
    """
    if joined == len(pool):
        return []
    from evaudit.near_ids import remains  # a run that the compiled part reads needs no folding

    judged, rests = remains(list(pool)), remains(documents)
    known = {*judged[0], *judged[1]}
    if sum(map(known.__contains__, rests[0])) == joined and rests[0] is rests[1]:
        return []
    returned = set(documents)
    places: dict[bytes, list[bytes]] = {}
    with_fragment = {doc for doc, whole, bare in zip(pool, *judged, strict=True) if whole != bare}
    for doc, *both in zip(pool, *judged, strict=True):
        for rest in dict.fromkeys(both) if doc not in returned else ():
            places.setdefault(rest, []).append(doc)
    return [
        (doc, other)
        for doc, whole, bare in zip(documents, *rests, strict=True)
        if doc not in pool and (whole in known or bare in known)
        for other in dict.fromkeys([*places.get(whole, ()), *places.get(bare, ())])
        if whole == bare or other not in with_fragment or other in places.get(whole, ())
    ]


def foldable(document: bytes) -> bytes:
    """A document as the compiled part can fold it."""
    from evaudit.near_ids import unescaped

    return unescaped(document)


def confirmed(
    pairs: Iterable[tuple[bytes, bytes]], judged_among: Among | None, stored: Callable[[bytes], bool] | None
) -> list[NearDocument]:
    """The pairs that are equal after folding and that nobody knows as two documents, in order of the ids.

    Args:
        judged_among: what the judgements name anywhere; None where that cannot be asked.
        stored: whether the inventory holds a document; None without one.
    """
    from evaudit.near_ids import differences

    spelled = {}
    for returned, judged in set(pairs):
        one, other = (doc.decode("utf-8", "backslashreplace") for doc in (returned, judged))
        if ways := differences(one, other):
            spelled[returned, judged] = NearDocument(one, other, ways)
    if spelled and judged_among is not None:
        known = judged_among({returned for returned, _ in spelled})
        spelled = {pair: near for pair, near in spelled.items() if pair[0] not in known}
    if stored is not None:
        spelled = {pair: near for pair, near in spelled.items() if not all(map(stored, pair))}
    return [spelled[pair] for pair in sorted(spelled)]
