"""What can be wrong with calculations, their locks and the history."""

from evaudit.findings.finding import Rule, rule


@rule(
    "input-missing", "error",
    "A file that is named by a document is missing or cannot be read.",
    "Restore the file, or correct its path.",
)  # fmt: skip
def input_missing(message: str, file: str | None = None) -> str:
    return message


@rule(
    "calculation-drift", "error",
    "A calculation gives another output now than its lock holds.",
    "Look at the change with `evaudit calc diff`; if it is meant, `evaudit calc accept` it and edit the text.",
)  # fmt: skip
def calculation_drift(message: str) -> str:
    return message


@rule(
    "calculation-output-mismatch", "error",
    "A calculation gives another output than calculation.yaml expects.",
    "Correct the input or the expectation.",
)  # fmt: skip
def calculation_output_mismatch(message: str) -> str:
    return message


@rule(
    "calculation-shown-mismatch", "error",
    "A shown figure is not what the output rounds to.",
    "Write the shown figure that the message gives.",
)  # fmt: skip
def calculation_shown_mismatch(message: str) -> str:
    return message


@rule(
    "calculation-rows", "error",
    "An input holds another number of rows than is declared.",
    "Restore the rows, or correct `rows:`.",
)  # fmt: skip
def calculation_rows(message: str) -> str:
    return message


@rule(
    "calculation-undeclared-input", "error",
    "A calculation reads a file that is not among its inputs, so no digest guards it.",
    "Add the file to `inputs:`, then `evaudit calc accept` the change.",
)  # fmt: skip
def calculation_undeclared_input(message: str) -> str:
    return message


@rule(
    "calculation-unread-input", "warning",
    "An input is declared that the calculation never reads.",
    "Drop it from `inputs:`, or name it in the spec.",
)  # fmt: skip
def calculation_unread_input(message: str) -> str:
    return message


@rule(
    "calculation-formula", "error",
    "A formula cannot be computed from the outputs that it uses.",
    "Use num and den of ratios of counts only, and no answers.",
)  # fmt: skip
def calculation_formula(message: str) -> str:
    return message


@rule(
    "calculation-cycle", "error",
    "A calculation uses itself, through others or directly.",
    "Take one of the uses out of the circle.",
)  # fmt: skip
def calculation_cycle(message: str) -> str:
    return message


@rule(
    "calculation-upstream", "error",
    "A calculation uses another one that does not hold, or that has no such output.",
    "Mend the other calculation first.",
)  # fmt: skip
def calculation_upstream(message: str) -> str:
    return message


@rule(
    "command-not-allowed", "error",
    "A calculation runs a command, and commands are not allowed in this run: nothing was checked.",
    "Read the command; then run with `--allow-commands`.",
)  # fmt: skip
def command_not_allowed(message: str) -> str:
    return message


@rule(
    "command-failed", "error",
    "The command of a calculation fails, exceeds its time limit, or writes no usable outputs.",
    "Run the command by hand on the declared inputs.",
)  # fmt: skip
def command_failed(message: str) -> str:
    return message


@rule(
    "lock-missing", "error",
    "A calculation has no lock: nothing guards its inputs and outputs.",
    "Run `evaudit calc freeze`.",
)  # fmt: skip
def lock_missing(message: str) -> str:
    return message


@rule(
    "lock-stale", "error",
    "calculation.yaml, its spec, or an output that it uses changed after the lock was made.",
    "Look at the change with `evaudit calc diff`; if it is meant, `evaudit calc accept` it.",
)  # fmt: skip
def lock_stale(message: str) -> str:
    return message


@rule(
    "lock-edited", "error",
    "A lock is not what `calc freeze` writes: it was edited or damaged.",
    "Restore it from version control.",
)  # fmt: skip
def lock_edited(message: str) -> str:
    return message


@rule(
    "lock-orphan", "error",
    "A lock has no calculation file beside it.",
    "Restore the calculation, or delete the lock.",
)  # fmt: skip
def lock_orphan(message: str) -> str:
    return message


@rule(
    "input-changed", "error",
    "The content of a frozen input changed.",
    "Restore it, or look at the change with `evaudit calc diff` and `evaudit calc accept` it.",
)  # fmt: skip
def input_changed(message: str) -> str:
    return message


@rule(
    "input-line-ends", "error",
    "A frozen input holds the same text with other line ends or another byte order mark.",
    "Restore the line ends, or declare the input `as: text`.",
)  # fmt: skip
def input_line_ends(message: str) -> str:
    return message


@rule(
    "history-broken", "error",
    "The chain of the history is broken: a record was edited, removed, added, moved or written in part.",
    "Restore the history from version control.",
)  # fmt: skip
def history_broken(message: str) -> str:
    return message


@rule(
    "history-head", "error",
    "The last record of the history is not the one that was expected.",
    "Compare the history with the copy from which the head was taken.",
)  # fmt: skip
def history_head(message: str) -> str:
    return message


@rule(
    "history-lock", "error",
    "A lock is not the one that the history accepted last.",
    "Restore the lock, or accept what it should hold with `calc accept`.",
)  # fmt: skip
def history_lock(message: str) -> str:
    return message


@rule(
    "accept-interrupted", "error",
    "An accept was interrupted, so the files on disk may be half of a change.",
    "Run `evaudit calc accept` again; it first restores the files.",
)  # fmt: skip
def accept_interrupted(message: str) -> str:
    return message


@rule(
    "accept-note-invalid", "error",
    "The note of an interrupted accept names other files than one calculation, its lock and the history, or cannot be read.",
    "Remove the note, and compare the calculation, its lock and the history with your version control.",
)  # fmt: skip
def accept_note_invalid(message: str) -> str:
    return message


RULES: tuple[Rule[...], ...] = (
    input_missing, calculation_drift, calculation_output_mismatch, calculation_shown_mismatch, calculation_rows,
    calculation_undeclared_input, calculation_unread_input, calculation_formula, calculation_cycle,
    calculation_upstream, command_not_allowed, command_failed, lock_missing, lock_stale, lock_edited, lock_orphan,
    input_changed, input_line_ends, history_broken, history_head, history_lock, accept_interrupted,
    accept_note_invalid,
)  # fmt: skip
