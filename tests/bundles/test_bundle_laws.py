"""Laws that hold whatever the input, and a brute force over thousands of random needs through the whole command."""

from __future__ import annotations

import random

import bundle_oracle as oracle
import pytest
from test_blocks import written
from test_collections import ROW, jsonl

from evaudit.audits.bundles import Running, Tables, Wanted, audit_tables
from evaudit.bundles.budget import Allowance

NEEDS = 1500


def random_needs(seed, count, components=4):
    """Needs as the oracle takes them: units touch, overlap, nest and repeat; any_of, empty lists, many components."""
    rng = random.Random(seed)

    def span():
        start = rng.randint(0, 14)
        return (rng.randint(0, 1), start, start + rng.randint(1, 6))

    found = []
    for _ in range(count):
        names = [f"c{n}" for n in range(rng.randint(1, components))]
        found.append(
            {
                "components": {name: [span() for _ in range(rng.choice([1, 1, 1, 2]))] for name in names},
                "accept": [rng.sample(names, rng.randint(1, len(names))) for _ in range(rng.randint(0, 3))],
                "selected": [(*span(), True) for _ in range(rng.randint(0, 6))],
                "candidates": [(*span(), True) for _ in range(rng.randint(0, 8))],
                "corpus": None, "budget": 3,
            }
        )  # fmt: skip
        if rng.random() < 0.5:
            found[-1]["candidates"] += found[-1]["selected"]
    return found


def rows_of(needs):
    tables = {"needs": [], "selected": [], "candidates": []}
    for n, need in enumerate(needs):
        name = f"n{n:05}"
        anchors = [
            {"need": name, "bundle": f"{b:02}", "component": c, **ROW, "doc": f"d{d}", "start": s, "end": e}
            for b, bundle in enumerate(need["accept"]) for c in bundle for d, s, e in need["components"][c]
        ]  # fmt: skip
        empty = {"need": name, "bundle": "", "component": "", **ROW, "doc": "", "start": None, "end": None}
        tables["needs"] += anchors or [empty]
        for what in ("selected", "candidates"):
            tables[what] += [
                {"need": name, "rank": rank, **ROW, "doc": f"d{d}", "start": s, "end": e}
                for rank, (d, s, e, *_) in enumerate(need[what], 1)
            ]
    return tables


def figures(result):
    by_need = {}
    for f in result.iter_figures():
        by_need.setdefault(f.need, {})[f.name] = (f.num, f.den) if f.undefined is None else None
    return by_need


@pytest.mark.parametrize(("seed", "components", "form"), [(1, 4, "parquet"), (2, 3, "jsonl"), (3, 5, "parquet")])
def test_thousands_of_needs_agree_with_a_slow_reading(tmp_path, seed, components, form):
    needs = random_needs(seed, NEEDS, components)
    tables = written(tmp_path, rows_of(needs), form=form)
    result = audit_tables(tables, budget=Allowance("units", 3), running=Running(block_rows=2000))
    found = figures(result)
    lost = dict.fromkeys(result.details["stages"]["lost"], 0)
    for n, need in enumerate(needs):
        assert found[f"n{n:05}"] == oracle.figures(need)
        for stage in oracle.stages(need).values():
            lost[stage] = lost.get(stage, 0) + 1
    lost.pop("eligible", None)
    assert result.details["stages"]["lost"] == lost


def test_more_than_sixty_four_components(tmp_path):
    names = [f"c{n}" for n in range(150)]
    need = {
        "components": {name: [(0, 10 * n, 10 * n + 5)] for n, name in enumerate(names)},
        "accept": [names, names[:70]], "budget": None, "corpus": None, "candidates": [(0, 0, 5, True)],
        "selected": [(0, 10 * n, 10 * n + 5, True) for n in range(100)],
    }  # fmt: skip
    found = figures(audit_tables(written(tmp_path, rows_of([need]))))["n00000"]
    assert found["components-covered"] == (70, 70) and found["bundle-coverage"] == (1, 1)
    assert found["single-unit-sufficiency"] == (0, 1)


def audited(folder, needs):
    folder.mkdir(exist_ok=True)
    return figures(audit_tables(written(folder, rows_of(needs))))


def test_adding_a_unit_never_lowers_coverage(tmp_path):
    needs = random_needs(4, 400)
    before = audited(tmp_path / "a", needs)
    rng = random.Random(0)
    more = [{**need, "selected": [*need["selected"], (0, rng.randint(0, 9), 20, True)]} for need in needs]
    after = audited(tmp_path / "b", more)
    for name, found in before.items():
        for measure in ("bundle-coverage", "bundle-coverage-joined", "single-unit-sufficiency", "any-hit"):
            if found[measure] is not None:
                assert after[name][measure][0] >= found[measure][0]
        if found["selected-recall"] is not None:
            one, other = found["selected-recall"], after[name]["selected-recall"]
            assert other[0] * one[1] >= one[0] * other[1]


