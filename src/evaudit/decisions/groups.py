"""Groups of a cohort: the figures of each value of a column, and how far apart they lie; undefined ones apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from evaudit.decisions.candidate_checks import group_rows
from evaudit.decisions.ledger_rows import Reconciliation, Rows
from evaudit.figures import Figure


def check_groups(found: Reconciliation, rows: Rows, column: str) -> None:
    """Candidates without a group: they would be in no group's figures."""
    coded = rows.columns[column]
    blank = np.flatnonzero(coded.is_one_of([v for v in coded.values if not v.strip()]))
    lacking = group_rows(rows.ids, (int(i) for i in blank), ())
    if lacking:
        entries: list[tuple[str, dict[str, object]]] = [(c, {"id": c, "column": column}) for c, _ in lacking]
        what = f"{len(lacking)} candidate{'s' * (len(lacking) != 1)} without a value in {column!r}"
        found.add("cohort-group-missing", what, entries, rows.where(lacking[0][1][0]), "name the group of each")


def groups_of(rows: Rows, column: str) -> list[tuple[str, np.ndarray]]:
    """Every value of the column, sorted, with its rows."""
    coded = rows.columns[column]
    order = np.argsort(coded.codes, kind="stable")
    ends = np.searchsorted(coded.codes[order], np.arange(len(coded.values) + 1))
    found = [(v, np.sort(order[ends[i] : ends[i + 1]])) for i, v in enumerate(coded.values)]
    return sorted((v, r) for v, r in found if len(r))


def spread(column: str, groups: Mapping[str, Sequence[Figure]]) -> list[dict[str, object]]:
    """For each figure its lowest and highest group; groups where it is undefined are named and are no extreme."""
    names: dict[str, dict[str, Figure]] = {}
    for group, figures in groups.items():
        for figure in figures:
            names.setdefault(figure.name, {})[group] = figure
    found: list[dict[str, object]] = []
    for name, by_group in names.items():
        defined = {g: Fraction(f.num or 0, f.den or 1) for g, f in by_group.items() if not f.undefined}
        record: dict[str, object] = {
            "by": column,
            "figure": name,
            "defined": len(defined),
            "undefined": {g: f.undefined for g, f in by_group.items() if f.undefined},
            "low": None,
            "high": None,
        }
        if len(defined) > 1:
            for end, choose in (("low", min), ("high", max)):
                group = choose(defined, key=lambda g: (defined[g], g))
                record[end] = {"group": group, "num": by_group[group].num, "den": by_group[group].den}
        found.append(record)
    return found
