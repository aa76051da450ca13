"""Every figure of a format's own tool, on many random files, is what the tool's rules give; where it stops, none."""

from __future__ import annotations

import json

import pytest
import tool_inputs
import tool_rules
import tool_rules_of_retrieval as retrieval_rules
from tool_files import lines, tool_figures, whole

from evaudit.audits.fever import audit_fever
from evaudit.audits.foreign import audit_foreign
from evaudit.bundles.budget import Allowance
from evaudit.errors import UsageError
from evaudit.formats.foreign import Request

FILES, RECORDS = 25, 7
"""Random files for each tool, and about how many records each has."""


def on_many_files(test):
    return pytest.mark.parametrize("seed", range(FILES))(test)


def agree(result, wanted):
    """The same names, the same values; where the rules give None for all, the tool stops."""
    found = tool_figures(result)
    if wanted is None:
        assert result.details["compat"]["fails"]
        assert set(found.values()) == {None}
        return
    assert result.details["compat"]["fails"] is None
    assert found.keys() == wanted.keys()
    for name, value in wanted.items():
        assert found[name] == (None if value is None else pytest.approx(float(value), abs=1e-12)), name


@on_many_files
def test_fever(tmp_path, seed):
    rng = tool_inputs.generator(seed)
    gold, predicted = tool_inputs.fever(rng, rng.randrange(1, RECORDS))
    limit = rng.choice([None, 0, 1, 3, 9])
    files = lines(tmp_path / "g.jsonl", gold), lines(tmp_path / "p.jsonl", predicted)
    result = audit_fever(*files, compat=True, budget=None if limit is None else Allowance("units", limit))
    agree(result, tool_rules.fever(gold, predicted, 5 if limit is None else limit))


def test_fever_in_one_large_file(tmp_path):
    gold, predicted = tool_inputs.fever(tool_inputs.generator(0), 500)
    files = lines(tmp_path / "g.jsonl", gold), lines(tmp_path / "p.jsonl", predicted)
    agree(audit_fever(*files, compat=True), tool_rules.fever(gold, predicted))


@on_many_files
def test_hotpotqa(tmp_path, seed):
    rng = tool_inputs.generator(seed)
    gold, predicted = tool_inputs.hotpotqa(rng, rng.randrange(1, RECORDS))
    request = Request(whole(tmp_path / "g.json", gold), whole(tmp_path / "p.json", predicted))
    agree(audit_foreign("hotpotqa", request, compat=True), tool_rules.hotpotqa(gold, predicted))


@on_many_files
def test_2wikimultihop(tmp_path, seed):
    rng = tool_inputs.generator(seed)
    gold, predicted, names = tool_inputs.two_wiki(rng, rng.randrange(1, RECORDS))
    paths = whole(tmp_path / "g.json", gold), whole(tmp_path / "p.json", predicted)
    request = Request(*paths, aliases=lines(tmp_path / "a.jsonl", names))
    found = audit_foreign("2wikimultihop", request, compat=True)
    # Two digits: a sum of floats may stand on the other side of a half.
    wanted = tool_rules.two_wiki(gold, predicted, names)
    shown = tool_figures(found)
    assert shown == pytest.approx({name: float(value) for name, value in wanted.items()}, abs=0.0100001)
    assert sum(shown[name] == float(value) for name, value in wanted.items()) >= len(wanted) - 1


@on_many_files
@pytest.mark.parametrize("pages", [False, True])
def test_hover(tmp_path, seed, pages):
    rng = tool_inputs.generator(seed)
    gold, predicted = tool_inputs.hover(rng, rng.randrange(1, RECORDS), pages)
    request = Request(whole(tmp_path / "g.json", gold), whole(tmp_path / "p.json", predicted))
    wanted = tool_rules.hover(gold, predicted)
    agree(audit_foreign("hover", request, compat=True), wanted)


