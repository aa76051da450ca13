"""The history of a project: every accepted change, one JSON line each, chained to the one before.

A record's digest covers the digest of the record before it, so an edited, removed, added or moved record inside breaks
the chain. A tail that is cut off, or a log that is written anew from its beginning, leaves a chain that is whole: only
a digest of the last record that is kept somewhere else (``--expect-head``) shows that.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import StrictInt, StrictStr, ValidationError

from evaudit.errors import UnreadableInputError
from evaudit.fields import Model
from evaudit.findings import Finding, Where, finding
from evaudit.register.interrupted import history_path
from evaudit.register.workspace import Workspace

FIRST = "0" * 64
"""What the first record is chained to."""

PROVES = (
    "The chain proves that no record inside it was edited, removed, added or moved.",
    "It does not prove that the tail is there, nor that the whole was not written anew.",
    "Keep the head elsewhere (a tag, the text itself) and check it with --expect-head.",
)
"""What a verified history says, and what it does not."""


class OutputChanged(Model):
    """An accepted output: its value before and after."""

    old: StrictStr
    """As people read it; ``absent`` where the output is new."""
    new: StrictStr
    """As people read it."""


class Record(Model):
    """One accepted change. Integers and strings only; no time, host or user, so that it is the same everywhere."""

    seq: StrictInt
    """1 for the first record."""
    prev: StrictStr
    """Digest of the record before."""
    event: StrictStr
    """What was done: ``accept``."""
    calculation: StrictStr
    """Id of the calculation."""
    lock: StrictStr
    """POSIX path of its lock below the root."""
    outputs: dict[StrictStr, OutputChanged]
    """Accepted outputs by name."""
    reason: StrictStr
    """Why."""
    recipe: StrictStr
    """What the two digests below are taken of: ``text/lf``."""
    old_lock: StrictStr
    """Digest of the lock before."""
    new_lock: StrictStr
    """Digest of the lock after."""

    def digest(self) -> str:
        """sha256(bytes) of the record as JSON: keys sorted, no blanks, characters beyond ASCII as they are."""
        return hashlib.sha256(_canonical(self.model_dump()).encode("utf-8", "surrogatepass")).hexdigest()

    def line(self) -> str:
        """The line of the log: the record and its own digest."""
        return _canonical({**self.model_dump(), "hash": self.digest()}) + "\n"


def _canonical(content: Mapping[str, object]) -> str:
    return json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class History:
    """The records of a project, and what is wrong with them.

    Attributes:
        head: digest of the last record; ``FIRST`` without records.
    """

    path: Path
    name: str
    records: tuple[Record, ...] = ()
    findings: tuple[Finding, ...] = field(default=())
    raw: bytes = b""

    @property
    def head(self) -> str:
        """Digest of the last record."""
        return self.records[-1].digest() if self.records else FIRST

    def next(self, calculation: str, lock: str, outputs: Mapping[str, OutputChanged], reason: str,
             old_lock: str, new_lock: str) -> Record:  # fmt: skip
        """The record that follows."""
        return Record(
            seq=len(self.records) + 1, prev=self.head, event="accept", calculation=calculation, lock=lock,
            outputs=dict(outputs), reason=reason, recipe="text/lf", old_lock=old_lock, new_lock=new_lock,
        )  # fmt: skip


def read_history(workspace: Workspace) -> History:
    """The history of the workspace's project; without a file it has no records.

    Raises:
        UnreadableInputError: it exists and cannot be read.
    """
    path = history_path(workspace.root)
    name = workspace.name(path)
    if not os.path.lexists(path):
        return History(path, name)
    raw = workspace.read(path)
    records: list[Record] = []
    findings: list[Finding] = []
    text = raw.decode("utf-8", "replace").replace("\r\n", "\n")
    lines = text.split("\n")
    if text and lines[-1]:
        findings.append(_broken(name, len(lines), "the last record does not end its line: it was written in part"))
    for n, line in enumerate(lines[:-1] if not lines[-1] else lines, start=1):
        record, problem = _read(line, n, records)
        if problem:
            findings.append(_broken(name, n, problem))
        if record is None:
            break
        records.append(record)
    return History(path, name, tuple(records), tuple(findings), raw)


def _read(line: str, number: int, before: Sequence[Record]) -> tuple[Record | None, str | None]:
    try:
        content = json.loads(line, object_pairs_hook=_no_repeats)
        stated = content.pop("hash")
        record = Record.model_validate(content)
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError, ValidationError) as error:
        told = error.errors()[0]["msg"] if isinstance(error, ValidationError) else type(error).__name__
        return None, f"record {number} cannot be read ({told}); nothing after it is looked at"
    if record.digest() != stated:
        return record, f"record {number} was edited: its digest is another than the one that it states"
    if record.line() != line + "\n":
        return record, f"record {number} is not written as `calc accept` writes it"
    previous = before[-1].digest() if before else FIRST
    if record.prev != previous or record.seq != number:
        return record, f"record {number} does not follow the one before it: a record was removed, added or moved"
    return record, None


def _no_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _broken(name: str, line: int, message: str) -> Finding:
    return finding("history-broken", message, where=Where(name, line))


def check_history(workspace: Workspace, expected_head: str | None = None) -> tuple[History, list[Finding]]:
    """The history, and every finding: a broken chain, another head, a lock that is not the one accepted last.

    Raises:
        UnreadableInputError: the history, or a lock that it names, cannot be read.
    """
    history = read_history(workspace)
    findings = list(history.findings)
    if expected_head is not None and expected_head.lower() != history.head:
        message = f"expected the head {expected_head}, found {history.head} after {len(history.records)} records"
        findings.append(finding("history-head", f"{message}; the tail is cut, or the log was written anew or goes on",
                                where=Where(history.name)))  # fmt: skip
    if not history.findings:
        findings += _locks(history, workspace)
    return history, findings


def _locks(history: History, workspace: Workspace) -> list[Finding]:
    """Each lock that was ever accepted must be the one that was accepted last."""
    findings = []
    last = {record.lock: (n, record) for n, record in enumerate(history.records, start=1)}
    for name, (line, record) in last.items():
        try:
            now = workspace.fingerprint(workspace.root / name, "text/lf")
        except UnreadableInputError:
            message = f"{name} was accepted in record {line} and is gone"
        else:
            if now == record.new_lock:
                continue
            message = f"{name} is not the lock that record {line} accepted (sha256(text/lf) {record.new_lock[:8]}…, "
            message += f"is {now[:8]}…): it was written without `calc accept`"
        findings.append(finding("history-lock", message, where=Where(history.name, line), need=record.calculation))
    return findings
