"""``evaudit schema``: the JSON Schema of a YAML kind, for editors."""

from __future__ import annotations

import importlib
from typing import Annotated

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
}
"""Kind and the model that describes it."""


def schema(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="One of: " + ", ".join(KINDS) + ".")],
    output: OutputOption = None,
) -> None:
    """Print the JSON Schema of a YAML kind, for editors."""
    import json
    from difflib import get_close_matches

    if kind not in KINDS:
        near = get_close_matches(kind, KINDS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"the kinds are {', '.join(KINDS)}"
        raise UsageError(f"there is no kind {kind!r}; {hint}")
    module, name = KINDS[kind].split(":")
    model = getattr(importlib.import_module(module), name)
    described = {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema(by_alias=True)}
    text = json.dumps(described, indent=2, ensure_ascii=False)
    if output is None:
        write_text(text)
    else:
        write_whole(output, text)
