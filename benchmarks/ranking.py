#!/usr/bin/env python3
"""How fast `evaudit rank` is against what people use, as whole commands: ratios of one run, medians over pairs.

    python benchmarks/ranking.py                    # 6,980 topics x 1,000 and 50 x 1,000, about ten minutes
    python benchmarks/ranking.py --topics 500 --pairs 3
    python benchmarks/ranking.py --data FOLDER/big  # FOLDER/big.run, big.qrels, big.deep.qrels of your own

Every pair runs both programs one after the other, so that what else the machine does touches both. Both read the same
files, work out AP, Rprec, bpref, RR, P@10, recall@10/100/1000 and nDCG@10 for every topic, and write all of it in
trec_eval's format. Ours also hashes its inputs and counts what is unjudged. One row each shows the default report of
the book's convention instead, with the ranges over unjudged documents and ties that no other tool has. Needs
pytrec-eval-terrier; ir_measures is measured where it is installed. Modules are compiled before, as an installer does.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

from results import Results

MEASURES = ["map", "Rprec", "bpref", "recip_rank", "P.10", "recall.10,100,1000", "ndcg_cut.10", "unj.10"]

PYTREC_EVAL = """
import sys, pytrec_eval
with open(sys.argv[1]) as file: qrels = pytrec_eval.parse_qrel(file)
with open(sys.argv[2]) as file: run = pytrec_eval.parse_run(file)
names = {"map", "Rprec", "bpref", "recip_rank", "P.10", "recall.10,100,1000", "ndcg_cut.10"}
found = pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(run)
keys = sorted(next(iter(found.values())))
with open(sys.argv[3], "w") as out:
    for topic in sorted(found):
        for key in keys: out.write(f"{key}\\t{topic}\\t{found[topic][key]:.4f}\\n")
    for key in keys:
        mean = pytrec_eval.compute_aggregated_measure(key, [row[key] for row in found.values()])
        out.write(f"{key}\\tall\\t{mean:.4f}\\n")
"""
ENDS = (".run", ".qrels", ".deep.qrels")
RESULTS, GROWTH = Results("ranking"), Results("ranking-growth")
IR_MEASURES = ["AP", "Rprec", "Bpref", "RR", "P@10", "R@10", "R@100", "R@1000", "nDCG@10", "Judged@10"]


def generate(stem: Path, topics: int, depth: int) -> None:
    """A run grouped by topic and sorted by score with many ties, sparse qrels, and deep qrels of 200 a topic."""
    rng = random.Random(7)
    stride = 8_841_823 // depth
    ids = rng.sample(range(2, 20_000_000), topics)
    with ExitStack() as files:
        run, sparse, deep = (files.enter_context(Path(f"{stem}{end}").open("w")) for end in ENDS)
        for topic in ids:
            documents = [i * stride + rng.randrange(stride) for i in range(depth)]
            rng.shuffle(documents)
            top = rng.uniform(12, 40)
            scores = sorted((round(top * 0.99857**i + rng.expovariate(7), 2) for i in range(depth)), reverse=True)
            rows = enumerate(zip(documents, scores, strict=True), 1)
            run.write("".join(f"{topic} Q0 {d} {rank} {score:.6f} bm25\n" for rank, (d, score) in rows))
            relevant = {documents[min(depth - 1, int(rng.expovariate(1 / 30)))]}
            if rng.random() < 0.06:
                relevant.add(rng.randrange(8_841_823))
            sparse.write("".join(f"{topic}\t0\t{d}\t1\n" for d in sorted(relevant)))
            half = min(100, depth // 2)
            judged = set(rng.sample(documents, half)) | {rng.randrange(8_841_823) for _ in range(half)}
            grades = rng.choices([0, 1, 2], weights=[7, 2, 1], k=len(judged))
            deep.write("".join(f"{topic} 0 {d} {g}\n" for d, g in zip(sorted(judged), grades, strict=True)))


def ours(qrels: str, run: str, *more: str) -> list[str]:
    measures = [word for name in MEASURES for word in ("-m", name)]
    convention = ["--convention", "trec_eval", "--missing-topics", "skip", "--format", "trec_eval", "--quiet"]
    return [sys.executable, "-m", "evaudit", "rank", qrels, run, "-q", *measures, *convention, *more]


def environment(folder: Path) -> dict[str, str]:
    """The environment with a place of its own for compiled modules."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(folder / "compiled")}


def timed(command: list[str], out: Path) -> tuple[float, float, int]:
    """Wall and CPU seconds of a command, and the most private memory that it had, in KiB (0 where nobody can tell)."""
    before = os.times()
    start = time.perf_counter()
    with out.open("wb") as stream:
        child = subprocess.Popen(command, stdout=stream, stderr=subprocess.DEVNULL, env=environment(out.parent))
        most = [0]
        watcher = threading.Thread(target=watch, args=(child, most))
        watcher.start()
        code = child.wait()
    wall = time.perf_counter() - start
    watcher.join()
    after = os.times()
    if code:
        raise SystemExit(f"{' '.join(command[:6])} … ended with {code}")
    return wall, after.children_user + after.children_system - before.children_user - before.children_system, most[0]


def watch(child: subprocess.Popen[bytes], most: list[int]) -> None:
    """Look at the private memory of a process (Linux) until it ends."""
    status = Path(f"/proc/{child.pid}/status")
    while child.poll() is None:
        try:
            lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
            most[0] = max(most[0], int(lines.get("RssAnon", "0 kB").split()[0]))
        except (OSError, ValueError):
            return
        time.sleep(0.005)


