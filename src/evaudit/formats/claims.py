"""The table of claims: one row a claim with the passage it stands on; a claim without a need belongs to every need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa
from pydantic import ValidationError

from evaudit.bundles.declarations import ClaimDeclaration
from evaudit.formats.refusals import Refusals
from evaudit.formats.table_source import frame_table
from evaudit.formats.tables import Table, read_table
from evaudit.results import InputFile
from evaudit.strict_yaml import row_problems

_REQUIRED = ("claim", "subject", "relation", "object", "source", "doc", "version")
_OPTIONAL = ("need", "polarity", "space", "start", "end", "exact", "valid_from", "valid_to")


@dataclass
class StatedClaims:
    """Claims by need, and those of every need.

    Attributes:
        own: by need id, in row order. shared: claims of the whole inventory, in row order.
    """

    own: dict[str, list[ClaimDeclaration]] = field(default_factory=dict)
    shared: list[ClaimDeclaration] = field(default_factory=list)

    def of(self, need: str, path: Iterable[str], documents: set[tuple[str, str, str]]) -> list[ClaimDeclaration]:
        """The claims that can matter to a need.

        These are its own; of the shared ones those in its path or in a document of its anchors, and every other one
        about
        a subject of these.
        """
        own = self.own.get(need, [])
        if not self.shared:
            return list(own)
        taken = {c.id for c in own}
        wanted = set(path)
        near = [c for c in self.shared if c.id in wanted or (c.anchor is not None and c.anchor.ref.key in documents)]
        subjects = {c.says[0] for c in (*own, *near)}
        return [*own, *(c for c in self.shared if c.says[0] in subjects and c.id not in taken)]


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
    seen: set[tuple[str, str]] = set()
    for row in range(len(table)):
        claim = _claim(row, columns, refusals, table)
        if claim is None:
            continue
        need = columns["need"][row]
        if (need, claim.id) in seen:
            place = table.where(row)
            message = f"the claim id {claim.id} stands twice in one need"
            refusals.add("table-row-unreadable", message, place.line, place.pointer)
        seen.add((need, claim.id))
        (stated.own.setdefault(need, []) if need else stated.shared).append(claim)
    refusals.raise_if_any()
    return stated, tuple(record for record in table.inputs if record.sha256)


def _claim(row: int, columns: Mapping[str, Sequence[str]], refusals: Refusals, table: Table) -> ClaimDeclaration | None:
    cell = {name: column[row] or None for name, column in columns.items()}
    anchor = {name: cell[name] for name in ("start", "end", "exact")} | {"space": cell["space"] or "char"}
    fields = {
        "id": cell["claim"],
        "says": [cell["subject"], cell["relation"], cell["object"]],
        "polarity": cell["polarity"] or "positive",
        "valid_from": cell["valid_from"],
        "valid_to": cell["valid_to"],
        "anchor": {"ref": {name: cell[name] for name in ("source", "doc", "version")}, **anchor},
    }
    try:
        return ClaimDeclaration.model_validate(fields)
    except ValidationError as error:
        place = table.where(row)
        for _, where, message in row_problems(ClaimDeclaration, fields, error):
            refusals.add("table-row-unreadable", f"{where.removeprefix('$.')}: {message}", place.line, place.pointer)
    return None
