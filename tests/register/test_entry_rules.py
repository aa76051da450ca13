"""What each status of an entry needs, and what no entry may say."""

from __future__ import annotations

import pytest

BASE = """\
schema: evaudit/register@1
entries:
  - id: A
    claim: CLAIM
    at: {file: ../README.md, quote: "QUOTE"}
    figure: "FIGURE"
    expected: {exact: EXACT, shown: "SHOWN"}
    status: STATUS
"""


def entry(claim="It is .5.", quote="is .5", figure="P@4", exact="1/2", shown=".5", status="draft", more=""):
    text = BASE
    for word, value in (("CLAIM", claim), ("QUOTE", quote), ("FIGURE", figure), ("EXACT", exact), ("SHOWN", shown)):
        text = text.replace(word, value)
    return text.replace("STATUS", status) + "".join(f"    {line}\n" for line in more.splitlines())


REFUSED = {
    "verified without a calculation": (entry(status="verified"), "expected a calculation"),
    "cited without a source": (entry(status="cited"), "expected a source"),
    "no exact figure but not cited": (
        entry(exact="null", status="disputed", more="reason: doubtful"),
        "only a cited or draft figure may leave them out",
    ),
    "superseded by nobody": (entry(status="superseded"), "superseded_by"),
    "a successor of a living entry": (entry(more="superseded_by: B"), "superseded_by"),
    "withdrawn without a reason": (entry(status="withdrawn"), "reason"),
    "disputed without a reason": (entry(status="disputed"), "reason"),
    "an unknown status": (entry(status="proven"), "draft"),
    "two places": (entry().replace("file: ../README.md", "file: a, work: b"), "either file or work"),
    "an exact figure that is none": (entry(exact="a half"), "expected 21/43"),
    "an exact figure that was forgotten": (
        entry(exact="", status="cited", more="source: {work: b}"),
        "write the value, or undefined",
    ),
    "a shown figure that is none": (entry(shown="much"), "digits"),
    "a name that is none": (entry(figure="P@@4"), "figure name"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_entry_that_breaks_its_form_is_refused_with_its_place(one_register, name):
    text, message = REFUSED[name]
    result = one_register(text).check()
    found = [f for f in result.findings if f.severity == "error"]
    assert result.details["exit"] == 2
    assert any(message in f.message for f in found), [f.text() for f in found]
    assert all(f.where.path == "registers/book.yaml" and f.where.line for f in found)


def test_a_draft_is_counted_and_not_verified(one_register):
    small = one_register(entry())
    small.write("README.md", "It is .5 here.")
    result = small.check()
    assert result.details["totals"]["entries"] == {"draft": 1}
    assert result.details["exit"] == 0


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (entry(claim="It is .6."), "entry-claim-figure"),
        (entry(claim="It is 2/4."), "entry-claim-figure"),
        (entry(quote="is half"), "entry-quote-figure"),
        (entry(shown=".4884", exact="21/50", claim="It is .4884, is 0.", quote="is .4884"), "entry-shown-mismatch"),
        (entry(shown="0", exact="1/3", claim="It is 0.", quote="is 0"), "entry-shown-mismatch"),
        (entry(more="limitations: [FIXME]"), "entry-placeholder"),
        (entry(more="assumptions: [see XXX.]"), "entry-placeholder"),
    ],
)
def test_what_no_entry_may_say(one_register, text, rule):
    small = one_register(text)
    small.write("README.md", "It is .5 here, is half, is .4884, is 0.")
    assert small.rules() == {rule}


def test_an_impossible_figure_is_told(one_register):
    small = one_register(entry(shown=".4884", exact="21/50", claim="It is .4884, is 0.", quote="is .4884"))
    small.write("README.md", "It is .4884, is 0.")
    messages = [f.message for f in small.check().findings if f.rule == "entry-shown-mismatch"]
    assert messages == ["21/50 rounds to .4200, the text has .4884; no whole number over 50 gives .4884"]


PATHS = {
    "a text above the root": entry().replace("../README.md", "../../README.md"),
    "a text by its whole path": entry().replace("../README.md", "/README.md"),
    "an input with backslashes": entry(more='inputs: [{path: "..\\\\x.csv", sha256: "HASH", recipe: bytes}]'),
    "an input above the root": entry(more='inputs: [{path: ../../x.csv, sha256: "HASH", recipe: bytes}]'),
    "a calculation above the root": entry(status="disputed", more="reason: no\ncalculation: {ref: ../../x.yaml}"),
}


@pytest.mark.parametrize("scope", ["register", "register-form"])
@pytest.mark.parametrize("name", PATHS)
def test_a_path_out_of_the_root_is_refused_at_its_place_whether_or_not_anything_runs(one_register, name, scope):
    small = one_register(PATHS[name].replace("HASH", "0" * 64))
    small.write("README.md", "It is .5.")
    result = small.check(scope=scope)
    found = [f for f in result.findings if f.severity == "error"]
    assert [f.rule for f in found] == ["path-refused"], [f.text() for f in found]
    assert (found[0].where.path, result.details["exit"]) == ("registers/book.yaml", 2)
    assert found[0].where.line and found[0].where.pointer.startswith("$.entries[0].")


def test_digits_in_the_name_of_a_measure_are_no_figure(one_register):
    small = one_register(entry(claim="recall(level=.7)@4 is .5 over 50 needs.", figure="recall(level=.7)@4"))
    small.write("README.md", "It is .5.")
    assert small.rules() == set()


def two(first, second):
    return first + "".join(second.splitlines(keepends=True)[2:]).replace("id: A", "id: B")


def test_succession_needs_an_heir_and_no_circle(one_register):
    old = entry(status="superseded", more="superseded_by: B")
    assert one_register(old).rules() == {"entry-superseded-by"}
    circle = two(old, entry(status="superseded", more="superseded_by: A"))
    assert one_register(circle).rules() == {"entry-superseded-by"}
    small = one_register(two(old, entry(claim="It is .25.", quote="is .25", exact="1/4", shown=".25")))
    small.write("README.md", "It is .25.")
    assert small.rules() == set()
    assert small.check().details["totals"]["entries"] == {"superseded": 1, "draft": 1}


@pytest.mark.parametrize("status", ["superseded", "withdrawn"])
def test_the_words_of_a_former_entry_must_be_gone(one_register, status):
    more = "superseded_by: B" if status == "superseded" else "reason: wrong labels"
    small = one_register(
        two(entry(status=status, more=more), entry(claim="It is .25.", quote=".25", exact="1/4", shown=".25"))
    )
    small.write("README.md", "It is .5, or .25.")
    assert small.rules() == {"entry-quote-stands"}


def test_a_text_is_found_beside_the_register_or_at_the_root(one_register):
    small = one_register(entry().replace("../README.md", "README.md"))
    small.write("README.md", "It is .5.")
    assert small.rules() == set()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [("\n", "\r\n", "same text, other line ends"), ("C01\n", "\ufeffC01\n", "same text, a byte order mark added")],
)
def test_the_same_text_written_otherwise_is_told_as_that(small, old, new, words):
    roster = "controls/inputs/roster.txt"
    small.write(roster, small.read(roster).replace(old, new))
    found = [f for f in small.check().findings if f.need == "R-1" and f.severity == "error"]
    assert [f.rule for f in found] == ["input-line-ends"]
    assert words in found[0].message
