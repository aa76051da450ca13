"""Shapes of registers, texts and controls for ``growth.py``: each writes a project for a size and returns the command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

ENTRY = """\
  - id: E-{i}
    claim: The share is {i}.5%.
    at: {{file: ../page.md, quote: "share {i} is {i}.5%"}}
    figure: share
    expected: {{shown: "{i}.5%"}}
    status: cited
    source: a table
"""


def _register(n: int, to: Path) -> None:
    (to / "registers").mkdir(exist_ok=True)
    entries = "".join(ENTRY.format(i=i) for i in range(n))
    (to / "registers" / "r.yaml").write_text(f"schema: evaudit/register@1\nentries:\n{entries}", encoding="utf-8")


def entries_with_quotes(n: int, to: Path) -> list[str]:
    _register(n, to)
    (to / "page.md").write_text("".join(f"Our share {i} is {i}.5% here.\n\n" for i in range(n)), encoding="utf-8")
    return ["check", str(to), "--root", str(to)]


def entries_and_scan(n: int, to: Path) -> list[str]:
    entries_with_quotes(n, to)
    return ["register", "scan", str(to / "page.md"), "--root", str(to)]


def _text(n: int, to: Path, name: str, text: str) -> list[str]:
    (to / name).write_text(text, encoding="utf-8")
    return ["register", "scan", str(to / name), "--root", str(to)]


def figures_of_a_markdown_text(n: int, to: Path) -> list[str]:
    return _text(n, to, "t.md", "".join(f"A share of {i}.5% is *seen*, see [t](x).\n\n" for i in range(n)))


def one_long_paragraph(n: int, to: Path) -> list[str]:
    return _text(n, to, "t.md", "".join(f"A share of {i}.5% is *seen*.\n" for i in range(n)))


def one_long_line(n: int, to: Path) -> list[str]:
    return _text(n, to, "t.md", "".join(f"A share of {i}.5% is *seen*. " for i in range(n)))


def figures_of_a_plain_text(n: int, to: Path) -> list[str]:
    return _text(n, to, "t.txt", "".join(f"A share of {i}.5% is seen.\n" for i in range(n)))


def figures_of_an_html_text(n: int, to: Path) -> list[str]:
    return _text(n, to, "t.html", "".join(f"<p>A share of {i}.5% is <b>seen</b>.</p>\n" for i in range(n)))


def figures_of_a_latex_text(n: int, to: Path) -> list[str]:
    return _text(n, to, "t.tex", "".join(f"A share of {i}.5\\% is \\emph{{seen}}.\n\n" for i in range(n)))


def macros_of_a_latex_text(n: int, to: Path) -> list[str]:
    letters = ["".join("abcdefghij"[int(d)] for d in str(i)) for i in range(n)]
    defined = "".join(f"\\newcommand{{\\x{name}}}{{{i}.5}}\n" for i, name in enumerate(letters))
    return _text(n, to, "t.tex", defined + "".join(f"A share of \\x{name} is seen.\n\n" for name in letters))


def figures_of_a_restructured_text(n: int, to: Path) -> list[str]:
    return _text(n, to, "t.rst", "".join(f"A share of {i}.5% is *seen*.\n\n" for i in range(n)))


def footnotes_of_a_markdown_text(n: int, to: Path) -> list[str]:
    text = "".join(f"A share[^{i}] of {i}.5%.\n\n" for i in range(n)) + "".join(
        f"[^{i}]: of {i}.25\n" for i in range(n)
    )
    return _text(n, to, "t.md", text)


def links_defined_in_a_markdown_text(n: int, to: Path) -> list[str]:
    text = "".join(f"A [share {i}] of {i}.5%.\n\n" for i in range(n)) + "".join(
        f"[share {i}]: u{i}\n" for i in range(n)
    )
    return _text(n, to, "t.md", text)


def numbers_with_commas(n: int, to: Path) -> list[str]:
    return _text(n, to, "t.txt", "1," * n + "1 words\n" + "twenty-" * n)


def controls(n: int, to: Path) -> list[str]:
    (to / "controls").mkdir(exist_ok=True)
    one = "  - {{id: k{i}, kind: ranking, ranking: [B, U, A], grades: {{A: 2, B: 1, N: 0}}, cutoff: 3, expect: {{P: 2/3}}}}\n"
    for part in range(0, n, 1000):
        text = "".join(one.format(i=i) for i in range(part, min(n, part + 1000)))
        (to / "controls" / f"k{part}.yaml").write_text(
            f"schema: evaudit/control@1\ncontrols:\n{text}", encoding="utf-8"
        )
    return ["check", str(to), "--root", str(to)]


def _calculations(n: int, to: Path, uses: Callable[[int], str], formula: str) -> list[str]:
    (to / "controls").mkdir(exist_ok=True)
    for i in range(n):
        text = f'schema: evaudit/calculation@1\nid: k{i}\nkind: arithmetic\n{uses(i)}outputs:\n  o: {{formula: "{formula}"}}\n'
        (to / "controls" / f"k{i}.yaml").write_text(text, encoding="utf-8")
    return ["check", str(to), "--root", str(to)]


def calculations(n: int, to: Path) -> list[str]:
    return _calculations(n, to, lambda i: "", "1/3 + 2")


def cells_of_a_column(n: int, to: Path) -> list[str]:
    (to / "controls").mkdir(exist_ok=True)
    (to / "controls" / "t.csv").write_text(
        "what,value\n" + "".join(f"w{i},{i}.5\n" for i in range(n)), encoding="utf-8"
    )
    asked = "inputs: [{id: t, path: t.csv, as: text}]\nuses:\n  x: {table: t.csv, column: value}\n"
    return _calculations(1, to, lambda i: asked, "median(x) + sum(x)")


def rows_of_a_table_by_name(n: int, to: Path) -> list[str]:
    (to / "controls").mkdir(exist_ok=True)
    (to / "controls" / "t.csv").write_text(
        "what,value\n" + "".join(f"w{i},{i}.5\n" for i in range(n)), encoding="utf-8"
    )
    named = "".join(f"  x{i}: {{table: t.csv, column: value, where: {{what: w{i}}}}}\n" for i in range(n))
    asked = f"inputs: [{{id: t, path: t.csv, as: text}}]\nuses:\n{named}"
    return _calculations(1, to, lambda i: asked, "sum(x0)")


SHAPES: tuple[tuple[Callable[[int, Path], list[str]], int], ...] = (
    (entries_with_quotes, 2_000),
    (entries_and_scan, 2_000),
    (figures_of_a_markdown_text, 16_000),
    (one_long_paragraph, 16_000),
    (one_long_line, 16_000),
    (figures_of_a_plain_text, 16_000),
    (figures_of_an_html_text, 16_000),
    (figures_of_a_latex_text, 16_000),
    (macros_of_a_latex_text, 4_000),
    (figures_of_a_restructured_text, 4_000),
    (footnotes_of_a_markdown_text, 4_000),
    (links_defined_in_a_markdown_text, 16_000),
    (numbers_with_commas, 64_000),
    (controls, 4_000),
    (calculations, 1_000),
    (cells_of_a_column, 64_000),
    (rows_of_a_table_by_name, 4_000),
)
