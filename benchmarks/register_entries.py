"""Bind what the pages of this folder publish to what was measured: after a measurement, run this once.

    python benchmarks/register_entries.py

For every ``results/NAME.csv`` it computes medians and ratios from the single runs, writes the table of the page between
its two marks, a frozen calculation over the CSV (``controls/benchmarks/NAME.yaml`` with its lock) and verified entries
(``registers/benchmarks.yaml``). A line of a page with figures that no raw runs give gets a cited entry: it was
measured, and nothing here can compute it. ``evaudit check`` then holds page, calculation, lock and raw runs together.
"""

from __future__ import annotations

import csv
import hashlib
import json
import statistics
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent
sys.path.insert(0, str(PROJECT / "src"))

from evaudit.register.freeze import freeze  # noqa: E402
from evaudit.register.prose import read_prose  # noqa: E402
from evaudit.register.scan import scan  # noqa: E402

REGISTER = PROJECT / "registers" / "benchmarks.yaml"
CONTROLS = PROJECT / "controls" / "benchmarks"


@dataclass(frozen=True)
class Value:
    """A published figure: over or under a difference of medians, e.g. ``over=("a", "b"), under=("c", "")`` is a-b by c.

    Attributes:
        name: its output. top, below: a thing measured, and what is taken off it; no ``below``: not divided.
        places: digits after the point. after: the words behind it in its cell.
    """

    name: str
    top: tuple[str, str]
    below: tuple[str, str] = ("", "")
    places: int = 2
    after: str = ""


@dataclass(frozen=True)
class Page:
    """A table of a page: its head, and rows of a label and cells, each a value or a text."""

    path: Path
    head: tuple[str, ...]
    rows: tuple[tuple[str | Value, ...], ...]


def _speed(form: str, recipe: str) -> tuple[tuple[str | Value, ...], ...]:
    plain, words = (f"sha256sum beside {form}", ""), " of its speed"

    def row(label: str, name: str, top: tuple[str, str], *, ratio: bool = True) -> tuple[str | Value, ...]:
        speed = Value(f"{name}-{form}-speed", plain, top, after=words)
        return label, Value(f"{name}-{form}-seconds", top), speed if ratio else ""

    return (
        row(f"sha256sum beside inputs as {form}, 1000 MB in 200 files", "sha256sum", plain),
        row(
            f"evaudit digest --recipe {recipe}, without starting",
            "digest",
            (f"digest of {form}", f"start beside {form}"),
        ),
        row(f"evaudit check, inputs as {form}: 500 entries, 200 calculations", "check", (f"check of {form}", "")),
        row(f"the same with inputs as {form} of 1 kB", "check-small", (f"check of small {form}", ""), ratio=False),
        row(f"the difference: hashing inputs as {form}", "hashing", (f"check of {form}", f"check of small {form}")),
    )


def _commands() -> tuple[tuple[str | Value, ...], ...]:
    names = {
        "a bare interpreter": ("bare", "a bare interpreter"),
        "evaudit --help": ("help", "a bare interpreter"),
        "evaudit check (this project)": ("check", "a bare interpreter"),
        "json.loads of every line of the FEVER files": ("reading", "json.loads of every line of the FEVER files"),
        "evaudit bundles --from fever --compat fever": ("fever", "json.loads of every line of the FEVER files"),
    }
    return tuple(
        (
            what,
            Value(f"{name}-seconds", (what, ""), places=3),
            Value(f"{name}-ratio", (what, ""), (against, ""), places=1),
        )
        for what, (name, against) in names.items()
    )


PAGES = {
    "register": Page(
        HERE / "register.md",
        ("what", "seconds", "against sha256sum"),
        (*_speed("bytes", "bytes"), *_speed("text", "text/lf")),
    ),
    "commands": Page(
        HERE / "README.md", ("command", "seconds", "ratio to the row it is measured against"), _commands()
    ),
}
"""Name of a result to the table that publishes it."""


def main() -> None:
    entries: list[str] = []
    for name, page in PAGES.items():
        source = HERE / "results" / f"{name}.csv"
        if source.exists():
            entries += _published(name, page, source)
    _write_register(entries)
    cited = _cited()
    _write_register([*entries, *cited])
    print(f"{len(entries)} verified entries, {len(cited)} cited; now run `evaudit check`")


def _published(name: str, page: Page, source: Path) -> list[str]:
    """Write table and calculation; the entries of its figures."""
    runs: dict[str, list[Fraction]] = {}
    with source.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            runs.setdefault(row["what"], []).append(Fraction(row["value"]))
    lines = [f"| {' | '.join(page.head)} |", "|" + "---|" * len(page.head)]
    outputs, entries = [], []
    used: dict[str, None] = {}
    digest = hashlib.sha256(source.read_bytes().replace(b"\r\n", b"\n")).hexdigest()
    for row in page.rows:
        cells: list[str] = []
        published: list[tuple[Value, str]] = []
        for cell in row:
            if isinstance(cell, str):
                cells.append(cell)
                continue
            shown = f"{float(round(_value(cell, runs), cell.places)):.{cell.places}f}"
            outputs.append(f'  {cell.name}: {{formula: "{_formula(cell, used)}", expect: "{shown}", show: "{shown}"}}')
            published.append((cell, shown))
            cells.append(f"{shown}{cell.after}")
        quote = " ".join(cell for cell in cells if cell)  # the whole row: 5.456 before 104.9 might be one number
        entries += [_verified(name, page, cell, shown, quote, digest) for cell, shown in published]
        lines.append(f"| {' | '.join(cells)} |".replace("|  |", "| |"))
    _replace_table(page.path, name, lines)
    _freeze(name, used, outputs)
    return entries


