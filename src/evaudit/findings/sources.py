"""What can be wrong: sources."""

from evaudit.findings.finding import Rule, rule


@rule(
    "document-repeated", "error",
    "The same source, document and version is listed twice.",
    "Keep one of the two, or give each its own version.",
)  # fmt: skip
def document_repeated(message: str) -> str:
    return message


@rule(
    "document-hash-mismatch", "error",
    "The stored text of a document does not have the hash that is stated for it.",
    "Restore the text, or state a new version with its own hash.",
)  # fmt: skip
def document_hash_mismatch(message: str) -> str:
    return message


@rule(
    "view-label-missing", "warning",
    "The view asks for a label that no document carries, so it allows none of them.",
    "Give a table of documents with the column that the message names; a folder of texts carries no labels.",
)  # fmt: skip
def view_label_missing(message: str) -> str:
    return message


@rule(
    "view-label-unknown", "error",
    "The view asks for a status, an access label or a version that no document has. It is a warning where documents have another one of those that the view asks for, and none differs in spelling only.",
    "Write the label as the documents write it; the message lists those found.",
    above=True,
)  # fmt: skip
def view_label_unknown(message: str) -> str:
    return message


RULES: tuple[Rule[...], ...] = (
    document_repeated, document_hash_mismatch, view_label_missing, view_label_unknown,
)  # fmt: skip
