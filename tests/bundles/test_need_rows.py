"""Every column of the rows, one a need, against a slow reading of what the guide says of it; in all three forms."""

from __future__ import annotations

import csv
import json
import random
from fractions import Fraction

import bundle_oracle as oracle
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_collections import jsonl, run

NEEDS = 250
STATUS = {"d0": "current", "d1": "superseded", "d2": "current", "d3": None}
"""Documents of 25 characters; ``d9`` is in no table, and so unknown to the view."""
VIEW = """schema: evaudit/view@1
view: {name: now, statuses: [current]}
"""


def collection(seed):
    """Needs as the oracle takes them; here a component may be absent, or stand beyond the end of its document."""
    rng = random.Random(seed)

    def span(*more):
        start = rng.randint(0, 16)
        return (rng.choice(["d0", "d0", "d1", "d2", "d3", *more]), start, start + rng.randint(1, 6))

    corpus = [span() for _ in range(10)]
    needs = []
    for _ in range(NEEDS):
        components = {f"c{n}": [span() for _ in range(rng.choice([1, 1, 1, 2]))] for n in range(rng.randint(1, 4))}
        if rng.random() < 0.2:
            components["gone"] = None
        if rng.random() < 0.2:
            components["beyond"] = [("d0", 20, 40)]
        names = list(components)
        candidates = [rng.choice([span("d9"), *corpus]) for _ in range(rng.randint(0, 7))]
        needs.append(
            {
                "components": components,
                "accept": [rng.sample(names, rng.randint(1, len(names))) for _ in range(rng.choice([0, 1, 1, 2, 3]))],
                "candidates": candidates, "selected": candidates[: rng.randint(0, 5)], "corpus": corpus,
                "tokens": rng.random() < 0.7,
            }
        )  # fmt: skip
    return needs


def written(folder, needs, corpus=True):
    """The tables of a collection, and the options that name them."""
    rows = {"needs": [], "selected": [], "candidates": []}
    for n, need in enumerate(needs):
        declared = {}
        for name, anchors in need["components"].items():
            refs = [{"ref": f"wiki/{d}@1", "start": s, "end": e} for d, s, e in anchors or ()]
            absent = {"absent": {"inventory": ["wiki/d0@1"], "declared_by": "author"}}
            declared[name] = absent if anchors is None else {"any_of": refs} if len(refs) > 1 else {"anchor": refs[0]}
        rows["needs"].append({"need": f"n{n}", "components": declared, "accept": need["accept"]})
        tokens = {"tokens": 2} if need["tokens"] else {}
        for what in ("selected", "candidates"):
            rows[what] += [
                {"need": f"n{n}", "rank": rank, "unit": f"u{rank}", **ref(*span), **tokens}
                for rank, span in enumerate(need[what], 1)
            ]
    rows["units"] = [{"unit": f"k{n}", **ref(*one)} for n, one in enumerate(needs[0]["corpus"])]
    rows["documents"] = [
        {"source": "wiki", "doc": doc, "version": "1", "text": "x" * 25} | ({"status": status} if status else {})
        for doc, status in STATUS.items()
    ]
    options = []
    for what in rows if corpus else [name for name in rows if name != "units"]:
        options += [f"--{what}", jsonl(folder / f"{what}.jsonl", rows[what])]
    return options


def ref(doc, start, end):
    return {"source": "wiki", "doc": doc, "version": "1", "start": start, "end": end}


