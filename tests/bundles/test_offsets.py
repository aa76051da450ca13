"""Offset tables let spaces compare: what a unit holds is what its characters hold, and a plain miss is a miss."""

from __future__ import annotations

import json
import random
import re
from itertools import pairwise

import pytest
from case_files import answers, audit, audit_case, figures, rules
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import evaudit
from evaudit.bundles.case import BundleCase
from evaudit.cli import app
from evaudit.errors import InvalidDocumentError, UsageError
from evaudit.sources.offsets import MAKERS, lines, paragraphs

SPACES = ("char", "sentence", "page", "token")
LENGTH = 24


def table(draw):
    """Pieces in the order of the text, with gaps, up to the end."""
    borders = sorted(draw.sample(range(LENGTH + 1), 2 * draw.randint(1, 6)))
    return list(zip(borders[::2], borders[1::2], strict=True))


def interval(draw, tables, space):
    size = LENGTH if space == "char" else len(tables[space])
    start = draw.randrange(size)
    return space, start, draw.randint(start + 1, min(size, start + (9 if space == "char" else 3)))


def characters(tables, place):
    """The characters of an interval, from the first of its first piece to the last of its last."""
    space, start, end = place
    if space == "char":
        return start, end
    return tables[space][start][0], tables[space][end - 1][1]


def entry(place):
    return {"ref": "w/d@1", "space": place[0], "start": place[1], "end": place[2]}


def needs(draw):
    tables = {space: table(draw) for space in SPACES[1:]}
    anchors = {
        name: [interval(draw, tables, draw.choice(SPACES)) for _ in range(draw.choice([1, 1, 2]))] for name in "ab"
    }
    units = [interval(draw, tables, draw.choice(SPACES)) for _ in range(draw.randrange(5))]
    return tables, anchors, units, draw.choice([[["a"]], [["a", "b"]], [["a"], ["b"]]])


