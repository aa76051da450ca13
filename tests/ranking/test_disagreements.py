"""Every pair on which six tools were found to disagree, with the value of both conventions.

The numbers of trec_eval 10 were taken from the program itself. Where it crashes, ends with an error or prints nonsense,
the rule stands that refuses it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_runs import measure, values

from evaudit.errors import InvalidDocumentError
from evaudit.ranking.conventions import BOOK, TREC_EVAL

C = {"missing_topics": "zero"}
"""trec_eval's -c."""

NKP = "no-known-positives"
TWENTY = "1 " + " ".join(f"d{i:02d}(1.0)" for i in range(1, 21))

# name, qrels, run, measures, book, trec_eval, choices for trec_eval, choices for book
PAIRS: list[tuple[str, str, str, str, list[Any], list[Any] | str, dict[str, Any], dict[str, Any]]] = [
    ("D1 tie", "1 d1=1 d2=0", "1 d1(1) d2(1)", "RR P@1 bpref nDCG",
     [1.0, 1.0, 1.0, 1.0], [0.5, 0, 0, 0.6309], {}, {}),
    ("D1 tie, ordered by score in the book as well", "1 d1=1 d2=0", "1 d1(1) d2(1)", "RR",
     [0.5], [0.5], {}, {"order": "score"}),
    ("D2 a cutoff beyond the list changes nothing", "1 d1=1 d2=0", "1 d1(1) d2(1)", "RR RR@10",
     [1.0, 1.0], [0.5, 0.5], {}, {}),
    ("D3 tie, file order d2 d1", "1 d1=1 d2=0", "1 d2(1) d1(1)", "nDCG@3 AP", [0.6309, 0.5], [0.6309, 0.5], {}, {}),
    ("D4 twenty tied", "1 d01=1", TWENTY, "RR RR@10 RR@20", [1.0, 1.0, 1.0], [0.05, 0.0, 0.05], {}, {}),
    ("D5 scores of 64 bits", "1 d1=1 d2=0", "1 d1(.30000001) d2(.3)", "RR", [1.0], [1.0], {}, {}),
    ("D5 scores of 32 bits", "1 d1=1 d2=0", "1 d1(.30000001) d2(.3)", "RR", [1.0], [0.5],
     {"score_precision": "float32"}, {}),
    ("D5 scores that differ at the eighth digit", "1 b=1 c=2", "1 a(1.00000001) b(1.00000002) c(1.0)", "RR nDCG@1",
     [0.5, 0.0], [1.0, 0.5], {}, {}),
    ("D5 the same three at 32 bits", "1 b=1 c=2", "1 a(1.00000001) b(1.00000002) c(1.0)", "RR nDCG@1",
     [0.5, 0.0], [1.0, 1.0], {"score_precision": "float32"}, {}),
    ("D6 topic missing in the run", "1 a=1; 2 b=1", "1 a(1)", "AP", [0.5], "topic-refused", {}, {}),
    ("D6 as trec_eval 9", "1 a=1; 2 b=1", "1 a(1)", "AP", [0.5], [1.0], {"missing_topics": "skip"}, {}),
    ("D7 the same with -c", "1 a=1; 2 b=1", "1 a(1)", "AP", [0.5], [0.5], C, {}),
    ("D8 run topic not in the qrels", "1 a=1", "1 a(1); 9 z(1)", "AP", [1.0], [1.0], {}, {}),
    ("D9 R = 0", "1 a=1; 2 b=0", "1 a(1); 2 b(1)", "AP R@5 nDCG RR Rprec infAP bpref",
     [1.0] * 7, [0.5] * 7, {}, {}),
    ("D10 nothing judged non-relevant", "1 a=1 b=1", "1 a(3) u(2) b(1)", "bpref", [1.0], [1.0], {}, {}),
    ("D11 grade -1 in the pool", "1 a=1 b=1 n=0 u=-1", "1 u(4) a(3) n(2) b(1)", "bpref", [0.5], [0.5], {},
     {"grade_map": (("-1", "unjudged"),)}),
    ("D12 duplicate in the run", "1 a=1 b=1", "1 a(3) a(2) b(1)", "AP",
     "repeated-result-id", "repeated-result-id", {}, {}),
    ("D13 conflicting judgement", "1 a=1 a=0", "1 a(3)", "AP", "repeated-judgement", "repeated-judgement", {}, {}),
    ("D14 identical judgement twice", "1 a=1 a=1 b=0", "1 a(2) b(1)", "nDCG@10",
     "repeated-judgement", "repeated-judgement", {}, {}),
    ("D15 graded RBP", "1 A=2 B=1 N=0", "1 B(3) U(2) A(1)", "RBP(p=0.8)", [0.228], [0.228], {}, {}),
    ("D16 gain function", "1 A=2 B=1 N=0", "1 B(3) U(2) A(1)", "nDCG@10 ndcg.1=1,2=3",
     [0.6885, 0.6885], [0.7602, 0.6885], {}, {}),
    ("D17 the level does not touch nDCG", "1 a=1 b=2", "1 a(2) b(1)", "nDCG(gain=linear) RR",
     [0.8597, 0.5], [0.8597, 0.5], {"relevance_level": 2}, {"relevance_level": 2}),
    ("D18 judged fraction of a short list", "1 a=1 b=0", "1 a(2) z(1)", "unj@10 judged@10",
     [0.1, 0.5], [0.1, 0.5], {}, {}),
    ("D19 negative grades are not judged", "1 a=1 b=-1 c=-2 d=0", "1 b(4) c(3) d(2) a(1)", "unj@10 judged@10",
     [0.2, 0.5], [0.2, 0.5], {}, {"grade_map": (("-1", "unjudged"), ("-2", "unjudged"))}),
    ("D19 the book asks what they mean", "1 a=1 b=-1", "1 b(4) a(1)", "unj@10", "grade-invalid", [0.1], {}, {}),
    ("D20 missing topic's unjudged fraction", "1 a=1; 2 b=1", "1 a(2) z(1)", "unj@10 judged@10",
     [0.05, 0.5], [0.05, 0.25], C, {}),
    ("D21 recall points", "1 a=1 b=1 c=1", "1 a(5) x(4) b(3) y(2) c(1)", "iprec(recall=0.4) 11pt_avg",
     [1.0, 0.8061], [1.0, 0.8061], {}, {}),
    ("D21 as trec_eval 9", "1 a=1 b=1 c=1", "1 a(5) x(4) b(3) y(2) c(1)", "iprec(recall=0.4) 11pt_avg",
     [1.0, 0.8061], [0.6667, 0.7697], {"recall_points": "plus-.9"}, {}),
    ("D22 F with beta .5", "1 a=1 b=1", "1 a(1)", "set_F.0.5 set-F(beta=0.5)",
     [0.75, 0.8333], [0.75, 0.8333], {}, {}),
    ("D23 F with beta 2", "1 a=1 b=1", "1 a(1)", "set_F.2 set-F(beta=2)", [0.6, 0.5556], [0.6, 0.5556], {}, {}),
    ("D24 -J with nothing judged", "1 a=1 b=0", "1 x(2) y(1)", "iprec(recall=0) 11pt_avg AP",
     [0.0, 0.0, 0.0], ["tool-fails", "tool-fails", 0.0], {"unjudged": "skip"}, {"unjudged": "skip"}),
    ("D25 nDCG with and without a cutoff", "1 r1=1 r2=1 r3=1 r4=1", "1 r1(3) x(2) r2(1)", "nDCG nDCG@3",
     [0.5856, 0.7039], [0.5856, 0.7039], {}, {}),
    ("D26 -M 2", "1 r1=1 r2=1 r3=1 r4=1", "1 r1(3) x(2) r2(1)", "nDCG nDCG@2",
     [0.3904, 0.6131], [0.3904, 0.6131], {"depth": 2}, {"depth": 2}),
    ("D27 topics on either side only", "1 a=1 n=0; 2 b=1 m=0", "1 a(1); 3 z(1)", "AP Rprec",
     [0.5, 0.5], [0.5, 0.5], C, {}),
    ("D28 tie of three", "1 a=1 b=0 c=0", "1 a(1) b(1) c(1)", "Rprec nDCG@10 RR",
     [1.0, 1.0, 1.0], [0.0, 0.5, 0.3333], {}, {}),
    ("D29 a topic of grades below -1", "1 a=1; 2 c=-3", "1 a(1); 2 c(1)", "AP", "grade-invalid", "tool-fails", {}, {}),
    ("D29 a topic of grades of -1", "1 a=1; 2 c=-1", "1 a(1); 2 c(1)", "AP", "grade-invalid", [0.5], {}, {}),
    ("D30 missing topic, yaap", "1 a=1; 2 b=1", "1 a(1)", "yaap", [0.0], [0.0], C, {}),
    ("D31 missing topic, utility with prices", "1 a=1; 2 b=1", "1 a(1)", "utility.2,-1,0,0 utility",
     [1.0, 0.5], ["tool-fails", 0.5], C, {}),
    ("D32 NaN score", "1 a=1 b=0", "1 a(nan) b(.5)", "RR", "score-invalid", "score-invalid", {}, {}),
    ("D33 a later duplicate", "1 a=1 b=1", "1 a(3) x(1) a(.5)", "AP",
     "repeated-result-id", "repeated-result-id", {}, {}),
    ("D34 real grades", "1 a=.5 b=1.5", "1 a(2) b(1)", "nDCG", "grade-invalid", "grade-invalid", {}, {}),
    ("a cutoff above the list", "1 a=1 c=1", "1 a(2) x(1)", "P@5 nDCG(gain=linear)@10",
     [0.2, 0.6131], [0.2, 0.6131], {}, {}),
    ("nothing relevant retrieved", "1 a=1", "1 x(2) y(1)", "AP RR nDCG bpref P@5", [0.0] * 5, [0.0] * 5, {}, {}),
    ("L3 bpref, R = 3, N = 1", "1 a=1 b=1 c=1 n=0", "1 a(3) n(2) b(1)", "bpref", [0.3333], [0.3333], {}, {}),
    ("L4 N > R", "1 a=1 n=0 m=0", "1 n(3) m(2) a(1)", "bpref", [0.0], [0.0], {}, {}),
    ("Rprec_mult, two rules", "1 a=1 b=1 c=1", "1 a(5) x(4) b(3) y(2) z(1)",
     "Rprec_mult.0.4 Rprec_mult.1.5 Rprec_mult.2.0",
     [0.3333, 0.6667, 0.6667], [0.5, 0.4, 0.3333], {}, {}),
    ("-c with parameters of rbp_resid", "1 a=1; 2 b=1", "1 a(1)", "rbp_resid rbp_resid.p=0.8",
     [0.95, 0.9], [0.0, "tool-fails"], C, {}),
]  # fmt: skip


