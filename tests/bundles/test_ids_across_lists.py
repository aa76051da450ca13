"""One unit id, one place: the ids of corpus, candidates and selection are compared, and both places are named."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest
from join_rows import Row, need, unit

import evaudit
from evaudit.audits.bundle_partials import Wanted
from evaudit.audits.bundles import Running, Tables, audit_tables

RULE = "unit-moved"


def chunk(name: str, doc: str, start: int, end: int, *, of: str | None = "n1") -> Row:
    row = unit(of or "", doc, start=start, end=end) | {"unit": name}
    return row if of is not None else {key: value for key, value in row.items() if key != "need"}


def told(selected: list[Row], **lists: list[Row]) -> list[str]:
    tables = {name: pa.Table.from_pylist(rows) for name, rows in lists.items()}
    needs = pa.Table.from_pylist([need("n1", "f"), need("n2", "g")])
    found = evaudit.cover(needs, pa.Table.from_pylist(selected), **tables).result.findings
    assert {f.severity for f in found if f.rule == RULE} <= {"error"}
    return [f.message for f in found if f.rule == RULE]


@pytest.mark.parametrize("shared", [True, False])
def test_a_selected_unit_elsewhere_than_in_the_corpus_is_an_error_with_both_places(shared: bool) -> None:
    corpus = [chunk("f:1", "f", 10, 20, of=None if shared else "n1")]
    (message,) = told([chunk("f:1", "f", 0, 9)], units=corpus)
    assert message.startswith(
        "selected unit f:1 is at char 0-9, the unit of the corpus with that id is at 10-20; one of"
    )
    assert told([chunk("f:1", "f", 10, 20)], units=corpus) == []
    assert told([chunk("f:2", "f", 0, 9)], units=corpus) == []


def test_candidates_are_compared_with_the_corpus_and_the_selection_with_both() -> None:
    corpus, candidates = [chunk("f:1", "f", 10, 20, of=None)], [chunk("f:1", "f", 0, 9)]
    assert len(told([chunk("f:1", "f", 10, 20)], units=corpus, candidates=candidates)) == 2
    messages = told([chunk("f:1", "f", 0, 9)], units=corpus, candidates=candidates)
    assert [m.partition(" is")[0] for m in messages] == ["selected unit f:1", "candidate f:1"]


def test_another_document_is_another_place() -> None:
    (message,) = told([chunk("1", "f", 0, 9)], candidates=[chunk("1", "g", 0, 9)])
    assert "is in kb/f@1 at char 0-9, the candidate with that id is in kb/g@1 at char 0-9" in message


def test_units_that_take_their_place_by_id_are_not_moved() -> None:
    chosen = [{"need": "n1", "unit": "f:1"}]
    assert told(chosen, units=[chunk("f:1", "f", 10, 20, of=None)]) == []


def test_the_same_id_of_two_needs_is_two_units_where_each_need_has_its_own_list() -> None:
    candidates = [chunk("1", "f", 0, 9), chunk("1", "g", 5, 9, of="n2")]
    assert told([chunk("1", "f", 0, 9), chunk("1", "g", 5, 9, of="n2")], candidates=candidates) == []


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("shared", [True, False])
def test_moved_units_are_those_of_a_comparison_by_hand(seed: int, shared: bool) -> None:
    rng = random.Random(seed)
    needs = [need(f"n{i}", "fg"[i % 2]) for i in range(4)]

    def some(of: str | None, names: list[str]) -> list[Row]:
        return [chunk(n, rng.choice("fg"), s := rng.choice([0, 10]), s + 9, of=of) for n in names]

    corpus = (
        some(None, ["a", "b", "c"]) if shared else [r for n in needs for r in some(str(n["need"]), ["a", "b", "c"])]
    )
    lists = {
        what: [r for n in needs for r in some(str(n["need"]), rng.sample(["a", "b", "c", "d"], rng.randint(0, 3)))]
        for what in ("selected", "candidates")
    }
    lists["selected"] = lists["selected"] or some("n0", ["a"])
    lists["candidates"] = lists["candidates"] or some("n0", ["a"])
    place = [*("doc", "start", "end")]

    def by_hand(one: list[Row], pool: list[Row]) -> set[tuple[object, object]]:
        return {
            (r["need"], r["unit"]) for r in one for p in pool
            if r["unit"] == p["unit"] and p.get("need", r["need"]) == r["need"] and any(r[c] != p[c] for c in place)
        }  # fmt: skip

    chosen, candidates = lists["selected"], lists["candidates"]
    expected = len(by_hand(chosen, candidates)) + len(by_hand(chosen, corpus)) + len(by_hand(candidates, corpus))
    for block_rows in (10**6, 4):
        tables = Tables(*(pa.Table.from_pylist(rows) for rows in (needs, chosen, candidates, corpus)))
        found = audit_tables(tables, wanted=Wanted(), running=Running(1, block_rows=block_rows)).findings
        moved = [f for f in found if f.rule == RULE and " more of the same" not in f.message]
        more = sum(int(f.message.split()[0]) for f in found if f.rule == RULE and " more of the same" in f.message)
        assert len(moved) + more == expected
