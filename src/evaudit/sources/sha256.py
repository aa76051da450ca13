"""A SHA-256 as a field of a model. ``digest`` computes them, and loads no models."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import BeforeValidator, WithJsonSchema

from evaudit.fields import refusal

_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)


def _sha256(value: object) -> str:
    text = value.lower() if isinstance(value, str) else ""
    if not _SHA256.fullmatch(text):
        raise refusal("a SHA-256 of 64 hexadecimal digits", value, "copy it from `evaudit digest FILE --recipe RECIPE`")
    return str(text)


Sha256 = Annotated[str, BeforeValidator(_sha256), WithJsonSchema({"type": "string", "pattern": "^[0-9A-Fa-f]{64}$"})]
"""A SHA-256 in 64 hexadecimal digits, kept in small letters."""
