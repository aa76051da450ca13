"""What can be wrong: decisions."""

from evaudit.findings.finding import Rule, rule


@rule(
    "cohort-missing-id", "error",
    "A row of a ledger names no candidate.",
    "Give every row the id of its candidate.",
)  # fmt: skip
def cohort_missing_id(message: str) -> str:
    return message


@rule(
    "cohort-unknown-state", "error",
    "A candidate is in a state that the cohort does not declare; it is not guessed.",
    "Correct the state, or declare it with `decided: yes` or `no`.",
)  # fmt: skip
def cohort_unknown_state(message: str) -> str:
    return message


@rule(
    "cohort-unknown-label", "error",
    "A label has no declared meaning; it is never coerced.",
    "Correct the label, or declare it positive, negative or unlabelled.",
)  # fmt: skip
def cohort_unknown_label(message: str) -> str:
    return message


@rule(
    "cohort-two-states", "error",
    "A candidate stands in more than one state.",
    "Keep the one row that holds.",
)  # fmt: skip
def cohort_two_states(message: str) -> str:
    return message


@rule(
    "cohort-conflicting-labels", "error",
    "Rows of one candidate carry different labels.",
    "Settle the label and keep one row.",
)  # fmt: skip
def cohort_conflicting_labels(message: str) -> str:
    return message


@rule(
    "cohort-repeated-row", "error",
    "A candidate has several rows with the same state and label.",
    "Keep one row a candidate.",
)  # fmt: skip
def cohort_repeated_row(message: str) -> str:
    return message


@rule(
    "cohort-lost-candidate", "error",
    "A candidate of the roster has no row, so it is in no state.",
    "Add its row, declare with `unlisted: STATE` the state of everybody without one, or correct the roster.",
)  # fmt: skip
def cohort_lost_candidate(message: str) -> str:
    return message


@rule(
    "cohort-stray-candidate", "error",
    "A candidate of the ledger is not on the roster.",
    "Remove its row, or correct the roster.",
)  # fmt: skip
def cohort_stray_candidate(message: str) -> str:
    return message


@rule(
    "cohort-roster-repeated", "error",
    "The roster lists a candidate more than once, or a blank id.",
    "List every candidate once.",
)  # fmt: skip
def cohort_roster_repeated(message: str) -> str:
    return message


@rule(
    "tar-action-invalid", "error",
    "The second column of a CLEF TAR run is neither an action in every line nor one stop marker a topic.",
    "Correct the named line; a run has `AF`, `NF` and `NS`, or 0 and one 1 in each topic.",
)  # fmt: skip
def tar_action_invalid(message: str) -> str:
    return message


@rule(
    "cohort-estimate-impossible", "warning",
    "An estimate by inclusion probabilities exceeds the candidates that can be positive.",
    "Check the probabilities, and say with `sampling.draws` how the draws depend on each other: then it has an interval.",
)  # fmt: skip
def cohort_estimate_impossible(message: str) -> str:
    return message


@rule(
    "cohort-near-equal-ids", "error",
    "Ids differ only in blanks, case or Unicode form, so one candidate may count twice.",
    "Give each candidate one spelling.",
)  # fmt: skip
def cohort_near_equal_ids(message: str) -> str:
    return message


@rule(
    "cohort-id-near-miss", "error",
    "Ids of two lists that join by id find no partner, and differ from an id of the other list in spelling only. It is a warning where no difference explains three of them or all ids of a list.",
    "Write the ids of both lists alike.",
    above=True,
)  # fmt: skip
def cohort_id_near_miss(message: str) -> str:
    return message


@rule(
    "cohort-ids-disjoint", "error",
    "Two lists that join by id have no id in common.",
    "Check that both are of the same cohort and spell its ids alike.",
    above=True,
)  # fmt: skip
def cohort_ids_disjoint(message: str) -> str:
    return message


@rule(
    "cohort-count-not-as-declared", "error",
    "The cohort has more or fewer candidates than it declares.",
    "Find the missing or surplus rows, or correct the declared count.",
)  # fmt: skip
def cohort_count_not_as_declared(message: str) -> str:
    return message


@rule(
    "cohort-margin-not-as-stated", "error",
    "The counts of a table of states do not add up to the row total that it states.",
    "Check the table against its source.",
)  # fmt: skip
def cohort_margin_not_as_stated(message: str) -> str:
    return message


