"""A selection that selects nothing, or more than one thing, is told with what there is to choose from."""

from __future__ import annotations

import shlex

import pytest

from evaudit.errors import NothingToCheckError, UsageError
from evaudit.register.check import check_paths, find_calculation


def test_a_text_that_serves_no_entry_is_nothing_to_check_and_says_what_to_do(small, tmp_path):
    text = tmp_path / "other.txt"
    text.write_text("Nothing of the kind.", encoding="utf-8")
    with pytest.raises(NothingToCheckError, match="this text serves no entry") as told:
        small.check(texts=[str(text)], scope="register")
    assert "the works are: A book" in str(told.value)
    advised = str(told.value).partition("e.g. --text ")[2].partition(";")[0]
    (word,) = shlex.split(advised)
    assert {f.rule for f in small.check(texts=[word], scope="register").findings} >= {"entry-quote"}


def test_one_text_that_serves_does_not_excuse_another(small, tmp_path):
    (tmp_path / "book.txt").write_text("It leaves .5676. MRR@4 is .7500.", encoding="utf-8")
    (tmp_path / "other.txt").write_text("Nothing.", encoding="utf-8")
    texts = [str(tmp_path / "book.txt"), str(tmp_path / "other.txt")]
    assert small.check(texts=texts[:1]).details["exit"] == 0
    with pytest.raises(NothingToCheckError, match=r"other\.txt"):
        small.check(texts=texts)


def test_a_text_that_serves_none_of_the_entries_that_are_asked_for(small, tmp_path):
    (tmp_path / "book.txt").write_text("It leaves .5676. MRR@4 is .7500.", encoding="utf-8")
    texts = [str(tmp_path / "book.txt")]
    assert small.check(texts=texts, scope="register", only=["R-2"]).details["exit"] == 0
    with pytest.raises(NothingToCheckError, match="none of them quotes a published work"):
        small.check(texts=texts, scope="register", only=["R-1"])
    with pytest.raises(UsageError, match="there is no entry R-9"):
        small.check(texts=texts, scope="register", only=["R-9"])


def test_of_two_calculations_with_one_id_the_files_are_listed(small, monkeypatch):
    monkeypatch.chdir(small.root)
    small.write("controls/again.yaml", small.read("controls/calculation.yaml"))
    with pytest.raises(UsageError) as told:
        find_calculation("audit")
    assert str(told.value) == (
        "there are 2 calculations audit: controls/again.yaml, controls/calculation.yaml; name one by its file"
    )
    with pytest.raises(UsageError, match="the ids are audit"):
        find_calculation("other")


def test_each_of_two_with_one_id_names_the_file_of_the_other(small):
    small.write("controls/again.yaml", small.read("controls/calculation.yaml"))
    repeated = [f for f in check_paths([small.root]).findings if f.rule == "control-duplicate-id"]
    assert {(f.where.path, f.message.split()[6]) for f in repeated} == {
        ("controls/again.yaml", "controls/calculation.yaml:2,"),
        ("controls/calculation.yaml", "controls/again.yaml:2,"),
    }
