"""Gold and predictions of every foreign format: files that do not belong together give no confident figure."""

from __future__ import annotations

import json

import pytest
from border_files import BY_PLACE, FILES, IDS, TOOLS
from typer.testing import CliRunner

from evaudit.cli import app
from evaudit.errors import InvalidDocumentError, UsageError
from evaudit.formats import FOREIGN

BY_ID = sorted(set(FILES) - BY_PLACE)
WITH_IDS = sorted(set(FILES) - {"chunking"})
STRICT = ["musique", "scifact"]
"""Formats that pair by position and ask for the same ids there."""


def run(tmp_path, name, gold, predicted, *more):
    """The result of the command, as its JSON, or the error with which it refuses."""
    _, first, second = FILES[name]
    paths = tmp_path / first, tmp_path / second
    for path, text in zip(paths, (gold, predicted), strict=True):
        path.write_bytes(text.encode("utf-8"))
    return command(name, *paths, *more)


def command(name, gold, predicted, *more):
    arguments = ["bundles", "--from", name, "--gold", str(gold), "--predicted", str(predicted), "--format", "json"]
    arguments += [*(["--compat", name] if name in TOOLS else []), *(["--each-suffices"] if name == "qrels" else [])]
    found = CliRunner().invoke(app, [*arguments, *more])
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    return json.loads(found.stdout)


def files(name, ids=IDS):
    return FILES[name][0](ids)


def coverage(result):
    return next(mean for mean in result["means"] if mean["name"] == "bundle-coverage")


def rules(result):
    return [(f["rule"], f["severity"]) for f in result["findings"]]


def tool_values(result):
    return {mean["value"] for mean in result["means"] if mean["name"].startswith("compat:")}


def test_every_format_of_two_files_is_here():
    assert set(FILES) == set(FOREIGN) - {"ragas"}


@pytest.mark.parametrize("name", list(FILES))
def test_files_that_belong_together_say_nothing(tmp_path, name):
    result = run(tmp_path, name, *files(name))
    assert (result["exit"], result["findings"], coverage(result)["value"]) == (0, [], 1.0)


@pytest.mark.parametrize("name", WITH_IDS)
def test_no_id_in_common_is_an_error_and_no_figure(tmp_path, name):
    result = run(tmp_path, name, files(name)[0], files(name, ["z1", "z2", "z3", "z4"])[1])
    assert (result["exit"], rules(result)) == (1, [("need-ids-disjoint", "error")])
    assert coverage(result)["value"] is None


@pytest.mark.parametrize("name", BY_ID)
def test_other_spellings_of_all_ids_are_an_error_that_names_both(tmp_path, name):
    result = run(tmp_path, name, files(name)[0], files(name, [one.upper() for one in IDS])[1])
    assert ("need-id-near-miss", "error") in rules(result)
    message = next(f["message"] for f in result["findings"] if f["rule"] == "need-id-near-miss")
    assert "'QA' for 'qa' (case)" in message
    assert (result["exit"], coverage(result)["value"]) == (1, None)


@pytest.mark.parametrize("name", BY_ID)
def test_another_spelling_of_one_id_withholds_its_need_and_no_other(tmp_path, name):
    result = run(tmp_path, name, files(name)[0], files(name, ["QA", *IDS[1:]])[1])
    assert (result["exit"], rules(result)) == (0, [("need-id-near-miss", "warning")])
    mean = coverage(result)
    assert mean["value"] is None
    assert (mean["bounds"]["withheld"]["low"], mean["bounds"]["withheld"]["high"]) == ([3, 4], [4, 4])


@pytest.mark.parametrize("name", BY_ID)
def test_records_without_a_prediction_and_predictions_without_a_record_are_counted_and_named(tmp_path, name):
    result = run(tmp_path, name, files(name)[0], files(name, [*IDS[:2], "other"])[1])
    found = {f["rule"]: (f["severity"], f["message"]) for f in result["findings"]}
    assert found["prediction-without-claim"][0] == "warning" and "other" in found["prediction-without-claim"][1]
    assert found["need-without-selection"][0] == "warning" and "qc, qd" in found["need-without-selection"][1]
    mean = coverage(result)
    assert (result["exit"], mean["value"], mean["n"], mean["n_missing"]) == (0, 0.5, 4, 2)


@pytest.mark.parametrize("name", STRICT)
@pytest.mark.parametrize("ids", [IDS[::-1], ["QA", *IDS[1:]], ["x", *IDS[1:]]])
def test_a_pair_by_position_with_two_ids_is_an_error_withheld_and_stops_the_tool(tmp_path, name, ids):
    result = run(tmp_path, name, files(name)[0], files(name, ids)[1])
    assert (result["exit"], rules(result)) == (1, [("ids-do-not-pair", "error")])
    assert coverage(result)["value"] is None
    assert tool_values(result) == {None}
    compat = next(value for value in walk(result) if isinstance(value, dict) and "tool" in value)
    assert "should be in same order" in compat["fails"] or "do not match" in compat["fails"]


def walk(value):
    yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from walk(one)


