"""FEVER's own files: every cross-check case of its scorer, its public fixture, and what its files may look like."""

from __future__ import annotations

import json

import pytest

from evaudit.audits.bundles import Wanted, audit_fever
from evaudit.bundles.budget import Allowance
from evaudit.errors import InvalidDocumentError
from evaudit.formats.fever import FeverClaim, FeverPairs, FeverPrediction
from evaudit.formats.fever_scorer import score

NEI = "NOT ENOUGH INFO"
FAILS = (None,) * 5
A = [[["a", 0]]]
X5 = [["x", n] for n in range(5)]
YES = ("SUPPORTS", "SUPPORTS")
P1, P2, P3 = ["page1", 1], ["page2", 2], ["page3", 3]

# name, lines of (label, predicted label, predicted evidence, gold sets), places looked at, what the scorer returned:
# strict, label accuracy, precision, recall, F1
CASES = [
    (
        "readme",
        [("REFUTES", "REFUTES", [P1], [[P1, P2]]), ("REFUTES", "REFUTES", [P1, P2, P3], [[P1, P2]])],
        5,
        (0.5, 1, 0.833333, 0.5, 0.625),
    ),
    ("second-set-complete", [(*YES, [["b", 0]], [[["a", 0], ["a", 1]], [["b", 0]]])], 5, (1, 1, 1, 1, 1)),
    (
        "mix-across-sets",
        [(*YES, [["a", 0], ["b", 1]], [[["a", 0], ["a", 1]], [["b", 0], ["b", 1]]])],
        5,
        (0, 1, 1, 0, 0),
    ),
    ("sixth-place-cut", [(*YES, [*X5, ["a", 0]], A)], 5, FAILS),
    ("sixth-place-not-cut", [(*YES, [*X5, ["a", 0]], A)], None, (1, 1, 0.166667, 1, 0.285714)),
    ("duplicates-eat-the-budget", [(*YES, [*[["x", 0]] * 5, ["a", 0]], A)], 5, FAILS),
    ("duplicate-hits-count-twice", [(*YES, [["a", 0], ["a", 0], ["x", 0]], A)], 5, (1, 1, 0.666667, 1, 0.8)),
    ("set-of-six", [(*YES, [["a", n] for n in range(6)], [[["a", n] for n in range(6)]])], 5, (0, 1, 1, 0, 0)),
    ("nei-any-evidence", [(NEI, NEI, [["z", 9]], [[None]])], 5, (1, 1, 1, 0, 0)),
    ("nei-plus-supported", [(NEI, NEI, [], [[None]]), (*YES, [["a", 0]], A)], 5, (1, 1, 1, 1, 1)),
    ("only-nei", [(NEI, NEI, [], [[None]])], 5, (1, 1, 1, 0, 0)),
    ("empty-prediction", [(*YES, [], A), (*YES, [["a", 0]], A)], 5, (0.5, 1, 1, 0.5, 0.666667)),
    ("nothing-right", [(*YES, [["x", 0]], A)], 5, FAILS),
    ("empty-set-is-vacuous", [(*YES, [["x", 0]], [[]])], 5, (1, 1, 0, 1, 0)),
    ("no-set-at-all", [(*YES, [["x", 0]], [])], 5, (0, 1, 0, 1, 0)),
    ("wrong-label", [("SUPPORTS", "REFUTES", [["a", 0]], A)], 5, (0, 0, 1, 1, 1)),
    ("minus-one-is-another-id", [(*YES, [["a", -1]], A)], 5, FAILS),
    ("unicode-form-matters", [(*YES, [["Beyonc\u00e9", 0]], [[["Beyonce\u0301", 0]]])], 5, FAILS),
    ("label-without-case", [("SUPPORTS", "supports", [["a", 0]], A)], 5, (1, 1, 1, 1, 1)),
]


def files(tmp_path, lines, ids=None):
    gold, predicted = tmp_path / "gold.jsonl", tmp_path / "predicted.jsonl"
    names = ids or list(range(len(lines)))
    gold.write_text(
        "".join(
            json.dumps(
                {
                    "id": name,
                    "label": label,
                    "evidence": [[[1, None, *(sentence or (None, None))] for sentence in members] for members in sets],
                }
            )
            + "\n"
            for name, (label, _, _, sets) in zip(names, lines, strict=True)
        )
    )
    predicted.write_text(
        "".join(
            json.dumps({"id": name, "predicted_label": said, "predicted_evidence": evidence}) + "\n"
            for name, (_, said, evidence, _) in zip(names, lines, strict=True)
        )
    )
    return gold, predicted


