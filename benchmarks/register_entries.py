"""Bind what the pages of this folder publish to what was measured: after a measurement, run this once.

    python benchmarks/register_entries.py

For every ``results/NAME.csv`` it computes medians and ratios from the single runs, writes the table of the page between
its two marks, a frozen calculation over the CSV (``controls/benchmarks/NAME.yaml`` with its lock) and verified entries
(``registers/speed.yaml``). A line of a page with figures that no raw runs give gets a cited entry: it was
measured, and nothing here can compute it. ``evaudit check`` then holds page, calculation, lock and raw runs together.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent
sys.path.insert(0, str(PROJECT / "src"))

from evaudit.register.freeze import freeze  # noqa: E402
from evaudit.register.prose import read_prose  # noqa: E402
from evaudit.register.scan import scan  # noqa: E402

REGISTER = PROJECT / "registers" / "speed.yaml"
CONTROLS = PROJECT / "controls" / "benchmarks"


Runs = dict[str, list[Fraction]]
"""Thing measured to the values of its runs, in the order of measuring."""


@dataclass(frozen=True)
class Value:
    """A published figure: ``function`` of the runs of one thing, less that of another, over the same of two more.

    Attributes:
        name: its output. top, below: a thing measured, and what is taken off it; no ``below``: not divided.
        places: digits after the point.
    """

    name: str
    top: tuple[str, str]
    below: tuple[str, str] = ("", "")
    places: int = 2
    function: str = "median"


Cell = tuple[str | Value, ...]
"""Words and figures, one after the other."""


@dataclass(frozen=True)
class Page:
    """A table of a page: its head, and what gives its rows from the runs."""

    path: Path
    head: tuple[str, ...]
    rows: Callable[[Runs], list[tuple[Cell, ...]]]


def _register(runs: Runs) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    for form, recipe in (("bytes", "bytes"), ("text", "text/lf")):
        plain, check = (f"sha256sum beside {form}", ""), f"check of {form}"
        for label, name, top in (
            (f"sha256sum beside inputs as {form}, 1000 MB in 200 files", "sha256sum", plain),
            (
                f"evaudit digest --recipe {recipe}, without starting",
                "digest",
                (f"digest of {form}", f"start beside {form}"),
            ),
            (f"evaudit check, inputs as {form}: 500 entries, 200 calculations", "check", (check, "")),
            (f"the same with inputs as {form} of 1 kB", "check-small", (f"check of small {form}", "")),
            (f"the difference: hashing inputs as {form}", "hashing", (check, f"check of small {form}")),
        ):
            speed = (Value(f"{name}-{form}-speed", plain, top), " of its speed") if name != "check-small" else ()
            rows.append(((label,), (Value(f"{name}-{form}-seconds", top),), speed))
    return rows


def _commands(runs: Runs) -> list[tuple[Cell, ...]]:
    bare, reading = "a bare interpreter", "json.loads of every line of the FEVER files"
    return [
        (
            (what,),
            (Value(f"{_slug(what)}-seconds", (what, ""), places=3),),
            (
                Value(
                    f"{_slug(what)}-ratio", (what, ""), (reading if "FEVER" in what or "fever" in what else bare, ""), 1
                ),
            ),
        )
        for what in runs
    ]


def _decisions(runs: Runs) -> list[tuple[Cell, ...]]:
    rows = []
    for key in _subjects(runs):
        count, form, who = key.split(" ", 2)
        times = [(Value(f"{_slug(key)}-{kind}", (f"{key}: {kind}", "")),) for kind in ("wall", "cpu")]
        rows.append(((f"{int(count):,}",), (form,), (who,), *times, (f"{round(runs[f'{key}: peak'][0])}",)))
    return rows


def _ranking(runs: Runs) -> list[tuple[Cell, ...]]:
    rows = []
    for key in _subjects(runs):

        def value(kind: str, function: str = "median", places: int = 1, key: str = key) -> Value:
            return Value(f"{_slug(key)}-{kind}-{function}", (f"{key}: {kind}", ""), ("", ""), places, function)

        wall = (value("wall"), "x (", value("wall", "min"), " to ", value("wall", "max"), ")")
        seconds = [(value(kind, places=2), " s") for kind in ("ours", "theirs")]
        memory = (f"{round(runs[f'{key}: memory'][0])} MiB",)
        rows.append(((key,), *seconds, wall, (value("cpu"), "x"), memory, (value("load"),)))
    return rows


def _growth(runs: Runs) -> list[tuple[Cell, ...]]:
    counts = [key for key in runs if not key.endswith(": memory")]
    return [
        (
            (key,),
            (Value(f"{_slug(key)}-best", (key, ""), function="min"), " s"),
            (Value(f"{_slug(key)}-growth", (key, ""), (counts[0], ""), function="min"), "x"),
            (f"{round(runs[f'{key}: memory'][0])} MiB",),
        )
        for key in counts
    ]


def _bundles(runs: Runs) -> list[tuple[Cell, ...]]:
    rows = []
    for key in _subjects(runs):
        wall, cpu, ratio = (Value(f"{_slug(key)}-{kind}", (f"{key}: {kind}", "")) for kind in ("wall", "cpu", "ratio"))
        speed = Value(f"{_slug(key)}-speed", (f"{key}: million rows", ""), (f"{key}: wall", ""))
        rows_a_second = [(speed,)] if f"{key}: million rows" in runs else []
        rows.append(((key,), (wall,), (cpu,), (f"{round(runs[f'{key}: peak'][0])}",), *rows_a_second, (ratio,)))
    return rows


def _shapes(runs: Runs) -> list[tuple[Cell, ...]]:
    """The largest size of each shape, and the growth to it; none where the size before takes no time to speak of."""
    rows = []
    for shape in _subjects(runs):
        first, *_, before, last = sizes = [f"{shape}: {n}" for n in _sizes(runs, shape)]
        steady = len(sizes) > 2 and min(runs[before]) - min(runs[first]) > Fraction(1, 10)
        growth = Value(f"{_slug(shape)}-growth", (last, first), (before, first), places=1, function="min")
        seconds = Value(f"{_slug(shape)}-seconds", (last, ""), function="min")
        rows.append(((shape,), (f"{int(last.rpartition(' ')[2]):,}",), (seconds,), (growth,) if steady else ()))
    return rows


def _sizes(runs: Runs, shape: str) -> list[int]:
    return sorted(int(what.rpartition(": ")[2]) for what in runs if what.rpartition(": ")[0] == shape)


def _subjects(runs: Runs) -> list[str]:
    return list(dict.fromkeys(what.rpartition(": ")[0] for what in runs))


PAGES = {
    "register": Page(HERE / "register.md", ("what", "seconds", "against sha256sum"), _register),
    "commands": Page(HERE / "README.md", ("command", "seconds", "ratio to the row it is measured against"), _commands),
    "decisions": Page(HERE / "decisions.md", ("rows", "form", "who", "wall s", "cpu s", "peak MiB"), _decisions),
    "ranking": Page(
        HERE / "ranking.md",
        ("workload, against pytrec_eval with parsing", "ours", "theirs", "wall", "CPU", "our private memory", "load"),
        _ranking,
    ),
    "growth": Page(HERE / "growth.md", ("shape", "size", "user CPU s", "growth"), _shapes),
    "ranking-growth": Page(HERE / "ranking.md", ("lines", "wall", "against the first", "private memory"), _growth),
    **{
        name: Page(
            HERE / "bundles.md",
            ("engine", "wall s", "cpu s", "peak MB a process", "million unit rows/s", "wall, beside the first"),
            _bundles,
        )
        for name in ("bundles", "bundles-large")
    },
    "bundles-fever": Page(
        HERE / "bundles.md", ("engine", "wall s", "cpu s", "peak MB", "wall, beside the first"), _bundles
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
    runs: Runs = {}
    with source.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            runs.setdefault(row["what"], []).append(Fraction(row["value"]))
    lines = [f"| {' | '.join(page.head)} |", "|" + "---|" * len(page.head)]
    outputs, entries = [], []
    used: dict[str, None] = {}
    digest = hashlib.sha256(source.read_bytes().replace(b"\r\n", b"\n")).hexdigest()
    for row in page.rows(runs):
        cells: list[str] = []
        published: list[tuple[Value, str]] = []
        for cell in row:
            words = ""
            for part in cell:
                if isinstance(part, str):
                    words += part
                    continue
                shown = f"{float(round(_value(part, runs), part.places)):.{part.places}f}"
                outputs.append(
                    f'  {part.name}: {{formula: "{_formula(part, used)}", expect: "{shown}", show: "{shown}"}}'
                )
                published.append((part, shown))
                words += shown
            cells.append(words)
        quote = " ".join(cell for cell in cells if cell)  # the whole row: 5.456 before 104.9 might be one number
        entries += [_verified(name, page, value, shown, quote, digest) for value, shown in published]
        lines.append(f"| {' | '.join(cells)} |".replace("|  |", "| |"))
    _replace_table(page.path, name, lines)
    _freeze(name, used, outputs)
    return entries


def _value(value: Value, runs: Runs) -> Fraction:
    over: Callable[[list[Fraction]], Fraction] = {"median": statistics.median, "min": min, "max": max}[value.function]

    def of(pair: tuple[str, str]) -> Fraction:
        return over(runs[pair[0]]) - (over(runs[pair[1]]) if pair[1] else 0)

    return of(value.top) / of(value.below) if value.below[0] else of(value.top)


def _formula(value: Value, used: dict[str, None]) -> str:
    def of(pair: tuple[str, str]) -> str:
        used.update(dict.fromkeys(p for p in pair if p))
        return " - ".join(f"{value.function}({_slug(p, '_')})" for p in pair if p)

    return f"({of(value.top)}) / ({of(value.below)})" if value.below[0] else of(value.top)


def _slug(what: str, joint: str = "-") -> str:
    """A name of words; of a formula it begins with a letter."""
    words = re.sub("[^A-Za-z0-9]+", joint, what).strip(joint)
    return f"of_{words}" if joint == "_" and words[:1].isdigit() else words


def _freeze(name: str, used: dict[str, None], outputs: list[str]) -> None:
    table = f"../../benchmarks/results/{name}.csv"
    uses = [f"  {_slug(w, '_')}: {{table: {table}, column: value, where: {{what: {json.dumps(w)}}}}}" for w in used]
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
        message = (
            f"put <!-- results/{name}.csv --> and <!-- end --> in the place of its table, each on a line of its own"
        )
        raise SystemExit(f"{path}: {message}")
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
    for page, text in zip(pages, scan(pages, PROJECT, integers=False).details["texts"], strict=True):
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
