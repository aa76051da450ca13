"""What can be wrong with claims, paths and conflict rules."""

from evaudit.findings.finding import Rule, rule


@rule(
    "path-broken", "warning",
    "A declared path is no chain: a claim is unknown or denied, or its subject is not the object before it.",
    "Correct the order of the claims, or their names.",
)  # fmt: skip
def path_broken(message: str) -> str:
    return message


@rule(
    "claim-invalid", "error",
    "A claim names no known component, or a claim id stands twice.",
    "Correct the name; the figures of the need are withheld.",
)  # fmt: skip
def claim_invalid(message: str) -> str:
    return message


@rule(
    "claim-unlocated", "warning",
    "The anchor of a claim does not resolve, so its place is not known; a need that it could oppose is withheld if that would change its answer.",
    "Correct the quote, position or version of the claim.",
)  # fmt: skip
def claim_unlocated(message: str) -> str:
    return message


@rule(
    "claim-beside-component", "warning",
    "A claim stands on no component of its need, though it shares text with the anchor of one: no conflict about it can refuse the need.",
    "Name its `component`, in the table of claims or in place of its anchor in the need, or give a span within the anchor.",
)  # fmt: skip
def claim_beside_component(message: str) -> str:
    return message


@rule(
    "opposing-claim-ineligible", "note",
    "The view leaves out a claim that would oppose, so a restriction settles what nobody settled.",
    "Look at the claim before the verdict is used.",
)  # fmt: skip
def opposing_claim_ineligible(message: str) -> str:
    return message


@rule(
    "conflict-open", "note",
    "A claim on an accepted bundle, or in the path, is opposed and nothing settles it, though the need is not refused for it.",
    "Settle the conflict, or look at it with `--show` before the verdict is used.",
)  # fmt: skip
def conflict_open(message: str) -> str:
    return message


@rule(
    "rule-idle", "note",
    "A conflict rule names a relation that no claim has, or no claim was given: it finds nothing there.",
    "Check how the relation is written in the rules and in the claims.",
)  # fmt: skip
def rule_idle(message: str) -> str:
    return message


@rule(
    "claim-idle", "note",
    "A table of claims was given without rules, so its claims oppose nothing; they serve declared paths alone.",
    "Give the rules with `--rules`.",
)  # fmt: skip
def claim_idle(message: str) -> str:
    return message


@rule(
    "resolution-unknown", "error",
    "A resolution names a rule or claim that does not exist, or dismisses the claim that it keeps.",
    "Correct the name.",
)  # fmt: skip
def resolution_unknown(message: str) -> str:
    return message


@rule(
    "resolution-keeps-ineligible", "error",
    "A resolution keeps a claim whose document the view does not allow, so it settles nothing.",
    "Keep a claim of an eligible document, or leave the conflict open.",
)  # fmt: skip
def resolution_keeps_ineligible(message: str) -> str:
    return message


RULES: tuple[Rule[...], ...] = (
    path_broken, claim_invalid, claim_unlocated, claim_beside_component, opposing_claim_ineligible, conflict_open,
    rule_idle, claim_idle, resolution_unknown, resolution_keeps_ineligible,
)  # fmt: skip
