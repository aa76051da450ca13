"""Rank-biased precision."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import accumulate, repeat

from evaudit.definitions import Definition
from evaudit.figures import Amount
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import added
from evaudit.ranking.judgements import JudgedLists, TopicList
from evaudit.ranking.measures.measure import Asked, Column, Measure, Option
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied

DEFINITION = Definition(
    id="RBP",
    question="What does a user gain who goes on to the next document with probability p?",
    definition="RBP(p=p, top-grade=t) = (1 - p) * sum over ranks i of g_i * p^(i-1). The gain g_i is the grade divided "
    "by t, the highest grade of the whole qrels file (at least 1), or a declared one. With rel=r it is 1 for a grade "
    "of at least r, else 0. RBP@k adds up the first k ranks alone.",
    denominator="None: the weights of an endless list add up to 1.",
    undefined_when="Never; without judged relevant documents it is 0.",
    not_known=f"An unjudged document has gain 0; RBP-residual says how much could be missing. {EXACT}",
    cannot_report="Which p describes the users.",
    source="Moffat and Zobel (2008), TOIS; trec_eval 10 rbp.",
    differs="Tools take raw grades (values above 1), or count every grade above 0 as 1. trec_eval 10 divides by the "
    "highest grade of each topic (top-grade=topic, the default of its convention), so judging a document that nobody "
    "returned moves the figure. It never sets the smallest and the largest gain that it starts from: where a topic has "
    "a grade above 1, what it prints depends on the compiler, and may be nan; its expected files agree with "
    "top-grade=topic.",
    parameters=(
        BOUND_PARAMETER,
        ("p", "the probability of going on, between 0 and 1 (default 0.9)"),
        ("rel", "the lowest grade that has gain 1, all others 0; without it a grade has its share of the top grade"),
        ("top-grade", "the grade of gain 1: a whole number from 1 (default the highest of the qrels), or topic"),
    ),
)

PERSISTENCE = Option("p", "0.9", "a number between 0 and 1", least=0.0, most=1.0)
REL = Option("rel", "", "a whole number", integer=True, least=0.0)
TOP_GRADE = Option("top-grade", "", "a whole number from 1, or topic", integer=True, least=1.0, words=("topic",))


def settled(asked: Asked, top_grade: int, convention: Convention) -> Asked:
    """The measure with its scale, as its name prints it; ``top_grade`` is the highest of the qrels.

    Raises:
        ValueError: the declared scale ends below it.
    """
    given = dict(asked.options)
    if "rel" in given:
        return asked
    declared = max(1, top_grade if convention.top_grade is None else convention.top_grade)
    scale = given.get("top-grade") or ("topic" if convention.failures == "trec_eval" else str(declared))
    if scale != "topic" and int(scale) < top_grade:
        expected = f"expected a top grade of at least {top_grade}, the highest judged"
        raise ValueError(f"{asked.name}: {expected}, found {scale}")
    if "top-grade" in given:
        return asked
    return replace(asked, options=(*asked.options, ("top-grade", scale)))


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """RBP of each topic."""
    asked = settled(asked, lists.top_grade, convention)
    p = asked.number("p")
    return Column.always([(1.0 - p) * _gained(topic, asked, scale_of(topic, asked)) for topic in lists.topics])


def scale_of(topic: TopicList, asked: Asked) -> int:
    """The grade of gain 1."""
    written = dict(asked.options).get("top-grade", "1")
    return (max(topic.pool[0][0], 1) if topic.pool else 1) if written == "topic" else int(written)


def _gained(topic: TopicList, asked: Asked, scale: int) -> float:
    weights = powers(asked.number("p"), topic.returned)
    rel = dict(asked.options).get("rel")
    k = topic.returned if asked.k is None else asked.k
    rows = [(rank, grade) for rank, grade in zip(topic.ranks, topic.grades, strict=True) if rank <= k]
    if rel is not None:
        return added([weights[rank - 1] for rank, grade in rows if grade >= int(rel)])
    return added([grade / scale * weights[rank - 1] for rank, grade in rows if grade])


def powers(p: float, size: int) -> list[float]:
    """p^0 ... p^size, each the one before it times p, as trec_eval multiplies them."""
    return _powers(p, 1 << max(10, size.bit_length()))


@lru_cache(maxsize=8)
def _powers(p: float, size: int) -> list[float]:
    return list(accumulate(repeat(p, size), lambda power, _: power * p, initial=1.0))


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """From every varied document without gain to every one with the most; a scale of the topic goes along."""
    asked = settled(asked, varied.lists.top_grade, convention)
    low: list[Amount | None] = []
    high: list[Amount | None] = []
    for i, topic in enumerate(varied.lists.topics):
        weights = powers(asked.number("p"), topic.returned)
        ends = _ends(varied, i, asked, [weights[rank - 1] for rank in varied.free(i)])
        low.append((1.0 - asked.number("p")) * min(ends))
        high.append((1.0 - asked.number("p")) * max(ends))
    return Range.always(low, high)


def _ends(varied: Varied, i: int, asked: Asked, free: list[float]) -> list[float]:
    """Sums of gains among which the smallest and the largest are."""
    topic, options = varied.lists.topics[i], dict(asked.options)
    if "rel" in options:
        known, rel = _gained(topic, asked, 1), int(options["rel"])
        most = added(free) if varied.top >= rel else 0.0
        return [known + (most if rel == 0 else 0.0), known + most]
    if options["top-grade"] != "topic":
        scale = int(options["top-grade"])
        known = _gained(topic, asked, scale)
        return [known, known + varied.top / scale * added(free)]
    found = []
    highest = topic.pool[0][0] if topic.pool else 0
    for top in range(highest, max(highest, varied.top) + 1):
        if top > highest and not free and not varied.below[i]:
            break  # no document is left that could have such a grade
        known = _gained(topic, asked, max(top, 1))
        least = 0.0 if top == highest or varied.below[i] else top * free[-1] / max(top, 1)
        found += [known + least, known + min(top, varied.top) / max(top, 1) * added(free)]
    return found


MEASURE = Measure(DEFINITION, compute, bounds, options=(PERSISTENCE, REL, TOP_GRADE), ties="gains", settle=settled)
