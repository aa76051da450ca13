"""Near misses and what they withhold, in the files of other tools and against a folding and a join by hand."""

from __future__ import annotations

import json
import random
import unicodedata

import pyarrow as pa
import pytest
from join_rows import APART, NEAR, Row, command, need, unit

from evaudit.audits.bundle_partials import Wanted
from evaudit.audits.bundles import Running, Tables, audit_tables
from evaudit.formats import near_keys
from evaudit.near_ids import folded

FEVER = [
    ({"id": 1, "label": "SUPPORTS", "evidence": [[[1, 1, "NeXT", 0]]]}, [["Next", 0], ["b", 1]]),
    ({"id": 2, "label": "SUPPORTS", "evidence": [[[1, 1, "b", 0]]]}, [["b", 0]]),
]
HOTPOT = [
    ({"_id": "1", "supporting_facts": [["NeXT", 0]], "answer": "x"}, [["Next", 0], ["b", 1]]),
    ({"_id": "2", "supporting_facts": [["b", 0]], "answer": "x"}, [["b", 0]]),
]


def foreign(folder, name: str, found: list[list[object]]) -> tuple[str, str]:
    ending = {"hotpotqa": "json", "qrels": "txt"}.get(name, "jsonl")
    gold, predicted = folder / f"gold.{ending}", folder / f"predicted.{ending}"
    if name == "fever":
        gold.write_text("".join(json.dumps(row) + "\n" for row, _ in FEVER))
        rows = [
            {"id": row["id"], "predicted_label": "SUPPORTS", "predicted_evidence": p}
            for (row, _), p in zip(FEVER, found, strict=True)
        ]
        predicted.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif name == "hotpotqa":
        gold.write_text(json.dumps([row for row, _ in HOTPOT]))
        predicted.write_text(
            json.dumps({"sp": {r["_id"]: p for (r, _), p in zip(HOTPOT, found, strict=True)}, "answer": {}})
        )
    elif name == "kilt":
        pages = [[{"provenance": [{"wikipedia_id": t} for t, _ in p]}] for p in ([["NeXT", 0]], [["b", 0]])]
        gold.write_text(
            "".join(json.dumps({"id": str(i), "input": "", "output": o}) + "\n" for i, o in enumerate(pages))
        )
        told_ = [[{"provenance": [{"wikipedia_id": t} for t, _ in p]}] for p in found]
        predicted.write_text(
            "".join(json.dumps({"id": str(i), "input": "", "output": o}) + "\n" for i, o in enumerate(told_))
        )
    elif name == "qrels":
        gold.write_text("1 0 NeXT 1\n2 0 b 1\n")
        predicted.write_text(
            "".join(f"{t} Q0 {d} {r} {9 - r} x\n" for t, p in enumerate(found, 1) for r, (d, _) in enumerate(p, 1))
        )
    else:
        rows = [
            {"retrieved_context_ids": [t for t, _ in p], "reference_context_ids": [w]}
            for p, w in zip(found, ("NeXT", "b"), strict=True)
        ]
        gold.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(gold), str(predicted)


@pytest.mark.parametrize("name", ["fever", "hotpotqa", "kilt", "qrels", "ragas"])
def test_the_files_of_other_tools_are_held_against_their_gold(tmp_path, monkeypatch, capsys, name):
    for found, severity, apart in (
        ([["Next", 0], ["b", 1]], "warning", False),
        ([["Next", 0]], "warning", False),
    ):
        gold, predicted = foreign(tmp_path, name, [found, [["b", 0]]])
        options = ["--from", name, "--gold", gold, *([] if name == "ragas" else ["--predicted", predicted])]
        options += ["--each-suffices"] if name == "qrels" else []
        _, out = command(monkeypatch, capsys, *options, "--format", "json")
        result = json.loads(out)
        near = [f for f in result["findings"] if f["rule"] == NEAR]
        assert [f["severity"] for f in near] == [severity] and result["findings"][0]["rule"] == NEAR
        assert "Next" in near[0]["message"] and "NeXT" in near[0]["message"] and "(case)" in near[0]["message"]
        assert (APART in {f["rule"] for f in result["findings"]}) == apart
        assert result["verdicts"]["withheld"] == 1
    gold, predicted = foreign(tmp_path, name, [[["x", 0]], [["y", 0]]])
    code, out = command(monkeypatch, capsys, *options, "--format", "json")
    assert code == 1 and json.loads(out)["findings"][0]["rule"] == APART


# Random tables against a folding and a join of their own.


def _fold(text: str) -> str:
    return text.strip().lower().removesuffix(".md").removesuffix(".0").lstrip("0").replace("_", " ")


SPELL = [str, str, str.upper, lambda d: f"{d}.md", lambda d: f"0{d}", lambda d: d.replace(" ", "_")]


def random_tables(rng: random.Random) -> tuple[list[Row], list[Row]]:
    needs, units = [], []
    for n in range(rng.randint(2, 6)):
        docs = [f"{rng.choice([rng.choice('123'), '1'])} x" for _ in range(rng.randint(1, 2))]
        spelled = [rng.choice(SPELL)(doc) for doc in docs]
        for c, doc in enumerate(spelled):
            needs.append(need(f"n{n}", doc, version=rng.choice(["1", "1"])) | {"component": f"c{c}", "end": 10})
        for _ in range(rng.randint(0, 4)):
            doc = rng.choice(SPELL)(rng.choice([*docs, "9 x"]))
            start = rng.choice([0, 5])
            units.append(unit(f"n{n}", doc, version=rng.choice(["1", "1", "1.0"]), start=start, end=start + 12))
    return needs, units or [unit("n0", "9 x")]


