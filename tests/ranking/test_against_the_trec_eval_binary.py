"""Random files and options through trec_eval 10 itself: every line that we print is its line, and what it gets wrong we
leave out and say so. Runs where the environment variable TREC_EVAL names the program; EVAUDIT_FUZZ=3000 is a long run.
"""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest
from rank_command import run

from evaudit.errors import EvauditError

PROGRAM = os.environ.get("TREC_EVAL", "")
CASES = int(os.environ.get("EVAUDIT_FUZZ", "300"))
SETS = [
    ["-m", "all_trec"],
    ["-m", "official"],
    ["-m", "set"],
    ["-m", "runid"],
    ["-m", "set_F.0.5", "-m", "utility.2,-1,0,1", "-m", "Rprec_mult.0.3,1.5", "-m", "yaap"],
    ["-m", "ndcg.1=3,2=9", "-m", "ndcg_cut.1,3,50", "-m", "iprec_at_recall.0,.35,1", "-m", "11pt_avg..2,.8"],
    ["-m", "rbp_resid.p=0.8", "-m", "rbp_resid", "-m", "relstring.4", "-m", "success.1,2", "-m", "unj.3"],
    ["-m", "dcg", "-m", "ideal_dcg", "-m", "ndcg_rel", "-m", "Rndcg", "-m", "G", "-m", "binG", "-m", "infAP"],
]
pytestmark = pytest.mark.skipif(not PROGRAM, reason="TREC_EVAL names no program")


def case(rng: random.Random, folder: Path) -> list[str]:
    """Files of one random case, and options."""
    grades = rng.choice([[0, 1], [-1, 0, 1], [0, 1, 2, 3], [-2, -1, 0, 0, 1, 4]])
    documents = [f"d{i}" for i in range(rng.randint(1, 14))]
    topics = rng.sample(["1", "2", "10", "b", "é"], rng.randint(1, 4))
    judged = {topic: rng.sample(documents, rng.randint(1, len(documents))) for topic in topics}
    complete = rng.random() < 0.5
    returned = [topic for topic in topics if not complete or rng.random() < 0.7]
    (folder / "qrels").write_text(
        "".join(f"{topic} 0 {doc} {rng.choice(grades)}\n" for topic, docs in judged.items() for doc in docs)
    )
    (folder / "run").write_text(
        "".join(
            f"{topic} Q0 {doc} 0 {rng.choice([1, 2.5, 2.5, 7, -1])} tag\n"
            for topic in [*returned, "only-in-run"]
            for doc in rng.sample(documents, rng.randint(1, len(documents)))
        )
    )
    options = rng.choice(SETS) + (["-c"] if complete else [])
    options += ["-q"] if rng.random() < 0.7 else []
    options += ["-J"] if rng.random() < 0.3 else []
    options += [f"-l{rng.randint(1, 3)}"] if rng.random() < 0.3 else []
    options += [f"-M{rng.randint(1, 9)}"] if rng.random() < 0.3 else []
    options += [f"-N{rng.randint(1, 99)}"] if rng.random() < 0.2 else []
    return [*options, str(folder / "qrels"), str(folder / "run")]


def ours(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    """Exit code and lines; a refusal is 2 and none."""
    capsys.readouterr()
    files, options = arguments[-2:], arguments[:-2]
    try:
        code = run([*files, "--convention", "trec_eval", "--format", "trec_eval", "--quiet", *options])
    except EvauditError:
        return 2, []
    return code, capsys.readouterr().out.splitlines()


def may_be_left_out(line: str, arguments: list[str]) -> bool:
    """Whether trec_eval gets the line wrong: 0/0, memory that it never set, leftovers of a placeholder, a total under
    -c that ignores the level.
    """
    label, _, value = line.split("\t")
    name = label.strip()
    if "nan" in value:
        return True
    if "-c" not in arguments:
        return False
    placeholder = name.startswith(("rbp_resid_", "utility_", "relstring_")) and name != "relstring_10"
    return placeholder or (name == "num_rel" and any(one.startswith("-l") for one in arguments))


@pytest.mark.parametrize("seed", range(CASES if PROGRAM else 1))
def test_every_line_is_that_of_the_program(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = case(random.Random(seed), tmp_path)
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, check=False)
    code, lines = ours(arguments, capsys)
    if done.returncode:  # it crashed, or ended with an error
        assert (code != 0, lines) == (True, []), done.stderr
        return
    theirs = done.stdout.decode().splitlines()
    graded = any(int(line.split()[3]) > 1 for line in Path(arguments[-2]).read_text().splitlines())
    if graded:  # which it divides by memory that it never set
        theirs, lines = ([one for one in part if one.split()[0] != "rbp"] for part in (theirs, lines))
    printed = set(lines)
    assert lines == [line for line in theirs if line in printed or not may_be_left_out(line, arguments)]
    assert code == (0 if len(lines) == len(theirs) else 1)