def expected(need, name, budget, view, corpus):
    """The row of a need; where the order of a list says nothing, sorted."""
    allowed = {
        doc: {"current": True, "superseded": False}.get(status) if view else True for doc, status in STATUS.items()
    }
    placed = {c: None if a is None else [x for x in a if x[2] <= 25] for c, a in need["components"].items()}
    units = {what: [(*u, allowed.get(u[0])) for u in need[what]] for what in ("selected", "candidates", "corpus")}
    # A unit of a document that is not in the inventory stands nowhere.
    known = {what: [u if u[0] in STATUS else ("nowhere", 0, 1, None) for u in of] for what, of in units.items()}
    plain = need | known | {"components": placed, "budget": budget, "view": view}
    within = known["selected"] if budget is None else known["selected"][:budget]
    row = {"need": name, "view": "now" if view else None, "rule_set_hash": None, "bundles": len(need["accept"])}
    every = {c for bundle in need["accept"] for c in bundle}
    row["components"] = len(every)
    row["components_absent"] = sum(placed[c] is None for c in every)
    row["components_unresolved"] = sum(placed[c] == [] for c in every)
    row["bundles_over_budget"] = sum(
        len({placed[c][0][0] for c in bundle if placed[c] and len(need["components"][c]) == 1}) > budget
        for bundle in need["accept"]
    ) if budget is not None else 0  # fmt: skip
    figures = oracle.figures(plain)
    if any(placed[c] == [] for c in placed):  # such a component exists, though nothing can cover it
        exists = [c for c in best_of(plain) if need["components"][c] is not None]
        if exists:
            figures["existing-components-covered"] = (figures["components-covered"][0], len(exists))
        if budget is not None:
            exists = [c for c in best_of(plain, over_list=True) if need["components"][c] is not None]
            covered = figures["components-covered(over=list)"]
            figures["existing-components-covered(over=list)"] = (covered[0], len(exists)) if exists else None
    for measure, found in figures.items():
        column = measure.replace("-", "_").replace("(over=list)", "_over_list")
        if column.removesuffix("_over_list") in YES_NO:
            row[column] = bool(found[0]) if found else None
        else:
            row[f"{column}_num"], row[f"{column}_den"] = found or (None, None)
        row[f"{column}_undefined"] = None if found else reason(measure, need, figures)
    stages = {"candidate": known["candidates"], "selected": known["selected"]}
    stages["within_budget"] = within if budget is not None else None
    stages["eligible"] = [u for u in within if u[3]] if view else None
    for stage, given in stages.items():
        there = given is not None and bool(need["accept"])
        row[f"complete_at_{stage}"] = oracle.complete(plain, given) if there else None
    best = best_of(plain)
    row["best_bundle"] = str(oracle.best(plain, within) + 1) if need["accept"] else None
    if budget is not None and need["accept"]:
        wanted = set(need["accept"][oracle.best(plain, within)])
        row["within_budget_recall_num"] = len(oracle.covered(plain, within) & wanted)
        row["within_budget_recall_den"] = len(wanted)
    else:
        row["within_budget_recall_num"] = row["within_budget_recall_den"] = None
    row |= losses(plain, best, stages, corpus)
    row |= selection(need, plain, within, best, view)
    row |= possible(plain, budget, known["corpus"] if corpus else known["candidates"])
    return row | dict.fromkeys(("path", "conflict_rule", *LISTS, "stop"))


LISTS = ("conflict_claims", "conflict_seen_in", "causes", "cause_steps")
INCOMPLETE = ["absent-component", "unresolved-anchor", "nothing-selected"]
INCOMPLETE += ["over-budget", "ineligible", "partial-overlap", "uncovered"]
YES_NO = {
    *("bundle_coverage", "bundle_coverage_joined", "single_unit_sufficiency", "any_hit", "complete"),
    *("complete_ignoring_eligibility", "clean_selection"),
}


def best_of(plain, over_list=False):
    units = plain["selected"] if over_list else oracle.admitted(plain)
    return set(plain["accept"][oracle.best(plain, units)]) if plain["accept"] else set()


def reason(measure, need, figures):
    if measure.startswith(("ineligible-selected", "unknown-selected", "clean-selection")):
        over = "(over=list)" if "over=list" in measure else ""
        return "eligibility-unknown" if figures[f"unknown-selected{over}"] else "nothing-returned"
    if not need["accept"]:
        return "no-requirement"
    return "absent-component" if measure.startswith("existing-components-covered") else "no-selection"


def losses(plain, best, stages, corpus):
    """Stages in order, ``lost_`` null where nothing was asked; one bit a stage for each component."""
    passes = {"resolved": {c for c in best if plain["components"][c]}}
    passes["intact"] = oracle.covered(plain, plain["corpus"]) if corpus else None
    passes |= {s: None if units is None else oracle.covered(plain, units) for s, units in stages.items()}
    passes["conflict_free"] = None
    row = {f"lost_{stage}": None if there is None else 0 for stage, there in passes.items()}
    first, mask = set(), []
    for component in best:
        lost = [stage for stage, there in passes.items() if there is not None and component not in there]
        if lost:
            row[f"lost_{lost[0]}"] += 1
            first.add(list(passes).index(lost[0]))
        mask.append(sum(1 << n for n, there in enumerate(passes.values()) if there is not None and component in there))
    row["first_loss_stage"] = list(passes)[min(first)].replace("_", "-") if first else None
    return row | {"stage_mask": sorted(mask)}


