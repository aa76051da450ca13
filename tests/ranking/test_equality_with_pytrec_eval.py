"""Under trec_eval's convention every shared measure is what pytrec_eval computes, topic by topic, on random data.

pytrec_eval is trec_eval 9: scores of 32 bits, its own rounding of recall levels, topics that a run lacks left out.
"""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest

from evaudit.audits.ranking import audit_runs
from evaudit.ranking.conventions import TREC_EVAL

pytrec_eval = pytest.importorskip("pytrec_eval")

NOT_PER_TOPIC = {"gm_map", "gm_bpref", "num_q", "runid", "relstring"}
SHARED = sorted(pytrec_eval.supported_measures - NOT_PER_TOPIC)
VERSION_9 = TREC_EVAL.choose(score_precision="float32", recall_points="plus-.9", missing_topics="skip")

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]


def collection(seed: int, grades: list[int], tied: bool) -> tuple[Qrels, Run]:
    """Topics with and without positives, pooled documents, short and long lists, ties, topics on one side only."""
    rng = random.Random(seed)
    qrels: Qrels = {}
    run: Run = {}
    for topic in range(40):
        documents = [f"doc{rng.randint(0, 999)}-{i}" for i in range(60)]
        judged = rng.sample(documents, rng.randint(1, 50))
        qrels[f"t{topic}"] = {doc: rng.choice(grades) for doc in judged}
        if topic % 9 == 8:
            qrels[f"t{topic}"] = dict.fromkeys(judged, 0)
        returned = rng.sample(documents, rng.randint(1, 60))
        if topic % 11 == 10:
            continue
        if tied:
            run[f"t{topic}"] = {doc: float(rng.randint(1, 6)) for doc in returned}
        else:
            run[f"t{topic}"] = {doc: rng.uniform(-5, 5) for doc in returned}
    run["only-in-run"] = {"doc1": 1.0}
    return qrels, run


def files(folder: Path, qrels: Qrels, run: Run) -> tuple[str, list[str]]:
    lines = [f"{topic} 0 {doc} {grade}\n" for topic, pool in qrels.items() for doc, grade in pool.items()]
    (folder / "qrels").write_text("".join(lines))
    lines = [f"{topic} Q0 {doc} 0 {score!r} tag\n" for topic, scores in run.items() for doc, score in scores.items()]
    (folder / "run").write_text("".join(lines))
    return str(folder / "qrels"), [str(folder / "run")]


@pytest.mark.parametrize("judged_only", [False, True])
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize(
    ("seed", "grades", "tied"),
    [(1, [0, 1], False), (2, [0, 0, 1, 2, 3], True), (3, [-1, -2, 0, 1, 2, 4], True), (4, [-1, 0, 0, 0, 3], False)],
)
def test_every_shared_measure_of_every_topic(
    tmp_path: Path, seed: int, grades: list[int], tied: bool, level: int, judged_only: bool
) -> None:
    qrels, run = collection(seed, grades, tied)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(SHARED), level, judged_only)
    theirs = evaluator.evaluate(run)
    convention = VERSION_9.choose(relevance_level=level, unjudged="skip" if judged_only else "zero")
    ours = audit_runs(*files(tmp_path, qrels, run), SHARED, convention, per_topic=True, bounds=False)
    named = {name: label for label, name in ours.details["trec_eval"]}  # type: ignore[attr-defined]  # JSON-ready object
    checked = 0
    for figure in ours.iter_figures():
        assert figure.need is not None
        value = theirs[figure.need][named[figure.name]]
        assert (figure.undefined == "tool-fails") == math.isnan(value), (figure.name, figure.need)
        if figure.undefined:
            continue
        assert figure.value == pytest.approx(value, abs=1e-12), (figure.name, figure.need)
        checked += 1
    assert checked > 30 * 80
