"""Where required components are lost: the stage ledger, over the bundle that is best for the selection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from evaudit.bundles.columns import Flags, Integers, NeedTable

STAGE_TEXT: Mapping[str, str] = MappingProxyType(
    {
        "resolved": "an anchor of the component stands in the documents given; otherwise no unit can cover it",
        "intact": "some unit of the chunked corpus holds the whole anchor; asked where --units is given",
        "candidate": "a unit that was there to be selected holds it; asked where --candidates is given",
        "selected": "a selected unit holds it",
        "within-budget": "the budget admits one of these",
        "eligible": "one of these is of a document that the view allows; asked where --view is given",
        "conflict-free": "nothing opposes a claim that stands on it; asked where --claims and --rules are given",
    }
)
"""What a component must be to pass each stage, in order."""

STAGES: tuple[str, ...] = tuple(STAGE_TEXT)
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

    ``passed`` maps a stage to the components that pass it, in the order of the stages; one that is absent was not
    asked.
    """
    component = np.flatnonzero(needs.components_of(best))
    lost = np.full(len(component), -1, dtype=np.int8)
    for stage, there in passed.items():
        lost[(lost < 0) & ~there[component]] = STAGES.index(stage)
    return Ledger(component, needs.component_need[component], lost, tuple(passed))
