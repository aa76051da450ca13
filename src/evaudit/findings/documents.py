"""What can be wrong: documents (strict YAML)."""

from evaudit.findings.finding import Rule, rule


@rule(
    "document-invalid", "error",
    "A document breaks the form of its kind.",
    "Correct the named place; `evaudit schema KIND` prints the form.",
)  # fmt: skip
def document_invalid(message: str) -> str:
    return message


@rule(
    "document-unreadable", "error",
    "A document is no UTF-8 text of bearable size and depth without control characters.",
    "Save it as UTF-8, and put long texts and tables in files of their own.",
)  # fmt: skip
def document_unreadable(message: str) -> str:
    return message


@rule(
    "yaml-syntax", "error",
    "A document is not YAML: the reader lost its structure at this place.",
    "Correct indentation, quotes and brackets at the named place.",
)  # fmt: skip
def yaml_syntax(message: str) -> str:
    return message


@rule(
    "yaml-feature-refused", "error",
    "A document uses an anchor, alias, merge key, tag, directive or a second document: it could say something else than a reader sees.",
    "Write each value out where it belongs, in one document.",
)  # fmt: skip
def yaml_feature_refused(message: str) -> str:
    return message


@rule(
    "duplicate-key", "error",
    "A mapping has the same key twice; another reader would silently drop one of the two.",
    "Keep one of the two named lines.",
)  # fmt: skip
def duplicate_key(message: str) -> str:
    return message


@rule(
    "unknown-field", "error",
    "A field has a name that its kind does not know; it would have no effect.",
    "Correct the name or remove the field; `evaudit schema KIND` lists the fields.",
)  # fmt: skip
def unknown_field(message: str) -> str:
    return message


@rule(
    "path-refused", "error",
    "A path in a document is absolute, not POSIX, or leaves the root of the project.",
    "Write the path relative to the document, with /, inside the root.",
)  # fmt: skip
def path_refused(message: str) -> str:
    return message


@rule(
    "path-two-forms", "error",
    "Two names in one folder are equal but for their Unicode form, so nobody knows which one is meant.",
    "Delete or rename one of the two.",
)  # fmt: skip
def path_two_forms(message: str) -> str:
    return message


@rule(
    "path-other-form", "note",
    "A file is stored under another Unicode form of the name that is written (NFC, NFD).",
    "Nothing; rename the file if other programs do not find it.",
)  # fmt: skip
def path_other_form(message: str) -> str:
    return message


@rule(
    "path-link", "note",
    "A file that was read is a link to another one inside the root.",
    "Nothing; what the link leads to was read and hashed.",
)  # fmt: skip
def path_link(message: str) -> str:
    return message


RULES: tuple[Rule[...], ...] = (
    document_invalid, document_unreadable, yaml_syntax, yaml_feature_refused, duplicate_key, unknown_field,
    path_refused, path_two_forms, path_other_form, path_link,
)  # fmt: skip
