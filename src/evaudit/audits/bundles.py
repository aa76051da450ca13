"""The audit of tables of needs and units; one hand-written case: ``bundle_case``; FEVER's files: ``fever``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evaudit.audits.anchor_steps import look_closer, options_of
from evaudit.audits.bundle_blocks import BlockJudge, judge_blocks
from evaudit.audits.bundle_idle import unused_offsets, without_effect
from evaudit.audits.bundle_joins import TableJoins
from evaudit.audits.bundle_partials import Partial, Wanted, collect
from evaudit.audits.bundle_results import convention_of, finish
from evaudit.audits.bundle_tables import Opened, Tables, check_by
from evaudit.audits.fever import audit_fever
from evaudit.bundles.budget import Allowance
from evaudit.bundles.near_documents import Joins
from evaudit.bundles.need_rows import NeedRows
from evaudit.engine.local import run
from evaudit.formats.need_blocks import BLOCK_ROWS
from evaudit.results import Result

Progress = Callable[[int, int], None]
"""Called with the needs that are judged, and all needs."""


@dataclass(frozen=True)
class Running:
    """How an audit runs, which changes no answer.

    Attributes:
        jobs: processes. progress: told after every block. rows: takes the per-need rows of every block.
        block_rows: unit rows in memory at a time, where the tables are grouped by need.
    """

    jobs: int = 1
    progress: Progress = lambda done, total: None
    rows: Callable[[NeedRows], None] | None = None
    block_rows: int = BLOCK_ROWS


def audit_tables(
    tables: Tables,
    *,
    budget: Allowance | None = None,
    wanted: Wanted | None = None,
    root: Path | None = None,
    running: Running | None = None,
) -> Result:
    """Audit tables of needs and units (CSV, TSV, JSON Lines, Parquet; see ``formats``), block by block.

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a file is refused. UsageError: no such column,
            need.
    """
    wanted, running = wanted or Wanted(), running or Running()
    opened = Opened(tables, root, threads=running.jobs <= 1)
    check_by(opened, wanted.by)
    cut = opened.plan(running.block_rows)
    partials: list[Partial] = []
    done = 0
    given = (tables, root, cut, budget, wanted, False)
    for found in run(BlockJudge(opened, cut, budget, wanted), judge_blocks, given, cut.tasks, running.jobs):
        opened.start_digests()  # not before the processes exist: a process is not copied while a thread is at work
        for one in found:
            done += one.needs
            running.progress(done, cut.needs)
            if running.rows is not None and one.rows is not None:
                running.rows(one.rows)
            collect(partials, one if wanted.keep != "rows" else replace(one, rows=None))
    return of_partials(opened, partials, budget, wanted)


def of_partials(opened: Opened, partials: Sequence[Partial], budget: Allowance | None, wanted: Wanted) -> Result:
    """The result of all blocks."""
    pool = "units" if "corpus" in opened.lists else "candidates" if "candidate" in opened.lists else None
    notes = opened.notes()
    checked, as_stated = sum(p.checked for p in partials), sum(p.as_stated for p in partials)
    if not opened.inventory and as_stated:
        notes.append(f"{opened.without_documents}: positions are taken as stated and no text was checked")
    elif as_stated:
        notes.append(
            f"{as_stated} of {checked + as_stated} anchors were taken as stated, as no text tells their positions"
        )
    if opened.offsets is not None:
        notes.append(f"positions of different spaces compare through offsets: {', '.join(opened.offsets.spaces())}")
    unasked = [rule.id for rule in opened.rules if rule.look_in == "candidates" and "candidate" not in opened.lists]
    if unasked:
        notes.append(f"no candidates were given, so the rules {', '.join(unasked)} looked at the selected units alone")
    joins = partials[0].joins if partials else Joins()
    count = sum(partial.needs for partial in partials)
    found = [
        *TableJoins(opened).findings(joins, count),
        *opened.findings,
        *without_effect(opened, sum((p.relations for p in partials), Counter())),
        *unused_offsets(opened.offsets, {code for p in partials for code in p.offsets}),
    ]
    view, order = (opened.view.name, opened.view.order) if opened.view else (None, None)
    if order is not None and budget is None:
        notes.append(f"no budget was given, so nothing was cut, and order: {order} of the view has no effect")
    asked = opened.tables
    convention = convention_of(
        budget, opened.rules, view, pool, asked.text_match, opened.offsets, asked.duplicates, order
    )
    result = finish(partials, wanted, convention, opened.inputs(), notes, {}, found)
    needs, documents = opened.tables.needs, opened.tables.documents
    if isinstance(needs, str) and isinstance(documents, str):
        from evaudit.formats.anchor_edits import can_edit

        more = look_closer(result.findings, options_of(documents, needs), can_move=can_edit(needs))
        return replace(result, notes=[*result.notes, *more])
    return result


__all__ = ["Running", "Tables", "Wanted", "audit_fever", "audit_tables"]
