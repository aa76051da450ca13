"""The kinds of conflict rules, one file each; a plain list, and the union that a document is read into."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from evaudit.bundles.conflicts import exclusive_relations, opposite_polarity, single_valued
from evaudit.bundles.conflicts.exclusive_relations import ExclusiveRelations
from evaudit.bundles.conflicts.opposite_polarity import OppositePolarity
from evaudit.bundles.conflicts.rule import ConflictRule
from evaudit.bundles.conflicts.single_valued import SingleValued

AnyRule = Annotated[OppositePolarity | SingleValued | ExclusiveRelations, Field(discriminator="kind")]
"""One conflict rule, told apart by ``kind``."""

RULE_DEFINITIONS = (opposite_polarity.DEFINITION, single_valued.DEFINITION, exclusive_relations.DEFINITION)
"""The definition text of every rule kind."""

__all__ = ["RULE_DEFINITIONS", "AnyRule", "ConflictRule", "ExclusiveRelations", "OppositePolarity", "SingleValued"]
