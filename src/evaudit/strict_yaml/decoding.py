"""Bytes to text: UTF-8, of bearable size, without characters that a reader cannot see or that YAML would fold away."""

from __future__ import annotations

import re

from evaudit.findings import Finding, Where, finding
from evaudit.strict_yaml.document import Mark

MAX_BYTES = 2**20

# NEL, LS and PS are line breaks to YAML, which would fold them away unseen; one parser refuses a BOM inside a text.
_REFUSED_CHARACTER = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_BREAK = re.compile("\r\n|[\r\n]")
_MAX_CHARACTERS = 20


def decoded(raw: bytes, path: str) -> tuple[str | None, list[Finding]]:
    """The text without its byte order mark, or the findings that say why there is none."""

    def refused(message: str, line: int = 1, column: int = 1) -> tuple[None, list[Finding]]:
        return None, [finding("document-unreadable", message, where=Where(path, line, column))]

    if len(raw) > MAX_BYTES:
        return refused(
            f"expected at most {MAX_BYTES:,} bytes, found {len(raw):,}; put long texts and tables in files of their own"
        )
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return refused("expected UTF-8, found UTF-16; save the file as UTF-8")
    try:
        text = raw.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line, column = line_column(raw[: error.start].decode("utf-8").removeprefix("\ufeff"))
        found = f"the byte 0x{raw[error.start]:02X}"
        return refused(f"expected UTF-8, found {found}; save the file as UTF-8", line, column)
    findings: list[Finding] = []
    for match in _REFUSED_CHARACTER.finditer(text):
        line, column = line_column(text[: match.start()])
        code = f"U+{ord(match[0]):04X}"
        message = (
            f'expected visible text, found the character {code}; remove it, or write "\\u{ord(match[0]):04X}" in quotes'
        )
        findings.append(finding("document-unreadable", message, where=Where(path, line, column)))
        if len(findings) == _MAX_CHARACTERS:
            break
    return (None if findings else text), findings


def line_column(before: str) -> Mark:
    """1-based place of the character that follows ``before``."""
    lines = _BREAK.split(before)
    return len(lines), len(lines[-1]) + 1
