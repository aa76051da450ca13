"""Flat needs without quotes, a whole block at once: columns in, columns out, no loop over rows.

``needs`` reads the same table row by row, words every error and knows quotes; whatever is unusual is left to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from evaudit.arrow_text import NO_TEXT, row_numbers
from evaudit.bundles.columns import SPACE_CODE, Integers, NeedTable, firsts, integers
from evaudit.formats.row_numbers import whole
from evaudit.formats.tables import Table

COLUMNS = ("need", "bundle", "component", "source", "doc", "version", "space", "start", "end")
QUOTES = ("exact", "prefix", "suffix")


class Names(Sequence[str]):
    """Texts that are looked up when somebody asks: of most components nobody ever reads the name."""

    def __init__(self, distinct: pa.Array, code: Integers) -> None:
        self._distinct, self._code = distinct, code

    def __len__(self) -> int:
        return len(self._code)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        return str(self._distinct[int(self._code[place])].as_py())

    def __iter__(self) -> Iterator[str]:
        return iter(self._distinct.take(row_numbers(self._code)).to_pylist())


class UnusualError(Exception):
    """The block needs the careful reader."""


@dataclass(frozen=True)
class AnchorDocuments:
    """The document versions that anchors name; a document key is a place in these columns."""

    source: pa.Array
    doc: pa.Array
    version: pa.Array

    def __len__(self) -> int:
        return len(self.doc)

    def columns(self) -> tuple[tuple[str, pa.Array], ...]:
        """The three columns by name."""
        return ("source", self.source), ("version", self.version), ("doc", self.doc)

    def name(self, key: int) -> str:
        """``source/doc@version``."""
        return "{}/{}@{}".format(*self.reference(key))

    def reference(self, key: int) -> tuple[str, str, str]:
        """Source, doc and version."""
        return str(self.source[key].as_py()), str(self.doc[key].as_py()), str(self.version[key].as_py())


@dataclass(frozen=True)
class FlatNeeds:
    """A block of needs as columns; ``first`` is the first row of each need."""

    table: NeedTable
    documents: AnchorDocuments
    first: Integers


def codes(column: pa.ChunkedArray | pa.Array) -> tuple[Integers, pa.Array]:
    """A column of text as places in its distinct texts, in the order of their first appearance."""
    encoded = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.chunk(0) if encoded.num_chunks else pa.array([], pa.string())
    if not pa.types.is_dictionary(encoded.type):
        encoded = encoded.dictionary_encode()
    return whole(encoded.indices), encoded.dictionary


def raw_text(table: Table, name: str) -> pa.ChunkedArray:
    """A column of text as it was read, dictionaries kept.

    Raises:
        UnusualError: it has nulls or holds no text.
    """
    column = table.data.column(name)
    value = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if column.null_count or not (pa.types.is_string(value) or pa.types.is_large_string(value)):
        column = table.array(name)
    return column


def whole_numbers(table: Table, name: str) -> Integers:
    """A column of integers.

    Raises:
        UnusualError: it has nulls or holds no integers.
    """
    column = table.data.column(name)
    if column.null_count or pa.types.is_uint64(column.type):
        raise UnusualError(name)
    if not pa.types.is_integer(column.type):
        text = table.array(name)
        digits = pc.all(pc.match_substring_regex(text, "^[0-9]{1,18}$")).as_py() if len(text) else True
        if not digits:
            raise UnusualError(name)
        column = pc.cast(text, pa.int64())
    return whole(column)


def spaces(table: Table) -> Integers:
    """Space code of each row; an empty cell is ``char``.

    Raises:
        UnusualError: a space does not exist.
    """
    if "space" not in table.data.column_names:
        return np.zeros(len(table), dtype=np.int64)
    place, names = codes(raw_text(table, "space"))
    known = [SPACE_CODE.get(name or "char", -1) for name in names.to_pylist()]
    found = integers(known or [0])[place] if len(place) else integers([])
    if (found < 0).any():
        raise UnusualError("space")
    return found


def read_flat_block(table: Table, need: Integers, names: Sequence[str]) -> FlatNeeds:
    """The needs of a block. ``need`` is the place of each row's need in ``names``, ascending.

    Raises:
        UnusualError: quotes, empty cells, positions that are none, or rows of a bundle that do not stand together.
    """
    have = table.data.column_names
    if any(name in have and _any_text(table, name) for name in QUOTES):
        raise UnusualError("quote")
    if "start" not in have or "end" not in have:
        raise UnusualError("start")
    start, end = whole_numbers(table, "start"), whole_numbers(table, "end")
    bundle_code, bundle_names = _text_codes(table, "bundle")
    component = table.array("component")
    for name in ("bundle", "component", "source", "doc", "version"):
        if _any_empty(table, name):
            raise UnusualError(name)
    if (start < 0).any() or (end <= start).any():
        raise UnusualError("start")
    document, documents = distinct_documents([codes(raw_text(table, n)) for n in ("source", "doc", "version")])
    component_code, component_names = codes(component)
    groups = _groups(need, bundle_code, component_code)
    rows = groups.first
    columns = _components(need, component_code, groups, (document, spaces(table), start, end))
    bundle_first = np.flatnonzero(groups.new_bundle[rows])
    labels = Names(bundle_names, bundle_code[rows[bundle_first]])
    component_labels = Names(component_names, component_code[rows[columns.first]])
    named = _labels(component_labels, columns, rows, bundle_names, bundle_code)
    need_table = NeedTable(
        tuple(names), need[rows[columns.first]], named, np.zeros(len(columns.first), dtype=np.bool_),
        columns.anchor_component, document[columns.anchors], spaces(table)[columns.anchors], start[columns.anchors],
        end[columns.anchors], need[rows[bundle_first]], labels,
        integers(np.append(bundle_first, len(rows))), columns.of_group,
    )  # fmt: skip
    first = integers(np.searchsorted(need, np.arange(len(names))))
    return FlatNeeds(need_table, documents, first)


def _text_codes(table: Table, name: str) -> tuple[Integers, pa.Array]:
    """``codes`` of a column of text or numbers; numbers become text once they are few."""
    column = table.data.column(name)
    if not column.null_count and pa.types.is_integer(column.type):
        place, values = codes(column)
        return place, values.cast(pa.string())
    return codes(raw_text(table, name))


def _any_text(table: Table, name: str) -> bool:
    return bool(pc.any(pc.not_equal(table.array(name), NO_TEXT)).as_py())


def _any_empty(table: Table, name: str) -> bool:
    column = table.data.column(name)
    if column.null_count:
        return True
    if pa.types.is_integer(column.type):
        return False
    if pa.types.is_dictionary(column.type):
        return any(pc.any(pc.equal(chunk.dictionary, NO_TEXT)).as_py() for chunk in column.chunks)
    return bool(pc.any(pc.equal(table.array(name), NO_TEXT)).as_py())


def distinct_documents(parts: Sequence[tuple[Integers, pa.Array]]) -> tuple[Integers, AnchorDocuments]:
    """The document of each row, and the distinct ones; ``parts`` are the ``codes`` of source, doc and version."""
    (_, sources), (doc, docs), (_, versions) = parts
    if len(sources) == len(versions) == 1 and np.bincount(doc, minlength=len(docs)).all():
        # With one source and one version, which is the usual case, the docs are the documents.
        one = row_numbers(np.zeros(len(docs), dtype=np.int64))
        return doc, AnchorDocuments(sources.take(one), docs, versions.take(one))
    key = parts[0][0]
    for place, values in parts[1:]:
        key = key * max(len(values), 1) + place
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    return integers(inverse), AnchorDocuments(*(values.take(row_numbers(place[first])) for place, values in parts))


@dataclass(frozen=True)
class _Groups:
    """Rows of the same need, bundle and component: the first of each, the group of each row, and new bundles."""

    first: Integers
    group: Integers
    new_bundle: npt.NDArray[np.bool_]


def _groups(need: Integers, bundle: Integers, component: Integers) -> _Groups:
    new_bundle = firsts(need) | firsts(bundle)
    new = new_bundle | firsts(component)
    scale_b, scale_c = int(bundle.max(initial=0)) + 1, int(component.max(initial=0)) + 1
    first = np.flatnonzero(new)
    keys = need * scale_b + bundle
    groups = keys[first] * scale_c + component[first]
    if _any_twice(groups) or _any_twice(keys[new_bundle]):
        raise UnusualError("rows of one bundle or component stand apart")
    return _Groups(first, np.cumsum(new) - 1, new_bundle)


def _any_twice(keys: Integers) -> bool:
    ordered = np.sort(keys)
    return bool((ordered[1:] == ordered[:-1]).any())


@dataclass(frozen=True)
class _Columns:
    """Components: the first group of each, the component of each group, their anchors (rows) and whose they are."""

    first: Integers
    of_group: Integers
    anchors: Integers
    anchor_component: Integers
    renamed: npt.NDArray[np.bool_]


def _components(
    need: Integers, component: Integers, groups: _Groups, place: tuple[Integers, Integers, Integers, Integers]
) -> _Columns:
    """The same name in two bundles of a need is one component only if it has the same anchors in both."""
    rows = groups.first
    scale = int(component.max(initial=0)) + 1
    names = need[rows] * scale + component[rows]
    count = len(rows)
    _, inverse, many = np.unique(names, return_inverse=True, return_counts=True)
    if (many <= 1).all():
        everything = integers(np.arange(count))
        renamed = np.zeros(count, dtype=np.bool_)
        return _Columns(everything, everything, integers(np.arange(len(need))), groups.group, renamed)
    if len(rows) < len(need):
        raise UnusualError("several anchors of a component that stands in several bundles")
    spans = np.stack([names, *(column[rows] for column in place)])
    _, first, of = np.unique(spans, axis=1, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    first, of_group = first[order], rank[of.ravel()]
    # A name that stands for two passages is kept by the first of them.
    earliest = np.full(len(many), count, dtype=np.int64)
    np.minimum.at(earliest, inverse[first], first)
    renamed = earliest[inverse[first]] != first
    return _Columns(integers(first), integers(of_group), rows[first], integers(np.arange(len(first))), renamed)


def _labels(
    names: Names, columns: _Columns, rows: Integers, bundle_names: pa.Array, bundle_code: Integers
) -> Sequence[str]:
    """The names of the components; one that stands for a second passage gets its bundle in front."""
    if not columns.renamed.any():
        return names
    labels = list(names)
    for at in np.flatnonzero(columns.renamed).tolist():
        row = int(rows[columns.first[at]])
        labels[at] = f"{bundle_names[int(bundle_code[row])].as_py()}/{labels[at]}"
    return labels
