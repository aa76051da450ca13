"""The version of the program, and that of what its figures mean."""

from __future__ import annotations

__version__ = "0.1.0"

DEFINITIONS_VERSION = "2"
"""Version of the measure definitions; it changes when any figure changes its meaning. Locks hold it."""
