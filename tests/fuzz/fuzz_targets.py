"""What is fuzzed: small folders of good files, and the commands that read each of their files.

Formats, reports and commands come from the registries, so that a new one is fuzzed without a line here.
"""

from __future__ import annotations

import gzip
import json
import runpy
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.ipc as ipc
import pyarrow.parquet as pq

sys.path += [str(Path(__file__).parent.parent / room) for room in ("bundles", "decisions")]
from border_files import FILES, IDS, TOOLS
from test_screening_logs import RESULTS, SEEN, asreview_project, export, ris, spec

from evaudit.formats import FOREIGN
from program import ran


@dataclass(frozen=True)
class Target:
    """A folder of files, and commands of which each reads some of them.

    Attributes:
        files: name to content. commands: their words. changed: the files that are mutated; all where it is empty.
    """

    files: Mapping[str, bytes]
    commands: Sequence[tuple[str, ...]]
    changed: Sequence[str] = ()


def _text(**files: str) -> dict[str, bytes]:
    return {name.replace("__", "."): text.encode() for name, text in files.items()}


def _parquet(text: str) -> bytes:
    """A table of CSV as Parquet."""
    head, *rows = [line.split(",") for line in text.splitlines()]
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({name: [row[n] for row in rows] for n, name in enumerate(head)}), sink)
    return sink.getvalue().to_pybytes()


def _arrow(text: str) -> bytes:
    head, *rows = [line.split(",") for line in text.splitlines()]
    table = pa.table({name: [row[n] for row in rows] for n, name in enumerate(head)})
    sink = pa.BufferOutputStream()
    with ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


NEEDS = [
    {"need": "n1", "components": {"a": {"anchor": {"ref": "kb/x@1", "exact": "rate is 40"}}, "b": {"any_of": [
        {"ref": "kb/y@1", "start": 0, "end": 4, "space": "char"}, {"ref": "kb/y@1", "exact": "other"}]}},
     "accept": [["a"], ["a", "b"]], "claims": [
         {"id": "c1", "component": "a", "says": ["pump", "rate", "40"], "valid_from": "2024-01-01"}], "path": ["c1"]},
    {"need": "n2", "components": {"z": {"absent": {"inventory": ["kb/x@1"], "declared_by": "us"}}}, "accept": [["z"]]},
]  # fmt: skip
UNITS = "need,unit,source,doc,version,start,end,rank,tokens,text\nn1,u1,kb,x,1,0,20,1,5,\nn1,u2,kb,y,1,0,4,2,1,\n"
BUNDLES = {
    "needs.jsonl": "".join(json.dumps(need) + "\n" for need in NEEDS).encode(),
    "selected.csv": UNITS.encode(),
    "candidates.csv": UNITS.encode(),
    "units.csv": b"unit,source,doc,version,start,end\nu1,kb,x,1,0,20\nu2,kb,y,1,0,4\n",
    "documents.csv": b"source,doc,version,status,access,valid_from,text\n"
                     b"kb,x,1,current,all,2024-01-01,the rate is 40 now\nkb,y,1,current,all,2024-01-01,some other text\n",
    "view.yaml": b"schema: evaudit/view@1\nview: {name: now, statuses: [current], access: [all], as_of: 2024-06-01}\n",
    "rules.yaml": b"schema: evaudit/rules@1\nrules: [{id: one-rate, kind: single-valued, relation: rate}]\n",
    "claims.csv": b"claim,source,doc,version,start,end,subject,relation,object\nc2,kb,y,1,0,4,pump,rate,50\n",
    "offsets.csv": b"source,doc,version,space,index,start,end\nkb,x,1,sentence,0,0,18\n",
}  # fmt: skip
EVERY_TABLE = (
    "bundles", "--needs", "needs.jsonl", "--selected", "selected.csv", "--candidates", "candidates.csv", "--units",
    "units.csv", "--documents", "documents.csv", "--view", "view.yaml", "--rules", "rules.yaml", "--claims",
    "claims.csv", "--offsets", "offsets.csv",
)  # fmt: skip
FLAT = "need,bundle,component,source,doc,version,start,end\nn1,1,a,kb,x,1,0,4\nn1,2,b,kb,y,1,0,4\nn2,1,a,kb,y,1,0,4\n"
SELECTED = "need,source,doc,version,start,end\nn1,kb,x,1,0,9\nn2,kb,z,1,0,4\n"
LEDGER = "id,state,label,seq,group,order\na,promoted,1,1,g,1\nb,retained,0,2,g,2\nc,excluded,,3,h,3\n"
QRELS = "1 0 d1 1\n1 0 d2 0\n2 0 d1 2\n"
RUN = "1 Q0 d1 1 3.5 x\n1 Q0 d3 2 3.5 x\n2 Q0 d1 1 1e3 x\n"
PROSE = {
    "a.md": "# T\n\nRecall is **.4884** (21/43)[^1], `.5` and ~~.6~~ $\\frac{1}{2}$.\n\n[^1]: Of 60 records.\n\n| a | .7 |\n|---|---|\n",
    "a.qmd": "---\ntitle: T 3.2\n---\n\nIt is [.4884]{.x} and {{< var a >}}.\n\n```{python}\n1+1\n```\n",
    "a.html": "<html><head><style>b{}</style></head><body><p>It is <b>.48</b>84 &lt; 21/43<sup>2</sup></p><del>.6</del></body>",
    "a.rst": "T\n=\n\nIt is **.4884** and :math:`\\frac{1}{2}`.\n\n.. note:: So 21/43.\n\n.. list-table::\n\n   * - a\n     - .7\n",
    "a.tex": "\\documentclass{article}\n\\newcommand{\\r}{.4884}\n\\begin{document}\nIt is \\r\\ of $21/43$, \\num{1e3}.\n\\iffalse .6\\fi\n\\end{document}\n",
    "a.txt": "It is .4884 = 21/43, -3.2 %, 12,480 and 3 of 7.\n",
    "a.ipynb": json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["It is .4884\n"]},
        {"cell_type": "code", "metadata": {}, "source": "1", "execution_count": 1, "outputs": [
            {"output_type": "stream", "name": "stdout", "text": ["21/43\n"]}]}]}),
}  # fmt: skip


