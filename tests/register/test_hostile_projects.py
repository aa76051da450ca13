"""Paths that lead astray, names that machines confuse, and documents that are made to hurt."""

from __future__ import annotations

import os
import signal
import sys
import time
import unicodedata

import pytest

from evaudit.errors import UnreadableInputError
from evaudit.register.check import check_paths
from evaudit.register.freeze import freeze

CALC, LOCK = "controls/calculation.yaml", "controls/calculation.lock.json"
ROSTER, BOOK = "controls/inputs/roster.txt", "registers/book.yaml"


def rules(project):
    return {f.rule for f in project.check().findings if f.severity == "error"}


@pytest.fixture
def outside(tmp_path_factory):
    folder = tmp_path_factory.mktemp("outside")
    (folder / "secret.txt").write_text("C01\n")
    return folder


def test_a_link_out_of_the_project_is_refused(small, outside):
    (small.root / ROSTER).unlink()
    (small.root / ROSTER).symlink_to(outside / "secret.txt")
    result = small.check()
    assert result.details["exit"] == 2
    assert "path-refused" in {f.rule for f in result.findings}
    assert "secret" not in " ".join(f.message for f in result.findings)


def test_a_folder_that_is_a_link_out_of_the_project_is_refused(small, outside):
    (small.root / "controls/linked").symlink_to(outside)
    small.replace(CALC, "path: inputs/roster.txt", "path: linked/secret.txt")
    assert "path-refused" in rules(small)


def test_a_loop_of_links_ends(small):
    (small.root / ROSTER).unlink()
    (small.root / ROSTER).symlink_to(small.root / ROSTER)
    (small.root / "controls/loop").symlink_to(small.root / "controls")
    assert small.check().details["exit"] in (2, 3)


def test_a_quote_may_not_be_looked_for_outside(small, outside):
    small.replace(BOOK, "file: ../README.md", f"file: {outside}/secret.txt")
    assert "path-refused" in rules(small) or small.check().details["exit"] == 2
    small.replace(BOOK, f"file: {outside}/secret.txt", "file: ../../secret.txt")
    assert small.check().details["exit"] == 2


def test_a_link_within_the_project_is_a_file_of_it(small):
    target = small.root / "controls/inputs/stored.txt"
    (small.root / ROSTER).rename(target)
    (small.root / ROSTER).symlink_to("stored.txt")
    assert rules(small) == set()


def test_a_lock_that_is_a_link_is_never_written_over(small, outside):
    (small.root / LOCK).unlink()
    (small.root / LOCK).symlink_to(outside / "secret.txt")
    with pytest.raises(Exception, match=r"exists|link"):
        freeze(small.root / CALC)
    assert (outside / "secret.txt").read_text() == "C01\n"


def named(small, name):
    """The project with its roster under another name, as the calculation writes it."""
    small.replace("controls/cohort.yaml", "inputs/roster.txt", f"inputs/{name}")
    small.replace(CALC, "inputs/roster.txt", f"inputs/{name}")


@pytest.mark.parametrize("other", ["inputs/DECISIONS.csv", "Inputs/decisions.csv"])
def test_two_inputs_that_some_machines_take_for_one_are_refused(small, other):
    small.replace(CALC, "path: inputs/roster.txt", f"path: {other}")
    result = small.check()
    assert result.details["exit"] == 2
    assert any("some machines take for one" in f.message for f in result.findings)


def test_two_inputs_that_differ_in_unicode_form_are_refused(small):
    one, two = unicodedata.normalize("NFC", "é.csv"), unicodedata.normalize("NFD", "é.csv")
    small.replace(CALC, "path: inputs/roster.txt", f"path: inputs/{one}")
    small.replace(CALC, "path: inputs/decisions.csv", f"path: inputs/{two}")
    assert any("some machines take for one" in f.message for f in small.check().findings)


def deep(n):
    return "a: " * 0 + "schema: evaudit/register@1\nentries: " + "[" * n + "]" * n + "\n"


DOCUMENTS = {
    "a scalar of a megabyte": "schema: evaudit/register@1\nentries:\n  - {id: X, claim: \"" + "x" * 2**20 + "\"}\n",
    "a scalar of just under a megabyte": "schema: evaudit/register@1\nentries:\n  - {id: X, claim: \"" + "x" * 1_000_000
    + "\"}\n",
    "a key of half a megabyte": "schema: evaudit/register@1\n" + "k" * 500_000 + ": 1\n",
    "ten thousand levels": deep(10_000),
    "a hundred thousand short entries": "schema: evaudit/register@1\nentries:\n" + "- {}\n" * 100_000,
    "thirty thousand keys": "schema: evaudit/register@1\n" + "".join(f"k{n}: 1\n" for n in range(30_000)),
    "thirty thousand aliases": "schema: evaudit/register@1\na: &a 1\nb: [" + "*a," * 30_000 + "]\n",
    "tags": "schema: evaudit/register@1\nentries: !!python/object/apply:os.system [echo hacked]\n",
    "several documents": "schema: evaudit/register@1\n---\nentries: []\n",
    "binary": "schema: evaudit/register@1\n\x00\x01",
}  # fmt: skip


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_hostile_document_is_refused_in_time_and_stops_no_other(small, name):
    small.write("registers/hostile.yaml", DOCUMENTS[name])
    start = time.perf_counter()
    result = small.check()
    assert time.perf_counter() - start < 20
    assert result.details["exit"] == 2
    assert result.details["totals"]["entries"]["verified"] == 1
    assert all(len(f.message) < 5000 for f in result.findings)


