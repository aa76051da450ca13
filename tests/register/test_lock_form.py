"""A lock holds integers and strings only, and is read back only if it is what was written."""

from __future__ import annotations

import json

import pytest

from evaudit.register.lock import FrozenFile, FrozenOutput, Lock, frozen_output, read_lock, significant
from evaudit.register.offer import Offered
from evaudit.register.rows import changed_rows, row_digest, rows_by_id

FILE = FrozenFile(path="x.yaml", recipe="text/lf", sha256="0" * 64)
LOCK = Lock(
    id="a",
    definitions="1",
    calculation=FILE,
    spec=FILE,
    inputs=[],
    outputs={
        "b": frozen_output(Offered("P", "P", {}, counts=(21, 21))),
        "a": frozen_output(Offered("AP", "AP", {}, number=5 / 6)),
        "c": frozen_output(Offered("R", "R", {}, undefined="no-known-positives")),
    },
)


def leaves(value):
    if isinstance(value, dict):
        return [leaf for v in value.values() for leaf in leaves(v)]
    if isinstance(value, list):
        return [leaf for v in value for leaf in leaves(v)]
    return [value]


def test_only_integers_and_strings_and_counts_are_not_reduced():
    content = json.loads(LOCK.text())
    assert {type(leaf) for leaf in leaves(content)} <= {int, str}
    assert content["outputs"]["b"] == {"num": 21, "den": 21}
    assert content["outputs"]["a"] == {"decimal": "0.833333333333"}
    assert content["outputs"]["c"] == {"undefined": "no-known-positives"}
    assert list(content["outputs"]) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2.5, "2.50000000000"),
        (1e-7, "0.000000100000000000"),
        (123456789012345.0, "123456789012000"),
        (0.0, "0.00000000000"),
    ],
)
def test_twelve_significant_digits_without_exponent(value, text):
    assert significant(value) == text


def test_a_lock_reads_back_and_line_ends_of_a_checkout_do_not_matter():
    raw = LOCK.text().encode()
    assert read_lock(raw) == (LOCK, None)
    assert read_lock(raw.replace(b"\n", b"\r\n")) == (LOCK, None)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"den": 21', b'"den": 21.0'),
        (b'"den": 21', b'"den": true'),
        (b'"den": 21', b'"den": 21, "den": 22'),
        (b'"id": "a"', b'"id": "a", "time": "now"'),
        (b'"sha256": "0', b'"sha256": "x'),
        (b"{", b"["),
        (b"{", b"\xff{"),
    ],
)
def test_anything_else_is_no_lock(old, new):
    lock, problem = read_lock(LOCK.text().encode().replace(old, new, 1))
    assert lock is None
    assert "cannot be read" in problem.told
    assert (
        new[:1] in (b"{", b"\xff")
        or problem.line
        or problem.pointer
        or "stands twice" in problem.told
        or "float" in problem.told
    )


def test_another_layout_of_the_same_content_is_an_edited_lock():
    lock, problem = read_lock(json.dumps(json.loads(LOCK.text())).encode())
    assert lock == LOCK
    assert ("calc freeze" in problem.told, problem.line) == (True, 1)


def test_an_undefined_output_is_told_with_its_reason():
    assert FrozenOutput(undefined="not-applicable").text() == "undefined: not-applicable"


ROWS = [
    {"id": str(i), "state": s, "label": v} for i, (s, v) in enumerate([("a", "p"), ("b", "p"), ("b", "n"), ("a", "n")])
]
OLD = {name: row_digest(row) for name, row in rows_by_id(ROWS, "id").items()}


@pytest.mark.parametrize(
    ("row", "change", "told"),
    [
        (0, {"state": "b"}, "0 a -> b, label p"),
        (0, {"label": "n"}, "0 label p -> n, state a"),
        (0, {"state": "b", "label": "n"}, "0 a -> b, label p -> n"),
        (0, {"state": "new"}, "0 a -> new, label p"),
        (0, {"state": "gone"}, "0 a -> gone, label p"),
    ],
)
def test_a_changed_row_says_what_it_was(row, change, told):
    rows = [{**r, **change} if i == row else r for i, r in enumerate(ROWS)]
    assert changed_rows(OLD, rows_by_id(rows, "id"), {"state": ["a", "b"], "label": ["p", "n"]}) == [told]


def test_dropped_added_and_unknown_changes_are_told():
    rows = [*ROWS[1:], {"id": "9", "state": "a", "label": ""}]
    assert changed_rows(OLD, rows_by_id(rows, "id"), {"state": ["a"], "label": []}) == [
        "0 dropped",
        "9 added: state a, label empty",
    ]
    other = {**OLD, "0": "0" * 16}
    assert changed_rows(other, rows_by_id(ROWS, "id"), {}) == ["0 changed; what it said before is not known"]


def test_a_repeated_id_loses_no_row():
    rows = rows_by_id([*ROWS, ROWS[0]], "id")
    assert list(rows) == ["0", "1", "2", "3", "0#2"]


def test_more_than_ten_changes_are_counted():
    rows = [{"id": f"{i:02}", "state": "a"} for i in range(14)]
    told = changed_rows({}, rows_by_id(rows, "id"), {})
    assert len(told) == 11
    assert told[-1] == "and 4 more"