def test_splitting_a_unit_never_raises_whole_and_never_changes_joined(tmp_path):
    needs = random_needs(5, 400)
    rng = random.Random(0)

    def split(unit):
        doc, start, end, ok = unit
        if end - start < 2:
            return [unit]
        middle = rng.randint(start + 1, end - 1)
        return [(doc, start, middle, ok), (doc, middle, end, ok)]

    apart = [{**need, "selected": [piece for unit in need["selected"] for piece in split(unit)]} for need in needs]
    before, after = audited(tmp_path / "a", needs), audited(tmp_path / "b", apart)
    for name, found in before.items():
        assert after[name]["bundle-coverage-joined"] == found["bundle-coverage-joined"]
        if found["bundle-coverage"] is not None:
            assert after[name]["bundle-coverage"][0] <= found["bundle-coverage"][0]


def test_permuting_rows_changes_nothing_where_ranks_are_given(tmp_path):
    rows = rows_of(random_needs(6, 200))
    before = figures(audit_tables(written(tmp_path / "a", rows)))
    for name in ("selected", "candidates"):
        random.Random(1).shuffle(rows[name])
    assert figures(audit_tables(written(tmp_path / "b", rows))) == before


def test_restricting_the_view_never_satisfies_more(tmp_path):
    rows = rows_of(random_needs(7, 200))
    labels = [{**ROW, "doc": "d0", "status": "current"}, {**ROW, "doc": "d1", "status": "archived"}]
    documents = jsonl(tmp_path / "documents.jsonl", labels)
    tables = written(tmp_path / "in", rows)
    counts = []
    for number, statuses in enumerate(("[current, archived]", "[current]", "[other]")):
        view = tmp_path / f"view{number}.yaml"
        view.write_text(f"schema: evaudit/view@1\nview: {{name: v, statuses: {statuses}}}\n")
        given = Tables(tables.needs, tables.selected, documents=documents, view=str(view))
        result = audit_tables(given)
        counts.append({r["need"] for r in result.details["needs"] if r["verdict"] == "satisfied"})
        ignoring = next(m for m in result.means if m.name == "complete-ignoring-eligibility")
        assert ignoring.num == len(counts[0])
    assert counts[0] > counts[1] > counts[2] == set()


def test_a_view_that_takes_an_opposing_claim_away_says_so(tmp_path):
    rows = [
        {**ROW, "status": "current", "text": "Team A owns it."},
        {**ROW, "doc": "e", "status": "revoked", "text": "Team B owns it."},
    ]
    anchor = {"ref": "wiki/d@1", "exact": "Team A owns it."}
    other = {"ref": "wiki/e@1", "exact": "Team B owns it."}
    need = {
        "need": "n", "components": {"a": {"anchor": anchor}}, "accept": [["a"]],
        "claims": [
            {"id": "c1", "component": "a", "says": ["it", "owner", "A"]},
            {"id": "c2", "anchor": other, "says": ["it", "owner", "B"]},
        ],
    }  # fmt: skip
    rule = "{id: r, kind: single-valued, relation: owner}"
    (tmp_path / "rules.yaml").write_text(f"schema: evaudit/rules@1\nrules: [{rule}]\n")
    verdicts = []
    for statuses in ("[current, revoked]", "[current]"):
        (tmp_path / "view.yaml").write_text(f"schema: evaudit/view@1\nview: {{name: v, statuses: {statuses}}}\n")
        tables = Tables(
            jsonl(tmp_path / "needs.jsonl", [need]),
            jsonl(tmp_path / "selected.jsonl", [{"need": "n", **ROW, "start": 0, "end": 15}]),
            documents=jsonl(tmp_path / "documents.jsonl", rows), view=str(tmp_path / "view.yaml"),
            rules=str(tmp_path / "rules.yaml"),
        )  # fmt: skip
        result = audit_tables(tables, wanted=Wanted())
        verdicts.append((result.details["needs"][0]["verdict"], [f.rule for f in result.findings]))
    assert verdicts == [("refused", []), ("satisfied", ["opposing-claim-ineligible"])]


def test_offsets_in_astral_text_count_code_points(tmp_path):
    text = "😀" * 30 + "go 🚀 now"
    documents = jsonl(tmp_path / "documents.jsonl", [{**ROW, "text": text}])
    needs = [
        {
            "need": str(n),
            "components": {"a": {"anchor": {"ref": "wiki/d@1", "exact": text[n : n + 5]}}},
            "accept": [["a"]],
        }
        for n in range(27, 34)
    ]
    selected = [{"need": str(n), **ROW, "start": n, "end": n + 5, "text": text[n : n + 5]} for n in range(27, 34)]
    tables = Tables(
        jsonl(tmp_path / "needs.jsonl", needs), jsonl(tmp_path / "selected.jsonl", selected), documents=documents
    )
    result = audit_tables(tables)
    assert result.details["verdicts"]["satisfied"] == 7
    shifted = [{**unit, "start": unit["start"] * 2, "end": unit["end"] * 2} for unit in selected]
    result = audit_tables(Tables(tables.needs, jsonl(tmp_path / "selected.jsonl", shifted), documents=documents))
    assert result.details["verdicts"]["satisfied"] == 0
    assert {f.rule for f in result.findings} <= {"reference-text-mismatch", "reference-out-of-range"}
