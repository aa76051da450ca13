"""What a model refused, in words: pydantic's errors become findings ``expected …, found …; do …`` with their place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import core_schema

from evaudit.fields import shown
from evaudit.findings import RULE_BY_ID, Finding, finding
from evaudit.plurals import counted
from evaudit.strict_yaml.document import Document, Path
from evaudit.strict_yaml.places import Place, Union, field_names, find_place, kind_of, names_of

_BUILT_IN = frozenset(get_args(core_schema.ErrorType)) - {"value_error", "assertion_error"}

_ARTICLE = {"mapping": "a mapping", "list": "a list", "text": "a text"}
_ADVICE = {
    "mapping": "write one `field: value` a line",
    "list": "write [a, b], or one `- ` a line",
    "text": "write one value, in quotes if it holds : or #",
}


def model_findings(
    document: Document, model: type[BaseModel], at: Path, errors: Sequence[Mapping[str, Any]]
) -> list[Finding]:
    """One finding an error; errors about union members that were not meant are left out or merged into one."""
    data = document.at(at)
    placed = [(find_place(model, data, tuple(e["loc"])), e) for e in errors]
    findings = [
        _finding(document, at, place, error)
        for place, error in placed
        if place.noise is None and not _is_damaged(document, at, place)
    ]
    meant = {place.path for place, _ in placed if place.noise is None}
    unions = {place.noise.path: place.noise for place, _ in placed if place.noise is not None}
    bare = [union for start, union in unions.items() if not any(path[: len(start)] == start for path in meant)]
    return findings + [_no_member(document, at, union) for union in bare]


def row_problems(model: type[BaseModel], row: Mapping[str, Any], error: ValidationError) -> list[tuple[str, str, str]]:
    """Rule, pointer and message of each error in a row of data that comes from no YAML document."""
    document = Document("", dict(row), {})
    found = model_findings(document, model, (), error.errors(include_url=False))
    return [(f.rule, (f.where and f.where.pointer) or "$", f.message) for f in found]


def _is_damaged(document: Document, at: Path, place: Place) -> bool:
    """Whether the parser has already refused this part, or left a field of it out."""
    path = (*at, *place.path)
    if any(path[:n] in document.damaged for n in range(len(path) + 1)):
        return True
    return place.name is not None and (*path, "<<") in document.damaged


def _finding(document: Document, at: Path, place: Place, error: Mapping[str, Any]) -> Finding:
    path = (*at, *place.path)
    value = document.at(path)
    kind = error["type"]
    if kind == "extra_forbidden":
        where = document.where(path, key=True)
        return finding("unknown-field", _unknown_field(place, document.at(path[:-1])), where=where)
    if kind == "missing" or (kind == "union_tag_not_found" and place.name is None):
        name = place.name or _unquoted(error["ctx"]["discriminator"])
        return finding("document-invalid", _missing(place, name), where=document.where((*path, name)))
    if kind == "union_tag_invalid":
        tag_path = (*path, _unquoted(error["ctx"]["discriminator"]))
        message = _one_of(_quoted_words(error["ctx"]["expected_tags"]), error["ctx"]["tag"])
        return finding("document-invalid", message, where=document.where(tag_path))
    if place.is_key:
        value = path[-1]
    rule = kind if kind in RULE_BY_ID and kind not in _BUILT_IN else "document-invalid"
    return finding(rule, _message(kind, error, place, value), where=document.where(path, key=place.is_key))


def _no_member(document: Document, at: Path, union: Union) -> Finding:
    """The one finding where the data has none of the forms that a union allows."""
    kinds = list(dict.fromkeys(kind_of(m) for m in union.members))
    words = " or ".join(_ARTICLE[k] for k in kinds)
    path = (*at, *union.path)
    message = f"expected {words}, found {shown(document.at(path))}; {_ADVICE[kinds[-1]]}"
    return finding("document-invalid", message, where=document.where(path))


def _message(kind: str, error: Mapping[str, Any], place: Place, value: object) -> str:
    """The wording of one error; a custom error brings its own."""
    context: Mapping[str, Any] = error.get("ctx") or {}
    if kind in ("value_error", "assertion_error"):
        return str(context.get("error") or "") or f"expected another value, found {shown(value)}; correct it"
    if kind not in _BUILT_IN:
        return str(error["msg"])
    if kind in ("literal_error", "enum"):
        return _one_of(_quoted_words(str(context.get("expected", ""))), value)
    if kind in _LIMITS:
        return f"expected {_LIMITS[kind](context)}, found {_size(value, kind)}; change it"
    for pattern, words, advice in _WORDS:
        if re.match(pattern, kind):
            return f"expected {_with_fields(words, place)}, found {shown(value)}; {advice}"
    return f"expected another value, found {shown(value)}; `evaudit schema KIND` prints the form"


_WORDS: tuple[tuple[str, str, str], ...] = (
    (r"(model|dict|mapping|dataclass)(_attributes|_class)?_", "a mapping", _ADVICE["mapping"]),
    (r"(list|tuple|set|frozen_set|iterable|iteration|recursion)_", "a list", _ADVICE["list"]),
    (r"(string|bytes)_(type|sub|unicode)", "a text", _ADVICE["text"]),
    (r"int_", "a whole number", "write digits only, e.g. 42"),
    (r"(float|decimal|finite|complex)_", "a number", "write it with digits and one point, e.g. 0.75"),
    (r"bool_", "yes or no", "write yes, no, true or false"),
    (r"(date|datetime|time|timezone)_", "a date", "write YYYY-MM-DD"),
    (r"none_required", "nothing", "remove the value"),
    (
        r"missing_keyword|unexpected|multiple_arg|arguments|frozen|no_such|is_instance|is_subclass|callable",
        "another value",
        "correct it",
    ),
)

_LIMITS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "too_short": lambda c: f"at least {counted(c['min_length'], 'item')}",
    "too_long": lambda c: f"at most {counted(c['max_length'], 'item')}",
    "string_too_short": lambda c: f"at least {counted(c['min_length'], 'character')}",
    "string_too_long": lambda c: f"at most {counted(c['max_length'], 'character')}",
    "string_pattern_mismatch": lambda c: f"a text of the form {c['pattern']}",
    "greater_than": lambda c: f"a number above {c['gt']}",
    "greater_than_equal": lambda c: f"a number of at least {c['ge']}",
    "less_than": lambda c: f"a number below {c['lt']}",
    "less_than_equal": lambda c: f"a number of at most {c['le']}",
    "multiple_of": lambda c: f"a multiple of {c['multiple_of']}",
}


def _size(value: object, kind: str) -> str:
    return str(len(value)) if kind in ("too_short", "too_long") and isinstance(value, dict | list) else shown(value)


def _with_fields(words: str, place: Place) -> str:
    names = field_names(place.expected) if words == "a mapping" else []
    return f"{words} ({', '.join(names[:4])}{', …' if len(names) > 4 else ''})" if names else words


def _unknown_field(place: Place, around: object) -> str:
    names = names_of(place.owner) if place.owner else []
    key = str(place.path[-1]) if place.path else ""
    free = [n for n in names if not (isinstance(around, dict) and n in around)]
    near = _near(key, free) or _near(key, names)
    advice = f"did you mean {near}?" if near else "remove it or correct its name"
    listed = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    return f"expected {f'one of the fields {listed}' if names else 'no such field'}, found {shown(key)}; {advice}"


def _missing(place: Place, name: str) -> str:
    fields = place.owner.model_fields if place.owner else {}
    info = fields.get(name) or next((f for f in fields.values() if f.alias == name), None)
    about = f" ({info.description.splitlines()[0].rstrip('.')})" if info is not None and info.description else ""
    return f"expected the field {name}{about}, found none; add `{name}: …`"


def _one_of(choices: list[str], value: object) -> str:
    near = _near(str(value), choices) if isinstance(value, str) else None
    listed = ", ".join(choices[:12]) + (", …" if len(choices) > 12 else "")
    advice = f"did you mean {near}?" if near else "write one of these"
    words = f"one of {listed}" if len(choices) > 1 else listed
    return (
        f"expected {words}, found {shown(value)}; {advice}"
        if choices
        else f"found {shown(value)}, which is not allowed"
    )


def _near(word: str, choices: Sequence[str]) -> str | None:
    """The choice that was probably meant; long words are not worth the search."""
    if len(word) > 64:
        return None
    plain = {c.casefold().replace("-", "_"): c for c in choices}
    folded = word.casefold().replace("-", "_")
    found = plain.get(folded) or plain.get(folded.removesuffix("s")) or plain.get(f"{folded}s")
    return found or next(iter(get_close_matches(word, choices, 1, 0.6)), None)


def _quoted_words(text: str) -> list[str]:
    """The words of pydantic's list ``'a', 'b' or 'c'``."""
    return re.findall(r"'((?:[^'\\]|\\.)*)'", text) or ([text] if text else [])


def _unquoted(text: object) -> str:
    return str(text).strip("'").removesuffix("()")
