"""The table of needs: JSON Lines with components and bundles nested, or flat with one row an anchor."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from pydantic import ValidationError

from evaudit.bundles.declarations import NeedDeclaration
from evaudit.bundles.gathering import NeedBuilder
from evaudit.bundles.places import Placed
from evaudit.bundles.problems import Problems
from evaudit.fields import shown
from evaudit.findings import Finding, Where, finding
from evaudit.formats.claims import StatedClaims, of_known_components
from evaudit.formats.needs_file import NESTED, OPTIONAL, REQUIRED, NeedsFile
from evaudit.formats.refusals import Refusals
from evaudit.formats.tables import Table
from evaudit.sources.anchor import Anchor
from evaudit.strict_yaml import pointer, row_problems

_POSITION = re.compile("[0-9]{1,18}")


@dataclass
class ReadNeeds:
    """What the table of needs gave, beside what went into the builder.

    Attributes:
        withheld: needs (by place) with an error, and the findings of these.
        where: need to the place where it begins.
        columns: the other columns, one value a need, for ``--by``.
    """

    findings: list[Finding] = field(default_factory=list)
    withheld: list[int] = field(default_factory=list)
    where: dict[str, Where] = field(default_factory=dict)
    columns: dict[str, list[str]] = field(default_factory=dict)

    def problems(self, needs: Sequence[str]) -> Problems:
        """The problems of the audit, begun with these."""
        found = Problems(needs, lambda need: self.where.get(needs[need]))
        found.withhold(self.withheld)
        return found


def read_needs(file: NeedsFile, start: int, stop: int, builder: NeedBuilder, stated: StatedClaims) -> ReadNeeds:
    """Read a range of rows into ``builder``, each need with its claims.

    An error about one need withholds that need; a row that cannot be read refuses the file.

    Raises:
        InvalidDocumentError: the file is refused.
    """
    read = ReadNeeds()
    if file.objects is not None:
        rows, places = file.objects.rows[start:stop], file.objects.places[start:stop]
        _read_nested(rows, places, builder, stated, read, file.further)
    else:
        _read_flat(file.flat.read(start, stop), file.further, builder, stated, read)
    return read


def _read_nested(
    rows: Sequence[Mapping[str, object]],
    places: Sequence[Where],
    builder: NeedBuilder,
    stated: StatedClaims,
    read: ReadNeeds,
    extra: Sequence[str],
) -> None:
    read.columns = {name: [] for name in extra}
    refusals: dict[str, Refusals] = {}
    at: dict[str, int] = {}
    for row, where in zip(rows, places, strict=True):
        need = row.get("need")
        if not isinstance(need, str) or not need.strip():
            of_file = refusals.setdefault(str(where.path), Refusals(str(where.path)))
            of_file.add("table-row-unreadable", "expected the id of a need under 'need', found none", where.line)
            continue
        if (first := read.where.get(need)) is not None:
            also = f"on line {first.line}" if first.path == where.path else f"in {first.path}, line {first.line}"
            message = f"the need {need} also stands {also}; ids of needs are unique"
            read.findings.append(finding("need-repeated", message, where=where, need=need))
            read.withheld.append(at[need])
            continue
        read.where[need], at[need] = where, len(builder.needs)
        _add_nested(row, need, where, builder, stated, read)
        for name in extra:
            value = row.get(name)
            read.columns[name].append("" if value is None else str(value))
    for of_file in refusals.values():
        of_file.raise_if_any()


def _add_nested(
    row: Mapping[str, object], need: str, where: Where, builder: NeedBuilder, stated: StatedClaims, read: ReadNeeds
) -> None:
    fields = {k: v for k, v in row.items() if k in NESTED and v is not None}
    problems = _misspelt(row)
    try:
        declared = NeedDeclaration.model_validate(fields)
    except ValidationError as error:
        problems += row_problems(NeedDeclaration, fields, error)
    if problems:
        read.withheld.append(builder.start(need))
        for rule, pointer, message in problems:
            place = Where(where.path, where.line, None, pointer)
            read.findings.append(finding(rule, message, where=place, need=need))
        return
    documents = {a.ref.key for component in declared.components.values() for a in component.anchors}
    if not declared.accept and (declared.components or fields.get("accept") is None):
        names = ", ".join(declared.components) or "none yet"
        message = f"need {need} accepts no bundle, so nothing is required; name the components ({names}) under accept"
        read.findings.append(finding("need-requires-nothing", message, where=where, need=need))
    more = stated.of(need, declared.path or (), documents, declared.claims)
    more, unknown = of_known_components(more, declared.components, need)
    repeated = {c.id for c in declared.claims} & {c.declared.id for c in more}
    builder.add(declared, where=where, more=more)
    if unknown:
        read.findings.extend(unknown)
        read.withheld.append(len(builder.needs) - 1)
    if repeated:
        message = f"the claim ids {', '.join(sorted(repeated))} stand both here and in the table of claims"
        read.findings.append(finding("claim-invalid", message, where=where, need=need))
        read.withheld.append(len(builder.needs) - 1)


def _misspelt(row: Mapping[str, object]) -> list[tuple[str, str, str]]:
    """Fields that look like one of a need's own: further columns hold single values, these hold lists or mappings."""
    found = []
    for key, value in row.items():
        if key in NESTED or not isinstance(value, list | dict):
            continue
        if near := get_close_matches(key, [n for n in NESTED if n not in row], 1, 0.7):
            message = f"expected one of the fields {', '.join(NESTED)}, found {shown(key)}; did you mean {near[0]}?"
            found.append(("unknown-field", pointer((key,)), message))
    return found


