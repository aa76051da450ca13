"""Judgements and a run that stand in memory: mappings or frames, measured as files are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from evaudit.audits.ranking import asked_measures, measured
from evaudit.audits.ranking_inputs import Inputs, problems, refused
from evaudit.errors import InvalidDocumentError, UsageError
from evaudit.findings import Finding
from evaudit.formats.ledger import arrow_table
from evaudit.formats.ranked_tables import UNHASHED, frame, open_qrels, open_run, qrels_of, run_of
from evaudit.formats.table_names import is_table
from evaudit.formats.tables import Table
from evaudit.formats.trec import read_qrels, read_run
from evaudit.formats.trec_content import Qrels, Run
from evaudit.formats.trec_scan import Judging
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import TopicList, histogram
from evaudit.ranking.resampling import Resampling
from evaudit.results import Result


def audit_frames(
    qrels: object,
    run: object,
    measures: Sequence[str],
    convention: Convention,
    *,
    per_topic: bool = True,
    bounds: bool = True,
    groups: Mapping[str, str] | None = None,
    resampling: Resampling | None = None,
) -> Result:
    """Measure one run against judgements, of which one or both stand in memory.

    Args:
        qrels: a path; ``{topic: {document: grade}}``, where a topic may be empty; or a frame with the columns topic,
            document, grade.
        run: a path; ``{topic: {document: score}}`` or ``{topic: [document, ...]}``, best first; or a frame with the
            columns topic, document and rank or score.
        measures, convention, per_topic, bounds: as for ``audit_runs``. Where the convention orders by ranks and the run
            has only scores, it is ordered by score, and the result says so; a list is its own order.
        groups: group by topic.
        resampling: as for ``audit_runs``.

    Raises:
        UsageError, InvalidDocumentError, UnreadableInputError: as ``audit_runs``.
    """
    table, convention = _run_table(run, convention)
    asked = asked_measures(measures, convention)
    findings: list[Finding] = []
    judged: Qrels | None = None
    try:
        judged = _qrels(qrels, convention)
    except InvalidDocumentError as error:
        findings += error.findings

    judging = Judging(judged, convention, bounds)
    runs: list[Run[TopicList | None]] = []
    try:
        runs.append(read_run(str(run), convention, judging) if table is None else run_of(table, convention, judging))
        runs[0].near = list(judging.near)
        if judged is not None:
            findings += problems(judged, runs, convention)
    except InvalidDocumentError as error:
        findings += error.findings
    if findings or judged is None:
        raise refused(findings)
    notes = [
        UNHASHED.format(name) for name, data in (("qrels", qrels), ("run", run)) if not isinstance(data, str | Path)
    ]
    inputs = Inputs(judged, runs, [None], groups, notes=notes)
    return measured(inputs, asked, convention, per_topic=per_topic, summary=True, bounds=bounds, resampling=resampling)


def _qrels(data: object, convention: Convention) -> Qrels:
    if isinstance(data, str | Path):
        return qrels_of(open_qrels(str(data)), convention) if is_table(str(data)) else read_qrels(str(data), convention)
    if isinstance(data, Mapping) and _nested(data):
        judged = qrels_of(_table("qrels", ("topic", "document", "grade"), _pairs(data)), convention)
        empty = [str(topic) for topic, documents in data.items() if not documents]
        pools: dict[str, dict[bytes, int]] = {topic: {} for topic in empty}
        counts = dict.fromkeys(empty, histogram(()))
        return replace(judged, counts={**counts, **judged.counts}, pools={**pools, **judged.pools})
    return qrels_of(frame(arrow_table(data), "qrels"), convention)


def _run_table(data: object, convention: Convention) -> tuple[Table | None, Convention]:
    """The run as a table (None for a TREC file), and the convention with the order that the run can have."""
    if isinstance(data, str | Path):
        return (open_run(str(data)), convention) if is_table(str(data)) else (None, convention)
    by_score = convention.choose(order="score") if convention.order == "ranks" else convention
    if isinstance(data, Mapping) and _nested(data):
        if all(isinstance(one, Mapping) for one in data.values()):
            return _table("run", ("topic", "document", "score"), _pairs(data)), by_score
        rows = ((topic, doc, str(rank)) for topic, docs in data.items() for rank, doc in enumerate(docs, 1))
        return _table("run", ("topic", "document", "rank"), rows), convention.choose(order="list")
    table = frame(arrow_table(data), "run")
    ranked = "rank" in table.data.column_names or "score" not in table.data.column_names
    return table, convention if ranked else by_score


_COLUMNS = ("topic", "document", "grade", "score", "rank", "query_id", "qid", "doc_id", "docno", "relevance")


def _nested(data: Mapping[Any, Any]) -> bool:
    """Whether a mapping goes from topics to their documents, and not from column names to columns."""
    if all(isinstance(one, Mapping) for one in data.values()):
        return True
    if any(name in _COLUMNS for name in data):
        return False
    if any(isinstance(one, Mapping | str) for one in data.values()):
        raise UsageError("expected for each topic a mapping of documents, or a list of them, not both")
    return True


def _pairs(data: Mapping[Any, Mapping[Any, Any]]) -> Iterator[tuple[str, str, str]]:
    """Rows of text; a number that is no whole one keeps its point, so that a fractional grade is seen."""
    for topic, documents in data.items():
        for document, value in documents.items():
            yield str(topic), str(document), repr(value.item() if hasattr(value, "item") else value)


def _table(name: str, columns: Sequence[str], rows: Iterator[tuple[str, str, str]]) -> Table:
    cells = list(zip(*rows, strict=True)) or [(), (), ()]
    return frame(pa.table({c: pa.array(list(v), pa.string()) for c, v in zip(columns, cells, strict=True)}), name)
