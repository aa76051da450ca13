"""From Python: files, Arrow tables, pandas frames and plain mappings give what the command gives."""

from __future__ import annotations

import datetime
import json
import re

import numpy
import pyarrow as pa
import pyarrow.json
import pytest
from test_blocks import generated, written

import evaudit
from evaudit.audits.bundles import audit_tables
from evaudit.errors import InvalidDocumentError, UsageError
from evaudit.reports.json import render


def comparable(text):
    record = json.loads(text)
    del record["inputs"], record["notes"]
    for finding in record["findings"]:
        finding["where"] = finding["message"] = None
    return record


def frames(rows):
    return {name: pa.Table.from_pylist(part) for name, part in rows.items()}


def test_frames_give_what_files_give(tmp_path):
    rows = generated(7)
    tables = written(tmp_path, rows)
    expected = comparable(render(audit_tables(tables), 0))
    from_files = evaudit.cover(tables.needs, tables.selected, tables.candidates)
    assert from_files.to_json() == render(audit_tables(tables), 0)
    assert comparable(evaudit.cover(**frames(rows)).to_json()) == expected
    columns = {name: {k: [row.get(k) for row in part] for k in part[0]} for name, part in rows.items()}
    assert comparable(evaudit.cover(**columns).to_json()) == expected
    assert comparable(evaudit.cover(**rows).to_json()) == expected


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames_of_other_libraries(library):
    module = pytest.importorskip(library)
    rows = generated(8)
    found = evaudit.cover(**{name: module.DataFrame(part) for name, part in rows.items()})
    assert comparable(found.to_json()) == comparable(evaudit.cover(**rows).to_json())


def test_the_answer_holds_figures_means_and_one_row_a_need():
    rows = generated(9)
    found = evaudit.cover(**rows, lint=True, by="hops")
    assert found["bundle-coverage[need=n000]"].den == 1
    assert found.means["bundle-coverage"].n == 60
    assert found.needs.num_rows == 60 and sum(found.verdicts.values()) == 60
    covered = found.needs.column("bundle_coverage").to_pylist()
    assert [found[f"bundle-coverage[need=n{n:03}]"].num for n in range(60)] == [int(c) for c in covered]
    assert "needs" in str(found) and found.details["by"]["column"] == "hops"
    assert any("given in memory" in note for note in found.notes) and not found.inputs


def test_a_name_that_none_has_is_answered_with_the_nearest():
    found = evaudit.cover(**generated(9))
    with pytest.raises(KeyError, match="there is no mean 'bundle_coverage'; did you mean 'bundle-coverage'"):
        found.means["bundle_coverage"]
    with pytest.raises(KeyError, match=r"that is a mean: \.means\['bundle-coverage'\]"):
        found["bundle-coverage"]
    assert list(found.means) == [mean.name for mean in found.result.means]


def test_nested_needs_documents_and_a_view_as_plain_values():
    needs = [{"need": "n", "components": {"a": {"anchor": {"ref": "wiki/d@1", "exact": "go"}}}, "accept": [["a"]]}]
    documents = [{"source": "wiki", "doc": "d", "version": "1", "status": "current", "text": "we go on"}]
    selected = [{"need": "n", "source": "wiki", "doc": "d", "version": "1", "start": 0, "end": 8}]
    view = {"name": "now", "statuses": ["current"]}
    assert evaudit.cover(needs, selected, documents=documents, view=view).verdicts["satisfied"] == 1
    documents[0]["status"] = "revoked"
    found = evaudit.cover(needs, selected, documents=documents, view=view)
    assert found.needs.column("reason").to_pylist() == ["ineligible"]


def test_what_is_no_frame_is_refused():
    with pytest.raises(UsageError, match="expected a frame"):
        evaudit.cover(3, 4)
    with pytest.raises(InvalidDocumentError, match="lacks the column"):
        evaudit.cover({"need": ["n"]}, {"need": ["n"]})
    with pytest.raises(UsageError, match="one of budget_units"):
        evaudit.cover({}, {}, budget_units=1, budget_chars=2)


