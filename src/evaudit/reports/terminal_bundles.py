"""``bundles`` for people: verdicts first, then figures with their counts, where components are lost, and what is odd.

Reads ``details``: ``verdicts``, ``reasons``, ``stages``, ``stop_by_verdict``, ``declared_absent``,
``selected_eligibility``, ``by``, ``lint``, ``compat``, ``show``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from evaudit.bundles.unlocated_counts import unlocated_words
from evaudit.figures import INCOMPLETE_REASONS, REASONS, Mean, Param
from evaudit.findings import Finding
from evaudit.plurals import counted
from evaudit.reports.layout import Style, decimal, fraction, mean_value
from evaudit.reports.parts import Grid, Part, Prose
from evaudit.reports.terminal_bundles_groups import groups
from evaudit.reports.terminal_bundles_story import stories
from evaudit.reports.terminal_findings import finding_text
from evaudit.results import Result

Record = Mapping[str, Any]

_COLORS = {"satisfied": "green", "incomplete": "yellow", "refused": "red", "undefined": "cyan", "withheld": "red"}
_BAR = 32
BUDGET_RULES = {
    "prefix": "the longest prefix in rank order that fits",
    "skip": "in rank order, passing over what does not fit",
}
"""What each budget rule admits."""


def render(result: Result, style: Style) -> str:
    """The report, without a final newline."""
    told = [_findings("before the figures", result.above(), result, style)]
    told += [part.text(style) for part in parts(result)]
    told += [_findings("findings", result.below(), result, style)]
    if result.notes:
        told.append(Part("notes", [Prose(result.notes, hang=4)]).text(style))
    return "\n\n".join(part for part in told if part)


def parts(result: Result) -> list[Part]:
    """What the report says before findings and notes."""
    details = cast(Record, result.details)
    if "gold" in details:
        told = [
            _gold(details["gold"]),
            _lint(details, result.convention.get("budget")),
            *stories(details.get("show", ())),
        ]
        return [part for part in told if part]
    if "verdicts" not in details:
        return []
    found = [
        _unlocated(details),
        _verdicts(details),
        _reasons(details),
        _withheld(details),
        _figures(result),
        _undefined(result),
    ]
    found += [
        _stages(details),
        _stops(details),
        _absent(details, result.convention.get("budget") is not None),
        _eligibility(details),
    ]
    found += [
        groups(details),
        _compat(details),
        _lint(details, result.convention.get("budget")),
        *stories(details.get("show", ())),
    ]
    return [part for part in found if part]


def _gold(gold: Mapping[str, int]) -> Part:
    """What there is to say of needs of which no selection was given."""
    without = f"; {counted(n, 'need')} without any" if (n := gold["needs_without_bundle"]) else ""
    held = f"{counted(gold['bundles'], 'accepted bundle')} of {counted(gold['components'], 'component')}{without}."
    text = "No predictions were given, so there is no verdict and no figure. The gold alone: "
    return Part(f"{counted(gold['needs'], 'need')}, no predictions", [Prose([text + held])])


def _unlocated(details: Record) -> Part | None:
    """What is not known of the units stands above what is."""
    counts = details.get("unlocated")
    return Part("places not known", [Prose(list(unlocated_words(counts)), hang=4)]) if counts else None


def _verdicts(details: Record) -> Part:
    counts = cast(Mapping[str, int], details["verdicts"])
    total = sum(counts.values())
    rows = [[name, f"{n}", _share(n, total), _bar(n, total)] for name, n in counts.items()]
    return Part(counted(total, "need"), [Grid(("verdict", "needs", "share", ""), rows, (1, 2), colors=_COLORS)])


def _share(n: int, total: int) -> str:
    return decimal(n / total) if total else ""


def _bar(n: int, total: int) -> str:
    """A bar to look at; the count beside it is the answer. Anything above zero shows."""
    return "█" * max(round(_BAR * n / total), 1) if n and total else ""


def _reasons(details: Record) -> Part | None:
    counts = cast(Mapping[str, int], details["reasons"])
    verdicts = cast(Mapping[str, int], details["verdicts"])
    if not verdicts.get("incomplete"):
        return None
    rows = [[name, str(n), INCOMPLETE_REASONS[name]] for name, n in counts.items()]
    if unsupported := verdicts.get("incomplete", 0) - sum(counts.values()):
        rows.append(["–", str(unsupported), "a bundle is complete, but the declared path is not supported"])
    return Part("why incomplete", [Grid(("reason", "needs", ""), rows, (1,), fit=True)])


def _withheld(details: Record) -> Part | None:
    counts = cast(Mapping[str, int], details["withheld"])
    if not counts:
        return None
    rows = [[cause, str(n), REASONS[cause]] for cause, n in counts.items()]
    return Part("why withheld", [Grid(("reason", "needs", ""), rows, (1,), fit=True)])


def _figures(result: Result) -> Part:
    """Macro and micro mean of each measure side by side, with the counts that they stand on."""
    micro = {(m.measure, _over(m)): m for m in result.means if m.params.get("mean") == "micro"}
    pairs = {(m.measure, _over(m)): (m, micro.get((m.measure, _over(m)))) for m in _macro(result)}
    rows = [
        _figure_row(*pair)
        for (measure, over), pair in pairs.items()
        if over is None or _account(pair) != _account(pairs[measure, None])
    ]
    columns = ("figure", "macro", "micro", "sum", "n", "undefined", "missing")
    told = "macro: mean over needs · micro: sum over sum · missing: needs in n with an empty list"
    notes = [f"{told} · `evaudit explain NAME` says what each cannot report"]
    if (budget := result.convention.get("budget")) is not None:
        (measured, limit), *_ = cast(Mapping[str, int], budget).items()
        rule = BUDGET_RULES[cast(str, result.convention["budget_rule"])]
        notes.append(
            f"budget: {counted(limit, measured.removesuffix('s'))}, {rule} · (over=list): the whole list, whatever the "
            "budget; a line of its own where that is not the same"
        )
        if (order := result.convention.get("order")) is not None:
            notes.append(f"order: {order} (the view declares it)")
    if any("withheld" in mean.bounds for mean in result.means):
        notes.append(
            "– low to high: no value, only the range over what the withheld figures could be; outer: the range holds "
            "every value, but its ends may not be reached"
        )
    return Part("figures", [Grid(columns, rows, (1, 2, 3, 4, 5, 6)), Prose(notes, dim=True)])


def _macro(result: Result) -> list[Mean]:
    """The means over needs of our own figures."""
    return [m for m in result.means if m.params.get("mean") != "micro" and not m.measure.startswith("compat:")]


def _over(mean: Mean) -> Param | None:
    return mean.params.get("over")


def _account(pair: tuple[Mean, Mean | None]) -> list[Mean]:
    """Both means without their names: everything that a row tells of them."""
    return [replace(mean, params={}, name="-") for mean in pair if mean is not None]


def _figure_row(mean: Mean, micro: Mean | None) -> list[str]:
    undefined = sum(mean.n_undefined.values())
    return [
        mean.name,
        mean_value(mean.value, mean.bounds.get("withheld")),
        mean_value(micro.value, micro.bounds.get("withheld")) if micro is not None else "–",
        fraction(micro.num, micro.den) if micro is not None and micro.den else "",
        str(mean.n),
        str(undefined) if undefined else "",
        str(mean.n_missing) if mean.n_missing else "",
    ]


def _undefined(result: Result) -> Part | None:
    """Which figures are undefined for how many needs, by reason; figures with the same account share a line."""
    accounts: dict[tuple[tuple[str, int], ...], list[str]] = {}
    means = _macro(result)
    for mean in means:
        if mean.n_undefined:
            accounts.setdefault(tuple(sorted(mean.n_undefined.items())), []).append(mean.name)
    if not accounts:
        return None
    every = [mean.name for mean in means]
    ordered = sorted(accounts.items(), key=lambda account: len(account[1]))
    told = [
        f"{_who(names, every)}: {'; '.join(f'{n} {reason} ({REASONS[reason]})' for reason, n in account)}"
        for account, names in ordered
    ]
    return Part("undefined, never zero", [Prose(told, hang=4)])


def _who(names: Sequence[str], every: Sequence[str]) -> str:
    """Some of the figures in the fewest words: all of them, all but a few, or each by name."""
    others = [name for name in every if name not in names]
    if not others:
        return "every figure"
    return f"every figure but {' and '.join(others)}" if len(others) < 3 <= len(names) else ", ".join(names)


def _stages(details: Record) -> Part | None:
    ledger = cast(Record, details["stages"])
    if not ledger["required"]:
        return None
    left = required = cast(int, ledger["required"])
    rows = [["required", "", str(required), _bar(required, required)]]
    for stage, lost in ledger["lost"].items():
        left -= lost
        rows.append([stage, f"-{lost}" if lost else "0", str(left), _bar(left, required)])
    blocks: list[Grid | Prose] = [Grid(("stage", "lost", "left", ""), rows, (1, 2))]
    if ledger["not_asked"]:
        told = f"not asked, as nothing was given for it: {', '.join(ledger['not_asked'])}"
        blocks.append(Prose([told], dim=True))
    if open_ := ledger.get("needs_unsettled"):
        told = f"{counted(open_, 'need is', 'needs are')} left out: where a unit stands is not known"
        blocks.append(Prose([told], dim=True))
    return Part("where required components are lost", blocks, aside="best bundle of each selection")


def _stops(details: Record) -> Part | None:
    table_ = cast(Mapping[str, Mapping[str, int]], details.get("stop_by_verdict") or {})
    if not table_:
        return None
    verdicts = list(details["verdicts"])
    rows = [[stop or "not stated", *(str(counts.get(v, 0)) for v in verdicts)] for stop, counts in table_.items()]
    columns = ("stop reason", *verdicts)
    grid = Grid(columns, rows, tuple(range(1, len(columns))))
    return Part("why selections stopped, by verdict", [grid], aside="two questions, never one")


def _absent(details: Record, budgeted: bool) -> Part | None:
    absent = details.get("declared_absent")
    if not absent:
        return None
    needs, some, units = absent["needs"], absent["with_selection"], absent["selected_units"]
    within = " within the budget" if budgeted else ""
    returned = f"{counted(units, 'unit was', 'units were')} selected{within} all the same"
    returned = returned if units else f"nothing was selected{within}"
    if some and needs > 1:
        returned += f", for {some} of them"
    given = {stop: n for stop, n in absent["stop"].items() if stop}
    stops = ", ".join(f"{stop or 'not stated'} {n}" for stop, n in absent["stop"].items())
    why = f"why selections stopped: {stops}" if given else "no selection for such a need says why it stopped"
    text = (
        f"{counted(needs, 'need')} can only be met by declaring absence; {returned}; {why}. "
        "No correctness is claimed beyond the declaration."
    )
    return Part("declared absent", [Prose([text])])


def _eligibility(details: Record) -> Part | None:
    counts = cast(Mapping[str, int], details.get("selected_eligibility") or {})
    if not counts:
        return None
    rows = [[state, str(n)] for state, n in counts.items()]
    return Part("selected units in the view", [Grid(("state", "units"), rows, (1,))])


def _compat(details: Record) -> Part | None:
    """The figures of the format's own tool beside ours, then one line for each cause of a difference."""
    compat = details.get("compat")
    if not compat:
        return None
    prefix = "compat:"
    names = [f["name"].removeprefix(prefix).partition(":")[2] for f in compat["figures"]]
    missing = "tool fails" if compat["fails"] else "nan"
    rows = [
        [
            name, missing if f["value"] is None else decimal(f["value"]), f["ours"] or "–",
            decimal(f["ours_value"]) if f["ours_value"] is not None else "",
        ]
        for name, f in zip(names, compat["figures"], strict=True)
    ]  # fmt: skip
    looked = f", the first {compat['max_evidence']} predictions" if "max_evidence" in compat else ""
    blocks: list[Grid | Prose] = []
    if compat["fails"]:
        blocks.append(Prose([f"the tool stops on these files: {compat['fails']}"]))
    blocks.append(Grid((compat["tool"], "value", "nearest here", "value"), rows, (1, 3), fit=True))
    causes: dict[str, list[str]] = {}
    for name, f in zip(names, compat["figures"], strict=True):
        causes.setdefault(f["because"], []).append(name)
    why = [f"{_listed(names_)}: {because}" for because, names_ in causes.items()]
    blocks += [Prose(["why they differ"], dim=True), Prose(why, hang=4, dim=True)]
    return Part(f"{compat['tool']}{looked}, beside ours", blocks)