@rule(
    "cohort-state-without-counts", "error",
    "A declared state has no row in the table of counts; what is left out is not zero.",
    "Write the row, with 0 where there is nobody, or remove the state.",
)  # fmt: skip
def cohort_state_without_counts(message: str) -> str:
    return message


@rule(
    "cohort-undeclared-endpoint-state", "error",
    "An endpoint names a state that the cohort does not declare.",
    "Correct the endpoint, or declare the state.",
)  # fmt: skip
def cohort_undeclared_endpoint_state(message: str) -> str:
    return message


@rule(
    "cohort-relabelled", "error",
    "A candidate carries different labels in two places: ledger, stage or label file.",
    "Settle the label, and keep it in one place.",
)  # fmt: skip
def cohort_relabelled(message: str) -> str:
    return message


@rule(
    "cohort-stray-label", "error",
    "A label file labels somebody whom the ledger lacks: a positive outside the ledger would vanish from recall.",
    "Add the candidate, or say with `unlisted: STATE` what became of everybody without a row; `others: ignore` leaves the labels of other cohorts out.",
)  # fmt: skip
def cohort_stray_label(message: str) -> str:
    return message


@rule(
    "cohort-unlisted-positive", "error",
    "A candidate that is labelled positive for this cohort has no row in the ledger, so recall would lose it.",
    "Say with `unlisted: STATE` what became of candidates without a row, or give a roster of everybody who belongs to the cohort.",
)  # fmt: skip
def cohort_unlisted_positive(message: str) -> str:
    return message


@rule(
    "cohort-unlisted-negative", "warning",
    "Candidates judged for this cohort, none of them positive, have no row in the ledger: figures whose denominator holds negatives are withheld.",
    "Say with `unlisted: STATE` what became of candidates without a row.",
)  # fmt: skip
def cohort_unlisted_negative(message: str) -> str:
    return message


@rule(
    "cohort-event-order", "error",
    "Events of one candidate have no order: a number is none, or stands twice.",
    "Number the events of each candidate with different whole numbers.",
)  # fmt: skip
def cohort_event_order(message: str) -> str:
    return message


@rule(
    "cohort-lost-between-stages", "error",
    "A candidate went onward from one stage and has no row in the next.",
    "Find its row, or correct the state of the earlier stage.",
)  # fmt: skip
def cohort_lost_between_stages(message: str) -> str:
    return message


@rule(
    "cohort-stray-at-stage", "error",
    "A candidate has a row in a stage that the stage before did not send onward.",
    "Correct one of the two rows.",
)  # fmt: skip
def cohort_stray_at_stage(message: str) -> str:
    return message


@rule(
    "cohort-order-invalid", "error",
    "A place in the order of screening is no whole number from 1, or two candidates share it.",
    "Number the candidates in the order in which they were screened; leave it empty for those not reached.",
)  # fmt: skip
def cohort_order_invalid(message: str) -> str:
    return message


@rule(
    "cohort-group-missing", "error",
    "A candidate has no value in the column that divides the cohort into groups.",
    "Name its group; a group of the nameless would hide it.",
)  # fmt: skip
def cohort_group_missing(message: str) -> str:
    return message


@rule(
    "figure-impossible", "error",
    "No count over the denominator rounds to the shown figure, by either rounding.",
    "Look for another denominator, or for a slip in the digits.",
)  # fmt: skip
def figure_impossible(message: str) -> str:
    return message


@rule(
    "cohort-circular-labels", "warning",
    "The labels repeat the decision of every labelled candidate: labels copied from decisions show nothing about them.",
    "Say in the provenance how the labels came about independently of the decision.",
)  # fmt: skip
def cohort_circular_labels(message: str) -> str:
    return message


RULES: tuple[Rule[...], ...] = (
    cohort_missing_id, cohort_unknown_state, cohort_unknown_label, cohort_two_states, cohort_conflicting_labels,
    cohort_repeated_row, cohort_lost_candidate, cohort_stray_candidate, cohort_roster_repeated, tar_action_invalid,
    cohort_estimate_impossible, cohort_near_equal_ids, cohort_id_near_miss, cohort_ids_disjoint,
    cohort_count_not_as_declared, cohort_margin_not_as_stated, cohort_state_without_counts,
    cohort_undeclared_endpoint_state, cohort_relabelled, cohort_stray_label, cohort_unlisted_positive,
    cohort_unlisted_negative, cohort_event_order, cohort_lost_between_stages, cohort_stray_at_stage,
    cohort_order_invalid, cohort_group_missing, figure_impossible, cohort_circular_labels,
)  # fmt: skip
