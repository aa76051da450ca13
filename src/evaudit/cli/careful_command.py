"""A command whose options are told apart: one that may stand once is refused twice, and a wrong value is named."""

from __future__ import annotations

import re
from typing import Any

import typer
from typer.core import TyperCommand

from evaudit.errors import UsageError

_WHOLE_NUMBER = re.compile(
    r"Input should be a valid integer.*|'.*' is not a valid (integer|int)( range)?\.?", re.DOTALL
)


class CarefulCommand(TyperCommand):
    """Reads arguments as typer does, which lets the last of several values win and may leave a wrong one unnamed."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As typer.

        Raises:
            UsageError: an option that stands once stands twice, or has an empty value.
            BadParameter: a value is of another kind.
        """
        given, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for param in order:
            if param.param_type_name != "option" or order.count(param) < 2:
                continue
            if not any(getattr(param, name, False) for name in ("multiple", "is_flag", "count")):
                raise UsageError(f"{param.opts[-1]} is given {order.count(param)} times; it takes one value")
        for param in order:
            value = given.get(param.name)
            if param.param_type_name == "option" and "" in (value if isinstance(value, list) else [value]):
                raise UsageError(f"{param.opts[-1]}: expected a value, found an empty one; is a variable unset?")
        try:
            return list(super().parse_args(ctx, args))
        except typer.BadParameter as error:
            error.message = _worded(error.message, given.get(error.param.name) if error.param else None)
            raise


def _worded(message: str, value: object) -> str:
    told = _WHOLE_NUMBER.sub("expected a whole number", message.removeprefix("Value error, "))
    named = repr(value) in told or f'"{value}"' in told or told.startswith(f"{value} ")
    return told if value is None or named else f"{told}, found {value!r}"
