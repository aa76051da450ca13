"""Values of options: a wrong one is named in the message, and none of two is dropped in silence."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from evaudit.cli import app
from evaudit.errors import UsageError

COMMAND = ["bundles", "--needs", "n.csv", "--selected", "s.csv"]


def refused(*arguments):
    result = CliRunner().invoke(app, [*COMMAND, *arguments])
    return result.exit_code, " ".join(result.output.split())


@pytest.mark.parametrize("option", ["--budget-units", "--budget-chars", "--jobs"])
def test_a_value_that_is_no_whole_number_is_named(option):
    for value in ("three", "x", "a", "1.5"):
        code, told = refused(option, value)
        assert code == 2 and option in told and f"expected a whole number, found '{value}'" in told


def test_a_number_out_of_range_is_named():
    code, told = refused("--budget-units", "-1")
    assert code == 2 and told.count("-1") == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([*COMMAND, "--by", "hops", "--by", "need"], "--by is given 2 times; it takes one value"),
        ([*COMMAND, "--needs", "other.csv"], "--needs is given 2 times; it takes one value"),
        (["calc", "verify", "X", "--root", "a", "--root", "b", "--root", "c"], "--root is given 3 times"),
    ],
)
def test_an_option_that_takes_one_value_is_refused_twice(arguments, told):
    error = CliRunner().invoke(app, arguments).exception
    assert isinstance(error, UsageError) and told in str(error)


def test_an_option_that_may_be_repeated_and_a_flag_are_not(tmp_path):
    (tmp_path / "n.csv").write_text(
        "need,bundle,component,source,doc,version,start,end\nn,b,c,s,d,1,0,9\nm,b,c,s,d,1,0,9\n"
    )
    (tmp_path / "s.csv").write_text("need,source,doc,version,start,end\nn,s,d,1,0,9\n")
    files = ["bundles", "--needs", str(tmp_path / "n.csv"), "--selected", str(tmp_path / "s.csv")]
    result = CliRunner().invoke(app, [*files, "--show", "n", "--show", "m", "--lint", "--lint"])
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "option"),
    [(["rank", "q", "r", "--beside"], "--beside"), (["rank", "q", "r", "--by"], "--by"), (COMMAND, "--by"),
     (["decisions", "l.csv", "--id-column"], "--id-column"), (["bundles", "--needs"], "--needs")],
)  # fmt: skip
def test_an_empty_value_is_refused_with_its_option(arguments, option):
    arguments = arguments if arguments[-1] == option else [*arguments, option]
    error = CliRunner().invoke(app, [*arguments, ""]).exception
    assert isinstance(error, UsageError) and str(error).startswith(f"{option}: expected a value, found an empty one")
