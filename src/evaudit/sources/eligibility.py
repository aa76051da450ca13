"""Whether a document may be used, and why not: the states, apart from the models that decide them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, get_args

Order = Literal["filter-then-cut", "cut-then-filter"]
"""Whether units that the view does not allow were removed before the budget was counted, or after."""

Eligibility = Literal[
    "eligible",
    "superseded",
    "revoked",
    "deleted",
    "restricted",
    "not-yet-valid",
    "expired",
    "unknown",
    "not-applicable",
]
"""Whether a document may be used, and why not; ``not-applicable`` where there is no view to ask."""

ELIGIBILITIES: tuple[str, ...] = get_args(Eligibility)

ELIGIBILITY_TEXT: Mapping[str, str] = MappingProxyType(
    {
        "eligible": "the view allows it",
        "superseded": "its status says superseded, or the view asks for another version of this source",
        "revoked": "its status says revoked",
        "deleted": "its status says deleted",
        "restricted": "its access label is not among those of the view, or its status says restricted",
        "not-yet-valid": "it becomes valid only after the day of the view",
        "expired": "it stopped being valid on or before the day of the view",
        "unknown": "it is not listed, lacks a label that the view asks for, or has a status of unknown meaning",
        "not-applicable": "there is no view, so the question was not asked",
    }
)
"""What each state means, for reports and help."""
