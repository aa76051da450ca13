"""Formulas over outputs of calculations and columns of tables: exact fractions, four operations, a few functions."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction

from evaudit.fields import shown
from evaudit.register.offer import Offered

FUNCTIONS: Mapping[str, str] = {
    "num": "the numerator of an output that is a ratio of counts",
    "den": "its denominator",
    "abs": "the absolute value",
    "mean": "the mean of its arguments",
    "median": "the one in the middle, or the mean of the two that are",
    "sum": "their sum",
    "min": "the smallest",
    "max": "the largest",
}
"""Name of each function to what it gives."""

_MAX_LENGTH, _MAX_NODES, _MAX_NUMBER = 500, 200, 10**12
_NUMBER = re.compile(r"(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,2})?", re.ASCII)
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div)


@dataclass(frozen=True, slots=True)
class Column:
    """Numbers of a table under one name of a formula: ``values`` exactly, ``written`` as the cells have them."""

    name: str
    values: tuple[Fraction, ...]
    written: tuple[str, ...]


class UndefinedError(Exception):
    """A formula without a value: an output that it uses is undefined, or it divides by zero; carries the reason."""


def parse_formula(text: str, names: Collection[str]) -> ast.expr:
    """The tree of a formula over ``names``.

    Raises:
        ValueError: it is no formula; the message says what may stand in one.
    """
    if len(text) > _MAX_LENGTH:
        raise ValueError(f"expected a formula of at most {_MAX_LENGTH} characters, found {len(text)}")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"expected a formula such as a - b, found {text!r}") from None
    nodes = [n for n in ast.walk(tree) if isinstance(n, ast.expr)]
    for node in nodes:
        if isinstance(node, ast.Constant) and not _NUMBER.fullmatch(_written(node, text.strip())):
            found = _written(node, text.strip())
            raise ValueError(f"expected a number of at most 40 digits and a power of at most 99, found {shown(found)}")
    if len(nodes) > _MAX_NODES:
        raise ValueError(f"expected a formula of at most {_MAX_NODES} parts, found {len(nodes)}")
    called = {id(n.func) for n in nodes if isinstance(n, ast.Call)}
    for node in nodes:
        if id(node) not in called and (problem := _problem(node, names)):
            raise ValueError(f"{problem} in the formula {text!r}")
    return tree


def _written(node: ast.Constant, text: str) -> str:
    """A constant as the formula writes it: its value may be rounded already."""
    return ast.get_source_segment(text, node) or ""


def _problem(node: ast.expr, names: Collection[str]) -> str | None:
    if isinstance(node, ast.Name):
        return None if node.id in names else f"expected one of {', '.join(names)}, found {node.id}"
    if isinstance(node, ast.Constant):
        value = node.value
        good = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _MAX_NUMBER
        return None if good else f"expected a number up to {_MAX_NUMBER}, found {node.value!r}"
    if isinstance(node, ast.BinOp):
        return None if isinstance(node.op, _OPERATORS) else "expected + - * or /, found another operator"
    if isinstance(node, ast.UnaryOp):
        return None if isinstance(node.op, (ast.USub, ast.UAdd)) else "expected + or -, found another sign"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords and node.args:
        name = node.func.id
        if name not in FUNCTIONS:
            return f"expected a function ({', '.join(FUNCTIONS)}), found {name}"
        if name in ("num", "den", "abs") and len(node.args) != 1:
            return f"expected one argument of {name}, found {len(node.args)}"
        if name in ("num", "den") and not isinstance(node.args[0], ast.Name):
            return f"expected the name of an output in {name}(…)"
        return None
    return "expected names, numbers, + - * /, brackets and functions, found something else"


def evaluate(name: str, text: str, values: Mapping[str, Offered | Column]) -> Offered:
    """The value of a formula as the output ``name``: an exact ratio, or a number where some value is one.

    Raises:
        ValueError: ``num`` or ``den`` of an output that is no ratio of counts, an answer in a formula, or a column of
            several numbers outside of a function.
    """
    tree = parse_formula(text, values)
    used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id in values}
    try:
        value = _value(tree, text.strip(), values)
    except UndefinedError as undefined:
        return Offered(name, name, {}, undefined=str(undefined))
    if not any(isinstance(v := values[n], Offered) and v.number is not None for n in used):
        return Offered(name, name, {}, ratio=value)
    return Offered(name, name, {}, number=float(value))


def _value(node: ast.expr, text: str, values: Mapping[str, Offered | Column]) -> Fraction:
    if isinstance(node, ast.Constant):
        return Fraction(_written(node, text))
    if isinstance(node, ast.Name):
        return _single(values[node.id])
    if isinstance(node, ast.UnaryOp):
        inner = _value(node.operand, text, values)
        return -inner if isinstance(node.op, ast.USub) else inner
    if isinstance(node, ast.BinOp):
        return _applied(node.op, _value(node.left, text, values), _value(node.right, text, values))
    assert isinstance(node, ast.Call) and isinstance(node.func, ast.Name)  # parse_formula lets nothing else through
    if node.func.id in ("num", "den"):
        argument = node.args[0]
        assert isinstance(argument, ast.Name)
        of = values[argument.id]
        counts = of.counts if isinstance(of, Offered) else None
        if counts is None:
            what = of.text() if isinstance(of, Offered) else "a column of a table"
            raise ValueError(f"{node.func.id}({argument.id}): {what} is no ratio of counts")
        return Fraction(counts[0] if node.func.id == "num" else counts[1])
    if node.func.id == "abs":
        return abs(_value(node.args[0], text, values))
    given: list[Fraction] = []
    for argument in node.args:
        column = values[argument.id] if isinstance(argument, ast.Name) else None
        given += column.values if isinstance(column, Column) else [_value(argument, text, values)]
    return _over(node.func.id, given)


def _over(function: str, given: list[Fraction]) -> Fraction:
    total = sum(given, Fraction(0))
    ordered = sorted(given)
    middle = (ordered[(len(given) - 1) // 2] + ordered[len(given) // 2]) / 2
    return {"mean": total / len(given), "median": middle, "sum": total, "min": ordered[0], "max": ordered[-1]}[function]


def _single(value: Offered | Column) -> Fraction:
    if isinstance(value, Offered):
        return _exact(value)
    if len(value.values) != 1:
        raise ValueError(f"{value.name} is a column of {len(value.values)} numbers; write median({value.name}) or such")
    return value.values[0]


def _exact(value: Offered) -> Fraction:
    if value.undefined:
        raise UndefinedError(value.undefined)
    exact = value.exact()
    if exact is None:
        raise ValueError(f"{value.name} is an answer ({value.text()}), not a number")
    return exact


def _applied(operator: ast.operator, left: Fraction, right: Fraction) -> Fraction:
    if isinstance(operator, ast.Add):
        return left + right
    if isinstance(operator, ast.Sub):
        return left - right
    if isinstance(operator, ast.Mult):
        return left * right
    if not right:
        raise UndefinedError("not-applicable")
    return left / right
