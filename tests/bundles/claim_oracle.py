"""An independent, slow reading of claims, rules, paths and verdicts over plain dictionaries; it imports nothing that
it checks.

A need: {"documents": {doc: (source, eligible)}, "view": bool, "components": {name: [(doc, start, end), …]},
"accept": [[name, …], …], "selected"/"candidates": [(doc, start, end), …], "budget": int or None,
"claims": [{"id", "says", "positive", "component" or "anchor", "from", "to", "lost"}], "path": [id, …] or None,
"rules": [{"id", "kind", "relations", "look", "settle", "sources"}], "resolutions": [(rule, keep, [dismissed, …])]}.

Of a claim that is "lost" only the document of its anchor is known. ``ways`` gives every way in which lost claims can
stand: under "way" None for nowhere, or whether units of its document hold it and the components that it stands on.
"""

from __future__ import annotations

from itertools import pairwise, product

EARLY, LATE = 0, 10_000


def holds(outer, inner):
    return outer[0] == inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2]


def places(need, claim):
    return need["components"][claim["component"]] if "component" in claim else [claim["anchor"]]


def within_any(need, claim, units):
    if claim.get("lost"):
        doc = claim["anchor"][0]
        holders = [u for u in units if u[0] == doc or doc not in need["documents"]]
        return bool(claim["way"] and claim["way"][0] and holders)
    return any(holds(unit, place) for unit in units for place in places(need, claim))


def admitted(need):
    return need["selected"] if need["budget"] is None else need["selected"][: need["budget"]]


def allowed(need, doc):
    return not need["view"] or need["documents"].get(doc, (None, False))[1]


def eligible(need, claim):
    return any(allowed(need, place[0]) for place in places(need, claim))


def stands_on(need, claim):
    if "component" in claim:
        return {claim["component"]}
    if claim.get("lost"):
        return set(claim["way"][1]) if claim["way"] else set()
    return {
        name
        for name, anchors in need["components"].items()
        if any(holds(anchor, claim["anchor"]) for anchor in anchors)
    }


def seen(need, claim):
    found = [] if claim.get("lost") and claim["way"] is None else ["inventory"]
    if need["candidates"] is not None and within_any(need, claim, need["candidates"]):
        found.append("candidates")
    if within_any(need, claim, admitted(need)):
        found.append("selected")
    return found


def cannot_both_hold(rule, one, other):
    (s1, r1, o1), (s2, r2, o2) = one["says"], other["says"]
    if not (one["from"] or EARLY) < (other["to"] or LATE) or not (other["from"] or EARLY) < (one["to"] or LATE):
        return False
    both = one["positive"] and other["positive"]
    if rule["kind"] == "opposite-polarity":
        return one["positive"] != other["positive"] and (s1, r1, o1) == (s2, r2, o2) and r1 in rule["relations"]
    if rule["kind"] == "single-valued":
        return both and s1 == s2 and r1 == r2 and r1 in rule["relations"] and o1 != o2
    return both and (s1, o1) == (s2, o2) and r1 != r2 and r1 in rule["relations"] and r2 in rule["relations"]


def opposes(need, rule, other, one):
    """Whether ``other`` counts where the rule looks, or was handed over, and cannot hold beside ``one``."""
    where = seen(need, other)
    counts = "selected" in where or (eligible(need, other) and rule["look"] in where)
    return other["id"] != one["id"] and counts and cannot_both_hold(rule, one, other)


def precedence(need, rule, claim):
    if rule["settle"] == "newest":
        return claim["from"]
    source = places(need, claim)[0][0][0]
    if rule["settle"] == "source-order" and source in rule["sources"]:
        return -rule["sources"].index(source)
    return None


def concerned(need):
    """Claims whose conflicts count: those on a component of an accepted bundle, and the steps of the path."""
    required = {name for bundle in need["accept"] for name in bundle}
    steps = set(need["path"] or ())
    return [c for c in need["claims"] if stands_on(need, c) & required or c["id"] in steps]


