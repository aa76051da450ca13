"""From declared needs to columns: components, anchors, bundles and claims are added need by need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from evaudit.bundles.claims import Claim, NeedClaims, Settlement
from evaudit.bundles.columns import SPACES, Integers, NeedTable, integers
from evaudit.bundles.declarations import ClaimDeclaration, NeedDeclaration, StatedClaim
from evaudit.bundles.intervals import Intervals
from evaudit.bundles.places import Placed, Places, RefKey
from evaudit.fields import moment
from evaudit.findings import Finding, Where, finding
from evaudit.sources.anchor import Anchor, anchor_finding


@dataclass
class NeedBuilder:
    """Collects needs; ``table`` gives the columns, ``claims`` what is said about each need.

    Attributes:
        checked, as_stated: required anchors whose text was checked, and those taken as stated.
        relations: of the claims that stand in the declared needs themselves, how many have each relation.
    """

    places: Places
    needs: list[str] = field(default_factory=list)
    claims: dict[int, NeedClaims] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    checked: int = 0
    as_stated: int = 0
    relations: Counter[str] = field(default_factory=Counter)
    _component_need: list[int] = field(default_factory=list)
    _component_names: list[str] = field(default_factory=list)
    _absent: list[bool] = field(default_factory=list)
    _anchors: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    _placed: list[list[Placed]] = field(default_factory=list)
    _named: list[int] = field(default_factory=list)
    _near: list[Placed | None] = field(default_factory=list)
    _bundle_need: list[int] = field(default_factory=list)
    _bundle_names: list[str] = field(default_factory=list)
    _bundles: list[list[int]] = field(default_factory=list)

    def start(self, need: str) -> int:
        """Open the next need; its components and bundles must follow before the next one is opened."""
        self.needs.append(need)
        return len(self.needs) - 1

    def component(self, name: str, anchors: Sequence[Placed], *, absent: bool = False) -> int:
        """Add a component of the open need."""
        row = len(self._component_names)
        self._component_need.append(len(self.needs) - 1)
        self._component_names.append(name)
        self._absent.append(absent)
        self._placed.append(list(anchors))
        self._anchors.extend((row, place.document, place.space, place.start, place.end) for place in anchors)
        self._named.extend(place.reference for place in anchors)
        self._near.extend(place.near for place in anchors)
        return row

    def bundle(self, name: str, components: Sequence[int]) -> bool:
        """Add an accepted bundle of the open need. Whether it names a component twice, which is required once."""
        self._bundle_need.append(len(self.needs) - 1)
        self._bundle_names.append(name)
        self._bundles.append(list(dict.fromkeys(components)))
        return len(self._bundles[-1]) < len(components)

    def add(
        self,
        declared: NeedDeclaration,
        *,
        name: str | None = None,
        where: Where | None = None,
        more: Sequence[StatedClaim] = (),
    ) -> int:
        """Add a declared need with its components, bundles and claims, and with ``more`` claims about it."""
        need = self.start(name if name is not None else declared.need)
        rows: dict[str, int] = {}
        for label, component in declared.components.items():
            placed = [self.places.locate(anchor) for anchor in component.anchors]
            rows[label] = self.component(label, placed, absent=component.absent is not None)
            for anchor, place in zip(component.anchors, placed, strict=True):
                self.note_anchor(anchor, place, where)
        for place_, accepted in enumerate(declared.accept, 1):
            if self.bundle(str(place_), [rows[label] for label in accepted]):
                message = f"accepted bundle {place_} names a component more than once; it is required once"
                self.findings.append(finding("bundle-component-repeated", message, where=where, need=self.needs[need]))
        self.relations.update(claim.says[1] for claim in declared.claims)
        claims = [*(StatedClaim(claim, where=where) for claim in declared.claims), *more]
        if claims or declared.path is not None:
            settled = tuple(Settlement(r.rule, r.keep, tuple(r.dismiss), r.by, r.why) for r in declared.resolutions)
            path = tuple(declared.path) if declared.path is not None else None
            self.add_claims(need, claims, rows, path, settled)
        return need

    def note_anchor(self, anchor: Anchor, place: Placed, where: Where | None) -> None:
        """Count how an anchor was checked, and report one that has no place."""
        self.checked += place.located.state == "resolved"
        self.as_stated += place.located.state == "as-stated"
        found = anchor_finding(anchor, place.located, where=where, need=self.needs[-1])
        if found is not None:
            self.findings.append(found)

    def add_claims(
        self,
        need: int,
        stated: Sequence[StatedClaim],
        rows: Mapping[str, int],
        path: tuple[str, ...] | None,
        settlements: tuple[Settlement, ...] = (),
    ) -> None:
        """Add the claims of the open need; one with an anchor of its own becomes a component that no bundle names.

        It stands on the components whose anchor contains it, and on the one that it names.
        """
        claims: list[Claim] = []
        found: Intervals | None = None
        inside = sorted(set(rows.values()))
        for one in stated:
            claim = one.declared
            if claim.component is not None:
                row, on = rows[claim.component], {rows[claim.component]}
                places, refs = self._placed[row], None
            else:
                assert claim.anchor is not None
                places = [self.places.locate(claim.anchor)]
                row = self.component(f"claim {claim.id}", places)
                found = found or Intervals([(c, p) for c in inside for p in self._placed[c]], self.places.in_text)
                on = {component for component, _ in found.holding(places[0])}
                on |= {rows[one.component]} if one.component is not None else set()
                if not on and claim.id not in (path or ()):
                    self._note_beside(one, places[0], found)
                refs = claim.anchor.ref.key
            stands = self._claim(claim, row, on, places, refs)
            if claim.anchor is not None and not stands.located:
                stands = self._anywhere(stands, claim.anchor, inside)
                message = (
                    f"the place of claim {claim.id} is not known: {places[0].located.message}; the need is withheld "
                    "where the claim could change its answer"
                )
                self.findings.append(finding("claim-unlocated", message, where=one.where, need=self.needs[need]))
            claims.append(stands)
        self.claims[need] = NeedClaims(claims, path, settlements)

    def _note_beside(self, one: StatedClaim, place: Placed, found: Intervals) -> None:
        """Report a claim on no component that shares text with the anchor of one."""
        refs = self.places.refs
        touched = [f"{self._component_names[c]} ({span_words(p, refs)})" for c, p in found.touching(place)]
        if touched:
            message = (
                f"claim {one.declared.id} ({span_words(place, refs)}) stands on no component and can refuse nothing "
                f"itself; it overlaps the anchor of {', '.join(touched)}, which does not contain it; name that "
                "component, or give a span within the anchor"
            )
            self.findings.append(finding("claim-beside-component", message, where=one.where, need=self.needs[-1]))

    def _anywhere(self, claim: Claim, anchor: Anchor, components: Sequence[int]) -> Claim:
        """A claim that stands nowhere, with its document, if that is at hand, and where it could stand there."""
        given = self.places.inventory.lookup(anchor.ref).document is not None
        if self.places.documents_given and not given:
            return claim
        key = self.places.key(anchor.ref.key)
        could = tuple(c for c in components if any(p.document == key for p in self._placed[c]))
        return replace(claim, document=key, could_stand_on=could)

    def _claim(
        self,
        declared: ClaimDeclaration,
        row: int,
        on: set[int],
        places: Sequence[Placed],
        ref: tuple[str, str, str] | None,
    ) -> Claim:
        refs = [self.places.refs[p.document] for p in places if p.document >= 0] or ([ref] if ref else [])
        states = [self.places.state(r) for r in refs]
        subject, relation, object_ = declared.says
        return Claim(
            declared.id, subject, relation, object_, declared.polarity == "positive", row, tuple(sorted(on | {row})),
            moment(declared.valid_from) if declared.valid_from else None,
            moment(declared.valid_to) if declared.valid_to else None,
            eligible=any(s == 0 for s in states) if self.places.view is not None else True,
            located=any(p.document >= 0 for p in places),
            source=refs[0][0] if refs else None,
        )  # fmt: skip

    @property
    def named(self) -> Integers:
        """Key of the document that each anchor names, whether or not it resolves there."""
        return integers(self._named)

    def near(self, two: Callable[[RefKey], bool]) -> tuple[NeedTable | None, set[tuple[RefKey, RefKey]]]:
        """The needs with each anchor of a document that is not stored in the stored one that is another spelling of it;
        None without any. And the stored and the named document of each such anchor.

        ``two`` tells that a stored document is one of its own.
        """
        refs = self.places.refs
        rows = [i for i, place in enumerate(self._near) if place is not None and not two(refs[place.document])]
        if not rows:
            return None, set()
        table = self.table()
        columns = [c.copy() for c in (table.anchor_document, table.anchor_space, table.anchor_start, table.anchor_end)]
        pairs = set()
        for row in rows:
            place = self._near[row]
            assert place is not None
            for column, value in zip(columns, (place.document, place.space, place.start, place.end), strict=True):
                column[row] = value
            pairs.add((refs[place.document], refs[self._named[row]]))
        document, space, start, end = columns
        return replace(table, anchor_document=document, anchor_space=space, anchor_start=start, anchor_end=end), pairs

    def table(self) -> NeedTable:
        """The columns of everything that was added."""
        component, document, space, start, end = zip(*self._anchors, strict=True) if self._anchors else ((),) * 5
        sizes = [len(bundle) for bundle in self._bundles]
        return NeedTable(
            tuple(self.needs), integers(self._component_need), tuple(self._component_names),
            np.asarray(self._absent, dtype=np.bool_), integers(component), integers(document), integers(space),
            integers(start), integers(end), integers(self._bundle_need), tuple(self._bundle_names),
            integers(np.append(0, np.cumsum(sizes, dtype=np.int64))), integers([c for b in self._bundles for c in b]),
        )  # fmt: skip


def span_words(place: Placed, documents: Sequence[tuple[str, str, str]]) -> str:
    """An interval for people, e.g. ``wiki/pump-a@1 char 0-21``."""
    if place.document < 0:
        return "nowhere"
    source, doc, version = documents[place.document]
    return f"{source}/{doc}@{version} {SPACES[place.space]} {place.start}-{place.end}"