@pytest.mark.parametrize("kind", ["Categorical", "Enum"])
def test_categories_of_polars_are_their_text(kind):
    polars = pytest.importorskip("polars")
    rows = generated(10)
    expected = comparable(evaudit.cover(**rows).to_json())

    def coded(part):
        frame = polars.DataFrame(part)
        texts = [name for name, dtype in frame.schema.items() if dtype == polars.String]
        dtypes = {
            name: polars.Categorical if kind == "Categorical" else polars.Enum(frame[name].unique().drop_nulls())
            for name in texts
        }
        return frame.with_columns(polars.col(name).cast(dtype) for name, dtype in dtypes.items())

    assert comparable(evaudit.cover(**{name: coded(part) for name, part in rows.items()}).to_json()) == expected


def test_categories_nullable_numbers_and_an_index_of_pandas():
    pandas = pytest.importorskip("pandas")
    rows = generated(11)
    expected = comparable(evaudit.cover(**rows).to_json())
    frames = {name: pandas.DataFrame(part).convert_dtypes() for name, part in rows.items()}
    assert str(frames["selected"]["start"].dtype) == "Int64"
    frames["needs"] = frames["needs"].astype({"need": "category", "doc": "category"})
    frames["selected"] = frames["selected"].astype({"need": "category"}).set_index("need")
    assert comparable(evaudit.cover(**frames).to_json()) == expected


NEED = {"need": "n", "bundle": "1", "component": "a", "source": "s", "doc": "d", "version": "1", "start": 0, "end": 5}


def test_a_column_that_only_a_later_mapping_has_is_kept():
    needs = [NEED | {"need": name} for name in ("n1", "n2")]
    selected = [
        {"need": "n1", "source": "s", "doc": "d", "version": "1", "start": 0, "end": 5},
        {"need": "n2", "source": "s", "doc": "d", "version": "1", "start": 0, "end": 5, "stop": "abstained"},
    ]
    assert evaudit.cover(needs, selected).needs.column("stop").to_pylist() == [None, "abstained"]


def test_nothing_selected_is_an_empty_frame_and_never_none():
    needs = {name: [value] for name, value in NEED.items()}
    empty = {name: [] for name in ("need", "unit", "source", "doc", "version", "start", "end")}
    found = evaudit.cover(needs, empty)
    assert (found.means["bundle-coverage"].num, found.means["bundle-coverage"].n_missing) == (0, 1)
    with pytest.raises(UsageError, match="for selected, found None"):
        evaudit.cover(needs, None)


def test_a_span_that_repeats_is_counted_whether_or_not_anything_is_required_of_its_document():
    needs = {name: [value] for name, value in NEED.items()}
    rows = [{"need": "n", "source": "s", "doc": doc, "version": "1", "start": 2, "end": 9} for doc in "ddxxx"]
    row = evaudit.cover(needs, rows).needs.to_pylist()[0]
    assert (row["selected_units"], row["repeated_units"]) == (5, 3)


def test_a_row_tells_the_largest_part_that_a_unit_holds_of_a_missing_anchor():
    span = {"source": "s", "doc": "d", "version": "1"}
    needs = [{"need": "n", "bundle": "1", "component": c, **span, "start": a, "end": b}
             for c, a, b in (("a", 0, 19), ("b", 40, 50), ("c", 60, 61))]  # fmt: skip
    selected = [{"need": "n", **span, "start": a, "end": b} for a, b in ((0, 18), (18, 22), (45, 47), (60, 61))]
    whole = [{"need": "n", **span, "start": 0, "end": 99}]
    row = evaudit.cover(needs, selected, whole).needs.to_pylist()[0]
    assert (row["largest_overlap_num"], row["largest_overlap_den"]) == (18, 19)  # and 2/10 of the other one
    assert (row["components_partly_touched"], row["components_covered_num"]) == (2, 1)
    assert (row["complete_at_candidate"], row["bundle_coverage"]) == (True, False)
    alone = evaudit.cover(needs, whole).needs.to_pylist()[0]
    assert (alone["largest_overlap_num"], alone["complete_at_candidate"]) == (None, None)


def test_a_row_tells_by_which_view_and_rules_it_was_judged():
    rows = generated(3)
    rule = {"id": "one-value", "kind": "single-valued", "relation": "weight"}

    def told(**more):
        needs = evaudit.cover(**rows, **more).needs
        (one,) = set(zip(needs["view"].to_pylist(), needs["rule_set_hash"].to_pylist(), strict=True))
        return one

    assert told() == (None, None)
    _, digest = told(rules=[rule])
    assert re.fullmatch(r"sha256\(json\) [0-9a-f]{64}", digest)
    assert told(rules=[{**rule, "relation": "height"}])[1] != digest == told(rules=[dict(reversed(rule.items()))])[1]
    assert told(view={"name": "now", "statuses": ["current"]}) == ("now", None)