def conflicts(need, rule):
    """Claim id to (the ids against it, dismissed or not), for the claims concerned."""
    asked = [c["id"] for c in concerned(need)]
    claims = {c["id"]: c for c in need["claims"]}
    against = {i: {j for j, other in claims.items() if opposes(need, rule, other, one)} for i, one in claims.items()}
    known = {i for i, c in claims.items() if i in asked or any(i in others for others in against.values())}
    dismissed = {}
    for of, keep, others in need["resolutions"]:
        for one in others:
            if of == rule["id"] and eligible(need, claims[keep]) and cannot_both_hold(rule, claims[one], claims[keep]):
                dismissed.setdefault(one, set()).add(keep)
    by_hand = set(dismissed)
    rank = {i: precedence(need, rule, claims[i]) for i in known - by_hand}
    kept, unsure = set(), {i for i in rank if rank[i] is None}
    unresolved = {}
    for level in sorted({r for r in rank.values() if r is not None}, reverse=True):
        equal = {i for i in rank if rank[i] == level}
        lost = {i for i in equal if against[i] & kept}
        dismissed |= {i: against[i] & kept for i in lost}
        equal -= lost
        sure = {i for i in equal if eligible(need, claims[i]) and not against[i] & (equal | unsure)}
        unresolved |= {i: against[i] & (equal | unsure) for i in equal - sure if eligible(need, claims[i])}
        kept |= sure
        unsure |= equal - sure
    found = {}
    for i in asked:
        if i in dismissed:
            found[i] = (dismissed[i], True)
        elif i not in kept:
            rest = unresolved.get(i, against[i] - set(dismissed))
            if rest:
                found[i] = (rest, False)
    return found


def held(need, claim, units):
    """Whether units hold a step of a path; nobody knows it of a lost one."""
    return not claim.get("lost") and within_any(need, claim, units)


def path_state(need, refused):
    if need["path"] is None:
        return None
    claims = {c["id"]: c for c in need["claims"]}
    steps = [claims[i] for i in need["path"]]
    joined = all(a["says"][2] == b["says"][0] for a, b in pairwise(steps))
    if not steps or not joined or not all(s["positive"] for s in steps):
        return "broken-chain"
    if not all(held(need, s, admitted(need)) for s in steps):
        return "step-uncovered"
    usable = [u for u in admitted(need) if allowed(need, u[0])]
    if not all(held(need, s, usable) for s in steps):
        return "step-ineligible"
    return "refused" if any(s["id"] in refused for s in steps) else "supported"


def judge(need):
    """The verdict, the state of the path, ``complete``, the claims in conflict by rule, and whether an opposing claim
    that nothing settles was handed over.
    """
    by_rule = {rule["id"]: conflicts(need, rule) for rule in need["rules"]}
    claims = {c["id"]: c for c in need["claims"]}
    refused = {i for found in by_rule.values() for i in found}
    contested = {name for i in refused for name in stands_on(need, claims[i])}
    usable = [u for u in admitted(need) if allowed(need, u[0])]
    covered = {n for n, anchors in need["components"].items() if any(holds(u, a) for a in anchors for u in usable)}
    complete = any(set(bundle) <= covered - contested for bundle in need["accept"])
    state = path_state(need, refused)
    handed_over = any(
        "selected" in seen(need, claims[j])
        for found in by_rule.values()
        for others, dismissed in found.values()
        if not dismissed
        for j in others
    )
    if not need["accept"]:
        verdict = "undefined"
    elif state == "refused" or (not complete and any(set(bundle) & contested for bundle in need["accept"])):
        verdict = "refused"
    elif complete and state in (None, "supported"):
        verdict = "satisfied"
    else:
        verdict = "incomplete"
    return {
        "verdict": verdict, "path": state, "complete": complete, "conflicts": by_rule, "handed-over": handed_over,
    }  # fmt: skip


def ways(need):
    """The need once for every way in which its lost claims can stand, first with all of them nowhere."""
    options = []
    for claim in need["claims"]:
        if not claim.get("lost"):
            options.append([claim])
            continue
        doc = claim["anchor"][0]
        near = [
            n
            for n, anchors in need["components"].items()
            if doc in need["documents"] and doc in [a[0] for a in anchors]
        ]
        on = [(), *((name,) for name in near), tuple(near)]
        options.append([claim | {"way": way} for way in [None, *product((False, True), on)]])
    for chosen in product(*options):
        yield need | {"claims": list(chosen)}


def answer(need):
    """The verdict, and what ``complete`` is in some way and what in every way; the verdict is withheld where the ways
    differ in the answer.
    """
    told = [judge(one) for one in ways(need)]
    several = len({(one["verdict"], one["path"], one["complete"]) for one in told}) > 1
    found = {one["complete"] for one in told}
    return {"verdict": "withheld" if several else told[0]["verdict"], "complete": (min(found), max(found))}


def clean(need):
    """What ``clean-selection`` is in any way in which lost claims can stand; None where it is undefined."""
    units = admitted(need)
    found = set()
    for one in ways(need):
        unclean = judge(one)["handed-over"] or not all(allowed(need, unit[0]) for unit in units)
        found.add(0 if unclean else 1 if units else None)
    return found
