"""A sentence that speaks of every figure, or of all but some, holds for exactly the figures that it speaks of."""

from __future__ import annotations

import random

from evaudit.bundles.measures import MEASURES
from evaudit.figures import Mean, format_name
from evaudit.reports.terminal_bundles import parts
from evaudit.results import Result

REASONS = ("no-requirement", "not-applicable", "no-selection", "need-error")


def random_means(rng):
    """Means of some measures, with and without a budget, of which any may be undefined for some needs."""
    names = [measure.id for measure in MEASURES[: rng.randint(1, len(MEASURES))]]
    accounts = [{}, *({rng.choice(REASONS): rng.randint(1, 3)} for _ in range(rng.randint(0, 3)))]
    return [
        Mean(name, params, 0.5, 4, rng.choice(accounts))
        for name in names
        for params in ([{}, {"over": "list"}] if rng.random() < 0.5 else [{}])
    ]


def spoken_of(who, every):
    if who == "every figure":
        return set(every)
    if who.startswith("every figure but "):
        return set(every) - set(who.removeprefix("every figure but ").split(" and "))
    found, rest = set(), who
    for name in sorted(every, key=len, reverse=True):  # a name may hold a comma and another name
        for before in (f", {name}", f"{name}, ", name):
            if before in rest and name not in found:
                rest, found = rest.replace(before, "", 1), found | {name}
                break
    return found


def test_what_is_undefined_is_told_of_exactly_the_figures_that_are():
    rng, told = random.Random(3), set()
    for _ in range(500):
        means = random_means(rng)
        details = {
            "verdicts": {"satisfied": 4}, "reasons": {}, "withheld": {},
            "stages": {"required": 0, "lost": {}, "not_asked": []},
        }  # fmt: skip
        shown = [
            part for part in parts(Result("bundles", {}, (), means, details=details)) if "undefined" in part.heading
        ]
        lines = [line for part in shown for block in part.blocks for line in block.paragraphs]
        every = [format_name(mean.measure, mean.params) for mean in means]
        claimed = {}
        for line in lines:
            who, _, what = line.partition(": ")
            told.add(who.split("(")[0][:17])
            count, reason = what.split()[:2]
            for name in spoken_of(who, every):
                assert name not in claimed
                claimed[name] = {reason: int(count)}
        assert claimed == {name: dict(m.n_undefined) for name, m in zip(every, means, strict=True) if m.n_undefined}
    assert {"every figure", "every figure but "} <= told
