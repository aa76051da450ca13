"""JSON that says two things, half a character, or a number beyond 64 bits is refused with its line."""

from __future__ import annotations

import pytest

from evaudit.errors import InvalidDocumentError
from evaudit.formats.fever import read_gold
from evaudit.formats.json_records import JsonFile, MalformedError, loads, whole, written

REFUSED = {
    "repeated-key-of-a-line": ('{"a": 1}\n{"a": 1, "a": 2}\n', 2),
    "repeated-key-of-a-member": ('[\n{"a": 1, "a": 2}]', 2),
    "half-a-character-of-a-line": ('{"a": 1}\n{"a": "\\ud800"}\n', 2),
    "half-a-character-of-a-member": ('[\n{"a": "\\udfff"}]', 2),
    "not-a-number": ('{"a": 1}\n{"a": NaN}\n', 2),
}


@pytest.mark.parametrize(("text", "line"), REFUSED.values(), ids=REFUSED)
def test_a_record_that_says_two_things_or_nothing_is_refused(tmp_path, text, line):
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(InvalidDocumentError) as caught:
        file = JsonFile(path, "x.json")
        file.records()
        file.refusals.raise_if_any()
    assert [f.where.line for f in caught.value.findings] == [line]


def test_a_repeated_id_of_a_whole_file_is_refused(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('{"q1": [],\n"q1": [1]}')
    with pytest.raises(InvalidDocumentError) as caught:
        JsonFile(path, "x.json").entries()
    assert [f.where.line for f in caught.value.findings] == [2]


@pytest.mark.parametrize(
    ("text", "told"), [("[" * 100_000, "too deep"), ('{"a": ' + "9" * 5000 + "}", "thousands of digits")]
)
def test_python_s_own_limits_are_told_in_words_of_the_file(tmp_path, text, told):
    path = tmp_path / "x.jsonl"
    path.write_text(text if text[0] == "{" else '{"a": ' + text)
    for read in (lambda: read_gold(path, "x.jsonl"), lambda: _read(path)):
        with pytest.raises(InvalidDocumentError, match=told):
            read()


def _read(path):
    file = JsonFile(path, "x.jsonl")
    list(file.records())
    file.refusals.raise_if_any()


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', '"\\udc00"', "NaN"])
def test_json_in_a_cell_is_held_to_the_same(text):
    with pytest.raises(ValueError, match=r"stands twice|surrogate|expected a number"):
        loads(text)


@pytest.mark.parametrize("text", ["\u0669", "1_0", "+1", " 1", "", "9" * 19, "9" * 5000])
def test_a_number_in_text_needs_the_digits_0_to_9_and_64_bits(text):
    with pytest.raises(MalformedError):
        written(text, "place")


def test_a_number_beyond_64_bits_is_refused():
    assert whole(2**63 - 2, "place") == 2**63 - 2
    with pytest.raises(MalformedError):
        whole(2**63 - 1, "place")
