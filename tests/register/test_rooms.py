"""Nothing that stands in a room of a project vanishes in silence."""

from __future__ import annotations

import shutil

import pytest

from evaudit.findings import Finding
from evaudit.register.check import check_paths

BOOK, CASES = "registers/book.yaml", "controls/cases.yaml"


def told(result) -> list[Finding]:
    return [f for f in result.findings if f.rule in ("input-missing", "path-refused") and f.need is None]


@pytest.mark.parametrize("name", [BOOK, CASES, "registers", "controls/wrong", "controls/wrong.d/deep.YML"])
def test_a_link_that_leads_nowhere_could_not_be_checked(small, name):
    place = small.root / name
    place.parent.mkdir(exist_ok=True)
    if place.is_dir():
        shutil.rmtree(place)
    place.unlink(missing_ok=True)
    place.symlink_to("/nonexistent/place")
    result = small.check()
    assert result.details["exit"] == 3
    assert [(f.where.path, f.message.partition(";")[0]) for f in told(result)] == [(name, "a link that leads nowhere")]


def test_a_folder_named_as_a_document_could_not_be_checked_and_is_looked_into(small):
    (small.root / BOOK).unlink()
    small.write("registers/book.yaml/inner.yaml", "schema: evaudit/register@9\n")
    result = small.check()
    assert result.details["exit"] == 2
    assert "found a folder" in told(result)[0].message
    assert "document-unknown-kind" in {f.rule for f in result.findings}
    (small.root / "registers/book.yaml/inner.yaml").unlink()
    assert small.check().details["exit"] == 3


def test_a_file_named_as_a_room_could_not_be_checked(small):
    shutil.rmtree(small.root / "registers")
    small.write("registers", "schema: evaudit/register@1\n")
    result = small.check()
    assert result.details["exit"] == 3
    assert "expected a folder, found a file" in told(result)[0].message


@pytest.mark.parametrize("suffix", ["yml", "YAML", "YML", "Yaml"])
@pytest.mark.parametrize("name", [BOOK, CASES, "controls/calculation.yaml"])
def test_a_document_is_known_by_its_suffix_in_any_case(small, name, suffix):
    before = small.check().details["totals"]
    path = small.root / name
    path.rename(path.with_suffix(f".{suffix}"))
    if name.endswith("calculation.yaml"):
        small.write(BOOK, small.read(BOOK).replace("calculation.yaml", f"calculation.{suffix}"))
        assert "lock-orphan" not in {f.rule for f in small.check().findings}
    else:
        assert small.check().details["totals"] == before


def test_a_link_to_a_folder_inside_the_root_is_followed_once(small):
    before = small.check().details["totals"]
    (small.root / "stored").mkdir()
    (small.root / CASES).rename(small.root / "stored/cases.yaml")
    (small.root / "controls/all").symlink_to("../stored")
    (small.root / "controls/again").symlink_to("all")
    (small.root / "stored/loop").symlink_to("../stored")
    result = small.check()
    assert {**result.details["totals"], "findings": None} == {**before, "findings": None}
    links = [f.message for f in result.findings if f.rule == "path-link"]
    assert links == ["controls/again/cases.yaml is a link to stored/cases.yaml"]


def test_a_link_to_a_folder_outside_is_refused_in_a_room_alone(small, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (small.root / "controls/linked").symlink_to(outside)
    result = small.check()
    assert result.details["exit"] == 2
    assert [(f.rule, f.where.path) for f in told(result)] == [("path-refused", "controls/linked")]


def test_where_there_is_no_room_only_a_link_named_as_a_document_is_told(small, tmp_path):
    (tmp_path / "alone").mkdir()
    (small.root / CASES).rename(tmp_path / "alone/cases.yaml")
    (tmp_path / "alone/notes.txt").symlink_to("/nonexistent/place")
    assert check_paths([tmp_path / "alone"]).details["exit"] == 0
    (tmp_path / "alone/more.yaml").symlink_to("/nonexistent/place")
    assert check_paths([tmp_path / "alone"]).details["exit"] == 3
