"""The file form of conflict rules: ``schema: evaudit/rules@1``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from evaudit.bundles.conflicts import AnyRule
from evaudit.fields import Model


class RulesFile(Model):
    """A file of conflict rules, as ``--rules`` reads it."""

    schema_: Annotated[Literal["evaudit/rules@1"], Field(alias="schema")]
    """evaudit/rules@1."""
    rules: Annotated[list[AnyRule], Field(min_length=1)]
    """The rules, in the order in which conflicts are reported."""