def _value(value: Value, runs: dict[str, list[Fraction]]) -> Fraction:
    def of(pair: tuple[str, str]) -> Fraction:
        return statistics.median(runs[pair[0]]) - (statistics.median(runs[pair[1]]) if pair[1] else 0)

    return of(value.top) / of(value.below) if value.below[0] else of(value.top)


def _formula(value: Value, used: dict[str, None]) -> str:
    def of(pair: tuple[str, str]) -> str:
        used.update(dict.fromkeys(p for p in pair if p))
        return f"median({_slug(pair[0])})" + (f" - median({_slug(pair[1])})" if pair[1] else "")

    top, below = of(value.top), of(value.below) if value.below[0] else ""
    return f"({top}) / ({below})" if below else top


def _slug(what: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in what).strip("_")


def _freeze(name: str, used: dict[str, None], outputs: list[str]) -> None:
    table = f"../../benchmarks/results/{name}.csv"
    uses = [f"  {_slug(w)}: {{table: {table}, column: value, where: {{what: {json.dumps(w)}}}}}" for w in used]
    text = [
        f"# Written by benchmarks/register_entries.py from the single runs in benchmarks/results/{name}.csv.",
        "schema: evaudit/calculation@1", f"id: benchmark-{name}", "kind: arithmetic",
        f"inputs: [{{id: runs, path: {table}, as: text}}]", "uses:", *uses, "outputs:", *outputs,
    ]  # fmt: skip
    CONTROLS.mkdir(exist_ok=True)
    path = CONTROLS / f"{name}.yaml"
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    path.with_suffix(".lock.json").unlink(missing_ok=True)
    freeze(path)


def _replace_table(path: Path, name: str, lines: list[str]) -> None:
    """Put the table between ``<!-- results/NAME.csv -->`` and ``<!-- end -->``."""
    text = path.read_text(encoding="utf-8")
    before, mark, rest = text.partition(f"<!-- results/{name}.csv -->\n")
    _, end, after = rest.partition("<!-- end -->\n")
    if not mark or not end:
        raise SystemExit(f"{path} lacks the marks <!-- results/{name}.csv --> and <!-- end -->")
    path.write_text(f"{before}{mark}\n{chr(10).join(lines)}\n\n{end}{after}", encoding="utf-8")


def _verified(name: str, page: Page, value: Value, shown: str, quote: str, digest: str) -> str:
    file = page.path.relative_to(PROJECT).as_posix()
    return "\n".join([
        f"  - id: M-{name}-{value.name}",
        f'    claim: "Of the measured runs, {value.name} is {shown}."',
        f"    at: {{file: ../{file}, quote: {json.dumps(quote, ensure_ascii=False)}}}",
        f"    figure: {value.name}",
        f'    expected: {{exact: "{shown}", shown: "{shown}", rounding: half-even}}',
        f"    calculation: {{ref: ../controls/benchmarks/{name}.yaml}}",
        f'    inputs: [{{path: ../benchmarks/results/{name}.csv, sha256: "{digest}", recipe: text/lf}}]',
        "    limitations: [Seconds are those of one machine.]",
        "    status: verified",
    ])  # fmt: skip


def _cited() -> list[str]:
    """A cited entry for every line of a page with figures that nothing binds."""
    entries = []
    pages = sorted(HERE.glob("*.md"))
    for page, text in zip(pages, scan(pages, PROJECT).details["texts"], strict=True):
        prose = read_prose(page.read_bytes(), page.name)
        first: dict[int, str] = {}
        for figure in text["figures"]:
            if not figure["bound_by"] and figure["no_claim"] is None:
                first.setdefault(figure["line"], figure["figure"])
        for line, shown in first.items():
            quote = "".join(c for c, at in zip(prose.text, prose.lines, strict=True) if at == line).strip()
            key = hashlib.sha256(f"{page.name}\n{quote}".encode()).hexdigest()[:8]
            file = page.relative_to(PROJECT).as_posix()
            place = f"{{file: ../{file}, quote: {json.dumps(quote, ensure_ascii=False)}, occurs: {len(prose.spans(quote))}}}"
            entries.append("\n".join([
                f"  - id: M-{page.stem}-{key}",
                f"    claim: Measured as {page.stem} says.",
                f"    at: {place}",
                "    figure: measured",
                f"    expected: {{exact: null, shown: {json.dumps(shown)}, rounding: unknown}}",
                f"    source: {{work: {file}, note: measured on one machine; its script measures anew}}",
                "    status: cited",
            ]))  # fmt: skip
    return entries


def _write_register(entries: list[str]) -> None:
    head = [
        "# Written by benchmarks/register_entries.py: what the pages of benchmarks/ publish. Run it after a measurement.",
        "schema: evaudit/register@1", "entries:",
    ]  # fmt: skip
    REGISTER.write_text("\n".join([*head, *entries]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
