"""A ranking with its own judgements, as people write it: the ``ranking`` kind of a control."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, ValidationInfo
from pydantic.json_schema import WithJsonSchema
from pydantic_core import PydanticCustomError

from evaudit.fields import Integer, Model, Nullable, Number, Text, TextList, refusal
from evaudit.findings import Finding, finding
from evaudit.ranking.conventions import BOOK, GAINS, UNJUDGED, Convention, is_gain
from evaudit.ranking.grades import GradeError, read_grade
from evaudit.ranking.judgements import TopicList, histogram
from evaudit.ranking.spelling import LARGEST_CUTOFF, parse_measure

_WHOLE = re.compile(r"[0-9]{1,9}", re.ASCII)
_QUALIFIED = re.compile(r"(?P<source>[^/]+)/(?P<doc>.+)@(?P<version>[^@]+)", re.DOTALL)


def _cutoff(value: object) -> int:
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise refusal(
            f"a whole number from 1 to {LARGEST_CUTOFF} as cutoff",
            value,
            "write how many documents to look at",
            "cutoff-invalid",
        )
    return value


def _grade(value: object, info: ValidationInfo) -> int | None:
    written = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else repr(value)
    mapped = tuple((info.data.get("grade_map") or {}).items())
    try:
        return read_grade(written, mapped)
    except GradeError as error:
        raise PydanticCustomError("grade-invalid", "{message}", {"message": str(error)}) from None


def _mapped_grade(value: object) -> int | str:
    if value == UNJUDGED:
        return UNJUDGED
    try:
        return read_grade(str(value)) or 0
    except GradeError:
        raise refusal("a grade from 0, or unjudged", value, "say what it counts as", "grade-invalid") from None


Cutoff = Annotated[int, BeforeValidator(_cutoff), WithJsonSchema({"type": "integer", "minimum": 1})]
Grade = Annotated[int | None, BeforeValidator(_grade), WithJsonSchema({"type": ["integer", "string", "number"]})]
MappedGrade = Annotated[
    int | str,
    BeforeValidator(_mapped_grade),
    WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 0}, {"const": UNJUDGED}]}),
]


class Scope(Model):
    """What a ranking answers, or what judgements were made for; a field that is left out is not compared."""

    topic: Nullable[Text] = None
    """Topic, query or need."""
    source: Nullable[Text] = None
    """Source of the documents."""
    version: Nullable[Text] = None
    """Version of the documents."""


class RankingCase(Model):
    """One ranking, best first, with the judgements of its topic."""

    ranking: list[Text]
    """Ids of the returned documents, best first; plain ids, or qualified ones ``source/doc@version``."""
    grade_map: dict[Text, MappedGrade] = Field(default_factory=dict)
    """What a grade as written counts as: a whole number from 0, or ``unjudged``; needed for any other grade."""
    grades: dict[Text, Grade]
    """Document id to grade, for every judged document, returned or not."""
    cutoff: Nullable[Cutoff] = None
    """How many documents to look at; without it the whole list counts, and P and judged are not asked."""
    relevance_level: Nullable[Integer] = None
    """The lowest grade that is relevant for P, recall, RR and AP (default 1)."""
    gain: Nullable[Literal["exponential", "linear"]] = None
    """What a grade is worth in DCG: ``exponential`` is 2^grade - 1 (default), ``linear`` is the grade."""
    gain_map: dict[Integer, Number] = Field(default_factory=dict)
    """What each grade is worth in DCG, instead of ``gain``."""
    gains: dict[Text, Number] = Field(default_factory=dict)
    """What each judged document is worth in DCG, instead of ``gain``."""
    measures: TextList = Field(default_factory=list)
    """The measures to work out, e.g. ``nDCG@5``; by default all of them at the cutoff."""
    ranking_of: Nullable[Scope] = None
    """What the ranking answers."""
    judgements_of: Nullable[Scope] = None
    """What the judgements were made for; where it differs from ``ranking_of`` the case is refused."""

    @property
    def convention(self) -> Convention:
        """The book's convention with the choices of this case."""
        changes: dict[str, object] = {"order": "list"}
        if self.relevance_level is not None:
            changes["relevance_level"] = self.relevance_level
        if self.gain is not None:
            changes["gain"] = self.gain
        if self.gain_map:
            pairs = tuple((grade, float(gain)) for grade, gain in sorted(self.gain_map.items()))
            changes |= {"gain": "map", "gain_map": pairs}
        if self.gains:
            changes["gain"] = "given"
        if self.grade_map:
            changes["grade_map"] = tuple(sorted(self.grade_map.items()))
        return BOOK.choose(**changes)

    def topic_list(self, need: str) -> TopicList:
        """The ranking against its judgements; only for a case without ``problems``."""
        pool = {doc: grade for doc, grade in self.grades.items() if grade is not None}
        found = [(rank, doc) for rank, doc in enumerate(self.ranking, 1) if doc in pool]
        pooled = [rank for rank, doc in enumerate(self.ranking, 1) if doc in self.grades and doc not in pool]
        return TopicList(
            need,
            len(self.ranking),
            [rank for rank, _ in found],
            [pool[doc] for _, doc in found],
            histogram(pool.values()),
            pooled,
            gains=[float(self.gains[doc]) for _, doc in found] if self.gains else None,
            pool_gains=[float(self.gains[doc]) for doc in pool] if self.gains else None,
        )

    def problems(self) -> list[Finding]:
        """Why the case must be refused; empty where it can be measured."""
        problems = [*_repeated(self), *_gain_problems(self), *_mismatches(self)]
        if any(problem.rule == "gain-invalid" for problem in problems):
            return problems  # no convention holds such gains
        return [*problems, *(_impossible_choices(self) or _unknown_measures(self))]


