"""Where required components are lost: the stage ledger, over the bundle that is best for the selection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaudit.bundles.columns import Flags, Integers, NeedTable

STAGES: tuple[str, ...] = (
    "resolved", "intact", "candidate", "selected", "within-budget", "eligible", "conflict-free",
)  # fmt: skip
"""The stages in order; a component is lost at the first one that it does not pass."""


@dataclass(frozen=True)
class Ledger:
    """The stages of every required component.

    Attributes:
        component: the required components, i.e. those of the best bundles; ``need`` is the need of each.
        lost: index in ``STAGES`` of the stage where it is lost, -1 for a survivor.
        asked: stages that the input allows to ask.
    """

    component: Integers
    need: Integers
    lost: npt.NDArray[np.int8]
    asked: tuple[str, ...]

    def totals(self, counted: Flags) -> dict[str, int]:
        """``required``, lost by stage and ``survived``, over the needs marked in ``counted``."""
        lost = self.lost[counted[self.need]]
        by_stage = {stage: int((lost == STAGES.index(stage)).sum()) for stage in self.asked}
        return {"required": len(lost), **by_stage, "survived": int((lost < 0).sum())}


def ledger(needs: NeedTable, best: Integers, passed: Mapping[str, Flags]) -> Ledger:
    """Account for each component of the best bundles.

    ``passed`` maps a stage to the components that pass it; a stage that is absent there was not asked.
    """
    component = np.flatnonzero(needs.components_of(best))
    lost = np.full(len(component), -1, dtype=np.int8)
    for place, stage in enumerate(STAGES):
        if stage in passed:
            lost[(lost < 0) & ~passed[stage][component]] = place
    asked = tuple(stage for stage in STAGES if stage in passed)
    return Ledger(component, needs.component_need[component], lost, asked)
