"""The audit of a foreign format: its needs and passages in our model, and its own tool's figures beside ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from evaudit.audits.anchor_steps import look_closer, options_of
from evaudit.audits.bundle_idle import unused_offsets
from evaudit.audits.bundle_joins import OneList
from evaudit.audits.bundle_partials import Wanted
from evaudit.audits.bundle_results import Given, assemble, convention_of_evidence, of_gold_alone, rows_of_gold
from evaudit.audits.careful_blocks import document_names
from evaudit.audits.foreign_reader import reader, unless_swapped
from evaudit.audits.tool_figures import with_tool
from evaudit.bundles.assessment import Evidence
from evaudit.bundles.budget import Allowance
from evaudit.bundles.columns import CHAR, NOWHERE, SPACE_CODE, UNKNOWN, UnitTable, integers
from evaudit.bundles.conflicts import ConflictRule, OppositePolarity
from evaudit.bundles.declarations import ClaimDeclaration, StatedClaim
from evaudit.bundles.gathering import NeedBuilder
from evaudit.bundles.integrity import UnitList
from evaudit.bundles.listing import unit_finding
from evaudit.bundles.near_documents import Referring
from evaudit.bundles.places import Placed, Places, RefKey
from evaudit.bundles.problems import Problems
from evaudit.bundles.unlocated import Unlocated
from evaudit.errors import UsageError
from evaudit.findings import Finding, Where
from evaudit.formats.documents import read_documents
from evaudit.formats.foreign import ForeignNeed, Passage, Request
from evaudit.formats.offsets import read_offsets
from evaudit.results import InputFile, Result
from evaudit.sources.anchor import Located, anchor_finding
from evaudit.sources.document import Inventory
from evaudit.sources.text_match import TextMatch

if TYPE_CHECKING:
    from evaudit.bundles.need_rows import NeedRows

REPEATED = "an accepted bundle names a piece of evidence more than once; it is required once"

MIXED = OppositePolarity(id="mixed-labels", kind="opposite-polarity")
"""The rule under which a format's own labels can oppose each other."""


def audit_foreign(
    name: str,
    request: Request,
    *,
    documents: str | None = None,
    text_match: TextMatch = "exact",
    offsets: Sequence[str] = (),
    budget: Allowance | None = None,
    compat: bool = False,
    wanted: Wanted | None = None,
    root: Path | None = None,
    rows: Callable[[NeedRows], None] | None = None,
) -> Result:
    """Audit the files of a foreign format, with its own tool's figures beside ours where ``compat`` asks for them.

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a file is refused, with every bad line.
        UsageError: the format has no scorer here, or needs a choice that was not made.
    """
    wanted = wanted or Wanted()
    found = unless_swapped(name, request, reader(name).read)
    if compat and found.compat is None:
        why = "its tool's figures are not computed here" if found.answered else "it needs --predicted FILE"
        raise UsageError(f"--compat {name}: {why}")
    inventory, more, inputs = Inventory(found.documents), list[Finding](), list[InputFile]()
    if documents:
        inventory, more, read = read_documents(documents, root)
        inputs.extend(read)
    inventory.text_match = text_match
    tables, of_offsets = read_offsets(offsets, inventory)
    inputs.extend(of_offsets)
    gathering = _Gathering(Places(inventory, None, tables), str(request.gold), str(request.predicted or request.gold))
    for need in found.needs:
        gathering.add(need)
    problems = Problems(gathering.builder.needs)
    gathering.tell(problems)
    for cause, places in found.withheld.items():
        problems.withhold(places, cause)
    used = budget or found.budget
    rules: Sequence[ConflictRule] = (MIXED,) if gathering.builder.claims else ()
    unlocated = Unlocated("selected")
    selected = gathering.units(problems, unlocated)
    needs, named, refs = gathering.builder.table(), gathering.builder.named, gathering.places.refs
    path = str(request.predicted or request.gold)
    whole = OneList(needs, named, gathering.referring(selected), refs, path, inventory)
    near_needs, stored = gathering.builder.near(lambda ref: ref in whole.named)
    possible, unjoined = whole.judged(stored)
    possible += [unlocated.possible(selected.row)] if unlocated.spots else []
    evidence = Evidence(
        needs, selected, documents_given=gathering.places.documents_given, budget=used,
        claims=gathering.builder.claims, rules=rules, withheld=problems.withheld, possible=possible,
        offsets=gathering.places.offsets, near_needs=near_needs,
    )  # fmt: skip
    given = Given(
        evidence, problems, [*more, *found.findings, *gathering.builder.findings],
        document_names(gathering.places), [UnitList("selected", selected, gathering.where, once="list it once")],
        [*found.inputs, *inputs], convention_of_evidence(evidence, None, text_match) | {"format": name},
        list(found.notes), columns=gathering.columns(wanted.by), unjoined=unjoined,
        unlocated={"selected": unlocated.counted(selected.need)} if unlocated.spots else {},
    )  # fmt: skip
    result = assemble(given, wanted, rows=rows if found.answered or rows is None else rows_of_gold(rows))
    if unused := unused_offsets(tables, evidence.offsets.used() if evidence.offsets is not None else ()):
        result = replace(result, findings=[*result.findings, *unused])
    if documents:
        options = options_of(documents, None, name, str(request.gold))
        steps = look_closer(result.findings, options, can_move=name == "chunking")
        result = replace(result, notes=[*result.notes, *steps])
    if not found.answered:
        return of_gold_alone(result, evidence.needs, wanted)
    return with_tool(result, name, found.compat()) if compat and found.compat is not None else result


