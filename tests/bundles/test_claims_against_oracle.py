"""Thousands of small random needs with claims, rules, views, budgets, paths and resolutions, judged slowly beside."""

from __future__ import annotations

import random
from collections import Counter
from datetime import date

import claim_oracle as oracle
import pytest
from case_files import answers, audit_case, figures

from evaudit.audits import bundle_partials
from evaudit.bundles.case import BundleCase

DOCUMENTS = ("A/d@1", "B/e@1", "A/f@1")
SEEDS = range(8)
FEWER = range(2)
CASES = 200


def span(draw):
    start = draw.randrange(8)
    return draw.choice(DOCUMENTS), start, start + draw.randint(1, 4)


def unit(draw):
    start = draw.randrange(4)
    return draw.choice(DOCUMENTS), start, start + draw.randint(5, 12)


def claim(draw, number, components):
    first = draw.choice([None, None, 2020, 2021, 2022])
    last = draw.choice([None, None, None, 2022, 2023])
    one = {
        "id": f"c{number}", "says": (draw.choice("sst"), draw.choice("rrrq"), draw.choice("xyst")),
        "positive": draw.random() < 0.9, "from": first, "to": last if (last or 9999) > (first or 0) else None,
    }  # fmt: skip
    inner = dict(one, anchor=span(draw))
    return dict(one, component=draw.choice(components)) if draw.random() < 0.4 else inner


def rule(draw, number):
    kind = draw.choice(["single-valued", "single-valued", "opposite-polarity", "exclusive-relations"])
    settle = draw.choice(["none", "none", "newest", "source-order"])
    return {
        "id": f"rule{number}", "kind": kind, "relations": ["r", "q"] if kind == "exclusive-relations" else ["r"],
        "look": draw.choice(["inventory", "candidates", "selected"]), "settle": settle,
        "sources": draw.choice([["A"], ["A", "B"], ["B", "A"]]) if settle == "source-order" else [],
    }  # fmt: skip


def need(draw):
    names = ["a", "b", "c"][: draw.randint(1, 3)]
    components = {name: [span(draw) for _ in range(draw.choice([1, 1, 2]))] for name in names}
    claims = [claim(draw, number, names) for number in range(draw.randint(1, 7))]
    ids = [one["id"] for one in claims]
    rules = [rule(draw, number) for number in range(draw.randint(1, 2))]
    resolutions = []
    for _ in range(draw.choice([0, 0, 1, 2]) if len(ids) > 1 else 0):
        keep, *dismissed = draw.sample(ids, draw.randint(2, min(3, len(ids))))
        resolutions.append((draw.choice(rules)["id"], keep, dismissed))
    return {
        "documents": {doc: (doc[0], draw.random() < 0.6) for doc in DOCUMENTS}, "view": draw.random() < 0.6,
        "components": components,
        "accept": [draw.sample(names, draw.randint(1, len(names))) for _ in range(draw.choice([0, 1, 1, 1, 2, 2, 2]))],
        "selected": [unit(draw) for _ in range(draw.randrange(6))],
        "candidates": draw.choice([None, [unit(draw) for _ in range(3)]]),
        "budget": draw.choice([None, None, None, 1, 3]),
        "claims": claims, "path": draw.choice([None, draw.sample(ids, draw.choice([1, 1, min(2, len(ids))]))]),
        "rules": rules, "resolutions": resolutions,
    }  # fmt: skip


def anchor(place):
    return {"ref": place[0], "start": place[1], "end": place[2]}