def by_hand(needs: list[Row], units: list[Row]) -> tuple[set[tuple[str, str]], set[str]]:
    """Near misses as pairs of names, and the needs that they withhold: those that they would cover."""

    def ref(row: Row) -> tuple[str, str, str]:
        return str(row["source"]), str(row["doc"]), str(row["version"])

    def shown(key: tuple[str, str, str]) -> str:
        return f"{key[0]}/{key[1]}@{key[2]}"

    named = {ref(row) for row in needs}
    pairs, withheld = set(), set()
    if not named & set(map(ref, units)):  # then every near miss is named, whichever need it belongs to
        pairs = {
            (shown(ref(row)), shown(ref(anchor))) for row in units for anchor in needs
            if tuple(map(_fold, ref(row))) == tuple(map(_fold, ref(anchor)))
        }  # fmt: skip
    for name in {row["need"] for row in needs}:
        anchors = [row for row in needs if row["need"] == name]
        own = [row for row in units if row["need"] == name]
        near = [
            (row, anchor) for row in own for anchor in anchors
            if ref(row) not in named and tuple(map(_fold, ref(row))) == tuple(map(_fold, ref(anchor)))
        ]  # fmt: skip
        pairs |= {(shown(ref(row)), shown(ref(anchor))) for row, anchor in near}

        def covered(anchor: Row, others: list[tuple[Row, Row]], own: list[Row] = own) -> bool:
            return any(
                int(str(row["start"])) <= 0 and int(str(row["end"])) >= 10
                for row in [
                    *(r for r in own if ref(r) == ref(anchor)),
                    *(r for r, a in others if ref(a) == ref(anchor)),
                ]
            )

        if any(covered(anchor, []) != covered(anchor, near) for anchor in anchors):
            withheld.add(str(name))
    return pairs, withheld


@pytest.mark.parametrize("seed", range(60))
def test_near_misses_and_what_they_withhold_are_those_of_a_join_by_hand(monkeypatch, seed):
    monkeypatch.setattr("evaudit.bundles.near_documents._SHOWN", 999)
    needs, units = random_tables(random.Random(seed))
    pairs, withheld = by_hand(needs, units)
    answers = []
    for block_rows, reader in ((10**6, "plain"), (3, "plain"), (10**6, "careful")):
        tables = Tables(pa.Table.from_pylist(needs), pa.Table.from_pylist(units))
        with monkeypatch.context() as patched:
            if reader == "careful":
                patched.setattr("evaudit.audits.bundle_tables.Opened.plain", False)
            result = audit_tables(tables, wanted=Wanted(keep="figures"), running=Running(1, block_rows=block_rows))
        answers.append([(f.rule, f.severity, f.message) for f in result.findings if f.rule in (NEAR, APART)])
        rows = {row["need"]: row["verdict"] for row in result.details["needs"]}
        assert {name for name, verdict in rows.items() if verdict == "withheld"} == withheld
    assert answers[0] == answers[1] == answers[2]
    message = "".join(m for rule, _, m in answers[0] if rule == NEAR)
    assert {pair for pair in pairs if f"{pair[0]!r} for {pair[1]!r} (" in message} == pairs
    assert message.count("' for '") == len(pairs)
    named, found = ({(r["source"], r["doc"], r["version"]) for r in rows} for rows in (needs, units))
    assert (APART in {rule for rule, _, _ in answers[0]}) == (not named & found)


@pytest.mark.parametrize("seed", range(10))
def test_hashes_of_a_column_are_equal_for_spellings_of_one_id(seed):
    rng = random.Random(seed)
    words = ["doc", "caf\u00e9", "a-b", "x.y"]
    plain = [f"{rng.choice(words)} {rng.randint(1, 10**6)}" for _ in range(300)]
    ways = [
        *SPELL, lambda d: f"https://{d}", lambda d: d.replace(" ", "%20"), lambda d: f"{d}#p",
        lambda d: unicodedata.normalize("NFD", d),
    ]  # fmt: skip
    other = [rng.choice(ways)(one) for one in plain]
    for form in (pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())):
        one, two = (
            near_keys.near_hashes(pa.chunked_array([pa.array(c, pa.string())]).cast(form)) for c in (plain, other)
        )
        assert (one == two).all()
    assert len(set(one.tolist())) > 0.9 * len(set(plain))


@pytest.mark.parametrize("seed", range(40))
def test_ids_whose_signs_tell_that_no_folding_changes_them_are_changed_by_none(seed):
    rng = random.Random(seed)
    parts = ["a", "b", "7", "0", "10", "-", "-lrb-", "-colon-", "_", ".", "A", "#", "/", "\u00e9", " ", "%41"]
    ids = ["".join(rng.choices(parts[: rng.choice([4, 6, len(parts)])], k=rng.randint(1, 4))) for _ in range(3)]
    if near_keys._folded_already(pa.chunked_array([pa.array(ids)])):
        assert [folded(one) for one in ids] == ids
    assert near_keys._folded_already(pa.array(["doc-12", "a", "10", "x7-1"]))
