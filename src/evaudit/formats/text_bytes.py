"""Text files as bytes: a mark at their start is skipped and said so, what is no text is refused by line."""

from __future__ import annotations

from evaudit.formats.refusals import Refusals


def without_bom(raw: bytes, path: str) -> tuple[bytes, list[str]]:
    """The bytes after a UTF-8 byte order mark, and the note that says so of ``path``."""
    if raw.startswith(b"\xef\xbb\xbf"):
        return raw[3:], [f"{path}: a byte order mark at the start of the file was skipped"]
    return raw, []


def check_text(raw: bytes, refusals: Refusals) -> None:
    """Refuse bytes that are no UTF-8, and NUL characters, by line."""
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        refusals.add("table-text-invalid", "the file is UTF-16; save it as UTF-8", 1)
        return
    try:
        if not raw.isascii():  # which, unlike decoding, takes no memory
            raw.decode("utf-8")
        if b"\0" not in raw:
            return
    except UnicodeDecodeError:
        pass
    for number, line in enumerate(raw.split(b"\n"), 1):
        if b"\0" in line:
            refusals.add(
                "table-text-invalid", f"NUL character at byte {line.index(0) + 1} of the line; remove it", number
            )
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            found = f"byte 0x{line[error.start]:02x} at position {error.start + 1} of the line"
            refusals.add("table-text-invalid", f"expected UTF-8, found {found}; save the file as UTF-8", number)
