"""Do a run and the qrels know their topics and documents by the same ids? Near misses, and what has no join at all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from evaudit.findings import Finding, Severity, Where, finding
from evaudit.formats.trec_content import Qrels, Run
from evaudit.plurals import counted
from evaudit.ranking.judgements import TopicList

if TYPE_CHECKING:
    from evaudit.ranking.near_documents import NearDocument

SHOWN_PAIRS = 5
"""Near misses that a message names before it counts the rest."""


def near_topics(qrels: Qrels, run: Run[TopicList | None]) -> Iterator[Finding]:
    """Topics of the run that the qrels lack and that are other spellings of topics which the run lacks."""
    yield from _topics(qrels, run.topics, "of the run", "in no figure and no mean; write both alike", run.path)


def near_groups(qrels: Qrels, groups: Mapping[str, str], path: str | None) -> Iterator[Finding]:
    """Topics that have a group and are other spellings of topics of the qrels that have none."""
    yield from _topics(qrels, groups, "with a group", "the topics of the qrels have no group; write both alike", path)


def _topics(qrels: Qrels, given: Collection[str], whose: str, advice: str, path: str | None) -> Iterator[Finding]:
    unknown = [topic for topic in given if topic not in qrels.counts]
    missing = [topic for topic in qrels.counts if topic not in given]
    if not unknown or not missing:
        return
    from evaudit.near_ids import differences, near_pairs

    told = [(one, near, differences(one, near)) for one, near in near_pairs(unknown, missing)]
    if told:
        what = f"{counted(len(told), 'topic')} {whose} in another spelling than in {qrels.input.path}"
        yield _near("topic-near-miss", what, told, advice, path, (len(qrels.counts), len(given)))


def document_joins(
    qrels: Qrels, run: Run[TopicList | None], stored: Callable[[bytes], bool] | None
) -> Iterator[Finding]:
    """Whether any judged document is returned, and returned documents that are other spellings of judged ones.

    ``stored`` says whether the inventory holds a document, where there is one.
    """
    rows = [row for row in run.topics.values() if row is not None and row.returned]
    joined = any(row.ranks or row.pooled for row in rows)
    if len(rows) > 1 and not joined:  # one topic alone may well have found nothing
        message = (
            f"no judged document is returned in any of {counted(len(rows), 'topic')} that the run and "
            f"{qrels.input.path} share; check that both name documents alike"
        )
        yield finding("documents-disjoint", message, where=Where(run.path))
    near = _confirmed(qrels, run, stored)
    if near:
        told = [(one.returned, one.judged, one.differs) for one in near]
        judged = len({one.judged for one in near})
        what = f"{counted(judged, 'judged document is', 'judged documents are')} returned in another spelling"
        sizes = () if joined else (len(near),)
        yield _near("document-near-miss", what, told, "they count as unjudged; write both alike", run.path, sizes)


def _confirmed(
    qrels: Qrels, run: Run[TopicList | None], stored: Callable[[bytes], bool] | None
) -> Sequence[NearDocument]:
    if not run.near:
        return ()
    from evaudit.ranking.near_documents import confirmed

    return confirmed(run.near, qrels.among, stored)


def _near(
    rule: str,
    what: str,
    told: Sequence[tuple[str, str, Iterable[str]]],
    advice: str,
    path: str | None,
    sizes: Sequence[int],
) -> Finding:
    from evaudit.near_ids import is_systematic

    severity: Severity = "error" if is_systematic((ways for _, _, ways in told), sizes) else "warning"
    named = ", ".join(f"{one!r} for {near!r} ({', '.join(ways)})" for one, near, ways in told[:SHOWN_PAIRS])
    more = f" and {len(told) - SHOWN_PAIRS} more" if len(told) > SHOWN_PAIRS else ""
    return finding(rule, f"{what}: {named}{more}; {advice}", where=Where(path), severity=severity)
