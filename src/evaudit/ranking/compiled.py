"""The compiled part, where it was built: it gives the same figures as the Python beside it, only sooner."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from types import ModuleType

LEFT_OUT = "EVAUDIT_NO_KERNEL"
"""The environment variable that leaves it out, when building and when running."""

_left_out: ContextVar[bool] = ContextVar("left_out", default=False)


@contextmanager
def without_kernel() -> Iterator[None]:
    """Do without it, within this context."""
    token = _left_out.set(True)
    try:
        yield
    finally:
        _left_out.reset(token)


def loaded() -> ModuleType | None:
    """The compiled part, or None where it was not built from the source beside it, or is left out."""
    import importlib

    if _left_out.get() or os.environ.get(LEFT_OUT):
        return None
    try:
        kernel = importlib.import_module("evaudit.ranking._kernel")
    except ImportError:
        return None
    return kernel if kernel.source == _source_digest() else None


@cache
def _source_digest() -> str:
    import hashlib

    return hashlib.sha256(Path(__file__).with_name("kernel.c").read_bytes()).hexdigest()