def as_case(given):
    """The need as a control writes it."""
    rules = []
    for one in given["rules"]:
        relations = (
            {"relations": one["relations"]}
            if one["kind"] == "exclusive-relations"
            else {"relation": one["relations"][0]}
        )
        sources = {"sources": one["sources"]} if one["sources"] else {}
        rules.append(
            {"id": one["id"], "kind": one["kind"], "look_in": one["look"], "settle": one["settle"]}
            | relations
            | sources
        )
    claims = []
    for one in given["claims"]:
        where = {"component": one["component"]} if "component" in one else {"anchor": anchor(one["anchor"])}
        if one.get("lost"):
            where = {"anchor": {"ref": one["anchor"][0], "exact": "not in the text"}}
        days = {f"valid_{end}": date(one[end], 1, 1).isoformat() for end in ("from", "to") if one[end]}
        polarity = "positive" if one["positive"] else "negative"
        claims.append({"id": one["id"], "says": list(one["says"]), "polarity": polarity} | where | days)
    fields = {
        "need": "n", "accept": given["accept"], "rules": rules, "claims": claims, "path": given["path"],
        "components": {name: {"any_of": [anchor(a) for a in one]} for name, one in given["components"].items()},
        "documents": [
            {"ref": doc, "status": "current" if good else "revoked", "text": "." * 20}
            for doc, (_, good) in given["documents"].items()
        ],
        "view": {"name": "now", "statuses": ["current"]} if given["view"] else None,
        "resolutions": [
            {"rule": r, "keep": k, "dismiss": d, "by": "me", "why": "so"} for r, k, d in given["resolutions"]
        ],
        "budget": {"units": str(given["budget"])} if given["budget"] is not None else None,
    }  # fmt: skip
    for what in ("selected", "candidates"):
        fields[what] = None if given[what] is None else [anchor(u) for u in given[what]]
    return BundleCase.model_validate({name: value for name, value in fields.items() if value is not None})


def judged(given):
    result = audit_case(as_case(given), "n")
    told = answers(result)
    found = {one["id"]: {} for one in given["rules"]}
    for conflict in told["conflicts"]:
        found[conflict["rule"]][conflict["claim"]] = (set(conflict["opposed_by"]), conflict["dismissed"])
    return {
        "verdict": told["verdict"], "path": told["path"], "complete": figures(result)["complete"] == "1/1",
        "conflicts": found,
    }  # fmt: skip


def without(told, *names):
    return {name: value for name, value in told.items() if name not in names}


@pytest.mark.parametrize("seed", SEEDS)
def test_verdict_path_and_conflicts_are_what_a_slow_reading_says(seed):
    draw = random.Random(seed)
    for _ in range(CASES):
        given = need(draw)
        assert judged(given) == without(oracle.judge(given), "handed-over"), given


