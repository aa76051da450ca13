"""JSON that knows its lines: lists, objects and JSON Lines, record by record, so that an error can name the place."""

from __future__ import annotations

import bisect
import dataclasses
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from evaudit.errors import InvalidDocumentError
from evaudit.findings import Where, finding
from evaudit.formats.refusals import Refusals
from evaudit.formats.stored_bytes import read_raw
from evaudit.formats.text_bytes import check_text, without_bom
from evaudit.repeats import first_again
from evaudit.results import InputFile
from evaudit.sources.run_digests import digest_of

_BLANK = re.compile(r"[ \t\n\r]*")


class MalformedError(ValueError):
    """A record breaks the form of its format; the message says what was expected and what was found."""


@dataclass(frozen=True, slots=True)
class Record:
    """A value, the 1-based line where it begins, and its name within the file (``$[3]``, ``$.sp.5a8b``)."""

    value: Any
    line: int
    pointer: str
    key: str = ""


@dataclass
class JsonFile:
    """A JSON or JSON Lines file, read once; problems are collected in ``refusals`` and raised together."""

    path: Path
    shown: str
    refusals: Refusals = field(init=False)
    text: str = field(init=False)
    input: InputFile = field(init=False)
    notes: list[str] = field(init=False)

    def __post_init__(self) -> None:
        raw = read_raw(self.path, self.shown)
        self.input = InputFile(self.shown, digest_of(self.path, raw, "text/lf"), "text/lf", len(raw))
        self.refusals = Refusals(self.shown)
        raw, self.notes = without_bom(raw, self.shown)
        check_text(raw, self.refusals)
        self.refusals.raise_if_any()
        self.text = raw.decode("utf-8")
        self._breaks = [match.start() for match in re.finditer("\n", self.text)]

    def line(self, place: int) -> int:
        """The 1-based line of a character."""
        return bisect.bisect_left(self._breaks, place) + 1

    def records(self) -> list[Record]:
        """The members of a list, or the objects of JSON Lines (by the first character of the file)."""
        begin = self._skip(0)
        if self.text[begin : begin + 1] == "[":
            return list(self._members(begin, "$"))
        return list(self._lines())

    def entries(self, place: int | None = None, pointer: str = "$") -> list[Record]:
        """The members of an object: the whole file, or the value at ``place``."""
        return [Record(value, line, f"{pointer}.{key}", key) for key, value, line, _ in self._items(place, pointer)]

    def nested(self) -> dict[str, list[Record]]:
        """The members of each object that is a member of the object of the file, e.g. ``{"sp": {id: …}}``."""
        found: dict[str, list[Record]] = {}
        for key, value, _, place in self._items(None, "$"):
            if isinstance(value, dict):
                found[key] = self.entries(place, f"$.{key}")
        return found

    def with_rows(self, rows: int) -> InputFile:
        """The record of the file, with its number of rows."""
        return dataclasses.replace(self.input, rows=rows)

    def _skip(self, place: int) -> int:
        match = _BLANK.match(self.text, place)
        return match.end() if match else place

    def _value(self, place: int) -> tuple[Any, int]:
        try:
            value, end = _DECODER.raw_decode(self.text, place)
            if _HALF.search(self.text, place, end):
                check_characters(self.text[place:end], value)
        except json.JSONDecodeError as error:
            raise self._refused(error.pos, f"expected JSON, but {fault(error)}") from None
        except (RecursionError, ValueError) as error:
            raise self._refused(place, reason(error)) from None
        return value, end

    def _refused(self, place: int, message: str) -> InvalidDocumentError:
        line = self.line(place)
        column = place - (self._breaks[line - 2] + 1 if line > 1 else 0) + 1
        return InvalidDocumentError([finding("table-row-unreadable", message, where=Where(self.shown, line, column))])

    def _members(self, place: int, pointer: str) -> Iterator[Record]:
        place = self._skip(place + 1)
        number = 0
        while self.text[place : place + 1] != "]":
            value, end = self._value(place)
            yield Record(value, self.line(place), f"{pointer}[{number}]")
            number += 1
            place = self._after(end, "]")

    def _after(self, end: int, closing: str) -> int:
        place = self._skip(end)
        if self.text[place : place + 1] == ",":
            return self._skip(place + 1)
        if self.text[place : place + 1] != closing:
            raise self._refused(place, f"expected a comma or {closing!r} here; is the file cut off?")
        return place

    def _items(self, place: int | None, pointer: str) -> Iterator[tuple[str, Any, int, int]]:
        begin = self._skip(0) if place is None else place
        if self.text[begin : begin + 1] != "{":
            raise self._refused(begin, f"expected a JSON object at {pointer}")
        at = self._skip(begin + 1)
        seen: set[str] = set()
        while self.text[at : at + 1] != "}":
            key, end = self._value(at)
            if not isinstance(key, str):
                raise self._refused(at, "expected a key in double quotes")
            if key in seen:
                raise self._refused(at, f"the key {key!r} stands twice in one object")
            seen.add(key)
            colon = self._skip(end)
            if self.text[colon : colon + 1] != ":":
                raise self._refused(colon, "expected a colon after the key")
            start = self._skip(colon + 1)
            value, end = self._value(start)
            yield key, value, self.line(at), start
            at = self._after(end, "}")

    def _lines(self) -> Iterator[Record]:
        for number, text in enumerate(self.text.split("\n"), 1):
            if not text.strip():
                continue
            try:
                value, end = _DECODER.raw_decode(text.strip())
                if end < len(text.strip()):
                    raise ValueError(f"more than one JSON value stands on the line, from character {end + 1}")
                check_characters(text, value)
            except json.JSONDecodeError as error:
                self.refusals.add("table-row-unreadable", f"expected one JSON object, but {reason(error)}", number)
            except (RecursionError, ValueError) as error:
                self.refusals.add("table-row-unreadable", reason(error), number)
            else:
                yield Record(value, number, "$")

    def refuse(self, record: Record, error: Exception) -> None:
        """Note that a record is malformed."""
        pointer = record.pointer if record.pointer != "$" else None
        self.refusals.add("table-row-unreadable", str(error), record.line, pointer)


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The members of an object; an ``object_pairs_hook`` that refuses a repeated key with a ValueError."""
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = first_again(key for key, _ in pairs)
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return found


def no_constant(text: str) -> NoReturn:
    """Refuse ``NaN`` and ``Infinity``, which are no JSON, with a ValueError."""
    raise ValueError(f"expected a number, found {text}")


def may_hold_half_characters(text: str) -> bool:
    """Whether ``check_characters`` has to look at any part of the text."""
    return _HALF.search(text) is not None


def check_characters(text: str, value: object) -> None:
    """Refuse a ``\\u`` escape that names half of a surrogate pair, which is no character, with a ValueError."""
    if _HALF.search(text):
        try:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            raise ValueError("a \\u escape names half of a surrogate pair, which is no character") from None


def reason(error: Exception) -> str:
    """Why a line of JSON cannot be read, in words of the file and not of Python."""
    if isinstance(error, RecursionError):
        return "it nests too deep"
    if isinstance(error, json.JSONDecodeError):
        return f"{fault(error)} at character {error.colno}"
    if "integer string conversion" in str(error):
        return "a whole number has thousands of digits"
    return str(error)


def fault(error: json.JSONDecodeError) -> str:
    """What is wrong, to be followed by its place; Python's own words sometimes end in ``at``."""
    return error.msg.removesuffix(" at")


