"""The estimates of a sampled cohort: its strata or probabilities, the figures, and what is said beside them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from evaudit.audits.cohort_records import Records
from evaudit.decisions.cohort import Cohort
from evaudit.decisions.inclusion import Probabilities, beside, cells_of, weighted_estimates
from evaudit.decisions.inclusion import without_interval as why_without_interval
from evaudit.decisions.intervals import positives_range
from evaudit.decisions.ledger_rows import Rows
from evaudit.decisions.sampling import Stratum, estimates, strata, strata_within
from evaudit.decisions.state_table import StateTable
from evaudit.figures import Figure, Interval

COUNTED = frozenset(
    ("precision", "recall", "F1", "specificity", "accuracy", "decided-positive-share", "labelled-positive-share")
)
"""Measures that count labels across states drawn at different rates."""


def states_of(cohort: Cohort) -> list[str]:
    """Every state of the whole cohort: of earlier stages, then of the last one."""
    return [*cohort.stopped, *cohort.states]


def interval_choice(cohort: Cohort) -> tuple[str, float]:
    """The method and the level of the intervals of a cohort that has any."""
    default = "hypergeometric" if cohort.population == "sampled" else "wilson"
    if cohort.interval is None:
        return default, 0.95
    return cohort.interval.method or default, float(cohort.interval.level)


def sample_figures(records: Records, counted: Sequence[Figure]) -> tuple[list[Figure], list[str], list[Stratum]]:
    """The figures of a sampled cohort that reconciles, sentences to be read beside them, and the strata.

    Args:
        records: what was read.
        counted: the figures that count labels as they are; those across states say that they estimate nothing.
    """
    cohort, rows = records.cohort, records.rows
    assert cohort.sampling is not None
    notes = ["figures without `estimated` count the labelled sample as it is; estimated ones speak of all candidates"]
    if records.chances is not None and rows is not None:
        estimated, why, some = _by_probability(records, rows, records.chances)
    else:
        some = _strata(records)
        estimated = estimates(some, cohort.endpoints, *interval_choice(cohort))
        why = None
        counted = [_with_elusion(cohort, some, f) for f in counted]
    if why:
        notes.append(why)
    elif said := _census(some, records.chances):
        notes.append(said)
    return [_of_the_sample(cohort, records.found.table, f) for f in [*counted, *estimated]], notes, some


def _census(some: Sequence[Stratum], chances: Probabilities | None) -> str | None:
    """What is to be said where no candidate is unlabelled; None where one is, and where there is no candidate."""
    if any(s.sampled for s in some) or not any(s.size for s in some):
        return None
    if chances is not None and (chances.numbers[chances.coded.codes] != 1).any():
        return (
            "every candidate is labelled, so no interval is given; the estimates weigh each label by 1/probability all "
            "the same"
        )
    return "every candidate is labelled: this is a census, so nothing is estimated and no interval given"


def _by_probability(
    records: Records, rows: Rows, chances: Probabilities
) -> tuple[list[Figure], str | None, list[Stratum]]:
    """The weighted estimates, why they have no interval, and the cells of state and probability where they have."""
    cohort = records.cohort
    assert cohort.sampling is not None
    labels = rows.labels.lookup(dict(cohort.labels.meaning), 2)
    figures = weighted_estimates(chances, rows.states, labels, cohort.endpoints)
    draws = cohort.sampling.draws
    cells = cells_of(chances, rows.states, states_of(cohort), labels) if draws else []
    why = why_without_interval(chances, draws, cells)
    if why is None and cells:
        figures = beside(figures, cells, cohort.endpoints, *interval_choice(cohort))
    return figures, why, cells if cells and why is None else []


def _strata(records: Records) -> list[Stratum]:
    """The strata of a sampled cohort: its states, or the cells of state and stratum."""
    cohort, table, rows = records.cohort, records.found.table, records.rows
    assert cohort.sampling is not None
    states, column = states_of(cohort), cohort.sampling.stratum
    if column is None or rows is None:
        return strata(table, states, cohort.sampling.frame)
    return strata_within(rows, column, states, cohort.labels.meaning, table)


def _with_elusion(cohort: Cohort, some: Sequence[Stratum], figure: Figure) -> Figure:
    """The elusion of one sampled stratum with its interval; pooled over several it has none."""
    if figure.measure != "elusion" or figure.undefined:
        return figure
    endpoint = cohort.endpoints[str(figure.params["endpoint"])]
    outside = [s for s in some if s.state not in endpoint and s.state not in cohort.undecided and s.size]
    if len(outside) != 1 or not outside[0].sampled:
        return figure
    [pile] = outside
    method, level = interval_choice(cohort)
    low, high = positives_range(method, pile.positive, pile.sample, pile.size, level)
    return dataclasses.replace(figure, interval=Interval(method, level, low / pile.size, high / pile.size))


def _of_the_sample(cohort: Cohort, table: StateTable, figure: Figure) -> Figure:
    """A figure that counts labels across states drawn at different rates says so: it estimates nothing."""
    if figure.measure not in COUNTED or table.of(states_of(cohort)).unlabelled == 0:
        return figure
    said = "labelled sample only, no estimate"
    return dataclasses.replace(figure, note=f"{figure.note}; {said}" if figure.note else said)
