"""Mutations that know the structure of a file: values, keys and nesting of JSON and YAML, cells and lines of tables,
columns of Parquet; and bytes of anything.
"""

from __future__ import annotations

import contextlib
import copy
import gzip
import io
import json
import random
import sqlite3
import zipfile
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import yaml

ODD: list[Any] = [
    None, True, False, 0, -1, 1.5, -0.0, 10**30, 2**63, 1e300, float("nan"), float("inf"), "", " ", "\x00", "x" * 300,
    "1" * 5000, "1e999999999", "-3.2", "\u202e", "e\u0301", "\ud800", "a\nb", "a\rb", "=1+1", "../x", "/etc/passwd",
    "~", "2024-13-01", "{}", "\x1b[2J", "\x9b31m", "＝1+1",
    "\\[x\\](http://x)", "<script>", [], {}, [[]], [1], [None], {"": 1}, {"a": {"b": []}}, [0] * 40,
]  # fmt: skip
CELLS = [*(str(one) for one in ODD if not isinstance(one, list | dict)), '"', '"a', ",,,,", "\t", "'", "\\", "#"]


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, part in parts for place in _places(part, (*path, key)))]


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def changed(value: Any, rng: random.Random) -> Any:
    """A value with one thing changed: replaced, removed, doubled, renamed, moved or nested."""
    value = copy.deepcopy(value)
    places = _places(value)
    path = rng.choice(places)
    if not path:
        return rng.choice([rng.choice(ODD), [value], {"a": value}, value])
    inside, key = _at(value, path[:-1]), path[-1]
    kind = rng.randrange(8)
    if kind == 0:
        del inside[key]
    elif kind == 1 and isinstance(inside, list):
        inside.insert(key, copy.deepcopy(inside[key]))
    elif kind == 1:
        inside[rng.choice([str(key) + "x", "", str(key).upper(), "schema", 7])] = inside.pop(key)
    elif kind == 2:
        inside[key] = copy.deepcopy(_at(value, rng.choice(places)))
    elif kind == 3:
        deep: Any = inside[key]
        for _ in range(rng.choice([1, 3, 200])):
            deep = [deep] if rng.random() < 0.5 else {"a": deep}
        inside[key] = deep
    elif kind == 4 and isinstance(inside[key], str) and inside[key]:
        text = inside[key]
        at = rng.randrange(len(text))
        inside[key] = text[:at] + rng.choice(CELLS) + text[at + rng.randrange(2) :]
    elif kind == 5 and isinstance(inside[key], list):
        inside[key] = inside[key] * rng.choice([0, 2, 50])
    else:
        inside[key] = rng.choice(ODD)
    return value


def _json(raw: bytes, rng: random.Random) -> bytes:
    try:
        return json.dumps(changed(json.loads(raw), rng)).encode()
    except ValueError:
        lines = raw.decode().splitlines()
        at = rng.randrange(len(lines))
        lines[at] = json.dumps(changed(json.loads(lines[at]), rng))
        return ("\n".join(lines) + "\n").encode()


def _yaml(raw: bytes, rng: random.Random) -> bytes:
    document = changed(yaml.safe_load(raw), rng)
    return yaml.safe_dump(document, allow_unicode=True, sort_keys=False).encode("utf-8", "surrogatepass")


def _lines(raw: bytes, rng: random.Random) -> bytes:
    """Cells or words of one line, or whole lines."""
    lines = raw.decode("utf-8").splitlines() or [""]
    at, mark = rng.randrange(len(lines)), "," if raw.count(b",") > raw.count(b" ") else " "
    kind = rng.randrange(6)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(at, lines[rng.randrange(len(lines))])
    elif kind == 2:
        rng.shuffle(lines)
    else:
        cells = lines[at].split(mark)
        spot = rng.randrange(len(cells))
        if kind == 3:
            cells[spot] = rng.choice(CELLS)
        elif kind == 4:
            cells.insert(spot, rng.choice(CELLS))
        else:
            del cells[spot]
        lines[at] = mark.join(cells)
    end = rng.choice(["\n", "\n", "\r\n", "\r"])
    return (end.join(lines) + end).encode("utf-8", "surrogatepass")


