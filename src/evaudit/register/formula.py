"""Formulas over outputs of other calculations: exact fractions, four operations and a few functions, nothing else."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from fractions import Fraction

from evaudit.register.offer import Offered

FUNCTIONS: Mapping[str, str] = {
    "num": "the numerator of an output that is a ratio of counts",
    "den": "its denominator",
    "abs": "the absolute value",
    "mean": "the mean of its arguments",
    "sum": "their sum",
    "min": "the smallest",
    "max": "the largest",
}
"""Name of each function to what it gives."""

_MAX_LENGTH, _MAX_NODES, _MAX_NUMBER = 500, 200, 10**12
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div)


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
    if len(nodes) > _MAX_NODES:
        raise ValueError(f"expected a formula of at most {_MAX_NODES} parts, found {len(nodes)}")
    called = {id(n.func) for n in nodes if isinstance(n, ast.Call)}
    for node in nodes:
        if id(node) not in called and (problem := _problem(node, names)):
            raise ValueError(f"{problem} in the formula {text!r}")
    return tree


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


def evaluate(name: str, text: str, values: Mapping[str, Offered]) -> Offered:
    """The value of a formula as the output ``name``: an exact ratio, or a number where some value is one.

    Raises:
        ValueError: ``num`` or ``den`` of an output that is no ratio of counts, or an answer in a formula.
    """
    tree = parse_formula(text, values)
    used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id in values}
    try:
        value = _value(tree, text.strip(), values)
    except UndefinedError as undefined:
        return Offered(name, name, {}, undefined=str(undefined))
    if all(values[n].number is None for n in used):
        return Offered(name, name, {}, ratio=value)
    return Offered(name, name, {}, number=float(value))


def _value(node: ast.expr, text: str, values: Mapping[str, Offered]) -> Fraction:
    if isinstance(node, ast.Constant):
        return Fraction(ast.get_source_segment(text, node) or "0")
    if isinstance(node, ast.Name):
        return _exact(values[node.id])
    if isinstance(node, ast.UnaryOp):
        inner = _value(node.operand, text, values)
        return -inner if isinstance(node.op, ast.USub) else inner
    if isinstance(node, ast.BinOp):
        return _applied(node.op, _value(node.left, text, values), _value(node.right, text, values))
    assert isinstance(node, ast.Call) and isinstance(node.func, ast.Name)  # parse_formula lets nothing else through
    if node.func.id in ("num", "den"):
        argument = node.args[0]
        assert isinstance(argument, ast.Name)
        counts = values[argument.id].counts
        if counts is None:
            raise ValueError(f"{node.func.id}({argument.id}): {values[argument.id].text()} is no ratio of counts")
        return Fraction(counts[0] if node.func.id == "num" else counts[1])
    given = [_value(a, text, values) for a in node.args]
    total = sum(given, Fraction(0))
    return {"mean": total / len(given), "sum": total, "abs": abs(given[0]), "min": min(given), "max": max(given)}[
        node.func.id
    ]


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
