"""The gold file and the predictions of a foreign format: read record by record, and joined by id or by place.

No join, no figure: what does not meet is told, and a need is withheld whose prediction may stand there under another
spelling of its id, or beside another id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from evaudit.findings import Finding, Where, finding
from evaudit.formats.foreign import Compat, Foreign, ForeignNeed, Request
from evaudit.formats.id_meeting import Known, beside, meet, need_names, refuse_repeated, repeated, same_length
from evaudit.formats.json_records import JsonFile, MalformedError, Record, mapping

Row = Mapping[str, Any]
Rows = list[tuple[Row, Record]]
Check = Callable[[Row], None]
T = TypeVar("T")


class GoldAndPredictions:
    """The two files of a request.

    Attributes:
        notes: what was left out of the files. findings: how they meet. withheld: places of needs whose prediction may
            stand there under another id.
    """

    def __init__(self, request: Request) -> None:
        """Read both files.

        Raises:
            UnreadableInputError: one is missing. InvalidDocumentError: one is no text.
        """
        self.request = request
        self.gold = JsonFile(request.gold, str(request.gold))
        self.predicted = JsonFile(request.predicted, str(request.predicted)) if request.predicted else None
        self.notes: list[str] = [*self.gold.notes, *(self.predicted.notes if self.predicted else ())]
        self.findings: list[Finding] = []
        self.withheld: list[int] = []
        self.without_ids: list[int] = []

    def meet_by_id(self, gold: Sequence[Known], predicted: Sequence[Known]) -> None:
        """Tell what of gold and predictions does not meet; a gold id that stands twice withholds its needs.

        Raises:
            InvalidDocumentError: the predictions hold an id twice, so nobody knows which one counts.
        """
        if self.predicted is None:
            return
        refuse_repeated(self.predicted.refusals, predicted)
        for place, message, line in repeated(gold):
            self.findings.append(finding("need-repeated", message, where=Where(self.gold.shown, line)))
            self.withheld.append(place)
        met = meet([one for one, _ in gold], predicted, (self.gold.shown, self.predicted.shown))
        self.findings += met.findings
        self.withheld += met.withheld

    def meet_by_place(self, gold: Rows, predicted: Rows) -> None:
        """Refuse files of different length, and tell where the ids of a pair differ: such a pair is no pair.

        Raises:
            InvalidDocumentError: the files cannot be paired by position.
        """
        if self.predicted is None:
            return
        shown = (self.gold.shown, self.predicted.shown)
        same_length([r.line for _, r in gold], [r.line for _, r in predicted], shown)
        met = beside([str(row["id"]) for row, _ in gold], [str(row["id"]) for row, _ in predicted], shown, "error")
        self.findings += met.findings
        self.withheld += met.withheld

    def foreign(
        self,
        needs: list[ForeignNeed],
        predictions: int,
        notes: list[str],
        compat: Callable[[], Compat] | None = None,
        gold: int | None = None,
    ) -> Foreign:
        """The needs with what was told; ``predictions`` and ``gold`` are the records that the files hold."""
        inputs = [self.gold.with_rows(len(needs) if gold is None else gold)]
        if self.predicted is not None:
            inputs.append(self.predicted.with_rows(predictions))
        answered = self.predicted is not None
        return Foreign(
            needs, inputs, self.findings, [*notes, *self.notes], compat=compat if answered else None, answered=answered,
            withheld={"need-error": self.withheld, "ids-unavailable": self.without_ids},
        )  # fmt: skip


def read_by_place(
    request: Request,
    check_gold: Check,
    check_prediction: Check,
    need: Callable[[str, Row, Record, Row | None], ForeignNeed],
    score: Callable[[Sequence[Row], Sequence[Row]], Compat],
    note: str,
) -> Foreign:
    """Gold and predicted rows that pair by their place in the files, each of them with an ``id``.

    Args:
        check_gold, check_prediction: raise MalformedError for a row that breaks the form of the format.
        need: from name, gold row, its record, and the predicted row or None. score: the tool's own figures.

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a record is malformed; each with its line.
    """
    files = GoldAndPredictions(request)
    gold = checked_rows(files.gold, check_gold)
    predicted = checked_rows(files.predicted, check_prediction) if files.predicted is not None else []
    files.meet_by_place(gold, predicted)
    golds, answers = [row for row, _ in gold], [row for row, _ in predicted]
    given: Sequence[Row | None] = answers if files.predicted is not None else [None] * len(gold)
    names = need_names([str(row["id"]) for row in golds], [record.line for _, record in gold])
    needs = [need(name, row, record, answer) for name, (row, record), answer in zip(names, gold, given, strict=True)]
    return files.foreign(needs, len(answers), [note], lambda: score(golds, answers))


def checked_rows(file: JsonFile, check: Check) -> Rows:
    """The objects of a file, each of them checked.

    Raises:
        InvalidDocumentError: ``check`` raised MalformedError; each with its line.
    """
    found = []
    for record in file.records():
        try:
            row = mapping(record.value)
            check(row)
        except MalformedError as error:
            file.refuse(record, error)
        else:
            found.append((row, record))
    file.refusals.raise_if_any()
    return found


def by_key(file: JsonFile, records: Iterable[Record], read: Callable[[Any], T]) -> dict[str, T]:
    """The members of an object by their keys, each of them read.

    Raises:
        InvalidDocumentError: ``read`` raised MalformedError, or the file holds another refused record.
    """
    found: dict[str, T] = {}
    for record in records:
        try:
            found[record.key] = read(record.value)
        except MalformedError as error:
            file.refuse(record, error)
    file.refusals.raise_if_any()
    return found
