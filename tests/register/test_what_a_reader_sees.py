"""What counts is what a reader sees: what is struck out, hidden or never printed is no publication; what prints is."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from evaudit.register.prose import read_prose
from evaudit.register.scan import scan

FIGURE = "recall is .4884"
TEX = "\\documentclass{article}\n\\begin{document}\nOne.\n%s\nMore.\n\\end{document}\n"

SEEN = {
    "footnote.md": ("One.[^a]\n\n[^a]: Here recall is .4884.\n", 3),
    "inline-footnote.md": ("One.^[Here recall is .4884.]\n", 1),
    "inserted.html": ("<p>One</p>\n<ins>recall is .4884</ins>", 2),
    "cell.html": ("<table><tr><td>recall is <b>.48</b>84</td><td>5</td></tr></table>", 1),
    "implied.html": ("<ul><li hidden>a<li>recall is .4884</ul>", 1),
    "html.md": ("One\n\n<div>\n\nrecall is **.4884**\n\n</div>\n", 5),
    "math.md": ("One\n\nrecall is $.4884$ here\n", 3),
    "footnote.rst": ("One [1]_.\n\n.. [1] Here recall is .4884.\n", 3),
    "admonition.rst": ("One\n\n.. note:: Here recall is .4884.\n", 3),
    "added.rst": ("One\n\n.. versionadded:: 1.2\n   Here recall is .4884.\n", 4),
    "only.rst": ("One\n\n.. only:: html\n\n   Here recall is .4884.\n", 5),
    "role.rst": ("One\n\n:func:`recall <x>` is **.4884** by :ref:`x`.\n", 3),
    "footnote.tex": (TEX % "One\\footnote{Here recall is .4884.} more", 4),
    "colour.tex": (TEX % "recall is \\textcolor{red}{.4884}", 4),
    "macro.tex": ("\\newcommand{\\ours}{.4884}\n\\begin{document}\nrecall is \\ours{} here\n\\end{document}\n", 3),
    "argument.tex": (
        "\\newcommand{\\show}[1]{\\textbf{#1}}\n\\begin{document}\nrecall is \\show{.4884}\n\\end{document}\n",
        3,
    ),
    "def.tex": ("\\def\\ours{.4884}\nrecall is \\ours.", 2),
    "num.tex": (TEX % "recall is \\num{.4884}", 4),
    "switch.tex": ("\\newif\\ifdraft\n\\draftfalse\n\\ifdraft hidden \\else recall is .4884\\fi", 3),
    "true.tex": ("\\iftrue recall is .4884\\else no\\fi", 1),
    "caption.tex": (TEX % "\\begin{table}[t]\\caption[x]{recall is .4884}\\end{table}", 4),
    "title.tex": ("\\title{recall is .4884}\n\\begin{document}\\maketitle\\end{document}", 1),
    "verbatim.tex": (TEX % "\\begin{verbatim}\nrecall is .4884, % no comment\n\\end{verbatim}", 5),
    "callout.qmd": ("::: {.callout-note}\nHere recall is .4884.\n:::\n", 2),
    "figure.qmd": ("::: {#fig-a layout-ncol=2}\n\nrecall is **.4884**\n\n:::\n", 3),
    "columns.tex": (
        TEX % "\\begin{tabular}{@{}l@{\\hspace{3pt}}>{\\raggedright}p{3cm}}recall is .4884\\end{tabular}",
        4,
    ),
    "span.qmd": ("One [recall is .4884]{.big}\n", 1),
}


@pytest.mark.parametrize("name", SEEN)
def test_what_is_printed_is_found_on_its_line(name):
    text, line = SEEN[name]
    prose = read_prose(text.encode(), name)
    assert prose.find(FIGURE) == [line], (prose.text, prose.warnings)
    assert prose.warnings == ()


UNSEEN = {
    "struck.md": "One ~~recall is .4884~~.",
    "single.md": "One ~recall is .4884~.",
    "del.md": "One <del>recall is .4884</del>.",
    "del-block.md": "<div hidden>\n\nrecall is .4884\n\n</div>\n",
    "front.md": "---\ntitle: recall is .4884\n---\n\nOne\n",
    "toml.md": "+++\ntitle = 'recall is .4884'\n+++\nOne\n",
    "info.md": "One\n\n```python recall is .4884\nx\n```\n",
    "alt.md": "One ![recall is .4884](x.png)",
    "title.md": 'One [x](y.md "recall is .4884")',
    "unused-footnote.md": "One.\n\n[^a]: recall is .4884\n",
    "definition.md": "One [x]\n\n[x]: y.md 'recall is .4884'\n",
    "attribute.html": '<p title="recall is .4884">One</p><img alt="recall is .4884">',
    "del.html": "<p>One <del>recall is .4884</del></p>",
    "s.html": "<p>One <s>recall is .4884</s></p>",
    "hidden.html": "<p>One</p><div hidden>recall <b>is</b> .4884</div>",
    "display.html": '<p>One</p><div style="color: red; display : none">recall is .4884</div>',
    "through.html": '<p>One</p><span style="text-decoration: line-through">recall is .4884</span>',
    "template.html": "<p>One</p><template>recall is .4884</template>",
    "never.rst": "One\n\n.. only:: never\n\n   recall is .4884\n",
    "comment.rst": "One\n\n.. recall is .4884\n",
    "option.rst": "One\n\n.. figure:: x.png\n   :alt: recall is .4884\n",
    "iffalse.tex": TEX % "\\iffalse recall is .4884 \\fi",
    "nested.tex": TEX % "\\iffalse \\ifx a b c \\fi recall is .4884 \\else yes \\fi",
    "comment.tex": TEX % "\\begin{comment}\nrecall is .4884\n\\end{comment}",
    "after.tex": "\\begin{document}One\\end{document}\nrecall is .4884",
    "preamble.tex": "recall is .4884 \\begin{document}One\\end{document}",
    "phantom.tex": TEX % "\\phantom{recall is .4884}",
    "sout.tex": TEX % "\\sout{recall is .4884}",
    "unused.tex": "\\newcommand{\\old}{recall is .4884}\n\\begin{document}One\\end{document}",
    "unused-def.tex": "\\def\\old{recall is .4884} One",
    "excluded.tex": "\\excludecomment{old}\n\\begin{old}recall is .4884\\end{old}",
    "columns.tex": TEX % "\\begin{tabular}{p{.4884}} recall is \\end{tabular}",
    "object.html": "<p>One</p><object>recall is .4884</object><canvas>recall is .4884</canvas>",
    "dialog.html": "<p>One</p><dialog>recall is .4884</dialog><p popover>recall is .4884</p>",
    "defs.html": "<p>One</p><svg><defs><text>recall is .4884</text></defs></svg>",
    "meter.html": "<p>One</p><meter value=.3>recall is .4884</meter>",
    "label.tex": TEX % "\\label{recall is .4884}\\vspace{.4884cm}",
}


@pytest.mark.parametrize("name", UNSEEN)
def test_what_is_not_printed_is_no_publication(name):
    prose = read_prose(UNSEEN[name].encode(), name)
    assert prose.find(FIGURE) == [], prose.text
    assert [f.text for f in prose.figures()] == [], prose.text
    assert prose.warnings == ()


def cell(kind, source, outputs=(), **metadata):
    extra = {"outputs": list(outputs)} if kind == "code" else {}
    return {"cell_type": kind, "source": source, "metadata": metadata, **extra}


def notebook(*cells):
    return json.dumps({"nbformat": 4, "cells": list(cells)}).encode()


STREAM = {"output_type": "stream", "text": FIGURE}


def test_raw_and_removed_cells_of_a_notebook_are_not_seen():
    unseen = notebook(
        cell("raw", FIGURE),
        cell("markdown", f"~~{FIGURE}~~"),
        cell("markdown", FIGURE, tags=["remove-cell"]),
        cell("code", "x", [STREAM], tags=["remove-output"]),
        cell("code", f"# {FIGURE}", tags=["remove-input"]),
        cell("code", f"# {FIGURE}", [STREAM], jupyter={"source_hidden": True, "outputs_hidden": True}),
    )
    assert read_prose(unseen, "a.ipynb").find(FIGURE) == []
    seen = notebook(cell("code", "x", [STREAM, {"data": {"text/latex": "recall is $.4884$", "text/plain": "no"}}]))
    assert read_prose(seen, "a.ipynb").find(FIGURE) == ["cell 1 output, line 1"] * 2


APART = {
    "cells.md": "| a | b |\n|---|---|\n| 12 | 480 |\n",
    "cells.html": "<table><tr><td>12</td><td>480</td></tr></table>",
    "cells.tex": "\\begin{tabular}{rr} 12 & 480 \\\\ \\end{tabular}",
    "cells.rst": "=====  =====\n12     480\n=====  =====\n",
    "rows.tex": "\\begin{tabular}{r} 12 \\\\ 480 \\\\ \\end{tabular}",
    "footnote.tex": "12\\footnote{480 rows}",
    "lines.md": "12  \n480\n",
    "items.md": "- 12\n- 480\n",
    "columns.txt": "12   480\n",
    "tabs.txt": "12\t480\n",
}


@pytest.mark.parametrize("name", APART)
def test_cells_lines_and_footnotes_part_numbers(name):
    figures = read_prose(APART[name].encode(), name).figures()
    assert [f.text for f in figures if f.text not in ("1",)] == ["12", "480"]


ONE_NUMBER = {
    "thin.tex": ("12\\,480 rows", "12480"),
    "tie.tex": ("12~480 rows", "12480"),
    "num.tex": ("\\num{12480} rows", "12480"),
    "exponent.tex": ("\\num{1.2e-4}", "0.00012"),
    "power.tex": ("$1.2 \\times 10^{4}$", "12000"),
    "short-power.tex": ("$1.2\\times10^4$", "12000"),
    "unit.tex": ("\\SI{-3.2}{\\percent}", "-0.032"),
    "qty.tex": ("\\qty{3.2}{\\permille}", "0.0032"),
    "sign.tex": ("$-3.2$", "-3.2"),
    "cell.tex": ("\\begin{tabular}{l}\\multicolumn{2}{c}{-3.2}\\end{tabular}", "-3.2"),
    "group.tex": ("12{,}480 rows", "12480"),
    "power.html": ("1.2 &times; 10<sup>4</sup>", "12000"),
    "power.md": ("1.2 × 10<sup>4</sup>", "12000"),
    "sign.html": ("&minus;3.2", "-3.2"),
    "wbr.html": ("12<wbr>480", "12480"),
    "space.html": ("12&nbsp;480", "12480"),
    "hyphen.html": ("12&shy;480", "12480"),
    "math.html": ("<math><mn>1.2</mn><mo>&times;</mo><msup><mn>10</mn><mn>4</mn></msup></math>", "12000"),
    "superscript.rst": ("1.2 × 10\\ :sup:`4`", "12000"),
    "math.rst": (":math:`1.2 \\times 10^4`", "12000"),
}


@pytest.mark.parametrize("name", ONE_NUMBER)
def test_a_number_is_what_it_looks_like(name):
    text, value = ONE_NUMBER[name]
    figures = read_prose(text.encode(), name).figures()
    assert [f.shown.value if f.shown else f.why for f in figures] == [Decimal(value)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mark.html", "<p>.4884<sup><a href='#n1'>1</a></sup></p>"),
        ("mark.md", ".4884[^1]\n\n[^1]: x"),
        ("mark.rst", "It is .4884 [1]_.\n\n.. [1] x\n"),
        ("mark.tex", ".4884\\footnotemark[1]"),
    ],
)
def test_the_mark_of_a_footnote_is_no_digit_of_a_number(name, text):
    assert [f.text for f in read_prose(text.encode(), name).figures()] == [".4884"]


def test_fractions_of_formulas_keep_their_bar():
    html = "<math><mfrac><mn>21</mn><mn>43</mn></mfrac></math>"
    assert [f.counts for f in read_prose(html.encode(), "a.html").figures()] == [(21, 43)]
    assert read_prose(b"$\\frac{21}{21+16}$", "a.tex").text.strip() == "21/(21+16)"


UNREAD = {
    "todo.rst": ("One\n\n.. todo:: It is .4884\n", 3, "todo"),
    "sheet from elsewhere.html": ("<p>One</p>\n<link rel=stylesheet href=a.css>", 2, "<link>"),
    "script.html": ("<p>One</p>\n<script src=a.js></script>", 2, "<script>"),
    "own script.html": ("<p>One</p>\n<script>hide()</script>", 2, "<script>"),
    "mirrored.tex": ("One\n\\scalebox{-1}[1]{.4884}", 2, "mirrors"),
    "undecided.tex": ("One\n\\ifx\\a\\b .4884 \\else .5 \\fi", 2, "not decided"),
    "input.tex": ("One\n\\input{numbers}", 2, "not followed"),
    "unknown.tex": ("One\n\\foo{.4884}", 2, "\\foo is not known"),
    "picture.tex": ("One\n\\begin{tikzpicture}\\node {.4884};\\end{tikzpicture}", 2, "tikzpicture is not read"),
    "environment.tex": ("One\n\\begin{foo}.4884\\end{foo}", 2, "environment foo"),
    "open.tex": ("One\n\\begin{comment} .4884", 2, "no end"),
    "endless.tex": ("\\def\\a{\\a\\a}\n\\a", 2, "goes on for too long"),
    "catcode.tex": ("One\n\\catcode`\\%=12 ", 2, "not followed"),
    "white.tex": ("One\n\\textcolor{white}{.4884}", 2, "white text"),
    "raw.rst": ("One\n\n.. raw:: html\n\n   .4884\n", 3, "raw"),
    "include.rst": ("One\n\n.. include:: /etc/passwd\n", 3, "include"),
    "csv.rst": ("One\n\n.. csv-table::\n   :file: /etc/passwd\n", 3, "csv-table"),
    "directive.rst": ("One\n\n.. foo::\n\n   .4884\n", 3, "Unknown directive"),
    "condition.rst": ("One\n\n.. only:: draft\n\n   .4884\n", 3, "not decided"),
    "sheet.html": ("<p>One</p>\n<style>.x { display: none }</style>", 2, "style sheet"),
    "turned.html": ("<p>One</p>\n<bdo dir=rtl>4884.</bdo>", 2, "order"),
    "open.html": ("<p>One</p>\n<div hidden>.4884", 2, "hides everything"),
    "tag.html": ('<p>One</p>\n<p title=".4884', 2, "never ends"),
    "turned.md": ("One\n\n\u202e4884.\u202c", 3, "U+202E"),
    "open.md": ("One\n\nTwo <!-- .4884", 3, "never ends"),
    "code.qmd": ("One\n\nIt is `{python} recall`.", 3, "computed"),
    "short.qmd": ("One\n\nIt is {{< var recall >}}.", 3, "shortcode"),
    "between.tex": ("One\n\\begin{tabular}{r@{.}l}3&2\\end{tabular}", 2, "more than their cells"),
    "before.tex": ("One\n\\begin{tabular}{>{$-$}r}3\\end{tabular}", 2, "more than their cells"),
    "plus.tex": ("One\n\\begin{tabular}{r@{ $\\pm$ }l}3&2\\end{tabular}", 2, "more than their cells"),
    "rounded.tex": ("One\n\\num[round-mode=places,round-precision=1]{.4884}", 2, "other numbers"),
    "setup.tex": ("One\n\\sisetup{round-mode=places}", 2, "other numbers"),
    "moved.html": ("<p>One</p>\n<span style='position: absolute; left: -9999px'>.4884</span>", 2, "could hide"),
    "mirrored.html": ("<p>One</p>\n<p style='transform: scaleX(-1)'>.4884</p>", 2, "could hide"),
    "escaped.html": ("<p>One</p>\n<p style='dis\\play:none'>.4884</p>", 2, "could hide"),
    "clear.html": ("<p>One</p>\n<p style='color:transparent'>.4884</p>", 2, "could hide"),
    "class.html": ("<p>One</p>\n<p class='d-none'>.4884</p>", 2, "could hide"),
    "added.html": ("<p>One</p>\n<style>.x::before { content: '-' }</style>", 2, "beside elements"),
    "role.rst": ("One\n\n.. role:: del\n\nIt is :del:`.4884`\n", 5, "the class del"),
    "span.qmd": ("One\n\nIt is [.4884]{.content-hidden}\n", 3, "span"),
    "tex.qmd": ("One\n\nIt is \\sout{.4884}\n", 3, "raw text"),
    "raw.qmd": ("One\n\nIt is `.4884`{=html}\n", 3, "raw text"),
    "div.qmd": ("One\n\n::: {.hidden}\n.4884\n:::\n", 3, "div"),
}


@pytest.mark.parametrize("name", UNREAD)
def test_what_cannot_be_read_safely_is_a_warning_with_its_line(name, tmp_path):
    text, line, told = UNREAD[name]
    prose = read_prose(text.encode(), name)
    assert any(at == line and told in message for at, message in prose.warnings), prose.warnings
    (tmp_path / name).write_text(text, encoding="utf-8")
    found = [f for f in scan([tmp_path / name]).findings if f.rule == "prose-unread"]
    assert any(f.where.line == line and f.severity == "warning" for f in found)


def test_nothing_of_another_file_is_read(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("recall is .4884")
    texts = {
        "a.rst": f".. include:: {secret}\n",
        "b.rst": f".. csv-table::\n   :file: {secret}\n",
        "a.tex": f"\\input{{{secret}}}",
    }
    for name, text in texts.items():
        assert ".4884" not in read_prose(text.encode(), name).text


def test_every_figure_tells_where_it_stands_in_the_source():
    for name, text, written in (
        ("a.md", "# One\n\n> A *recall* of **.48**84 &asymp; [21/43](x.md) and `.5`\n", [".48**84", "21/43", ".5"]),
        ("a.html", "<p>One &lt; <b>.48</b>84</p>\n<p>-3.2&nbsp;%</p>", [".48</b>84", "-3.2&nbsp;%"]),
        ("a.tex", "One \\textbf{.4884} of\n\\emph{12\\,480}", [".4884", "12\\,480"]),
        ("a.rst", "One\n===\n\n* It is **.4884**\n* and ``.5``\n", [".4884", ".5"]),
        ("a.txt", "One .4884\nand -3.2 %", [".4884", "-3.2 %"]),
    ):
        prose = read_prose(text.encode(), name)
        found = [prose.source(f) for f in prose.figures()]
        assert [text[a:b] for a, b in found] == written, name


def test_a_quote_with_markup_is_found_in_every_format():
    for name, text, quote in (
        ("a.md", "It is ~~.5~~ **.4884** here", "is ~~.5~~ **.4884** here"),
        ("a.tex", "It is \\textbf{.4884} here", "is \\textbf{.4884} here"),
        ("a.html", "<p>It is <b>.4884</b> here", "is <b>.4884</b> here"),
        ("a.rst", "It is **.4884** here", "is **.4884** here"),
    ):
        assert read_prose(text.encode(), name).find(quote) == [1], name


@pytest.mark.parametrize(
    ("name", "text"),
    [("root.html", "<math><msqrt><mn>3.2</mn></msqrt></math>"), ("root.tex", "$\\sqrt{3.2}$"),
     ("minus.tex", "of $- 3.2$"),
     ("bar.tex", "$\\overline{3.2}$"), ("bar at a number.tex", "$\\bar 3.2$"),
     ("mirrored.tex", "\\scalebox{-1}[1]{3.2}"),
     ("upside down.tex", "\\rotatebox{180}{a 3.2 b}"), ("unknown.tex", "\\foo{3.2}"), ("second.tex", "\\foo{a}{3.2}"),
     ("behind.tex", "It is \\foo 3.2"), ("subscript.qmd", "H~3.2~O"), ("raised.qmd", "x^3.2^"),
     ("order.txt", "is \u202e3.2\u202c so"), ("order of words.txt", "\u202eIt is 3.2 in all\u202c"),
     ("bdo.html", "<p><bdo dir=rtl>It is 3.2 so</bdo></p>"), ("rtl.html", "<p style='direction:rtl'>It is 3.2</p>"),
     ("thin.tex", "of $-\\,3.2$"), ("wrapped.md", "a change of -\n3.2 points"), ("mark.txt", "3.2\u0335")],
)  # fmt: skip
def test_a_number_that_is_set_as_a_part_of_another_binds_nothing(name, text):
    states = [f.shown.value for f in read_prose(text.encode(), name).figures() if f.shown]
    assert Decimal("3.2") not in states


@pytest.mark.parametrize(
    ("name", "text"),
    [("text.tex", "\\overline{text} of 3.2"), ("smaller.tex", "\\scalebox{.8}{3.2}"),
     ("turned.tex", "\\rotatebox{90}{3.2}"),
     ("next block.html", "<p><bdo dir=rtl>It is 4</bdo></p><p>It is 3.2</p>"), ("about.txt", "~3.2"),
     ("data.html", "<script type='application/ld+json'>{}</script><p>3.2</p>"),
     ("image.md", "![x](a.png){width=50%} is 3.2"), ("braces.md", "the set {a=1} of 3.2"), ("arrow.R.md", "x <= 3.2")],
)  # fmt: skip
def test_a_number_that_nothing_changes_is_itself(name, text):
    states = [f.shown.value for f in read_prose(text.encode(), name).figures() if f.shown]
    assert Decimal("3.2") in states


def test_attributes_behind_an_image_are_no_prose_and_an_svg_title_is_not_shown():
    for name, text in (("a.md", "![x](a.png){width=50%}"), ("a.html", "<svg><title>.4884</title></svg>")):
        assert list(read_prose(text.encode(), name).figures()) == []


def test_prefix_and_unit_of_siunitx_are_one_word():
    assert read_prose(b"\\SI{3.2}{\\kilo\\gram}", "a.tex").text == "3.2 kg"
