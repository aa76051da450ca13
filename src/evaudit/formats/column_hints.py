"""Which known column a header may mean: other common names for the same thing, and close spellings."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Sequence

from evaudit.formats.refusals import LIMIT

_OTHER_NAMES = {
    "need": ("question_id", "query_id", "need_id", "claim_id", "question", "query", "qid", "topic", "topic_id"),
    "doc": ("doc_id", "docid", "document", "document_id", "page", "title", "pid"),
    "source": ("corpus", "collection", "dataset"),
    "version": ("revision", "doc_version", "commit"),
    "unit": ("chunk_id", "chunk", "unit_id", "passage_id", "passage", "segment_id", "node_id"),
    "rank": ("position", "order"),
    "start": ("start_char", "char_start", "start_index", "begin", "offset", "start_offset", "from"),
    "end": ("end_char", "char_end", "end_index", "stop_index", "end_offset", "to"),
    "text": ("content", "page_content", "chunk_text", "passage_text"),
    "tokens": ("n_tokens", "token_count", "length"),
    "bundle": ("bundle_id",),
    "component": ("component_id",),
    "candidate_id": ("id", "candidate", "record_id"),
    "state": ("decision", "outcome"),
}
"""Names that other tools give to our columns."""


def meant(name: str, wanted: Collection[str]) -> str | None:
    """The column among ``wanted`` that a header of another name may stand for."""
    fold = name.strip().casefold()
    for column in wanted:
        if fold == column or fold in _OTHER_NAMES.get(column, ()):
            return column
    near = difflib.get_close_matches(fold, list(wanted), n=1, cutoff=0.6)
    return near[0] if near else None


def standing_for(column: str, found: Sequence[str]) -> str | None:
    """The header among ``found`` that may stand for a column that is missing."""
    by_fold = {name.strip().casefold(): name for name in found}
    for other in (column, *_OTHER_NAMES.get(column, ())):
        if other in by_fold:
            return by_fold[other]
    near = difflib.get_close_matches(column.casefold(), by_fold, n=1, cutoff=0.6)
    return by_fold[near[0]] if near else None


def unread_note(path: str, columns: Sequence[str], known: Collection[str]) -> str | None:
    """Which columns of a table nobody reads, and which known ones they may stand for; None where all are known."""
    unread = [name for name in columns if name not in known]
    if not unread:
        return None
    lacking = [name for name in known if name not in columns]
    hints = [f"did you mean {near!r} for {name!r}?" for name in unread[:LIMIT] if (near := meant(name, lacking))]
    listed = ", ".join(repr(name) for name in unread[:LIMIT]) + (" …" if len(unread) > LIMIT else "")
    told = (
        f"{path}: the column {listed} is not read" if len(unread) == 1 else f"{path}: the columns {listed} are not read"
    )
    return "; ".join([told, *hints])
