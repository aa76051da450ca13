"""Public complaints that need whole files: ids, titles, stages, budgets, conflicts and the gold itself."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import evaudit
from evaudit.audits.anchors import AnchorFiles, check_anchors
from evaudit.audits.bundles import Tables, Wanted, audit_tables
from evaudit.audits.foreign import audit_foreign
from evaudit.bundles.budget import Allowance
from evaudit.cli import app
from evaudit.formats.foreign import Request


def jsonl(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def anchors(tmp_path, text, **anchor):
    folder = tmp_path / "wiki"
    folder.mkdir(exist_ok=True)
    (folder / "d.txt").write_bytes(text.encode("utf-8"))
    one = {"need": "n", "components": {"a": {"anchor": {"ref": "wiki/d@1", **anchor}}}, "accept": [["a"]]}
    return check_anchors(AnchorFiles(str(folder), jsonl(tmp_path / "needs.jsonl", [one])))


@pytest.mark.parametrize(
    ("text", "anchor", "said"),
    [
        # A loader stripped the leading space, and every start was off by one.
        ("Pure Land is near", {"start": 1, "end": 10, "exact": "Pure Land"}, "shifted by -1"),
        # Offsets belong to the stored text: a carriage return counts.
        ("John loves Mary.\r\nHe married her.", {"start": 17, "end": 19, "exact": "He"}, "line ends"),
        ("John loves Mary.\r\nHe married her.", {"start": 28, "end": 31, "exact": "her"}, "line ends"),
        # Offsets of a browser are no code points.
        ("🤔🤔🤔🤔:thinking", {"start": 8, "end": 17, "exact": ":thinking"}, "UTF-16"),
        # A quote of a deleted paragraph does not move to one that looks like it.
        ("Team Beta cut latency by 12%.", {"exact": "Team Alpha cut latency by 12%."}, "does not hold"),
        # Indices of published data are off by some places; the nearest occurrence says by how many.
        ("0123456789 A slice of text", {"start": 16, "end": 23, "exact": "A slice"}, "shifted by -5"),
        ("0123456789 A slice of text", {"start": 7, "end": 14, "exact": "A slice"}, "shifted by +4"),
    ],
)
def test_a_place_that_is_not_the_quote_is_refused_with_its_cause(tmp_path, text, anchor, said):
    result = anchors(tmp_path, text, **anchor)
    (found,) = [f for f in result.findings if f.rule == "anchor-unresolved"]
    assert said in found.message
    assert next(f for f in result.iter_figures() if f.name == "anchors-resolved").num == 0


@pytest.mark.parametrize(
    ("text", "anchor"),
    [
        ("John loves Mary.\r\nHe married her.", {"start": 18, "end": 20, "exact": "He"}),
        ("John loves Mary.\r\nHe married her.", {"start": 29, "end": 32, "exact": "her"}),
        ("John loves Mary.\nHe married her.", {"start": 17, "end": 19, "exact": "He"}),
        ("🤔🤔🤔🤔:thinking", {"start": 4, "end": 13, "exact": ":thinking"}),
        ("🤔🤔🤔🤔:thinking", {"start": 8, "end": 17, "exact": ":thinking", "unit": "utf16"}),
    ],
)
def test_a_place_in_the_stored_text_resolves(tmp_path, text, anchor):
    assert not anchors(tmp_path, text, **anchor).findings


def test_the_hash_says_which_line_ends_are_meant(tmp_path):
    text = "John loves Mary.\r\nHe married her."
    row = {"source": "wiki", "doc": "d", "version": "1", "text": text.replace("\r\n", "\n")}
    row["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    needs = [{"need": "n", "components": {"a": {"anchor": {"ref": "wiki/d@1", "exact": "He"}}}, "accept": [["a"]]}]
    result = check_anchors(
        AnchorFiles(jsonl(tmp_path / "documents.jsonl", [row]), jsonl(tmp_path / "needs.jsonl", needs))
    )
    assert result.details["states"] == {"hash-mismatch": 1}


TITLED = ["The band formed in 1994.", "The film was shot in Malta."]
"""Two paragraphs under one title."""


def versions(texts):
    return [
        {"source": "wiki", "doc": "Arrival", "version": hashlib.sha256(t.encode()).hexdigest()[:12], "text": t}
        for t in texts
    ]


def test_paragraphs_of_one_title_are_two_documents_and_one_that_was_never_indexed_is_lost_there(tmp_path):
    documents = versions(TITLED)
    film = documents[1]
    anchor = {"ref": f"wiki/Arrival@{film['version']}", "exact": TITLED[1]}
    needs = [{"need": "n", "components": {"film": {"anchor": anchor}}, "accept": [["film"]]}]
    chunk = {name: documents[0][name] for name in ("source", "doc", "version")}
    units = [{**chunk, "unit": "Arrival", "start": 0, "end": len(TITLED[0])}]  # the first of the title won
    tables = Tables(
        jsonl(tmp_path / "needs.jsonl", needs),
        jsonl(tmp_path / "selected.jsonl", [{"need": "n", "unit": "Arrival"}]),
        units=jsonl(tmp_path / "units.jsonl", units),
        documents=jsonl(tmp_path / "documents.jsonl", documents),
    )
    stages = audit_tables(tables).details["stages"]
    assert stages["lost"] == {"resolved": 0, "intact": 1, "selected": 0} and stages["survived"] == 0


def test_two_texts_under_one_reference_are_told_and_the_quote_of_the_second_is_not_found(tmp_path):
    documents = [{**row, "version": "1"} for row in versions(TITLED)]
    anchor = {"ref": "wiki/Arrival@1", "exact": TITLED[1]}
    needs = [{"need": "n", "components": {"film": {"anchor": anchor}}, "accept": [["film"]]}]
    result = check_anchors(
        AnchorFiles(jsonl(tmp_path / "documents.jsonl", documents), jsonl(tmp_path / "needs.jsonl", needs))
    )
    assert [f.rule for f in result.findings] == ["document-repeated", "anchor-unresolved"]


def test_paragraphs_of_one_title_in_musique_are_two(tmp_path):
    paragraphs = [
        {"idx": n, "title": "Arrival", "paragraph_text": text, "is_supporting": True} for n, text in enumerate(TITLED)
    ]
    gold = jsonl(tmp_path / "g.jsonl", [{"id": "m", "answerable": True, "paragraphs": paragraphs}])
    predicted = jsonl(tmp_path / "p.jsonl", [{"id": "m", "predicted_support_idxs": [0]}])
    result = audit_foreign("musique", Request(Path(gold), Path(predicted)))
    found = next(f for f in result.iter_figures() if f.name == "selected-recall")
    assert (found.num, found.den) == (1, 2)


def pool(tmp_path, candidates, selected, **more):
    span = {"source": "s", "doc": "d", "version": "1"}
    needs = [{"need": "n", "bundle": "1", "component": "a", **span, "start": 0, "end": 5}]
    units = [{"need": "n", "rank": n, "unit": f"u{n}", **span, "start": n, "end": n + 9} for n in range(candidates)]
    tables = Tables(
        jsonl(tmp_path / "needs.jsonl", needs),
        jsonl(tmp_path / "selected.jsonl", units[:selected]),
        jsonl(tmp_path / "candidates.jsonl", units),
    )
    return audit_tables(tables, **more).notes


def test_a_recall_that_is_forced_because_the_pool_is_no_larger_than_k_is_flagged(tmp_path):
    def told(words, notes):
        return any(words in note for note in notes)

    fifty = Allowance("units", 50)
    assert told("no more candidates than the budget has places", pool(tmp_path, 10, 10, budget=fifty))
    assert not told("no more candidates", pool(tmp_path, 51, 50, budget=fifty))
    assert told("no fewer selected units than candidates", pool(tmp_path, 10, 10))
    assert not told("forced", pool(tmp_path, 10, 9))


def test_the_unit_of_a_length_is_in_the_name_of_its_column():
    span = {"source": ["s"], "doc": ["d"], "version": ["1"]}
    needs = {"need": ["n"], "bundle": ["1"], "component": ["a"], **span, "start": [0], "end": [5]}
    selected = {"need": ["n"], "unit": ["u"], **span, "start": [0], "end": [21]}
    characters = evaudit.cover(needs, selected).needs.to_pylist()[0]
    assert (characters["used_chars"], characters["used_tokens"]) == (21, None)  # never the one for the other
    both = evaudit.cover(needs, selected | {"tokens": [7]}, budget_tokens=7).needs.to_pylist()[0]
    assert (both["used_chars"], both["used_tokens"], both["used_units"]) == (21, 7, 1)
    assert evaudit.cover(needs, selected, budget_tokens=21).verdicts["withheld"] == 1


def test_a_contradiction_that_is_present_is_told_without_anybody_typing_it_in(tmp_path):
    texts = {"spec": "The unit weighs 3.1 kg.", "revision": "The unit weighs 2.8 kg."}
    documents = [{"source": "w", "doc": doc, "version": "1", "text": text} for doc, text in texts.items()]
    claims = [
        {"claim": doc, "subject": "unit", "relation": "weight", "object": text[16:22],
         "source": "w", "doc": doc, "version": "1", "start": 0, "end": 23}
        for doc, text in texts.items()
    ]  # fmt: skip
    needs = [
        {"need": "n", "components": {"a": {"anchor": {"ref": "w/spec@1", "start": 0, "end": 23}}}, "accept": [["a"]]}
    ]
    selected = [{"need": "n", "unit": "u", "source": "w", "doc": "spec", "version": "1", "start": 0, "end": 23}]
    rules = tmp_path / "rules.yaml"
    rules.write_text("schema: evaudit/rules@1\nrules: [{id: one, kind: single-valued, relation: weight}]\n")
    given = {"needs": needs, "selected": selected, "documents": documents, "claims": claims}
    paths = [f for name, rows in given.items() for f in (f"--{name}", jsonl(tmp_path / f"{name}.jsonl", rows))]
    found = CliRunner().invoke(app, ["bundles", *paths, "--rules", str(rules), "--show", "n"])
    assert found.exit_code == 0 and "need n  refused" in found.stdout
    for words in ("w/spec@1 char 0-23", "w/revision@1 char 0-23", "3.1 kg", "2.8 kg", "rule one; seen in inventory"):
        assert words in found.stdout


def test_the_gold_is_data_and_its_digest_stands_beside_the_figures(tmp_path):
    gold = tmp_path / "g.jsonl"
    seen = set()
    for answer in ("a", "b"):
        jsonl(gold, [{"reference_context_ids": [answer], "retrieved_context_ids": ["a"]}])
        (record,) = audit_foreign("ragas", Request(gold)).inputs
        assert record.sha256 == hashlib.sha256(gold.read_bytes()).hexdigest() and record.recipe == "text/lf"
        seen.add(record.sha256)
    assert len(seen) == 2


@pytest.mark.parametrize(
    ("name", "gold", "row"),
    [
        ("ragas", "g.jsonl", {"reference_context_ids": ["a", "a"], "retrieved_context_ids": ["a", "a", "x"]}),
        ("hotpotqa", "g.json", {"_id": "1", "supporting_facts": [["A", 0], ["A", 0]]}),
        ("hover", "g.json", {"uid": "1", "supporting_facts": [["A", 0], ["A", 0]]}),
        ("scifact", "g.jsonl", {"id": 1, "evidence": {"7": [{"sentences": [1, 1], "label": "SUPPORT"}]}}),
        ("kilt", "g.jsonl", {"id": 1, "output": [{"provenance": [{"wikipedia_id": 1}, {"wikipedia_id": "1"}]}]}),
        ("longmemeval", "g.json", {"question_id": "q", "answer_session_ids": ["s", "s"]}),
    ],
)
def test_gold_that_names_a_piece_twice_is_told_and_asks_for_it_once(tmp_path, name, gold, row):
    path = tmp_path / gold
    path.write_text(json.dumps([row] if gold == "g.json" else row) + "\n", encoding="utf-8")
    result = audit_foreign(name, Request(path), wanted=Wanted(lint=True))
    assert [f.rule for f in result.findings if f.rule.startswith("bundle")] == ["bundle-component-repeated"]
    if name == "ragas":  # its one file holds the selection, too
        assert next(f for f in result.iter_figures() if f.name == "components-covered").den == 1
    else:
        assert result.details["gold"]["components"] == 1


def test_a_question_without_references_requires_nothing(tmp_path):
    gold = tmp_path / "g.csv"
    gold.write_text('question,references,corpus_id\nq,"[]",c\n', encoding="utf-8")
    predicted = jsonl(tmp_path / "p.jsonl", [{"retrieved": [{"start_index": 0, "end_index": 3}]}])
    result = audit_foreign("chunking", Request(gold, Path(predicted)), compat=True)
    assert result.details["verdicts"]["undefined"] == 1
