"""Every file that a check opens lies inside the root, is no pipe, and is found in either Unicode form of its name."""

from __future__ import annotations

import os
import unicodedata

import pytest

from evaudit.errors import InvalidDocumentError, UnreadableInputError, UsageError
from evaudit.register.check import check_paths

LEDGER, ROSTER = "controls/inputs/decisions.csv", "controls/inputs/roster.txt"
CALC, COHORT, LOCK = "controls/calculation.yaml", "controls/cohort.yaml", "controls/calculation.lock.json"
CASES, BOOK, README = "controls/cases.yaml", "registers/book.yaml", "README.md"
NFC, NFD = (unicodedata.normalize(form, "Järvelin.txt") for form in ("NFC", "NFD"))


@pytest.fixture
def outside(tmp_path_factory):
    return tmp_path_factory.mktemp("outside")


def moved(small, name, folder):
    """The file in another folder, and a link in its place."""
    target = folder / name.rpartition("/")[2]
    (small.root / name).rename(target)
    (small.root / name).symlink_to(target)


@pytest.mark.parametrize("name", [LEDGER, ROSTER, CALC, COHORT, LOCK, CASES, BOOK, README])
def test_a_link_out_of_the_root_is_refused_for_every_kind_of_file(small, outside, name):
    moved(small, name, outside)
    result = small.check()
    assert result.details["exit"] == 2
    assert "path-refused" in {f.rule for f in result.findings}


def test_a_history_that_is_a_link_out_of_the_root_is_refused(small, outside):
    (outside / "history.jsonl").write_text("")
    (small.root / "registers/history.jsonl").symlink_to(outside / "history.jsonl")
    with pytest.raises(InvalidDocumentError, match="leads out of the root"):
        small.check()


def test_a_history_that_is_a_link_to_nothing_is_no_empty_history(small):
    (small.root / "registers/history.jsonl").symlink_to("gone.jsonl")
    with pytest.raises(UnreadableInputError, match="history"):
        small.check()


def test_a_folder_of_documents_that_is_a_link_out_of_the_root_is_refused(small, outside):
    (small.root / "registers").rename(outside / "registers")
    (small.root / "registers").symlink_to(outside / "registers")
    assert small.check().details["exit"] == 2


def test_a_file_out_of_the_root_is_not_even_looked_into_where_there_is_no_room(small, outside, tmp_path):
    (tmp_path / "alone").mkdir()
    (tmp_path / "alone/pyproject.toml").touch()
    (small.root / CASES).rename(tmp_path / "alone/cases.yaml")
    (outside / "more.yaml").write_text("schema: evaudit/control@1\n")
    (tmp_path / "alone/more.yaml").symlink_to(outside / "more.yaml")
    result = check_paths([tmp_path / "alone"])
    assert [f.rule for f in result.findings if f.severity == "error"] == ["path-refused"]


@pytest.mark.parametrize("name", [LEDGER, ROSTER, CALC, LOCK, CASES, BOOK, README])
def test_a_link_inside_the_root_is_followed_and_listed(small, name):
    before = small.check().details["totals"]
    (small.root / "stored").mkdir()
    (small.root / name).rename(small.root / "stored/it")
    (small.root / name).symlink_to(os.path.relpath(small.root / "stored/it", (small.root / name).parent))
    result = small.check()
    assert result.details["exit"] == 0
    assert {k: v for k, v in result.details["totals"].items() if k != "findings"} == {
        k: v for k, v in before.items() if k != "findings"
    }
    listed = [f for f in result.findings if f.rule == "path-link"]
    assert [(f.severity, f.where.path, f.message) for f in listed] == [("note", name, f"{name} is a link to stored/it")]


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("controls/a-link.yaml", "cases.yaml"),
        ("controls/a-link.yaml", "calculation.yaml"),
        ("registers/a-link.yaml", "book.yaml"),
        ("controls/a-link", "."),
        ("controls/a-link", ".."),
        ("registers/a-link", "../controls"),
    ],
)
def test_what_stands_twice_through_a_link_is_checked_once_under_its_own_name(small, link, target):
    before = small.check()
    (small.root / link).symlink_to(target)
    after = small.check()
    assert after.details["totals"] == before.details["totals"]
    assert after.findings == before.findings