def _foreign() -> Iterator[tuple[str, Target]]:
    for name in FOREIGN:
        if name in FILES:
            made, gold, predicted = FILES[name]
            texts = dict(zip((gold, predicted), (text.encode() for text in made(IDS)), strict=True))
            words = ["bundles", "--from", name, "--gold", gold, "--predicted", predicted]
            words += ["--each-suffices"] if name == "qrels" else []
        else:
            texts = {"g.jsonl": b'{"id": "a", "retrieved_context_ids": ["d"], "reference_context_ids": ["d", "e"]}\n'}
            words = ["bundles", "--from", name, "--gold", "g.jsonl"]
        words += ["--compat", name] if name in TOOLS or name not in FILES else []
        yield f"format {name}", Target(texts, [tuple(words)])


@cache
def _demo() -> dict[str, bytes]:
    """What ``evaudit init`` writes."""
    with TemporaryDirectory() as folder:
        done = ran(Path(folder), "init", "demo")
        assert done.returncode == 0, done.stderr
        return _content(Path(folder, "demo"))


def _project() -> Target:
    files = {"pyproject.toml": b""} | _demo()
    calculation = "controls/screening/calculation.yaml"
    return Target(
        files,
        [
            ("check",), ("check", "."), ("control", "run", "controls"), ("calc", "verify", calculation),
            ("calc", "diff", calculation), ("calc", "run", calculation), ("register", "verify"), ("register", "check"),
            ("register", "scan", "REPORT.md"), ("history", "verify"), ("decisions", "controls/screening/cohort.yaml"),
            ("rank", "data/qrels.txt", "data/run.txt"),
            ("bundles", "--from", "fever", "--gold", "data/fever-gold.jsonl", "--predicted", "data/fever-predicted.jsonl"),
        ],
    )  # fmt: skip


@cache
def _small() -> dict[str, bytes]:
    """The project of the tests of registers."""
    path = Path(__file__).parent.parent / "register" / "conftest.py"
    module = runpy.run_path(str(path), run_name="small_project")
    with TemporaryDirectory() as folder:
        module["build_small"](Path(folder))
        return _content(Path(folder))


def _content(root: Path) -> dict[str, bytes]:
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


def _accepted() -> Iterator[tuple[str, Target]]:
    """A project without its lock, one whose data moved, and one whose change was accepted."""
    small, calculation = _small(), "controls/calculation.yaml"
    lock, ledger = "controls/calculation.lock.json", "controls/inputs/decisions.csv"
    verified = [("check",), ("calc", "verify", calculation), ("register", "verify"), ("history", "verify"),
                ("export", "--as", "in-toto"), ("calc", "diff", calculation)]  # fmt: skip
    add = ("register", "add", "README.md", "--quote", "recall is\n21/43 ≈ .4884")
    unfrozen = {name: raw for name, raw in small.items() if name != lock}
    yield "unfrozen project", Target(unfrozen, [("calc", "freeze", calculation), ("check",), add])
    moved = {**small, ledger: small[ledger].replace(b",promoted,positive", b",deferred,positive", 1)}
    changed = [("recall", "cohort"), ("recall", "decided"), ("accuracy", "decided")]
    named = [word for name, over in changed for word in ("--output", f"{name}(endpoint=promoted, over={over})")]
    accept = ("calc", "accept", calculation, "--reason", "a later decision", *named)
    yield "moved project", Target(moved, [accept, accept, *verified])
    with TemporaryDirectory() as folder:
        for name, raw in moved.items():
            Path(folder, name).parent.mkdir(parents=True, exist_ok=True)
            Path(folder, name).write_bytes(raw)
        assert ran(Path(folder), *accept).returncode == 0
        yield "accepted project", Target(_content(Path(folder)), [*verified, add])


