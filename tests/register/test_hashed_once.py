"""Every input is hashed once a run, whoever names it: counted at the hash function itself."""

from __future__ import annotations

import hashlib
import json
from typing import ClassVar

import pytest

from evaudit.cli import main
from evaudit.errors import UnreadableInputError
from evaudit.register.check import check_paths
from evaudit.register.freeze import freeze
from evaudit.sources.digest import RECIPES, digest
from evaudit.sources.run_digests import ManyHasher, RunDigests

COHORT = """\
schema: evaudit/cohort@1
id: cohort-{n}
source: {{path: {ledger}}}
roster: roster.txt
states: {{in: {{decided: yes}}, out: {{decided: yes}}, later: {{decided: no}}}}
labels: {{provenance: {{kind: heuristic, method: rules, adjudicated: no}}}}
endpoints: {{kept: [in], possible: [in, later]}}
population: this-cohort
"""
CALCULATION = """\
schema: evaudit/calculation@1
id: calculation-{n}
kind: decisions
spec: cohort-{n}.yaml
inputs:
  - {{id: ledger, path: {ledger}, as: {form}, rows: 3, row_digests: yes}}
  - {{id: roster, path: roster.txt, as: {form}}}
outputs:
  "recall(endpoint=kept, over=cohort)": {{expect: 1/2}}
"""
ENTRY = """\
  - id: E-{n}
    claim: Recall is 1/2.
    at: {{file: ../README.md, quote: "entry {n}: recall is 1/2"}}
    figure: "recall(endpoint=kept, over=cohort)"
    expected: {{exact: 1/2, shown: "1/2"}}
    calculation: {{ref: ../controls/calculation-{n}.yaml}}
    inputs:
      - {{path: ../controls/{ledger}, sha256: "{ledger_sha}", recipe: {recipe}}}
      - {{path: ../controls/roster.txt, sha256: "{roster_sha}", recipe: {recipe}}}
    labels: {{kind: heuristic, method: rules, adjudicated: no}}
    status: verified
"""
ROWS = [("a", "in", "positive"), ("b", "later", "positive"), ("c", "out", "negative")]
COLUMNS = ("candidate_id", "state", "label")


def _csv(end):
    return end.join([",".join(COLUMNS), *(",".join(r) for r in ROWS), ""]).encode()


def _jsonl(end):
    return end.join([*(json.dumps(dict(zip(COLUMNS, r, strict=True))) for r in ROWS), ""]).encode()


def _parquet(end):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(dict(zip(COLUMNS, map(list, zip(*ROWS, strict=True)), strict=True))), sink)
    return sink.getvalue().to_pybytes()


LEDGERS = {"ledger.csv": _csv, "ledger.jsonl": _jsonl, "ledger.parquet": _parquet}


def project(root, ledger, end):
    """Three cohorts on one ledger, each with a calculation of another form and an entry of another recipe."""
    for folder in ("controls", "registers"):
        (root / folder).mkdir()
    (root / "pyproject.toml").write_text("")
    raws = {ledger: LEDGERS[ledger](end), "roster.txt": end.join(["a", "b", "c", ""]).encode()}
    for name, raw in raws.items():
        (root / "controls" / name).write_bytes(raw)
    binary = ledger.endswith(".parquet")
    entries = []
    for n, (form, recipe) in enumerate((("bytes", "bytes"), ("text", "text/lf"), ("bytes", "text/nfc"))):
        form, recipe = ("bytes", "bytes") if binary else (form, recipe)
        shas = {"ledger_sha": digest(raws[ledger], recipe), "roster_sha": digest(raws["roster.txt"], recipe)}
        (root / f"controls/cohort-{n}.yaml").write_text(COHORT.format(n=n, ledger=ledger))
        (root / f"controls/calculation-{n}.yaml").write_text(CALCULATION.format(n=n, ledger=ledger, form=form))
        freeze(root / f"controls/calculation-{n}.yaml")
        entries.append(ENTRY.format(n=n, ledger=ledger, recipe=recipe, **shas))
    (root / "registers/r.yaml").write_text(
        "schema: evaudit/register@1\nnumbers: {slash: fraction}\nentries:\n" + "".join(entries)
    )
    (root / "README.md").write_text("".join(f"entry {n}: recall is 1/2\n" for n in range(3)))
    return raws


