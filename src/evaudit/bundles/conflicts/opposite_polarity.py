"""Conflict rule ``opposite-polarity``: the same triple, said and denied."""

from __future__ import annotations

from typing import Literal

from evaudit.bundles.claims import Claim
from evaudit.bundles.conflicts.rule import COUNTS, ConflictRule, Stance
from evaudit.definitions import Definition
from evaudit.fields import Nullable, Text


class OppositePolarity(ConflictRule):
    """A claim and the denial of the same subject, relation and object."""

    kind: Literal["opposite-polarity"]
    """The kind of the rule: opposite-polarity."""
    relation: Nullable[Text] = None
    """The relation it holds for; every relation if left out."""

    @property
    def named(self) -> tuple[str, ...]:
        """Its relation, if it names one."""
        return () if self.relation is None else (self.relation,)

    def stance(self, claim: Claim) -> Stance | None:
        """The triple, and whether it is said or denied."""
        if self.relation not in (None, claim.relation):
            return None
        return (claim.subject, claim.relation, claim.object), claim.positive


DEFINITION = Definition(
    id="opposite-polarity",
    question="Does the inventory both say and deny the same thing?",
    definition="Two claims oppose if subject, relation and object are equal, one is positive and one is negative, and "
    "their validities overlap." + COUNTS,
    denominator="None: a rule gives conflicts, not a share.",
    undefined_when="Never; without claims there is no conflict.",
    not_known="A claim that nobody wrote down opposes nothing: the rule sees declared claims only.",
    cannot_report="Which of the two is true.",
    source="Retrieval From First Principles, ch. 23: the source-backed path validator.",
    differs="SciFact's evaluator stops with an error on mixed labels in one abstract.",
    parameters=(("look_in", "inventory, candidates, selected"), ("settle", "none, newest, source-order")),
)