def _screening() -> Iterator[tuple[str, Target]]:
    """The logs of a screening, each with its cohort file and with options."""
    short = ("--from", "asreview", "--labels", "truth.csv", "--endpoint", "relevant=relevant",
             "--undecided", "pending,not-seen", "--positive", "1")  # fmt: skip
    truth = "candidate_id,label\n" + "".join(f"{n},{n % 2}\nr{n},{n % 2}\n" for n in range(50))
    logs = {
        "log.csv": export(SEEN).encode(), "log.ris": ris(["ASReview_relevant", "ASReview_not_seen"] * 2).encode(),
        "log.asreview": asreview_project(RESULTS, [(3, 0, 100.0), (3, 1, 101.0)]),
    }  # fmt: skip
    for name, raw in logs.items():
        cohort = spec(name, ", form: asreview", labels="source: {path: truth.csv}, ")
        files = {name: raw, "truth.csv": truth.encode(), "spec.yaml": cohort.encode()}
        yield f"screening {name}", Target(files, [("decisions", "spec.yaml"), ("decisions", name, *short)])


def targets() -> dict[str, Target]:
    """Every target by name."""
    found = {
        "project": _project(),
        "tables": Target(BUNDLES, [EVERY_TABLE, (*EVERY_TABLE, "--budget-units", "1", "--show", "n1", "--lint"),
                                   ("anchors", "check", "--needs", "needs.jsonl", "--documents", "documents.csv"),
                                   ("anchors", "refresh", "--needs", "needs.jsonl", "--documents", "documents.csv")]),
        "flat tables": Target(
            _text(needs__csv=FLAT, selected__csv=SELECTED),
            [("bundles", "--needs", "needs.csv", "--selected", "selected.csv")],
        ),
        "binary tables": Target(
            {"needs.parquet": _parquet(FLAT), "selected.parquet": _parquet(SELECTED)},
            [("bundles", "--needs", "needs.parquet", "--selected", "selected.parquet")],
        ),
        "compressed tables": Target(
            {"needs.csv.gz": gzip.compress(FLAT.encode(), mtime=0), "selected.csv.gz": gzip.compress(SELECTED.encode(), mtime=0)},
            [("bundles", "--needs", "needs.csv.gz", "--selected", "selected.csv.gz")],
        ),
        "ledgers": Target(
            {"a.csv": LEDGER.encode(), "a.parquet": _parquet(LEDGER), "a.jsonl": b'{"id": "a", "state": "in", "label": 1}\n',
             "labels.csv": b"id,label\na,1\nb,0\n", "roster.csv": b"id\na\nb\nc\n"},
            [("decisions", name, "--endpoint", "promoted=promoted", "--undecided", "excluded", "--positive", "1")
             for name in ("a.csv", "a.parquet")]
            + [("decisions", "a.jsonl", "--endpoint", "in=in", "--undecided", "none", "--positive", "1"),
               ("decisions", "a.csv", "--labels", "labels.csv", "--roster", "roster.csv", "--endpoint", "p=promoted",
                "--undecided", "excluded", "--positive", "1")],
        ),
        "rankings": Target(
            {"qrels": QRELS.encode(), "run": RUN.encode(), "run.csv": b"topic,doc,score\n1,d1,2\n2,d1,1\n"},
            [("rank", "qrels", "run"), ("rank", "qrels", "run", "--convention", "trec_eval", "-m", "all_trec"),
             ("rank", "qrels", "run.csv"), ("rank", "qrels", "run", "-q", "-m", "nDCG@3", "-m", "RBP"),
             ("bundles", "--from", "qrels", "--gold", "qrels", "--predicted", "run", "--each-suffices")],
        ),
        "texts": Target(
            {name: text.encode() for name, text in PROSE.items()},
            [*(("register", "scan", name) for name in PROSE), ("digest", *PROSE, "--recipe", "prose"),
             ("anchors", "check", "--needs", "a.txt", "--documents", ".")],
        ),
    }  # fmt: skip
    return found | dict((*_foreign(), *_accepted(), *_screening()))
