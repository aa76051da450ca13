"""The table of claims: one row a claim with the passage it stands on; a claim without a need belongs to every need."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import pyarrow as pa
from pydantic import ValidationError

from evaudit.bundles.declarations import ClaimDeclaration, StatedClaim, did_you_mean
from evaudit.fields import shown
from evaudit.findings import Finding, finding
from evaudit.formats.refusals import LIMIT, Refusals
from evaudit.formats.table_source import frame_table
from evaudit.formats.tables import Table, read_table
from evaudit.near_ids import Spellings, near_hint
from evaudit.results import InputFile
from evaudit.strict_yaml import row_problems

_REQUIRED = ("claim", "subject", "relation", "object", "source", "doc", "version")
_OPTIONAL = ("need", "component", "polarity", "space", "start", "end", "exact", "valid_from", "valid_to")


@dataclass
class StatedClaims:
    """Claims by need, and those of every need.

    Attributes:
        own: by need id, in row order. shared: claims of the whole inventory, in row order.
    """

    own: dict[str, list[StatedClaim]] = field(default_factory=dict)
    shared: list[StatedClaim] = field(default_factory=list)

    def of(
        self,
        need: str,
        path: Iterable[str],
        documents: Iterable[tuple[str, str, str]],
        within: Iterable[ClaimDeclaration] = (),
    ) -> list[StatedClaim]:
        """The claims that can matter to a need, beside those that stand ``within`` it.

        These are its own; of the shared ones those in its path or in a document of its anchors, and every other one
        about a subject of these.
        """
        own = self.own.get(need, [])
        if not self.shared:
            return list(own)
        index = self._index
        near = {n for name in path for n in index.by_id.get(name, ())}
        near |= {n for document in documents for n in index.by_document.get(document, ())}
        subjects = {c.declared.says[0] for c in (*own, *(self.shared[n] for n in near))} | {c.says[0] for c in within}
        about = sorted(n for subject in subjects for n in index.by_subject.get(subject, ()))
        return [*own, *(self.shared[n] for n in about)]

    @cached_property
    def _index(self) -> _Index:
        """Where the shared claims stand in their list, so that no need looks through all of them."""
        index = _Index()
        for place, claim in enumerate(self.shared):
            index.by_id.setdefault(claim.declared.id, []).append(place)
            index.by_subject.setdefault(claim.declared.says[0], []).append(place)
            index.by_document.setdefault(_document(claim), []).append(place)
        return index


@dataclass
class _Index:
    """Places of claims in a list, by id, subject and document."""

    by_id: dict[str, list[int]] = field(default_factory=dict)
    by_subject: dict[str, list[int]] = field(default_factory=dict)
    by_document: dict[tuple[str, str, str] | None, list[int]] = field(default_factory=dict)


def _document(claim: StatedClaim) -> tuple[str, str, str] | None:
    return claim.declared.anchor.ref.key if claim.declared.anchor is not None else None


_MOST_COMPARED = 5000
"""Names among which a near one is looked for: each takes some 15 microseconds."""


def _near(name: str, known: Collection[str], told: int) -> str:
    """A near name, as ``did_you_mean``; beyond the findings that are listed nobody reads it."""
    return did_you_mean(name, known) if told < LIMIT and len(known) <= _MOST_COMPARED else ""


def of_unknown_needs(stated: StatedClaims, needs: Collection[str]) -> list[Finding]:
    """A finding for each claim of a need that the table of needs does not have."""
    found: list[Finding] = []
    spellings: Spellings | None = None
    for need, claims in stated.own.items():
        if need in needs:
            continue
        spellings = spellings or Spellings(needs)
        hint = near_hint(need, spellings) or _near(need, needs, len(found))
        for claim in claims:
            message = (
                f"expected a need of the table of needs, found {need!r} (claim {claim.declared.id}){hint}; it opposes "
                "nothing"
            )
            found.append(finding("need-unknown", message, where=claim.where))
    return found


def of_known_components(
    claims: Iterable[StatedClaim], known: Collection[str], need: str, several: Collection[str] = ()
) -> tuple[list[StatedClaim], list[Finding]]:
    """The claims that name a component of the need, or none; and a finding for each other one.

    ``several`` are names that a flat table of needs gives to more than one passage of the need.
    """
    good: list[StatedClaim] = []
    found: list[Finding] = []
    for claim in claims:
        name = claim.component or claim.declared.component
        if name is None or (name in known and name not in several):
            good.append(claim)
            continue
        message = f"expected a component of need {need} under component, found {shown(name)}"
        if name in several:
            message += ", which stands for different passages in its bundles; leave the cell empty and give the span"
        else:
            message += f"; correct claim {claim.declared.id}{_near(name, known, len(found))}"
        found.append(finding("claim-invalid", message, where=claim.where, need=need))
    return good, found


def read_claims(path: str | pa.Table) -> tuple[StatedClaims, tuple[InputFile, ...]]:
    """Read the claims.

    Raises:
        UnreadableInputError: the file is missing. InvalidDocumentError: a row breaks its form, or an id repeats in a
            need.
    """
    if isinstance(path, pa.Table):
        table = frame_table(path, "claims", _REQUIRED, _OPTIONAL)
    else:
        table = read_table(path, required=_REQUIRED, optional=_OPTIONAL, name="claims")
    refusals = Refusals(table.path)
    columns = {name: table.texts(name) for name in (*_REQUIRED, *_OPTIONAL)}
    stated = StatedClaims()
    for row in range(len(table)):
        claim = _claim(row, columns, refusals, table)
        if claim is not None:
            need = columns["need"][row]
            (stated.own.setdefault(need, []) if need else stated.shared).append(claim)
    _refuse_repeated(stated, refusals)
    refusals.raise_if_any()
    return stated, tuple(record for record in table.inputs if record.sha256)


def _refuse_repeated(stated: StatedClaims, refusals: Refusals) -> None:
    """Refuse ids that repeat in a need; the claims of every need are in each of them."""
    shared = {claim.declared.id for claim in stated.shared}
    for need, claims in (("", stated.shared), *stated.own.items()):
        seen: set[str] = set()
        for claim in claims:
            name = claim.declared.id
            if claim.where is not None and (name in seen or (need and name in shared)):
                what = "stands twice in one need" if name in seen else "is that of a claim of every need, too"
                message = f"the claim id {name} {what}; rename one of the claims"
                refusals.add("table-row-unreadable", message, claim.where.line, claim.where.pointer)
            seen.add(name)


def _claim(row: int, columns: Mapping[str, Sequence[str]], refusals: Refusals, table: Table) -> StatedClaim | None:
    """One row. A component stands in for the passage, or beside it; names of components belong to one need."""
    cell = {name: column[row] or None for name, column in columns.items()}
    place = table.where(row)
    if cell["component"] and not cell["need"]:
        message = "expected a need beside the component, found an empty cell; names of components belong to one need"
        refusals.add("table-row-unreadable", message, place.line, place.pointer)
        return None
    passage = any(cell[name] for name in ("source", "doc", "version", "start", "end", "exact"))
    on_component = cell["component"] is not None and not passage
    anchor = {name: cell[name] for name in ("start", "end", "exact")} | {"space": cell["space"] or "char"}
    at = {"anchor": {"ref": {name: cell[name] for name in ("source", "doc", "version")}, **anchor}}
    fields: dict[str, object] = {
        "id": cell["claim"],
        "says": [cell["subject"], cell["relation"], cell["object"]],
        "polarity": cell["polarity"] or "positive",
        "valid_from": cell["valid_from"],
        "valid_to": cell["valid_to"],
    }
    fields |= {"component": cell["component"]} if on_component else at
    try:
        declared = ClaimDeclaration.model_validate(fields)
        return StatedClaim(declared, None if on_component else cell["component"], place)
    except ValidationError as error:
        for _, where, message in row_problems(ClaimDeclaration, fields, error):
            refusals.add("table-row-unreadable", f"{where.removeprefix('$.')}: {message}", place.line, place.pointer)
    return None