@pytest.mark.parametrize(("name", "lines", "limit", "expected"), CASES, ids=[case[0] for case in CASES])
def test_the_scorer_is_reproduced_on_every_cross_check_case(tmp_path, name, lines, limit, expected):
    if limit is None:
        claims = tuple(
            FeverClaim(n, None, line[0], tuple(tuple(map(tuple, members)) for members in line[3]))
            for n, line in enumerate(lines)
        )
        said = tuple(FeverPrediction(n, None, line[1], tuple(map(tuple, line[2]))) for n, line in enumerate(lines))
        found = [m.value for m in score(FeverPairs(("n",), claims, said, ()), None).figures]
    else:
        result = audit_fever(*files(tmp_path, lines), compat=True)
        found = [m.value for m in result.means if m.measure.startswith("compat:")]
    assert found == [None if value is None else pytest.approx(value, abs=5e-7) for value in expected]


def test_where_the_scorer_stops_its_figures_are_undefined_and_ours_are_not(tmp_path):
    result = audit_fever(*files(tmp_path, [("SUPPORTS", "SUPPORTS", [["x", 0]], A)]), compat=True)
    means = {m.name: m for m in result.means}
    assert means["compat:fever:f1"].undefined == "tool-fails"
    assert means["bundle-coverage"].value == 0
    assert all(row["because"] for row in result.details["compat"]["figures"])


def test_a_line_number_that_is_text_refuses_the_file_with_its_line(tmp_path):
    gold, predicted = files(tmp_path, [("SUPPORTS", "SUPPORTS", [["a", 0]], A)] * 2, ids=[1, 2])
    predicted.write_text(predicted.read_text().replace('["a", 0]', '["a", "0"]', 1))
    with pytest.raises(InvalidDocumentError) as caught:
        audit_fever(gold, predicted)
    assert [f.where.line for f in caught.value.findings] == [1]


def test_every_malformed_line_is_named(tmp_path):
    gold, predicted = files(tmp_path, [("SUPPORTS", "SUPPORTS", [["a", 0]], A)] * 3, ids=[1, 2, 3])
    lines = gold.read_text().splitlines()
    gold.write_text("\n".join([lines[0][:-5], lines[1], '{"id": 3, "label": "SUPPORTS"}']))
    with pytest.raises(InvalidDocumentError) as caught:
        audit_fever(gold, predicted)
    assert [f.where.line for f in caught.value.findings] == [1, 3]


def test_problems_of_every_kind_stand_in_the_order_of_the_lines(tmp_path):
    gold, predicted = files(tmp_path, [("SUPPORTS", "SUPPORTS", [["a", 0]], A)] * 4, ids=[1, 2, 3, 4])
    lines = predicted.read_text().splitlines()
    no_label, no_json, no_object = '{"id": 1, "predicted_evidence": []}', lines[1][:-1], "[]"
    predicted.write_text("\n".join([no_label, no_json, lines[2], no_object]))
    with pytest.raises(InvalidDocumentError) as caught:
        audit_fever(gold, predicted)
    assert [f.where.line for f in caught.value.findings] == [1, 2, 4]


def test_files_of_different_length_are_refused_by_position(tmp_path):
    gold, predicted = files(tmp_path, [("SUPPORTS", "SUPPORTS", [["a", 0]], A)] * 2, ids=[1, 2])
    predicted.write_text(predicted.read_text().splitlines()[0])
    with pytest.raises(InvalidDocumentError):
        audit_fever(gold, predicted)
    missing = audit_fever(gold, predicted, pair="id")
    coverage = next(m for m in missing.means if m.name == "bundle-coverage")
    assert (coverage.num, coverage.n, coverage.n_missing) == (1, 2, 1)


def test_ids_that_repeat_are_one_warning_and_needs_are_named_by_line(tmp_path):
    result = audit_fever(*files(tmp_path, [("SUPPORTS", "SUPPORTS", [["a", 0]], A)] * 2, ids=[7, 7]))
    assert [f.rule for f in result.findings] == ["ids-do-not-pair"]
    assert [row["need"] for row in result.details["needs"]] == ["line:1", "line:2"]


def test_unique_ids_name_the_needs(tmp_path):
    result = audit_fever(*files(tmp_path, [("SUPPORTS", "SUPPORTS", [["a", 0]], A)] * 2, ids=[7, 8]))
    assert [row["need"] for row in result.details["needs"]] == ["7", "8"]
    assert not result.findings