def _parquet(raw: bytes, rng: random.Random) -> bytes:
    table = pq.read_table(pa.BufferReader(raw))
    name = rng.choice(table.column_names)
    at = table.column_names.index(name)
    column = table.column(name).combine_chunks()
    odd = rng.choice([
        pa.nulls(len(column)), column.dictionary_encode(), pa.array([[one] for one in column.to_pylist()]),
        pa.array([one.encode() for one in column.to_pylist()]), pa.array([float(n) for n in range(len(column))]),
        pa.array([None, *column.to_pylist()[1:]], pa.string()),
        pa.array([{"a": one} for one in column.to_pylist()]),
        pa.array(column.to_pylist(), pa.large_string()),
        pa.array([rng.choice(CELLS[:20])] * len(column)).cast(pa.string()),
    ])  # fmt: skip
    table = table.set_column(at, rng.choice([name, name, name, "", "x", table.column_names[0]]), odd)
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression=rng.choice(["snappy", "zstd", "none", "gzip"]))
    return sink.getvalue().to_pybytes()


def _archive(raw: bytes, rng: random.Random) -> bytes:
    """A member of a zip file changed by its own kind, or given another name."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        chosen = rng.choice(old.namelist())
        for name in old.namelist():
            content = old.read(name)
            if name == chosen:
                content = mutated(name, content, rng)
            new.writestr(rng.choice([name, name, "../" + name, name.upper()]) if name == chosen else name, content)
    return out.getvalue()


def _database(raw: bytes, rng: random.Random) -> bytes:
    """A value, column or table of an SQLite database changed."""
    with contextlib.closing(sqlite3.connect(":memory:")) as state:
        state.deserialize(raw)
        table = rng.choice([row[0] for row in state.execute("SELECT name FROM sqlite_master WHERE type = 'table'")])
        column = rng.choice([row[1] for row in state.execute(f"PRAGMA table_info({table})")])
        odd = rng.choice([-1, 1.5, 2**62, "", "x" * 300, b"\xff", None, "1"])
        change = rng.choice([
            f"UPDATE {table} SET {column} = ? WHERE rowid = 3", f"ALTER TABLE {table} RENAME COLUMN {column} TO x",
            f"DROP TABLE {table}", f"DELETE FROM {table}", f"PRAGMA user_version = {rng.randrange(5)}",
        ])  # fmt: skip
        state.execute(change, [odd] if "?" in change else [])
        state.commit()
        return state.serialize()


def _compressed(raw: bytes, rng: random.Random) -> bytes:
    return gzip.compress(_lines(gzip.decompress(raw), rng), mtime=0)


def _bytes(raw: bytes, rng: random.Random) -> bytes:
    """Bytes flipped, removed, doubled or added; other encodings; compressed; cut off."""
    data = bytearray(raw)
    kind = rng.randrange(8)
    at = rng.randrange(len(data)) if data else 0
    if kind == 0:
        return bytes(data[:at])
    if kind == 1:
        return (
            rng.choice([b"\xef\xbb\xbf", b"\xff\xfe", b"\x1f\x8b", b"PK\x03\x04", b"PAR1", b"SQLite format 3\x00"])
            + raw
        )
    if kind == 2:
        return gzip.compress(raw, mtime=0)
    if kind == 3:
        return raw.decode("utf-8", "replace").encode(rng.choice(["utf-16", "latin-1", "utf-32"]), "replace")
    for _ in range(rng.choice([1, 1, 3, 20])):
        at = rng.randrange(len(data)) if data else 0
        if kind == 4 and data:
            data[at] = rng.randrange(256)
        elif kind == 5 and data:
            del data[at : at + rng.randrange(1, 9)]
        elif kind == 6:
            data[at:at] = data[: rng.randrange(60)]
        else:
            data[at:at] = rng.choice(CELLS).encode("utf-8", "surrogatepass")
    return bytes(data)


def mutated(name: str, raw: bytes, rng: random.Random) -> bytes:
    """The content of a file, changed in some way that fits its kind, once or several times."""
    kinds: dict[str, Callable[[bytes, random.Random], bytes]] = {
        ".json": _json, ".jsonl": _json, ".ipynb": _json, ".yaml": _yaml, ".parquet": _parquet,
        ".asreview": _archive, ".db": _database, ".gz": _compressed,
    }  # fmt: skip
    ending = "." + name.rpartition(".")[2] if "." in name else ""
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        change = kinds.get(ending, _lines) if rng.random() < 0.7 else _bytes
        try:
            raw = change(raw, rng)
        except Exception:  # what an earlier change left cannot be parsed, or written, any more
            raw = _bytes(raw, rng)
    return raw
