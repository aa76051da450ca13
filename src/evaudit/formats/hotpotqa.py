"""HotpotQA's own files: questions with supporting facts (title, sentence), answers and facts predicted by id.

One accepted bundle of every supporting fact. Source: hotpotqa/hotpot, its files and ``hotpot_evaluate_v1.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evaudit.formats.foreign import Compat, Foreign, ForeignNeed, Passage, Request, inputs_of, item, stray
from evaudit.formats.hotpotqa_scorer import score
from evaudit.formats.json_records import JsonFile, MalformedError, Record, listed, mapping, short, text, whole

Facts = list[tuple[str, int]]


def read(
    request: Request,
    *,
    check: Callable[[Mapping[str, Any]], None] = lambda row: None,
    score: Callable[[Sequence[Mapping[str, Any]], Mapping[str, Any] | None, Mapping[str, Facts]], Compat] = score,
) -> Foreign:
    """Read ``--gold`` (a list of questions) and, where there is one, ``--predicted`` (``{"answer": {}, "sp": {}}``).

    A format that has more beside these gives its own ``check`` of a question (MalformedError) and its own ``score``.

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a record is malformed; each with its line.
    """
    gold, predicted = JsonFile(request.gold, str(request.gold)), request.predictions()
    questions = [q for q in (_question(gold, record, check) for record in gold.records()) if q is not None]
    gold.refusals.raise_if_any()
    answers, facts = read_predictions(predicted) if predicted is not None else (None, {})
    needs = [_need(question, record, facts) for question, record in questions]
    rows = [question for question, _ in questions]
    return Foreign(
        needs, inputs_of(gold.with_rows(len(rows)), predicted, len(facts)),
        stray(list(facts), [need.need for need in needs], request),
        ["no text was checked: a sentence is known by its title and number alone"],
        compat=(lambda: score(rows, answers, facts)) if predicted is not None else None,
        answered=predicted is not None,
    )  # fmt: skip


def _question(
    file: JsonFile, record: Record, check: Callable[[Mapping[str, Any]], None]
) -> tuple[Mapping[str, Any], Record] | None:
    try:
        row = mapping(record.value)
        text(row, "_id")
        fact_list(listed(row, "supporting_facts"))
        check(row)
    except MalformedError as error:
        file.refuse(record, error)
        return None
    return row, record


def fact_list(members: list[Any]) -> Facts:
    """Pairs of title and sentence number.

    Raises:
        MalformedError: a member is none.
    """
    facts = []
    for member in members:
        if not isinstance(member, list) or len(member) != 2 or not isinstance(member[0], str):
            raise MalformedError(f"expected [title (text), sentence (whole number)], found {short(member)}")
        facts.append((member[0], whole(member[1], "the sentence")))
    return facts


def read_predictions(file: JsonFile) -> tuple[dict[str, Any] | None, dict[str, Facts]]:
    """Answers and supporting facts by question id; None where the file has no answers at all.

    Raises:
        InvalidDocumentError: a record is malformed; each with its line.
    """
    parts = file.nested()
    answers = {r.key: r.value for r in parts["answer"]} if "answer" in parts else None
    facts: dict[str, Facts] = {}
    if "sp" not in parts:
        file.refusals.add("table-row-unreadable", "expected an object under 'sp': facts by question id", 1, "$")
    for record in parts.get("sp", ()):
        try:
            facts[record.key] = fact_list(record.value if isinstance(record.value, list) else [record.value])
        except MalformedError as error:
            file.refuse(record, error)
    file.refusals.raise_if_any()
    return answers, facts


def _need(row: Mapping[str, Any], record: Record, facts: Mapping[str, Facts]) -> ForeignNeed:
    need = text(row, "_id")
    lengths = sentence_counts(row)
    wanted = [passage(fact, lengths) for fact in fact_list(row["supporting_facts"])]
    returned = facts.get(need)
    columns = {key: str(row[key]) for key in ("type", "level") if key in row}
    return ForeignNeed(
        need, record.line, [wanted] if wanted else [],
        selected=None if returned is None else [passage(fact, lengths) for fact in returned], columns=columns,
    )  # fmt: skip


def sentence_counts(row: Mapping[str, Any]) -> dict[str, int]:
    """Sentences of each page of the context, where the file carries it; the longest where a title stands twice."""
    counts: dict[str, int] = {}
    for page in row.get("context") or ():
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
