"""QASPER's own files: papers with questions, evidence as the text of paragraphs, one answer an annotator.

Each annotator's evidence is an accepted bundle. A text is matched to the paragraphs of the paper character for
character; figures and tables (``FLOAT SELECTED``) are items of their own. Source: allenai/qasper-led-baseline.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evaudit.formats.foreign import Foreign, ForeignNeed, Passage, Request, item
from evaudit.formats.gold_and_predictions import GoldAndPredictions, checked_rows
from evaudit.formats.id_meeting import need_names
from evaudit.formats.json_records import JsonFile, MalformedError, Record, listed, listed_if_there, mapping, short, text
from evaudit.formats.qasper_scorer import score

Row = Mapping[str, Any]
FLOAT = "FLOAT SELECTED"


@dataclass
class Question:
    """A question with the answers of its annotators, and the paper that it is about."""

    need: str
    line: int
    answers: list[Row]
    paper: Paper


@dataclass
class Paper:
    """The paragraphs of a paper by text: the number of the first that reads so; floats get numbers of their own."""

    name: str
    paragraphs: dict[str, int]
    floats: dict[str, int] = field(default_factory=dict)

    def passage(self, evidence: str) -> Passage:
        """The paragraph or float with exactly this text."""
        if FLOAT in evidence:
            return item(f"{self.name}:floats", self.floats.setdefault(evidence, len(self.floats)), "item", "qasper")
        if evidence in self.paragraphs:
            return item(self.name, self.paragraphs[evidence], "paragraph", "qasper")
        close = next((p for p in self.paragraphs if p.strip() == evidence.strip() and p.strip()), None)
        why = "no paragraph of the paper has this text" + (", but one does apart from blanks" if close else "")
        return Passage(self.name, "char", None, None, "qasper", exact=evidence or " ", nowhere=why)


def read(request: Request) -> Foreign:
    """Read ``--gold`` (an object of papers) and, where there is one, ``--predicted`` (JSON Lines by question_id).

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a record is malformed; each with its line.
    """
    files = GoldAndPredictions(request)
    questions = [question for record in files.gold.entries() for question in _questions(files.gold, record)]
    files.gold.refusals.raise_if_any()
    rows = checked_rows(files.predicted, _check_prediction) if files.predicted is not None else []
    ids, lines = [question.need for question in questions], [question.line for question in questions]
    files.meet_by_id(
        list(zip(ids, lines, strict=True)), [(text(row, "question_id"), record.line) for row, record in rows]
    )
    returned = {text(row, "question_id"): row for row, _ in rows}
    needs = [_need(name, question, returned) for name, question in zip(need_names(ids, lines), questions, strict=True)]
    answers = {question.need: question.answers for question in questions}
    notes = ["evidence is matched to the paragraphs of its paper character for character"]
    return files.foreign(needs, len(returned), notes, lambda: score(answers, returned))


def _check_prediction(row: Row) -> None:
    text(row, "question_id")
    texts(listed(row, "predicted_evidence"))


def _questions(file: JsonFile, record: Record) -> list[Question]:
    try:
        row = mapping(record.value, "a paper")
        paper = Paper(record.key, _paragraphs(row))
        found = []
        for question in map(mapping, listed(row, "qas")):
            answers = [mapping(mapping(a, "an answer").get("answer"), "an answer") for a in listed(question, "answers")]
            for answer in answers:
                texts(listed_if_there(answer, "evidence"))
                texts(listed(answer, "extractive_spans", optional=True))
            found.append(Question(text(mapping(question), "question_id"), record.line, answers, paper))
    except MalformedError as error:
        file.refuse(record, error)
        return []
    return found


def _paragraphs(row: Row) -> dict[str, int]:
    found: dict[str, int] = {}
    number = 0
    for section in listed(row, "full_text", optional=True):
        for paragraph in listed(mapping(section, "a section"), "paragraphs"):
            found.setdefault(str(paragraph), number)
            number += 1
    return found


def texts(values: Sequence[object]) -> list[str]:
    """The values if all of them are text."""
    for value in values:
        if not isinstance(value, str):
            raise MalformedError(f"expected the text of a paragraph, found {short(value)}")
    return [str(value) for value in values]


def _need(name: str, question: Question, returned: Mapping[str, Row]) -> ForeignNeed:
    need = ForeignNeed(name, question.line)
    for answer in question.answers:
        evidence = texts(answer.get("evidence") or ())
        if evidence and not answer.get("unanswerable"):
            need.bundles.append([question.paper.passage(one) for one in evidence])
    found = returned.get(question.need)
    if found is not None:
        need.selected = [question.paper.passage(one) for one in found["predicted_evidence"]]
    said_not = sum(bool(answer.get("unanswerable")) for answer in question.answers)
    need.columns = {"annotators": str(len(question.answers)), "unanswerable_for": str(said_not)}
    return need
