"""Every cohort file of the guide is one that the program reads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evaudit.decisions.cohort import Cohort, CohortFile
from evaudit.strict_yaml import read

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "decisions.md"
FILES = re.findall(r"```yaml\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("text", FILES, ids=[re.findall(r"^id: (.*)$", f, re.M)[0] for f in FILES])
def test_a_cohort_file_of_the_guide_is_valid(text: str) -> None:
    read(text.encode(), "guide.yaml", CohortFile)


def test_the_guide_names_every_field() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    assert not [name for name in Cohort.model_fields if name not in ("cohort_schema",) and f"{name}:" not in text]
