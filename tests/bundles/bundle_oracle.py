"""An independent, slow reading of the definitions, over plain dictionaries; it imports nothing that it checks.

A need: {"components": {name: [(doc, start, end), …] or None for absent}, "accept": [[name, …], …],
"selected"/"candidates"/"corpus": [(doc, start, end, eligible), …] or None, "budget": int or None}; beside a budget
"measured": units (default) or chars, and "rule": prefix (default) or skip. ``eligible`` is None where the view does not
know; "view" says whether there is one.
"""

from __future__ import annotations

from itertools import chain, combinations

STAGES = ("resolved", "intact", "candidate", "selected", "within-budget", "eligible")


def holds(unit, anchor):
    return unit[0] == anchor[0] and unit[1] <= anchor[1] and anchor[2] <= unit[2]


def covered(need, units):
    return {
        name
        for name, anchors in need["components"].items()
        if anchors is not None and any(holds(u, a) for a in anchors for u in units)
    }


def joined(units):
    positions = {}
    for doc, start, end, *_ in units:
        positions.setdefault(doc, set()).update(range(start, end))
    merged = []
    for doc, there in positions.items():
        start = None
        for place in range(min(there), max(there) + 2):
            if place in there and start is None:
                start = place
            if place not in there and start is not None:
                merged.append((doc, start, place, True))
                start = None
    return merged


def best(need, units):
    found = covered(need, units)
    ranked = []
    for place, bundle in enumerate(need["accept"]):
        have = len(found & set(bundle))
        ranked.append((-have / len(set(bundle)), -have, place))
    return min(ranked)[2] if ranked else None


def complete(need, units):
    found = covered(need, units)
    return any(set(bundle) <= found for bundle in need["accept"])


def min_units(need, pool):
    for size in range(1, len(pool) + 1):
        if any(complete(need, chosen) for chosen in combinations(pool, size)):
            return size
    return None


def admitted(need):
    """What the budget admits of the selected list, walking down the ranks."""
    room = need["budget"]
    if room is None:
        return need["selected"]
    found = []
    for unit in need["selected"]:
        price = unit[2] - unit[1] if need.get("measured") == "chars" else 1
        if price <= room:
            found.append(unit)
            room -= price
        elif need.get("rule") != "skip":
            break
    return found


def figures(need):
    """Every figure by its printed name as (num, den), or None where it is undefined."""
    candidates, pool = need["candidates"], None
    if candidates is not None and need["accept"]:
        wanted = set(need["accept"][best(need, candidates)])
        pool = (len(covered(need, candidates) & wanted), len(wanted))
    found = {"candidate-recall": pool, **figures_over(need, admitted(need))}
    if need["budget"] is not None:
        found |= {f"{name}(over=list)": value for name, value in figures_over(need, need["selected"]).items()}
    return found


def figures_over(need, selected):
    """The figures of a selection; with a budget the selection is what it admits."""
    return coverage_of(need, selected) | (handed_over(selected) if need.get("view") else {})


def handed_over(selected):
    """What a view says of a selection, required or not."""
    ineligible, unknown = sum(u[3] is False for u in selected), sum(u[3] is None for u in selected)
    clean = (0, 1) if ineligible else None if unknown or not selected else (1, 1)
    return {
        "ineligible-selected": (ineligible, len(selected)) if selected else None,
        "unknown-selected": (unknown, len(selected)) if selected else None,
        "clean-selection": clean,
    }


def coverage_of(need, selected):
    names = [
        *("bundle-coverage", "bundle-coverage-joined", "single-unit-sufficiency", "components-covered"),
        *("existing-components-covered", "selected-recall", "any-hit", "evidence-precision"),
        *("complete", "complete-ignoring-eligibility"),
    ]
    if not need["accept"]:
        return dict.fromkeys(names)
    bundle = set(need["accept"][best(need, selected)])
    found = covered(need, selected)
    exists = {name for name in bundle if need["components"][name] is not None}
    anchors = [a for name in bundle for a in need["components"][name] or ()]
    spans = [u[:3] for u in selected]
    useful = [i for i, u in enumerate(selected) if any(holds(u, a) for a in anchors) and spans.index(u[:3]) == i]
    everything = set(chain.from_iterable(need["accept"]))
    return {
        "bundle-coverage": (int(complete(need, selected)), 1),
        "bundle-coverage-joined": (int(complete(need, joined(selected))), 1),
        "single-unit-sufficiency": (int(any(complete(need, [u]) for u in selected)), 1),
        "components-covered": (len(found & bundle), len(bundle)),
        "existing-components-covered": (len(found & bundle), len(exists)) if exists else None,
        "selected-recall": (len(found & bundle), len(bundle)),
        "any-hit": (int(bool(found & everything)), 1),
        "evidence-precision": (len(useful), len(selected)) if selected else None,
        "complete": (int(complete(need, [u for u in selected if u[3]])), 1),
        "complete-ignoring-eligibility": (int(complete(need, selected)), 1),
    }


def verdict(need):
    """Verdict and reason of a need without claims."""
    selected = admitted(need)
    if not need["accept"]:
        return "undefined", "no-requirement"
    if complete(need, [u for u in selected if u[3]]):
        return "satisfied", None
    possible = need | {"accept": [b for b in need["accept"] if all(need["components"][c] is not None for c in b)]}
    if not possible["accept"]:
        return "incomplete", "absent-component"
    of_list = set(possible["accept"][best(possible, need["selected"])]) - covered(need, need["selected"])
    if any(need["components"][name] == [] for name in of_list):
        return "incomplete", "unresolved-anchor"
    if not need["selected"]:
        return "incomplete", "nothing-selected"
    if not complete(need, selected) and complete(need, need["selected"]):
        return "incomplete", "over-budget"
    if not selected:
        return "incomplete", "over-budget"
    if complete(need, selected):
        return "incomplete", "ineligible"
    missing = set(possible["accept"][best(possible, selected)]) - covered(need, selected)
    anchors = [a for name in missing for a in need["components"][name]]
    touched = any(u[0] == a[0] and u[1] < a[2] and a[1] < u[2] for a in anchors for u in selected)
    return "incomplete", "partial-overlap" if touched else "uncovered"


def stages(need):
    """Stage at which each lost component of the best bundle is lost."""
    within = admitted(need)
    passes = {
        "resolved": {name for name, anchors in need["components"].items() if anchors},
        "intact": None if need["corpus"] is None else covered(need, need["corpus"]),
        "candidate": None if need["candidates"] is None else covered(need, need["candidates"]),
        "selected": covered(need, need["selected"]),
        "within-budget": None if need["budget"] is None else covered(need, within),
        "eligible": covered(need, [u for u in within if u[3]]),
    }
    lost = {}
    for name in need["accept"][best(need, within)] if need["accept"] else ():
        for stage in STAGES:
            if passes[stage] is not None and name not in passes[stage]:
                lost[name] = stage
                break
    return lost
