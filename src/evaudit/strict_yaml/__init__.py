"""Strict YAML: bytes to plain text with positions, and what is wrong with it in words.

One document, mappings with text keys, lists and scalars; every scalar stays the text that was written. Anchors,
aliases, merge keys, tags, directives, duplicate keys and unknown fields are refused, because each of them lets a file
say something else than a reader sees. All errors of a file are reported in one run, in file order, as
``file:line:column: $.path: expected …, found …; do …``.

    raw bytes -> parsing (events to dicts, lists, Scalars, with marks) -> a model -> model_errors (refusals in words)

Nothing but ``InvalidDocumentError`` leaves this room.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from evaudit.errors import InvalidDocumentError
from evaudit.findings import Finding
from evaudit.strict_yaml.decoding import MAX_BYTES
from evaudit.strict_yaml.document import Document, Path, pointer
from evaudit.strict_yaml.model_errors import model_findings, row_problems
from evaudit.strict_yaml.parsing import MAX_DEPTH, parse

__all__ = ["MAX_BYTES", "MAX_DEPTH", "Document", "Path", "load", "pointer", "read", "row_problems", "validate"]

M = TypeVar("M", bound=BaseModel)


def load(raw: bytes, path: str) -> Document:
    """Parse a document; ``path`` is the name that findings give.

    Raises:
        InvalidDocumentError: with every problem of the file's form (not yet of its fields; see ``read``).
    """
    parsed = parse(raw, path)
    if parsed.findings or parsed.document is None:
        raise InvalidDocumentError(_told(parsed.findings))
    return parsed.document


def validate(document: Document, model: type[M], at: Path = ()) -> M:
    """The model that the document, or the part of it at ``at``, describes.

    Raises:
        InvalidDocumentError: with every field that is wrong, unknown or missing.
    """
    instance, findings = _validated(document, model, at)
    if instance is None:
        raise InvalidDocumentError(_told(findings))
    return instance


def read(raw: bytes, path: str, model: type[M] | Callable[[Document], type[M]]) -> tuple[Document, M]:
    """``load`` and ``validate`` in one run, so that errors of form and errors of fields are reported together.

    ``model`` may be a function that chooses the model from the document, e.g. by its ``schema``; it may raise
    InvalidDocumentError itself.

    Raises:
        InvalidDocumentError: with every problem of the file, in file order.
    """
    parsed = parse(raw, path)
    findings = list(parsed.findings)
    if parsed.document is None:
        raise InvalidDocumentError(_told(findings))
    instance: M | None = None
    try:
        chosen = model if isinstance(model, type) else model(parsed.document)
        instance, wrong = _validated(parsed.document, chosen, ())
        findings += wrong
    except InvalidDocumentError as refused:
        findings += refused.findings
    if findings or instance is None:
        raise InvalidDocumentError(_told(findings))
    return parsed.document, instance


def _validated(document: Document, model: type[M], at: Path) -> tuple[M | None, list[Finding]]:
    data = document.at(at)
    try:
        return model.model_validate(data), []
    except ValidationError as error:
        details = error.errors(include_url=False)
        return None, model_findings(document, model, at, details)


MOST_OF_A_RULE = 20
"""Problems of one document and one rule that are listed; the rest is counted."""


def _told(findings: list[Finding]) -> list[Finding]:
    """By line and column, a finding about the whole file first; each once, and of a rule no more than are listed."""

    def place(finding: Finding) -> tuple[int, int]:
        where = finding.where
        return (where.line or 0, where.column or 0) if where else (0, 0)

    found = sorted(dict.fromkeys(findings), key=place)
    counts = Counter(one.rule for one in found)
    listed: list[Finding] = []
    seen: Counter[str] = Counter()
    for one in found:
        seen[one.rule] += 1
        if seen[one.rule] <= MOST_OF_A_RULE:
            listed.append(one)
        elif seen[one.rule] == MOST_OF_A_RULE + 1:
            listed.append(one.more(counts[one.rule] - MOST_OF_A_RULE, MOST_OF_A_RULE))
    return listed
