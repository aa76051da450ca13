"""Every anchor of a file with its place in it: native needs, nested or flat, and foreign gold files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from evaudit.findings import Where
from evaudit.formats.foreign import Foreign
from evaudit.formats.refusals import Refusals
from evaudit.formats.tables import Objects, holds_json_lines, read_json_objects, read_table
from evaudit.results import InputFile
from evaudit.sources.anchor import Anchor
from evaudit.strict_yaml import row_problems

FLAT = ("source", "doc", "version")
_CELLS = ("exact", "prefix", "suffix", "start", "end")


@dataclass(frozen=True, slots=True)
class AnchorRow:
    """An anchor: whose it is, where it stands in the file, and the keys that lead to it in the record of its line.

    ``nowhere`` says why a foreign format gives the passage no place at all; ``within`` are the anchors that it refines.
    """

    need: str
    name: str
    anchor: Anchor
    where: Where
    steps: tuple[str | int, ...] = ()
    nowhere: str | None = None
    within: Sequence[Anchor] = ()


def native_anchors(path: str) -> tuple[list[AnchorRow], tuple[InputFile, ...]]:
    """The anchors of a table of needs.

    Raises:
        UnreadableInputError: it is missing. InvalidDocumentError: it is refused, or an anchor breaks its form.
    """
    if holds_json_lines(path):
        objects = read_json_objects(path)
        if any("components" in row for row in objects.rows):
            return _nested_rows(objects), objects.inputs
    refusals = Refusals(path)
    table = read_table(path, required=("need", *FLAT), optional=("bundle", "component", "space", *_CELLS), name="needs")
    columns = {name: table.texts(name) for name in ("need", "component", "space", *FLAT, *_CELLS)}
    rows = []
    for place in range(len(table)):
        cells = {name: values[place] for name, values in columns.items()}
        if cells["doc"]:
            row = _anchor(cells["need"], cells["component"], _flat(cells), table.where(place), (), refusals)
            rows.extend([row] if row else [])
    refusals.raise_if_any()
    return rows, table.inputs


def _nested_rows(objects: Objects) -> list[AnchorRow]:
    refusals: dict[str, Refusals] = {}
    found: list[AnchorRow] = []
    for content, where in zip(objects.rows, objects.places, strict=True):
        found += _nested(content, where, refusals.setdefault(str(where.path), Refusals(str(where.path))))
    for of_file in refusals.values():
        of_file.raise_if_any()
    return found


def _flat(cells: Mapping[str, str]) -> dict[str, Any]:
    given = {name: cells[name] for name in _CELLS if cells[name]}
    return {"ref": {name: cells[name] for name in FLAT}, "space": cells["space"] or "char", **given}


def _nested(row: Mapping[str, Any], where: Where, refusals: Refusals) -> Iterator[AnchorRow]:
    components = row.get("components")
    for name, component in components.items() if isinstance(components, dict) else ():
        members = component if isinstance(component, dict) else {}
        places: list[tuple[tuple[str | int, ...], Any]] = []
        if "anchor" in members:
            places.append((("components", name, "anchor"), members["anchor"]))
        several = members.get("any_of")
        if isinstance(several, list):
            places += [(("components", name, "any_of", n), one) for n, one in enumerate(several)]
        for steps, value in places:
            found = _anchor(str(row.get("need") or ""), name, value, where, steps, refusals)
            if found is not None:
                yield found


def _anchor(
    need: str, name: str, value: Any, where: Where, steps: tuple[str | int, ...], refusals: Refusals
) -> AnchorRow | None:
    try:
        return AnchorRow(need, name, Anchor.model_validate(value), where, steps)
    except ValidationError as error:
        problems = row_problems(Anchor, value if isinstance(value, dict) else {}, error)
        refusals.add("need-invalid", problems[0][2], where.line, where.pointer)
        return None


def foreign_anchors(found: Foreign, path: str) -> list[AnchorRow]:
    """The anchors of a foreign gold file, each once a need."""
    rows = []
    for need in found.needs:
        passages = dict.fromkeys(passage for bundle in need.bundles for passage in bundle)
        for passage in passages:
            where = Where(path, need.line)
            if passage.nowhere is not None and passage.start is None and passage.exact is None:
                continue
            rows.append(
                AnchorRow(need.need, passage.name, passage.anchor(), where, (), passage.nowhere, passage.outer())
            )
    return rows
