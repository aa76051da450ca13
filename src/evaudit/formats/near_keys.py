"""Integers for document ids, alike where the ids are spellings of each other: a whole block of rows at once.

They find the few rows that must be looked at closely; ``near_ids`` decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from evaudit.arrow_text import row_numbers, text_array
from evaudit.bundles.columns import Flags, Integers
from evaudit.bundles.near_documents import near_references
from evaudit.formats.flat_needs import FlatNeeds, UnusualError, raw_text
from evaudit.formats.plain_units import PlainList
from evaudit.formats.row_numbers import whole
from evaudit.formats.text_keys import Hashes, Slots, mixed
from evaudit.near_ids import folded, remains

if TYPE_CHECKING:
    from evaudit.bundles.places import RefKey

_ROWS = 4096
"""Ids that are hashed together: what is held of them fits into the cache of a processor."""
_TEXTS = 1 << 16
"""Ids that are looked at together where no hash is kept."""
_BASE = np.uint64(0x9E3779B97F4A7C15)
_INVERSE = np.uint64(pow(0x9E3779B97F4A7C15, -1, 1 << 64))


def _signs() -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.bool_]]:
    """A number for each byte that no folding touches (0 for the others), and the bytes that ask for ``remains``."""
    value, special = np.zeros(256, dtype=np.uint64), np.zeros(256, dtype=np.bool_)
    for sign in range(1, 256):
        if sign >= 128 or chr(sign).isalnum():
            value[sign] = (ord(chr(sign).lower()) if sign < 128 else sign) * 0xBF58476D1CE4E5B9 % (1 << 64) | 1
    special[128:] = True
    special[list(b"%&#:.-")] = True
    return value, special


_VALUE, _SPECIAL = _signs()
_ZERO = np.uint8(ord("0"))
_STEADY = b"abcdefghijklmnopqrstuvwxyz0123456789-"
_DIGIT = np.array([chr(sign).isdigit() and sign < 128 for sign in range(256)])


def near_hashes(column: pa.ChunkedArray | pa.Array) -> Hashes:
    """A number of each text without nulls; equal for spellings of one id, fragments left out."""
    if isinstance(column, pa.ChunkedArray):
        parts = [near_hashes(chunk) for chunk in column.chunks if len(chunk)]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.uint64)
    if pa.types.is_dictionary(column.type):
        of_dictionary: Hashes = near_hashes(column.dictionary)[whole(column.indices)]
        return of_dictionary
    found, special = _hashed(column.cast(pa.large_string()))
    rows = np.flatnonzero(special)
    if len(rows):
        encoded = column.take(row_numbers(rows)).dictionary_encode()
        rests = remains([text.encode("utf-8") for text in encoded.dictionary.to_pylist()])[1]
        of_rests, _ = _hashed(text_array(rest.decode("utf-8") for rest in rests).cast(pa.large_string()))
        found[rows] = of_rests[whole(encoded.indices)]
    return found


def _hashed(texts: pa.Array) -> tuple[Hashes, Flags]:
    """The hash of the bytes of each text that no folding touches, and whether it holds others that a folding may."""
    _, offsets, data = texts.buffers()
    ends = np.frombuffer(offsets, dtype=np.int64)[texts.offset : texts.offset + len(texts) + 1]
    content = np.frombuffer(data, dtype=np.uint8) if data is not None else np.zeros(0, dtype=np.uint8)
    found, special = np.zeros(len(texts), dtype=np.uint64), np.zeros(len(texts), dtype=np.bool_)
    for first in range(0, len(texts), _ROWS):
        part = ends[first : first + _ROWS + 1]
        filled = np.flatnonzero(part[1:] > part[:-1])
        if not len(filled):
            continue
        signs = content[part[0] : part[-1]]
        starts = (part[:-1] - part[0])[filled]
        value = _VALUE[signs]
        place = np.cumsum(value != 0)  # of each sign among those that count
        power = _powers(_BASE, len(signs) + 1)
        before = place[starts] - (value[starts] != 0)
        sums = np.add.reduceat(value * power[place], starts)
        found[first + filled] = sums * _powers(_INVERSE, len(signs) + 1)[before]
        leading = signs == _ZERO
        leading[1:] &= ~_DIGIT[signs[:-1]]
        leading[starts] = signs[starts] == _ZERO
        special[first + filled] = np.logical_or.reduceat(_SPECIAL[signs] | leading, starts)
    return found, special


def _folded_already(column: pa.ChunkedArray | pa.Array) -> bool:
    """Whether every text is one that no folding changes, as far as its signs tell: then no two are spellings."""
    if isinstance(column, pa.ChunkedArray):
        return all(map(_folded_already, column.chunks))
    if pa.types.is_dictionary(column.type):
        return _folded_already(column.dictionary)
    if len(column) > _TEXTS:
        return all(_folded_already(column.slice(first, _TEXTS)) for first in range(0, len(column), _TEXTS))
    texts = column.cast(pa.large_string())
    _, offsets, data = texts.buffers()
    ends = np.frombuffer(offsets, dtype=np.int64)[texts.offset : texts.offset + len(texts) + 1]
    if not len(texts) or data is None:
        return True
    signs = np.frombuffer(data, dtype=np.uint8)[ends[0] : ends[-1]]
    if (ends[1:] == ends[:-1]).any() or (signs[ends[:-1] - ends[0]] == _ZERO).any():
        return False
    content = signs.tobytes()
    if content.isdigit():
        return True
    if content.translate(None, _STEADY):
        return False
    if ((signs[1:] == _ZERO) & ~_DIGIT[signs[:-1]]).any():
        return False  # a leading zero, or one behind a letter
    return b"-" not in content or not any(end in content for end in (b"rb-", b"sb-", b"cb-", b"on-"))


def _steady(column: pa.ChunkedArray | pa.Array) -> list[str] | None:
    """The different texts of a column of few; None where there are many."""
    distinct = pc.unique(column)
    if pa.types.is_dictionary(distinct.type):
        distinct = distinct.dictionary
    return [str(text) for text in distinct.to_pylist()] if len(distinct) <= _FEW else None


def _cannot_differ(flat: FlatNeeds, lists: list[PlainList]) -> bool:
    """Whether the signs of the references alone tell that none is another spelling of another."""
    documents = flat.documents
    if not _folded_already(documents.doc) or not all(_folded_already(raw_text(one.table, "doc")) for one in lists):
        return False
    for name, named in (("source", documents.source), ("version", documents.version)):
        columns = [_steady(named), *(_steady(raw_text(one.table, name)) for one in lists)]
        if any(column is None for column in columns):
            return False
        every = {text for column in columns for text in column or ()}
        if len({folded(text) for text in every}) < len(every):
            return False
    return True


_FEW = 100
"""Sources or versions of a block that are compared one by one."""

_known_powers: dict[int, npt.NDArray[np.uint64]] = {}


def _powers(base: np.uint64, count: int) -> npt.NDArray[np.uint64]:
    known = _known_powers.get(int(base))
    if known is None or len(known) < count:
        steps = np.full(max(count, 1 << 16), base, dtype=np.uint64)
        steps[0] = 1
        known = _known_powers[int(base)] = np.cumprod(steps, dtype=np.uint64)
    return known


def refuse_near_misses(flat: FlatNeeds, lists: list[PlainList]) -> None:
    """Leave a block to the careful reader where a unit names a document of its need in another spelling.

    Raises:
        UnusualError: there is such a unit.
    """
    if _cannot_differ(flat, lists):
        return
    needs, documents = flat.table, flat.documents
    width = len(documents) + 1
    own = needs.anchor_need * width + needs.anchor_document
    slots = Slots(mixed(near_hashes(documents.doc)[needs.anchor_document], needs.anchor_need))
    for one in lists:
        hashes = mixed(near_hashes(one.table.array("doc")), one.need)
        rows = np.flatnonzero(slots.find(hashes) >= 0)
        inside = np.isin(one.need[rows] * width + np.minimum(one.document[rows], width - 1), own)
        rows = rows[~inside]
        if len(rows) and _any_near(flat, one, rows):
            raise UnusualError("doc")


def _any_near(flat: FlatNeeds, one: PlainList, rows: Integers) -> bool:
    """Whether one of some rows names a document of its need in another spelling."""
    needs = flat.table
    columns = [one.table.texts(name, rows) for name in ("source", "doc", "version")]
    units: dict[RefKey, set[int]] = {}
    for need, source, doc, version in zip(one.need[rows].tolist(), *columns, strict=True):
        units.setdefault((source, doc, version), set()).add(need)
    anchors = np.flatnonzero(np.isin(needs.anchor_need, np.unique(one.need[rows])))
    named: dict[RefKey, set[int]] = {}
    for anchor in anchors.tolist():
        ref = flat.documents.reference(int(needs.anchor_document[anchor]))
        named.setdefault(ref, set()).add(int(needs.anchor_need[anchor]))
    here, there = list(units), list(named)
    return any(units[here[i]] & named[there[j]] for i, j in near_references(here, there))


def own_documents(one: PlainList, flat: FlatNeeds, most: int) -> set[RefKey]:
    """Up to ``most`` documents of a list; fewer only where it has no more."""
    known = one.document[one.document < len(flat.documents)]
    found = {flat.documents.reference(key) for key in np.flatnonzero(np.bincount(known))[:most].tolist()}
    outside = np.flatnonzero(one.document >= len(flat.documents))
    for start in range(0, len(outside), _ROWS):
        if len(found) >= most:
            break
        rows = outside[start : start + _ROWS]
        found |= set(zip(*(one.table.texts(name, rows) for name in ("source", "doc", "version")), strict=True))
    return set(sorted(found)[:most])