@dataclass
class _FlatNeed:
    """Rows of one need: by bundle and component the anchors with their rows; ``bad`` rows with what is wrong."""

    first: int
    bundles: dict[str, dict[str, list[tuple[Anchor | None, Placed, int]]]] = field(default_factory=dict)
    bad: list[tuple[int, str]] = field(default_factory=list)


def _read_flat(
    table: Table, further: Sequence[str], builder: NeedBuilder, stated: StatedClaims, read: ReadNeeds
) -> None:
    columns = {name: table.texts(name) for name in (*REQUIRED, *OPTIONAL)}
    needs: dict[str, _FlatNeed] = {}
    refusals = Refusals(table.path)
    for row, need in enumerate(columns["need"]):
        if not need.strip():
            place = table.where(row)
            refusals.add(
                "table-row-unreadable", "expected the id of a need, found an empty cell", place.line, place.pointer
            )
            continue
        _note_row(row, columns, needs.setdefault(need, _FlatNeed(row)), builder)
    refusals.raise_if_any()
    for need, rows in needs.items():
        _add_flat(need, rows, table, builder, stated, read)
    first = [rows.first for rows in needs.values()]
    for name in further:
        values = table.texts(name)
        read.columns[name] = [values[row] for row in first]


def _note_row(row: int, columns: Mapping[str, Sequence[str]], rows: _FlatNeed, builder: NeedBuilder) -> None:
    bundle, component = columns["bundle"][row], columns["component"][row]
    if not bundle and not component and not columns["doc"][row]:
        return  # a need that requires nothing
    if not bundle or not component:
        rows.bad.append((row, "expected both a bundle and a component, found an empty cell"))
        return
    try:
        anchor, place = _flat_anchor(row, columns, builder)
    except ValueError as error:
        message = str(error)
        if isinstance(error, ValidationError):
            cells = {name: values[row] or None for name, values in columns.items()}
            message = "; ".join(words for _, _, words in row_problems(Anchor, cells, error))
        rows.bad.append((row, message))
        return
    rows.bundles.setdefault(bundle, {}).setdefault(component, []).append((anchor, place, row))


def _flat_anchor(row: int, columns: Mapping[str, Sequence[str]], builder: NeedBuilder) -> tuple[Anchor | None, Placed]:
    ref = (columns["source"][row], columns["doc"][row], columns["version"][row])
    start, end, space = columns["start"][row], columns["end"][row], columns["space"][row] or "char"
    quoted = any(columns[name][row] for name in ("exact", "prefix", "suffix"))
    if not quoted and _POSITION.fullmatch(start) and _POSITION.fullmatch(end) and all(ref):
        quick = builder.places.quick(ref, space, int(start), int(end))
        if quick is not None:
            return None, quick
    cells = {name: columns[name][row] or None for name in ("exact", "prefix", "suffix", "start", "end")}
    anchor = Anchor.model_validate(
        {"ref": dict(zip(("source", "doc", "version"), ref, strict=True)), "space": space, **cells}
    )
    return anchor, builder.places.locate(anchor)


def _add_flat(
    need: str, rows: _FlatNeed, table: Table, builder: NeedBuilder, stated: StatedClaims, read: ReadNeeds
) -> None:
    place = builder.start(need)
    read.where[need] = table.where(rows.first)
    for row, message in rows.bad:
        read.findings.append(finding("need-invalid", message, where=table.where(row), need=need))
        read.withheld.append(place)
    known: dict[tuple[object, ...], int] = {}
    names: dict[str, int] = {}
    several: set[str] = set()
    documents = set()
    for bundle, components in rows.bundles.items():
        members = []
        for name, anchors in components.items():
            # The same component in two bundles is one component only if it has the same anchors in both.
            spans = {(p.document, p.space, p.start, p.end) for _, p, _ in anchors}
            key = (name, frozenset(spans))
            if key not in known or any(p.document < 0 for _, p, _ in anchors):
                label = name if name not in names else f"{bundle}/{name}"
                several |= {name} - {label}
                known[key] = names[label] = builder.component(label, [p for _, p, _ in anchors])
                for anchor, placed, row in anchors:
                    _note(anchor, placed, row, table, builder)
            documents |= {builder.places.refs[p.document] for _, p, _ in anchors if p.document >= 0}
            members.append(known[key])
        builder.bundle(bundle, members)
    claims, unknown = of_known_components(stated.of(need, (), documents), names, need, several)
    if unknown:
        read.findings.extend(unknown)
        read.withheld.append(place)
    if claims:
        builder.add_claims(place, claims, names, None)


def _note(anchor: Anchor | None, placed: Placed, row: int, table: Table, builder: NeedBuilder) -> None:
    if anchor is not None:
        builder.note_anchor(anchor, placed, table.where(row))
    else:
        builder.checked += placed.located.state == "resolved"
        builder.as_stated += placed.located.state == "as-stated"