@on_many_files
@pytest.mark.parametrize("full", [False, True])
def test_musique(tmp_path, seed, full):
    rng = tool_inputs.generator(seed)
    gold, predicted = tool_inputs.musique(rng, rng.randrange(1, RECORDS), full)
    request = Request(lines(tmp_path / "g.jsonl", gold), lines(tmp_path / "p.jsonl", predicted))
    agree(audit_foreign("musique", request, compat=True), retrieval_rules.musique(gold, predicted))


@on_many_files
def test_scifact(tmp_path, seed):
    rng = tool_inputs.generator(seed)
    gold, predicted = tool_inputs.scifact(rng, rng.randrange(1, RECORDS))
    request = Request(lines(tmp_path / "g.jsonl", gold), lines(tmp_path / "p.jsonl", predicted))
    agree(audit_foreign("scifact", request, compat=True), retrieval_rules.scifact(gold, predicted))


@on_many_files
def test_kilt(tmp_path, seed):
    rng = tool_inputs.generator(seed)
    gold, guesses = tool_inputs.kilt(rng, rng.randrange(1, RECORDS))
    request = Request(lines(tmp_path / "g.jsonl", gold), lines(tmp_path / "p.jsonl", guesses))
    said = [{**one, "output": [o for o in one["output"] if "provenance" in o]} for one in guesses]
    agree(audit_foreign("kilt", request, compat=True), retrieval_rules.kilt(gold, said))


@on_many_files
def test_qasper(tmp_path, seed):
    rng = tool_inputs.generator(seed)
    gold, predicted = tool_inputs.qasper(rng, rng.randrange(1, RECORDS))
    request = Request(whole(tmp_path / "g.json", gold), lines(tmp_path / "p.jsonl", predicted))
    agree(audit_foreign("qasper", request, compat=True), retrieval_rules.qasper(gold, predicted))


@on_many_files
@pytest.mark.parametrize("level", ["session", "turn"])
def test_longmemeval(tmp_path, seed, level):
    rng = tool_inputs.generator(seed)
    gold, log = tool_inputs.longmemeval(rng, rng.randrange(3, RECORDS), level)
    request = Request(whole(tmp_path / "g.json", gold), lines(tmp_path / "p.jsonl", log), level)
    wanted = retrieval_rules.longmemeval_file(gold, log, level)
    result = audit_foreign("longmemeval", request, compat=True)
    if not wanted:  # nothing is reported: nan
        assert {f["value"] for f in result.details["compat"]["figures"]} == {None}
    else:
        agree(result, wanted)


def test_longmemevals_log_of_turns_is_not_read_as_sessions(tmp_path):
    gold, log = tool_inputs.longmemeval(tool_inputs.generator(1), 5, "turn")
    request = Request(whole(tmp_path / "g.json", gold), lines(tmp_path / "p.jsonl", log), "session")
    with pytest.raises(UsageError, match="say --level turn"):
        audit_foreign("longmemeval", request, compat=True)


@on_many_files
def test_chunking(tmp_path, seed):
    rng = tool_inputs.generator(seed)
    rows, retrieved, chunks = tool_inputs.chunking(rng, rng.randrange(1, RECORDS))
    cells = ['"' + json.dumps(row["references"]).replace('"', '""') + '",' + row["corpus_id"] for row in rows]
    gold = tmp_path / "g.csv"
    gold.write_text("question,references,corpus_id\n" + "".join(f"q,{cell}\n" for cell in cells), encoding="utf-8")
    answers = [{"retrieved": found} for found in retrieved]
    if chunks is not None:
        answers[0]["all_chunks"] = chunks
    result = audit_foreign("chunking", Request(gold, lines(tmp_path / "p.jsonl", answers)), compat=True)
    agree(result, retrieval_rules.chunking(rows, retrieved, chunks))


@on_many_files
def test_ragas(tmp_path, seed):
    rng = tool_inputs.generator(seed)
    rows = tool_inputs.ragas(rng, rng.randrange(1, RECORDS))
    result = audit_foreign("ragas", Request(lines(tmp_path / "g.jsonl", rows)), compat=True)
    agree(result, retrieval_rules.ragas(rows))
