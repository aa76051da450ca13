"""TREC qrels as needs over whole documents, with a run as what came back.

Labels do not say whether one relevant document suffices or all are needed, so whoever asks must say it:
``--each-suffices`` or ``--all-required``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from evaudit.errors import UsageError
from evaudit.formats.foreign import Foreign, ForeignNeed, Passage, Request
from evaudit.formats.refusals import Refusals
from evaudit.formats.stored_bytes import read_raw
from evaudit.results import InputFile
from evaudit.sources.run_digests import digest_of

SOURCE = "collection"


def read(request: Request) -> Foreign:
    """Read ``--gold`` (qrels) and, where there is one, ``--predicted`` (a run, ordered by its rank column).

    Raises:
        UsageError: neither ``each-suffices`` nor ``all-required`` was said.
        UnreadableInputError: a file is missing. InvalidDocumentError: a line is malformed; each with its line.
    """
    if request.requires is None:
        message = "labels do not say whether each relevant document suffices or all are required"
        raise UsageError(f"{message}; say --each-suffices or --all-required")
    judged: dict[str, dict[str, int]] = {}
    gold, gold_input = _lines(request.gold, 4, "topic iteration document grade", 3)
    for columns, number in gold:
        grades = judged.setdefault(columns[0], {})
        if columns[2] in grades:
            gold.refusals.add("repeated-judgement", f"{columns[2]} is judged twice for topic {columns[0]}", number)
        grades[columns[2]] = int(columns[3])
    gold.refusals.raise_if_any()
    inputs = [replace(gold_input, rows=gold.count)]
    ranked: dict[str, dict[int, str]] = {}
    if request.predicted is not None:
        ranked, run_input = _run(request.predicted)
        inputs.append(run_input)
    needs = [_need(topic, grades, ranked.get(topic), request.requires) for topic, grades in judged.items()]
    stray = [topic for topic in ranked if topic not in judged]
    said = (
        "each relevant document suffices"
        if request.requires == "each-suffices"
        else "all relevant documents are required"
    )
    notes = [f"declared: {said}; a document is one piece, and no text was checked"]
    if stray:
        notes.append(f"{len(stray)} topics of the run have no judgements and are in no figure")
    return Foreign(needs, inputs, [], notes, answered=request.predicted is not None)


def _run(path: Path) -> tuple[dict[str, dict[int, str]], InputFile]:
    run, run_input = _lines(path, 6, "topic Q0 document rank score tag", 3)
    ranked: dict[str, dict[int, str]] = {}
    for columns, number in run:
        places = ranked.setdefault(columns[0], {})
        if int(columns[3]) in places:
            run.refusals.add("repeated-rank", f"rank {columns[3]} stands twice in topic {columns[0]}", number)
        places[int(columns[3])] = columns[2]
    run.refusals.raise_if_any()
    return ranked, replace(run_input, rows=run.count)


class _Lines:
    """The columns and the number of every line; problems go to ``refusals``."""

    def __init__(self, path: Path, columns: int, form: str, number: int) -> None:
        raw = read_raw(path, str(path))
        self.refusals = Refusals(str(path))
        self.input = InputFile(str(path), digest_of(path, raw, "text/lf"), "text/lf", len(raw))
        self.count = 0
        self._raw, self._columns, self._form, self._number = raw, columns, form, number

    def __iter__(self) -> Iterator[tuple[list[str], int]]:
        for place, line in enumerate(self._raw.split(b"\n"), 1):
            cells = line.decode("utf-8", "replace").split()
            if not cells:
                continue
            if len(cells) < self._columns:
                found = f"expected {self._form}, found {len(cells)} columns"
                self.refusals.add("trec-columns-invalid", found, place)
            elif not cells[self._number].lstrip("-").isdecimal():
                rule = "grade-invalid" if self._columns == 4 else "rank-invalid"
                self.refusals.add(rule, f"expected a whole number, found {cells[self._number]!r}", place)
            else:
                self.count += 1
                yield cells, place


def _lines(path: Path, columns: int, form: str, number: int) -> tuple[_Lines, InputFile]:
    lines = _Lines(path, columns, form, number)
    return lines, lines.input


def _need(topic: str, grades: dict[str, int], ranked: dict[int, str] | None, requires: str) -> ForeignNeed:
    relevant = [Passage(doc, source=SOURCE) for doc, grade in grades.items() if grade > 0]
    bundles = [[one] for one in relevant] if requires == "each-suffices" else [relevant] if relevant else []
    selected = None
    if ranked is not None:
        selected = [Passage(ranked[rank], source=SOURCE, unit=ranked[rank]) for rank in sorted(ranked)]
    return ForeignNeed(topic, None, bundles, selected=selected)
