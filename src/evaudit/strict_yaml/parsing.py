"""Bytes to a ``Document``: YAML events to dicts, lists and Scalars, and everything about the form that must be refused.

Only PyYAML's event stream is used, so nothing is composed, expanded or constructed: an alias is never followed. The C
parser reads where it exists; what it cannot accept as it is goes to the Python parser, which words it, so both agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from evaudit.fields import Scalar, shown
from evaudit.findings import Finding, Where, finding
from evaudit.strict_yaml.decoding import decoded
from evaudit.strict_yaml.document import Document, Mark, Path, pointer
from evaudit.strict_yaml.syntax import syntax_message

MAX_DEPTH = 32

_READ_DIFFERENTLY = re.compile(r"\t|[|>][-+0-9]*#|[\[{,]\s*\?")
"""What the C parser takes and the Python parser does not: tabs as blanks, a comment glued to | or >, ? in brackets."""

PYTHON_PARSER: Any = yaml.SafeLoader
FAST_PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


_INNER_QUESTION_MARK = re.compile(r"(?<=[^\s\[{,:?&*!-])[ ?]*\?")


@dataclass(slots=True)
class Parsed:
    """``document`` is None where the structure could not be read to its end."""

    document: Document | None
    findings: list[Finding]


def parse(raw: bytes, path: str) -> Parsed:
    """Parse leniently: collect every finding about the form, and give the data as far as it is readable."""
    text, findings = decoded(raw, path)
    if text is None:
        return Parsed(None, findings)
    if FAST_PARSER is not PYTHON_PARSER and not _READ_DIFFERENTLY.search(text):
        builder = _Builder(path)
        if builder.feed(text, FAST_PARSER) and not builder.findings:
            return builder.parsed()
    hidden, mask = _hide_question_marks(text)
    builder = _Builder(path, mask)
    builder.feed(hidden, PYTHON_PARSER)
    return builder.parsed()


def _hide_question_marks(text: str) -> tuple[str, str]:
    """The text with each ``?`` inside a plain text put behind a character that it does not use, and that character.

    The Python parser ends a plain text in brackets at ``?`` (``{need: What is it?}``), against YAML and the C parser.
    """
    mask = next(chr(code) for code in range(0xE000, 0xF8FF) if chr(code) not in text)
    return _INNER_QUESTION_MARK.sub(lambda m: m[0].replace("?", mask), text), mask


class _Stop(Exception):
    """Nothing more can be read; the finding is already noted."""


@dataclass(slots=True)
class _Frame:
    """An open mapping or list. ``path`` is None where its content is thrown away (it stands as a key)."""

    value: dict[str, object] | list[object]
    path: Path | None
    key: str | None = None
    at_key: bool = True
    first_lines: dict[str, int] = field(default_factory=dict)


class _Builder:
    """Turns one stream of events into data, marks and findings."""

    def __init__(self, path: str, mask: str = "") -> None:
        self.path = path
        self.mask = mask
        self.findings: list[Finding] = []
        self.marks: dict[Path, Mark] = {}
        self.key_marks: dict[Path, Mark] = {}
        self.damaged: set[Path] = set()
        self.frames: list[_Frame] = []
        self.top: object = None
        self.seen = False
        self.whole = False

    def feed(self, text: str, parser: Any) -> bool:
        """Read every event; False where the parser itself gave up."""
        try:
            for event in _events(text, parser):
                self._take(event)
            self.whole = True
        except _Stop:
            pass
        except (yaml.YAMLError, ValueError, OverflowError) as error:
            # ValueError: the Python parser's chr() on an escape beyond Unicode.
            message, mark = syntax_message(error, text)
            self.findings.append(finding("yaml-syntax", message, where=Where(self.path, *mark)))
            return False
        return True

    def parsed(self) -> Parsed:
        """The result; a top level that is no mapping ends in findings alone."""
        if self.whole and not self.seen:
            self._note(
                "document-invalid", "expected a mapping, found an empty file; write `schema: …` first", (1, 1), ()
            )
        elif self.whole and not isinstance(self.top, dict):
            message = f"expected a mapping at the top, found {shown(self.top)}; write `schema: …` first"
            self._note("document-invalid", message, self.marks.get((), (1, 1)), ())
        if not self.whole or not isinstance(self.top, dict):
            return Parsed(None, self.findings)
        document = Document(self.path, self.top, self.marks, self.key_marks, frozenset(self.damaged))
        return Parsed(document, self.findings)

    def _note(self, rule: str, message: str, mark: Mark, path: Path | None) -> None:
        where = Where(self.path, *mark, None if path is None else pointer(path))
        self.findings.append(finding(rule, self._unmasked(message), where=where))

    def _take(self, event: Any) -> None:
        mark = (event.start_mark.line + 1, event.start_mark.column + 1)
        if isinstance(event, yaml.DocumentStartEvent):
            self._start_document(event, mark)
        elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            self._refuse_features(event, mark)
            self._open({} if isinstance(event, yaml.MappingStartEvent) else [], mark)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            self.frames.pop()
        elif isinstance(event, yaml.ScalarEvent):
            self._refuse_features(event, mark)
            self._scalar(event, mark)
        elif isinstance(event, yaml.AliasEvent):
            message = f"expected the value itself, found the alias *{event.anchor}; write the value again here"
            self._note("yaml-feature-refused", message, mark, self._here())
            self._damage()
            self._place(Scalar(""), mark)

    def _start_document(self, event: Any, mark: Mark) -> None:
        if self.seen:
            self._note(
                "yaml-feature-refused", "expected one document, found a second one; put it in its own file", mark, None
            )
            raise _Stop
        if event.version or event.tags:
            self._note("yaml-feature-refused", "expected no directive, found a % line; remove it", mark, None)
        self.seen = True

    def _refuse_features(self, event: Any, mark: Mark) -> None:
        if event.anchor is not None:
            message = f"expected no anchor, found &{event.anchor}; remove it and write the value where it is needed"
            self._note("yaml-feature-refused", message, mark, self._here())
        if event.tag is not None:
            message = f"expected no tag, found {shown(self._unmasked(event.tag))}; remove it and write the value alone"
            self._note("yaml-feature-refused", message, mark, self._here())
            self._damage()

    def _here(self) -> Path | None:
        """The path of the value that comes next."""
        if not self.frames:
            return ()
        frame = self.frames[-1]
        if frame.path is None:
            return None
        if isinstance(frame.value, list):
            return (*frame.path, len(frame.value))
        return frame.path if frame.at_key or frame.key is None else (*frame.path, frame.key)

    def _damage(self) -> None:
        here = self._here()
        if here is not None:
            self.damaged.add(here)

    def _open(self, value: dict[str, object] | list[object], mark: Mark) -> None:
        if len(self.frames) == MAX_DEPTH:
            message = f"expected at most {MAX_DEPTH} levels, found more; write it flatter"
            self._note("document-unreadable", message, mark, self._here())
            raise _Stop
        as_key = bool(self.frames) and isinstance(self.frames[-1].value, dict) and self.frames[-1].at_key
        if as_key:
            found = "a list" if isinstance(value, list) else "a mapping"  # it is only opened here, so it looks empty
            message = f"expected a text as key, found {found}; write a text"
            self._note("document-invalid", message, mark, self._here())
        thrown_away = as_key or (bool(self.frames) and self._thrown_away(self.frames[-1]))
        path = None if thrown_away else self._here()
        self._place(value, mark)
        self.frames.append(_Frame(value, path))

    @staticmethod
    def _thrown_away(frame: _Frame) -> bool:
        return frame.path is None or (isinstance(frame.value, dict) and frame.key is None)

    def _scalar(self, event: Any, mark: Mark) -> None:
        text = self._unmasked(event.value)
        if bad := next((c for c in text if c == "\0" or "\ud800" <= c <= "\udfff"), None):
            message = f"expected text, found the escape U+{ord(bad):04X}, which is no character; write the character"
            self._note("document-unreadable", message, mark, self._here())
            self._damage()
            text = text.encode("utf-8", "replace").decode().replace("\0", "?")
        self._place(Scalar(text, plain=not event.style), mark)

    def _unmasked(self, text: str) -> str:
        return text.replace(self.mask, "?") if self.mask else text

    def _place(self, value: object, mark: Mark) -> None:
        """Put a value where it belongs: at the top, in the open list, or as the key or value of the open mapping."""
        if not self.frames:
            self.top = value
            self.marks[()] = (1, 1) if value == "" else mark
            return
        frame = self.frames[-1]
        if isinstance(frame.value, list):
            if frame.path is not None:
                self.marks[(*frame.path, len(frame.value))] = mark
            frame.value.append(value)
        elif frame.at_key:
            frame.key = self._key(frame, value, mark)
            frame.at_key = False
        else:
            if frame.key is not None:
                frame.value[frame.key] = value
                if frame.path is not None:
                    if value == "":
                        # The parsers put an empty value in different places; its key is what a reader sees.
                        mark = self.key_marks[(*frame.path, frame.key)]
                    self.marks[(*frame.path, frame.key)] = mark
            frame.at_key, frame.key = True, None

    def _key(self, frame: _Frame, value: object, mark: Mark) -> str | None:
        """The key as text, or None where it and its value are thrown away (and the mapping is then not complete)."""
        if not isinstance(value, Scalar):
            self._lose_key(frame)
            return None
        if value == "<<" and value.plain:
            message = "expected a field, found the merge key <<; write the fields themselves"
            self._note("yaml-feature-refused", message, mark, frame.path)
            self._lose_key(frame)
            return None
        key = str(value)
        if key in frame.first_lines:
            first = frame.first_lines[key]
            message = (
                f"expected each key once, found {shown(key)} here (line {mark[0]}) and in line {first}; "
                "keep one of the two"
            )
            self._note("duplicate-key", message, mark, None if frame.path is None else (*frame.path, key))
            return None
        frame.first_lines[key] = mark[0]
        if frame.path is not None:
            self.key_marks[(*frame.path, key)] = mark
        return key

    def _lose_key(self, frame: _Frame) -> None:
        if frame.path is not None:
            self.damaged.add((*frame.path, "<<"))


def _events(text: str, parser: Any) -> Iterator[Any]:
    loader = parser(text)
    try:
        while loader.check_event():
            yield loader.get_event()
    finally:
        loader.dispose()
