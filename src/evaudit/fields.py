"""What people write, typed: the base class of every document model and the field types that it uses.

A YAML file gives only text, lists and mappings (``strict_yaml``); here text becomes an integer, a day, a yes or no.
Nothing is guessed: ``no`` in a text field stays the text ``no``, and ``1_000`` in an integer field is refused.
Values that are already typed are taken as well, because models are also built from Python and from tables.

Every refusal reads ``expected …, found …; do …`` and is raised with ``refusal``.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    PlainSerializer,
    PlainValidator,
    StringConstraints,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

if TYPE_CHECKING:
    from pydantic import GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema

T = TypeVar("T")


class Scalar(str):
    """A scalar of a YAML file: its text, and whether it was ``plain`` (written without quotes or block marks)."""

    __slots__ = ("plain",)

    plain: bool

    def __new__(cls, text: str, plain: bool = True) -> Scalar:  # noqa: D102  (the class docstring says it)
        scalar = super().__new__(cls, text)
        scalar.plain = plain
        return scalar


class Model(BaseModel):
    """Base class of every document model: immutable, closed to unknown fields, each field documented.

    A field whose YAML key is no Python name (``lost-at``) takes an alias; both spellings are accepted from Python.

    ``as_text``, for the JSON Schema: the pattern of the text that may stand for the mapping; None where none may.
    """

    as_text: ClassVar[str | None] = None

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        populate_by_name=True,
        hide_input_in_errors=True,
    )

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The schema of the mapping, beside that of the text which may stand for it."""
        described = handler(core_schema)
        if cls.as_text is None:
            return described
        mapping = dict(handler.resolve_ref_schema(described))
        told = {name: mapping.pop(name) for name in ("title", "description") if name in mapping}
        return told | {"anyOf": [{"type": "string", "pattern": cls.as_text}, mapping]}


def is_null(value: object) -> bool:
    """Whether a value says "nothing": None, or a plain ``null``, ``~`` or empty scalar. A quoted "null" is text."""
    return value is None or (isinstance(value, Scalar) and value.plain and value in ("", "~", "null"))


def shown(value: object, limit: int = 40) -> str:
    """A value as a message shows it: short, on one line, without control characters."""
    if is_null(value):
        return "nothing" if value is None or value == "" else f"{value} (nothing)"
    if isinstance(value, str):
        text = value if len(value) <= limit else value[: limit - 1] + "…"
        return '"' + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text).replace('"', "'") + '"'
    if isinstance(value, dict):
        keys = ", ".join(shown(k, 20)[1:-1] if isinstance(k, str) else repr(k) for k in list(value)[:3])
        return f"a mapping ({keys}{', …' if len(value) > 3 else ''})" if value else "an empty mapping"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}" if value else "an empty list"
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def refusal(expected: str, value: object, advice: str, rule: str = "document-invalid") -> PydanticCustomError:
    """The error that a validator raises: ``expected …, found …; do …`` under a rule id of ``findings.RULES``."""
    message = f"expected {expected}, found {shown(value)}; {advice}"
    return PydanticCustomError(rule, "{message}", {"message": message})


def _any_text(value: object) -> str:
    if is_null(value):
        advice = 'write the text, or put it in quotes ("") if it is meant to be empty'
        if value:
            advice = f'put it in quotes ("{value}") if the text itself is meant'
        raise refusal("text", value, advice)
    if isinstance(value, str):
        return str(value)
    raise refusal("text", value, "write one text here, in quotes if it holds : or #")


def _text(value: object) -> str:
    text = _any_text(value)
    if not text.strip():
        raise refusal("text", value, "write at least one visible character")
    return text


_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)", re.ASCII)
_LEADING_ZERO = re.compile(r"[+-]?0[0-9]")
_INTEGER_LIMIT = 2**63


_DECIMAL_WHOLE = re.compile(r"([+-]?[0-9]+)\.0+", re.ASCII)


def whole_advice(text: str) -> str:
    """``; write 5 …`` where a text is a whole number with a point, as pandas writes a column with an empty cell."""
    found = _DECIMAL_WHOLE.fullmatch(text)
    return f"; write {found[1]} (in pandas: astype('Int64') before writing)" if found else ""


