"""A quote is found in each kind of text as its reader sees it, on the line where it stands."""

from __future__ import annotations

import json
import time

import pytest

from evaudit.errors import UnreadableInputError
from evaudit.register.prose import read_prose
from evaudit.register.quote import explain

QUOTE = "recall is 21/43 ≈ .4884"

FOUND = {
    "plain.txt": "One.\nrecall is\n21/43 ≈ .4884.",
    "emphasis.md": "# One\nrecall is **21/43**\n≈ `.4884`.",
    "block-quote.md": "One\n> recall is\n> 21/43 ≈ *.4884*",
    "link.md": "One\nrecall is [21/43](https://example.org/a_b) ≈ <b>.4884</b>[^1]",
    "entity.md": "One\nrecall is 21/43 &asymp; .4884",
    "formula.md": "One\nrecall is $\\frac{21}{43} \\approx .4884$",
    "escape.md": "One\nrecall is 21/43 ≈ \\.4884",
    "table.md": "| a | b |\n|---|---|\n| recall is | 21/43 ≈ .4884 |",
    "code.md": "One\n```\nrecall is 21/43 ≈ .4884\n```",
    "paper.tex": "\\section{One}\nrecall is\n\\textbf{21/43}~$\\approx$ .4884\\cite{x}.",
    "fraction.tex": "One\nrecall is $\\tfrac{21}{43} \\approx .4884$",
    "page.html": "<h1>One</h1>\n<p>recall is <b>21/43</b> &asymp;\n.48<wbr>84</p>",
    "notes.rst": "One\n===\nrecall is **21/43** :math:`\\approx` ``.4884``",
    "named.rst": ".. |r| replace:: 21/43\n\nrecall is |r| ≈ .4884",
    "windows.md": "One\r\nrecall is\r\n**21/43** ≈ .4884",
}


@pytest.mark.parametrize("name", FOUND)
def test_a_quote_is_found_however_it_is_set(name):
    text = read_prose(FOUND[name].encode(), name)
    line = next(n for n, told in enumerate(FOUND[name].splitlines(), start=1) if "recall is" in told)
    assert text.find(QUOTE) == [line], text.text


HIDDEN = {
    "comment.md": "One <!-- recall is 21/43 ≈ .4884 -->",
    "open-comment.md": "One <!-- recall is 21/43 ≈ .4884",
    "comment.tex": "One % recall is 21/43 ≈ .4884",
    "comment.html": "<p>One</p><!-- recall is 21/43 ≈ .4884 -->",
    "script.html": "<p>One</p><script>recall is 21/43 ≈ .4884</script>",
    "style.html": "<style>recall is 21/43 ≈ .4884",
    "comment.rst": "One\n\n.. recall is\n   21/43 ≈ .4884\n\nMore",
}


@pytest.mark.parametrize("name", HIDDEN)
def test_what_no_reader_sees_is_no_publication(name):
    text = read_prose(HIDDEN[name].encode(), name)
    assert text.find(QUOTE) == [], text.text
    assert text.figures() == []


def test_a_quote_with_markup_is_found_by_its_words():
    text = read_prose(b"One\nrecall is **21/43**", "a.md")
    assert text.find("recall is **21/43**") == [2]


def test_a_percent_sign_that_is_printed_is_no_comment():
    text = read_prose(b"share 48.84\\% of all % hidden\n\\\\% hidden, too\nnext", "a.tex")
    assert text.text.split() == ["share", "48.84%", "of", "all", "next"]


NOTEBOOK = {
    "nbformat": 4,
    "cells": [
        {"cell_type": "markdown", "source": ["# One\n", "recall is **21/43**"]},
        {
            "cell_type": "code",
            "source": "print('x')",
            "outputs": [
                {"output_type": "stream", "text": ["precision\n", "is 27/28\n"]},
                {"output_type": "display_data", "data": {"text/html": "<b>.5676</b>", "text/plain": ".5676"}},
            ],
        },
    ],
}


def test_a_notebook_is_read_cell_by_cell():
    text = read_prose(json.dumps(NOTEBOOK).encode(), "a.ipynb")
    assert text.find("recall is 21/43") == ["cell 1, line 2"]
    assert text.find("precision is 27/28") == ["cell 2 output, line 1"]
    assert len(text.find(".5676")) == 1
    told = explain("recall is 27/43", 1, None, text)
    assert told == "quote not found"


@pytest.mark.parametrize("raw", [b"no json", b"[]", b'{"cells": 3}', b"[" * 100_000, b'{"cells": [{}]}'])
def test_what_is_no_notebook_is_told_as_that(raw):
    with pytest.raises(UnreadableInputError, match="expected a notebook"):
        read_prose(raw, "a.ipynb")


def test_what_is_no_text_is_told_as_that():
    with pytest.raises(UnreadableInputError, match="expected UTF-8"):
        read_prose(b"\xff\xfe", "a.md")


CONTINUED = [
    ("recall is .48", "recall is .4884"),
    ("is 21/4", "is 21/43"),
    ("is 1/43", "is 21/43"),
    ("84", ".4884"),
    ("is 48", "is 48%"),
    ("is 3", "is 3.5"),
    ("call", "recall is"),
    (".5", "1.5"),
]


@pytest.mark.parametrize(("quote", "text"), CONTINUED)
def test_a_part_of_a_number_or_word_is_no_quote(quote, text):
    assert read_prose(text.encode(), "a.txt").find(quote) == []


@pytest.mark.parametrize(
    ("quote", "text"), [("is 3", "is 3."), ("is 3", "is 3, or"), (".5", "(.5)"), ("≈ .5", "x≈ .5")]
)
def test_a_whole_number_is_found_beside_signs(quote, text):
    assert read_prose(text.encode(), "a.txt").find(quote) == [1]


def test_curly_quotes_are_not_straightened():
    text = read_prose("a “b” c".encode(), "a.md")
    assert text.find("a “b” c") == [1]
    assert text.find('a "b" c') == []


HOSTILE = ["<!--", "<script>", "[", "`", "*", "$\\", "\\frac{", "|", "<a ", "{", "**a", "_", ":math:`", ".. |a"]


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("suffix", ["md", "tex", "html", "rst"])
def test_a_hostile_text_takes_no_longer_than_its_length(piece, suffix):
    raw = (piece * (50_000 // len(piece))).encode()
    start = time.perf_counter()
    read_prose(raw, f"a.{suffix}")
    assert time.perf_counter() - start < 3
