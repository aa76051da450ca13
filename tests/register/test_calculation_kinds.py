"""Every kind of calculation is run, frozen and drifts: audits, paths and arithmetic over others."""

from __future__ import annotations

import pytest

from evaudit.register.check import check_calculation, check_paths
from evaudit.register.diff import diff_calculation
from evaudit.register.formula import FUNCTIONS, parse_formula
from evaudit.register.freeze import freeze

HEAD = "schema: evaudit/calculation@1\nid: other\n"


def rules(result):
    return {f.rule for f in result.findings if f.severity == "error"}


def write(project, text, name="controls/other.yaml"):
    project.write(name, HEAD + text)
    return project.root / name


def ran(project, text, **options):
    return check_calculation(str(write(project, text)), frozen=False, **options)


def outputs(result):
    return result.details["checked"]["calculations"][0]["outputs"]


# arithmetic

USES = """\
kind: arithmetic
uses:
  promoted: {ref: calculation.yaml, output: "recall(endpoint=promoted, over=cohort)"}
  retained: {ref: calculation.yaml, output: "recall(endpoint=retained, over=cohort)"}
  decided: {ref: calculation.yaml, output: "recall(endpoint=promoted, over=decided)"}
outputs:
"""

FORMULAS = {
    "a difference": ("retained - promoted", "6/43"),
    "a negative difference": ("promoted - retained", '"-.1395"'),
    "a quotient": ("promoted / retained", "7/9"),
    "a mean": ("mean(promoted, retained)", "24/43"),
    "a median": ("median(promoted, retained, 1)", "27/43"),
    "a mean of sums": ("(num(promoted) + num(retained)) / (den(promoted) + den(retained))", "24/43"),
    "imputed deferred": ("(num(promoted) + 6 * decided) / den(promoted)", "21/37"),
    "a percentage": ("100 * promoted", '"48.8"'),
    "the largest": ("max(promoted, retained, 0.1)", "27/43"),
    "the smallest": ("min(promoted, 1/2)", "21/43"),
    "an absolute value": ("abs(promoted - retained)", "6/43"),
    "a sum": ("sum(promoted, retained)", "48/43"),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_formulas_are_exact(small, name):
    formula, expected = FORMULAS[name]
    result = ran(small, f'{USES}  "x": {{formula: "{formula}", expect: {expected}}}\n')
    assert rules(result) == set(), [f.message for f in result.findings]


def test_every_function_is_used_in_a_test_and_told():
    used = " ".join(formula for formula, _ in FORMULAS.values())
    assert all(f"{name}(" in used for name in FUNCTIONS)


def test_a_division_by_zero_is_undefined(small):
    result = ran(small, f'{USES}  "x": {{formula: "promoted / (retained - retained)", expect: undefined}}\n')
    assert rules(result) == set()
    assert outputs(result) == {"x": "undefined: not-applicable"}


def test_a_formula_is_compared_exactly_and_not_within_a_tolerance(small):
    result = ran(small, f'{USES}  "x": {{formula: "promoted + 1/1000000000000", expect: 21/43}}\n')
    assert rules(result) == {"calculation-output-mismatch"}


WRONG_FORMULAS = [
    "promoted ** 2", "__import__('os')", "promoted.real", "unknown", "promoted +", "f(promoted)", "num(1)", "num()",
    "'a'", "promoted if retained else 1", "[promoted]", "promoted < retained", "lambda: 1", "mean()", "True",
    "9" * 20, "promoted" + "+1" * 300, "abs(promoted, retained)", "promoted // 2", "~promoted", "mean(*promoted)",
]  # fmt: skip


@pytest.mark.parametrize("formula", WRONG_FORMULAS)
def test_what_is_no_formula_is_refused(formula):
    with pytest.raises(ValueError, match="expected"):
        parse_formula(formula, ["promoted", "retained"])


def test_a_formula_over_an_answer_or_num_of_a_number_is_told(small):
    small.write("controls/cases.yaml", small.read("controls/cases.yaml"))
    small.write(
        "controls/ranked.yaml",
        "schema: evaudit/calculation@1\nid: ranked-figures\nkind: ranking\nspec: cases.yaml\n"
        'outputs: {"ranked/nDCG": {expect: "0.68853"}}\n',
    )
    text = 'kind: arithmetic\nuses: {a: {ref: ranked.yaml, output: "ranked/nDCG"}}\noutputs:\n  "x": '
    result = ran(small, text + '{formula: "num(a)", expect: 1/2}\n')
    assert rules(result) == {"calculation-formula"}
    assert rules(ran(small, text + '{formula: "a / 2", expect: "0.34426"}\n')) == set()


def test_arithmetic_drifts_with_what_it_uses_and_says_so(small):
    path = write(small, f'{USES}  "x": {{formula: "retained - promoted", expect: 6/43, show: ".1395"}}\n')
    freeze(path)
    assert check_calculation(str(path), frozen=True).details["exit"] == 0
    small.replace("controls/inputs/decisions.csv", "C22,deferred", "C22,promoted")
    told = diff_calculation(path).details
    change = "promoted: recall(endpoint=promoted, over=cohort) of controls/calculation.yaml is 22/43, was 21/43"
    assert change in told["uses_changed"]
    assert [(o["was"], o["now"]) for o in told["outputs"]] == [("6/43", "5/43")]
    assert diff_calculation(small.root / "controls/calculation.yaml").details["used_by"] == ["other"]
    assert "calculation-upstream" in rules(check_calculation(str(path), frozen=True))


def test_a_calculation_that_uses_itself_is_refused(small):
    small.write(
        "controls/second.yaml",
        'schema: evaudit/calculation@1\nid: second\nkind: arithmetic\nuses: {a: {ref: other.yaml, output: "x"}}\n'
        'outputs: {"x": {formula: "a", expect: 1/2}}\n',
    )
    text = 'kind: arithmetic\nuses: {a: {ref: second.yaml, output: "x"}}\noutputs: {"x": {formula: "a", expect: 1/2}}\n'
    result = ran(small, text)
    assert "calculation-upstream" in rules(result) or "calculation-cycle" in rules(result)
    assert "calculation-cycle" in rules(check_paths([small.root]))


def test_an_output_that_the_other_calculation_lacks_is_told(small):
    text = 'kind: arithmetic\nuses: {a: {ref: calculation.yaml, output: "P@3"}}\n'
    text += 'outputs: {"x": {formula: "a", expect: 1/2}}\n'
    assert rules(ran(small, text)) == {"calculation-upstream"}


# paths

PATHS = """\
schema: evaudit/control@1
documents:
  - {ref: d/a@1, text: "A is with B. A is with X."}
  - {ref: d/b@1, text: "B is with C."}
rules: [{id: one, kind: single-valued, relation: with, look_in: inventory, settle: none}]
controls:
"""
BUNDLE = """\
  - id: {id}
    kind: bundle
    need: "Where is A?"
    components:
      a: {{anchor: {{ref: d/a@1, exact: "A is with B."}}}}
      b: {{anchor: {{ref: d/b@1, exact: "B is with C."}}}}
    accept: [[a, b]]
    claims:
      - {{id: c1, component: a, says: [A, with, B]}}
      - {{id: c2, component: b, says: [B, with, C]}}
{more}    path: [c1, c2]
    selected:
      - {{unit: k1, ref: d/a@1, start: 0, end: 12}}
{unit}    expect: {{path: {path}}}
"""
OPPOSED = '      - {id: c3, anchor: {ref: d/a@1, exact: "A is with X."}, says: [A, with, X]}\n'
SECOND = "      - {unit: k2, ref: d/b@1, start: 0, end: 12}\n"


@pytest.fixture
def paths(small):
    text = PATHS + BUNDLE.format(id="good", more="", unit=SECOND, path="supported")
    text += BUNDLE.format(id="opposed", more=OPPOSED, unit=SECOND, path="refused")
    text += BUNDLE.format(id="short", more="", unit="", path="step-uncovered")
    small.write("controls/paths.yaml", text)
    return small


PATH_OUTPUTS = """\
kind: path
spec: paths.yaml
outputs:
  "good/path": {expect: supported}
  "opposed/path": {expect: refused}
  "short/path": {expect: step-uncovered}
  "short/path-steps-supported": {expect: 1/2}
  "paths(state=supported)": {expect: 1/3, show: ".3333"}
  "paths(state=refused)": {expect: 1/3}
"""


def test_paths_are_validated_counted_and_frozen(paths):
    path = write(paths, PATH_OUTPUTS)
    result = check_calculation(str(path), frozen=False)
    assert rules(result) == set(), [f.message for f in result.findings]
    freeze(path)
    assert '"answer": "refused"' in paths.read("controls/other.lock.json")
    paths.replace("controls/paths.yaml", "says: [A, with, X]", "says: [Z, with, X]")
    changed = {o["output"]: o["now"] for o in diff_calculation(path).details["outputs"] if o["changed"]}
    assert changed == {"opposed/path": "supported", "paths(state=refused)": "0/3", "paths(state=supported)": "2/3"}


def test_a_path_that_no_control_declares_is_told(paths):
    assert rules(ran(paths, 'kind: path\nspec: paths.yaml\noutputs: {"nope/path": {expect: refused}}\n')) == {
        "document-invalid"
    }
    assert rules(ran(paths, 'kind: path\nspec: cases.yaml\noutputs: {"ranked/path": {expect: refused}}\n')) == {
        "document-invalid"
    }


# forms

WRONG_KINDS = {
    "no spec": "kind: decisions\noutputs: {P: {expect: 1/2}}\n",
    "a spec for arithmetic": "kind: arithmetic\nspec: x.yaml\nuses: {a: {ref: c.yaml, output: P}}\n"
    "outputs: {P: {expect: 1/2, formula: a}}\n",
    "a formula for an audit": "kind: decisions\nspec: x.yaml\noutputs: {P: {expect: 1/2, formula: a}}\n",
    "no formula": "kind: arithmetic\nuses: {a: {ref: c.yaml, output: P}}\noutputs: {P: {expect: 1/2}}\n",
    "no command": "kind: command\nproduces: a.json\noutputs: {P: {expect: 1/2}}\n",
    "no product": "kind: command\ncommand: [a]\noutputs: {P: {expect: 1/2}}\n",
    "an unknown kind": "kind: magic\noutputs: {P: {expect: 1/2}}\n",
    "a shell line": "kind: command\ncommand: python count.py\nproduces: a.json\noutputs: {P: {expect: 1/2}}\n",
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG_KINDS)
def test_a_calculation_whose_fields_do_not_fit_its_kind_is_refused(small, name):
    write(small, WRONG_KINDS[name])
    result = check_paths([small.root])
    assert result.details["exit"] == 2