class Counted:
    """SHA-256 that remembers everything that was fed to it."""

    made: ClassVar[list[Counted]] = []
    real = hashlib.sha256

    def __init__(self, data=b""):
        self.hash, self.taken = Counted.real(data), data
        Counted.made.append(self)

    def update(self, data):
        self.hash.update(data)
        self.taken += data

    def hexdigest(self):
        return self.hash.hexdigest()

    def copy(self):
        twin = Counted.__new__(Counted)
        twin.hash, twin.taken = self.hash.copy(), b""  # what it took over was hashed by another
        Counted.made.append(twin)
        return twin


@pytest.mark.parametrize("ledger", LEDGERS)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_an_input_is_hashed_once_for_all_its_cohorts_calculations_locks_and_entries(tmp_path, monkeypatch, ledger, end):
    raws = project(tmp_path, ledger, end)
    passes = []
    real = ManyHasher.__init__

    def counted(self, *args):
        real(self, *args)
        passes.append(self)

    Counted.made = []
    with monkeypatch.context() as patched:
        patched.setattr(ManyHasher, "__init__", counted)
        patched.setattr("evaudit.sources.run_digests.hashlib.sha256", Counted)
        result = check_paths([tmp_path])
    assert result.details["exit"] == 0, [f.text() for f in result.findings]
    fed = [h.taken for h in Counted.made]
    read = [p.digests()["bytes"] for p in passes]
    composed = 0 if ledger.endswith(".parquet") else 1  # the recipe text/nfc, which an entry names beside the others
    for name, raw in raws.items():
        assert read.count(digest(raw, "bytes")) == 1, f"{name} is read once, for every recipe"
        if b"\r" in raw and not name.endswith(".parquet"):
            assert fed.count(raw) == 1, name
            assert fed.count(raw.replace(b"\r\n", b"\n")) == 1 + composed, name
        else:  # one hash is both bytes and text/lf
            assert fed.count(raw) == 1 + composed, name


def test_an_export_hashes_nothing_that_its_check_has_hashed(small, monkeypatch, capsys):
    """The statement names the digest of the bytes of every file, under whatever recipe the check took it."""
    passes = []
    real = RunDigests._hashed

    def counted(self, path, *args):
        passes.append(path)
        return real(self, path, *args)

    monkeypatch.setattr(RunDigests, "_hashed", counted)
    monkeypatch.chdir(small.root)
    monkeypatch.setattr("sys.argv", ["evaudit", "export", "--as", "in-toto"])
    with pytest.raises(SystemExit):
        main()
    assert len(passes) == len(set(passes)) == len(json.loads(capsys.readouterr().out)["subject"])


def test_a_file_and_a_link_to_it_are_hashed_once(tmp_path, monkeypatch):
    (tmp_path / "a").write_bytes(b"x")
    (tmp_path / "b").symlink_to("a")
    opened = []
    real = RunDigests._hashed

    def counted(self, path, *args):
        opened.append(path)
        return real(self, path, *args)

    monkeypatch.setattr(RunDigests, "_hashed", counted)
    run = RunDigests()
    assert run.of_file(tmp_path / "a", "bytes") == run.of_file(tmp_path / "b", "text/lf")
    assert len(opened) == 1


def test_a_file_that_is_written_during_the_run_ends_it(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"x")
    run = RunDigests()
    run.of_file(path, "bytes")
    path.write_bytes(b"yy")
    with pytest.raises(UnreadableInputError, match="written while it was being checked"):
        run.of_bytes(path, b"yy", "bytes")


@pytest.mark.parametrize("text", [b"", b"a\nb\n", b"a\r\nb\rc\r", b"\r", b"a\n" * 50 + b"\r\n"])
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_many_recipes_in_one_pass_are_those_of_each_alone(text, size):
    hasher = ManyHasher(RECIPES)
    for at in range(0, len(text), size):
        hasher.update(text[at : at + size])
    assert hasher.digests() == {recipe: digest(text, recipe) for recipe in RECIPES}


def test_a_recipe_that_the_bytes_cannot_have_stops_only_who_asks_for_it(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"\xff")
    run = RunDigests()
    run.want(path, "prose")
    assert run.of_file(path, "bytes")[0] == digest(b"\xff", "bytes")
    with pytest.raises(UnreadableInputError, match="expected UTF-8"):
        run.of_file(path, "prose")
