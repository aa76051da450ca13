"""Nothing that stands in a room of a project vanishes in silence."""

from __future__ import annotations

import shutil

import pytest

from evaudit.errors import NothingToCheckError
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


FOREIGN = "apiVersion: v1\n" + "items: [1, 2, 3]\n" * 3


def test_of_many_documents_of_other_programs_the_first_are_told_and_the_rest_is_counted(small):
    for n in range(50):
        small.write(f"controls/other/{n:02}.yaml", FOREIGN)
    result = small.check()
    told = [f.message for f in result.findings if f.rule == "document-unknown-kind"]
    assert len(told) == 20 and "and so in 30 more files" in told[-1]
    assert result.details["exit"] == 2


def test_a_document_of_another_program_is_known_by_its_head(small):
    small.write("controls/other.yaml", FOREIGN + "x: [\n")
    assert "document-unknown-kind" in small.rules() and "yaml-syntax" not in small.rules()


def test_what_is_installed_is_no_part_of_a_project(small, tmp_path_factory):
    folder = tmp_path_factory.mktemp("plain")
    control = small.read("controls/cases.yaml")
    for name in ("venv/pyvenv.cfg", "venv/a.yaml", "node_modules/x/a.yaml", "foreign.yaml"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(FOREIGN if name == "foreign.yaml" else control, encoding="utf-8")
    with pytest.raises(NothingToCheckError, match="no document of ours among 1 YAML file"):
        check_paths([folder])
    (folder / "own.yaml").write_text(control, encoding="utf-8")
    assert len(check_paths([folder]).details["checked"]["controls"]) == 2
