"""Where the two conventions say the same, every topic has the value that trec_eval computes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from evaudit.audits.ranking import audit_runs
from evaudit.ranking.conventions import BOOK

pytrec_eval = pytest.importorskip("pytrec_eval")

PAIRS = {
    "P@5": "P_5",
    "P@20": "P_20",
    "recall@5": "recall_5",
    "recall@100": "recall_100",
    "RR": "recip_rank",
    "AP": "map",
    "AP@5": "map_cut_5",
    "AP@20": "map_cut_20",
    "nDCG(gain=linear)@5": "ndcg_cut_5",
    "nDCG(gain=linear)@20": "ndcg_cut_20",
    "nDCG(gain=linear)": "ndcg",
}

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]


def collection(seed: int, top_grade: int) -> tuple[Qrels, Run]:
    """Topics that all have a positive, and runs whose scores are all different."""
    rng = random.Random(seed)
    qrels: Qrels = {}
    run: Run = {}
    for topic in range(1, 31):
        documents = [f"doc{i}" for i in range(80)]
        judged = rng.sample(documents, rng.randint(3, 40))
        qrels[str(topic)] = {doc: rng.randint(0, top_grade) for doc in judged}
        qrels[str(topic)][judged[0]] = rng.randint(1, top_grade)
        returned = rng.sample(documents, rng.randint(1, 60))
        scores = rng.sample(range(1, 1000), len(returned))
        run[str(topic)] = {doc: float(score) for doc, score in zip(returned, scores, strict=True)}
    return qrels, run


def write(folder: Path, qrels: Qrels, run: Run) -> tuple[str, str]:
    lines = [f"{topic} 0 {doc} {grade}" for topic, pool in qrels.items() for doc, grade in pool.items()]
    (folder / "qrels").write_text("\n".join(lines) + "\n")
    lines = []
    for topic, scores in run.items():
        for rank, doc in enumerate(sorted(scores, key=lambda d: -scores[d]), 1):
            lines.append(f"{topic}\tQ0\t{doc}\t{rank}\t{scores[doc]}\ttag")
    (folder / "run").write_text("\n".join(lines) + "\n")
    return str(folder / "qrels"), str(folder / "run")


@pytest.mark.parametrize("order", ["ranks", "score", "lines"])
@pytest.mark.parametrize(("seed", "top_grade"), [(1, 1), (2, 3), (3, 4)])
def test_every_topic_agrees(tmp_path: Path, order: str, seed: int, top_grade: int) -> None:
    qrels, run = collection(seed, top_grade)
    names = {"P", "recall", "recip_rank", "map", "map_cut.5,20", "ndcg_cut.5,20", "ndcg"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, names | {"P.5,20", "recall.5,100"}).evaluate(run)
    files = write(tmp_path, qrels, run)
    ours = audit_runs(files[0], [files[1]], list(PAIRS), BOOK.choose(order=order), per_topic=True)
    checked = 0
    for figure in ours.iter_figures():
        assert figure.need is not None
        assert figure.value == pytest.approx(theirs[figure.need][PAIRS[figure.name]], abs=1e-12), figure.name
        checked += 1
    assert checked == 30 * len(PAIRS)


def test_ties_of_score_fall_to_the_document_id_as_in_trec_eval(tmp_path: Path) -> None:
    rng = random.Random(4)
    qrels, run = collection(4, 2)
    run = {topic: {doc: float(rng.randint(1, 4)) for doc in scores} for topic, scores in run.items()}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank", "map", "ndcg"}).evaluate(run)
    files = write(tmp_path, qrels, run)
    names = ["RR", "AP", "nDCG(gain=linear)"]
    ours = audit_runs(files[0], [files[1]], names, BOOK.choose(order="score"), per_topic=True)
    for figure in ours.iter_figures():
        assert figure.need is not None
        assert figure.value == pytest.approx(theirs[figure.need][PAIRS[figure.name]], abs=1e-12)
