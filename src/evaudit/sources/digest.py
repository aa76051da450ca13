"""Digests that name how they were made: a fingerprint whose recipe is not written down cannot be checked by anyone.

A recipe is chosen, never guessed from the content. The same bytes under the same recipe give the same digest, whether
they are hashed at once or as a stream in pieces of any size.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType
from typing import BinaryIO

from evaudit.errors import UnreadableInputError, UsageError

RECIPES: Mapping[str, str] = MappingProxyType(
    {
        "bytes": "the bytes as stored",
        "text/lf": "the bytes with each CRLF and each lone CR made one LF; a byte order mark stays",
        "text/nfc": "UTF-8 text, line ends as in text/lf, in Unicode form NFC; a byte order mark stays",
        "prose": "UTF-8 text in Unicode form NFC, each run of white space made one blank, none at either end",
    }
)
"""Every recipe: what is hashed with SHA-256."""

AS_RECIPE: Mapping[str, str] = MappingProxyType({"text": "text/lf", "bytes": "bytes"})
"""What ``as: text`` and ``as: bytes`` mean."""

CHUNK_BYTES = 2**20


class Hasher:
    """Takes the bytes of one file in order, piece by piece.

    ``begun``: the hash of a beginning without any CR, after which this hash goes on.

    Raises:
        UsageError: the recipe does not exist.
    """

    def __init__(self, recipe: str, begun: hashlib._Hash | None = None) -> None:
        if recipe not in RECIPES:
            raise UsageError(f"expected a recipe ({', '.join(RECIPES)}), found {recipe!r}; name one of these")
        self.recipe = recipe
        self.size = 0
        """Bytes taken so far, as stored."""
        self._hash = hashlib.sha256() if begun is None else begun.copy()
        self._held_return = False
        self._pieces: list[bytes] = []

    def update(self, piece: bytes) -> None:
        """Take the next bytes."""
        self.size += len(piece)
        if self.recipe == "bytes":
            self._hash.update(piece)
        elif self.recipe == "text/lf":
            self._hash.update(self._folded(piece))
        else:
            # Composition and white space reach across any border, so these recipes need the whole text.
            self._pieces.append(piece)

    def hexdigest(self) -> str:
        """The digest of all bytes taken, in 64 hexadecimal digits.

        Raises:
            UnreadableInputError: the recipe needs UTF-8 text, and the bytes are none.
        """
        final = self._hash.copy()
        if self._held_return:
            final.update(b"\n")
        if self._pieces:
            final.update(self._composed(b"".join(self._pieces)))
        return final.hexdigest()

    def _folded(self, piece: bytes) -> bytes:
        """Line ends folded; a CR at the end is held back, because an LF may begin the next piece."""
        if not piece or not (self._held_return or b"\r" in piece):
            return piece
        if self._held_return:
            piece = b"\r" + piece
        self._held_return = piece.endswith(b"\r")
        if self._held_return:
            piece = piece[:-1]
        return piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")

    def _composed(self, data: bytes) -> bytes:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise UnreadableInputError(
                f"expected UTF-8 text for the recipe {self.recipe}, found the byte 0x{data[error.start]:02X} "
                f"at position {error.start}; use the recipe bytes"
            ) from None
        if self.recipe == "prose":
            text = " ".join(unicodedata.normalize("NFC", text).split())
        else:
            text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
        return text.encode("utf-8")


def digest(data: bytes, recipe: str) -> str:
    """SHA-256 of ``data`` under a recipe, in 64 hexadecimal digits; errors as in ``Hasher``."""
    hasher = Hasher(recipe)
    hasher.update(data)
    return hasher.hexdigest()


def digest_stream(file: BinaryIO, recipe: str) -> str:
    """``digest`` of everything that ``file`` still holds; ``bytes`` and ``text/lf`` need the memory of one piece."""
    hasher = Hasher(recipe)
    while piece := file.read(CHUNK_BYTES):
        hasher.update(piece)
    return hasher.hexdigest()
