"""Conflict rule ``exclusive-relations``: relations that cannot hold together between one subject and one object."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from evaudit.bundles.claims import Claim
from evaudit.bundles.conflicts.rule import COUNTS, ConflictRule, Stance
from evaudit.definitions import Definition
from evaudit.fields import Text


class ExclusiveRelations(ConflictRule):
    """At most one of the relations holds between a subject and an object at a time."""

    kind: Literal["exclusive-relations"]
    """The kind of the rule: exclusive-relations."""
    relations: Annotated[list[Text], Field(min_length=2)]
    """The relations that exclude each other."""

    @property
    def named(self) -> tuple[str, ...]:
        """The relations that exclude each other."""
        return tuple(self.relations)

    def stance(self, claim: Claim) -> Stance | None:
        """Of a positive claim of a listed relation: its subject and object, and the relation."""
        if not claim.positive or claim.relation not in self.relations:
            return None
        return (claim.subject, claim.object), claim.relation


DEFINITION = Definition(
    id="exclusive-relations",
    question="Does the inventory claim two relations that exclude each other?",
    definition="Two positive claims oppose if subject and object are equal, their relations differ and both are "
    "listed in "
    "the rule, and their validities overlap." + COUNTS,
    denominator="None: a rule gives conflicts, not a share.",
    undefined_when="Never; without claims there is no conflict.",
    not_known="Relations that the rule does not list exclude nothing.",
    cannot_report="Which of the relations is the right one.",
    source="Design of this program; the chapter names the single-valued case.",
    differs="No public scorer has such a rule.",
    parameters=(("look_in", "inventory, candidates, selected"), ("settle", "none, newest, source-order")),
)