def test_calculations_of_one_id_fail_where_only_an_entry_names_one_of_them(small):
    small.write("elsewhere/calculation.yaml", small.read(CALC))
    for name in ("cohort.yaml", "calculation.lock.json", "inputs/decisions.csv", "inputs/roster.txt"):
        small.write(f"elsewhere/{name}", small.read(f"controls/{name}"))
    small.replace(BOOK, "../controls/calculation.yaml", "../elsewhere/calculation.yaml")
    result = small.check()
    assert result.details["exit"] == 1
    assert "control-duplicate-id" in {f.rule for f in result.findings}


def test_a_lock_that_is_a_pipe_could_not_be_read_and_is_not_said_to_be_missing(small):
    (small.root / LOCK).unlink()
    os.mkfifo(small.root / LOCK)
    result = small.check()
    assert result.details["exit"] == 3
    assert "lock-missing" not in {f.rule for f in result.findings}
    assert f"{LOCK}: expected a file, found a pipe or device; name a file" in {f.message for f in result.findings}


def test_a_lock_in_the_other_unicode_form_is_the_lock_of_its_calculation(small):
    from evaudit.register.freeze import freeze

    calculation, lock = (unicodedata.normalize(form, f"controls/Järvelin.{end}") for form, end in
                         (("NFC", "yaml"), ("NFD", "lock.json")))  # fmt: skip
    (small.root / CALC).rename(small.root / calculation)
    (small.root / LOCK).unlink()
    freeze(small.root / calculation).rename(small.root / lock)
    small.write(BOOK, small.read(BOOK).replace(f"../{CALC}", f"../{calculation}"))
    result = small.check()
    assert [f.message for f in result.findings if f.severity == "error"] == []
    with pytest.raises(UsageError, match="never overwritten"):
        freeze(small.root / calculation)


def named(small, name):
    """The project with its roster under another name, as the documents write it."""
    for document in (COHORT, CALC, BOOK):
        small.write(document, small.read(document).replace("inputs/roster.txt", f"inputs/{name}"))


def refrozen(small):
    from evaudit.register.freeze import freeze

    (small.root / LOCK).unlink()
    freeze(small.root / CALC)


@pytest.mark.parametrize(("written", "stored"), [(NFC, NFD), (NFD, NFC)])
def test_a_name_in_the_other_unicode_form_is_found_and_noted(small, written, stored):
    (small.root / ROSTER).rename(small.root / f"controls/inputs/{stored}")
    if (small.root / f"controls/inputs/{written}").exists():
        pytest.skip("this file system takes both forms for one name")
    named(small, written)
    refrozen(small)
    result = small.check()
    assert [f.text() for f in result.findings if f.severity == "error"] == []
    [note] = [f for f in result.findings if f.rule == "path-other-form"]
    assert "is stored under another Unicode form of its name" in note.message
    assert f"controls/inputs/{written}" in {i.path for i in result.inputs}  # under the name that is written


@pytest.mark.parametrize("written", [NFC, NFD])
def test_both_forms_side_by_side_are_an_error(small, written):
    (small.root / ROSTER).rename(small.root / f"controls/inputs/{NFC}")
    if (small.root / f"controls/inputs/{NFD}").exists():
        pytest.skip("this file system takes both forms for one name")
    (small.root / f"controls/inputs/{NFD}").write_text("C01\n")
    named(small, written)
    result = small.check()
    assert result.details["exit"] == 2
    told = " ".join(f.message for f in result.findings if f.rule == "path-two-forms")
    assert "2 names in one folder differ in their Unicode form only: J\\xe4rvelin.txt and Ja\\u0308rvelin.txt" in told


@pytest.mark.parametrize("twin", ["a hard link", "neither form throughout"])
def test_two_names_that_are_equal_under_nfc_are_an_error_whatever_they_hold(small, twin):
    folder = small.root / "controls/inputs"
    stored, other = (NFC, NFD) if twin == "a hard link" else (f"a\u0308-{NFC}", f"a\u0308-{NFD}")
    (small.root / ROSTER).rename(folder / stored)
    if (folder / other).exists():
        pytest.skip("this file system takes both forms for one name")
    (folder / other).hardlink_to(folder / stored)
    named(small, unicodedata.normalize("NFD", stored))
    assert "path-two-forms" in small.rules()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_given_text_that_is_a_pipe_is_refused_and_never_waited_for(small, tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(UnreadableInputError, match="pipe or device"):
        check_paths([small.root], texts=[tmp_path / "pipe.txt"])
