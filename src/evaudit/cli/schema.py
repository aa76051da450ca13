"""``evaudit schema``: the JSON Schema of a YAML kind, or of a part of one, for editors."""

from __future__ import annotations

import importlib
import re
from typing import Annotated, Any

import typer

from evaudit.cli.output import OutputOption
from evaudit.cli.printing import write_text, write_whole
from evaudit.errors import UsageError

KINDS: dict[str, str] = {
    "control": "evaudit.register.control:ControlFile",
    "cohort": "evaudit.decisions.cohort:CohortFile",
    "calculation": "evaudit.register.calculation:Calculation",
    "lock": "evaudit.register.lock:Lock",
    "register": "evaudit.register.entry:RegisterFile",
    "view": "evaudit.sources.view:ViewFile",
    "rules": "evaudit.bundles.rules:RulesFile",
    "need": "evaudit.bundles.declarations:NeedDeclaration",
}
"""Kind and the model that describes it; ``need`` is a line of needs in JSON Lines."""

_SHORT = {"ClaimDeclaration": "claim", "SourceDocument": "document", "UnitEntry": "unit"}
"""Models that people know by another name."""


def schema(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND", help=f"One of: {', '.join(KINDS)}; or a part of one, such as anchor, claim, entry."
        ),
    ],
    output: OutputOption = None,
) -> None:
    """Print the JSON Schema of a YAML kind, or of a part of one, for editors."""
    import json

    described = {"$schema": "https://json-schema.org/draft/2020-12/schema", **_described(kind)}
    text = json.dumps(described, indent=2, ensure_ascii=False)
    if output is None:
        write_text(text)
    else:
        write_whole(output, text)


def _described(kind: str) -> dict[str, Any]:
    """The schema of a kind, or of the part called ``kind`` with the definitions that it uses.

    Raises:
        UsageError: there is no such kind or part.
    """
    from difflib import get_close_matches

    if kind in KINDS:
        return _of_kind(kind)
    parts: dict[str, tuple[str, dict[str, Any]]] = {}
    for one in KINDS:
        defined = _of_kind(one).get("$defs", {})
        parts |= {_name(model): (model, defined) for model in defined if _name(model) not in KINDS | parts}
    if kind not in parts:
        near = get_close_matches(kind, [*KINDS, *parts], n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        listed = f"the kinds are {', '.join(KINDS)}; their parts are {', '.join(sorted(parts))}"
        raise UsageError(f"there is no kind {kind!r}; {hint}{listed}")
    model, defined = parts[kind]
    used = _used(model, defined)
    inner = {name: defined[name] for name in sorted(used)}
    return {**defined[model], **({"$defs": inner} if inner else {})}


def _of_kind(kind: str) -> dict[str, Any]:
    module, name = KINDS[kind].split(":")
    described: dict[str, Any] = getattr(importlib.import_module(module), name).model_json_schema(by_alias=True)
    return described


def _name(model: str) -> str:
    """``label-source`` of ``LabelSource``; a control is called by its kind, ``bundle`` or another."""
    return _SHORT.get(model) or re.sub(r"(?<=[a-z])(?=[A-Z])", "-", model).lower().removesuffix("-control")


def _used(model: str, defined: dict[str, Any]) -> set[str]:
    """The definitions that a definition refers to, through others too."""
    found: set[str] = set()
    open_ = [model]
    while open_:
        named = set(re.findall(r"'#/\$defs/(\w+)'", repr(defined[open_.pop()])))
        open_ += sorted(named - found)
        found |= named
    return found
