"""From covered components to bundles: the best bundle of a list, and whether a single unit is enough."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from evaudit.bundles.columns import Flags, Integers, NeedTable, firsts, integers
from evaudit.bundles.coverage import Placement


def best_bundle(needs: NeedTable, covered: Integers, allowed: Flags | None = None) -> Integers:
    """The best bundle of each need: highest covered/required, then most covered, then first listed; -1 without one.

    ``covered`` counts the covered components of each bundle. ``allowed`` leaves bundles out of the choice.
    """
    best = np.full(len(needs.needs), -1, dtype=np.int64)
    rows = np.arange(len(needs.bundle_need)) if allowed is None else np.flatnonzero(allowed)
    # Equal fractions of integers give equal doubles, so the float comparison is exact.
    share = covered[rows] / needs.bundle_size[rows]
    order = rows[np.lexsort((rows, -covered[rows], -share, needs.bundle_need[rows]))]
    first = order[firsts(needs.bundle_need[order])]
    best[needs.bundle_need[first]] = first
    return best


def single_unit_bundles(
    needs: NeedTable, placement: Placement, covered_bundles: Flags, units: Flags | None = None
) -> Flags:
    """Bundles of which one marked unit alone holds every component, among those that these cover at all."""
    found = np.zeros(len(needs.bundle_need), dtype=np.bool_)
    if not covered_bundles.any():
        return found
    anchors = np.bincount(needs.anchor_component, minlength=len(needs.component_need))
    first = np.searchsorted(needs.anchor_component, np.arange(len(needs.component_need)))
    one = needs.count_in_bundles(anchors != 1) == 0
    plain = np.flatnonzero(covered_bundles & one)
    pairs = np.flatnonzero(np.isin(needs.pair_bundle, plain))
    anchor = first[needs.bundle_component[pairs]]
    starts = np.append(0, np.cumsum(needs.bundle_size[plain])[:-1]) if len(plain) else integers([])
    if len(plain):
        # One unit holds several anchors of one document version exactly if it holds the interval from the first to
        # the last.
        low = np.minimum.reduceat(placement.anchor_group[anchor], starts)
        same = low == np.maximum.reduceat(placement.anchor_group[anchor], starts)
        start = np.minimum.reduceat(placement.anchor_start[anchor], starts)
        end = np.maximum.reduceat(placement.anchor_end[anchor], starts)
        found[plain] = same & placement.contained(np.where(same, low, -1), start, end, units)
    spaces = _mixed_spaces(needs, placement)
    for bundle in np.flatnonzero(covered_bundles & ~found & (~one | spaces)):
        wanted = set(_components(needs, int(bundle)))
        found[bundle] = any(
            wanted <= held for _, held in held_by_unit(needs, placement, int(needs.bundle_need[bundle]), units)
        )
    return found


def _mixed_spaces(needs: NeedTable, placement: Placement) -> Flags:
    """Bundles whose anchors stand in several spaces of one document: only a whole document could hold them together."""
    document = needs.anchor_document
    several = np.zeros(len(needs.component_need), dtype=np.bool_)
    if (needs.anchor_space != needs.anchor_space[:1]).any():
        several[needs.anchor_component[document >= 0]] = True
    return needs.count_in_bundles(several) > 0


def _components(needs: NeedTable, bundle: int) -> list[int]:
    return [int(c) for c in needs.bundle_component[needs.bundle_offset[bundle] : needs.bundle_offset[bundle + 1]]]


def held_by_unit(
    needs: NeedTable, placement: Placement, need: int, units: Flags | None = None
) -> Iterator[tuple[int, set[int]]]:
    """Row of each marked unit and the components that it wholly holds, for one need; those that hold none are left
    out. Slow, for the few needs that ask for it.
    """
    anchors = range(int(needs.anchor_offset[need]), int(needs.anchor_offset[need + 1]))
    held: dict[int, set[int]] = {}
    for anchor in anchors:
        group = int(placement.anchor_group[anchor])
        if group < 0:
            continue
        low, high = np.searchsorted(placement.group, [group, group + 1])
        inside = (placement.start[low:high] <= placement.anchor_start[anchor]) & (
            placement.end[low:high] >= placement.anchor_end[anchor]
        )
        for row in placement.row[low:high][inside]:
            if units is None or units[row]:
                held.setdefault(int(row), set()).add(int(needs.anchor_component[anchor]))
    yield from sorted(held.items())
