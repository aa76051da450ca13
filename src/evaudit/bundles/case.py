"""A bundle case: everything about one need in one place, as a control writes it."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from evaudit.bundles.budget import Allowance, BudgetRule, allowance
from evaudit.bundles.columns import LARGEST, SPACE_CODE, integers
from evaudit.bundles.conflicts import AnyRule
from evaudit.bundles.declarations import NeedDeclaration, did_you_mean
from evaudit.bundles.offsets import OffsetTables, Pieces
from evaudit.fields import AnyText, Integer, Model, Nullable, Number, Text, is_null, refusal
from evaudit.repeats import first_again
from evaudit.sources.anchor import Anchor, Space, Unit
from evaudit.sources.document import SourceDocument
from evaudit.sources.offsets import MAKERS
from evaudit.sources.reference import Reference
from evaudit.sources.text_match import TextMatch
from evaudit.sources.view import View


class UnitEntry(Model):
    """A returned or selected piece: a document and an interval in it, or text that occurs in it exactly once."""

    as_text: ClassVar[str | None] = "."

    unit: Nullable[Text] = None
    """Id of the unit; unique within its list."""
    ref: Nullable[Reference] = None
    """The document: source/doc@version, or {source, doc, version}."""
    start: Nullable[Annotated[Integer, Field(le=LARGEST)]] = None
    """First position, from 0."""
    end: Nullable[Annotated[Integer, Field(le=LARGEST)]] = None
    """First position after the unit."""
    space: Space = "char"
    """What the positions count."""
    offsets: Unit = "codepoint"
    """What positions in the space char count: codepoint, utf16 or bytes."""
    text: Nullable[AnyText] = None
    """The text that the unit shows; it must be the stored one."""
    score: Nullable[Number] = None
    """Kept for the reader; no score makes a unit eligible or a reference real."""
    tokens: Nullable[Annotated[Integer, Field(ge=0, le=LARGEST)]] = None
    """Length in tokens, for a budget in tokens."""
    access: Nullable[Text] = None
    """Access label of the unit itself."""

    def as_anchor(self) -> Anchor | None:
        """The passage that the unit claims to be; None where it names no document or no place in it."""
        if self.ref is None or (self.start is None and self.text is None and self.space != "document"):
            return None
        return Anchor(
            ref=self.ref, exact=self.text, start=self.start, end=self.end, space=self.space, unit=self.offsets
        )

    @model_validator(mode="before")
    @classmethod
    def _from_id(cls, value: object) -> object:
        return {"unit": value} if isinstance(value, str) and not is_null(value) else value

    @model_validator(mode="after")
    def _names_something(self) -> Self:
        if self.unit is None and self.ref is None:
            raise refusal("a unit id or a ref", None, "write unit: of a candidate, or ref: with start and end")
        if (self.start is None) != (self.end is None):
            raise refusal("start and end", "one of them", "write both; the interval is half-open")
        return self


Span = Annotated[list[Annotated[Integer, Field(ge=0, le=LARGEST)]], Field(min_length=2, max_length=2)]
"""[start, end]."""


class OffsetsEntry(Model):
    """Where the pieces of a space stand: of one document as given, or of all documents as their texts tell it."""

    space: Space
    """The space of the pieces: token, line, sentence, paragraph, item, page or cell."""
    ref: Nullable[Reference] = None
    """The document. Without it and spans the table is made from the texts; line and paragraph can be."""
    spans: Nullable[list[Span]] = None
    """[start, end] of each piece in code points, from piece 0 on."""

    @model_validator(mode="after")
    def _given_or_made(self) -> Self:
        if self.space in ("char", "document"):
            raise refusal("a space of numbered pieces", self.space, "characters and whole documents need no offsets")
        if (self.ref is None) != (self.spans is None):
            raise refusal("ref and spans", "one of them", "write both, or neither to make the table from the texts")
        if self.spans is None and self.space not in MAKERS:
            made = " and ".join(MAKERS)
            raise refusal(f"ref and spans of the space {self.space}", None, f"only {made} are made from texts")
        return self

    def pieces(self) -> Pieces:
        """The spans as columns."""
        starts, ends = [one[0] for one in self.spans or ()], [one[1] for one in self.spans or ()]
        return Pieces(integers(np.arange(len(starts))), integers(starts), integers(ends))


class Budget(Model):
    """How much may be selected: exactly one of units, chars and tokens, and the rule by which it admits."""

    units: Nullable[Annotated[Integer, Field(ge=0)]] = None
    """At most so many units."""
    chars: Nullable[Annotated[Integer, Field(ge=0)]] = None
    """At most so many Unicode code points."""
    tokens: Nullable[Annotated[Integer, Field(ge=0)]] = None
    """At most so many tokens."""
    rule: BudgetRule = "prefix"
    """What it admits: prefix, the longest one in rank order that fits, or skip, which passes over what does not fit."""

    @model_validator(mode="after")
    def _one_measure(self) -> Self:
        if sum(v is not None for v in (self.units, self.chars, self.tokens)) != 1:
            raise refusal("exactly one of units, chars and tokens", None, "write one of the three")
        return self

    def allowance(self) -> Allowance:
        """The budget as the checkers take it."""
        found = allowance({"units": self.units, "chars": self.chars, "tokens": self.tokens}, self.rule)
        assert found is not None
        return found


class BundleCase(NeedDeclaration):
    """One need with its documents, view, rules and lists of units."""

    documents: list[SourceDocument] = Field(default_factory=list)
    """The inventory. Without it positions are taken as stated and no text is checked."""
    view: Nullable[View] = None
    """Which documents may be used. Without it eligibility is not asked."""
    offsets: list[OffsetsEntry] = Field(default_factory=list)
    """Where sentences, pages, … stand in the texts, so that positions of different spaces compare."""
    rules: list[AnyRule] = Field(default_factory=list)
    """What opposes what among the claims."""
    duplicates: Literal["refuse", "first"] = "refuse"
    """What to do with a unit that stands twice in one list: refuse it, or count it once at its earliest rank."""
    text_match: TextMatch = "exact"
    """How quotes are compared with stored texts: exact, or whitespace (each run of white space counts as one)."""
    packet: Nullable[Literal["hand-assembled"]] = None
    """hand-assembled: no retriever returned these units, so no ranking measure is given for them."""
    budget: Nullable[Budget] = None
    """How much may be selected."""
    candidates: Nullable[list[UnitEntry]] = None
    """What the selection was made from, best first."""
    selected: list[UnitEntry]
    """What was selected, best first; a text is the id of a candidate, or else of one of the units."""
    units: Nullable[list[UnitEntry]] = None
    """The chunked corpus, as far as it matters."""
    stop: Nullable[Literal["budget-exhausted", "claimed-sufficient", "no-more-candidates", "abstained"]] = None
    """Why the selection stopped."""

    def offset_tables(self) -> OffsetTables | None:
        """The offsets as the checkers take them; None where none are given."""
        given = {(one.ref.key, SPACE_CODE[one.space]): one.pieces() for one in self.offsets if one.ref is not None}
        made = tuple(SPACE_CODE[one.space] for one in self.offsets if one.ref is None)
        return OffsetTables(given, made) if self.offsets else None

    @model_validator(mode="after")
    def _offsets_fit_the_texts(self) -> Self:
        lengths = {document.ref.key: len(document.text) for document in self.documents if document.text is not None}
        seen: set[tuple[tuple[str, str, str], str]] = set()
        for one in self.offsets:
            if one.ref is None:
                continue
            found = [words for _, words in one.pieces().problems(lengths.get(one.ref.key))]
            if (one.ref.key, one.space) in seen:
                found.append(f"expected the {one.space} offsets of {one.ref} once, found them again")
            if found:
                raise PydanticCustomError("offsets-invalid", "{message}", {"message": f"{found[0]}; correct the spans"})
            seen.add((one.ref.key, one.space))
        return self

    @model_validator(mode="after")
    def _names_rules_and_claims(self) -> Self:
        rules = [rule.id for rule in self.rules]
        if (repeated := first_again(rules)) is not None:
            raise refusal("each rule id once", repeated, "rename one of the rules")
        claims = {claim.id for claim in self.claims}
        for step in self.path or ():
            if step not in claims:
                advice = f"correct the path{did_you_mean(step, claims)}"
                raise refusal("a claim of this need in the path", step, advice, "claim-invalid")
        for resolution in self.resolutions:
            if resolution.rule not in rules:
                advice = f"correct the resolution{did_you_mean(resolution.rule, rules)}"
                raise refusal("a rule of this case", resolution.rule, advice, "resolution-unknown")
            for claim in (resolution.keep, *resolution.dismiss):
                if claim not in claims:
                    advice = f"correct the resolution{did_you_mean(claim, claims)}"
                    raise refusal("a claim of this need", claim, advice, "resolution-unknown")
        return self
