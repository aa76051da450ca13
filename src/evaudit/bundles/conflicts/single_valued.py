"""Conflict rule ``single-valued``: a subject holds one object for the relation."""

from __future__ import annotations

from typing import Literal

from evaudit.bundles.claims import Claim
from evaudit.bundles.conflicts.rule import COUNTS, ConflictRule, Stance
from evaudit.definitions import Definition
from evaudit.fields import Text


class SingleValued(ConflictRule):
    """A subject has at most one object for the relation at a time."""

    kind: Literal["single-valued"]
    """The kind of the rule: single-valued."""
    relation: Text
    """The relation that takes one object."""

    @property
    def named(self) -> tuple[str, ...]:
        """Its one relation."""
        return (self.relation,)

    def stance(self, claim: Claim) -> Stance | None:
        """Of a positive claim of the relation: its subject, and the object that it gives."""
        if not claim.positive or claim.relation != self.relation:
            return None
        return (claim.subject,), claim.object


DEFINITION = Definition(
    id="single-valued",
    question="Does the inventory give one subject two objects where only one can hold?",
    definition="Two positive claims oppose if subject and relation are equal, the objects differ, and their "
    "validities overlap." + COUNTS,
    denominator="None: a rule gives conflicts, not a share.",
    undefined_when="Never; without claims there is no conflict.",
    not_known="Objects are compared as written: two spellings of one thing are two objects.",
    cannot_report="Which of the objects is the right one.",
    source="Retrieval From First Principles, ch. 23: the current opposing assignment.",
    differs="Triple matching (2WikiMultihop) only counts matches and knows no conflict.",
    parameters=(("look_in", "inventory, candidates, selected"), ("settle", "none, newest, source-order")),
)
