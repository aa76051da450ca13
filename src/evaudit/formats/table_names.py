"""Which files are tables and which are TREC files, told by name and first line without loading what reads them."""

from __future__ import annotations

from pathlib import Path

_TABLES = (".jsonl", ".ndjson", ".parquet", ".pq")
_DELIMITED = (".csv", ".tsv", ".tab")
_HEADER = ("topic", "query_id", "qid", "query", "topic_id", "query-id")


def is_table(path: str) -> bool:
    """Whether the file is a table with named columns; a ``.tsv`` or ``.csv`` without a header is a TREC file."""
    place = Path(path)
    if path == "-":
        return False
    suffixes = [s.lower() for s in place.suffixes]
    last = suffixes[-1] if suffixes else ""
    if last in (".gz", ".zst"):
        last = suffixes[-2] if len(suffixes) > 1 else ""
        return last in _TABLES or last in _DELIMITED
    if last in _TABLES or place.is_dir():
        return True
    if last not in _DELIMITED:
        return False
    try:
        with place.open("rb") as file:
            first = file.readline(4096)
    except OSError:
        return False
    cells = first.decode("utf-8-sig", "replace").strip().replace("\t", ",").replace(";", ",").split(",")
    return any(cell.strip().strip('"') in _HEADER for cell in cells)
