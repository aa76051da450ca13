"""Where a model's error belongs in the file: its ``loc`` walked along the model and the data at once.

Pydantic puts more into a ``loc`` than the reader wrote: the tag of a discriminated union, the name of a union's member,
``[key]``. Walking the model tells these from fields of the same name (``kind: ranking`` beside ``ranking: […]``).
"""

from __future__ import annotations

import collections.abc
import types
import typing
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeGuard, get_args, get_origin

from pydantic import BaseModel, Tag

from evaudit.strict_yaml.document import Path, has_step


@dataclass(frozen=True, slots=True)
class Union:
    """A place where the model allows several forms, ``members``."""

    path: Path
    members: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where one error belongs.

    Attributes:
        path: the part of the data that exists. name: the field that is missing below it, or None.
        expected: the type that the model expects there. owner: the model around the last field.
        is_key: the error is about a key. noise: the union where this error speaks of a member that the data was
            never meant to be; None otherwise.
    """

    path: Path
    name: str | None
    expected: Any
    owner: type[BaseModel] | None
    is_key: bool = False
    noise: Union | None = None


def find_place(model: type[BaseModel], data: object, loc: tuple[str | int, ...]) -> Place:
    """Walk ``loc``, given by pydantic for ``data`` read as ``model``."""
    walk = _Walk(model, data)
    for step in loc:
        walk.step(step)
    return Place(walk.path, walk.name, walk.expected, walk.owner, walk.is_key, walk.noise)


class _Walk:
    def __init__(self, model: type[BaseModel], data: object) -> None:
        self.expected: Any = model
        self.node = data
        self.path: Path = ()
        self.name: str | None = None
        self.owner: type[BaseModel] | None = None
        self.is_key = False
        self.noise: Union | None = None

    def step(self, step: str | int) -> None:
        if step == "[key]":
            self.is_key = True
            return
        members = members_of(self.expected)
        if len(members) > 1:
            self._choose(members, str(step))
            return
        expected = members[0] if members else Any
        if is_model(expected):
            self._field(expected, step)
        else:
            arguments = get_args(expected)
            kind = kind_of(expected)
            child = arguments[-1] if kind == "mapping" and arguments else arguments[0] if arguments else Any
            self._descend(step, child)

    def _choose(self, members: list[Any], label: str) -> None:
        tagged = [m for m in members if label in tags_of(m)]
        if tagged:
            self.expected = tagged[0]
            return
        by_name = sorted(members, key=lambda m: not is_model(annotation_core(m)))
        chosen = next((m for m in by_name if _is_named(m, label)), None)
        if chosen is not None and self.noise is None and not _meant(chosen, members, self.node):
            self.noise = Union(self.path, tuple(members))
        self.expected = chosen if chosen is not None else Any

    def _field(self, model: type[BaseModel], step: str | int) -> None:
        self.owner = model
        for name, info in model.model_fields.items():
            spellings = [name, info.alias, info.validation_alias]
            if step in spellings:
                written = next((s for s in spellings if isinstance(self.node, dict) and s in self.node), step)
                self._descend(str(written), info.annotation)
                return
        self._descend(step, Any)

    def _descend(self, step: str | int, child: Any) -> None:
        self.expected = child
        node: Any = self.node
        if has_step(node, step):
            self.node, self.path = node[step], (*self.path, step)
        else:
            # A validator took another form apart (a reference written as text), or the field is missing.
            self.name = self.name or str(step)
            self.node = None


def members_of(annotation: Any) -> list[Any]:
    """The types that an annotation allows, None left out; more than one where it is a union."""
    if get_origin(annotation) is Annotated:
        inner = get_args(annotation)[0]
        return members_of(inner) if is_union(inner) or get_origin(inner) is Annotated else [annotation_core(annotation)]
    if is_union(annotation):
        members = [m for m in get_args(annotation) if m is not type(None)]
        return members_of(members[0]) if len(members) == 1 else members
    core = annotation_core(annotation)
    if is_model(core) and "root" in core.model_fields and getattr(core, "__pydantic_root_model__", False):
        return members_of(core.model_fields["root"].annotation)
    return [core]


def annotation_core(annotation: Any) -> Any:
    """The annotation without ``Annotated`` around it."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    return annotation


def is_union(annotation: Any) -> bool:
    """Whether the annotation is ``X | Y``."""
    return get_origin(annotation) in (typing.Union, types.UnionType)


def is_model(annotation: Any) -> TypeGuard[type[BaseModel]]:
    """Whether the annotation is a pydantic model."""
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def kind_of(annotation: Any) -> str:
    """``mapping``, ``list`` or ``text``: the form in which a file gives a value of this type."""
    core = annotation_core(annotation)
    origin = get_origin(core) or core
    if is_model(core):
        return "mapping"
    if isinstance(origin, type) and origin is not str:
        if issubclass(origin, collections.abc.Mapping):
            return "mapping"
        if issubclass(origin, collections.abc.Collection) and origin not in (bytes, bytearray):
            return "list"
    return "text"


def tags_of(member: Any) -> set[str]:
    """The tags that choose this member of a discriminated union: ``Tag``, or the ``Literal`` fields of the model."""
    tags = {m.tag for m in get_args(member)[1:] if isinstance(m, Tag)} if get_origin(member) is Annotated else set()
    core = annotation_core(member)
    if is_model(core):
        for info in core.model_fields.values():
            if get_origin(info.annotation) is Literal:
                tags |= {str(value) for value in get_args(info.annotation)}
    return tags


def names_of(model: type[BaseModel]) -> list[str]:
    """The field names of a model as a file spells them."""
    return [info.alias or name for name, info in model.model_fields.items()]


def field_names(annotation: Any) -> list[str]:
    """The field names that a mapping may have there; empty where any key goes."""
    models: Iterable[Any] = (annotation_core(m) for m in members_of(annotation))
    return list(dict.fromkeys(name for m in models if is_model(m) for name in names_of(m)))


def _is_named(member: Any, label: str) -> bool:
    """Whether pydantic's label of a union member (``Unit``, ``list[…]``, ``function-before[…]``) means this one."""
    core = annotation_core(member)
    if is_model(core):
        return core.__name__ == label or f"{core.__name__}]" in label
    if label.startswith(("list[", "tuple[", "set[")):
        return kind_of(core) == "list"
    if label.startswith("dict["):
        return kind_of(core) == "mapping"
    return kind_of(core) == "text"


def _meant(member: Any, members: list[Any], node: object) -> bool:
    """Whether the data at a union has the form of this member, and no other member knows more of its keys."""
    form = "mapping" if isinstance(node, dict) else "list" if isinstance(node, list) else "text"
    if kind_of(member) != form:
        return False
    if not isinstance(node, dict):
        return True
    known = [len(node.keys() & set(names_of(core))) for core in _models(members)]
    core = annotation_core(member)
    return not is_model(core) or len(node.keys() & set(names_of(core))) == max(known)


def _models(members: list[Any]) -> Iterator[type[BaseModel]]:
    return (core for core in map(annotation_core, members) if is_model(core))
