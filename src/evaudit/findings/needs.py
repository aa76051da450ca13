"""What can be wrong with needs and their accepted bundles."""

from evaudit.findings.finding import Rule, rule


@rule(
    "absent-component-with-evidence", "error",
    "A component is declared absent and carries a quote or a position: evidence for what is not there.",
    "Drop the quote, or declare an anchor instead of an absence.",
)  # fmt: skip
def absent_component_with_evidence(message: str) -> str:
    return message


@rule(
    "bundle-empty", "error",
    "An accepted bundle names no component; it would be true of nothing.",
    "Name the components that it requires, or remove it.",
)  # fmt: skip
def bundle_empty(message: str) -> str:
    return message


@rule(
    "bundle-unknown-component", "error",
    "An accepted bundle names a component that the need does not have.",
    "Use a name that stands under `components`.",
)  # fmt: skip
def bundle_unknown_component(message: str) -> str:
    return message


@rule(
    "bundle-repeated", "warning",
    "A need accepts the same bundle twice.",
    "Remove the repeated one; no figure counts it twice.",
)  # fmt: skip
def bundle_repeated(message: str) -> str:
    return message


@rule(
    "bundle-component-repeated", "note",
    "An accepted bundle names a piece of evidence more than once; it is required once.",
    "Remove the repeated name; no figure counts it twice.",
)  # fmt: skip
def bundle_component_repeated(message: str) -> str:
    return message


@rule(
    "bundle-superset", "warning",
    "An accepted bundle contains another one, so it asks for more than suffices.",
    "Remove the larger one, or correct it.",
)  # fmt: skip
def bundle_superset(message: str) -> str:
    return message


@rule(
    "bundle-over-budget", "warning",
    "An accepted bundle cannot fit the budget, whatever is selected.",
    "Raise the budget, or read the figures as what cannot be reached.",
)  # fmt: skip
def bundle_over_budget(message: str) -> str:
    return message


@rule(
    "bundle-names-absent", "note",
    "An accepted bundle names a component that is declared absent: legal, and never complete.",
    "Nothing; it states that the need cannot be met from this inventory.",
)  # fmt: skip
def bundle_names_absent(message: str) -> str:
    return message


@rule(
    "bundle-unresolved", "warning",
    "An accepted bundle names a component whose anchor does not resolve: it can never be complete.",
    "Correct the anchor; see the findings `anchor-unresolved`.",
)  # fmt: skip
def bundle_unresolved(message: str) -> str:
    return message


@rule(
    "bundle-anchors-overlap", "note",
    "Two components of an accepted bundle share text, so one passage is required twice.",
    "Merge the two if one passage is meant.",
)  # fmt: skip
def bundle_anchors_overlap(message: str) -> str:
    return message


@rule(
    "need-unknown", "error",
    "A row refers to a need that the table of needs does not have.",
    "Add the need, or remove the row; it is in no figure.",
)  # fmt: skip
def need_unknown(message: str) -> str:
    return message


@rule(
    "need-repeated", "error",
    "A need stands twice in the table of needs.",
    "Merge the two; ids of needs are unique.",
)  # fmt: skip
def need_repeated(message: str) -> str:
    return message


@rule(
    "need-invalid", "error",
    "The components or bundles of a need cannot be read as declared.",
    "Correct the named place; the figures of the need are withheld.",
)  # fmt: skip
def need_invalid(message: str) -> str:
    return message


@rule(
    "need-without-selection", "warning",
    "A need that requires something has no selected unit.",
    "It counts as 0; check that the table of selected units is complete.",
)  # fmt: skip
def need_without_selection(message: str) -> str:
    return message


@rule(
    "need-requires-nothing", "note",
    "A need does not say which bundles it accepts, so nothing is required and its figures are undefined.",
    "Name its components in a list under `accept`; write `accept: []` where nothing is required.",
)  # fmt: skip
def need_requires_nothing(message: str) -> str:
    return message


@rule(
    "ids-do-not-pair", "warning",
    "Ids of two files that are paired by position disagree, repeat or are missing. It is an error, and withholds the pair, where the format asks for the same ids.",
    "Bring both files into one order, or pair by id where the format can (`--pair id`).",
    above=True,
)  # fmt: skip
def ids_do_not_pair(message: str) -> str:
    return message


@rule(
    "need-ids-disjoint", "error",
    "Gold and predictions have no id in common, so every need is withheld.",
    "Check that both files are of the same questions and spell their ids alike.",
    above=True,
)  # fmt: skip
def need_ids_disjoint(message: str) -> str:
    return message


@rule(
    "need-id-near-miss", "error",
    "Predictions find no need, and their ids differ from the id of a need without a prediction in spelling only; these needs are withheld. It is a warning where no difference explains three of them or all ids of a file.",
    "Write the ids of both files alike.",
    above=True,
)  # fmt: skip
def need_id_near_miss(message: str) -> str:
    return message


@rule(
    "prediction-without-claim", "warning",
    "A prediction belongs to no record of the gold file.",
    "Check that the two files belong together; it is in no figure.",
)  # fmt: skip
def prediction_without_claim(message: str) -> str:
    return message


RULES: tuple[Rule[...], ...] = (
    absent_component_with_evidence, bundle_empty, bundle_unknown_component, bundle_repeated,
    bundle_component_repeated, bundle_superset, bundle_over_budget, bundle_names_absent, bundle_unresolved,
    bundle_anchors_overlap, need_unknown, need_repeated, need_invalid, need_without_selection, need_requires_nothing,
    ids_do_not_pair, need_ids_disjoint, need_id_near_miss, prediction_without_claim,
)  # fmt: skip
