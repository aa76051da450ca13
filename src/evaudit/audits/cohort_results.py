"""From reconciled records to a Result: every figure with its ranges and intervals, or none; the facts beside."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from fractions import Fraction

from evaudit.audits.cohort_estimates import interval_choice, sample_figures, states_of
from evaudit.audits.cohort_records import Records, exact_inputs
from evaudit.decisions.cohort import Cohort
from evaudit.decisions.cohort_figures import Parts, coincidences, endpoint_figures, share_figures, shared_by_endpoints
from evaudit.decisions.events import History
from evaudit.decisions.funnel_figures import stage_figures, stage_table
from evaudit.decisions.groups import groups_of, spread
from evaudit.decisions.intervals import proportion_interval
from evaudit.decisions.reconciliation import state_table
from evaudit.decisions.sampling import Stratum
from evaudit.decisions.screening_order import order_figures
from evaudit.decisions.state_table import StateTable, Tally
from evaudit.decisions.targets import in_words, what_must_be_true
from evaudit.decisions.unlisted import withheld
from evaudit.figures import Figure
from evaudit.findings import above_first
from evaudit.results import InputFile, Result

NO_INTERVAL = frozenset({"F1", "WSS"})
"""Measures that are no proportion of independent draws."""

_LEVELS = (95, 100)


def result_of(records: Records, inputs: Sequence[InputFile] = ()) -> Result:
    """The result of reconciled records; where they do not reconcile every figure is undefined."""
    cohort, found = records.cohort, records.found
    figures = _figures(records)
    notes = list(records.notes)
    details = _details(records)
    if found.reconciled:
        groups, strata = _grouped(records), list[Stratum]()
        if found.table.of(cohort.undecided).all:
            notes += shared_by_endpoints(cohort.endpoints, cohort.undecided)
        if cohort.sampling is not None:
            figures, said, strata = sample_figures(records, figures)
            figures = withheld(figures, records.join)
            notes += said
        notes += coincidences(figures)
        details |= _answers(records, groups, strata)
        figures += [f for by_group in groups.values() for some in by_group.values() for f in some]
    else:
        figures = [Figure.none(f.measure, f.params, "cohort-not-reconciled") for f in figures]
        notes.append("the cohort does not reconcile: every figure is withheld")
    return Result(
        command="decisions",
        convention=_convention(records),
        figures=figures,
        findings=above_first(found.findings),
        inputs=exact_inputs([*inputs, *records.inputs]),
        details=details,
        notes=list(dict.fromkeys(notes)),
    )


def _figures(records: Records) -> list[Figure]:
    cohort, table = records.cohort, records.found.table
    figures = _cohort_figures(cohort, table)
    if cohort.population == "exchangeable" and records.found.reconciled:
        figures = [_with_interval(cohort, f) for f in figures]
    if records.passage is not None and records.rows is not None:
        labels = records.rows.labels.lookup(dict(cohort.labels.meaning), -1)
        figures += stage_figures(records.passage, labels)
    figures += _order_figures(records)
    return withheld(figures, records.join)


def _cohort_figures(cohort: Cohort, table: StateTable, need: str | None = None) -> list[Figure]:
    states, undecided, wrong = states_of(cohort), cohort.undecided, cohort.wrong_labels
    figures = share_figures(table, states, undecided, wrong, need)
    parts = Parts.of(table, states, undecided)
    for name, endpoint in cohort.endpoints.items():
        figures += endpoint_figures(parts, name, endpoint, wrong, need)
    return figures


def _order_figures(records: Records) -> list[Figure]:
    cohort = records.cohort
    if cohort.source is None or cohort.source.order is None:
        return []
    levels = cohort.wss or _LEVELS
    if records.order is None or records.rows is None:
        return []
    positive = records.rows.labels.lookup(dict(cohort.labels.meaning), -1) == 0
    return order_figures(records.order, positive, cohort.cutoffs, levels)


def _with_interval(cohort: Cohort, figure: Figure) -> Figure:
    if figure.undefined or figure.num is None or not figure.den or figure.measure in NO_INTERVAL:
        return figure
    method, level = interval_choice(cohort)
    return dataclasses.replace(figure, interval=proportion_interval(method, figure.num, figure.den, level))


def _grouped(records: Records) -> dict[str, dict[str, list[Figure]]]:
    """Column to group to its figures; ``need`` of each is ``COLUMN=VALUE``."""
    cohort, rows = records.cohort, records.rows
    found: dict[str, dict[str, list[Figure]]] = {}
    for column in cohort.by if rows is not None else ():
        assert rows is not None
        for value, members in groups_of(rows, column):
            table = state_table(rows.take(members), states_of(cohort), cohort.labels.meaning)
            some = _cohort_figures(cohort, table, f"{column}={value}")
            if cohort.population == "exchangeable":
                some = [_with_interval(cohort, f) for f in some]
            found.setdefault(column, {})[value] = withheld(some, records.join)
    return found


def _convention(records: Records) -> dict[str, object]:
    """Every choice that shaped a number."""
    cohort = records.cohort
    convention: dict[str, object] = {
        "name": "book",
        "endpoints": {name: list(states) for name, states in cohort.endpoints.items()},
        "undecided": [s for s in states_of(cohort) if s in cohort.undecided],
        "labels": {
            "positive": list(cohort.labels.positive),
            "negative": list(cohort.labels.negative),
            "unlabelled": list(cohort.labels.unlabelled),
        },
        "population": cohort.population,
    }
    if cohort.population != "this-cohort":
        method, level = interval_choice(cohort)
        convention["interval"] = {"method": method, "level": level}
    if cohort.source is not None and cohort.source.mode == "events":
        convention["mode"] = "events"
        convention["event-order"] = records.history.order if records.history is not None else None
    if cohort.source is not None and cohort.source.order is not None:
        convention["order"] = cohort.source.order
    if cohort.sampling is not None:
        convention["sampling"] = cohort.sampling.model_dump(exclude_none=True)
    if cohort.stages:
        convention["stages"] = [{"stage": stage.name, "onward": list(stage.onward)} for stage in cohort.stages]
    if cohort.labels.source is not None:
        convention["other-labels"] = cohort.labels.source.others
    if cohort.unlisted is not None:
        convention["unlisted"] = cohort.unlisted
    if cohort.wrong_labels is not None:
        convention["wrong-labels"] = cohort.wrong_labels
    return convention


def _tally(tally: Tally) -> dict[str, object]:
    return {**tally._asdict(), "all": tally.all}


def _history(history: History) -> dict[str, object]:
    return {
        "events": history.events,
        "changes": [{"before": a, "after": b, "times": n} for (a, b), n in history.changes.items()],
        "candidates": list(history.candidates),
    }


def _details(records: Records) -> dict[str, object]:
    """The state table (only of a cohort that reconciles), what was left out, and where the labels come from."""
    cohort, found = records.cohort, records.found
    details: dict[str, object] = {
        "cohort": cohort.id,
        "reconciled": found.reconciled,
        "reconciliation": found.lists,
        "label-provenance": cohort.labels.provenance.model_dump(exclude_none=True),
        "label-sources": records.label_sources,
        "population": cohort.population,
    }
    if records.history is not None:
        details["history"] = _history(records.history)
    if records.stage_histories:
        details["stage-histories"] = {name: _history(h) for name, h in records.stage_histories.items()}
    if found.reconciled:
        table, undecided, states = found.table, cohort.undecided, states_of(cohort)
        details["states"] = [{"state": s, "decided": s not in undecided, **_tally(table.of([s]))} for s in states]
        details["total"] = _tally(table.of(states))
        details["listed"] = 0 if records.rows is None else len(records.rows)
        details["undecided"] = _tally(table.of(undecided))
        details["left-out"] = {
            "over=decided": _tally(table.of(undecided)),
            "unlabelled": table.of(states).unlabelled,
        }
    return details


def _answers(
    records: Records, groups: Mapping[str, Mapping[str, Sequence[Figure]]], strata: Sequence[Stratum]
) -> dict[str, object]:
    """The answers beside the figures: what must be true, the funnel, how groups differ, strata, the label file."""
    cohort, table = records.cohort, records.found.table
    answers: dict[str, object] = {}
    if cohort.target_recall is not None:
        target, states = Fraction(cohort.target_recall), states_of(cohort)
        must = what_must_be_true(table, states, cohort.undecided, cohort.endpoints, target)
        shown = str(cohort.target_recall)
        answers["what-must-be-true"] = [{**record, "text": in_words(record, shown)} for record in must]
    if records.passage is not None and records.rows is not None:
        labels = records.rows.labels.lookup(dict(cohort.labels.meaning), -1)
        answers["funnel"] = stage_table(records.passage, labels)
    if groups:
        answers["groups"] = {column: list(by_group) for column, by_group in groups.items()}
        answers["spread"] = [r for column, by_group in groups.items() for r in spread(column, by_group)]
    if strata:
        some = [dataclasses.asdict(s) for s in strata]
        within = {} if records.chances is None else {"stratum": "probability"}
        answers["strata"] = [{within.get(k, k): v for k, v in s.items() if v is not None} for s in some]
    if records.join is not None:
        answers["label-file"] = dataclasses.asdict(records.join)
    if records.unlisted is not None:
        answers["unlisted"] = {"state": records.unlisted.state, "named-by": records.unlisted.named_by}
    return answers
