"""Which forms of YAML are read and which are refused, and where the finding points."""

from __future__ import annotations

import time

import pytest
from small_models import HEAD, Control, findings, only, place

from evaudit import strict_yaml
from evaudit.fields import Scalar

WRITTEN = ["21:43", "no", "yes", "on", "off", ".7500", "1e3", "0192117", "2026-13-02", "0x1F", "1_000", "1.10", "10:30"]


@pytest.mark.parametrize("written", [*WRITTEN, ".inf", "NaN", "=", "Null"])
def test_a_scalar_stays_the_text_that_was_written(written: str) -> None:
    data = strict_yaml.load(f"a: {written}\n".encode(), "f.yaml").data
    assert data == {"a": written}
    assert type(data["a"]) is Scalar


def test_plain_and_quoted_are_told_apart() -> None:
    data = strict_yaml.load(b"a: null\nb: 'null'\nc: \"null\"\nd: |\n  null\ne:\n", "f.yaml").data
    plain = {key: value.plain for key, value in data.items() if isinstance(value, Scalar)}
    assert plain == {"a": True, "b": False, "c": False, "d": False, "e": True}


def test_keys_are_text() -> None:
    assert strict_yaml.load(b"1: a\ntrue: b\nnull: c\n", "f.yaml").data == {"1": "a", "true": "b", "null": "c"}


def test_marks_lead_to_every_part() -> None:
    document = strict_yaml.load(b"a:\n  - b: x\n    c: [y, z]\nd:\n", "f.yaml")
    assert document.marks == {
        (): (1, 1),
        ("a",): (2, 3),
        ("a", 0): (2, 5),
        ("a", 0, "b"): (2, 8),
        ("a", 0, "c"): (3, 8),
        ("a", 0, "c", 0): (3, 9),
        ("a", 0, "c", 1): (3, 12),
        ("d",): (4, 1),
    }
    assert document.where(("a", 0, "c", 1)).text() == "f.yaml:3:12: $.a[0].c[1]"
    assert document.where(("a", 0, "missing")).text() == "f.yaml:2:5: $.a[0].missing"
    assert document.at(("a", 0, "c")) == ["y", "z"]


def test_a_pointer_quotes_keys_that_are_no_names() -> None:
    assert strict_yaml.pointer(("expect", "P(bound=high)", 0)) == '$.expect["P(bound=high)"][0]'


REFUSED_FORMS = [
    ("a: 1\na: 2\n", "duplicate-key", (2, 1), "(line 2) and in line 1"),
    ('1: a\n"1": b\n', "duplicate-key", (2, 1), "line 1"),
    ("a: {b: 1, c: 2, b: 3}\n", "duplicate-key", (1, 17), "line 1"),
    ("a: &x 1\n", "yaml-feature-refused", (1, 4), "anchor"),
    ("a: *x\n", "yaml-feature-refused", (1, 4), "alias"),
    ("a: !!str 1\n", "yaml-feature-refused", (1, 4), "tag"),
    ("a: !!python/object:os.system x\n", "yaml-feature-refused", (1, 4), "tag"),
    ("a: ! x\n", "yaml-feature-refused", (1, 4), "tag"),
    ("<<: {a: 1}\n", "yaml-feature-refused", (1, 1), "merge key"),
    ("%YAML 1.1\n---\na: 1\n", "yaml-feature-refused", (1, 1), "directive"),
    ("a: 1\n---\nb: 2\n", "yaml-feature-refused", (2, 1), "second"),
    ("[a]: b\n", "document-invalid", (1, 1), "text as key"),
    ("", "document-invalid", (1, 1), "empty file"),
    ("# only a comment\n", "document-invalid", (1, 1), "empty file"),
    ("---\n", "document-invalid", (1, 1), "mapping at the top"),
    ("- a\n", "document-invalid", (1, 1), "a list of 1"),
    ("a text\n", "document-invalid", (1, 1), '"a text"'),
    ("a:\tb\n", "yaml-syntax", (1, 3), "tab"),
    ("a:\n\tb: c\n", "yaml-syntax", (2, 1), "tab"),
    ("a: b: c\n", "yaml-syntax", (1, 5), "second `: `"),
    ("a: 'b\nc: d\n", "yaml-syntax", (3, 1), "closing quote"),
    ("a: [b\nc: d\n", "yaml-syntax", (2, 2), "bracket"),
    ("a: @b\n", "yaml-syntax", (1, 4), "quotes"),
    ('a: "\\q"\n', "yaml-syntax", (1, 6), "escape"),
    ("a: |\nb\n", "yaml-syntax", None, "expected"),
    ("a: b\n- c\n", "yaml-syntax", (2, 1), "indentation"),
    ('a: "\\U00FFFFFF"\n', "yaml-syntax", (1, 5), "U+10FFFF"),
    ('a: "\\uD83D"\n', "document-unreadable", (1, 4), "U+D83D"),
    ('a: "\\0"\n', "document-unreadable", (1, 4), "U+0000"),
    ("a: b\x07c\n", "document-unreadable", (1, 5), "U+0007"),
    ("a: b\n c: \x00\n", "document-unreadable", (2, 5), "U+0000"),
    ("a: b\u2028c\n", "document-unreadable", (1, 5), "U+2028"),
    ("a: b\ufeffc\n", "document-unreadable", (1, 5), "U+FEFF"),
    (b"a: b\nc: \xff\n", "document-unreadable", (2, 4), "0xFF"),
    ("a: b\n".encode("utf-16"), "document-unreadable", (1, 1), "UTF-16"),
    (b"a: " + b"x" * 2**20, "document-unreadable", (1, 1), "1,048,576 bytes"),
    ("a: " + "[" * 32 + "]" * 32, "document-unreadable", (1, 35), "32 levels"),
    ("a: " + "[" * 200_000, "document-unreadable", (1, 35), "32 levels"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "rule", "mark", "words"), REFUSED_FORMS, ids=range(len(REFUSED_FORMS)))