@pytest.mark.parametrize("seed", FEWER)
def test_a_path_adds_a_question_and_removes_none(seed):
    draw = random.Random(seed)
    for _ in range(CASES // 2):
        given = need(draw)
        path = [draw.choice(given["claims"])["id"]]
        plain, with_path = judged(given | {"path": None}), judged(given | {"path": path})
        if plain["verdict"] == "refused":
            assert with_path["verdict"] == "refused", given
        if with_path["verdict"] == "satisfied":
            assert plain["verdict"] == "satisfied", given
        for one, found in plain["conflicts"].items():
            assert found.items() <= with_path["conflicts"][one].items(), given


@pytest.mark.parametrize("seed", FEWER)
def test_what_opposes_from_within_the_selection_opposes_under_every_view(seed):
    draw = random.Random(seed)
    asked = 0
    for _ in range(CASES):
        given = need(draw) | {"resolutions": []}
        given["rules"] = [one | {"settle": "none", "sources": []} for one in given["rules"]]
        plain, viewed = judged(given | {"view": False}), judged(given | {"view": True})
        handed_over = {c["id"] for c in given["claims"] if "selected" in oracle.seen(given, c)}
        for one, found in plain["conflicts"].items():
            for claim_id, (others, _) in found.items():
                now = viewed["conflicts"][one].get(claim_id, (set(), False))[0]
                assert others & handed_over <= now, given
                asked += bool(others & handed_over)
    assert asked > CASES / 10


@pytest.mark.parametrize("seed", FEWER)
def test_a_view_never_turns_refused_into_satisfied_while_the_opposing_text_is_selected(seed):
    draw = random.Random(seed)
    asked = 0
    for _ in range(CASES):
        given = need(draw)
        handed_over = {c["id"] for c in given["claims"] if "selected" in oracle.seen(given, c)}
        viewed = given | {"view": True}
        if not {c["id"] for c in given["claims"] if not oracle.eligible(viewed, c)} <= handed_over:
            continue
        plain = judged(given | {"view": False})
        if plain["verdict"] == "refused":
            asked += 1
            assert judged(viewed)["verdict"] != "satisfied", given
    assert asked > CASES / 20


@pytest.mark.parametrize("seed", FEWER)
def test_no_settlement_keeps_an_ineligible_claim(seed):
    draw = random.Random(seed)
    for _ in range(CASES):
        given = need(draw) | {"view": True}
        claims = {c["id"]: c for c in given["claims"]}
        for found in judged(given)["conflicts"].values():
            kept = {other for others, dismissed in found.values() if dismissed for other in others}
            assert all(oracle.eligible(given, claims[other]) for other in kept), given


@pytest.mark.parametrize("seed", FEWER)
def test_an_unsettled_opposing_claim_that_was_handed_over_is_told(seed):
    draw = random.Random(seed)
    for _ in range(CASES // 5):
        givens = [need(draw) for _ in range(3)]
        for given in givens:
            assert opposed_in_selection(given) == oracle.judge(given)["handed-over"], given


def opposed_in_selection(given):
    """What the assessment of a case offers to the figure ``clean-selection``."""
    kept = []
    judge = bundle_partials.verdicts
    bundle_partials.verdicts = lambda assessment: kept.append(assessment) or judge(assessment)
    try:
        audit_case(as_case(given), "n")
    finally:
        bundle_partials.verdicts = judge
    return bool(kept[0].opposed_in_selection[0])


def lost(draw, given):
    """The need with one or two claims of which only the document is known, or not even that."""
    claims = [dict(one) for one in given["claims"]]
    for one in draw.sample(claims, min(draw.choice([1, 1, 2]), len(claims))):
        place = one.pop("anchor", None) or given["components"][one.pop("component")][0]
        one |= {"anchor": (draw.choice([place[0], place[0], "Z/z@1"]), 0, 1), "lost": True, "way": None}
    return given | {"claims": claims}


def clean(result):
    """Every value that ``clean-selection`` could have: 0, 1, or None where it is undefined for another reason."""
    figure = next(f for f in result.iter_figures() if f.measure == "clean-selection")
    if figure.undefined is None:
        return {figure.num}
    if "withheld" not in figure.bounds:
        return {None}
    found = figure.bounds["withheld"]
    return {found.low[0], found.high[0]} | ({None} if found.may_be_undefined else set())


@pytest.mark.parametrize("seed", SEEDS[:5])
def test_a_claim_of_unknown_place_withholds_exactly_the_needs_whose_answer_a_place_would_change(seed):
    draw = random.Random(seed)
    verdicts = Counter()
    for _ in range(CASES // 2):
        given = lost(draw, need(draw))
        result = audit_case(as_case(given), "n")
        expected, told = oracle.answer(given), answers(result)
        assert told["verdict"] == expected["verdict"], given
        verdicts[told["verdict"]] += 1
        figure = next(f for f in result.iter_figures() if f.measure == "complete")
        assert clean(result) == oracle.clean(given), given
        if told["verdict"] == "withheld":
            assert told["reason"] == "claim-unlocated"
            bound = figure.bounds["withheld"]
            assert (bound.low[0], bound.high[0]) == expected["complete"]
        elif told["verdict"] != "undefined":
            assert (figure.num, figure.num) == expected["complete"]
    assert min(verdicts[one] for one in ("withheld", "satisfied", "refused", "incomplete")) > 1, verdicts
