"""Labels that a view asks for and no document has: a slip of spelling makes every document unknown or forbidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from evaudit.findings import Finding, Severity, Where, finding
from evaudit.near_ids import Spellings, differences
from evaudit.sources.document import SourceDocument
from evaudit.sources.view import View
from evaudit.strict_yaml import Path

_SHOWN = 10
"""Labels of the documents that a message lists before it counts the rest."""


def unknown_labels(
    view: View, documents: Iterable[SourceDocument], place: Callable[[Path], Where], access: Iterable[str] = ()
) -> Iterator[Finding]:
    """A finding for each kind of label of which the view asks for one that no document has.

    It is an error where such a label differs from one of the documents in spelling only, or where the documents have no
    label of the view at all; else a warning. Documents without any label of a kind are told elsewhere.

    Args:
        place: where a field of the file of the view stands, by its path. access: labels that units carry themselves.
    """
    stored = list(documents)
    statuses = Counter(d.status for d in stored if d.status)
    yield from _of_kind(view, "status", view.statuses, statuses, place(("view", "statuses")))
    carried = Counter(d.access for d in stored if d.access)
    carried.update(dict.fromkeys(access, 1))
    yield from _of_kind(view, "access", view.access, carried, place(("view", "access")))
    for source, version in (view.versions or {}).items():
        found = Counter(d.ref.version for d in stored if d.ref.source == source)
        where = place(("view", "versions", source))
        yield from _of_kind(view, f"version (of source {source!r})", [version], found, where)


def _of_kind(
    view: View, kind: str, asked: Iterable[str] | None, found: Mapping[str, int], where: Where
) -> Iterator[Finding]:
    wanted = list(dict.fromkeys(asked or ()))
    missing = [label for label in wanted if label not in found]
    if not missing or not found:
        return
    spellings = Spellings(found)
    near = {label: other for label in missing if (other := spellings.near(label)) is not None}
    severity: Severity = "error" if near or len(missing) == len(wanted) else "warning"
    listed = ", ".join(f"{label!r} ({found[label]})" for label in sorted(found)[:_SHOWN])
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    hints = "".join(f"; {o!r} differs from {n!r} only in {' and '.join(differences(n, o))}" for n, o in near.items())
    message = (
        f"the view {view.name} asks for the {kind} {', '.join(map(repr, missing))}, which no document has; found are "
        f"{listed}{more}{hints}"
    )
    yield finding("view-label-unknown", message, where=where, severity=severity)
