"""HotpotQA's own files: questions with supporting facts (title, sentence), answers and facts predicted by id.

One accepted bundle of every supporting fact. Source: hotpotqa/hotpot, its files and ``hotpot_evaluate_v1.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from evaudit.formats.foreign import Compat, Foreign, ForeignNeed, Passage, Request, item
from evaudit.formats.gold_and_predictions import GoldAndPredictions, Row, Rows, by_key, checked_rows
from evaudit.formats.hotpotqa_scorer import score
from evaudit.formats.id_meeting import need_names
from evaudit.formats.json_records import MalformedError, Record, in_list, listed, short, text, whole

Facts = list[tuple[str, int]]


def read(request: Request) -> Foreign:
    """Read ``--gold`` (a list of questions) and, where there is one, ``--predicted`` (``{"answer": {}, "sp": {}}``).

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a record is malformed; each with its line.
    """
    files = GoldAndPredictions(request)
    rows = checked_rows(files.gold, check)
    answers, facts = predictions(files)
    return questions(files, rows, facts, lambda: score([row for row, _ in rows], answers, facts))


def check(row: Row) -> None:
    """Look at what is read of a question.

    Raises:
        MalformedError: it is none.
    """
    text(row, "_id")
    fact_list(listed(row, "supporting_facts"))


def questions(
    files: GoldAndPredictions, rows: Rows, facts: Mapping[str, Facts], compat: Callable[[], Compat]
) -> Foreign:
    """The questions as needs, joined by id with the facts that were predicted."""
    ids = [text(row, "_id") for row, _ in rows]
    lines = [record.line for _, record in rows]
    files.meet_by_id(list(zip(ids, lines, strict=True)), [(one, 0) for one in facts])
    needs = [_need(name, row, record, facts) for name, (row, record) in zip(need_names(ids, lines), rows, strict=True)]
    notes = ["no text was checked: a sentence is known by its title and number alone"]
    return files.foreign(needs, len(facts), notes, compat)


def fact_list(members: list[Any]) -> Facts:
    """Pairs of title and sentence number.

    Raises:
        MalformedError: a member is none.
    """
    facts = []
    for member in members:
        if not isinstance(member, list) or len(member) != 2 or not isinstance(member[0], str) or not member[0].strip():
            raise MalformedError(f"expected [title (text), sentence (whole number)], found {short(member)}")
        facts.append((member[0], whole(member[1], "the sentence")))
    return facts


def predictions(files: GoldAndPredictions) -> tuple[dict[str, Any] | None, dict[str, Facts]]:
    """Answers and supporting facts by question id; None where the file has no answers at all.

    Raises:
        InvalidDocumentError: a record is malformed; each with its line.
    """
    file = files.predicted
    if file is None:
        return None, {}
    parts = file.nested()
    answers = {r.key: r.value for r in parts["answer"]} if "answer" in parts else None
    if "sp" not in parts:
        file.refusals.add("table-row-unreadable", "expected an object under 'sp': facts by question id", 1, "$")
    return answers, by_key(file, parts.get("sp", ()), lambda value: fact_list(in_list(value)))


def _need(name: str, row: Row, record: Record, facts: Mapping[str, Facts]) -> ForeignNeed:
    lengths = sentence_counts(row)
    wanted = [passage(fact, lengths) for fact in fact_list(row["supporting_facts"])]
    returned = facts.get(text(row, "_id"))
    columns = {key: str(row[key]) for key in ("type", "level") if key in row}
    return ForeignNeed(
        name, record.line, [wanted] if wanted else [],
        selected=None if returned is None else [passage(fact, lengths) for fact in returned], columns=columns,
    )  # fmt: skip


def sentence_counts(row: Row) -> dict[str, int]:
    """Sentences of each page of the context, where the file carries it; the longest where a title stands twice."""
    counts: dict[str, int] = {}
    context = row.get("context")
    for page in context if isinstance(context, list) else ():
        if isinstance(page, list) and len(page) == 2 and isinstance(page[1], list):
            counts[str(page[0])] = max(counts.get(str(page[0]), 0), len(page[1]))
    return counts


def passage(fact: tuple[str, int], lengths: Mapping[str, int]) -> Passage:
    """A sentence; without a place where the page of the context has no sentence of that number."""
    title, number = fact
    found = item(title, number, "sentence")
    if title in lengths and number >= lengths[title]:
        why = f"the page {title} has sentences 0 to {lengths[title] - 1}"
        return Passage(title, "sentence", number, number + 1, nowhere=why)
    return found
