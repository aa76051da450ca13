"""What was given to an audit of tables and has no effect: empty tables, claims of no need, idle rules, no labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from evaudit.audits.bundle_tables import Opened
from evaudit.bundles.columns import SPACES
from evaudit.bundles.problems import noted_of, worded
from evaudit.findings import Finding, Where, finding
from evaudit.findings.units import offsets_unused
from evaudit.plurals import counted

if TYPE_CHECKING:
    from evaudit.bundles.offsets import OffsetTables
    from evaudit.sources.document import SourceDocument


_EMPTY = {
    "selected": "nothing was selected for any need",
    "candidate": "there was nothing to select from for any need",
    "corpus": "the corpus holds no unit",
}


def without_effect(opened: Opened, relations: Counter[str]) -> list[Finding]:
    """A finding for each. ``relations`` counts the claims within the needs by their relation."""
    found = [*_empty_tables(opened), *_rules(opened, relations), *_missing_labels(opened), *_unknown_labels(opened)]
    if opened.stated is not None and opened.stated.own:
        from evaudit.formats.claims import of_unknown_needs

        ids = opened.needs.ids()
        known = set(ids if isinstance(ids, list) else ids.runs("need")[0].cast(pa.string()).to_pylist())
        found += worded([noted_of(of_unknown_needs(opened.stated, known))])
    return found


def unused_offsets(offsets: OffsetTables | None, used: Collection[int]) -> list[Finding]:
    """Offset tables of spaces in which no anchor and no unit of their documents has a position."""
    codes = sorted(offsets.codes() - set(used)) if offsets is not None else ()
    return [offsets_unused(SPACES[code]) for code in codes]


def _unknown_labels(opened: Opened) -> Iterator[Finding]:
    """Labels that the view asks for and no document has, though documents have others."""
    if opened.view is None:
        return
    from evaudit.sources.view_labels import unknown_labels

    carried: set[str] = set()
    if opened.view.access is not None:
        for source in opened.lists.values():
            if "access" in source.columns:
                carried |= set(pc.unique(source.read(0, source.rows, ("access",)).array("access")).to_pylist())
    yield from unknown_labels(opened.view, opened.inventory or (), opened.view_place, sorted(carried - {""}))


def _named(table: str | pa.Table | None, name: str) -> str:
    return table if isinstance(table, str) else name


def _empty_tables(opened: Opened) -> Iterator[Finding]:
    for what, source in opened.lists.items():
        if not source.rows:
            message = f"the table of {what} units has no row, so {_EMPTY[what]}"
            yield finding("table-empty", message, where=Where(source.path))
    tables = opened.tables
    if tables.documents is not None and opened.inventory is None:
        where = Where(_named(tables.documents, "documents"))
        yield finding(
            "table-empty", "the table of documents has no row: no reference and no text is checked", where=where
        )
    if opened.stated is not None and not opened.stated.own and not opened.stated.shared:
        where = Where(_named(tables.claims, "claims"))
        yield finding("table-empty", "the table of claims has no row, so it adds no claim", where=where)


def _rules(opened: Opened, relations: Counter[str]) -> Iterator[Finding]:
    """Rules that no claim meets, and claims that no rule does."""
    stated = opened.stated
    claims = [claim for some in stated.own.values() for claim in some] + stated.shared if stated is not None else []
    known = relations + Counter(claim.declared.says[1] for claim in claims)
    if claims and not opened.rules:
        message = "no rules were given, so no claim opposes another one; claims serve declared paths alone"
        yield finding("claim-idle", message, where=Where(_named(opened.tables.claims, "claims")))
    for number, rule in enumerate(opened.rules):
        where = opened.rule_places[number] if opened.rule_places else Where("rules", pointer=f"$.rules[{number}]")
        if not known:
            message = f"rule {rule.id} finds nothing, as there is no claim; give claims, in a table or in the needs"
            yield finding("rule-idle", message, where=where)
        elif missing := [relation for relation in rule.named if relation not in known]:
            there = ", ".join(sorted(known)[:10]) + (", …" if len(known) > 10 else "")
            all_ = counted(known.total(), "claim")
            name = f"relation {', '.join(missing)}"
            if len(missing) == len(rule.named):
                message = f"rule {rule.id} ({name}) matches none of {all_}; relations there: {there}"
            else:
                message = f"rule {rule.id} names {name}, of which there is none in {all_}; relations there: {there}"
            yield finding("rule-idle", message, where=where)


def _missing_labels(opened: Opened) -> Iterator[Finding]:
    """Labels that the view asks for and no document carries; a unit may carry the access of its document."""
    view = opened.view
    if view is None:
        return
    carried = any("access" in source.columns for source in opened.lists.values())
    asked: list[tuple[str, bool, Callable[[SourceDocument], object]]] = [
        ("status", view.statuses is not None, lambda d: d.status),
        ("access", view.access is not None and not carried, lambda d: d.access),
        ("valid_from or valid_to", view.as_of is not None, lambda d: d.valid_from or d.valid_to),
    ]
    documents = list(opened.inventory or ())
    missing = [name for name, wanted, label in asked if wanted and not any(label(d) for d in documents)]
    if not missing:
        return
    given = opened.tables.documents
    ask = f"the view {view.name} asks for {' and '.join(missing)}"
    advice = f"give a table of documents with {' and '.join(missing)}; a folder of texts carries no labels"
    if not documents:
        message = f"{ask}, and {opened.without_documents}, so no document may be used; {advice}"
    else:
        message = (
            f"{ask}, and none of {counted(len(documents), 'document')} has it, so none of them may be used; {advice}"
        )
    yield finding("view-label-missing", message, where=Where(_named(given, "documents")) if given is not None else None)
