"""The identity of a text: a document of one source in one version."""

from __future__ import annotations

import json
from typing import ClassVar

from pydantic import model_validator

from evaudit.fields import Model, Text, is_null, refusal


class Reference(Model):
    """``source/doc@version``: the same doc in two sources, or in two versions, is two documents.

    As text, the source stands before the first ``/`` and the version after the last ``@``; a doc or version with ``@``,
    or a source with ``/``, can only be written as a mapping.
    """

    as_text: ClassVar[str | None] = "^[^/]+/[^@]+@[^@]+$"

    source: Text
    """Who publishes the document, e.g. handbook."""
    doc: Text
    """The id of the document within its source."""
    version: Text
    """The version of the document, as text."""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: object) -> object:
        if not isinstance(value, str) or is_null(value):
            return value
        source, doc, version = split_reference(value)
        return {"source": source, "doc": doc, "version": version}

    @classmethod
    def of_key(cls, key: tuple[str, str, str]) -> Reference:
        """The reference of a row of a table, as it is written there: with a blank part it names no document."""
        return cls.model_construct(source=key[0], doc=key[1], version=key[2])

    @property
    def key(self) -> tuple[str, str, str]:
        """(source, doc, version), for sorting and for tables."""
        return self.source, self.doc, self.version

    def __str__(self) -> str:
        text = f"{self.source}/{self.doc}@{self.version}"
        if "/" not in self.source and "@" not in self.doc and "@" not in self.version:
            return text
        parts = (f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in self)
        return "{" + ", ".join(parts) + "}"


def split_reference(text: str) -> tuple[str, str, str]:
    """The source, doc and version of ``source/doc@version``.

    Raises:
        PydanticCustomError: (a ValueError) the text has no such form, or could be read in two ways.
    """
    source, slash, rest = str(text).partition("/")
    doc, at, version = rest.rpartition("@")
    if not (slash and at and source.strip() and doc.strip() and version.strip()):
        raise refusal("a reference source/doc@version", text, "write all three, none empty")
    if "@" in doc:
        advice = "a doc or version with @ must be written as {source: …, doc: …, version: …}"
        raise refusal("a reference with one @", text, advice)
    return source, doc, version
