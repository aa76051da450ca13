"""What one list of units covers of the needs: the answer of one stage, from the candidates to the selection."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from evaudit.bundles.columns import Flags, Integers, NeedTable, UnitTable
from evaudit.bundles.coverage import Placement
from evaudit.bundles.sufficiency import best_bundle, single_unit_bundles


class Stand:
    """What one list of units covers: components, bundles, and the best bundle. Computed once, on first use.

    ``marked`` are the units that count; None for all of them.
    """

    def __init__(self, needs: NeedTable, units: UnitTable, placement: Placement, marked: Flags | None = None) -> None:
        self.needs, self.units, self.placement, self.marked = needs, units, placement, marked

    @cached_property
    def anchors(self) -> Flags:
        """Anchors that a marked unit holds whole."""
        return self.placement.covered(self.marked)

    @cached_property
    def components(self) -> Flags:
        """Components with such an anchor; an absent component is never one of them."""
        return self.needs.components_with(self.anchors) & ~self.needs.component_absent

    @cached_property
    def count(self) -> Integers:
        """Covered components of each bundle."""
        return self.needs.count_in_bundles(self.components)

    @cached_property
    def bundles(self) -> Flags:
        """Bundles that are covered."""
        return np.asarray(self.count == self.needs.bundle_size, dtype=np.bool_)

    @cached_property
    def best(self) -> Integers:
        """The best bundle of each need."""
        return best_bundle(self.needs, self.count)

    @cached_property
    def joined_bundles(self) -> Flags:
        """Bundles that are covered once touching and overlapping units are joined."""
        joined = self.needs.components_with(self.placement.joined(self.marked)) & ~self.needs.component_absent
        return np.asarray(self.needs.count_in_bundles(joined) == self.needs.bundle_size, dtype=np.bool_)

    @cached_property
    def single(self) -> Flags:
        """Bundles that one unit of the list covers alone."""
        return single_unit_bundles(self.needs, self.placement, self.bundles, self.marked)
