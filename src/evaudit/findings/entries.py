"""What can be wrong with the entries of a register and the texts that they quote."""

from evaudit.findings.finding import Rule, rule


@rule(
    "entry-drift", "error",
    "The calculation gives another figure now than the entry publishes.",
    "Look at the change; then edit the text and the entry.",
)  # fmt: skip
def entry_drift(message: str) -> str:
    return message


@rule(
    "entry-figure", "error",
    "The figure of an entry is no output of its calculation, or names another measure than the output it is bound to.",
    "Bind the entry to the output of the same measure.",
)  # fmt: skip
def entry_figure(message: str) -> str:
    return message


@rule(
    "entry-calculation", "error",
    "The calculation of an entry does not exist or cannot be read.",
    "Correct `calculation.ref`.",
)  # fmt: skip
def entry_calculation(message: str) -> str:
    return message


@rule(
    "entry-shown-mismatch", "error",
    "The shown figure of an entry is not what its exact figure rounds to.",
    "Write the shown figure that the message gives.",
)  # fmt: skip
def entry_shown_mismatch(message: str, value_right: bool = False) -> str:
    return f"value right, shown figure wrong: {message}" if value_right else message


@rule(
    "entry-claim-figure", "error",
    "A figure in the claim text follows neither from the exact nor from the shown figure of the entry, nor from an output that it names.",
    "Correct the claim, name the output that gives the figure under `also`, or list it under `not_figures` if it is no result.",
)  # fmt: skip
def entry_claim_figure(message: str) -> str:
    return message


@rule(
    "entry-claim-integer", "warning",
    "A whole number in the claim text follows from nothing that the entry names.",
    "Correct it, name the output that gives it under `also`, or list it under `not_figures` if it is no result.",
)  # fmt: skip
def entry_claim_integer(message: str) -> str:
    return message


@rule(
    "not-figure-gone", "warning",
    "Words under not_figures do not stand in the claim.",
    "Delete them, or write what stands there now.",
)  # fmt: skip
def not_figure_gone(message: str) -> str:
    return message


@rule(
    "figure-ambiguous", "warning",
    "A figure can be read in more than one way, or not at all, so that no entry binds it.",
    "Write it so that it is one thing, or declare under `numbers` how the texts write numbers.",
)  # fmt: skip
def figure_ambiguous(message: str) -> str:
    return message


@rule(
    "integer-unbound", "note",
    "A plain whole number stands in a text, and no entry of the register binds it.",
    "Bind it if it is a result; `--integers no` leaves whole numbers out.",
)  # fmt: skip
def integer_unbound(message: str) -> str:
    return message


@rule(
    "prose-unread", "warning",
    "A text holds a construct that cannot be read safely: what a reader sees there is not known.",
    "Look at the place; write it in another way if a figure depends on it.",
)  # fmt: skip
def prose_unread(message: str) -> str:
    return message


@rule(
    "entry-quote-figure", "error",
    "The quote of an entry does not contain its shown figure.",
    "Quote the passage with the figure in it.",
)  # fmt: skip
def entry_quote_figure(message: str) -> str:
    return message


@rule(
    "entry-quote", "error",
    "The quote of an entry does not stand in the text as often as declared.",
    "Correct the text, the quote or `occurs`.",
)  # fmt: skip
def entry_quote(message: str) -> str:
    return message


@rule(
    "entry-quote-stands", "error",
    "The quote of a superseded or withdrawn entry still stands in the text.",
    "Edit the text.",
)  # fmt: skip
def entry_quote_stands(message: str) -> str:
    return message


@rule(
    "no-claim-gone", "warning",
    "Words under no_claims stand no more in their text.",
    "Delete them, or quote what stands there now.",
)  # fmt: skip
def no_claim_gone(message: str) -> str:
    return message


@rule(
    "figure-unbound", "warning",
    "A figure stands in a text, and no entry of the register binds it.",
    "Bind it with `evaudit register add`, or quote it under no_claims if it is no result.",
)  # fmt: skip
def figure_unbound(message: str) -> str:
    return message


@rule(
    "quote-not-checked", "note",
    "The text that an entry quotes is not at hand.",
    "Give it with `--text FILE`.",
)  # fmt: skip
def quote_not_checked(message: str) -> str:
    return message


@rule(
    "text-idle", "warning",
    "A text that was given serves no entry: nothing was looked for in it.",
    "Say of which work it is, `--text WORK=FILE`, or leave it out.",
)  # fmt: skip
def text_idle(message: str) -> str:
    return message


@rule(
    "entry-input", "error",
    "An input of an entry differs from its digest, or is no input of its calculation.",
    "Correct the digest or the path.",
)  # fmt: skip
def entry_input(message: str, file: str | None = None, recipe: str | None = None, now: str | None = None) -> str:
    return f"{message}; now, in full: {now}" if now else message


@rule(
    "entry-input-unnamed", "warning",
    "An entry leaves out an input of its calculation.",
    "Add the input with its digest.",
)  # fmt: skip
def entry_input_unnamed(message: str) -> str:
    return message


@rule(
    "entry-labels", "error",
    "A label-based figure names no label provenance, or another than its cohort.",
    "Copy the provenance from the cohort.",
)  # fmt: skip
def entry_labels(message: str) -> str:
    return message


@rule(
    "entry-placeholder", "error",
    "A register holds a placeholder such as TODO.",
    "Write the text, or set the status to draft and leave the field out.",
)  # fmt: skip
def entry_placeholder(message: str) -> str:
    return message


@rule(
    "entry-superseded-by", "error",
    "An entry is superseded by an entry that does not exist, or by itself through others.",
    "Correct `superseded_by`.",
)  # fmt: skip
def entry_superseded_by(message: str) -> str:
    return message


RULES: tuple[Rule[...], ...] = (
    entry_drift, entry_figure, entry_calculation, entry_shown_mismatch, entry_claim_figure, entry_claim_integer,
    not_figure_gone, figure_ambiguous, integer_unbound, prose_unread, entry_quote_figure, entry_quote,
    entry_quote_stands, no_claim_gone, figure_unbound, quote_not_checked, text_idle, entry_input,
    entry_input_unnamed, entry_labels, entry_placeholder, entry_superseded_by,
)  # fmt: skip