def selection(need, plain, within, best, view):
    selected, written_spans = within, [tuple(u) for u in need["selected"]][: len(within)]
    anchors = [a for c in best for a in plain["components"][c] or ()]
    useful = sum(
        any(oracle.holds(u, a) for a in anchors) and [v[:3] for v in selected].index(u[:3]) == n
        for n, u in enumerate(selected)
    )
    covered, parts, touched = oracle.covered(plain, selected), [], 0
    for component in best - covered:
        held = [
            (min(u[2], a[2]) - max(u[1], a[1]), a[2] - a[1])
            for a in plain["components"][component] or () for u in selected if u[0] == a[0]
        ]  # fmt: skip
        held = [one for one in held if one[0] > 0]
        touched += bool(held)
        parts += held
    most = max(parts, key=lambda one: (Fraction(*one), one[0]), default=(None, None))
    known = need["selected"][: len(within)]
    row = {
        "listed_units": len(need["selected"]), "selected_units": len(selected),
        "useful_units": useful, "other_units": len(selected) - useful,
        "repeated_units": sum(u in written_spans[:n] for n, u in enumerate(written_spans) if u[0] in STATUS),
        "unlocated_units": sum(u[0] not in STATUS for u in written_spans),
        "used_units": len(within), "used_chars": sum(e - s for _, s, e in known),
        "used_tokens": 2 * len(within) if need["tokens"] or not within else None,
        "components_partly_touched": touched, "largest_overlap_num": most[0], "largest_overlap_den": most[1],
    }  # fmt: skip
    for state in ("superseded", "revoked", "deleted", "restricted", "not_yet_valid", "expired", "unknown"):
        row[f"selected_{state}"] = 0 if view else None
    for doc, *_ in known if view else ():
        state = {"current": None, "superseded": "superseded"}.get(STATUS.get(doc), "unknown")
        if state:
            row[f"selected_{state}"] += 1
    return row


def possible(plain, budget, pool):
    fewest = oracle.min_units(plain, pool) if plain["accept"] else None
    documents = {a[0] for anchors in plain["components"].values() for a in anchors or ()}
    whole = [
        any(all(any(a[0] == d for a in plain["components"][c] or ()) for c in bundle) for d in documents)
        for bundle in plain["accept"]
    ]
    feasible = None if budget is None or not plain["accept"] else fewest is not None and fewest <= budget
    return {
        "min_units_needed": fewest, "budget_feasible": feasible,
        "single_unit_possible": any(whole) if plain["accept"] else None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("seed", "budget", "view", "corpus"),
    [(1, 2, True, True), (2, None, False, False), (3, 1, True, False), (4, 3, False, True)],
)
def test_every_column_is_what_the_guide_says(tmp_path, seed, budget, view, corpus):
    needs = collection(seed)
    (tmp_path / "view.yaml").write_text(VIEW)
    options = written(tmp_path, needs, corpus)
    options += ["--budget-units", str(budget)] if budget is not None else []
    options += ["--view", str(tmp_path / "view.yaml")] if view else []
    for form in ("parquet", "jsonl", "csv"):
        assert run(*options, "-o", str(tmp_path / f"rows.{form}")).exit_code in (0, 1)
    table = pq.read_table(tmp_path / "rows.parquet")
    rows = table.to_pylist()
    assert [row["need"] for row in rows] == [f"n{n}" for n in range(NEEDS)]
    for n, (need, row) in enumerate(zip(needs, rows, strict=True)):
        wanted = expected(need, f"n{n}", budget, view, corpus)
        found = row | {"stage_mask": sorted(row["stage_mask"])}
        assert {**wanted, "verdict": row["verdict"], "reason": row["reason"]} == found
        complete = row["complete"]
        assert row["verdict"] == ("undefined" if complete is None else "satisfied" if complete else "incomplete")
        reasons = {"undefined": ["no-requirement"], "satisfied": [None], "incomplete": INCOMPLETE}
        assert row["reason"] in reasons[row["verdict"]]
    typed(table.schema)
    assert [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()] == rows
    cells = list(csv.DictReader((tmp_path / "rows.csv").read_text().splitlines()))
    assert cells == [{name: as_cell(value) for name, value in row.items()} for row in rows]


def typed(schema):
    """Whole numbers, yes or no, text, and lists of these; nothing of one type here and of another there."""
    yes_no = {*YES_NO, "budget_feasible", "single_unit_possible"}
    for field in schema:
        if field.name == "stage_mask":
            assert field.type == pa.list_(pa.uint8())
        elif field.name in LISTS:
            assert field.type == pa.list_(pa.string())
        elif field.name.removesuffix("_over_list") in yes_no or field.name.startswith("complete_at_"):
            assert field.type == pa.bool_(), field
        elif field.name in TEXT or field.name.endswith("_undefined"):
            assert field.type == pa.string(), field
        else:
            assert field.type == pa.int64(), field


TEXT = {
    *("need", "verdict", "reason", "view", "rule_set_hash", "best_bundle", "first_loss_stage", "path", "conflict_rule"),
    "stop",
}


def as_cell(value):
    if isinstance(value, list):
        return ";".join(map(str, value))
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
