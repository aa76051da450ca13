"""What people complained about in public of tools that lock, hash, sign and snapshot: each as a case of its own.

The number is that of the thread, as ``owner/repository#number``.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from fractions import Fraction

import pytest

from evaudit import strict_yaml
from evaudit.cli import main
from evaudit.errors import InvalidDocumentError, UsageError
from evaudit.register.accept import accept
from evaudit.register.check import check_calculation, check_paths
from evaudit.register.freeze import freeze
from evaudit.register.lock import read_lock, significant
from evaudit.register.shown import check_shown, parse_shown
from evaudit.sources.digest import CHUNK_BYTES, digest, digest_stream

CALC, LOCK = "controls/calculation.yaml", "controls/calculation.lock.json"
LEDGER, ROSTER, BOOK = "controls/inputs/decisions.csv", "controls/inputs/roster.txt", "registers/book.yaml"


@pytest.fixture
def run(small, monkeypatch, capsys):
    def command(*args):
        monkeypatch.chdir(small.root)
        monkeypatch.setattr(sys, "argv", ["evaudit", *args])
        with pytest.raises(SystemExit) as ended:
            main()
        return int(ended.value.code or 0), capsys.readouterr().out

    return command


def crlf(project):
    for path in project.root.rglob("*"):
        if path.is_file() and path.name != "roster.txt":
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def test_dvc_4658_line_ends_are_folded_only_where_it_is_declared(small):
    """treeverse/dvc#4658: CRLF and LF had one hash, and a checkout brought the old line ends back."""
    small.write(LEDGER, small.read(LEDGER).replace("\n", "\r\n"))
    assert small.rules() == set()
    small.write(ROSTER, small.read(ROSTER).replace("\n", "\r\n"))
    assert small.rules() >= {"input-line-ends"}


def test_dvc_8374_a_line_end_split_across_chunks_is_one_line_end(tmp_path):
    """treeverse/dvc#8374: a CRLF that two read chunks shared was hashed as two line ends."""
    text = b"a" * (CHUNK_BYTES - 1) + b"\r\n" + b"b"
    (tmp_path / "x").write_bytes(text)
    with (tmp_path / "x").open("rb") as file:
        assert digest_stream(file, "text/lf") == digest(text.replace(b"\r\n", b"\n"), "text/lf")


def test_haidian_1829_freezing_on_a_crlf_checkout_gives_the_same_bytes(small, tmp_path_factory):
    """open-city-ai/haidian#1829: the lock was made anew on a CRLF checkout, green there and red elsewhere."""
    other = tmp_path_factory.mktemp("crlf")
    shutil.copytree(small.root, other, dirs_exist_ok=True)
    (other / LOCK).unlink()
    for path in other.rglob("*"):
        if path.is_file() and path.name != "roster.txt":
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    freeze(other / CALC)
    assert (other / LOCK).read_bytes() == (small.root / LOCK).read_bytes()
    assert b"\r" not in (other / LOCK).read_bytes()


def test_haidian_1854_a_project_on_a_crlf_checkout_holds(small):
    """open-city-ai/haidian#1854: locks and texts of a CRLF checkout are the same locks and texts."""
    crlf(small)
    assert small.rules() == set()


def test_ceps_174_there_is_no_hash_of_a_folder_to_collide(small):
    """conda/ceps#174: a folder hash without lengths took {ab: c} for {a: bc}; here files are listed one by one."""
    small.write(CALC, small.read(CALC).replace("path: inputs/roster.txt", "path: inputs"))
    assert check_paths([small.root]).details["exit"] == 3


def test_remnic_1144_one_function_hashes_what_is_parsed(small):
    """remnic#1144: BOM stripped and newlines translated before hashing: three functions hashed three views."""
    small.write(LEDGER, "\ufeff" + small.read(LEDGER))
    result = small.check()
    told = {f.need: f.message for f in result.findings if f.rule == "input-line-ends"}
    assert set(told) == {"audit", "R-1", "R-2"}
    assert all("a byte order mark added" in message for message in told.values())
    assert "content changed" not in " ".join(f.message for f in result.findings)
    assert result.details["checked"]["calculations"][0]["outputs"]["recall(endpoint=promoted, over=cohort)"] == "21/43"


@pytest.mark.parametrize(
    "path", ["inputs\\\\decisions.csv", "/etc/passwd", "C:/x.csv", "../../x.csv", "", "inputs/\\u0000x", "a/../../../x"]
)
def test_dvc_7056_paths_are_posix_and_stay_inside(small, path):
    """treeverse/dvc#7056: backslashes in a file that Windows wrote broke it elsewhere."""
    small.write(CALC, small.read(CALC).replace("path: inputs/roster.txt", f'path: "{path}"'))
    result = small.check()
    assert result.details["exit"] == 2
    assert {f.rule for f in result.findings} & {
        "path-refused",
        "document-invalid",
        "document-unreadable",
        "yaml-syntax",
    }


