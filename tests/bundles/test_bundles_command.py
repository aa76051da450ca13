"""The command over tables: CSV, JSON Lines and Parquet give one answer, and an error of one need stays with it."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from typer.testing import CliRunner

from evaudit.cli import app
from evaudit.errors import InvalidDocumentError, NothingToCheckError, UsageError

FILES = {
    "needs.jsonl": "\n".join(
        json.dumps(row)
        for row in (
            {
                "need": "n1", "topic": "pumps", "accept": [["a", "b"]],
                "components": {"a": {"anchor": {"ref": "wiki/pump-a@1", "exact": "Pump A runs at 40 Hz."}},
                               "b": {"anchor": {"ref": "wiki/pump-b@1", "start": 0, "end": 21}}},
            },
            {
                "need": "n2", "topic": "reset", "accept": [["reset", "battery"]],
                "components": {"reset": {"anchor": {"ref": "wiki/pump-a@1", "exact": "Pump A"}},
                               "battery": {"absent": {"inventory": ["wiki/pump-a@1"], "declared_by": "author"}}},
            },
            {"need": "n3", "topic": "reset", "components": {}, "accept": []},
            {
                "need": "n4", "topic": "pumps", "accept": [["a"]],
                "components": {"a": {"any_of": [{"ref": "wiki/pump-a@1", "start": 0, "end": 6},
                                                {"ref": "wiki/pump-b@1", "start": 0, "end": 6}]}},
            },
        )
    ),
    "needs.csv": "need,bundle,component,source,doc,version,start,end,topic\n"
    "n1,1,a,wiki,pump-a,1,0,21,pumps\nn1,1,b,wiki,pump-b,1,0,21,pumps\n"
    "n4,1,a,wiki,pump-a,1,0,6,pumps\nn4,1,a,wiki,pump-b,1,0,6,pumps\n",
    "selected.csv": "need,rank,unit,source,doc,version,start,end,stop\n"
    "n1,2,p2,,,,,,claimed-sufficient\nn1,1,p1,wiki,pump-a,1,0,21,claimed-sufficient\nn4,1,q,wiki,pump-b,1,0,9,\n",
    "candidates.csv": "need,rank,unit,source,doc,version,start,end\n"
    "n1,1,p1,wiki,pump-a,1,0,21\nn1,2,p2,wiki,pump-b,1,0,21\nn4,1,q,wiki,pump-b,1,0,9\n",
    "units.csv": "unit,source,doc,version,start,end\np1,wiki,pump-a,1,0,21\np2,wiki,pump-b,1,0,21\n",
    "documents.csv": "source,doc,version,status,access,text\n"
    "wiki,pump-a,1,current,public,Pump A runs at 40 Hz.\nwiki,pump-b,1,current,,Pump B runs at 50 Hz.\n",
    "view.yaml": "schema: evaudit/view@1\nview: {name: current, statuses: [current], access: [public]}\n",
    "rules.yaml": "schema: evaudit/rules@1\nrules: [{id: one, kind: single-valued, relation: rate}]\n",
    "claims.csv": "need,claim,subject,relation,object,source,doc,version,start,end\n"
    "n1,c1,A,rate,40 Hz,wiki,pump-a,1,0,21\n,c2,A,rate,50 Hz,wiki,pump-b,1,0,21\n",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*options, code=0):
    result = CliRunner().invoke(app, ["bundles", *options], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.output


def ask(*options, code=0):
    return json.loads(run(*options, "--format", "json", code=code))


def verdicts(found):
    return {row["need"]: (row["verdict"], row["reason"]) for row in found["needs"]}


def figure(found, name, need):
    shown = next(f for f in found["figures"] if f["name"] == name and f["need"] == need)
    return shown["undefined"] or (shown["num"], shown["den"])


BOTH = (
    *("--needs", "needs.jsonl", "--selected", "selected.csv", "--candidates", "candidates.csv"),
    *("--documents", "documents.csv"),
)


def test_tables_are_judged_need_by_need(folder):
    found = ask(*BOTH, "--units", "units.csv")
    assert verdicts(found) == {
        "n1": ("satisfied", None), "n2": ("incomplete", "absent-component"), "n3": ("undefined", "no-requirement"),
        "n4": ("satisfied", None),
    }  # fmt: skip
    assert figure(found, "candidate-recall", "n1") == (2, 2)
    mean = next(m for m in found["means"] if m["name"] == "bundle-coverage")
    assert (mean["n"], mean["n_missing"], mean["n_undefined"]) == (3, 1, {"no-requirement": 1})
    assert [row.get("min_units_needed") for row in found["needs"]] == [2, None, None, 1]
    assert found["stop_by_verdict"]["claimed-sufficient"] == {"satisfied": 1}


def test_a_view_takes_what_it_does_not_allow(folder):
    found = ask(*BOTH, "--view", "view.yaml")
    assert verdicts(found)["n1"] == ("incomplete", "ineligible")
    assert figure(found, "complete-ignoring-eligibility", "n1") == (1, 1)


def test_claims_of_every_need_oppose_those_of_one(folder):
    found = ask(*BOTH, "--claims", "claims.csv", "--rules", "rules.yaml")
    assert verdicts(found)["n1"] == ("refused", None)


def test_nested_flat_and_parquet_tables_give_one_answer(folder):
    documents = ("--documents", "documents.csv")
    nested = ask(*BOTH)
    flat_options = ("--needs", "needs.csv", "--selected", "selected.csv", "--candidates", "candidates.csv", *documents)
    flat = ask(*flat_options, code=0)
    for name in ("needs", "selected", "candidates"):
        table = pyarrow.csv.read_csv(
            f"{name}.csv", convert_options=pyarrow.csv.ConvertOptions(strings_can_be_null=True)
        )
        columns = {c: table[c].cast(pa.string()) if c == "version" else table[c] for c in table.column_names}
        pyarrow.parquet.write_table(pa.table(columns), f"{name}.parquet")
    parquet = ask(*[option.replace(".csv", ".parquet") if "doc" not in option else option for option in flat_options])
    for need in ("n1", "n4"):
        for mean in nested["means"]:
            if "mean" not in mean["params"]:
                answer = figure(nested, mean["name"], need)
                assert figure(flat, mean["name"], need) == figure(parquet, mean["name"], need) == answer


def test_nested_needs_may_stand_in_a_partitioned_folder(folder):
    rows = FILES["needs.jsonl"].split("\n")
    for name, part in {"size=two/a.jsonl": rows[:2], "size=small/b.jsonl": rows[2:], "_not/this.txt": ["x"]}.items():
        (folder / "parts" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "parts" / name).write_text("\n".join(part) + "\n")
    one, parts = ask(*BOTH), ask("--needs", "parts", *BOTH[2:], "--by", "size")
    assert sorted(map(str, parts["needs"])) == sorted(map(str, one["needs"]))
    assert [record["path"] for record in parts["inputs"][:2]] == ["parts/size=small/b.jsonl", "parts/size=two/a.jsonl"]
    assert [(g["value"], g["needs"]) for g in parts["by"]["groups"]] == [("small", 2), ("two", 2)]
    (folder / "parts" / "size=two" / "c.jsonl").write_text("\n" + rows[3] + "\n")
    found = ask("--needs", "parts", *BOTH[2:], code=1)["findings"][0]
    assert (found["rule"], found["where"]["path"], found["where"]["line"]) == (
        "need-repeated",
        "parts/size=two/c.jsonl",
        2,
    )
    assert "in parts/size=small/b.jsonl, line 2" in found["message"]
    (folder / "parts" / "size=two" / "c.jsonl").write_text('{"need": 7, "components": {}, "accept": []}\n')
    checked = CliRunner().invoke(app, ["anchors", "check", "--needs", "parts", "--documents", "documents.csv"])
    assert "5 anchors" in checked.stdout
    moved = CliRunner().invoke(app, ["anchors", "refresh", "--needs", "parts", "--documents", "documents.csv"])
    assert isinstance(moved.exception, UsageError) and "plain .jsonl" in str(moved.exception)


def test_the_order_of_rows_does_not_matter_where_ranks_are_given(folder):
    first = ask(*BOTH, "--budget-units", "1")
    head, *rows = FILES["selected.csv"].strip().split("\n")
    Path("selected.csv").write_text("\n".join([head, *reversed(rows)]) + "\n")
    second = ask(*BOTH, "--budget-units", "1")
    assert first["figures"] == second["figures"]
    assert verdicts(first)["n1"] == ("incomplete", "over-budget")
    assert [row.get("budget_feasible") for row in first["needs"]] == [False, False, None, True]


def test_a_need_that_cannot_be_read_or_stands_twice_is_withheld(folder):
    first = json.loads(FILES["needs.jsonl"].split("\n")[0])
    odd = {"need": "n5", "components": {"a": {"anchor": {"ref": "pump-a", "start": 0, "end": 6}}}, "accept": [["a"]]}
    Path("needs.jsonl").write_text("\n".join([FILES["needs.jsonl"], json.dumps(odd), json.dumps(first)]))
    found = ask(*BOTH, code=1)
    assert [(f["rule"], f["need"], f["where"]["line"]) for f in found["findings"]] == [
        ("document-invalid", "n5", 5),
        ("need-repeated", "n1", 6),
    ]
    assert verdicts(found)["n1"] == verdicts(found)["n5"] == ("withheld", "need-error")


def test_a_flat_row_with_half_a_place_is_need_invalid(folder):
    Path("needs.csv").write_text(FILES["needs.csv"] + "n4,1,,wiki,pump-b,1,0,6,pumps\n")
    found = ask("--needs", "needs.csv", *BOTH[2:], code=1)
    assert [(f["rule"], f["where"]["line"]) for f in found["findings"]] == [("need-invalid", 6)]
    assert verdicts(found)["n4"] == ("withheld", "need-error")


def test_a_budget_in_tokens_needs_the_tokens_of_every_unit(folder):
    found = ask(*BOTH, "--budget-tokens", "9", code=1)
    assert {f["rule"] for f in found["findings"]} == {"unit-length-unknown"}
    assert verdicts(found)["n1"] == ("withheld", "need-error")


def test_a_claim_of_unknown_place_withholds_the_need_that_it_could_oppose_and_is_reported(folder):
    Path("claims.csv").write_text(FILES["claims.csv"].replace(",wiki,pump-b,1,0,21", ",wiki,pump-b,1,0,99"))
    found = ask(*BOTH, "--claims", "claims.csv", "--rules", "rules.yaml")
    assert {f["rule"] for f in found["findings"]} == {"claim-unlocated"}
    assert verdicts(found)["n1"] == ("withheld", "claim-unlocated")


ERRORS = {
    "unit-id-repeated": ("selected.csv", "n1,3,p1,wiki,pump-a,1,0,5,claimed-sufficient\n"),
    "unit-rank-repeated": ("selected.csv", "n1,2,p5,wiki,pump-a,1,0,5,claimed-sufficient\n"),
    "unit-unknown": ("selected.csv", "n1,3,p7,,,,,,claimed-sufficient\n"),
    "unit-invalid": ("selected.csv", "n1,3,p5,wiki,pump-a,1,zero,5,claimed-sufficient\n"),
}


@pytest.mark.parametrize("rule", sorted(ERRORS))
def test_an_error_of_one_need_withholds_its_figures_and_no_others(folder, rule):
    name, row = ERRORS[rule]
    before = ask(*BOTH)
    Path(name).write_text(FILES[name] + row)
    after = ask(*BOTH, code=1)
    found = next(f for f in after["findings"] if f["rule"] == rule)
    assert (found["need"], found["where"]["path"], found["where"]["line"]) == ("n1", name, 5)
    assert figure(after, "bundle-coverage", "n1") == "need-error"
    assert verdicts(after)["n1"] == ("withheld", "need-error")
    assert figure(after, "bundle-coverage", "n4") == figure(before, "bundle-coverage", "n4")


def test_a_bad_need_is_named_by_line_and_withheld(folder):
    components = {"a": {"anchor": {"ref": "wiki/pump-a@1", "start": 0, "end": 6}}}
    bad = "\n" + json.dumps({"need": "n5", "components": components, "accept": [["x"]]}) + "\n"
    Path("needs.jsonl").write_text(FILES["needs.jsonl"] + bad)
    found = ask(*BOTH, code=1)
    assert [(f["rule"], f["where"]["line"]) for f in found["findings"] if f["need"] == "n5"] == [
        ("bundle-unknown-component", 5)
    ]
    assert verdicts(found)["n5"] == ("withheld", "need-error")
    assert verdicts(found)["n1"] == ("satisfied", None)


def test_a_row_of_an_unknown_need_is_an_error_and_in_no_figure(folder):
    Path("selected.csv").write_text(FILES["selected.csv"] + "n9,1,z,wiki,pump-a,1,0,5,\n")
    found = ask(*BOTH, code=1)
    assert [(f["rule"], f["where"]["line"]) for f in found["findings"]] == [("need-unknown", 5)]


def test_a_fabricated_reference_is_an_error_that_leaves_the_figures_standing(folder):
    Path("selected.csv").write_text(FILES["selected.csv"] + "n2,1,z,wiki,pump-a,7,0,5,\n")
    found = ask(*BOTH, code=1)
    assert "reference-fabricated" in [f["rule"] for f in found["findings"]]
    assert figure(found, "components-covered", "n2") == (0, 2)


def test_a_row_that_cannot_be_read_refuses_the_file(folder):
    Path("selected.csv").write_text(FILES["selected.csv"] + "n2,1\n")
    with pytest.raises(InvalidDocumentError) as caught:
        CliRunner().invoke(app, ["bundles", *BOTH], catch_exceptions=False)
    assert caught.value.findings[0].where.line == 5


def test_groups_lint_and_the_story_of_a_need_are_on_request(folder):
    text = run(*BOTH, "--by", "topic", "--lint", "--show", "n1", "--budget-units", "2")
    for words in ("4 needs", "by topic", "bundle-names-absent", "need n1", "wiki/pump-b@1 char 0-21", "why incomplete"):
        assert words in text
    groups = ask(*BOTH, "--by", "topic")["by"]["groups"]
    assert [(g["value"], g["needs"]) for g in groups] == [("pumps", 2), ("reset", 2)]


def test_options_that_do_not_fit_are_refused(folder):
    runner = CliRunner()
    for options in (
        ("--needs", "needs.jsonl"),
        ("--from", "fever"),
        (*BOTH, "--budget-units", "1", "--budget-chars", "2"),
    ):
        assert runner.invoke(app, ["bundles", *options]).exit_code != 0


def test_no_result_is_written_over_what_is_read(folder):
    (folder / "link.csv").symlink_to(folder / "selected.csv")
    (folder / "hard.csv").hardlink_to(folder / "selected.csv")
    (folder / "parts").mkdir()
    (folder / "parts" / "a.jsonl").write_text(FILES["needs.jsonl"])
    for needs, output in (
        ("needs.jsonl", "needs.jsonl"),
        ("needs.jsonl", "link.csv"),
        ("needs.jsonl", "hard.csv"),
        ("needs.jsonl", "./documents.csv"),
        ("parts", "parts/rows.jsonl"),
        ("parts", "parts/a.jsonl"),
    ):
        for form in ([], ["--format", "json"]):
            given = ["bundles", "--needs", needs, *BOTH[2:], "-o", output, *form]
            refused = CliRunner().invoke(app, given)
            assert isinstance(refused.exception, UsageError) and "an input of the command" in str(refused.exception)
    assert {name: (folder / name).read_text() for name in FILES} == FILES
    assert [p.name for p in (folder / "parts").iterdir()] == ["a.jsonl"]


class TestWhatTheReviewersMet:
    def test_no_need_is_nothing_to_check(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        Path("g.jsonl").write_text("")
        Path("p.jsonl").write_text("")
        for asked in (
            ["--needs", "g.jsonl", "--selected", "p.jsonl"],
            ["--from", "fever", "--gold", "g.jsonl", "--predicted", "p.jsonl"],
        ):
            done = CliRunner().invoke(app, ["bundles", *asked])
            assert isinstance(done.exception, NothingToCheckError), asked

    @pytest.mark.parametrize(
        ("need", "said"),
        [
            ('"components":{"a":{"anchor":{"ref":"s/d@1","strat":0,"end":5}}},"accept":[["a"]]', "did you mean start?"),
            ('"components":{"a":{"anchor":{"ref":"s/d@1","start":0,"end":5}}},"acept":[["a"]]', "did you mean accept?"),
        ],
    )
    def test_a_misspelt_field_of_a_need_is_an_error_with_advice(
        self, need: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("needs.jsonl").write_text(f'{{"need":"n1",{need}}}\n')
        Path("sel.csv").write_text("need,rank,unit,source,doc,version,start,end\nn1,1,u1,s,d,1,0,9\n")
        found = ask("--needs", "needs.jsonl", "--selected", "sel.csv", code=1)
        (one,) = found["findings"]
        assert one["rule"] == "unknown-field" and said in one["message"] and one["where"]["line"] == 1
        assert found["verdicts"]["withheld"] == 1

    def test_a_broken_path_over_covered_anchors_is_no_uncovered_anchor(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        anchors = '"a":{"anchor":{"ref":"s/d@1","start":0,"end":5}},"b":{"anchor":{"ref":"s/d@1","start":5,"end":7}}'
        claims = '{"id":"c1","component":"a","says":["x","r","y"]},{"id":"c2","component":"b","says":["y","r","z"]}'
        Path("needs.jsonl").write_text(
            f'{{"need":"n1","components":{{{anchors}}},"accept":[["a","b"]],"claims":[{claims}],"path":["c2","c1"]}}\n'
        )
        Path("sel.csv").write_text("need,rank,unit,source,doc,version,start,end\nn1,1,u1,s,d,1,0,9\n")
        found = ask("--needs", "needs.jsonl", "--selected", "sel.csv", code=0)
        (one,) = found["needs"]
        assert (one["verdict"], one["reason"], one["path"]) == ("incomplete", None, "broken-chain")
        assert found["reasons"] == {}
        assert [(f["rule"], f["where"]["line"]) for f in found["findings"]] == [("path-broken", 1)]

    def test_losses_and_survivors_make_up_what_was_required_as_the_text_of_stage_ledger_says(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        for name in ("needs.csv",):
            Path(name).write_text(FILES[name])
        Path("sel.csv").write_text("need,rank,unit,source,doc,version,start,end\nn1,1,u1,wiki,pump-a,1,0,30\n")
        stages = ask("--needs", "needs.csv", "--selected", "sel.csv", code=0)["stages"]
        lost = sum(n for n in stages["lost"].values() if n)
        assert stages["required"] == lost + stages["survived"]
        explained = CliRunner().invoke(app, ["explain", "stage-ledger"])
        assert "stage-ledger" in explained.output
