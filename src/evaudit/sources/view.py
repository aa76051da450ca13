"""Which documents may be used: a view asks for labels, and a document without a label that is asked for is unknown.

Eligibility comes from the view alone. No score, relevance label or rank makes a document eligible.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field, model_validator

from evaudit.fields import Day, Model, Nullable, Text, TextList, moment, refusal
from evaudit.sources.document import SourceDocument
from evaudit.sources.eligibility import ELIGIBILITIES, ELIGIBILITY_TEXT, Eligibility, Order

__all__ = [
    "ELIGIBILITIES",
    "ELIGIBILITY_TEXT",
    "Eligibility",
    "View",
    "ViewFile",
    "eligibility",
    "validities_overlap",
]


class View(Model):
    """The labels that a usable document must carry; only what is named is asked."""

    name: Text
    """The name that reports give this view."""
    statuses: Nullable[Annotated[TextList, Field(min_length=1)]] = None
    """Allowed statuses, e.g. [current]."""
    access: Nullable[Annotated[TextList, Field(min_length=1)]] = None
    """Allowed access labels, e.g. [public]."""
    as_of: Nullable[Day] = None
    """The day or time at which a document must be valid."""
    versions: Nullable[dict[Text, Text]] = None
    """The one allowed version of a source, by source; other sources are not asked for a version."""
    order: Nullable[Order] = None
    """Whether filtering by this view came before the cut of the budget, or after; without a word nobody knows."""

    @model_validator(mode="after")
    def _asks_something(self) -> View:
        if not (self.statuses or self.access or self.as_of or self.versions):
            raise refusal("a view that asks for something", None, "add statuses, access, as_of or versions")
        return self


class ViewFile(Model):
    """A file that holds a view, as ``--view`` reads it."""

    schema_: Annotated[Literal["evaudit/view@1"], Field(alias="schema")]
    """evaudit/view@1."""
    view: View
    """The view."""


def eligibility(document: SourceDocument | None, view: View | None) -> Eligibility:
    """Whether the view allows a document; None (not in the inventory) is unknown, and no view is not-applicable.

    Where several reasons apply, a known one comes before unknown: deleted, revoked, restricted, superseded,
    not-yet-valid, expired, unknown.
    """
    if view is None:
        return "not-applicable"
    if document is None:
        return "unknown"
    reasons = {
        _by_status(document.status, view),
        _by_access(document.access, view),
        _by_version(document, view),
        _by_time(document, view),
    }
    return next((reason for reason in _FIRST_APPLIES if reason in reasons), "eligible")


_FIRST_APPLIES: tuple[Eligibility, ...] = (
    "deleted",
    "revoked",
    "restricted",
    "superseded",
    "not-yet-valid",
    "expired",
    "unknown",
)


def _by_status(status: str | None, view: View) -> Eligibility:
    if view.statuses is None or status in view.statuses:
        return "eligible"
    # Another status than these (a draft, say) is no reason of the closed list: it fails closed as unknown.
    return next((reason for reason in _FIRST_APPLIES if reason == status), "unknown")


def _by_access(access: str | None, view: View) -> Eligibility:
    if view.access is None or access in view.access:
        return "eligible"
    return "unknown" if access is None else "restricted"


def _by_version(document: SourceDocument, view: View) -> Eligibility:
    asked = (view.versions or {}).get(document.ref.source)
    return "eligible" if asked in (None, document.ref.version) else "superseded"


def _by_time(document: SourceDocument, view: View) -> Eligibility:
    if view.as_of is None:
        return "eligible"
    if document.valid_from is None and document.valid_to is None:
        return "unknown"
    return validity(document.valid_from, document.valid_to, view.as_of)


def validity(
    valid_from: date | None, valid_to: date | None, at: date
) -> Literal["eligible", "not-yet-valid", "expired"]:
    """Whether ``at`` lies in the half-open time from ``valid_from`` up to, and without, ``valid_to``.

    A date counts from its midnight (UTC where no zone is given); None leaves that end open.
    """
    if valid_from is not None and moment(at) < moment(valid_from):
        return "not-yet-valid"
    if valid_to is not None and moment(at) >= moment(valid_to):
        return "expired"
    return "eligible"


def validities_overlap(a_from: date | None, a_to: date | None, b_from: date | None, b_to: date | None) -> bool:
    """Whether two half-open validities share an instant; None leaves that end open."""
    a_before_b = a_to is not None and b_from is not None and moment(a_to) <= moment(b_from)
    b_before_a = b_to is not None and a_from is not None and moment(b_to) <= moment(a_from)
    return not (a_before_b or b_before_a)