def test_a_form_is_refused(text: str | bytes, rule: str, mark: tuple[int, int] | None, words: str) -> None:
    one = only(text)
    assert one.rule == rule
    assert words in one.message
    assert one.message.startswith("expected ")
    assert one.severity == "error"
    if mark is not None:
        assert place(one) == mark


@pytest.mark.parametrize(
    "text",
    [
        "a: b\n",
        "\ufeffa: b\n",
        "a: b\r\n",
        "a: b",
        "---\na: b\n...\n",
        "# c\na: b # d\n",
        "{a: b}",
        "a: |-\n  b\n",
        "# a\ttab\na: b",
    ],
)
def test_harmless_forms_are_read(text: str) -> None:
    assert strict_yaml.load(text.encode(), "f.yaml").data == {"a": "b"}


def test_a_byte_order_mark_moves_no_column() -> None:
    assert place(only("\ufeffa: *x\n".encode())) == (1, 4)


def test_crlf_counts_as_one_line() -> None:
    assert place(only(b"a: 1\r\nb: 2\r\na: 3\r\n")) == (3, 1)


def test_32_levels_are_allowed() -> None:
    assert strict_yaml.load(("a: " + "[" * 31 + "]" * 31).encode(), "f.yaml")


def test_a_question_mark_needs_no_quotes() -> None:
    assert strict_yaml.load(b"{a: Is it so?, b: x?y}\n", "f.yaml").data == {"a": "Is it so?", "b": "x?y"}


def test_nested_aliases_are_refused_without_being_followed() -> None:
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 60))
    begin = time.perf_counter()
    found = findings(bomb)
    assert time.perf_counter() - begin < 5
    assert len(found) == 21
    assert found[-1].message.startswith(f"{60 + 2 * 59 - 20} more of the same")


def test_every_error_of_the_form_is_reported_in_file_order() -> None:
    found = findings("a: &x 1\nb: *x\nc: !!int 3\na: 4\n<<: 5\n")
    assert [place(f) for f in found] == [(1, 4), (2, 4), (3, 4), (4, 1), (5, 1)]


def test_errors_of_form_and_of_fields_come_together() -> None:
    found = findings(HEAD + "controls:\n  - {kind: bundle, need: ok, need: no}\nday: 2026-13-02\nflg: yes\n", Control)
    assert [(f.rule, place(f)) for f in found] == [
        ("duplicate-key", (3, 30)),
        ("document-invalid", (4, 6)),
        ("unknown-field", (5, 1)),
    ]


def test_what_the_parser_refused_is_not_refused_again() -> None:
    assert [f.rule for f in findings(HEAD + "controls: *x\n", Control)] == ["yaml-feature-refused"]
    assert [f.rule for f in findings(HEAD + "<<: {controls: []}\n", Control)] == ["yaml-feature-refused"]