ENTRY = """\
  - id: E-{n}
    claim: It is .5.
    at: {{work: W, quote: is .5}}
    figure: P@4
    expected: {{exact: 1/2, shown: ".5"}}
    status: draft
"""


def test_a_hundred_thousand_entries_take_time_in_proportion(small):
    """In files of the size that is allowed: ten thousand here, a tenth of it; the time of an entry must not grow."""

    def seconds(files):
        for n in range(files):
            rows = "".join(ENTRY.format(n=f"{n}-{i}") for i in range(1000))
            small.write(f"registers/many-{n}.yaml", "schema: evaudit/register@1\nentries:\n" + rows)
        start = time.perf_counter()
        result = check_paths([small.root], scope="register-form")
        assert result.details["totals"]["entries"]["well-formed"] == files * 1000 + 3
        return time.perf_counter() - start

    few, many = seconds(1), seconds(6)
    assert many < 6 * few * 2.5


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_may_not_be_read_is_not_checked(small):
    (small.root / ROSTER).chmod(0)
    assert small.check().details["exit"] == 3


COHORT_ON = (
    "{id: c, source: {path: %s}, states: {in: {decided: yes}}, endpoints: {kept: [in]}, population: this-cohort, "
    "labels: {provenance: {kind: heuristic, method: m, adjudicated: no}%s}%s}"
)
BUNDLE = (
    "documents: [{ref: s/d@1, text_path: pipe}]\n    need: n\n    components: {a: {anchor: {ref: s/d@1, exact: x}}}\n"
    "    accept: [[a]]\n    selected: []"
)


def _cohort(path, labels="", more=""):
    return "decisions", "cohort: " + COHORT_ON % (path, labels, more)


LABELS = ", source: {path: pipe, form: qrels}"
NAMED_BY = {
    "a cohort's ledger": ("controls/pipe.csv", _cohort("pipe.csv")),
    "a JSON ledger": ("controls/pipe.jsonl", _cohort("pipe.jsonl")),
    "a Parquet ledger": ("controls/pipe.parquet", _cohort("pipe.parquet")),
    "a packed ledger": ("controls/pipe.csv.gz", _cohort("pipe.csv.gz")),
    "a table of counts": ("controls/pipe.csv", _cohort("pipe.csv, form: counts")),
    "a log of CLEF TAR": ("controls/pipe", _cohort("pipe, form: clef-tar")),
    "a project of ASReview": ("controls/pipe.asreview", _cohort("pipe.asreview")),
    "a roster": ("controls/pipe.txt", _cohort("inputs/decisions.csv", more=", roster: pipe.txt")),
    "a label file": ("controls/pipe", _cohort("inputs/decisions.csv", LABELS)),
    "a control's spec": ("controls/pipe", ("decisions", "spec: pipe")),
    "a document's text": ("controls/pipe", ("bundle", BUNDLE)),
    "a declared input": (ROSTER, None),
    "a calculation's spec": ("controls/cohort.yaml", None),
    "a text with a quote": ("README.md", None),
}  # fmt: skip


@pytest.fixture
def no_waiting():
    """Ends a test that waits for a pipe."""

    def waited(*_):
        raise TimeoutError("it waits for the pipe")

    previous = signal.signal(signal.SIGALRM, waited)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, previous)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("kind", NAMED_BY)
def test_a_pipe_is_refused_and_never_waited_for(small, no_waiting, kind):
    pipe, control = NAMED_BY[kind]
    if control is not None:
        name, fields = control
        head = "schema: evaudit/control@1\ncontrols:\n  - id: piped\n"
        small.write("controls/c.yaml", f"{head}    kind: {name}\n    {fields}\n    expect: {{verdict: satisfied}}\n")
    (small.root / pipe).unlink(missing_ok=True)
    os.mkfifo(small.root / pipe)
    result = small.check()
    told = [f.message for f in result.findings if "a pipe or device; name a file" in f.message]
    assert told and result.details["exit"] == 3, [f.text() for f in result.findings]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_in_place_of_a_file_of_ours_is_none(small, no_waiting):
    """A lock that is no file is not there; a document in its place was not checked. The history is refused."""
    for name in ("controls/calculation.lock.json", "controls/calculation.yaml"):
        (small.root / name).unlink()
        os.mkfifo(small.root / name)
        assert small.check().details["exit"] in (1, 3)
    os.mkfifo(small.root / "history.jsonl")
    with pytest.raises(UnreadableInputError, match="a pipe or device"):
        small.check()
