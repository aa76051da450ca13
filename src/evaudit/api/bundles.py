"""``evaudit.cover``: what selected units cover of the evidence, from files, frames and mappings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from evaudit.api.answers import Audit
from evaudit.api.arguments import Document, Table, listed
from evaudit.errors import UsageError
from evaudit.plurals import counted
from evaudit.results import Result
from evaudit.sources.text_match import TEXT_MATCHES, TextMatch

if TYPE_CHECKING:
    import pyarrow as pa

    from evaudit.bundles.conflicts import ConflictRule
    from evaudit.sources.view import View


class Cover(Audit):
    """The answer of ``cover``: as every audit, with one row a need."""

    def __init__(self, result: Result, needs: pa.Table) -> None:
        super().__init__(result)
        self._needs = needs

    @property
    def needs(self) -> pa.Table:
        """One row a need, as an Arrow table: verdict, reason, every figure, where components were lost, the budget."""
        return self._needs

    @property
    def verdicts(self) -> Mapping[str, int]:
        """Needs by verdict."""
        found = self.result.details["verdicts"]
        assert isinstance(found, Mapping)
        return found

    def _head(self) -> str:
        told = ", ".join(f"{n} {verdict}" for verdict, n in self.verdicts.items() if n)
        return f"{counted(sum(self.verdicts.values()), 'need')} ({told}), "


def cover(
    needs: Table,
    selected: Table,
    candidates: Table | None = None,
    documents: Table | None = None,
    *,
    units: Table | None = None,
    view: Document | View | None = None,
    claims: Table | None = None,
    rules: str | Path | Sequence[Mapping[str, object] | ConflictRule] | None = None,
    text_match: TextMatch = "exact",
    offsets: Table | Sequence[Table] | None = None,
    duplicates: Literal["refuse", "first"] = "refuse",
    budget_units: int | None = None,
    budget_chars: int | None = None,
    budget_tokens: int | None = None,
    budget_rule: Literal["prefix", "skip"] | None = None,
    by: str | None = None,
    show: Sequence[str] | str = (),
    lint: bool = False,
    jobs: int = 1,
    root: str | Path | None = None,
) -> Cover:
    """What selected units cover of the evidence that needs require, as ``evaudit bundles`` does.

    Args:
        needs: a file; a frame with one row an anchor (need, bundle, component, source, doc, version, start, end); or
            mappings with ``need``, ``components`` and ``accept``.
        selected, candidates, units: files or frames of units, in rank order: need, unit, source, doc, version, start,
            end.
        documents: the inventory: a file, a folder of texts, or a frame.
        view: which documents may be used: a file or a mapping. claims, rules: who says what, and what opposes what.
        duplicates: what becomes of a unit that stands twice in a list: ``refuse`` the need, or count the ``first``.
        text_match: how quotes and texts of units are compared with the documents: ``exact``, or ``whitespace``, which
            takes every run of white space as one.
        offsets: tables of where sentences, pages, … stand in the texts, or ``line`` and ``paragraph``, made from the
            documents; one or a list.
        budget_units, budget_chars, budget_tokens: at most one of them. budget_rule: what it admits, as the option.
        by, show, lint, jobs: as the options of the command.

    Raises:
        UsageError: something is neither a file nor a frame, or no such need or column.
        InvalidDocumentError, UnreadableInputError: a file or frame is refused, or missing.
    """
    from evaudit.audits.bundle_frames import audit_frames
    from evaudit.audits.bundles import Wanted
    from evaudit.bundles.budget import allowance

    if duplicates not in ("refuse", "first"):
        raise UsageError(f"duplicates: expected refuse or first, found {duplicates!r}")
    if text_match not in TEXT_MATCHES:
        raise UsageError(f"text_match: expected {' or '.join(TEXT_MATCHES)}, found {text_match!r}")
    try:
        budget = allowance({"units": budget_units, "chars": budget_chars, "tokens": budget_tokens}, budget_rule)
    except ValueError as error:
        raise UsageError(f"{error}; give one of budget_units, budget_chars and budget_tokens") from None
    tables = {
        "needs": needs, "selected": selected, "candidates": candidates, "units": units, "documents": documents,
        "view": view, "claims": claims, "rules": rules, "offsets": offsets,
    }  # fmt: skip
    result, rows = audit_frames(
        tables, text_match=text_match, duplicates=duplicates, budget=budget, wanted=Wanted(by, listed(show), lint),
        jobs=jobs,
        root=Path(root) if root is not None else None,
    )  # fmt: skip
    return Cover(result, rows)
