"""The audit of FEVER's own files, with the figures of its scorer beside ours on request."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from evaudit.audits.bundle_joins import OneList
from evaudit.audits.bundle_partials import Wanted
from evaudit.audits.bundle_results import Given, assemble, convention_of_evidence, of_gold_alone, rows_of_gold
from evaudit.audits.foreign_reader import unless_swapped
from evaudit.audits.tool_figures import with_tool
from evaudit.bundles.answers import DocumentNames
from evaudit.bundles.assessment import Evidence
from evaudit.bundles.budget import Allowance
from evaudit.bundles.integrity import UnitList
from evaudit.bundles.near_documents import Referring
from evaudit.bundles.problems import Problems
from evaudit.cycles import no_search_for_cycles
from evaudit.errors import UsageError
from evaudit.findings import Where
from evaudit.formats import fever, fever_columns, fever_scorer
from evaudit.formats.foreign import Compat, Request
from evaudit.results import InputFile, Result

if TYPE_CHECKING:
    from evaudit.bundles.need_rows import NeedRows


def audit_fever(
    gold: Path,
    predicted: Path | None = None,
    *,
    pair: Literal["line", "id"] = "line",
    budget: Allowance | None = None,
    compat: bool = False,
    wanted: Wanted | None = None,
    rows: Callable[[NeedRows], None] | None = None,
) -> Result:
    """Audit FEVER's own files: ``gold`` claims with evidence sets, ``predicted`` labels and sentences.

    Without a budget FEVER's five sentences are used, and a note says so. Without predictions only the gold is looked
    at.

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a file is refused, with every bad line.
        UsageError: ``compat`` without predictions.
    """
    if compat and predicted is None:
        raise UsageError("--compat fever needs --predicted FILE")
    wanted = wanted or Wanted()
    with no_search_for_cycles():
        return _audit(gold, predicted, pair, budget, compat, wanted, rows)


def _audit(
    gold: Path,
    predicted: Path | None,
    pair: Literal["line", "id"],
    budget: Allowance | None,
    compat: bool,
    wanted: Wanted,
    rows: Callable[[NeedRows], None] | None,
) -> Result:
    pairs, inputs, notes = unless_swapped("fever", Request(gold, predicted), lambda asked: _read(asked, pair))
    columns = fever_columns.columns(pairs)
    problems = Problems(pairs.needs)
    problems.withhold(pairs.withheld)
    for need in columns.empty:
        where = Where(str(gold), pairs.claims[need].line)
        message = "expected a sentence in every evidence set, found an empty set, which would be true of nothing"
        problems.add("bundle-empty", need, message, where, withhold=True)
    for need in columns.repeated:
        message = "an evidence set names a sentence more than once; it is required once"
        problems.add("bundle-component-repeated", need, message, Where(str(gold), pairs.claims[need].line))
    used = budget or Allowance("units", fever_scorer.FEVER_BUDGET)
    pages = [("wiki", page, "1") for page in columns.pages]
    listed = Referring("selected", columns.selected, columns.selected.document)
    possible, unjoined = OneList(columns.needs, columns.needs.anchor_document, listed, pages, str(predicted)).judged()
    evidence = Evidence(columns.needs, columns.selected, budget=used, withheld=problems.withheld, possible=possible)
    given = Given(
        evidence, problems, list(pairs.findings), DocumentNames(lambda key: columns.pages[key]),
        [UnitList("selected", columns.selected, lambda row: Where(str(predicted or gold)))], inputs,
        convention_of_evidence(evidence, None) | {"format": "fever", "pairs": pair}, columns=_columns(pairs, wanted.by),
        unjoined=unjoined,
    )  # fmt: skip
    given.notes += notes
    if budget is None:
        given.notes.append(f"no budget was given: FEVER's own {fever_scorer.FEVER_BUDGET} sentences are used")
    given.notes.append("no text was checked: a sentence is known by its page and number alone")
    if predicted is not None:
        given.notes.append("a repeated prediction keeps its place in the budget, as in FEVER, and is credited once")
    result = assemble(given, wanted, rows=rows_of_gold(rows) if predicted is None and rows is not None else rows)
    if predicted is None:
        return of_gold_alone(result, evidence.needs, wanted)
    return with_tool(result, "fever", _scored(pairs, used)) if compat else result


def _read(request: Request, pair: Literal["line", "id"]) -> tuple[fever.FeverPairs, list[InputFile], list[str]]:
    claims, record, notes = fever.read_gold(request.gold, str(request.gold))
    predictions, inputs = None, [record]
    if request.predicted is not None:
        predictions, record, more = fever.read_predictions(request.predicted, str(request.predicted))
        inputs.append(record)
        notes += more
    return fever.pair(claims, predictions, pair, (str(request.gold), str(request.predicted))), inputs, notes


def _columns(pairs: fever.FeverPairs, by: str | None) -> dict[str, list[str]]:
    if by not in (None, "label"):
        raise UsageError(f"--by {by}: this format has no such column; it has label")
    return {"label": [claim.label for claim in pairs.claims]} if by else {}


def _scored(pairs: fever.FeverPairs, budget: Allowance) -> Compat:
    """The figures of FEVER's scorer.

    Raises:
        UsageError: the budget is no number of sentences.
    """
    if budget.measured != "units":
        raise UsageError("--compat fever looks at a number of sentences; give --budget-units")
    return fever_scorer.score(pairs, budget.limit)
