"""Hashes of texts: the same text has the same hash, whatever stands beside it and however the column is stored."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from evaudit.formats.text_keys import text_hashes

TEXT = st.text(st.sampled_from("ab\u00e9\U0001f600\0"), max_size=12) | st.sampled_from(["a" * 64, "a" * 65, "b" * 200])


@given(st.lists(TEXT, min_size=1, max_size=6), st.data())
def test_a_hash_depends_on_the_text_alone(texts: list[str], data: st.DataObject) -> None:
    alone = [int(text_hashes(pa.array([text], pa.string()))[0]) for text in texts]
    column = pa.array(texts, pa.string())
    forms = [column, column.dictionary_encode(), column.cast(pa.large_string())]
    for form in forms:
        assert text_hashes(form).tolist() == alone
    cut = data.draw(st.integers(0, len(texts)))
    assert text_hashes(pa.chunked_array([column[:cut], column[cut:]])).tolist() == alone
    assert len(set(alone)) == len(set(texts))