def _repeated(case: RankingCase) -> Iterator[Finding]:
    first: dict[str, int] = {}
    for rank, doc in enumerate(case.ranking, 1):
        if (before := first.setdefault(doc, rank)) != rank:
            message = f"expected each document once, found {doc} at ranks {before} and {rank}; remove one"
            yield finding("repeated-result-id", message)


def _gain_problems(case: RankingCase) -> Iterator[Finding]:
    given = [name for name in ("gain", "gain_map", "gains") if getattr(case, name)]
    if len(given) > 1:
        yield finding("gain-invalid", f"expected one of gain, gain_map and gains, found {' and '.join(given)}")
    if case.gains:
        judged = {doc for doc, grade in case.grades.items() if grade is not None}
        yield from _uneven("judged document", judged, set(case.gains))
    if case.gain_map:
        used = {grade for grade in case.grades.values() if grade}
        yield from _uneven("grade", {str(g) for g in used}, {str(g) for g in case.gain_map} & {str(g) for g in used})
    for what, gains in (("grade", case.gain_map), ("document", case.gains)):
        for key, gain in gains.items():
            if not is_gain(gain):
                yield finding("gain-invalid", f"expected {GAINS} for {what} {key}, found {gain}")


def _uneven(what: str, judged: set[str], given: set[str]) -> Iterator[Finding]:
    for key in sorted(judged - given):
        yield finding("gain-invalid", f"expected a gain for each {what}, found none for {key}")
    for key in sorted(given - judged):
        yield finding("gain-invalid", f"expected gains for judged documents only, found one for {key}")


def _mismatches(case: RankingCase) -> Iterator[Finding]:
    """Labels that belong to something else: by declaration, or by the qualified ids themselves."""
    asked, judged = case.ranking_of or Scope(), case.judgements_of or Scope()
    for name in ("topic", "source", "version"):
        one, other = getattr(asked, name), getattr(judged, name)
        if one and other and one != other:
            yield _mismatch(f"the ranking is of {name} {one}, the judgements are of {name} {other}")
    ranked = [match for doc in case.ranking if (match := _QUALIFIED.fullmatch(doc))]
    labelled = [match for doc in case.grades if (match := _QUALIFIED.fullmatch(doc))]
    for scope, matches, what in ((judged, ranked, "judgements"), (asked, labelled, "ranking")):
        for name in ("source", "version"):
            declared = getattr(scope, name)
            for match in matches:
                if declared and match[name] != declared:
                    yield _mismatch(f"{match[0]} is of {name} {match[name]}, the {what} are of {name} {declared}")
    sources, judged_sources = {m["source"] for m in ranked}, {m["source"] for m in labelled}
    if sources and judged_sources and not sources & judged_sources:
        yield _mismatch(f"the ranking is of source {_names(sources)}, the judgements of {_names(judged_sources)}")
    versions = {(m["source"], m["doc"]): m["version"] for m in labelled}
    for match in ranked:
        other = versions.get((match["source"], match["doc"]))
        if other is not None and match[0] not in case.grades:
            yield _mismatch(f"{match[0]} is ranked, version {other} of it is judged")


def _mismatch(message: str) -> Finding:
    return finding("judgements-mismatched", f"{message}; use the judgements that belong to the ranking")


def _names(names: set[str]) -> str:
    return ", ".join(sorted(names))


def _impossible_choices(case: RankingCase) -> list[Finding]:
    try:
        case.convention  # noqa: B018 - asked for what it raises
    except ValueError as error:
        return [finding("gain-invalid" if str(error).startswith("gain") else "grade-invalid", str(error))]
    return []


def _unknown_measures(case: RankingCase) -> Iterator[Finding]:
    for text in case.measures:
        try:
            highest = max((grade for grade in case.grades.values() if grade is not None), default=0)
            parse_measure(text, case.convention, case.cutoff).settled(highest, case.convention)
        except ValueError as error:
            yield finding("measure-unknown", str(error))