def _integer(value: object) -> int:
    expected, advice = "a whole number", "write digits only, e.g. 42"
    if isinstance(value, str) and (whole := _DECIMAL_WHOLE.fullmatch(value)):
        advice = f"write digits only: {whole[1]}"
    if isinstance(value, int) and not isinstance(value, bool):
        number = value
    elif isinstance(value, str) and _INTEGER.fullmatch(value):
        if _LEADING_ZERO.match(value):
            raise refusal(expected, value, "leave out the leading zeros; if they matter this is an id, not a number")
        if len(value) > 20:
            raise refusal("a whole number of at most 64 bits", value, "write a smaller number")
        number = int(value)
    else:
        raise refusal(expected, value, advice)
    if not -_INTEGER_LIMIT <= number < _INTEGER_LIMIT:
        raise refusal("a whole number of at most 64 bits", value, "write a smaller number")
    return number


def _number(value: object) -> Decimal:
    advice = "write it with digits and one point, e.g. 0.75 or .7500"
    if isinstance(value, bool):
        raise refusal("a number", value, advice)
    if isinstance(value, int):
        return Decimal(value)
    if isinstance(value, float | Decimal):
        number = Decimal(repr(value)) if isinstance(value, float) else value
        if not number.is_finite():
            raise refusal("a finite number", value, "NaN and infinity are no values here")
        return number
    if not isinstance(value, str) or not _DECIMAL.fullmatch(value) or len(value) > 60:
        raise refusal("a number", value, advice)
    if _LEADING_ZERO.match(value):
        raise refusal("a number", value, "leave out the leading zeros; if they matter this is an id, not a number")
    return Decimal(value)


_FLAGS = {"yes": True, "true": True, "no": False, "false": False}


def _flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value in _FLAGS:
        return _FLAGS[value]
    raise refusal("yes or no", value, "write yes, no, true or false, in small letters")


_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})?",
    re.ASCII,
)


def _day(value: object) -> date:
    if isinstance(value, date):
        return value
    expected, advice = "a date", "write YYYY-MM-DD, or YYYY-MM-DDTHH:MM:SSZ"
    if not isinstance(value, str):
        raise refusal(expected, value, advice)
    try:
        if _DAY.fullmatch(value):
            return date.fromisoformat(value)
        if _MOMENT.fullmatch(value):
            return datetime.fromisoformat(value.upper().replace("Z", "+00:00"))
    except ValueError:
        raise refusal(expected, value, "there is no such date; correct the month, day or time") from None
    raise refusal(expected, value, advice)


def moment(day: date) -> datetime:
    """The first instant of a ``Day``: a date begins at midnight, and a time without a zone is read as UTC."""
    if not isinstance(day, datetime):
        return datetime.combine(day, time.min, tzinfo=UTC)
    return day.replace(tzinfo=UTC) if day.tzinfo is None else day


def _none_if_null(value: object) -> object:
    return None if is_null(value) else value


_WRITTEN = ["string", "number", "boolean"]
"""What an editor may take an unquoted text for (``version: 3``); the reader here takes it as text."""

Text = Annotated[
    str, BeforeValidator(_text), StringConstraints(min_length=1), WithJsonSchema({"type": _WRITTEN, "minLength": 1})
]
"""Text with at least one visible character, kept as written; ``no``, ``21:43`` and ``0192117`` are text here."""

AnyText = Annotated[str, BeforeValidator(_any_text), WithJsonSchema({"type": _WRITTEN})]
"""Text that may be empty; an empty text must be written in quotes."""

Integer = Annotated[int, BeforeValidator(_integer), WithJsonSchema({"type": "integer"})]
"""A whole number of at most 64 bits: digits with an optional sign, no underscores, exponents, blanks, leading zeros."""

Number = Annotated[
    Decimal,
    BeforeValidator(_number),
    PlainSerializer(str, return_type=str),
    WithJsonSchema({"type": ["string", "number"]}),
]
"""A finite decimal number, kept digit for digit (``.7500`` keeps its zeros): digits and at most one point."""

Flag = Annotated[bool, BeforeValidator(_flag), WithJsonSchema({"enum": ["yes", "no", "true", "false", True, False]})]
"""Yes or no: ``yes``, ``no``, ``true``, ``false``."""

Day = Annotated[
    date,
    PlainValidator(_day),
    PlainSerializer(lambda d: d.isoformat(), return_type=str),
    WithJsonSchema({"type": "string"}),
]
"""A date ``YYYY-MM-DD``, or a ``datetime`` where a time is written; compare two of them through ``moment``."""

Nullable = Annotated[T | None, BeforeValidator(_none_if_null)]
"""``Nullable[X]``: an X, or nothing (plain ``null``, ``~``, an empty value; give the field the default None)."""


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) and not is_null(value) else value


TextList = Annotated[list[Text], BeforeValidator(_as_list)]
"""A list of texts; a single text is read as a list of one."""
