"""Names that stand within the names of figures: what they may hold, so that a printed name parses back."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, WithJsonSchema

from evaudit.fields import Text, refusal

_MARKS = ", = ( ) [ ] @"
_ENDPOINT = re.compile(r"[^\s,=()\[\]@]+")
_STAGE = re.compile(r"[^,=()\[\]@]+")


def is_endpoint_name(name: str) -> bool:
    """Whether a text may be the name of an endpoint: visible, without blanks and ``, = ( ) [ ] @``."""
    return name.isprintable() and _ENDPOINT.fullmatch(name) is not None


def endpoint_name(name: str) -> str:
    """The name, if it may be that of an endpoint; raises the refusal of a field."""
    if not is_endpoint_name(name):
        raise refusal(f"a visible name without blanks and {_MARKS}", name, "it stands within the names of figures")
    return name


def _stage_name(name: str) -> str:
    if not name.isprintable() or not _STAGE.fullmatch(name) or name != name.strip():
        advice = "it stands within the names of figures"
        raise refusal(f"a visible name without {_MARKS} and without outer blanks", name, advice)
    return name


_WRITTEN = ["string", "number", "boolean"]

EndpointName = Annotated[
    Text, AfterValidator(endpoint_name), WithJsonSchema({"type": _WRITTEN, "pattern": f"^{_ENDPOINT.pattern}$"})
]
"""Stands within the names of figures, so it is visible and holds no blank and none of ``, = ( ) [ ] @``."""

StageName = Annotated[
    Text, AfterValidator(_stage_name), WithJsonSchema({"type": _WRITTEN, "pattern": f"^{_STAGE.pattern}$"})
]
"""As ``EndpointName``, but blanks may stand inside it."""
