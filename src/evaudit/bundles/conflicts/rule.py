"""What every conflict rule carries: where to look for opposing claims, and how a conflict may be settled."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from evaudit.bundles.claims import Claim
from evaudit.fields import Model, Text

Stance = tuple[tuple[str, ...], str | bool]
"""What a claim is about under a rule, and the side that it takes."""

COUNTS = (
    " A claim opposes if the view allows its document and it stands where the rule looks; one within a selected unit "
    "that the budget admits opposes whatever its document's status. No settlement keeps a claim that the view does not "
    "allow."
)
"""Which claims oppose, and which a settlement may keep, in the definition of every kind."""


class ConflictRule(Model):
    """The fields that all kinds share; a kind adds its own and says in ``stance`` what opposes what."""

    id: Text
    """Name of the rule, as resolutions and results use it."""
    look_in: Literal["inventory", "candidates", "selected"] = "inventory"
    """Where an opposing claim counts: anywhere in the inventory, or only where a candidate or a selected unit holds
    it. One that a selected unit within the budget holds counts in any case.
    """
    settle: Literal["none", "newest", "source-order"] = "none"
    """What settles a conflict: nothing, the newest ``valid_from``, or the order of ``sources``."""
    sources: list[Text] = Field(default_factory=list)
    """For ``settle: source-order``: sources, the one that wins first; a source that is not listed settles nothing."""

    @model_validator(mode="after")
    def _sources_belong_to_source_order(self) -> Self:
        if (self.settle == "source-order") != bool(self.sources):
            raise PydanticCustomError(
                "document-invalid",
                "expected sources exactly where settle is source-order; list the sources, the one that wins first",
            )
        if len(set(self.sources)) != len(self.sources):
            raise PydanticCustomError("document-invalid", "expected each source once; remove the repeated one")
        return self

    @property
    def named(self) -> tuple[str, ...]:
        """The relations that the rule names; none where it holds for every relation."""
        raise NotImplementedError

    def stance(self, claim: Claim) -> Stance | None:
        """What the claim is about and which side it takes; None where the rule says nothing about it.

        Two claims cannot both hold at one time exactly if they are about the same thing and take different sides.
        """
        raise NotImplementedError

    def precedence(self, claim: Claim) -> float | None:
        """The higher one wins where the rule settles by itself; None settles nothing."""
        if self.settle == "newest":
            return claim.valid_from.timestamp() if claim.valid_from else None
        if self.settle == "source-order" and claim.source in self.sources:
            return -float(self.sources.index(claim.source))
        return None
