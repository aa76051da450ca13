"""What can be wrong with anchors, units and the documents that they name."""

from evaudit.findings.finding import Rule, rule


@rule(
    "anchor-unresolved", "warning",
    "A required anchor does not resolve in the documents given; its component stays required and counts as uncovered.",
    "Correct the quote, position or version; `evaudit anchors check` says what would fit.",
)  # fmt: skip
def anchor_unresolved(message: str, diagnosis: str | None = None) -> str:
    return message


@rule(
    "anchor-space-not-comparable", "error",
    "An anchor and a unit of the same document stand in different spaces, so nobody can say whether one holds the other.",
    "Give both in the same space, or an offset table with `--offsets`; the figures of the need are withheld.",
)  # fmt: skip
def anchor_space_not_comparable(message: str) -> str:
    return message


@rule(
    "offsets-invalid", "error",
    "An offset table repeats a piece, goes back in the text, or reaches outside its document.",
    "Correct the named line; the pieces of one space of a document are numbered in the order of its text.",
)  # fmt: skip
def offsets_invalid(message: str) -> str:
    return message


@rule(
    "reference-fabricated", "error",
    "A unit refers to a document or version that is not in the inventory.",
    "Find where the reference comes from; it covers nothing, whatever its score.",
)  # fmt: skip
def reference_fabricated(message: str) -> str:
    return message


@rule(
    "reference-out-of-range", "error",
    "A unit reaches outside its document, or is empty or negative.",
    "Correct the interval; until then it is not known where the unit stands.",
)  # fmt: skip
def reference_out_of_range(message: str) -> str:
    return message


@rule(
    "reference-text-mismatch", "error",
    "The text or digest that a unit claims is not the stored one.",
    "Restore the text, or locate the unit anew; `--text-match whitespace` takes every run of white space as one.",
)  # fmt: skip
def reference_text_mismatch(message: str) -> str:
    return message


@rule(
    "unit-document-near-miss", "error",
    "Units name a document in another spelling than their need, so they cover nothing there; a need is withheld where taking the two as one would change its answer. It is a warning where no difference explains three documents or every document of a table: two titles may differ in case only.",
    "Write both alike, or give an inventory (`--documents`) that holds both spellings if they are two documents.",
    above=True,
)  # fmt: skip
def unit_document_near_miss(message: str) -> str:
    return message


@rule(
    "stored-document-near-miss", "error",
    "A document that a need names is not stored, but one in another spelling is; the need is withheld where taking the two as one would change its answer. It is a warning where no difference explains three documents or all that the needs name.",
    "Write both alike.",
    above=True,
)  # fmt: skip
def stored_document_near_miss(message: str) -> str:
    return message


@rule(
    "no-document-in-common", "error",
    "No unit of a list is in any document that the needs name, so nothing can be covered.",
    "Check that both tables are of one collection, and name source, document and version alike.",
    above=True,
)  # fmt: skip
def no_document_in_common(message: str) -> str:
    return message


@rule(
    "unit-invalid", "error",
    "A row of a list of units cannot be read as declared.",
    "Correct the named line; the figures of the need are withheld.",
)  # fmt: skip
def unit_invalid(message: str) -> str:
    return message


@rule(
    "unit-unlocated", "warning",
    "A unit has no position, and none can be found for it; it is counted, and withholds its need where a place that it could have would change the answer.",
    "Give start and end, or text that occurs exactly once.",
)  # fmt: skip
def unit_unlocated(message: str) -> str:
    return message


@rule(
    "unit-id-repeated", "error",
    "The same unit id stands twice in one list of one need.",
    "Make ids unique within a list; the figures of the need are withheld.",
)  # fmt: skip
def unit_id_repeated(message: str) -> str:
    return message


@rule(
    "unit-rank-repeated", "error",
    "Two units of one list of one need have the same rank, so their order is not known.",
    "Make ranks unique within a list; the figures of the need are withheld.",
)  # fmt: skip
def unit_rank_repeated(message: str) -> str:
    return message


@rule(
    "unit-unknown", "error",
    "A selected unit gives an id without a position, and no candidate or unit of that id is known.",
    "Correct the id, or give the position.",
)  # fmt: skip
def unit_unknown(message: str) -> str:
    return message


@rule(
    "unit-not-a-candidate", "warning",
    "A selected unit was no candidate of its need.",
    "Give the candidates that it was selected from; until then the ledger loses its components at `candidate`.",
)  # fmt: skip
def unit_not_a_candidate(message: str) -> str:
    return message


@rule(
    "unit-moved", "error",
    "A selected unit stands elsewhere than the candidate of the same id, or one of the two elsewhere than the unit of that id in the corpus.",
    "Find out which list is wrong; the figures use the place that each list gives.",
)  # fmt: skip
def unit_moved(message: str) -> str:
    return message


@rule(
    "unit-length-unknown", "error",
    "A budget in characters or tokens needs the length of a unit that nobody gave.",
    "Give `tokens`, positions in characters, or the text; the figures of the need are withheld.",
)  # fmt: skip
def unit_length_unknown(message: str) -> str:
    return message


@rule(
    "first-unit-over-budget", "warning",
    "The first selected unit of a need is larger than the whole budget, so the budget admits nothing.",
    "Raise the budget, or say with `--budget-rule skip` that units which do not fit are passed over.",
)  # fmt: skip
def first_unit_over_budget(message: str) -> str:
    return message


@rule(
    "repeated-unit", "note",
    "A unit stands twice in one list of one need, and `--duplicates first` counts it once, at its earliest rank.",
    "Remove the repetition where the list is made if it is not meant.",
)  # fmt: skip
def repeated_unit(message: str) -> str:
    return message


@rule(
    "repeated-span", "note",
    "The same span was selected under two ids; it is counted and never credited twice.",
    "Remove the repeated unit if it is not meant.",
)  # fmt: skip
def repeated_span(message: str) -> str:
    return message


@rule(
    "offsets-unused", "note",
    "An offset table has no effect: no anchor and no unit has a position in its space in a document of the table.",
    "Check that the table names source, document and version as the needs do, or leave it out.",
)  # fmt: skip
def offsets_unused(space: str) -> str:
    return f"the offset table of the space {space} has no effect: no anchor and no unit has a position in it"


RULES: tuple[Rule[...], ...] = (
    anchor_unresolved, anchor_space_not_comparable, offsets_invalid, reference_fabricated, reference_out_of_range,
    reference_text_mismatch, unit_document_near_miss, stored_document_near_miss, no_document_in_common, unit_invalid,
    unit_unlocated, unit_id_repeated, unit_rank_repeated, unit_unknown, unit_not_a_candidate, unit_moved,
    unit_length_unknown, first_unit_over_budget, repeated_unit, repeated_span, offsets_unused,
)  # fmt: skip
