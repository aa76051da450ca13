"""A selection that selects nothing, or more than one thing, is told with what there is to choose from."""

from __future__ import annotations

import shlex

import pytest

from evaudit.cli.printing import exit_code
from evaudit.errors import NothingToCheckError, UsageError
from evaudit.register.check import check_paths, find_calculation


def idle(result) -> list[str]:
    """The warnings about texts, of a result that is else as it is without them."""
    assert result.details["exit"] == 0
    warnings = [f for f in result.findings if f.severity == "warning"]
    assert {f.rule for f in warnings} <= {"text-idle"}
    return [f.message for f in warnings]


@pytest.mark.parametrize("scope", ["all", "register"])
def test_a_text_that_serves_no_entry_is_told_with_what_to_do_and_stops_nothing(small, tmp_path, scope):
    text = tmp_path / "other.txt"
    text.write_text("Nothing of the kind.", encoding="utf-8")
    result = small.check(texts=[str(text)], scope=scope)
    (told,) = idle(result)
    assert "this text serves no entry" in told and "the works are: A book" in told
    assert result.details["checked"] == small.check(scope=scope).details["checked"]
    assert (exit_code(result), exit_code(result, ["warning"])) == (0, 1)
    advised = told.partition("e.g. --text ")[2].partition(";")[0]
    (word,) = shlex.split(advised)
    assert {f.rule for f in small.check(texts=[word], scope=scope).findings} >= {"entry-quote"}


def test_one_text_that_serves_does_not_excuse_another(small, tmp_path):
    (tmp_path / "book.txt").write_text("It leaves .5676. MRR@4 is .7500.", encoding="utf-8")
    (tmp_path / "other.txt").write_text("Nothing.", encoding="utf-8")
    texts = [str(tmp_path / "book.txt"), str(tmp_path / "other.txt")]
    assert idle(small.check(texts=texts[:1])) == []
    result = small.check(texts=texts)
    assert [told.partition(": ")[0] for told in idle(result)] == [f"--text {texts[1]}"]
    checked = {e["id"]: e["quote_checked"] for e in result.details["checked"]["entries"]}
    assert checked == {"R-1": True, "R-2": True, "R-3": True}


def test_a_text_that_serves_none_of_the_entries_that_are_asked_for(small, tmp_path):
    (tmp_path / "book.txt").write_text("It leaves .5676. MRR@4 is .7500.", encoding="utf-8")
    texts = [str(tmp_path / "book.txt")]
    assert idle(small.check(texts=texts, scope="register", only=["R-2"])) == []
    (told,) = idle(small.check(texts=texts, scope="register", only=["R-1"]))
    assert "none of them quotes a published work" in told
    with pytest.raises(UsageError, match="there is no entry R-9"):
        small.check(texts=texts, scope="register", only=["R-9"])


def test_where_nothing_is_checked_a_text_changes_nothing_about_that(small, tmp_path):
    (tmp_path / "other.txt").write_text("Nothing.", encoding="utf-8")
    (small.root / "registers/book.yaml").unlink()
    with pytest.raises(NothingToCheckError):
        small.check(texts=[str(tmp_path / "other.txt")], scope="register")


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