def test_dvc_1991_every_run_hashes_anew_whatever_the_time_stamp_says(small):
    """treeverse/dvc#1991, #3171: what was hashed once was taken for granted. A run: test_hashed_once."""
    small.check()
    stamp = (small.root / LEDGER).stat()
    small.replace(LEDGER, "C22,deferred", "C22,promoted")
    os.utime(small.root / LEDGER, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert "input-changed" in small.rules()


def test_dvc_4436_verify_only_reads_and_ends_with_one(small, run):
    """treeverse/dvc#4436, #5369: `dvc status` printed a drift and ended with 0."""
    small.replace(LEDGER, "C22,deferred", "C22,promoted")
    code, out = run("calc", "verify", "audit", "--format", "json")
    assert code == 1
    assert json.loads(out)["exit"] == 1


def test_uv_pre_commit_70_a_stale_lock_is_always_told(small, monkeypatch):
    """uv-pre-commit#70: --frozen let a stale lock pass; no option and no variable turns a check off."""
    small.replace(CALC, "id: audit", "id: audit  # changed")
    for name in ("CI", "EVAUDIT_SKIP", "NO_CHECK"):
        monkeypatch.setenv(name, "1")
    assert "lock-stale" in small.rules()


def test_technocore_512_drift_and_cannot_run_have_two_codes(small, run):
    """technocore-chat#512: a caller could not tell stale from cannot run."""
    small.replace(LEDGER, "C22,deferred", "C22,promoted")
    assert run("calc", "verify", "audit")[0] == 1
    (small.root / LEDGER).unlink()
    assert run("calc", "verify", "audit")[0] == 3


def test_snakemake_1694_a_copy_is_as_good_as_the_original(small, tmp_path_factory):
    """snakemake#1694, #3690: new time stamps after a clone made everything run again."""
    other = tmp_path_factory.mktemp("clone")
    shutil.copytree(small.root, other, dirs_exist_ok=True, copy_function=shutil.copyfile)
    for path in other.rglob("*"):
        os.utime(path, (time.time() + 1000,) * 2)
    assert check_paths([other]).details["exit"] == 0


def test_apm_2616_no_time_stands_in_a_lock(small):
    """microsoft/apm#2616: a generated-at line was in conflict on every branch."""
    before = small.read(LOCK)
    (small.root / LOCK).unlink()
    freeze(small.root / CALC)
    assert small.read(LOCK) == before
    assert not {"time", "date", "host", "user", "generated"} & set(json.loads(before))


def test_mag_1114_floats_are_compared_at_the_digits_written_and_never_hashed():
    """nf-core/mag#1114: snapshots by exact hash failed on other processors."""
    total = sum([1 / 43] * 21)
    assert total != 21 / 43
    assert significant(total) == significant(21 / 43) == "0.488372093023"
    assert check_shown(Fraction(total), parse_shown(".4884")).holds


@pytest.mark.parametrize("number", ["21.0", "2.1e1", "NaN", "-0.0", "1e-07"])
def test_bernstein_5494_there_are_no_floats_in_what_is_hashed(small, number):
    """bernstein#5494, trace-spec#74: 10.0, -0.0 and 1e-07 are written differently by each tool."""
    _, problem = read_lock(small.read(LOCK).replace('"num": 21', f'"num": {number}', 1).encode())
    assert problem is not None


def test_insta_344_accepting_names_what_is_accepted(small, run):
    """insta#344, #781, ruff#5589: blind acceptance in bulk; an id that does not exist passed."""
    small.replace(LEDGER, "C22,deferred", "C22,promoted")
    assert run("calc", "accept", "audit", "--reason", "x")[0] == 2
    assert run("calc", "accept", "audit", "--output", "nope", "--reason", "x")[0] == 2
    assert run("calc", "accept", "nope", "--output", "P", "--reason", "x")[0] == 2


def test_insta_224_a_selection_that_matches_nothing_is_an_error(small, run):
    """insta#224: a filter that matched nothing succeeded."""
    assert run("control", "run", "--only", "nope")[0] == 2
    assert run("register", "verify", "--entry", "nope")[0] == 2


def test_insta_916_an_orphan_is_told_and_not_deleted(small):
    """insta#916, pixtuoid#375: a lock without its calculation went unnoticed, or was deleted along the way."""
    (small.root / CALC).unlink()
    assert "lock-orphan" in small.rules()
    assert (small.root / LOCK).exists()


def test_inline_snapshot_48_accepting_twice_is_accepting_once(small):
    """inline-snapshot#48: accepting twice changed the file twice."""
    small.replace(LEDGER, "C22,deferred", "C22,promoted")
    names = ["recall(endpoint=promoted, over=cohort)", "recall(endpoint=promoted, over=decided)",
             "accuracy(endpoint=promoted, over=decided)"]  # fmt: skip
    heads = {accept(small.root / CALC, names, "decided").details["head"] for _ in range(2)}
    assert len(heads) == 1


def test_pyyaml_165_a_duplicate_key_names_both_lines(small):
    """pyyaml#165, #41: of two values for one key the last one won."""
    small.replace(BOOK, "    status: verified\n", "    status: verified\n    status: draft\n")
    result = small.check()
    assert result.details["exit"] == 2
    told = next(f for f in result.findings if f.rule == "duplicate-key")
    assert told.where is not None and told.where.line == 14
    assert "13" in told.message


SCALARS = {"a": "1e3", "b": "no", "c": "21:43", "d": "010", "e": ".7500", "f": "2026-13-02", "g": "0x1F", "h": "off"}


def test_pyyaml_173_scalars_stay_what_was_written():
    """pyyaml#173, nft-blackhole#4, calliope#57: 1e3 a text, no a false, 21:43 a 1303, 010 an 8."""
    text = "".join(f"{key}: {value}\n" for key, value in SCALARS.items())
    assert strict_yaml.load(text.encode(), "x.yaml").data == SCALARS


def test_ansible_84174_a_state_may_be_called_no(small):
    """ansible#84174: a key `no` became false."""
    small.replace("controls/cohort.yaml", "rejected: {decided: yes}", "no: {decided: yes}")
    small.write(LEDGER, small.read(LEDGER).replace(",rejected,", ",no,"))
    result = check_calculation(str(small.root / CALC), frozen=False)
    assert result.details["checked"]["calculations"][0]["outputs"]["recall(endpoint=promoted, over=cohort)"] == "21/43"


def test_statcheck_36_the_exact_value_stands_beside_the_shown_one(small, run):
    """statcheck#36: `consistent` only thanks to rounding, and the reader was not told."""
    assert ".4884 = 21/43" in run("check")[1]


def test_asreview_2347_a_candidate_on_the_roster_without_a_row_is_named(small):
    """asreview#2347: a pending record was in neither pool and lost on export."""
    small.replace(LEDGER, "C50,rejected,negative,rules\n", "")
    assert any("C50" in f.message for f in small.check().findings if f.rule == "cohort-lost-candidate")


def test_scikit_learn_13453_no_positives_are_undefined_and_not_zero(small):
    """scikit-learn#13453: recall without positives was 0.0."""
    small.write(LEDGER, small.read(LEDGER).replace(",positive,", ",negative,"))
    result = check_calculation(str(small.root / CALC), frozen=False)
    outputs = result.details["checked"]["calculations"][0]["outputs"]
    assert outputs["recall(endpoint=promoted, over=cohort)"] == "undefined: no-known-positives"


def test_matplotlib_6317_equal_projects_give_equal_exports(small, run, monkeypatch):
    """matplotlib#6317: a creation date made every output another one."""
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    first = run("export", "--as", "in-toto")
    assert first == run("export", "--as", "in-toto")
    assert "timeVerified" not in first[1]
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    for name in ("one", "two"):
        assert run("export", "--as", "in-toto", "-o", name)[0] == first[0]
    for path in (small.root / "one").iterdir():
        assert path.read_bytes() == (small.root / "two" / path.name).read_bytes()
    assert '"timeVerified":"2023-11-14T22:13:20Z"' in (small.root / "one/statement.json").read_text()


def test_the_file_that_says_where_a_lock_was_made_is_compared_by_nothing(small, run):
    """mag#1114, composer#11376: what differs from machine to machine stands outside the lock, and may change freely."""
    lock = (small.root / LOCK).read_bytes()
    (small.root / LOCK).unlink()
    assert run("calc", "freeze", CALC, "--provenance")[0] == 0
    assert (small.root / LOCK).read_bytes() == lock
    beside = small.root / CALC.replace(".yaml", ".provenance.json")
    told = json.loads(beside.read_text())
    assert set(told) == {"schema", "evaudit", "definitions", "python", "platform", "libraries"}
    for change in (lambda: beside.write_text("{"), beside.unlink):
        change()
        assert run("check")[0] == 0


def test_freezing_never_overwrites(small):
    """DataDog/cli#918 and others: a refresh tool re-created the wrong hash without a word."""
    with pytest.raises(UsageError, match="never overwritten"):
        freeze(small.root / CALC)


def test_an_alias_bomb_is_refused_before_it_grows(small):
    """pyyaml#235, js-yaml#738: 430 bytes that blow up when they are walked."""
    bomb = "a: &a [x, x]\n" + "".join(
        f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    small.write("registers/bomb.yaml", "schema: evaudit/register@1\n" + bomb)
    start = time.perf_counter()
    result = small.check()
    assert time.perf_counter() - start < 5
    assert result.details["exit"] == 2
    with pytest.raises(InvalidDocumentError):
        strict_yaml.load(bomb.encode(), "bomb.yaml")
