"""Ids as columns: repeats and joins are exact, by sorted keys as by a plain dictionary."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaudit.decisions import columns, id_keys
from evaudit.decisions.columns import Coded, Ids

ALPHABET = st.text(alphabet="ab0é😀 ", min_size=0, max_size=5)
LISTS = st.lists(
    st.one_of(ALPHABET, st.sampled_from(["C00000001", "C00000002", "x" * 31, "x" * 33, "a\0", "a"])), max_size=12
)


def repeated(ids: list[str]) -> list[list[int]]:
    groups: dict[str, list[int]] = {}
    for i, candidate in enumerate(ids):
        groups.setdefault(candidate, []).append(i)
    return [rows for rows in groups.values() if len(rows) > 1]


@pytest.mark.parametrize("large", [0, 1 << 30], ids=["sorted keys", "hash table"])
def test_repeats_and_joins_are_those_of_a_dictionary(large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "LARGE", large)

    @settings(deadline=None, max_examples=300)
    @given(LISTS, LISTS)
    def check(a: list[str], b: list[str]) -> None:
        left, right = Ids(a), Ids(b)
        assert left.repeated() == repeated(a)
        first = {c: i for i, c in reversed(list(enumerate(b)))}
        assert left.rows_in(right).tolist() == [first.get(c, -1) for c in a]
        back = {c: i for i, c in reversed(list(enumerate(a)))}
        assert right.rows_in(left).tolist() == [back.get(c, -1) for c in b]
        assert left.blank().tolist() == [i for i, c in enumerate(a) if not c.strip()]

    check()


def test_two_ids_with_one_key_are_still_two_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "LARGE", 0)
    monkeypatch.setattr(id_keys, "_mixed", lambda values: np.zeros_like(values))
    ids = ["abcdefgh1", "abcdefgh2", "abcdefgh1", "zzzzzzzz1"]
    assert Ids(ids).repeated() == [[0, 2]]
    assert Ids(ids).rows_in(Ids(["zzzzzzzz1", "abcdefgh2"])).tolist() == [-1, 1, -1, 0]


def test_keys_differ_for_ids_of_every_length() -> None:
    ids = ["a" * n for n in range(1, 33)] + [f"C{i:08}" for i in range(2000)]
    keys = id_keys.keys_of(pa.array(ids))
    assert keys is not None
    assert not keys.repeated_keys()


def test_a_slice_of_an_array_is_read_at_its_own_place() -> None:
    whole = pa.array([f"C{i:08}" for i in range(100)])
    keys = id_keys.keys_of(whole.slice(40, 20))
    other = id_keys.keys_of(pa.array([f"C{i:08}" for i in range(40, 60)]))
    assert keys is not None
    assert other is not None
    assert np.array_equal(keys.ordered, other.ordered)


@given(st.lists(st.sampled_from(["x", "y", ""]), max_size=9))
def test_a_coded_column_is_the_column(values: list[str]) -> None:
    for column in (
        Coded.of(values),
        Coded.of(pa.array(values, pa.string())),
        Coded.of(pa.chunked_array([values[:3], values[3:]], pa.string())),
    ):
        assert [column[i] for i in range(len(column))] == values
        taken = column.take(np.array([len(values) - 1, -1]))
        assert [taken[0], taken[1]] == [values[-1] if values else "", ""]
        assert column.present() == {v: values.count(v) for v in dict.fromkeys(values)}
