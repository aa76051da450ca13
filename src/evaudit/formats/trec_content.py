"""What qrels and run files hold once they are read, by whichever reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from evaudit.findings import Finding, Where, finding
from evaudit.ranking.judgements import Histogram
from evaudit.ranking.near_documents import Among
from evaudit.ranking.order import RunTopic
from evaudit.results import InputFile

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Qrels:
    """The judgements of a qrels file.

    Attributes:
        counts: how often each grade was given, by topic in file order.
        pools: grade by document, by topic; empty where a run is scanned without it.
        input: the file.
        unjudged: judgements that do not count: those that a grade map removed, or negative ones that are only pooled.
        findings: what was noted about the file.
        highest_negative: topic and highest grade of the topics that hold negative grades only.
        among: those of some documents that are judged for any topic.
    """

    counts: dict[str, Histogram]
    pools: dict[str, dict[bytes, int]]
    input: InputFile
    unjudged: int = 0
    findings: tuple[Finding, ...] = ()
    highest_negative: tuple[tuple[str, int], ...] = ()
    among: Among | None = None

    @property
    def top_grade(self) -> int:
        """The highest grade that is given anywhere, 0 where there is none."""
        return max((pool[0][0] for pool in self.counts.values() if pool), default=0)


@dataclass(slots=True)
class Run(Generic[T]):
    """A run that was read.

    Attributes:
        topics: what the step made of each topic's lines.
        path: the file.
        rows: its result lines.
        record: gives the file with its digest, for which a large file may have to be waited.
        findings: what was noted about the file.
        tag: its last name.
        near: returned documents that may be other spellings of judged ones, each with the judged one.
    """

    topics: dict[str, T]
    path: str
    rows: int
    record: Callable[[], InputFile]
    findings: tuple[Finding, ...]
    tag: str = ""
    near: Sequence[tuple[bytes, bytes]] = ()

    @property
    def input(self) -> InputFile:
        """The file with its digest, which is worked out while figures are."""
        return self.record()


class RankWatch:
    """What is odd about the rank columns of one file, counted: gaps, and scores that rise along the ranks."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.gaps = self.rises = self.rising_topics = 0
        self.gap_line: int | None = None
        self.rise_line: int | None = None

    def look(self, run: RunTopic) -> None:
        """Count what is odd in one topic."""
        order = sorted(range(len(run.ranks)), key=run.ranks.__getitem__)
        first, last = run.ranks[order[0]], run.ranks[order[-1]]
        if first not in (0, 1) or last - first != len(order) - 1:
            self.gaps += 1
            self.gap_line = self.gap_line or run.lines[order[0]]
        scores = [run.scores[i] for i in order]
        rises = [i for i in range(1, len(scores)) if scores[i] > scores[i - 1]]
        if rises:
            self.rises += len(rises)
            self.rising_topics += 1
            self.rise_line = self.rise_line or run.lines[order[rises[0]]]

    def findings(self) -> list[Finding]:
        """One finding a kind, with its count and the first line."""
        found = []
        if self.rises:
            times = "once" if self.rises == 1 else f"{self.rises} times"
            message = f"the score rises along the ranks {times} in {_topics(self.rising_topics)}, first here"
            found.append(finding("score-rises-along-ranks", message, where=Where(self.path, self.rise_line)))
        if self.gaps:
            message = f"the ranks of {_topics(self.gaps)} do not count up from 0 or 1 one by one, first here"
            found.append(finding("rank-gaps", message, where=Where(self.path, self.gap_line)))
        return found


def _topics(count: int) -> str:
    return f"{count} topic" if count == 1 else f"{count} topics"