def _listed(names: Sequence[str]) -> str:
    """``a, b, c``, or ``a … d`` where many share a cause."""
    return ", ".join(names) if len(names) <= 4 else f"{names[0]}, {names[1]}, … {names[-1]}"


def _lint(details: Record, budget: object) -> Part | None:
    """What is odd about the accepted bundles; no bundle is too large for a budget that nobody can hold it against."""
    measured = set(budget) if isinstance(budget, Mapping) else set()
    lint = cast(Mapping[str, Record], details.get("lint") or {})
    if not lint:
        return None
    rows = [
        [kind, str(f["needs"]), str(f["bundles"]), str(f["needs_with_no_other"]), ", ".join(f["first"][:3])]
        for kind, f in lint.items()
        if f["needs"]
    ]
    columns = ("accepted bundles", "needs", "bundles", "needs with no other", "first needs")
    blocks: list[Grid | Prose] = [Grid(columns, rows, (1, 2, 3), fit=True)] if rows else []
    not_asked = set() if measured & {"units", "chars"} else {"bundle-over-budget"}
    if none := [kind for kind, f in lint.items() if not f["needs"] and kind not in not_asked]:
        blocks.append(Prose([f"found in no need: {', '.join(none)}"], dim=True))
    return Part("lint", blocks)


def _findings(heading: str, findings: Sequence[Finding], result: Result, style: Style) -> str:
    told = cast(Mapping[str, object], result.details.get("lint") or {})
    shown = [f for f in findings if f.rule not in told]
    if not shown:
        return ""
    lines = [style.heading(heading)]
    lines += [finding_text(f, style, after=": ") for f in shown]
    return "\n".join(lines)
