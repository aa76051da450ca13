"""What can be wrong with controls and with a project as a whole."""

from evaudit.findings.finding import Rule, rule


@rule(
    "control-mismatch", "error",
    "A control does not reproduce: the audit gives another value than the control expects.",
    "Find out which of the two is wrong; never edit the expectation only to make it pass.",
)  # fmt: skip
def control_mismatch(message: str) -> str:
    return message


@rule(
    "control-unknown-figure", "error",
    "A control or calculation names a figure or answer that the audit does not give.",
    "Use a name that the message lists.",
)  # fmt: skip
def control_unknown_figure(message: str, figure: str | None = None) -> str:
    return message


@rule(
    "control-not-counts", "error",
    "A ratio of counts is expected as a decimal, which counts cannot be compared with exactly.",
    "Write the expectation as numerator/denominator.",
)  # fmt: skip
def control_not_counts(message: str) -> str:
    return message


@rule(
    "rounding-tie", "note",
    "A shown figure lies exactly between two roundings: half-even and half-up differ.",
    "State `rounding:` in the register entry.",
)  # fmt: skip
def rounding_tie(message: str) -> str:
    return message


@rule(
    "control-wrong-value-passed", "error",
    "A value that a negative control declares wrong is what the audit gives.",
    "Correct the `wrong` value, or the measure that lets it pass.",
)  # fmt: skip
def control_wrong_value_passed(message: str) -> str:
    return message


@rule(
    "control-not-refused", "error",
    "An input that must be refused is accepted, or refused for another reason.",
    "Correct the refusal control, or the check that should refuse.",
)  # fmt: skip
def control_not_refused(message: str) -> str:
    return message


@rule(
    "control-duplicate-id", "error",
    "Two controls, calculations or register entries of a project carry one id.",
    "Rename one; ids are permanent, so rename the newer.",
)  # fmt: skip
def control_duplicate_id(message: str) -> str:
    return message


@rule(
    "control-crashed", "error",
    "The audit of a control or calculation crashed: nothing could be checked.",
    "Report it with the file; this is a defect of the program.",
)  # fmt: skip
def control_crashed(message: str) -> str:
    return message


@rule(
    "document-unknown-kind", "error",
    "A YAML file under `controls/` or `registers/` has no schema that is known.",
    "Correct the `schema:` line, or move the file out of the folder.",
)  # fmt: skip
def document_unknown_kind(message: str) -> str:
    return message


@rule(
    "count-not-as-expected", "error",
    "A project holds another number of register entries or controls than `--expect-entries` or `--expect-controls` says.",
    "Restore what was deleted; where the change is meant, change the number that is kept elsewhere.",
)  # fmt: skip
def count_not_as_expected(message: str) -> str:
    return message


RULES: tuple[Rule[...], ...] = (
    control_mismatch, control_unknown_figure, control_not_counts, rounding_tie, control_wrong_value_passed,
    control_not_refused, control_duplicate_id, control_crashed, document_unknown_kind, count_not_as_expected,
)  # fmt: skip
