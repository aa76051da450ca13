"""Odd bundles are found whatever their number, and positions of any size are compared as what they are."""

from __future__ import annotations

import json
import random
import time
from itertools import combinations

import pytest
from case_files import read

from evaudit.audits.bundle_tables import Tables
from evaudit.audits.bundles import Wanted, audit_tables
from evaudit.bundles.budget import allowance
from evaudit.errors import InvalidDocumentError

FILE = "source,doc,version"


def audit(tmp_path, accept, names, positions=None, units="n,s,d,1,0,1\n"):
    components = {
        name: {"anchor": {"ref": {"source": "s", "doc": "d", "version": "1"}, "start": at, "end": end}}
        for name, (at, end) in zip(names, positions or [(2 * i, 2 * i + 1) for i in range(len(names))], strict=True)
    }
    needs, selected = tmp_path / "needs.jsonl", tmp_path / "selected.csv"
    needs.write_text(json.dumps({"need": "n", "components": components, "accept": accept}))
    selected.write_text(f"need,{FILE},start,end\n{units}")
    return audit_tables(Tables(str(needs), str(selected)), wanted=Wanted(lint=True))


def by_definition(sets):
    """Bundles that contain another one, and that repeat an earlier one: pair by pair."""
    more = sum(any(other < one for other in sets) for one in sets)
    return more, sum(one in sets[:place] for place, one in enumerate(sets))


@pytest.mark.parametrize("seed", range(30))
def test_supersets_and_repeats_are_those_of_the_definition(tmp_path, seed):
    drawn = random.Random(seed)
    names = [f"c{i}" for i in range(drawn.randint(2, 7))]
    accept = [drawn.sample(names, drawn.randint(1, len(names))) for _ in range(drawn.randint(1, 25))]
    lint = audit(tmp_path, accept, names).details["lint"]
    expected = by_definition([frozenset(members) for members in accept])
    assert (lint["bundle-superset"]["bundles"], lint["bundle-repeated"]["bundles"]) == expected


def test_thousands_of_bundles_of_one_need_are_looked_at_in_seconds(tmp_path):
    names = [f"c{i}" for i in range(120)]
    accept = [*map(list, combinations(names, 2)), names[:3], names[:2]]
    began = time.perf_counter()
    lint = audit(tmp_path, accept, names).details["lint"]
    assert (lint["bundle-superset"]["bundles"], lint["bundle-repeated"]["bundles"]) == (1, 1)
    assert time.perf_counter() - began < 20


FAR = 2**62
VERDICTS = {
    "held": (f"n,s,d,1,0,{2**39}\n", "satisfied"),
    "one-position-short": (f"n,s,d,1,0,{2**39 - 1}\n", "incomplete"),
}


@pytest.mark.parametrize(("units", "verdict"), VERDICTS.values(), ids=VERDICTS)
def test_an_anchor_at_the_far_end_of_64_bits_disturbs_no_other(tmp_path, units, verdict):
    accept, names = [["near"], ["far", "further"]], ["near", "far", "further"]
    positions = [(5, 2**39), (FAR, FAR + 9), (FAR + 8, 2**63 - 1)]
    result = audit(tmp_path, accept, names, positions, units)
    assert result.details["needs"][0]["verdict"] == verdict
    assert result.details["lint"]["bundle-anchors-overlap"]["bundles"] == 1


@pytest.mark.parametrize("field", ["tokens: 1099511627777", "text: x, start: 0, end: 1099511627777"])
def test_a_written_unit_is_no_larger_than_sums_can_carry(field):
    case = "need: n\ncomponents: {}\naccept: []\nselected: [{ref: s/d@1, %s}]"
    with pytest.raises(InvalidDocumentError, match="at most 1099511627776"):
        read(case % (field if "start" in field else f"start: 0, end: 1, {field}"))


@pytest.mark.parametrize(
    ("needs", "said"),
    [
        ([[["a", "b"], ["a"]]], "1 need accepts a bundle that contains another one (1 bundle): n0"),
        ([[["a", "b"], ["a"]]] * 2, "2 needs accept a bundle that contains another one (2 bundles): n0, n1"),
        ([[["x"]]], "1 need accepts a bundle that names a component declared absent (1 bundle; it has no other): n0"),
        (
            [[["x"], ["a", "x"]], [["a"], ["x"]]],
            "2 needs accept a bundle that names a component declared absent (3 bundles; 1 need has no other): n0, n1",
        ),
    ],
)
def test_one_is_singular_and_several_are_plural(tmp_path, needs, said):
    anchors = {name: {"anchor": {"ref": "s/d@1", "start": at, "end": at + 1}} for at, name in enumerate("ab")}
    components = anchors | {"x": {"absent": {"inventory": ["s/d@1"], "declared_by": "author"}}}
    rows = [{"need": f"n{n}", "components": components, "accept": accept} for n, accept in enumerate(needs)]
    path, selected = tmp_path / "needs.jsonl", tmp_path / "selected.csv"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    selected.write_text(f"need,{FILE},start,end\n")
    found = audit_tables(Tables(str(path), str(selected)), wanted=Wanted(lint=True)).findings
    assert said in [one.message for one in found]


def sentences_covered(units, sentences):
    """Whether some units hold each sentence, by trying every one."""
    return all(any(start <= at < end for start, end in units) for at in sentences)


@pytest.mark.parametrize("longest", [1, 2])
@pytest.mark.parametrize("seed", range(25))
def test_a_bundle_over_the_budget_of_units_fits_no_selection_of_units_as_they_are_listed(tmp_path, seed, longest):
    draw = random.Random(seed)
    sentences, budget = draw.sample(range(5), draw.randint(1, 4)), draw.randint(1, 3)
    every = [(at, at + n) for at in range(5) for n in range(1, longest + 1)]
    components = {
        f"c{at}": {"anchor": {"ref": "s/d@1", "start": at, "end": at + 1, "space": "sentence"}} for at in sentences
    }
    needs, selected, candidates = (tmp_path / name for name in ("needs.jsonl", "selected.csv", "candidates.csv"))
    needs.write_text(json.dumps({"need": "n", "components": components, "accept": [list(components)]}))
    head = f"need,{FILE},start,end,space\n"
    selected.write_text(f"{head}n,s,d,1,{every[0][0]},{every[0][1]},sentence\n")
    candidates.write_text(head + "".join(f"n,s,d,1,{start},{end},sentence\n" for start, end in every))
    tables = Tables(str(needs), str(selected), candidates=str(candidates))
    found = audit_tables(
        tables, budget=allowance({"units": budget, "chars": None, "tokens": None}, None), wanted=Wanted(lint=True)
    ).findings
    fits = any(sentences_covered(units, sentences) for units in combinations(every, min(budget, len(every))))
    said = [one.message for one in found if one.rule == "bundle-over-budget"]
    assert not (said and fits), said
    if longest == 1:
        assert bool(said) == (not fits)
        assert all("if each unit is one sentence or item" in one for one in said)
