"""What several test folders share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

PROJECT = Path(__file__).resolve().parent.parent
os.environ["COLUMNS"] = "120"  # what is wrapped must not depend on the terminal in which the tests run

# The suite gives the same verdict on every run; `HYPOTHESIS_PROFILE=explore` draws new examples each time.
settings.register_profile("same-each-run", derandomize=True, database=None, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same-each-run"))


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
