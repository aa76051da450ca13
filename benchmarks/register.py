"""The register at size: 500 entries over 200 calculations with 1 GB of inputs, against ``sha256sum`` on the same files.

    python benchmarks/register.py [--megabytes 1000] [--entries 500] [--calculations 200]

Every calculation is a count table (its cohort stands in the spec) with one input of its own that is only hashed, so the
time beyond hashing is that of reading documents, running audits and checking entries. Writes ``results/register.csv``.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "src"))

from results import Results  # noqa: E402  (a neighbour of this script, which puts its folder first on the path)

COHORT = """\
schema: evaudit/cohort@1
id: cohort-{n}
table:
  promoted: {{positive: 21, negative: 0}}
  deferred: {{positive: 6, negative: 1}}
  rejected: {{positive: 16, negative: 6}}
states: {{promoted: {{decided: yes}}, deferred: {{decided: no}}, rejected: {{decided: yes}}}}
labels: {{provenance: {{kind: heuristic, method: rules, adjudicated: no}}}}
endpoints: {{promoted: [promoted], retained: [promoted, deferred]}}
population: this-cohort
"""
CALCULATION = """\
schema: evaudit/calculation@1
id: calculation-{n}
kind: decisions
spec: cohort.yaml
inputs: [{{id: data, path: data.txt, as: {form}}}]
outputs:
  "recall(endpoint=promoted, over=cohort)": {{expect: 21/43, show: ".4884"}}
  "recall(endpoint=retained, over=cohort)": {{expect: 27/43, show: ".6279"}}
  "recall(endpoint=promoted, over=decided)": {{expect: 21/37, show: ".5676"}}
"""
ENTRY = """\
  - id: E-{id}
    claim: Recall is {exact}, about {shown}.
    at: {{file: ../texts/chapter-{chapter}.md, quote: "entry {id}: recall is {exact} ≈ {shown}"}}
    figure: "{figure}"
    expected: {{exact: {exact}, shown: "{shown}", rounding: half-even}}
    calculation: {{ref: ../controls/c{n}/calculation.yaml}}
    inputs: [{{path: ../controls/c{n}/data.txt, sha256: "{sha256}", recipe: {recipe}}}]
    labels: {{kind: heuristic, method: rules, adjudicated: no}}
    status: verified
"""
FIGURES = (
    ("recall(endpoint=promoted, over=cohort)", "21/43", ".4884"),
    ("recall(endpoint=retained, over=cohort)", "27/43", ".6279"),
    ("recall(endpoint=promoted, over=decided)", "21/37", ".5676"),
)


def build(root: Path, entries: int, calculations: int, size: int, form: str) -> None:
    from evaudit.register.freeze import freeze
    from evaudit.sources.digest import digest_stream

    recipe = "text/lf" if form == "text" else "bytes"
    (root / "pyproject.toml").write_text("")
    (root / "registers").mkdir()
    (root / "texts").mkdir()
    line = ("candidate,state,label,a note of some length that makes the row as long as rows are\n" * 1000).encode()
    digests = []
    for n in range(calculations):
        folder = root / "controls" / f"c{n}"
        folder.mkdir(parents=True)
        (folder / "cohort.yaml").write_text(COHORT.format(n=n))
        (folder / "calculation.yaml").write_text(CALCULATION.format(n=n, form=form))
        with (folder / "data.txt").open("wb") as file:
            file.write(f"{n}\n".encode())
            while file.tell() < size:
                file.write(line[: size - file.tell()])
        with (folder / "data.txt").open("rb") as file:
            digests.append(digest_stream(file, recipe))
        freeze(folder / "calculation.yaml")
    texts: dict[int, list[str]] = {}
    rows: list[str] = []
    for i in range(entries):
        n = i % calculations
        figure, exact, shown = FIGURES[i // calculations % len(FIGURES)]
        texts.setdefault(i % 20, []).append(f"In entry {i}: recall is **{exact}** ≈ {shown}.\n")
        rows.append(ENTRY.format(id=i, n=n, chapter=i % 20, exact=exact, shown=shown, figure=figure,
                                 sha256=digests[n], recipe=recipe))  # fmt: skip
    for chapter, lines in texts.items():
        (root / "texts" / f"chapter-{chapter}.md").write_text("".join(lines))
    (root / "registers" / "book.yaml").write_text("schema: evaudit/register@1\nentries:\n" + "".join(rows))


def seconds(command: list[str], cwd: Path, runs: int) -> list[float]:
    times = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        times.append(time.perf_counter() - start)
        assert done.returncode == 0, done.stdout.decode()[-2000:]
    return times[1:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--entries", type=int, default=500)
    parser.add_argument("--calculations", type=int, default=200)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    os.environ["PYTHONPATH"] = str(PROJECT / "src")
    size = given.megabytes * 10**6 // given.calculations
    results = Results("register")
    for form, recipe in (("bytes", "bytes"), ("text", "text/lf")):
        root = Path(tempfile.mkdtemp(prefix="evaudit-bench-"))
        try:
            build(root, given.entries, given.calculations, size, form)
            files = sorted(str(p) for p in root.glob("controls/*/data.txt"))
            evaudit = [sys.executable, "-m", "evaudit"]
            results.add(f"sha256sum beside {form}", "s", seconds(["sha256sum", *files], root, given.runs))
            results.add(f"start beside {form}", "s", seconds([*evaudit, "--help"], root, given.runs))
            hashing = [*evaudit, "digest", "--recipe", recipe, *files]
            results.add(f"digest of {form}", "s", seconds(hashing, root, given.runs))
            results.add(f"check of {form}", "s", seconds([*evaudit, "check"], root, given.runs))
            small = Path(tempfile.mkdtemp(prefix="evaudit-bench-"))
            build(small, given.entries, given.calculations, 1000, form)
            results.add(f"check of small {form}", "s", seconds([*evaudit, "check"], small, given.runs))
            shutil.rmtree(small)
        finally:
            shutil.rmtree(root, ignore_errors=True)
    print(f"wrote {results.write()}; now run benchmarks/register_entries.py")


if __name__ == "__main__":
    main()