_HALF = re.compile(r"\\u[dD][89a-fA-F]")

_DECODER = json.JSONDecoder(object_pairs_hook=unique_keys, parse_constant=no_constant)


def short(value: object) -> str:
    """A value for a message."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:59] + "…"


def mapping(value: object, what: str = "a JSON object") -> Mapping[str, Any]:
    """The value if it is an object."""
    if not isinstance(value, dict):
        raise MalformedError(f"expected {what}, found {short(value)}")
    return value


def listed(row: Mapping[str, Any], key: str, *, optional: bool = False) -> list[Any]:
    """The list under ``key``; with ``optional`` an absent or null one is empty."""
    value = row.get(key)
    if value is None and optional:
        return []
    if not isinstance(value, list):
        raise MalformedError(f"expected a list under {key!r}, found {short(value)}")
    return value


def listed_if_there(row: Mapping[str, Any], key: str) -> list[Any]:
    """The list under ``key``; empty where the key is absent, while null is refused."""
    return listed(row, key) if key in row else []


def in_list(value: object) -> list[Any]:
    """The value if it is a list; another one as the only member, for a message about a member to name it."""
    return value if isinstance(value, list) else [value]


def text(row: Mapping[str, Any], key: str) -> str:
    """The text or whole number under ``key``, as text."""
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise MalformedError(f"expected text under {key!r}, found {short(value)}")
    return str(value)


def whole(value: object, what: str) -> int:
    """The value if it is a whole number of which 64 bits hold the next one too."""
    if isinstance(value, bool) or not isinstance(value, int) or not -_LAST <= value <= _LAST:
        raise MalformedError(f"expected a whole number ({what}) of 64 bits, found {short(value)}")
    return value


def written(value: str, what: str) -> int:
    """The whole number that the digits 0 to 9 write, else as ``whole``."""
    if not _DIGITS.fullmatch(value):
        raise MalformedError(f"expected a whole number ({what}) in the digits 0 to 9, found {short(value)}")
    return whole(int(value), what)


_LAST = 2**63 - 2
_DIGITS = re.compile("-?[0-9]{1,19}")


def loads(text: str) -> Any:
    """A value that stands as JSON text in a cell; refused with a ValueError as in a file."""
    value = _DECODER.decode(text)
    check_characters(text, value)
    return value