def test_pairing_by_id_ignores_the_order_of_lines(tmp_path):
    gold, predicted = files(
        tmp_path, [("SUPPORTS", "SUPPORTS", [["a", 0]], A), ("SUPPORTS", "SUPPORTS", [], A)], ids=[7, 8]
    )
    predicted.write_text("\n".join(reversed(predicted.read_text().splitlines())))
    verdicts = [row["verdict"] for row in audit_fever(gold, predicted, pair="id").details["needs"]]
    assert verdicts == ["satisfied", "incomplete"]


def test_a_prediction_for_no_claim_is_reported_when_paired_by_id(tmp_path):
    gold, predicted = files(tmp_path, [("SUPPORTS", "SUPPORTS", [["a", 0]], A)] * 2, ids=[7, 8])
    gold.write_text(gold.read_text().splitlines()[0])
    result = audit_fever(gold, predicted, pair="id")
    assert [(f.rule, f.where.line) for f in result.findings] == [("prediction-without-claim", 2)]


def test_an_empty_set_is_an_error_here_and_withholds_the_claim(tmp_path):
    result = audit_fever(*files(tmp_path, [("SUPPORTS", "SUPPORTS", [["x", 0]], [[]])]))
    assert [f.rule for f in result.findings] == ["bundle-empty"]
    assert result.details["verdicts"]["withheld"] == 1


def test_without_a_budget_five_sentences_are_used_and_said(tmp_path):
    lines = [("SUPPORTS", "SUPPORTS", [*X5, ["a", 0]], A)]
    default = audit_fever(*files(tmp_path, lines))
    assert default.details["reasons"] == {"over-budget": 1}
    assert any("5 sentences" in note for note in default.notes)
    assert audit_fever(*files(tmp_path, lines), budget=Allowance("units", 6)).details["verdicts"]["satisfied"] == 1


def test_the_flat_form_gives_the_same_as_the_nested_one(tmp_path):
    lines = [
        ("SUPPORTS", "SUPPORTS", [["a", 0], ["b", 1]], [[["a", 0], ["b", 1]], [["c", 2]]]),
        (NEI, NEI, [], [[None]]),
        ("REFUTES", "REFUTES", [["d", 1]], [[["d", 4]]]),
    ]
    gold, predicted = files(tmp_path, lines)
    nested = audit_fever(gold, predicted, compat=True)
    rows = [
        {
            "id": n,
            "label": label,
            "claim": "",
            "evidence_annotation_id": 1,
            "evidence_id": 10 * n + k if sentence else -1,
            "evidence_wiki_url": sentence[0] if sentence else "",
            "evidence_sentence_id": sentence[1] if sentence else -1,
        }
        for n, (label, _, _, sets) in enumerate(lines)
        for k, members in enumerate(sets)
        for sentence in members
    ]
    gold.write_text("".join(json.dumps(row) + "\n" for row in rows))
    flat = audit_fever(gold, predicted, compat=True)
    assert [(m.name, m.value) for m in flat.means] == [(m.name, m.value) for m in nested.means]


def test_the_public_fixture_gives_the_published_figures_and_lint(shared_data):
    folder = shared_data / "evidence" / "fever"
    result = audit_fever(folder / "actual.jsonl", folder / "predictions.jsonl", compat=True, wanted=Wanted(lint=True))
    found = {m.name: m.value for m in result.means}
    assert found["compat:fever:strict"] == 0.32573257325732574
    assert found["compat:fever:label-accuracy"] == 0.5208520852085209
    assert found["compat:fever:precision"] == 0.1043804380438068
    assert found["compat:fever:recall"] == 0.44224422442244227
    assert found["compat:fever:f1"] == 0.1688970477815144
    lint = result.details["lint"]
    assert lint["bundle-repeated"]["needs"] == 941
    assert lint["bundle-superset"]["needs"] == 160
    over = lint["bundle-over-budget"]
    assert (over["needs"], over["bundles"], over["needs_with_no_other"]) == (26, 31, 10)
    rules = [f.rule for f in result.findings]
    lint = ["bundle-repeated", "bundle-superset", "bundle-over-budget"]
    assert rules == ["unit-document-near-miss", "ids-do-not-pair", "need-without-selection", *lint]
    assert sum(result.details["verdicts"].values()) == 9999
    assert result.details["verdicts"]["undefined"] == 3333


