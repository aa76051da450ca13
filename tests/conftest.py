"""What several test folders share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
os.environ["COLUMNS"] = "120"  # what is wrapped must not depend on the terminal in which the tests run


@pytest.fixture(scope="session")
def project() -> Path:
    """The root of the project."""
    return PROJECT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Public data files that are not part of the project; tests that need them are skipped where they are absent."""
    folder = Path(os.environ.get("EVAUDIT_DATA", PROJECT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("the public data files are not at hand (set EVAUDIT_DATA)")
    return folder
