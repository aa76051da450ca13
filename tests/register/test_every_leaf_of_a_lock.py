"""No leaf of a lock can be changed without a check that fails, whatever kind of calculation it is of."""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path

import pytest

from evaudit.register.check import check_calculation
from evaudit.register.freeze import freeze

HEAD = "schema: evaudit/calculation@1\nid: other\n"
BUNDLE = """\
schema: evaudit/control@1
documents:
  - {ref: d/a@1, text: "A is with B."}
controls:
  - id: one
    kind: bundle
    need: "Where is A?"
    components: {a: {anchor: {ref: d/a@1, exact: "A is with B."}}}
    accept: [[a]]
    claims: [{id: c1, component: a, says: [A, with, B]}]
    path: [c1]
    selected: [{unit: k1, ref: d/a@1, start: 0, end: 12}]
    expect: {bundle-coverage: 1/1}
"""
PROGRAM = 'import json\njson.dump({"share": "21/50", "length": "3.0"}, open("figures.json", "w"))\n'
KINDS = {
    "decisions": None,
    "ranking": """\
kind: ranking
spec: cases.yaml
outputs: {"ranked/nDCG": {expect: "0.68853"}, "ranked/P": {expect: 2/3}}
""",
    "bundle": 'kind: bundle\nspec: bundle.yaml\noutputs: {"one/bundle-coverage": {expect: 1/1}}\n',
    "path": 'kind: path\nspec: bundle.yaml\noutputs: {"one/path": {expect: supported}}\n',
    "arithmetic": """\
kind: arithmetic
uses:
  promoted: {ref: calculation.yaml, output: "recall(endpoint=promoted, over=cohort)"}
  retained: {ref: calculation.yaml, output: "recall(endpoint=retained, over=cohort)"}
  seconds: {table: seconds.csv, column: value, where: {what: run}}
inputs: [{id: seconds, path: seconds.csv, as: text, rows: 3}]
outputs:
  "gain": {formula: "retained - promoted", expect: 6/43}
  "none": {formula: "promoted / (retained - retained)", expect: undefined}
  "time": {formula: "median(seconds)", expect: "2.9"}
""",
    "command": f"""\
kind: command
command: [{json.dumps(sys.executable)}, count.py]
produces: figures.json
inputs: [{{id: program, path: count.py, as: text}}]
outputs: {{"share": {{expect: 21/50}}, "length": {{expect: "3.0"}}}}
""",
}


def leaves(value, at=()):
    if isinstance(value, dict):
        return [leaf for k, v in value.items() for leaf in leaves(v, (*at, k))]
    if isinstance(value, list):
        return [leaf for n, v in enumerate(value) for leaf in leaves(v, (*at, n))]
    return [at]


def others(value):
    """Other values of a leaf that still have its form, and one that has not."""
    if isinstance(value, int):
        return [value + 1]
    last = "1" if value[-1:] != "1" else "2"
    swapped = {"text/lf": ["bytes"], "bytes": ["text/lf"]}.get(value, [])
    return [value[:-1] + last, last + value[1:], value + "x", *swapped]


def with_leaf(content, at, new):
    changed = copy.deepcopy(content)
    part = changed
    for step in at[:-1]:
        part = part[step]
    if new is None:
        del part[at[-1]]
    else:
        part[at[-1]] = new
    return json.dumps(changed, sort_keys=True, indent=1, ensure_ascii=False) + "\n"


@pytest.fixture
def frozen(small, request):
    """The path of a frozen calculation of a kind."""
    small.write("controls/bundle.yaml", BUNDLE)
    small.write("controls/seconds.csv", "what,value\nrun,2.9\nrun,3.1\nrun,2.8\n")
    small.write("controls/count.py", PROGRAM)
    if KINDS[request.param] is None:
        return small.root / "controls/calculation.yaml"
    small.write("controls/other.yaml", HEAD + KINDS[request.param])
    path = small.root / "controls/other.yaml"
    freeze(path, allow_commands=True)
    return path


def exit_of(path: Path) -> int:
    return check_calculation(str(path), frozen=True, allow_commands=True).details["exit"]


def survivors(frozen: Path, variants):
    """The leaves of the lock, and what they were changed to, that a check did not notice."""
    lock = frozen.with_name(frozen.stem + ".lock.json")
    text = lock.read_text(encoding="utf-8")
    content = json.loads(text)
    assert exit_of(frozen) == 0
    survived = []
    for at in leaves(content):
        old = content
        for step in at:
            old = old[step]
        for new in variants(old):
            lock.write_text(with_leaf(content, at, new), encoding="utf-8")
            if exit_of(frozen) not in (1, 2):
                survived.append((at, new))
    lock.write_text(text, encoding="utf-8")
    assert exit_of(frozen) == 0
    return survived


@pytest.mark.parametrize("frozen", [k for k in KINDS if k != "command"], indirect=True)
def test_every_leaf_is_compared(frozen):
    assert survivors(frozen, lambda old: [*others(old), None]) == []


@pytest.mark.parametrize("frozen", ["command"], indirect=True)
def test_every_leaf_of_a_command_is_compared(frozen):
    assert survivors(frozen, lambda old: others(old)[:1]) == []


@pytest.mark.parametrize("frozen", ["arithmetic"], indirect=True)
@pytest.mark.parametrize(
    ("old", "new", "rule", "told"),
    [
        ('"value": "2.9, 3.1', '"value": "2.8, 3.1', "lock-edited", "uses.seconds.value"),
        ('"value": "27/43"', '"value": "26/43"', "lock-stale", "is 27/43, was 26/43"),
    ],
    ids=["a number of a table", "an output of another calculation"],
)
def test_an_edited_number_of_a_formula_is_told(frozen, old, new, rule, told):
    lock = frozen.with_name("other.lock.json")
    text = lock.read_text(encoding="utf-8")
    assert old in text
    lock.write_text(text.replace(old, new), encoding="utf-8")
    (found,) = check_calculation(str(frozen), frozen=True).findings
    assert found.rule == rule
    assert told in found.message