def compare(title: str, one: list[str], other: list[str], folder: Path, pairs: int) -> None:
    """Both commands in turn; how many times faster ``one`` is, in wall and in CPU time."""
    load = os.getloadavg()[0]
    rows = [(timed(one, folder / "one"), timed(other, folder / "other")) for _ in range(pairs)]
    wall = statistics.median(theirs[0] / mine[0] for mine, theirs in rows)
    cpu = statistics.median(theirs[1] / mine[1] for mine, theirs in rows)
    mine = statistics.median(row[0][0] for row in rows)
    theirs = statistics.median(row[1][0] for row in rows)
    memory = max(row[0][2] for row in rows) / 1024
    RESULTS.add(f"{title}: ours", "s", [m[0] for m, _ in rows])
    RESULTS.add(f"{title}: theirs", "s", [t[0] for _, t in rows])
    RESULTS.add(f"{title}: wall", "times", [t[0] / m[0] for m, t in rows])
    RESULTS.add(f"{title}: cpu", "times", [t[1] / m[1] for m, t in rows])
    RESULTS.add(f"{title}: memory", "MiB", [memory])
    RESULTS.add(f"{title}: load", "load", [load])
    spread = f"{min(t[0] / m[0] for m, t in rows):.1f} to {max(t[0] / m[0] for m, t in rows):.1f}"
    times = f"{mine:.2f} s | {theirs:.2f} s | {wall:.1f}x ({spread}) | {cpu:.1f}x"
    print(f"| {title} | {times} | {memory:.0f} MiB | {load:.1f} |", flush=True)


def grow(stem: Path, folder: Path, topics: int, depth: int) -> None:
    """Wall time and memory of one, two and four times the lines; the further topics are not in the qrels."""
    lines = Path(f"{stem}.run").read_bytes()
    first = None
    for times in (1, 2, 4):
        path = folder / "grown.run"
        with path.open("wb") as out:
            for part in range(times):
                out.write(lines if part == 0 else lines.replace(b" Q0 ", b"-%d Q0 " % part))
        runs = [timed(ours(f"{stem}.qrels", str(path)), folder / "one") for _ in range(3)]
        best = min(runs)
        first = first or best[0]
        count = times * topics * depth
        GROWTH.add(f"{count:,} lines", "s", [r[0] for r in runs])
        GROWTH.add(f"{count:,} lines: memory", "MiB", [best[2] / 1024])
        print(f"| {count:,} lines | {best[0]:.2f} s | {best[0] / first:.2f}x | {best[2] / 1024:.0f} MiB |", flush=True)
        path.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topics", type=int, default=6980)
    parser.add_argument("--depth", type=int, default=1000)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--more", type=int, default=1, help="pairs of the default tables and of ir_measures")
    parser.add_argument("--data", type=Path, help="stem of .run, .qrels and .deep.qrels; else they are generated")
    parser.add_argument("--growth", action="store_true", help="also one, two and four times the lines")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        stem = options.data or folder / "large"
        if options.data is None:
            generate(stem, options.topics, options.depth)
        small = folder / "small"
        generate(small, 50, 1000)
        script = folder / "with_pytrec_eval.py"
        script.write_text(PYTREC_EVAL)

        def theirs(base: Path, kind: str) -> list[str]:
            return [sys.executable, str(script), f"{base}{kind}", f"{base}.run", str(folder / "theirs")]

        timed(ours(f"{small}.qrels", f"{small}.run"), folder / "one")
        timed(ours(f"{small}.qrels", f"{small}.run", "--no-kernel"), folder / "one")
        timed([sys.executable, "-m", "evaudit", "rank", f"{small}.qrels", f"{small}.run"], folder / "one")
        print("| workload, against pytrec_eval with parsing | ours | theirs | wall | CPU | our private memory | load |")
        print("|---|---|---|---|---|---|---|")
        for title, kind in (("sparse qrels", ".qrels"), ("deep qrels", ".deep.qrels")):
            files = (f"{stem}{kind}", f"{stem}.run")
            for what, more in (("", []), (", without the kernel", ["--no-kernel"])):
                compare(title + what, ours(*files, *more), theirs(stem, kind), folder, options.pairs)
            book = [sys.executable, "-m", "evaudit", "rank", *files]
            compare(f"{title}, default table of means with every range", book, theirs(stem, kind), folder, options.more)
        files = (f"{small}.deep.qrels", f"{small}.run")
        compare("50 x 1,000", ours(*files), theirs(small, ".deep.qrels"), folder, 4 * options.pairs)
        if importlib.util.find_spec("ir_measures"):
            command = [sys.executable, "-m", "ir_measures", "-q", f"{stem}.qrels", f"{stem}.run", *IR_MEASURES]
            compare(
                "sparse qrels, against ir_measures",
                ours(f"{stem}.qrels", f"{stem}.run", "--no-bounds"),
                command,
                folder,
                options.more,
            )
        if options.growth:
            print("\n| lines | wall | against the first | private memory |\n|---|---|---|---|")
            grow(stem, folder, options.topics, options.depth)
            GROWTH.write()
    print(f"\nwrote {RESULTS.write()}; now run benchmarks/register_entries.py")


if __name__ == "__main__":
    main()
