"""Changes of a text and of what its reader sees."""

from __future__ import annotations

from collections.abc import Mapping

from changes import BOOK, LOCK, README, Change, Mutation, both, caught, edit, not_reached


def in_latex(text: str) -> Change:
    """The text as LaTeX, quoted there."""
    return lambda p: [p.write("paper.tex", text), p.replace(BOOK, "../README.md", "../paper.tex")]


TEXTS: Mapping[str, Mutation] = {
    "edit only the prose": caught(edit(README, ".4884", ".4885"), "entry-quote"),
    "the same quote a second time": caught(
        edit(README, "# Project", "recall is 21/43 ≈ .4884\n\n# Project"), "entry-quote"
    ),
    "hide the quote in a comment": caught(
        edit(README, "recall is\n21/43 ≈ .4884", "<!-- recall is\n21/43 ≈ .4884 -->"), "entry-quote"
    ),
    "flip the sign": caught(edit(README, "≈ .4884", "≈ -.4884"), "entry-quote"),
    "make it per cent": caught(edit(README, ".4884 of", ".4884 % of"), "entry-quote"),
    "make it millions": caught(edit(README, ".4884 of", ".4884 million of"), "entry-quote"),
    "put an exponent behind it": caught(edit(README, ".4884 of", ".4884e-4 of"), "entry-quote"),
    "make it the end of a range": caught(edit(README, ".4884 of", ".4884–.6279 of"), "entry-quote"),
    "put digits before it": caught(edit(README, "21/43", "1,021/43"), "entry-quote"),
    "strike the sentence out": caught(
        edit(README, "recall is\n21/43 ≈ .4884", "~~recall is\n21/43 ≈ .4884~~"), "entry-quote"
    ),
    "delete it in HTML": caught(
        edit(README, "recall is\n21/43 ≈ .4884", "<del>recall is\n21/43 ≈ .4884</del>"), "entry-quote"
    ),
    "hide it in HTML": caught(
        edit(README, "With promotion", '<span style="display: none">With promotion'), "entry-quote"
    ),
    "move it into the front matter": caught(
        lambda p: p.write(README, "---\ntext: recall is 21/43 ≈ .4884\n---\n# Project\n"), "entry-quote"
    ),
    "move it behind the end of the document": caught(
        in_latex("\\begin{document}One\\end{document}\nrecall is 21/43 ≈ .4884"), "entry-quote"
    ),
    "put it into a branch that is not printed": caught(
        in_latex("\\iffalse recall is 21/43 ≈ .4884 \\fi"), "entry-quote"
    ),
    "define it and never use it": caught(in_latex("\\newcommand{\\old}{recall is 21/43 ≈ .4884}"), "entry-quote"),
    "edit prose and lock": caught(
        both(edit(README, ".4884", ".4885"), edit(LOCK, '"num": 21', '"num": 22')), "entry-quote", "lock-edited"
    ),
    "prose that no entry quotes": not_reached(
        edit(README, "# Project", "# Project of .9999"), "no entry binds it: `evaudit register scan` lists it"
    ),
    "the text of a work that is not at hand": not_reached(
        lambda p: None, "its quotes are counted as not checked: give the text with --text"
    ),
}
