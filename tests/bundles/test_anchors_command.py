"""Anchors in real texts: every state by name, and moves that are proposed and never applied."""

from __future__ import annotations

import json
import subprocess

import pytest
from typer.testing import CliRunner

from evaudit.audits.anchors import AnchorFiles, check_anchors, propose
from evaudit.audits.foreign import audit_foreign
from evaudit.cli import app
from evaudit.errors import NothingToCheckError, UsageError
from evaudit.formats.documents import read_documents
from evaudit.formats.foreign import Request

TEXTS = {
    "wiki/emoji@1.txt": "A😀B says go. Team Alpha cut latency by 12%. Team Beta cut latency by 12%.",
    "wiki/crlf@1.txt": "John loves Mary.\r\nHe married her.",
    "wiki/bom@1.txt": "\ufeffThe lamp turns green.",
    "wiki/cafe@1.txt": "The cafe\u0301 on the left closes at 9.",
    "pumps@2.md": "New: Pump A runs at 40 Hz.",
}


def anchored(**anchor):
    return {"ref": "wiki/emoji@1", **anchor}


CASES = [
    (anchored(exact="says go."), "resolved", None),
    (anchored(exact="says go.", start=4, end=12), "resolved", None),
    (anchored(exact="says go.", start=5, end=13), "mismatch", "utf16"),
    (anchored(exact="says go.", start=5, end=13, unit="utf16"), "resolved", None),
    (anchored(exact="says go.", start=7, end=15), "mismatch", "bytes"),
    (anchored(exact="says go.", start=1, end=9), "mismatch", "shifted by +3"),
    (anchored(exact="cut latency by 12%"), "ambiguous", None),
    (anchored(exact="cut latency by 12%", prefix="Team Beta "), "resolved", None),
    (anchored(exact="cut latency by 90%"), "not-found", None),
    (anchored(start=70, end=99), "out-of-range", None),
    ({"ref": "wiki/crlf@1", "exact": "He married", "start": 17, "end": 27}, "mismatch", "crlf"),
    ({"ref": "wiki/crlf@1", "exact": "He", "start": 18, "end": 20}, "resolved", None),
    ({"ref": "wiki/bom@1", "exact": "The lamp", "start": 0, "end": 8}, "mismatch", "bom"),
    ({"ref": "wiki/cafe@1", "exact": "closes at 9.", "start": 21, "end": 33}, "mismatch", "nfc"),
    ({"ref": "wiki/nowhere@1", "exact": "x"}, "document-missing", None),
    ({"ref": "wiki/emoji@7", "exact": "says go."}, "version-missing", None),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in TEXTS.items():
        (tmp_path / "texts" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "texts" / name).write_bytes(text.encode())
    rows = [
        {"need": f"n{n}", "components": {"a": {"anchor": anchor}}, "accept": [["a"]]}
        for n, (anchor, _, _) in enumerate(CASES)
    ]
    (tmp_path / "needs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_folder_of_texts_is_an_inventory(folder):
    inventory, findings, inputs = read_documents("texts")
    assert {str(d.ref) for d in inventory} == {
        "wiki/emoji@1", "wiki/crlf@1", "wiki/bom@1", "wiki/cafe@1", "texts/pumps@2",
    }  # fmt: skip
    assert not findings and len(inputs) == len(TEXTS)
    assert next(d for d in inventory if d.ref.doc == "crlf").text == TEXTS["wiki/crlf@1.txt"]


def test_every_state_and_diagnosis_is_named(folder):
    result = check_anchors(AnchorFiles("texts", needs="needs.jsonl"))
    told = {f.need: f.message for f in result.findings}
    for n, (_, state, _) in enumerate(CASES):
        if state == "resolved":
            assert f"n{n}" not in told
        else:
            assert f"found {state}" in told[f"n{n}"]
    wanted = sorted(d for _, _, d in CASES if d is not None)
    found = result.details["diagnoses"]
    assert sorted(name for name, n in found.items() for _ in range(n)) == wanted
    assert {f.name: (f.num, f.den) for f in result.iter_figures()}["anchors-resolved"] == (5, len(CASES))
    assert [f.where.line for f in result.findings] == [n + 1 for n, (_, s, _) in enumerate(CASES) if s != "resolved"]


def test_an_anchor_that_does_not_resolve_is_never_credited(folder):
    (folder / "selected.jsonl").write_text(
        "".join(
            json.dumps({"need": f"n{n}", "source": "wiki", "doc": anchor["ref"].split("/")[1][:-2], "version": "1",
                        "start": 0, "end": 22}) + "\n"
            for n, (anchor, _, _) in enumerate(CASES)
        )
    )  # fmt: skip
    arguments = ["bundles", "--needs", "needs.jsonl", "--selected", "selected.jsonl", "--documents", "texts"]
    found = CliRunner().invoke(app, [*arguments, "--lint", "--format", "json"])
    record = json.loads(found.stdout)
    verdicts = [row["verdict"] for row in record["needs"]]
    for (_, state, _), verdict in zip(CASES, verdicts, strict=True):
        assert state == "resolved" or verdict != "satisfied"
    assert record["lint"]["bundle-unresolved"]["needs"] == sum(s != "resolved" for _, s, _ in CASES)


def test_moves_are_proposed_as_a_diff_that_applies_and_nothing_is_written(folder):
    before = (folder / "needs.jsonl").read_bytes()
    proposal = propose(AnchorFiles("texts", needs="needs.jsonl"))
    assert (folder / "needs.jsonl").read_bytes() == before
    assert {move.row.need for move in proposal.moves} == {"n2", "n4", "n5", "n10", "n12", "n13", "n15"}
    changed = [line for line in proposal.diff.splitlines() if line.startswith("+") and not line.startswith("+++")]
    assert len(changed) == 7
    (folder / "proposed.patch").write_text(proposal.diff)
    done = subprocess.run(["git", "apply", "-p1", "proposed.patch"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (folder / "needs.jsonl").read_text(encoding="utf-8") == proposal.text
    again = check_anchors(AnchorFiles("texts", needs="needs.jsonl"))
    assert again.details["states"]["resolved"] == 5 + 7


def test_flat_needs_are_proposed_row_by_row(folder):
    (folder / "needs.csv").write_text(
        "need,bundle,component,source,doc,version,start,end,exact,note\n"
        'n1,1,a,wiki,emoji,1,5,13,says go.,"a, note"\n'
        "n2,1,a,texts,pumps,1,0,21,Pump A runs at 40 Hz.,\n"
        "n3,1,a,wiki,emoji,1,0,4,gone,\n"
    )
    runner = CliRunner()
    found = runner.invoke(app, ["anchors", "refresh", "--needs", "needs.csv", "--documents", "texts"])
    assert found.exit_code == 1
    assert '+n1,1,a,wiki,emoji,1,4,12,says go.,"a, note"\n' in found.stdout
    assert "+n2,1,a,texts,pumps,2,5,26,Pump A runs at 40 Hz.,\n" in found.stdout
    assert "no proposal: needs.csv:4: a of need n3" in found.stderr
    written = ["anchors", "refresh", "--needs", "needs.csv", "--documents", "texts", "-o", "new.csv"]
    assert runner.invoke(app, written).stdout == ""
    assert "n2,1,a,texts,pumps,2,5,26" in (folder / "new.csv").read_text()
    refused = runner.invoke(app, [*written[:-1], "needs.csv"])
    assert isinstance(refused.exception, UsageError)


def test_the_report_reads_well(folder):
    found = CliRunner().invoke(app, ["anchors", "check", "--needs", "needs.jsonl", "--documents", "texts"])
    assert found.exit_code == 1
    for words in (
        "16 anchors",
        "anchors-resolved   5/16",
        "the positions count UTF-16 units",
        "quotes that stand several",
    ):
        assert words in found.stdout


def test_what_to_do_stands_at_the_end_as_a_command(folder):
    check = ["anchors", "check", "--needs", "needs.jsonl", "--documents", "texts"]
    proposed = len(propose(AnchorFiles("texts", needs="needs.jsonl")).moves)
    refresh = f"`evaudit anchors refresh --needs needs.jsonl --documents texts` proposes another place for {proposed}"
    told = CliRunner().invoke(app, check).stdout
    assert " ".join(told.split("notes\n")[1].split()).endswith(
        f"next: {refresh} of 11; correct the quote, position or version of the others by hand"
    )
    (folder / "selected.csv").write_text("need,rank,unit,source,doc,version,start,end\nn0,1,u,wiki,emoji,1,0,22\n")
    given = ["bundles", "--needs", "needs.jsonl", "--selected", "selected.csv", "--documents", "texts"]
    notes = json.loads(CliRunner().invoke(app, [*given, "--format", "json"]).stdout)["notes"]
    command = "`evaudit anchors check --needs needs.jsonl --documents texts`"
    (note,) = [n for n in notes if "refresh" in n]
    assert note.startswith(f"anchors do not resolve: {command} says what would explain each; `evaudit anchors refresh`")
    (folder / "needs.jsonl").write_text((folder / "needs.jsonl").read_text("utf-8").splitlines()[0], "utf-8")
    assert "anchors do not resolve" not in CliRunner().invoke(app, given).stdout
    assert "next:" not in CliRunner().invoke(app, check).stdout


def test_findings_of_one_shift_are_told_three_times_and_then_counted(folder):
    (folder / "texts/wiki/long@1.txt").write_text("".join(f"row {n:02}. " for n in range(20)), encoding="utf-8")
    rows = [
        {"need": f"n{n}", "accept": [["a"]], "components": {"a": {"anchor": {
            "ref": "wiki/long@1", "exact": f"row {n:02}.", "start": 8 * n - 5, "end": 8 * n + 2}}}}
        for n in range(1, 11)
    ]  # fmt: skip
    (folder / "needs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    check = ["anchors", "check", "--needs", "needs.jsonl", "--documents", "texts"]
    told = CliRunner().invoke(app, check).stdout
    assert told.count("[anchor-unresolved]") == 3
    assert "needs.jsonl: 7 more shifted by +5: --format json" in told
    assert len(json.loads(CliRunner().invoke(app, [*check, "--format", "json"]).stdout)["findings"]) == 10


def test_a_diagnosis_of_two_readings_says_both(folder):
    (folder / "texts/wiki/nfc@1.txt").write_text("The caf\u00e9 has 10 blue seats on the left side. 10.", "utf-8")
    anchor = {"ref": "wiki/nfc@1", "exact": "10.", "start": 46, "end": 49}
    row = {"need": "n", "components": {"a": {"anchor": anchor}}, "accept": [["a"]]}
    (folder / "needs.jsonl").write_text(json.dumps(row), encoding="utf-8")
    found = CliRunner().invoke(app, ["anchors", "check", "--needs", "needs.jsonl", "--documents", "texts"])
    assert "1  the positions count UTF-8 bytes, or the Unicode form differs (NFD)" in found.stdout


def test_what_the_check_ends_with_is_said_in_its_help(folder):
    assert "Ends with 1 where an anchor does not resolve." in CliRunner().invoke(app, ["anchors", "check", "-h"]).stdout
    rows = (folder / "needs.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    check = ["anchors", "check", "--needs", "needs.jsonl", "--documents", "texts"]
    for n, code in ((0, 0), (8, 1)):
        (folder / "needs.jsonl").write_text(rows[n], encoding="utf-8")
        assert CliRunner().invoke(app, check).exit_code == code


def test_a_proposal_for_a_file_named_from_the_top_applies(folder, monkeypatch):
    absolute = AnchorFiles(str(folder / "texts"), needs=str(folder / "needs.jsonl"))
    for here in (folder, folder / "texts"):
        monkeypatch.chdir(here)
        proposal = propose(absolute, root=folder)
        assert proposal.diff.startswith("--- a/needs.jsonl\n+++ b/needs.jsonl\n")
    monkeypatch.chdir(folder)
    done = subprocess.run(["git", "apply"], input=proposal.diff, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (folder / "needs.jsonl").read_text(encoding="utf-8") == proposal.text


def test_the_references_of_the_chunking_file_all_hold(shared_data):
    folder = shared_data / "evidence" / "chunking"
    gold = folder / "questions_state_of_the_union.csv"
    result = check_anchors(AnchorFiles(str(folder), format="chunking", gold=str(gold)))
    figures = {f.name: (f.num, f.den) for f in result.iter_figures()}
    assert figures == {"anchors-resolved": (95, 95), "slices-hold": (95, 95), "quotes-unique": (95, 95)}
    assert not result.findings and result.details["repeated_quotes"] == []
    audit = audit_foreign("chunking", Request(gold, documents=folder), documents=str(folder))
    assert (audit.details["gold"]["needs"], audit.details["gold"]["components_unresolved"]) == (76, 0)


def check_hotpotqa(tmp_path, facts):
    texts = tmp_path / "wiki"
    texts.mkdir()
    (texts / "A.txt").write_text("One. Two.", encoding="utf-8")
    gold = tmp_path / "g.json"
    gold.write_text(json.dumps([{"_id": "1", "supporting_facts": facts}]), encoding="utf-8")
    given = ["anchors", "check", "--from", "hotpotqa", "--gold", str(gold), "--documents", str(texts)]
    return CliRunner().invoke(app, given)


def test_positions_that_no_text_tells_are_not_said_to_hold(tmp_path):
    found = check_hotpotqa(tmp_path, [["A", 0], ["A", 1]])
    assert found.exit_code == 0
    assert "2 of 2 positions were taken as stated" in found.stdout and "every anchor stands" not in found.stdout


def test_needs_without_an_anchor_are_nothing_to_check(tmp_path):
    assert isinstance(check_hotpotqa(tmp_path, []).exception, NothingToCheckError)


def applied(folder, proposal, name):
    """The file with the diff applied by git; nothing was written before."""
    (folder / "proposed.patch").write_bytes(proposal.diff.encode())
    command = ["git", "apply", "-p1", "--whitespace=nowarn", "proposed.patch"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return (folder / name).read_bytes().decode()


@pytest.mark.parametrize("between", ["\u2028", "\x85"])
def test_a_diff_of_lines_with_other_line_separators_applies(folder, between):
    rows = [
        {"need": "n1", "note": f"one{between}two", "components": {"a": {"anchor": CASES[2][0]}}, "accept": [["a"]]},
        {"need": "n2", "note": f"one{between}two", "components": {"a": {"anchor": CASES[1][0]}}, "accept": [["a"]]},
    ]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / "needs.jsonl").write_bytes(text.encode())
    proposal = propose(AnchorFiles("texts", needs="needs.jsonl"))
    assert applied(folder, proposal, "needs.jsonl") == proposal.text
    assert check_anchors(AnchorFiles("texts", needs="needs.jsonl")).details["states"] == {"resolved": 2}


def references(*spans):
    return json.dumps([{"content": c, "start_index": a, "end_index": b} for c, a, b in spans]).replace('"', '""')


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_references_of_a_question_file_are_proposed_and_other_rows_stay_as_they_are(folder, end):
    (folder / "texts" / "corpus.txt").write_text("New start. First fact. Second fact. Twice. Twice.")
    rows = [
        "question,references,corpus_id",
        f'"Two\nlines, and a ""quote""","{references(("First fact.", 0, 11), ("Second fact.", 23, 35))}",corpus',
        f'"stays","{references(("First fact.", 11, 22))}","corpus"',
        f'gone,"{references(("No fact.", 0, 8))}",corpus',
        f'often,"{references(("Twice.", 0, 6))}",corpus',
    ]
    before = end.join(rows) + end
    (folder / "q.csv").write_bytes(before.encode())
    files = AnchorFiles("texts", format="chunking", gold="q.csv")
    proposal = propose(files)
    assert (folder / "q.csv").read_bytes().decode() == before
    stated, now = ('""start_index"": {}, ""end_index"": {}'.format(*span) for span in ((0, 11), (11, 22)))
    assert proposal.text == before.replace(stated, now)
    told = [(row.need, why) for row, why in proposal.left]
    assert [need for need, _ in told] == ["question:3", "question:4"]
    assert "does not stand in the text" in told[0][1] and "in 2 places" in told[1][1]
    assert applied(folder, proposal, "q.csv") == proposal.text
    assert check_anchors(files).details["states"]["resolved"] == 3


def test_a_question_file_cannot_name_another_version(folder):
    (folder / "texts" / "corpus@2.txt").write_text("First fact.")
    (folder / "q.csv").write_text(f'question,references,corpus_id\nq,"{references(("First fact.", 0, 11))}",corpus\n')
    proposal = propose(AnchorFiles("texts", format="chunking", gold="q.csv"))
    assert (proposal.diff, len(proposal.moves)) == ("", 0)
    assert "cannot name one" in proposal.left[0][1]


def test_the_real_question_file_follows_a_text_that_moved(shared_data, tmp_path, monkeypatch):
    source = shared_data / "evidence" / "chunking"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "texts").mkdir()
    text = (source / "state_of_the_union.md").read_bytes()
    (tmp_path / "texts" / "state_of_the_union.md").write_bytes("Ein Satz mit ä davor.\n".encode() + text)
    (tmp_path / "q.csv").write_bytes((source / "questions_state_of_the_union.csv").read_bytes())
    files = AnchorFiles("texts", format="chunking", gold="q.csv")
    assert check_anchors(files).details["states"] == {"mismatch": 95}
    proposal = propose(files)
    assert (len(proposal.moves), len(proposal.left)) == (95, 0)
    applied(tmp_path, proposal, "q.csv")
    assert check_anchors(files).details["states"] == {"resolved": 95}


def test_what_cannot_be_refreshed_says_what_can_be_done(folder):
    for given, said in (
        (["--from", "web-annotation", "--gold", "needs.jsonl"], "once its position selectors are taken away"),
        (["--from", "kilt", "--gold", "needs.jsonl"], "`evaudit anchors check --from kilt` names every anchor"),
        (["--from", "chunkin", "--gold", "needs.jsonl"], "no such format"),
        ([], "give --needs FILE, or --from chunking --gold FILE"),
        (["--from", "chunking", "--gold", "q.csv", "-o", "q.csv"], "-o names q.csv itself"),
        (["--from", "chunking", "--gold", "q.csv", "--needs", "needs.jsonl"], "give --needs FILE, or --from"),
    ):
        refused = CliRunner().invoke(app, ["anchors", "refresh", "--documents", "texts", *given])
        assert isinstance(refused.exception, UsageError) and said in str(refused.exception)