NESTED = (
    '{"need": "n1", "hops": 2, "components": {"a": {"anchor": {"ref": "s/d@1", "start": 0, "end": 5}}, '
    '"b": {"any_of": [{"ref": "s/d@1", "start": 10, "end": 15}, {"ref": "s/e@1", "start": 0, "end": 9}]}}, '
    '"accept": [["a", "b"]]}\n'
    '{"need": "n2", "components": {"a": {"anchor": {"ref": "s/d@1", "start": 0, "end": 5}}, '
    '"c": {"absent": {"inventory": ["s/d@1"], "declared_by": "x"}}}, "accept": [["a"], ["a", "c"]], "claims": []}\n'
)
KEYS = ("need", "components", "accept", "hops")
SELECTED = [
    {"need": "n1", "source": "s", "doc": "d", "version": "1", "start": 0, "end": 12},
    {"need": "n1", "source": "s", "doc": "e", "version": "1", "start": 0, "end": 9},
]


def nested_frame(kind, path):
    if kind == "mapping":
        return {key: [json.loads(line).get(key) for line in NESTED.splitlines()] for key in KEYS}
    if kind in ("arrow", "rows"):
        table = pyarrow.json.read_json(path)
        return table if kind == "arrow" else table.to_pylist()
    if kind == "polars":
        return pytest.importorskip("polars").read_ndjson(path)
    frame = pytest.importorskip("pandas").read_json(path, lines=True)
    return frame.convert_dtypes() if kind == "nullable" else frame


@pytest.mark.parametrize("kind", ["mapping", "rows", "arrow", "pandas", "nullable", "polars"])
def test_a_frame_of_nested_needs_is_read_like_its_file(tmp_path, kind):
    path = tmp_path / "needs.jsonl"
    path.write_text(NESTED)
    expected = evaudit.cover(path, SELECTED, by="hops")
    assert expected.needs.column("verdict").to_pylist() == ["satisfied", "incomplete"]
    found = evaudit.cover(nested_frame(kind, path), SELECTED, by="hops")
    assert comparable(found.to_json()) == comparable(expected.to_json())


def test_columns_of_nested_needs_that_differ_in_length_are_refused():
    with pytest.raises(UsageError, match="expected a frame"):
        evaudit.cover({"need": ["n"], "components": [], "accept": [[["a"]]]}, SELECTED)


def test_values_of_numpy_and_days_within_a_list_are_read_like_those_of_a_frame():
    anchor = {"ref": "s/d@1", "start": numpy.int64(0), "end": numpy.int64(5)}
    claim = {"id": "c", "component": "a", "says": ["x", "y", "z"], "valid_from": datetime.date(2024, 1, 1)}
    need = {"need": "n1", "components": {"a": {"anchor": anchor}}, "accept": numpy.array([["a"]]), "claims": [claim]}
    assert evaudit.cover([need], SELECTED).verdicts["satisfied"] == 1
    with pytest.raises(UsageError, match="values that JSON can hold"):
        evaudit.cover([need | {"need": b"n1"}], SELECTED)


@pytest.mark.parametrize("needs", [{"need": 3, "components": 5, "accept": 1}, json.loads(NESTED.splitlines()[0])])
def test_one_need_is_no_frame(needs):
    with pytest.raises(UsageError, match="expected a frame"):
        evaudit.cover(needs, SELECTED)


def test_a_figure_that_does_not_exist_is_told_with_what_may_be_meant():
    found = evaudit.cover(**generated(9))
    for key in (0, None, ["x"]):
        with pytest.raises(KeyError, match="figures are found by their printed name"):
            found.figures[key]
    with pytest.raises(KeyError, match=re.escape(".means['bundle-coverage']. Of one need or group: 'bundle-coverage[")):
        found["bundle-coverage"]
    with pytest.raises(KeyError, match=re.escape("did you mean 'bundle-coverage[need=n0")):
        found["bundle-coverage[need=n00]"]


def test_the_line_of_an_answer_is_short_and_print_shows_the_report():
    found = evaudit.cover(**generated(9))
    counts = ", ".join(f"{n} {verdict}" for verdict, n in found.verdicts.items() if n)
    assert repr(found).startswith(f"<Cover of bundles: 60 needs ({counts}), {len(found.figures)} figures, ")
    assert len(repr(found).splitlines()) == 1 < len(str(found).splitlines())