@dataclass
class _Gathering:
    """Foreign needs on their way into columns."""

    places: Places
    gold: str
    answers: str
    builder: NeedBuilder = field(init=False)
    _needs: list[ForeignNeed] = field(default_factory=list)
    _problems: list[tuple[str, int, str, Where]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.builder = NeedBuilder(self.places)

    def add(self, need: ForeignNeed) -> None:
        """Add a need with its bundles and, where its labels oppose each other, their claims."""
        place = self.builder.start(need.need)
        self._needs.append(need)
        where = Where(self.gold, need.line)
        rows: dict[Passage, int] = {}
        first: list[int] = []
        for number, bundle in enumerate(need.bundles, 1):
            for passage in bundle:
                if passage not in rows:
                    rows[passage] = self._component(passage, where, len(rows), rows)
            members = [rows[passage] for passage in bundle]
            if self.builder.bundle(str(number), members):
                self._problems.append(("bundle-component-repeated", place, REPEATED, where))
            first.append(members[0])
        if need.empty:
            message = "expected a passage in every accepted bundle, found an empty one, which would be true of nothing"
            self._problems.append(("bundle-empty", place, message, where))
        if len(set(need.labels)) > 1:
            self._claims(place, need, first, where)

    def _component(self, passage: Passage, where: Where, count: int, rows: dict[Passage, int]) -> int:
        name = passage.name
        if any(known.name == name for known in rows):
            name = f"{name} #{count + 1}"
        if passage.nowhere is not None:
            located = Located.without_place("out-of-range", passage.nowhere)
            placed = Placed(NOWHERE, SPACE_CODE[passage.space], 0, 0, located, self._key(passage))
            self._tell_nowhere(passage, where)
        else:
            placed = self._place(passage)
            found = anchor_finding(passage.anchor(), placed.located, where=where, need=self.builder.needs[-1])
            if found is not None:
                self.builder.findings.append(found)
        return self.builder.component(name, [placed])

    def _tell_nowhere(self, passage: Passage, where: Where) -> None:
        message = f"expected {passage.name} of {passage.source}, but {passage.nowhere}; the component cannot be covered"
        self._problems.append(("anchor-unresolved", len(self.builder.needs) - 1, message, where))

    def _place(self, passage: Passage) -> Placed:
        ref = (passage.source, passage.doc, passage.version)
        if (
            passage.start is not None
            and passage.end is not None
            and passage.exact is None
            and passage.offsets == "codepoint"
            and passage.within is None
        ):
            quick = self.places.quick(ref, passage.space, passage.start, passage.end)
            if quick is not None:
                return quick
        return self.places.locate(passage.anchor(), passage.outer())

    def _claims(self, place: int, need: ForeignNeed, first: Sequence[int], where: Where) -> None:
        """The labels of a need as claims: the one denies what the other says."""
        rows = {f"bundle {number}": row for number, row in enumerate(first, 1)}
        positive = need.labels[0]
        declared = [
            ClaimDeclaration.model_validate(
                {
                    "id": f"{label} of bundle {number}", "component": f"bundle {number}",
                    "says": [f"claim {need.need}", "is", positive],
                    "polarity": "positive" if label == positive else "negative",
                }
            )
            for number, label in enumerate(need.labels, 1)
        ]  # fmt: skip
        self.builder.add_claims(place, [StatedClaim(claim, where=where) for claim in declared], rows, None)

    def tell(self, problems: Problems) -> None:
        """Hand over what was wrong with the needs."""
        for rule, place, message, where in self._problems:
            problems.add(rule, place, message, where, withhold=rule == "bundle-empty")

    def columns(self, by: str | None) -> dict[str, list[str]]:
        """The column that groups the means.

        Raises:
            UsageError: no need has it.
        """
        if by is None:
            return {}
        known = dict.fromkeys(name for need in self._needs for name in need.columns)
        if by not in known:
            raise UsageError(f"--by {by}: this format has no such column; it has {', '.join(known) or 'none'}")
        return {by: [need.columns.get(by, "") for need in self._needs]}

    def units(self, problems: Problems, unlocated: Unlocated) -> UnitTable:
        """What came back, as columns; what has no known place is noted in ``unlocated``."""
        rows = [(n, passage) for n, need in enumerate(self._needs) for passage in need.selected or ()]
        placed = []
        ids: dict[str, int] = {}
        for row, (n, passage) in enumerate(rows):
            ref = (passage.source, passage.doc, passage.version)
            if passage.nowhere is not None:
                place = None
                if passage.space in ("char", "document"):  # an item that does not exist is nowhere, a text is somewhere
                    problems.add("unit-unlocated", n, f"a returned text has no place: {passage.nowhere}")
                    unlocated.note_somewhere(row, self.places.key(ref), "not-found")
            else:
                place = self._place(passage)
                found = unit_finding(place, f"selected {passage.name}", f"{passage.source}/{passage.doc}", "")
                if found is not None:
                    problems.add(found.rule, n, found.message)
                    unlocated.note(row, self.places, ref, place, passage.exact)
            placed.append(place)
        good = [
            p if p is not None and p.document >= 0 else Placed(NOWHERE, CHAR, 0, 0, Located("not-found"))
            for p in placed
        ]
        start, end = integers([p.start for p in good]), integers([p.end for p in good])
        space = integers([p.space for p in good])
        codes = [ids.setdefault(p.unit, len(ids)) if p.unit is not None else UNKNOWN for _, p in rows]
        return UnitTable(
            integers([n for n, _ in rows]), integers([p.document for p in good]), space, start, end,
            np.where((space == CHAR) & (end > start), end - start, UNKNOWN), np.full(len(rows), UNKNOWN),
            integers(codes), integers(np.arange(len(rows))), lambda row: rows[row][1].name,
        )  # fmt: skip

    def referring(self, units: UnitTable) -> Referring:
        """The document that each unit names, and where it would stand in another one."""
        passages = [passage for need in self._needs for passage in need.selected or ()]

        def place(unit: int, ref: RefKey) -> Placed | None:
            passage = passages[unit]
            if passage.nowhere is not None:
                return None
            source, doc, version = ref
            placed = self._place(replace(passage, source=source, doc=doc, version=version))
            return placed if placed.document >= 0 else None

        return Referring("selected", units, integers([self._key(p) for p in passages]), place=place)

    def _key(self, passage: Passage) -> int:
        return self.places.key((passage.source, passage.doc, passage.version))

    def where(self, row: int) -> Where:
        """The file that a unit came back in; no format keeps its line."""
        return Where(self.answers)
