"""Which files are tables and which are TREC files, told by name and first line without loading what reads them."""

from __future__ import annotations

import os

_TABLES = (".jsonl", ".ndjson", ".parquet", ".pq")
_DELIMITED = (".csv", ".tsv", ".tab")
_HEADER = ("topic", "query_id", "qid", "query", "topic_id", "query-id")


def is_table(path: str) -> bool:
    """Whether the file is a table with named columns; a ``.tsv`` or ``.csv`` without a header is a TREC file."""
    name = path.lower()
    if path == "-":
        return False
    if name.endswith((".gz", ".zst")):
        return name.rpartition(".")[0].endswith(_TABLES + _DELIMITED)
    if name.endswith(_TABLES) or os.path.isdir(path):  # noqa: PTH112 - pathlib takes longer to load than a run to read
        return True
    if not name.endswith(_DELIMITED):
        return False
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - as above
            first = file.readline(4096)
    except OSError:
        return False
    cells = first.decode("utf-8-sig", "replace").strip().replace("\t", ",").replace(";", ",").split(",")
    return any(cell.strip().strip('"') in _HEADER for cell in cells)
