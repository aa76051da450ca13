"""Documents with their labels and stored text, and the inventory that tells which of them exist."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pydantic import model_validator

from evaudit.fields import AnyText, Day, Model, Nullable, Text, moment, refusal
from evaudit.findings import Finding, Where, finding
from evaudit.near_ids import differences, remains
from evaudit.sources.anchor import Anchor, Located, locate_within
from evaudit.sources.digest import digest
from evaudit.sources.reference import Reference
from evaudit.sources.sha256 import Sha256
from evaudit.sources.text_match import TextMatch


class SourceDocument(Model):
    """One version of one document; a label that is left out is unknown, not a default."""

    ref: Reference
    """source/doc@version, or {source, doc, version}."""
    status: Nullable[Text] = None
    """E.g. current, superseded, revoked, deleted."""
    access: Nullable[Text] = None
    """Access label, e.g. public."""
    valid_from: Nullable[Day] = None
    """First day or instant at which it is valid."""
    valid_to: Nullable[Day] = None
    """First day or instant at which it is valid no longer."""
    sha256: Nullable[Sha256] = None
    """SHA-256 of the stored text (recipe bytes)."""
    text: Nullable[AnyText] = None
    """The stored text; offsets count in it as it stands."""
    text_path: Nullable[Text] = None
    """A file that holds the stored text, relative to this file."""

    @model_validator(mode="after")
    def _consistent(self) -> SourceDocument:
        if self.text is not None and self.text_path is not None:
            raise refusal("text or text_path", ["text", "text_path"], "keep one of the two")
        if (
            self.valid_from is not None
            and self.valid_to is not None
            and moment(self.valid_to) <= moment(self.valid_from)
        ):
            found = f"valid_to {self.valid_to.isoformat()} for valid_from {self.valid_from.isoformat()}"
            raise refusal("valid_to after valid_from", found, "correct one of the two")
        return self


def text_digest(text: str) -> str:
    """SHA-256 of a stored text: its UTF-8 bytes under the recipe ``bytes``."""
    return digest(text.encode("utf-8", "surrogatepass"), "bytes")


@dataclass(frozen=True, slots=True)
class Lookup:
    """What the inventory knows of a reference: the document, or why there is none."""

    document: SourceDocument | None
    state: Literal["found", "document-missing", "version-missing", "hash-mismatch"]
    message: str = ""


_ALIKE = 50
"""Documents of the same letters and digits that a reference is compared with."""


class Inventory:
    """The documents at hand. Where it is empty no documents were given, and positions can only be taken as stated.

    A reference that is listed twice keeps its first document; ``findings`` names the others.
    """

    def __init__(self, documents: Iterable[SourceDocument] = (), text_match: TextMatch = "exact") -> None:
        """``text_match``: how quotes are compared with stored texts."""
        self.text_match = text_match
        self._documents: dict[tuple[str, str, str], SourceDocument] = {}
        self._versions: dict[tuple[str, str], list[str]] = {}
        self.repeated: list[SourceDocument] = []
        """Documents whose reference was already listed."""
        for document in documents:
            if document.ref.key in self._documents:
                self.repeated.append(document)
                continue
            self._documents[document.ref.key] = document
            self._versions.setdefault((document.ref.source, document.ref.doc), []).append(document.ref.version)
        self._altered: dict[tuple[str, str, str], str] = {
            key: actual
            for key, d in self._documents.items()
            if d.sha256 is not None and d.text is not None and (actual := text_digest(d.text)) != d.sha256
        }

    def __len__(self) -> int:
        return len(self._documents)

    def __iter__(self) -> Iterator[SourceDocument]:
        return iter(self._documents.values())

    def get(self, ref: Reference) -> SourceDocument | None:
        """The document of exactly this source, id and version, or None."""
        return self._documents.get(ref.key)

    def near(self, ref: Reference) -> SourceDocument | None:
        """A document whose reference is another spelling of one that is not listed; None where there is none."""
        rest = remains([ref.doc.encode("utf-8", "surrogatepass")])[1][0]
        for key in self._by_remains.get(rest, ()):
            pairs = list(zip(key, ref.key, strict=True))
            if key != ref.key and all(one == other or differences(one, other) for one, other in pairs):
                return self._documents[key]
        return None

    @cached_property
    def _by_remains(self) -> dict[bytes, list[tuple[str, str, str]]]:
        keys = sorted(self._documents)
        found: dict[bytes, list[tuple[str, str, str]]] = {}
        for key, rest in zip(keys, remains([key[1].encode("utf-8", "surrogatepass") for key in keys])[1], strict=True):
            if len(found.setdefault(rest, [])) < _ALIKE:
                found[rest].append(key)
        return found

    def lookup(self, ref: Reference) -> Lookup:
        """The document, and whether it exists in this version with the text whose hash is stated."""
        document = self._documents.get(ref.key)
        if document is None:
            versions = self._versions.get((ref.source, ref.doc))
            if versions:
                return Lookup(
                    None, "version-missing", f"{ref} is not listed; versions listed: {', '.join(versions[:5])}"
                )
            return Lookup(None, "document-missing", f"{ref} is not listed{self._elsewhere(ref)}")
        if ref.key in self._altered:
            message = f"the text of {ref} has sha256(bytes) {self._altered[ref.key][:8]}…, stated is {document.sha256}"
            return Lookup(document, "hash-mismatch", message)
        return Lookup(document, "found")

    def _elsewhere(self, ref: Reference) -> str:
        sources = sorted({source for source, doc in self._versions if doc == ref.doc})
        return f"; a document of that id is listed under {', '.join(sources[:3])}" if sources else ""

    def locate(self, anchor: Anchor, within: Sequence[Anchor] = ()) -> Located:
        """The state of an anchor against these documents; see ``anchor.locate``, and ``locate_within``."""
        if not len(self):
            return locate_within(anchor, within, None, self.text_match)
        found = self.lookup(anchor.ref)
        if found.state != "found" or found.document is None:
            return Located.without_place(found.state, found.message)  # type: ignore[arg-type]  # "found" is excluded
        return locate_within(anchor, within, found.document.text, self.text_match)

    def findings(self, where: Mapping[tuple[str, str, str], Where] | None = None) -> list[Finding]:
        """References listed twice, and texts that do not have their stated hash; ``where`` by ``Reference.key``."""
        places = where or {}
        found = [
            finding(
                "document-repeated",
                f"expected each reference once, found {d.ref} again; keep one of the documents",
                where=places.get(d.ref.key),
            )
            for d in self.repeated
        ]
        for key, actual in self._altered.items():
            d = self._documents[key]
            message = (
                f"expected the text of {d.ref} to have sha256(bytes) {d.sha256}, found {actual}; "
                "restore the text, or state a new version with its own hash"
            )
            found.append(finding("document-hash-mismatch", message, where=places.get(key)))
        return found
