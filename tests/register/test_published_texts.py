"""A published text speaks for its own work only: of the quotes of other works it says nothing."""

from __future__ import annotations

import pytest

from evaudit.errors import UnreadableInputError, UsageError

BOOK, OTHER = "It leaves .5676. Adaptive MRR@4 is .7500.", "Here nothing of the kind stands."
CHANGED = "It leaves .5677. Adaptive MRR@4 is .7500."


@pytest.fixture
def text(tmp_path):
    def write(words, name="book.txt"):
        path = tmp_path / name
        path.write_text(words, encoding="utf-8")
        return path

    return write


def test_a_text_without_any_quote_of_a_work_is_not_that_work(small, text):
    (told,) = [f for f in small.check(texts=[text(OTHER)]).findings if f.rule == "text-idle"]
    assert "no quote of a work stands in it" in told.message


def test_works_stand_beside_each_other(small, text):
    second = small.read("registers/book.yaml").partition("  - id: R-3")[2].replace("A book", "Another book")
    small.write("registers/more.yaml", "schema: evaudit/register@1\nentries:\n  - id: R-4" + second)
    result = small.check(texts=[text(BOOK.partition(". A")[0] + ".")])
    checked = {e["id"]: e["quote_checked"] for e in result.details["checked"]["entries"]}
    assert checked == {"R-1": True, "R-2": True, "R-3": True, "R-4": False}


def test_a_quote_that_is_gone_is_an_error_where_another_of_its_work_stands(small, text):
    assert small.rules(texts=[text(CHANGED)]) == {"entry-quote"}
    assert small.rules(texts=[text(CHANGED), text(BOOK, "second.txt")]) == set()


def test_one_entry_alone_is_judged_with_the_quotes_of_all(small, text):
    assert small.rules(scope="register", only=["R-2"], texts=[text(CHANGED)]) == {"entry-quote"}


def test_a_text_given_for_a_work_must_hold_every_quote_of_it(small, text):
    result = small.check(texts=[f"A book={text(OTHER)}"])
    assert [f.need for f in result.findings if f.rule == "entry-quote"] == ["R-2", "R-3"]
    assert small.rules(texts=[f"A book={text(BOOK)}"]) == set()


def test_a_file_may_have_an_equals_sign_in_its_name(small, text):
    assert small.rules(texts=[text(BOOK, "a=b.txt")]) == set()


def test_a_work_or_file_that_does_not_exist_is_told(small, text):
    with pytest.raises(UsageError, match="the works are: A book"):
        small.check(texts=[f"A bok={text(BOOK)}"])
    with pytest.raises(UnreadableInputError, match="no such file"):
        small.check(texts=["A book=nowhere.txt"])


def test_a_former_figure_is_sought_in_the_text_of_its_own_work(small, text):
    old = "status: withdrawn\n    reason: wrong labels\n"
    small.write(
        "registers/old.yaml",
        "schema: evaudit/register@1\nentries:\n  - id: R-9\n    claim: It was .25.\n"
        '    at: {work: "A book", quote: "was .25"}\n    figure: "MRR@4"\n'
        f'    expected: {{exact: "0.25", shown: ".25"}}\n    {old}',
    )
    assert small.rules(texts=[text(BOOK)]) == set()
    assert small.rules(texts=[text(BOOK + " It was .25.")]) == {"entry-quote-stands"}
