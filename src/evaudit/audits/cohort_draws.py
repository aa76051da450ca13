"""The probabilities that the labels of a cohort were drawn with, read and checked."""

from __future__ import annotations

import re

import numpy as np

from evaudit.decisions.cohort import Cohort
from evaudit.decisions.columns import Coded
from evaudit.decisions.inclusion import Probabilities, cells_of, check_possible, check_simple
from evaudit.decisions.ledger_rows import Reconciliation, Rows
from evaudit.errors import InvalidDocumentError
from evaudit.findings import Where, finding

_PROBABILITY = re.compile(
    r"(?:[0-9]{1,20}\.?[0-9]{0,40}|\.[0-9]{1,40})(?:[eE]-?[0-9]{1,3})?|[0-9]{1,18}/[0-9]{1,18}", re.ASCII
)
_SMALLEST = 1e-12


def read_draws(cohort: Cohort, rows: Rows, found: Reconciliation, path: str) -> Probabilities | None:
    """The probabilities, where the cohort names their column and reconciles so far.

    A declared simple random sample that cannot have been one is a finding, and so is an estimate that cannot be true.

    Raises:
        InvalidDocumentError: a labelled candidate has no probability, or one is none, or one of 1 was not drawn.
    """
    sampling = cohort.sampling
    if sampling is None or sampling.probability is None or not found.reconciled:
        return None
    labels = rows.labels.lookup(dict(cohort.labels.meaning), 2)
    chances = probabilities(rows, sampling.probability, labels)
    if sampling.draws == "simple":
        cells = cells_of(chances, rows.states, [*cohort.stopped, *cohort.states], labels)
        check_simple(found, cells or (), sampling.probability, Where(path, pointer="$.sampling.draws"))
    check_possible(found, chances, rows.states, labels, Where(path, pointer="$.sampling.probability"))
    return chances


def probabilities(rows: Rows, column: str, labels: np.ndarray) -> Probabilities:
    """The inclusion probabilities of some candidates; unlabelled ones may lack one.

    Raises:
        InvalidDocumentError: as ``read_draws``.
    """
    coded = rows.columns[column]
    given = np.array([_number(value) for value in coded.values] or [-1.0])
    unique, place = np.unique(given, return_inverse=True)
    spelling = [""] * len(unique)
    for value, at in sorted(zip(coded.values, place.tolist(), strict=False), key=lambda v: (len(v[0]), v[0])):
        spelling[at] = spelling[at] or value.strip()
    per_row = given[coded.codes]
    labelled = labels < 2
    empty = np.array([not value.strip() for value in coded.values] or [True])[coded.codes]
    bad = (per_row < 0) & ~empty | labelled & (per_row < _SMALLEST)
    _refuse(rows, coded, column, np.flatnonzero(bad))
    missed = np.flatnonzero(~labelled & (per_row == 1))
    if len(missed):
        i = int(missed[0])
        rest = f"; {len(missed) - 1} more" if len(missed) > 1 else ""
        message = f"expected a label of {rows.ids[i]}, which was drawn for certain: {column!r} is {coded[i]!r}{rest}"
        raise InvalidDocumentError([finding("table-row-unreadable", message, where=rows.where(i))])
    return Probabilities(column, Coded(tuple(spelling), place[coded.codes]), unique)


def _number(text: str) -> float:
    """A probability from 0 to 1 as its number; -1 for everything else."""
    if not _PROBABILITY.fullmatch(text.strip()):
        return -1.0
    above, slash, below = text.strip().partition("/")
    if slash and not int(below):
        return -1.0
    number = int(above) / int(below) if slash else float(text)
    return number if number <= 1 else -1.0


def _refuse(rows: Rows, coded: Coded, column: str, bad: np.ndarray) -> None:
    if not len(bad):
        return
    i = int(bad[0])
    message = f"expected a probability in (0, 1] in {column!r} for {rows.ids[i]}, found {coded[i]!r}"
    tiny = _PROBABILITY.fullmatch(coded[i].strip())
    message += "; below 1e-12 one label would stand for everybody" if tiny else ""
    rest = f"; {len(bad) - 1} more" if len(bad) > 1 else ""
    raise InvalidDocumentError([finding("table-row-unreadable", message + rest, where=rows.where(i))])
