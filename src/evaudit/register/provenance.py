"""With which program and on which machine a calculation was frozen: a file for people, which nothing compares.

It stands beside the lock and may change or be deleted freely; a lock says none of this, so that it is the same bytes on
every machine.
"""

from __future__ import annotations

import json
import platform
from importlib import metadata
from pathlib import Path

from evaudit.versions import DEFINITIONS_VERSION, __version__

_LIBRARIES = ("numpy", "pyarrow", "pydantic", "pyyaml", "scipy")


def provenance_path(calculation: Path) -> Path:
    """The provenance of ``X.yaml`` is ``X.provenance.json`` beside it."""
    return calculation.with_name(calculation.stem + ".provenance.json")


def provenance_text() -> str:
    """Program, definitions, Python, libraries and platform as JSON, keys sorted; no time, host or user."""
    content = {
        "schema": "evaudit/provenance@1",
        "evaudit": __version__,
        "definitions": DEFINITIONS_VERSION,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": f"{platform.system()} {platform.machine()}",
        "libraries": {name: version for name in _LIBRARIES if (version := _version(name)) is not None},
    }
    return json.dumps(content, sort_keys=True, indent=1) + "\n"


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
