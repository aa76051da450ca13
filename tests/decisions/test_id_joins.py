"""Ids of ledgers, rosters and label files: near misses by name, with what differs, and lists without a join."""

from __future__ import annotations

import json
import random

import pyarrow as pa
import pyarrow.parquet
import pytest
from workspaces import Workspace

SHORT = ["--endpoint", "E=in", "--undecided", "none", "--positive", "1"]
COHORT = """schema: evaudit/cohort@1
id: test
source: {path: log.csv}
states: {in: {decided: yes}, out: {decided: yes}}
endpoints: {E: [in]}
labels:
  positive: ["1"]
  negative: ["0"]
  source: {path: truth.csv, others: ignore}
  provenance: {kind: adjudicated}
"""


def ledger(*ids: str) -> str:
    return "candidate_id,state\n" + "".join(f'"{one}",{"out" if n % 2 else "in"}\n' for n, one in enumerate(ids))


def truth(*ids: str) -> str:
    return "candidate_id,label\n" + "".join(f'"{one}",{n % 2}\n' for n, one in enumerate(ids))


def near(result: dict[str, object]) -> list[dict[str, object]]:
    return [f for f in result["findings"] if f["rule"] == "cohort-id-near-miss"]  # type: ignore[attr-defined]  # JSON


WAYS = {
    "leading zeros": ("1", "2", "3", "4"), "decimal zeros": ("7", "12", "3", "4"), "URL scheme": ("a", "b", "c", "d"),
    "file ending": ("a", "b", "c", "d"), "underscore for a space": ("a x", "b x", "c x", "d x"),
    "percent-encoding": ("a x", "b x", "c x", "d x"), "HTML entities": ("a&x", "b&x", "c&x", "d&x"),
}  # fmt: skip
RESPELLED = {
    "leading zeros": lambda one: f"00{one}", "decimal zeros": lambda one: f"{one}.0", "URL scheme": lambda one: f"https://{one}",
    "file ending": lambda one: f"{one}.md", "underscore for a space": lambda one: one.replace(" ", "_"),
    "percent-encoding": lambda one: one.replace(" ", "%20"), "HTML entities": lambda one: one.replace("&", "&amp;"),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_a_difference_of_three_ids_is_an_error_that_names_both_spellings(workspace: Workspace, way: str) -> None:
    ids = WAYS[way]
    other = [RESPELLED[way](one) for one in ids[:3]]
    workspace.write({"c.yaml": COHORT, "log.csv": ledger(*ids), "truth.csv": truth(*other, ids[3])})
    result = workspace.json("c.yaml", exit_code=1)
    (told,) = near(result)
    assert told["severity"] == "error"
    for one, respelled in zip(ids[:3], other, strict=True):
        assert f"{respelled!r} for {one!r} ({way})" in str(told["message"])
    assert result["findings"][0] == told
    assert {f["undefined"] for f in result["figures"]} == {"cohort-not-reconciled"}


def test_two_near_misses_among_many_are_a_warning_above_the_figures(workspace: Workspace) -> None:
    files = {"log.csv": ledger("1", "2", "3", "4"), "truth.csv": truth("1", "2", "03", "04.md")}
    workspace.write({"c.yaml": COHORT + "roster: all.txt\n", "all.txt": "1\n2\n3\n4\n", **files})
    result = workspace.json("c.yaml")
    (told,) = near(result)
    assert (told["severity"], result["findings"][0]) == ("warning", told)
    assert "'03' for '3' (leading zeros), '04.md' for '4' (file ending, leading zeros)" in str(told["message"])
    table = workspace.run("c.yaml")[1]
    assert table.index("cohort-id-near-miss") < table.index("recall(")
    markdown = workspace.run("c.yaml", "--format", "markdown")[1]
    assert markdown.index("cohort-id-near-miss") < markdown.index("recall(")


def test_every_id_of_a_small_list_is_an_error(workspace: Workspace) -> None:
    workspace.write({"c.yaml": COHORT, "log.csv": ledger("1", "2", "3"), "truth.csv": truth("01")})
    assert near(workspace.json("c.yaml", exit_code=1))[0]["severity"] == "error"


def test_both_spellings_in_both_lists_are_two_candidates(workspace: Workspace) -> None:
    workspace.write({"c.yaml": COHORT, "log.csv": ledger("1", "01", "3"), "truth.csv": truth("1", "01")})
    assert workspace.json("c.yaml")["findings"] == []


def test_lists_without_a_common_id_are_an_error(workspace: Workspace) -> None:
    files = {"log.csv": ledger("1", "2"), "truth.csv": truth("x", "y", "z"), "all.txt": "1\n2\n"}
    workspace.write({"c.yaml": COHORT + "roster: all.txt\n", **files})
    result = workspace.json("c.yaml", exit_code=1)
    assert [f["rule"] for f in result["findings"]] == ["cohort-ids-disjoint"]
    message = result["findings"][0]["message"]
    assert "the ledger holds '1', '2'" in message and "truth.csv 'x', 'y', 'z'" in message


def test_the_roster_tells_near_misses_and_that_nothing_joins(workspace: Workspace) -> None:
    rows = "candidate_id,state,label\n1,in,1\n2,out,1\n3,in,1\n"
    workspace.write({"log.csv": rows, "all.csv": "candidate_id\n001\n002\n003\n"})
    result = workspace.json("log.csv", *SHORT, "--roster", "all.csv", exit_code=1)
    assert [f["rule"] for f in result["findings"]] == [
        "cohort-id-near-miss", "cohort-lost-candidate", "cohort-stray-candidate",
    ]  # fmt: skip
    assert "'001' for '1' (leading zeros)" in result["findings"][0]["message"]
    assert "which has no id in common with it" in result["findings"][1]["message"]


def test_two_ledgers_of_other_spellings_are_not_compared(workspace: Workspace) -> None:
    now = "candidate_id,state,label\n1,in,1\n2,out,0\n3,out,1\n"
    workspace.write({"now.csv": now, "before.csv": now.replace("\n", "\n0").removesuffix("0")})
    result = workspace.json("now.csv", "--against", "before.csv", *SHORT, "--negative", "0", exit_code=1)
    assert [f["rule"] for f in result["findings"]] == ["cohort-ids-disjoint", "cohort-id-near-miss"]
    assert "comparison" not in result and "nothing is compared" in " ".join(result["notes"])


def test_every_form_of_a_label_file_tells_the_same(workspace: Workspace) -> None:
    workspace.write(
        {"c.yaml": COHORT, "log.csv": ledger("1", "2", "3", "4"), "truth.csv": truth("01", "02", "03", "4")}
    )
    told = near(workspace.json("c.yaml", exit_code=1))[0]["message"]
    table = pa.table({"candidate_id": ["01", "02", "03", "4"], "label": ["0", "1", "0", "1"]})
    pa.parquet.write_table(table, workspace.folder / "truth.parquet")
    workspace.write({"truth.jsonl": "".join(json.dumps(row) + "\n" for row in table.to_pylist())})
    for form in ("parquet", "jsonl"):
        workspace.write({"c.yaml": COHORT.replace("truth.csv", f"truth.{form}")})
        assert near(workspace.json("c.yaml", exit_code=1))[0]["message"] == str(told).replace(".csv", f".{form}")


def _plainly(one: str) -> str:
    """The folding of this test: its ids differ in nothing else."""
    return one.strip().lower().removesuffix(".md").removesuffix(".0").lstrip("0").replace("_", " ")


@pytest.mark.parametrize("seed", range(120))
def test_near_misses_are_those_of_a_fold_and_join_by_hand(workspace: Workspace, seed: int) -> None:
    rng = random.Random(seed)
    spell = [str, str.upper, lambda one: f"{one}.md", lambda one: f"00{one}", lambda one: one.replace(" ", "_")]
    plain = [f"{n} x" for n in rng.sample(range(1, 40), rng.randint(1, 8))]
    known = [rng.choice(spell[:2])(one) for one in plain if rng.random() < 0.8] or ["1 x"]
    given = [rng.choice(spell)(one) for one in plain if rng.random() < 0.8] or ["2 x"]
    workspace.write({"c.yaml": COHORT, "log.csv": ledger(*known), "truth.csv": truth(*given)})
    code, out, _ = workspace.run("c.yaml", "--format", "json")
    found = evaudit_findings(out)
    expected = {
        (one, other) for one in given for other in known
        if one not in known and _plainly(one) == _plainly(other) and one.strip().lower() != other.strip().lower()
    }  # fmt: skip
    told = "".join(f["message"] for f in found if f["rule"] == "cohort-id-near-miss")
    assert {(one, other) for one in given for other in known if f"{one!r} for {other!r} (" in told} == expected
    assert ("cohort-ids-disjoint" in {f["rule"] for f in found}) == (not set(given) & set(known))
    assert code == int(any(f["severity"] == "error" for f in found))


def evaudit_findings(out: str) -> list[dict[str, str]]:
    return list(json.loads(out)["findings"])