def as_case(tables, anchors, units, accept):
    return BundleCase.model_validate(
        {
            "need": "n", "accept": accept, "selected": [entry(unit) for unit in units],
            "documents": [{"ref": "w/d@1", "text": "." * LENGTH}],
            "components": {name: {"any_of": [entry(a) for a in some]} for name, some in anchors.items()},
            "offsets": [
                {"space": space, "ref": "w/d@1", "spans": [list(span) for span in spans]}
                for space, spans in tables.items()
            ],
        }
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_a_unit_covers_across_spaces_exactly_what_its_characters_hold(seed):
    draw = random.Random(seed)
    reasons = set()
    for _ in range(200):
        tables, anchors, units, accept = needs(draw)
        result = audit_case(as_case(tables, anchors, units, accept), "n")
        held = [characters(tables, unit) for unit in units]
        spans = {name: [characters(tables, a) for a in some] for name, some in anchors.items()}

        def covers(unit, name, spans=spans):
            return any(unit[0] <= a[0] and a[1] <= unit[1] for a in spans[name])

        covered = {name for name in anchors if any(covers(unit, name) for unit in held)}
        found = figures(result)
        whole = any(set(bundle) <= covered for bundle in accept)
        alone = any(all(covers(unit, name) for name in bundle) for bundle in accept for unit in held)
        case = (tables, anchors, units, accept)
        assert found["bundle-coverage"] == f"{int(whole)}/1", case
        assert found["single-unit-sufficiency"] == f"{int(alone)}/1", case
        assert "anchor-space-not-comparable" not in rules(result), case
        told = answers(result)
        assert told["verdict"] == ("satisfied" if whole else "incomplete"), case
        reasons.add(told["reason"])
        if told["reason"] in ("partial-overlap", "uncovered"):
            missing = [n for n in result.details["show"][0]["components"] if not n["covered"]]
            for one in missing:
                shared = any(u[0] < a[1] and a[0] < u[1] for a in spans[one["component"]] for u in held)
                assert one["touched"] == shared, case
    assert reasons >= {None, "partial-overlap", "uncovered", "nothing-selected"}


@pytest.mark.parametrize("seed", range(3))
def test_a_table_changes_nothing_where_all_stand_in_one_space(seed):
    draw = random.Random(seed)
    for _ in range(60):
        tables, anchors, units, accept = needs(draw)
        space = draw.choice(SPACES)
        anchors = {name: [interval(draw, tables, space)] for name in anchors}
        units = [interval(draw, tables, space) for _ in units]
        one, other = (audit_case(as_case(given, anchors, units, accept), "n") for given in (tables, {}))
        assert figures(one) == figures(other)
        assert answers(one) == answers(other)


def test_pieces_that_no_table_knows_stay_incomparable():
    pattern = """
documents: [{ref: w/d@1, text: "One. Two. Three."}, {ref: w/e@1, text: "One. Two."}]
offsets: [{space: sentence, ref: w/d@1, spans: [[0, 4], [5, 9]]}]
need: n
components: {a: {anchor: {ref: %s, space: sentence, start: %s, end: %s}}}
accept: [[a]]
selected: [{ref: %s, start: 0, end: 4}]
"""
    assert answers(audit(pattern % ("w/d@1", 0, 1, "w/d@1")))["verdict"] == "satisfied"
    missed = audit(pattern % ("w/d@1", 1, 2, "w/d@1"))
    assert (answers(missed)["verdict"], answers(missed)["reason"]) == ("incomplete", "uncovered")
    for ref, start, end in (("w/d@1", 2, 3), ("w/e@1", 0, 1)):
        unknown = audit(pattern % (ref, start, end, ref))
        assert (answers(unknown)["verdict"], answers(unknown)["reason"]) == ("withheld", "need-error")
        assert "anchor-space-not-comparable" in rules(unknown)


def test_a_claim_stands_on_a_component_of_another_space():
    result = audit("""
documents: [{ref: w/d@1, text: "Runs at 40 Hz. Red."}, {ref: w/e@1, text: "Runs at 50 Hz."}]
offsets: [{space: sentence, ref: w/d@1, spans: [[0, 14], [15, 19]]}]
rules: [{id: r, kind: single-valued, relation: rate}]
need: n
components: {a: {anchor: {ref: w/d@1, space: sentence, start: 0, end: 1}}}
accept: [[a]]
claims:
  - {id: c1, anchor: {ref: w/d@1, exact: "40 Hz"}, says: [pump, rate, 40 Hz]}
  - {id: c2, anchor: {ref: w/e@1, exact: "50 Hz"}, says: [pump, rate, 50 Hz]}
selected: [{ref: w/d@1, start: 0, end: 19}]
""")
    assert answers(result)["conflict"]["claim"] == "c1"
    assert answers(result)["verdict"] == "refused"


LISTS = """
documents: [{ref: w/d@1, text: "One. Two. Three."}]
offsets: [{space: sentence, ref: w/d@1, spans: [[0, 4], [5, 9], [10, 16]]}]
need: n
components: {a: {anchor: {ref: w/d@1, start: 5, end: 8}}}
accept: [[a]]
candidates: [{%sref: w/d@1, space: sentence, start: 0, end: 2}]
selected: [{%sref: w/d@1, start: 0, end: %s}]
"""


@pytest.mark.parametrize(("ids", "rule"), [("", "unit-not-a-candidate"), ("unit: u, ", "unit-moved")])
def test_a_unit_is_the_candidate_that_has_its_characters(ids, rule):
    same = LISTS % (ids, ids, 9)
    assert rule not in rules(audit(same))
    assert rule in rules(audit(LISTS % (ids, ids, 8)))
    assert rule in rules(audit(re.sub("offsets: .*", "", same)))


NEEDS = [
    {"need": "n1", "components": {"a": {"anchor": {"ref": "w/d@1", "exact": "two here"}}}, "accept": [["a"]]},
    {
        "need": "n2",
        "components": {"a": {"anchor": {"ref": "w/d@1", "space": "line", "start": 1, "end": 2}}},
        "accept": [["a"]],
    },
    {
        "need": "n3",
        "components": {"a": {"anchor": {"ref": "w/d@1", "space": "sentence", "start": 0, "end": 1}}},
        "accept": [["a"]],
    },
]
FILES = {
    "needs.jsonl": "".join(json.dumps(need) + "\n" for need in NEEDS),
    "documents.csv": 'source,doc,version,text\nw,d,1,"one there\ntwo here\nthree"\n',
    "selected.csv": "need,source,doc,version,space,start,end\nn1,w,d,1,line,1,2\nn2,w,d,1,,9,19\nn3,w,d,1,,0,14\n",
    "offsets.csv": "source,doc,version,space,index,start,end\nw,d,1,sentence,0,0,9\nw,d,1,sentence,1,10,24\n",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ask(*options, code=0):
    done = CliRunner().invoke(
        app, ["bundles", "--needs", "needs.jsonl", "--selected", "selected.csv", *options, "--format", "json"]
    )
    assert done.exit_code == code, done.output
    return json.loads(done.stdout)


def verdicts(found):
    return {row["need"]: (row["verdict"], row["reason"]) for row in found["needs"]}


BOTH = ("--documents", "documents.csv", "--offsets", "line", "--offsets", "offsets.csv")
SATISFIED = ("satisfied", None)


def test_the_command_takes_tables_and_makes_those_of_lines(folder):
    found = ask(*BOTH)
    assert verdicts(found) == dict.fromkeys(("n1", "n2", "n3"), SATISFIED)
    assert found["convention"]["offsets"] == ["line: made from the documents", "sentence: given"]
    assert "offsets.csv" in {record["path"] for record in found["inputs"]}
    without = ask("--documents", "documents.csv", code=1)
    assert verdicts(without) == dict.fromkeys(("n1", "n2", "n3"), ("withheld", "need-error"))
    assert "offsets" not in without["convention"]


def test_a_table_without_documents_compares_too(folder):
    found = ask("--offsets", "offsets.csv", code=1)
    assert verdicts(found)["n3"] == SATISFIED
    assert verdicts(found)["n2"] == ("withheld", "need-error")


def test_a_plain_table_of_units_compares_as_every_other_one(folder):
    """Flat needs and units without documents take another way through the program; the answers are the same."""
    flat = "need,bundle,component,source,doc,version,space,start,end\nn3,1,a,w,d,1,sentence,1,2\nn2,1,a,w,d,1,,10,14\n"
    (folder / "needs.csv").write_text(flat)
    (folder / "flat.csv").write_text("need,source,doc,version,space,start,end\nn3,w,d,1,,9,24\nn2,w,d,1,sentence,0,1\n")
    nested = [
        {"need": "n3", "components": {"a": {"anchor": {"ref": "w/d@1", "space": "sentence", "start": 1, "end": 2}}}},
        {"need": "n2", "components": {"a": {"anchor": {"ref": "w/d@1", "start": 10, "end": 14}}}},
    ]
    told = [
        evaudit.cover(needs=given, selected="flat.csv", offsets="offsets.csv").needs.to_pylist()
        for given in ("needs.csv", [need | {"accept": [["a"]]} for need in nested])
    ]
    assert told[0] == told[1]
    assert [(row["verdict"], row["reason"]) for row in told[0]] == [SATISFIED, ("incomplete", "uncovered")]


def test_lines_are_made_from_texts_alone(folder):
    done = CliRunner().invoke(
        app, ["bundles", "--needs", "needs.jsonl", "--selected", "selected.csv", "--offsets", "line"]
    )
    assert "give --documents with texts" in str(done.exception)
    with pytest.raises(UsageError, match="give --documents with texts"):
        evaudit.cover(needs="needs.jsonl", selected="selected.csv", offsets=["paragraph"])


BAD = {
    "a number again": ("w,d,1,sentence,1,20,24\n", 4, "expected each piece once, found number 1 again"),
    "backwards": ("w,d,1,sentence,2,12,20\n", 4, "expected pieces in the order of the text"),
    "ends before it begins": ("w,d,1,page,0,9,4\n", 4, "ends where it begins or later, found 9-4"),
    "outside": ("w,d,1,page,0,0,99\n", 4, "within the text of 24 characters, found 0-99"),
    "no space": ("w,d,1,chapter,0,0,9\n", 4, "expected a space"),
    "characters": ("w,d,1,char,0,0,9\n", 4, "expected a space"),
    "no number": ("w,d,1,page,x,0,9\n", 4, "expected a whole number from 0 under 'index', found 'x'"),
    "no document": ("w,,1,page,0,0,9\n", 4, "expected a source, doc and version"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_table_that_breaks_the_order_of_the_text_is_refused_with_its_line(folder, name):
    row, line, words = BAD[name]
    (folder / "offsets.csv").write_text(FILES["offsets.csv"] + row)
    with pytest.raises(InvalidDocumentError) as caught:
        evaudit.cover(needs="needs.jsonl", selected="selected.csv", documents="documents.csv", offsets="offsets.csv")
    (found,) = caught.value.findings
    assert (found.rule, found.where.line) == ("offsets-invalid", line)
    assert words in found.message


@pytest.mark.parametrize(
    ("offsets", "words"),
    [
        ("{space: sentence}", "only line and paragraph are made from texts"),
        ("{space: char}", "characters and whole documents need no offsets"),
        ("{space: page, ref: w/d@1}", "expected ref and spans"),
        ("{space: page, ref: w/d@1, spans: [[0, 99]]}", "within the text of 9 characters"),
        ("{space: page, ref: w/d@1, spans: [[4, 8], [0, 3]]}", "in the order of the text"),
        ("{space: page, ref: w/d@1, spans: [[0, 3]]}, {space: page, ref: w/d@1, spans: [[0, 3]]}", "once"),
    ],
)
def test_a_control_refuses_offsets_that_do_not_fit(offsets, words):
    with pytest.raises(InvalidDocumentError, match=re.escape(words)):
        audit(f"documents: [{{ref: w/d@1, text: '123456789'}}]\noffsets: [{offsets}]\nneed: n\nselected: []")


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("ab \t\r\n\u2028"), max_size=30))
def test_lines_and_paragraphs_are_what_their_rules_say(text):
    parts = re.split(r"\r\n|\r|\n", text)
    parts = parts[:-1] if parts[-1] == "" else parts
    assert [text[start:end] for start, end in lines(text)] == parts
    runs = re.findall(r"(?:^|(?<=\n)|(?<=\r))(?:[^\S\r\n]*[^\s\r\n][^\r\n]*(?:\r\n|\r|\n|$))+", text)
    assert [text[start:end] for start, end in paragraphs(text)] == [re.sub(r"[\r\n]+$", "", run) for run in runs]
    for maker in MAKERS.values():
        spans = maker.make(text)
        assert spans == sorted(spans)
        assert all(a[1] <= b[0] for a, b in pairwise(spans))


def test_a_table_that_no_position_needs_is_reported(folder):
    (folder / "other.csv").write_text("source,doc,version,space,index,start,end\nw,other,1,page,0,0,9\n")
    found = ask(*BOTH, "--offsets", "other.csv")
    reported = [(f["severity"], f["facts"]) for f in found["findings"] if f["rule"] == "offsets-unused"]
    assert reported == [("note", {"space": "page"})]
    assert verdicts(found) == dict.fromkeys(("n1", "n2", "n3"), SATISFIED)
    assert "offsets-unused" not in {f["rule"] for f in ask(*BOTH)["findings"]}


def of_annotations(*options):
    arguments = [
        "bundles",
        "--from",
        "web-annotation",
        "--gold",
        "g.jsonl",
        "--predicted",
        "p.jsonl",
        "--format",
        "json",
    ]
    done = CliRunner().invoke(app, [*arguments, "--documents", "documents.csv", *options])
    return json.loads(done.stdout)


def test_positions_of_a_foreign_format_compare_through_tables_too(folder):
    """The annotation is in characters, the selected unit in lines."""
    (folder / "documents.csv").write_text('source,doc,version,text\nweb,x,1,"one there\ntwo here\nthree"\n')
    selector = {"type": "TextPositionSelector", "start": 10, "end": 13}
    (folder / "g.jsonl").write_text(json.dumps({"id": "a", "target": {"source": "x", "selector": selector}}) + "\n")
    for line, verdict in ((1, SATISFIED), (0, ("incomplete", "uncovered"))):
        unit = {"source": "x", "space": "line", "start": line, "end": line + 1}
        (folder / "p.jsonl").write_text(json.dumps({"need": "a", "selected": [unit]}) + "\n")
        assert verdicts(of_annotations())["a"] == ("withheld", "need-error")
        found = of_annotations("--offsets", "line")
        assert verdicts(found)["a"] == verdict
        assert found["convention"]["offsets"] == ["line: made from the documents"]
