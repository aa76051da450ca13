"""TREC qrels as needs over whole documents, with a run as what came back.

Labels do not say whether one relevant document suffices or all are needed, so whoever asks must say it:
``--each-suffices`` or ``--all-required``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from evaudit.errors import UsageError
from evaudit.findings import Finding
from evaudit.formats.foreign import Foreign, ForeignNeed, Passage, Request
from evaudit.formats.id_meeting import Meeting, meet
from evaudit.formats.trec_lines import TrecFile, is_judgement, is_result, shown
from evaudit.results import InputFile

SOURCE = "collection"
_WHOLE = re.compile(rb"-?[0-9]{1,18}")


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
    gold = _Lines(request.gold, 4, "topic iteration document grade", 3)
    for columns, number in gold:
        grades = judged.setdefault(columns[0], {})
        if columns[2] in grades:
            gold.refusals.add("repeated-judgement", f"{columns[2]} is judged twice for topic {columns[0]}", number)
        grades[columns[2]] = int(columns[3])
    gold.refusals.raise_if_any()
    inputs, findings = [gold.record()], list(gold.notes)
    ranked: dict[str, dict[int, str]] = {}
    if request.predicted is not None:
        run = _Lines(request.predicted, 6, "topic Q0 document rank score tag", 3)
        ranked = _ranked(run)
        inputs.append(run.record())
        findings += run.notes
    needs = [_need(topic, grades, ranked.get(topic), request.requires) for topic, grades in judged.items()]
    said = (
        "each relevant document suffices"
        if request.requires == "each-suffices"
        else "all relevant documents are required"
    )
    notes = [f"declared: {said}; a document is one piece, and no text was checked"]
    met = Meeting()
    if request.predicted is not None:
        met = meet(list(judged), [(topic, 0) for topic in ranked], (str(request.gold), str(request.predicted)))
    return Foreign(
        needs, inputs, [*findings, *met.findings], notes, answered=request.predicted is not None,
        withheld={"need-error": met.withheld},
    )  # fmt: skip


def _ranked(run: _Lines) -> dict[str, dict[int, str]]:
    ranked: dict[str, dict[int, str]] = {}
    for columns, number in run:
        places = ranked.setdefault(columns[0], {})
        if int(columns[3]) in places:
            run.refusals.add("repeated-rank", f"rank {columns[3]} stands twice in topic {columns[0]}", number)
        places[int(columns[3])] = columns[2]
    run.refusals.raise_if_any()
    return ranked


class _Lines:
    """The columns and the number of every line of a TREC file; problems go to ``refusals``.

    ``number`` is the column that holds a whole number: the grade of a judgement, the rank of a result.
    """

    def __init__(self, path: Path, columns: int, form: str, number: int) -> None:
        self._file = TrecFile(str(path), is_record=is_judgement if columns == 4 else is_result)
        self.refusals = self._file.refusals
        self.count = 0
        self._columns, self._form, self._number = columns, form, number

    def __iter__(self) -> Iterator[tuple[list[str], int]]:
        for place, line in self._file.lines():
            row = self._file.columns(place, line, self._columns, 4 if self._columns == 4 else None, self._form)
            if row is None:
                continue
            if not _WHOLE.fullmatch(row[self._number]):
                rule = "grade-invalid" if self._columns == 4 else "rank-invalid"
                self.refusals.add(rule, f"expected a whole number, found {shown(row[self._number])}", place)
                continue
            self.count += 1
            yield [column.decode() for column in row], place

    @property
    def notes(self) -> list[Finding]:
        """What was left out or read otherwise, once the lines were read."""
        return self._file.notes

    def record(self) -> InputFile:
        """The file with its digest and number of rows."""
        return self._file.record(self.count)


def _need(topic: str, grades: dict[str, int], ranked: dict[int, str] | None, requires: str) -> ForeignNeed:
    relevant = [Passage(doc, source=SOURCE) for doc, grade in grades.items() if grade > 0]
    bundles = [[one] for one in relevant] if requires == "each-suffices" else [relevant] if relevant else []
    selected = None
    if ranked is not None:
        selected = [Passage(ranked[rank], source=SOURCE, unit=ranked[rank]) for rank in sorted(ranked)]
    return ForeignNeed(topic, None, bundles, selected=selected)
