"""The compiled part, where it was built: it gives the same figures as the Python beside it, only sooner."""

from __future__ import annotations

import os
from types import ModuleType

LEFT_OUT = "EVAUDIT_NO_KERNEL"
"""The environment variable that leaves it out, when building and when running."""


def loaded() -> ModuleType | None:
    """The compiled part, or None where it was not built or is left out."""
    import importlib

    if os.environ.get(LEFT_OUT):
        return None
    try:
        return importlib.import_module("evaudit.ranking._kernel")
    except ImportError:
        return None
