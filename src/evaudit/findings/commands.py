"""What can be wrong: what stops a command."""

from evaudit.findings.finding import Rule, rule


@rule(
    "usage-invalid", "error",
    "An option, id or name that was asked for does not exist, or does not fit the others.",
    "Correct the command; the message names what there is, and `--help` lists what the command takes.",
)  # fmt: skip
def usage_invalid(message: str) -> str:
    return message


@rule(
    "input-unreadable", "error",
    "A file that the command needs is missing, or cannot be read or written: nothing was checked.",
    "Correct the path that the message names, or restore the file.",
)  # fmt: skip
def input_unreadable(message: str) -> str:
    return message


@rule(
    "nothing-to-check", "error",
    "No control, calculation or entry is what was asked for; an empty selection never counts as success.",
    "Correct the path, the id or the text that was named.",
)  # fmt: skip
def nothing_to_check(message: str) -> str:
    return message


@rule(
    "program-failed", "error",
    "The program itself failed: nothing was checked.",
    "Report what stderr says; this is a defect of the program.",
)  # fmt: skip
def program_failed(message: str) -> str:
    return message


RULES: tuple[Rule[...], ...] = (
    usage_invalid, input_unreadable, nothing_to_check, program_failed,
)  # fmt: skip