GOOD_GOLD = '{"id": 1, "label": "SUPPORTS", "evidence": [[[1, 2, "a", 0]]]}'
GOOD_SAID = '{"id": 1, "predicted_label": "SUPPORTS", "predicted_evidence": [["a", 0]]}'
FLAT_GOLD = '{"id": 1, "label": "SUPPORTS", "evidence_id": 3, "evidence_wiki_url": "a", "evidence_sentence_id": 0}'
BAD_LINES = {
    "repeated-key-gold": (GOOD_GOLD[:-1] + ', "evidence": [[[1, 2, "b", 0]]]}', GOOD_SAID),
    "repeated-key-prediction": (GOOD_GOLD, GOOD_SAID[:-1] + ', "predicted_evidence": []}'),
    "unknown-label": (GOOD_GOLD.replace("SUPPORTS", "X"), GOOD_SAID),
    "unknown-predicted-label": (GOOD_GOLD, GOOD_SAID.replace("SUPPORTS", "SUPPORT")),
    "id-that-is-no-number": (GOOD_GOLD.replace('"id": 1', '"id": NaN'), GOOD_SAID),
    "id-with-a-fraction": (GOOD_GOLD, GOOD_SAID.replace('"id": 1', '"id": 1.5')),
    "evidence-id-that-is-a-list": (FLAT_GOLD.replace("3", "[3]"), GOOD_SAID),
    "evidence-id-that-is-true": (FLAT_GOLD.replace("3", "true"), GOOD_SAID),
    "half-a-character": (GOOD_GOLD.replace('"a"', r'"\ud800"'), GOOD_SAID),
    "half-a-character-predicted": (GOOD_GOLD, GOOD_SAID.replace('"a"', r'"\uDc00"')),
    "no-page": (GOOD_GOLD.replace('"a"', '""'), GOOD_SAID),
    "no-page-predicted": (GOOD_GOLD, GOOD_SAID.replace('"a"', '""')),
    "line-below-the-sentinel": (GOOD_GOLD.replace('"a", 0', '"a", -2'), GOOD_SAID),
    "line-below-the-sentinel-predicted": (GOOD_GOLD, GOOD_SAID.replace('"a", 0', '"a", -2')),
    "line-beyond-64-bits": (GOOD_GOLD.replace('"a", 0', '"a", 99999999999999999999'), GOOD_SAID),
    "text-for-a-sentence": (GOOD_GOLD.replace('[1, 2, "a", 0]', '"abcd"'), GOOD_SAID),
    "sentence-without-a-line": (GOOD_GOLD.replace('"a", 0', '"a"'), GOOD_SAID),
    "text-for-a-predicted-sentence": (GOOD_GOLD, GOOD_SAID.replace('["a", 0]', '"ab"')),
    "object-for-a-predicted-sentence": (GOOD_GOLD, GOOD_SAID.replace('["a", 0]', '{"a": 0, "b": 1}')),
    "number-for-a-predicted-sentence": (GOOD_GOLD, GOOD_SAID.replace('["a", 0]', "0")),
    "predicted-sentence-without-a-line": (GOOD_GOLD, GOOD_SAID.replace('"a", 0', '"a"')),
    "predicted-sentence-of-three-values": (GOOD_GOLD, GOOD_SAID.replace('"a", 0', '"a", 0, 1')),
    "line-whose-end-is-beyond": (GOOD_GOLD, GOOD_SAID.replace('"a", 0', '"a", 9223372036854775807')),
}


@pytest.mark.parametrize(("gold_line", "said_line"), BAD_LINES.values(), ids=BAD_LINES)
def test_a_line_that_says_two_things_or_nothing_refuses_the_file_with_its_line(tmp_path, gold_line, said_line):
    gold, predicted = tmp_path / "gold.jsonl", tmp_path / "predicted.jsonl"
    gold.write_text(f"{GOOD_GOLD}\n{gold_line}\n")
    predicted.write_text(f"{GOOD_SAID}\n{said_line}\n")
    with pytest.raises(InvalidDocumentError) as caught:
        audit_fever(gold, predicted)
    assert [f.where.line for f in caught.value.findings] == [2]


@pytest.mark.parametrize("page", [r"\ud83d\ude00", r"\\ud800"])
def test_an_escaped_pair_of_surrogates_and_an_escaped_backslash_are_text(tmp_path, page):
    gold, predicted = tmp_path / "gold.jsonl", tmp_path / "predicted.jsonl"
    gold.write_text(GOOD_GOLD.replace('"a"', f'"{page}"'))
    predicted.write_text(GOOD_SAID.replace('"a"', f'"{page}"'))
    assert audit_fever(gold, predicted).details["verdicts"]["satisfied"] == 1


def test_the_largest_line_has_a_place(tmp_path):
    gold, predicted = tmp_path / "gold.jsonl", tmp_path / "predicted.jsonl"
    gold.write_text(GOOD_GOLD.replace('"a", 0', '"a", 9223372036854775806'))
    predicted.write_text(GOOD_SAID.replace('"a", 0', '"a", 9223372036854775806'))
    assert audit_fever(gold, predicted).details["verdicts"]["satisfied"] == 1