@pytest.mark.parametrize("side", ["book", "trec_eval"])
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[0])
def test_each_side_of_a_disagreement(tmp_path: Path, pair: tuple[Any, ...], side: str) -> None:
    _, qrels, run, names, book, theirs, their_choices, book_choices = pair
    convention = BOOK.choose(**book_choices) if side == "book" else TREC_EVAL.choose(**their_choices)
    expected = book if side == "book" else theirs
    if isinstance(expected, str):
        with pytest.raises(InvalidDocumentError) as refused:
            measure(tmp_path, qrels, run, names.split(), convention)
        assert {f.rule for f in refused.value.findings} == {expected}
        return
    result = measure(tmp_path, qrels, run, names.split(), convention)
    assert values(result) == expected
    fails = [value for value in expected if value == "tool-fails"]
    assert [f.rule for f in result.findings].count("tool-fails") == len(fails)
    assert all(f.severity == "error" for f in result.findings if f.rule == "tool-fails")


WORKED = {
    "ndcg": 0.7602, "ndcg_rel": 0.6301, "Rndcg": 0.4400, "G": 0.6309, "binG": 0.8155, "yaap": 0.6931,
    "gm_map": 0.8333, "11pt_avg": 0.9091, "set_F": 0.8, "utility": 1.0, "infAP": 0.8333, "rbp": 0.1310,
    "rbp_resid": 0.8190, "ndcg.1=1,2=3": 0.6885,
}  # fmt: skip


@pytest.mark.parametrize("name", WORKED)
def test_worked_values_of_the_program(tmp_path: Path, name: str) -> None:
    result = measure(tmp_path, "1 A=2 B=1 N=0", "1 B(3) U(2) A(1)", [name], TREC_EVAL)
    assert values(result) == [WORKED[name]]


def test_utility_counts_the_collection_only_where_somebody_says_its_size(tmp_path: Path) -> None:
    files = ("1 a=1 b=1", "1 a(1)", ["utility.1,-1,-1,1"])
    assert values(measure(tmp_path, *files, TREC_EVAL)) == [-2.0]
    assert values(measure(tmp_path, *files, TREC_EVAL.choose(collection_size=10))) == [8.0]