def test_scifact_answers_of_other_claims_are_no_zero_of_so_many(tmp_path):
    gold, _ = files("scifact", [str(n) for n in range(188)])
    _, said = files("scifact", [str(n + 500) for n in range(188)])
    result = run(tmp_path, "scifact", gold, said)
    assert (result["exit"], coverage(result)["value"]) == (1, None)
    assert tool_values(result) == {None}


@pytest.mark.parametrize("name", sorted(BY_PLACE))
def test_files_that_pair_by_position_and_differ_in_length_are_refused(tmp_path, name):
    for ids in (IDS[:3], [*IDS, "qe"]):
        with pytest.raises(InvalidDocumentError, match="they pair by position, so both need as many"):
            run(tmp_path, name, files(name)[0], files(name, ids)[1])


@pytest.mark.parametrize("name", list(FILES))
def test_a_file_that_is_cut_off_is_refused(tmp_path, name):
    gold, predicted = files(name)
    with pytest.raises(InvalidDocumentError):
        run(tmp_path, name, gold, predicted[:-6])
    if name != "chunking":  # there a cell of the last row is shorter, and no rule says so
        with pytest.raises(InvalidDocumentError):
            run(tmp_path, name, gold[:-6], predicted)


@pytest.mark.parametrize("name", sorted(set(FILES) - {"kilt"}))  # a record of kilt is a record on both sides
def test_files_in_each_others_place_are_told(tmp_path, name):
    _, first, second = FILES[name]
    gold, predicted = tmp_path / first, tmp_path / second
    for path, text in zip((gold, predicted), files(name), strict=True):
        path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="are --gold and --predicted swapped"):
        command(name, predicted, gold)


@pytest.mark.parametrize("name", list(FILES))
def test_a_byte_order_mark_is_left_out_with_a_note_and_line_ends_change_nothing(tmp_path, name):
    gold, predicted = files(name)
    plain, marked = run(tmp_path, name, gold, predicted), run(tmp_path, name, f"\ufeff{gold}", f"\ufeff{predicted}")
    folded = run(tmp_path, name, gold.replace("\n", "\r\n"), predicted.replace("\n", "\r\n"))
    assert plain["means"] == marked["means"] == folded["means"]
    told = [*marked["notes"], *(f["message"] for f in marked["findings"])]
    assert sum("byte order mark" in one for one in told) == 2


@pytest.mark.parametrize("name", sorted(set(BY_ID) - {"qrels"}))  # qrels: a document judged twice
def test_an_id_that_stands_twice_in_the_gold_file_withholds_its_records(tmp_path, name):
    result = run(tmp_path, name, files(name, [*IDS, "qa"])[0], files(name)[1])
    assert set(rules(result)) == {("need-repeated", "error")}
    mean = coverage(result)
    assert (result["exit"], mean["value"]) == (1, None)
    assert (mean["bounds"]["withheld"]["low"], mean["bounds"]["withheld"]["high"]) == ([3, 5], [5, 5])


@pytest.mark.parametrize("name", ["kilt", "qasper", "longmemeval", "web-annotation"])
def test_a_prediction_that_stands_twice_refuses_the_file(tmp_path, name):
    with pytest.raises(InvalidDocumentError, match="the id qa also stands on line 1"):
        run(tmp_path, name, files(name)[0], files(name, [*IDS, "qa"])[1])


EMPTY = {
    "hotpotqa": '{"answer": {}, "sp": {}}',
    "hover": "{}",
    "2wikimultihop": '{"answer": {}, "sp": {}, "evidence": {}}',
}


@pytest.mark.parametrize("name", BY_ID)
def test_predictions_without_a_record_are_told(tmp_path, name):
    result = run(tmp_path, name, files(name)[0], EMPTY.get(name, ""))
    assert rules(result) == [("table-empty", "warning"), ("need-without-selection", "warning")]
    assert (coverage(result)["value"], coverage(result)["n_missing"]) == (0.0, 4)


def test_fever_pairs_by_position_and_warns_as_long_as_some_id_is_shared(tmp_path):
    gold, _ = files("fever")
    result = run(tmp_path, "fever", gold, files("fever", IDS[::-1])[1])
    assert (result["exit"], rules(result)) == (0, [("ids-do-not-pair", "warning")])
    assert "the same ids stand in another order" in result["findings"][0]["message"]
    by_id = run(tmp_path, "fever", gold, files("fever", ["QA", *IDS[1:]])[1], "--pair", "id")
    assert rules(by_id) == [("need-id-near-miss", "warning")]


@pytest.mark.parametrize("item", [{}, {"corpus_id": None}])
def test_an_item_without_an_id_withholds_its_question_and_no_other(tmp_path, item):
    gold, log = files("longmemeval")
    entry, *others = log.splitlines(keepends=True)
    record = json.loads(entry)
    record["retrieval_results"]["ranked_items"].append(item)
    result = run(tmp_path, "longmemeval", gold, json.dumps(record) + "\n" + "".join(others))
    assert coverage(result)["n_undefined"] == {"ids-unavailable": 1}
    assert (coverage(result)["n"], result["exit"]) == (len(IDS) - 1, 0)
    assert any("1 question is withheld, and left out of the tool's figures" in note for note in result["notes"])
    assert {mean["n"] for mean in result["means"] if mean["name"].startswith("compat:")} == {len(IDS) - 1}
