"""The JSON Schemas of kinds and of their parts describe what the program reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from program import Done, ran

PROJECT = Path(__file__).resolve().parent.parent

KINDS = ["control", "cohort", "calculation", "lock", "register", "view", "rules", "need"]
PARTS = ["anchor", "reference", "component", "claim", "entry", "bundle", "ranking", "decisions", "refusal", "document"]
ANCHOR = {"ref": "d/a@1", "exact": "x"}
READ = {
    "anchor": (ANCHOR, {"ref": "d/a@1", "quote": "x"}),
    "claim": ({"id": "c1", "says": ["a", "leads", "b"], "component": "who"}, {"id": "c1", "text": "a leads b"}),
    "single-valued": (
        {"id": "r", "kind": "single-valued", "relation": "leads", "look_in": "inventory", "settle": "none"},
        {"id": "r", "kind": "single-valued", "relation": "leads", "look_in": "nowhere"},
    ),
    "need": ({"need": "n", "components": {"who": {"anchor": ANCHOR}}, "accept": [["who"]]}, {"accept": [["who"]]}),
}
"""A value that is read, and one that is refused."""


def schema_of(kind: str) -> Done:
    return ran(Path.cwd(), "schema", kind)


def described(kind: str) -> dict[str, Any]:
    done = schema_of(kind)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def references(value: object) -> set[str]:
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*map(references, value.values()))
    return set().union(*map(references, value)) if isinstance(value, list) else set()


@pytest.mark.parametrize("kind", [*KINDS, *PARTS])
def test_a_schema_is_one_and_holds_what_it_refers_to(kind: str) -> None:
    schema = described(kind)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema.get("properties") or schema["anyOf"]
    defined = {f"#/$defs/{name}" for name in schema.get("$defs", {})}
    assert references(schema) <= defined
    assert kind in KINDS or references(schema) == defined


@pytest.mark.parametrize("kind", READ)
def test_a_part_is_told_from_what_is_none(kind: str) -> None:
    read, refused = READ[kind]
    check = jsonschema.Draft202012Validator(described(kind))
    assert not list(check.iter_errors(read))
    assert list(check.iter_errors(refused))


def test_an_unknown_kind_lists_what_there_is() -> None:
    done = schema_of("entri")
    assert done.returncode == 2
    assert "did you mean entry?" in done.stderr
    listed = done.stderr.partition("the kinds are ")[2].replace("; their parts are ", ", ").strip().split(", ")
    assert set(listed) >= {*KINDS, *PARTS} and len(listed) == len(set(listed))
    assert all(schema_of(name).returncode == 0 for name in (listed[0], listed[-1]))


FOLDERS = ("controls", "registers", "src/evaudit/cli/starters")
OWN = sorted(path for folder in FOLDERS for path in (PROJECT / folder).rglob("*.yaml"))


def plain(value: object) -> Any:
    """Days as the text that they were written with, as an editor has them."""
    return json.loads(json.dumps(value, default=str))


def test_every_document_of_the_project_is_what_its_schema_describes() -> None:
    validators = {kind: jsonschema.Draft202012Validator(described(kind)) for kind in KINDS}
    assert len(OWN) > 30
    for path in OWN:
        document = plain(yaml.safe_load(path.read_text(encoding="utf-8")))
        kind = document["schema"].partition("/")[2].partition("@")[0]
        wrong = [e.json_path for e in validators[kind].iter_errors(document)]
        assert not wrong, (path, wrong[:3])
