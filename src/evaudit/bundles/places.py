"""Where references lead: document keys, located anchors and units, and what the view says about each document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from evaudit.bundles.columns import CHAR, NOWHERE, SPACE_CODE, SPACES, UnitTable, integers
from evaudit.bundles.offsets import Offsets, OffsetTables
from evaudit.sources.anchor import Anchor, Located, locate_within
from evaudit.sources.document import Inventory, SourceDocument
from evaudit.sources.reference import Reference
from evaudit.sources.text_match import TextMatch, places_of
from evaudit.sources.view import ELIGIBILITIES, View, eligibility

RefKey = tuple[str, str, str]

BAD_REFERENCE = {
    "document-missing": "reference-fabricated",
    "version-missing": "reference-fabricated",
    "out-of-range": "reference-out-of-range",
    "empty": "reference-out-of-range",
    "mismatch": "reference-text-mismatch",
    "hash-mismatch": "reference-text-mismatch",
    "not-found": "reference-text-mismatch",
    "ambiguous": "unit-unlocated",
}
"""State of a unit that has no place, and the rule of its finding."""


_RESOLVED = Located("resolved")
_AS_STATED = Located("as-stated")


@dataclass(frozen=True, slots=True)
class Placed:
    """A located interval: document key (``NOWHERE`` if it has no place), space code, start and end.

    ``reference`` is the key of the document that is named, whether or not there is a place in it. ``near`` is the place
    in a stored document that is another spelling of a named one which is not stored.
    """

    document: int
    space: int
    start: int
    end: int
    located: Located
    reference: int = NOWHERE
    near: Placed | None = None

    @property
    def may_stand(self) -> bool:
        """Whether it has no known place and may stand in its document all the same."""
        unknown = self.located.state in ("not-found", "mismatch", "out-of-range", "ambiguous")
        return self.document < 0 and (unknown or self.located.diagnosis == "no-text")

    def holds(self, other: Placed) -> bool:
        """Whether the other interval lies inside this one."""
        same = self.document == other.document >= 0 and self.space == other.space
        return same and self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Placed) -> bool:
        """Whether the two intervals share a position."""
        same = self.document == other.document >= 0 and self.space == other.space
        return same and self.start < other.end and other.start < self.end


@dataclass
class Places:
    """The documents at hand, and a key for every reference that was met.

    Attributes:
        inventory: empty where no documents were given. view: None where eligibility is not asked.
        offset_tables: by which positions of different spaces compare; None without any.
        keys: document key of every reference met so far; refs: the reference of each key.
    """

    inventory: Inventory
    view: View | None = None
    offset_tables: OffsetTables | None = None
    keys: dict[RefKey, int] = field(default_factory=dict)
    refs: list[RefKey] = field(default_factory=list)
    _lengths: dict[RefKey, int | None] = field(default_factory=dict)
    _states: dict[tuple[RefKey, str | None], int] = field(default_factory=dict)

    @property
    def documents_given(self) -> bool:
        """Whether references and texts can be checked."""
        return len(self.inventory) > 0

    @cached_property
    def offsets(self) -> Offsets | None:
        """The offset tables by document key."""
        return Offsets(self.offset_tables, self.refs, self.text) if self.offset_tables is not None else None

    def in_text(self, place: Placed) -> Placed:
        """A located interval in code points, where an offset table tells them; else as it is."""
        if self.offsets is None or place.document < 0 or place.space == CHAR:
            return place
        columns = (integers([value]) for value in (place.document, place.space, place.start, place.end))
        start, end, known = self.offsets.in_text(*columns)
        return replace(place, space=CHAR, start=int(start[0]), end=int(end[0])) if known[0] else place

    def key(self, ref: RefKey) -> int:
        """The key of a reference."""
        known = self.keys.get(ref)
        if known is None:
            known = self.keys[ref] = len(self.refs)
            self.refs.append(ref)
        return known

    def locate(self, anchor: Anchor, within: Sequence[Anchor] = ()) -> Placed:
        """Where an anchor or a unit stands."""
        located = self.inventory.locate(anchor, within) if self.documents_given else locate_within(anchor, within, None)
        if not located.coverable or located.start is None or located.end is None:
            near = self._near(anchor, within) if located.state in ("document-missing", "version-missing") else None
            return Placed(NOWHERE, SPACE_CODE[anchor.space], 0, 0, located, self.key(anchor.ref.key), near)
        key = self.key(anchor.ref.key)
        return Placed(key, SPACE_CODE[anchor.space], located.start, located.end, located, key)

    def _near(self, anchor: Anchor, within: Sequence[Anchor]) -> Placed | None:
        """Where an anchor would stand in the stored document that its own is another spelling of."""
        stored = self.inventory.near(anchor.ref) if self.documents_given and not within else None
        if stored is None:
            return None
        placed = self.locate(anchor.model_copy(update={"ref": stored.ref}))
        return placed if placed.document >= 0 else None

    def quick(self, ref: RefKey, space: str, start: int, end: int) -> Placed | None:
        """``locate`` of plain positions, without a model; None where only ``locate`` can tell what is wrong."""
        code = SPACE_CODE.get(space)
        if code is None or not 0 <= start < end:
            return None
        length = self.length(ref)
        if length is None or (length >= 0 and space == "char" and end > length):
            return None
        located = _RESOLVED if space == "char" and length >= 0 else _AS_STATED
        key = self.key(ref)
        return Placed(key, code, start, end, located, key)

    def in_other(self, ref: RefKey, units: UnitTable, unit: int, text: str | None) -> Placed | None:
        """Where a unit would stand in a document that it does not name; None where it would have no place there.

        Without a text it stands where it says, and anywhere in the document if it does not say.
        """
        start, end, space = int(units.start[unit]), int(units.end[unit]), SPACES[int(units.space[unit])]
        stated = end > start
        anywhere = Placed(self.key(ref), SPACE_CODE["document"], 0, 1, _AS_STATED, self.key(ref))
        if not stated and (text is None or not self.documents_given):
            return anywhere
        fields = {
            "ref": dict(zip(("source", "doc", "version"), ref, strict=True)), "exact": text, "space": space,
            **({"start": start, "end": end} if stated else {}),
        }  # fmt: skip
        placed = self.locate(Anchor.model_validate(fields))
        return placed if placed.document >= 0 else anywhere if placed.may_stand else None

    def text(self, key: int) -> str | None:
        """The stored text of a document key; None where none is at hand."""
        document = self.inventory.get(Reference.of_key(self.refs[key]))
        return document.text if document is not None else None

    def occurrences(self, key: int, text: str, match: TextMatch | None = None) -> list[tuple[int, int]]:
        """Every place of a text in the stored text of a document key, compared as asked or as the audit compares; none
        where no text is at hand.
        """
        whole = self.text(key)
        return places_of(whole, text, match or self.inventory.text_match) if whole is not None and text else []

    def length(self, ref: RefKey) -> int | None:
        """Length of the stored text in code points, -1 where no text is at hand; None where the reference is not
        good.
        """
        if not self.documents_given:
            return -1
        if ref not in self._lengths:
            found = self.inventory.lookup(Reference.of_key(ref))
            text = found.document.text if found.document is not None else None
            good = found.state == "found"
            self._lengths[ref] = (len(text) if text is not None else -1) if good else None
        return self._lengths[ref]

    def state(self, ref: RefKey, access: str | None = None) -> int:
        """Place in ``ELIGIBILITIES`` of what the view says; 0 is eligible.

        ``access`` is the label that a unit carries itself. It stands in where the document has none; where both have
        one, both must be allowed. Without an inventory the unit's own label is all that is known of the document.
        """
        if self.view is None:
            return 0
        known = self._states.get((ref, access))
        if known is None:
            known = self._states[ref, access] = self._judge(ref, access)
        return known

    def _judge(self, ref: RefKey, access: str | None) -> int:
        reference = Reference.of_key(ref)
        document = self.inventory.get(reference)
        if document is None and not self.documents_given:
            document = SourceDocument(ref=reference, access=access)
        states = [eligibility(document, self.view)]
        if document is not None and access is not None:
            labelled = eligibility(document.model_copy(update={"access": access}), self.view)
            states = [labelled] if document.access is None else [*states, labelled]
        return next((ELIGIBILITIES.index(s) for s in states if s != "eligible"), 0)
