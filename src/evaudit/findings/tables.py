"""What can be wrong: data tables and files."""

from evaudit.findings.finding import Rule, rule


@rule(
    "table-row-unreadable", "error",
    "A row of a table cannot be read as declared: the number of cells, an open quote, or JSON that is none.",
    "Correct the named line.",
)  # fmt: skip
def table_row_unreadable(message: str) -> str:
    return message


@rule(
    "table-text-invalid", "error",
    "A text table holds bytes that are no UTF-8, or a NUL character.",
    "Save the file as UTF-8 text.",
)  # fmt: skip
def table_text_invalid(message: str) -> str:
    return message


@rule(
    "table-column-missing", "error",
    "A table lacks a column that the command needs.",
    "Rename or add the column; the message names the columns found.",
)  # fmt: skip
def table_column_missing(message: str) -> str:
    return message


@rule(
    "table-column-repeated", "error",
    "Two columns of a table, or two keys of a JSON row, carry one name.",
    "Rename or drop one of them.",
)  # fmt: skip
def table_column_repeated(message: str) -> str:
    return message


@rule(
    "table-form-unknown", "error",
    "The name of a file does not say how to read it.",
    "Use .csv, .tsv, .jsonl or .parquet; .gz and .zst may follow the text forms.",
)  # fmt: skip
def table_form_unknown(message: str) -> str:
    return message


@rule(
    "table-file-corrupt", "error",
    "A compressed or Parquet file cannot be opened, or a table has no header line.",
    "Write the file again from its source.",
)  # fmt: skip
def table_file_corrupt(message: str) -> str:
    return message


@rule(
    "table-empty", "warning",
    "A table that was given has no row: nothing was selected, listed, stored or claimed.",
    "Check that the right file was meant, and that it was written to its end.",
)  # fmt: skip
def table_empty(message: str) -> str:
    return message


RULES: tuple[Rule[...], ...] = (
    table_row_unreadable, table_text_invalid, table_column_missing, table_column_repeated, table_form_unknown,
    table_file_corrupt, table_empty,
)  # fmt: skip
