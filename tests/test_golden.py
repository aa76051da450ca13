"""Whole outputs stay as they are, to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

import golden


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("golden")
    golden.prepare(place)
    return place


@pytest.mark.parametrize("name", golden.CASES)
def test_output_is_as_kept(name: str, folder: Path) -> None:
    assert golden.output(name, folder) == (golden.FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_no_golden_file_is_left_over() -> None:
    assert {p.stem for p in golden.FOLDER.iterdir()} == set(golden.CASES)
