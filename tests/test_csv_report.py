"""The CSV of a result: every fact of a figure in a column, and no text that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pyarrow as pa
import pytest

from evaudit.figures import Bound, Figure, Interval, Mean
from evaudit.formats.need_table_output import NeedTableOutput
from evaudit.reports.csv import COLUMNS, render
from evaudit.results import Result
from evaudit.visible import spreadsheet_cell


def rows(*figures: Figure, means: tuple[Mean, ...] = ()) -> list[dict[str, str]]:
    text = render(Result("decisions", {}, figures=list(figures), means=list(means)), 0)
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_an_interval_has_its_columns() -> None:
    figure = replace(Figure.ratio("recall", {"endpoint": "E"}, 21, 43), interval=Interval("wilson", 0.95, 0.25, 0.5))
    [row] = rows(figure)
    assert [row[f"interval_{c}"] for c in ("method", "level", "low", "high")] == ["wilson", "0.95", "0.25", "0.5"]
    [row] = rows(Figure.ratio("recall", {"endpoint": "E"}, 21, 43))
    assert [row[f"interval_{c}"] for c in ("method", "level", "low", "high")] == [""] * 4


def test_ranges_of_figures_and_means_stand_in_the_bounds() -> None:
    bounds = {"unresolved": Bound((21, 43), (27, 43), "exact"), "unlabelled": Bound(None, 0.5, "exact")}
    figure, mean = rows(
        Figure.ratio("recall", {}, 21, 43, bounds=bounds), means=(Mean("AP", {}, 0.5, 2, {}, bounds=bounds),)
    )
    said = "unresolved 21/43 .4884 to 27/43 .6279, exact; unlabelled undefined to .5000, exact"
    assert figure["bounds"] == mean["bounds"] == said


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\n", "＝", "＋", "－", "＠"])
def test_no_text_cell_begins_as_a_formula(start: str) -> None:
    text = f"{start}cmd()"
    figure = replace(
        Figure.none(text, {}, text, need=text, bounds={text: Bound((0, 1), (1, 1), "exact")}),
        expected=text,
        interval=Interval(text, 0.95, 0.1, 0.2),
    )
    mean = Mean(text, {}, None, 0, {text: 1}, undefined=text, bounds={text: Bound((0, 1), (1, 1), "exact")})
    for row in rows(figure, means=(mean,)):
        found = [cell for cell in row.values() if text in cell]
        assert len(found) >= 4
        assert {cell[:2] for cell in found} == {f"'{start}"}


def test_a_carriage_return_ends_no_row() -> None:
    [row] = rows(Figure.none("recall", {}, "nothing-labelled", need="\r=cmd()"))
    assert row["need"] == "\\x0d=cmd()"


def test_a_negative_number_stays_a_number() -> None:
    [row] = rows(Figure.ratio("WSS", {"k": 95}, -5, 100))
    assert (row["num"], row["value"]) == ("-5", "-0.05")


def test_every_row_has_every_column() -> None:
    text = render(Result("x", {}, figures=[Figure.ratio("recall", {}, 1, 2)], means=[Mean("AP", {}, 0.5, 1, {})]), 0)
    assert {len(row) for row in csv.reader(io.StringIO(text))} == {len(COLUMNS)}


@pytest.mark.parametrize("text", ["=cmd()", "＝cmd()", "a\rb", "\x1b[2J", "a\u202eb"])
def test_the_rows_of_needs_are_as_safe_as_the_report(text: str) -> None:
    for form in ("csv", "jsonl"):
        stream = io.BytesIO()
        NeedTableOutput(stream, form).write(pa.table({"need": [text]}))
        written = stream.getvalue().decode()
        assert not [c for c in written if c != "\n" and not c.isprintable()]
        if form == "jsonl":
            assert json.loads(written) == {"need": text}
        else:
            assert written == f"need\n{spreadsheet_cell(text)}\n" and written.count("\n") == 2
            assert not written.splitlines()[1].startswith(("=", "＝"))
