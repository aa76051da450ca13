"""FEVER's own files: gold claims with their evidence sets, predictions paired with them by line, as columns.

Each set is an accepted bundle, each (page, sentence) a component, whatever number of sets it stands in; sentence n is
the interval ``[n, n + 1)`` in the space ``sentence``. Source: sheffieldnlp/fever-scorer, its files and its scorer.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from evaudit.findings import Finding
from evaudit.formats.fever_lines import objects_of
from evaudit.formats.refusals import Refusals
from evaudit.formats.stored_bytes import read_stored
from evaudit.formats.text_bytes import without_bom
from evaudit.results import InputFile

if TYPE_CHECKING:
    from evaudit.formats.foreign import Foreign, Request
    from evaudit.formats.id_meeting import Meeting

NOT_ENOUGH_INFO = "NOT ENOUGH INFO"
LABELS = ("SUPPORTS", "REFUTES", NOT_ENOUGH_INFO)
NO_LINE = -1
"""Stands for "no line": beside no page it is a null sentence, beside a page one more place that matches only itself."""
LAST_LINE = 2**63 - 2
"""The largest line whose end is a whole number of 64 bits too."""

Sentence = tuple[str | None, int | None]
T = TypeVar("T")


class FeverClaim(NamedTuple):
    """A gold line: ``sets`` as written, a sentence that is null or -1 has None for page and line."""

    line: int
    id: str | None
    label: str
    sets: tuple[tuple[Sentence, ...], ...]

    @property
    def requires(self) -> bool:
        """Whether any evidence is required: not for NOT ENOUGH INFO, nor where every sentence is null."""
        return self.label.upper() != NOT_ENOUGH_INFO and (
            any(not members for members in self.sets) or any(s[0] is not None for members in self.sets for s in members)
        )


class FeverPrediction(NamedTuple):
    """A prediction line: ``evidence`` in the order given, repeated sentences kept."""

    line: int
    id: str | None
    label: str
    evidence: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class FeverPairs:
    """Claims and what was predicted for them (None where nothing was), with the need id of each.

    ``withheld`` are the places of claims whose prediction may stand there under another id.
    """

    needs: tuple[str, ...]
    claims: tuple[FeverClaim, ...]
    predictions: tuple[FeverPrediction | None, ...]
    findings: tuple[Finding, ...]
    withheld: tuple[int, ...] = ()


def read_gold(path: Path, shown: str) -> tuple[list[FeverClaim], InputFile, list[str]]:
    """Read the gold file, in the scorer's nested form or the flat one (a row a sentence); last, what was left out.

    Raises:
        UnreadableInputError: missing. InvalidDocumentError: a line is malformed; every problem up to 20 with its line.
    """
    stored = read_stored(path, shown)
    raw, notes = without_bom(stored.raw, shown)
    refusals = Refusals(shown)
    rows = objects_of(raw, refusals)
    first = next(rows, None)
    if first is None:
        number, claims = 0, []
    elif "evidence_wiki_url" in first[1]:
        sentences = [first, *rows]
        number, claims = len(sentences), _flat(sentences, refusals)
    else:
        claims = _parsed(chain([first], rows), refusals, _claim)
        number = len(claims)
    refusals.raise_if_any()
    return claims, dataclasses.replace(stored.input, rows=number), notes


def read(request: Request) -> Foreign:
    """The claims alone in the form of every foreign format, for who looks at their anchors; errors as ``read_gold``."""
    from evaudit.formats.foreign import Foreign, ForeignNeed, item
    from evaudit.formats.id_meeting import need_names

    claims, record, notes = read_gold(request.gold, str(request.gold))
    names = need_names([claim.id or "" for claim in claims], [claim.line for claim in claims])
    needs = [
        ForeignNeed(
            name, claim.line,
            [[item(page or "null", NO_LINE if line is None else line, "sentence") for page, line in members]
             for members in (claim.sets if claim.requires else ())],
        )
        for name, claim in zip(names, claims, strict=True)
    ]  # fmt: skip
    return Foreign(needs, [record], notes=notes, answered=False)


def read_predictions(path: Path, shown: str) -> tuple[list[FeverPrediction], InputFile, list[str]]:
    """Read the predictions; errors as ``read_gold``."""
    stored = read_stored(path, shown)
    raw, notes = without_bom(stored.raw, shown)
    refusals = Refusals(shown)
    predictions = _parsed(objects_of(raw, refusals), refusals, _prediction)
    refusals.raise_if_any()
    return predictions, dataclasses.replace(stored.input, rows=len(predictions)), notes


def _parsed(
    rows: Iterable[tuple[int, dict[str, Any]]], refusals: Refusals, build: Callable[[int, dict[str, Any]], T]
) -> list[T]:
    found: list[T] = []
    for line, row in rows:
        try:
            found.append(build(line, row))
        except _MalformedError as error:
            refusals.add("table-row-unreadable", f"{error}", line)
    return found


class _MalformedError(ValueError):
    pass


def _claim(line: int, row: dict[str, Any]) -> FeverClaim:
    evidence = row.get("evidence")
    if not isinstance(evidence, list):
        raise _MalformedError("expected a list of evidence sets under 'evidence'; every gold line needs one")
    label = _label(row, "label")
    sets = []
    for members in evidence:
        if not isinstance(members, list):
            raise _MalformedError("expected each evidence set to be a list of [annotation, evidence, page, line]")
        if label.upper() == NOT_ENOUGH_INFO and _is_annotation(members):
            members = [members]  # a sentence in place of a set, as in CFEVER; no figure looks at it
        found: list[Sentence] = []
        for member in members:
            if type(member) is not list or len(member) != 4:
                what = "expected [annotation, evidence, page, line]"
                if _is_annotation(members):
                    what = "expected a list of sentences in each evidence set; put this one into a list of its own"
                    member = members
                raise _MalformedError(f"{what}, found {json.dumps(member)[:80]}")
            _, _, page, number = member
            # The test of _is_sentence, written out: a call for each of so many sentences is felt.
            if type(page) is str and page and type(number) is int and NO_LINE <= number <= LAST_LINE:
                found.append((page, number))
            else:
                found.append(_sentence(page, number))
        sets.append(tuple(found))
    return FeverClaim(line, _id(row), label, tuple(sets))


def _is_annotation(members: list[Any]) -> bool:
    """Whether an evidence set is written as a single sentence: annotation, evidence, page, line."""
    return len(members) == 4 and not any(isinstance(member, list) for member in members)


def _sentence(page: object, line: object) -> Sentence:
    if page in (None, "", NO_LINE) and line in (None, NO_LINE):
        return None, None
    if isinstance(page, str) and page and line is None:
        return None, None
    if not _is_sentence(page, line):
        raise _MalformedError(f"expected {_SENTENCE}, found {json.dumps([page, line])[:80]}")
    return page, line  # type: ignore[return-value]  # _is_sentence has looked at both


_SENTENCE = "a page (text that is not empty) and a line (a whole number of 64 bits, from 0, or -1 for none)"


def _is_sentence(page: object, line: object) -> bool:
    # ``type`` and not ``isinstance``: true and false are no line numbers.
    return type(page) is str and page != "" and type(line) is int and NO_LINE <= line <= LAST_LINE


def _prediction(line: int, row: dict[str, Any]) -> FeverPrediction:
    evidence = row.get("predicted_evidence")
    if not isinstance(evidence, list):
        raise _MalformedError("expected a list under 'predicted_evidence'; write [] where nothing was predicted")
    try:
        pieces = [
            (page, number) for page, number in evidence
            if type(page) is str and page and type(number) is int and NO_LINE <= number <= LAST_LINE  # _is_sentence
        ]  # fmt: skip
    except (TypeError, ValueError):  # not two values
        pieces = []
    if len(pieces) < len(evidence):
        wrong = next(m for m in evidence if type(m) is not list or len(m) != 2 or not _is_sentence(m[0], m[1]))
        raise _MalformedError(f"expected [page, line]: {_SENTENCE}, found {json.dumps(wrong)[:80]}")
    return FeverPrediction(line, _id(row), _label(row, "predicted_label"), tuple(pieces))


def _label(row: dict[str, Any], key: str) -> str:
    label = row.get(key)
    if not isinstance(label, str) or label.upper() not in LABELS:
        # A label that nobody knows would count as wrong without a word.
        raise _MalformedError(f"expected one of {', '.join(LABELS)} under {key!r}, found {json.dumps(label)[:80]}")
    return label


def _id(row: dict[str, Any]) -> str | None:
    found = row.get("id")
    if type(found) is int:
        return str(found)
    if found is None:
        return None
    if isinstance(found, bool) or not isinstance(found, str | int) or found == "":
        raise _MalformedError(f"expected text or a whole number under 'id', found {json.dumps(found)[:80]}")
    return str(found)


def _flat(rows: Sequence[tuple[int, dict[str, Any]]], refusals: Refusals) -> list[FeverClaim]:
    """One row a sentence, as on the Hugging Face hub: rows of one id are a claim, its sets share evidence_id."""
    grouped: dict[str, tuple[int, str, dict[object, list[Sentence]]]] = {}
    for line, row in rows:
        try:
            claim = _id(row)
            if claim is None:
                raise _MalformedError("expected an 'id'; rows of one claim are told by it")
            _, label, sets = grouped.setdefault(claim, (line, _label(row, "label"), {}))
            if label != row["label"]:
                raise _MalformedError(
                    f"expected the label {label!r} of the other rows of {claim}, found {row['label']!r}"
                )
            sentence = _sentence(row.get("evidence_wiki_url"), row.get("evidence_sentence_id"))
            among = row.get("evidence_id")
            if isinstance(among, bool) or not isinstance(among, str | int | None):
                what = "expected text or a whole number under 'evidence_id'"
                raise _MalformedError(f"{what}, found {json.dumps(among)[:80]}")
            sets.setdefault(among, []).append(sentence)
        except _MalformedError as error:
            refusals.add("table-row-unreadable", f"{error}", line)
    return [
        FeverClaim(line, claim, label, tuple(tuple(members) for members in sets.values()))
        for claim, (line, label, sets) in grouped.items()
    ]


def pair(
    gold: Sequence[FeverClaim],
    predictions: Sequence[FeverPrediction] | None,
    by: Literal["line", "id"],
    shown: tuple[str, str],
) -> FeverPairs:
    """Pair claims with predictions: by position, as the scorer does, or by id. Without predictions none has any.

    Need ids are the gold ids where these are unique, else ``line:N``. ``shown`` are the two paths as people see them.

    Raises:
        InvalidDocumentError: by position, the files differ in length; by id, ids repeat or are missing.
    """
    ids = [claim.id for claim in gold]
    unique = None not in ids and len(set(ids)) == len(ids)
    needs = tuple(str(i) for i in ids) if unique else tuple(f"line:{claim.line}" for claim in gold)
    if predictions is None:
        return FeverPairs(needs, tuple(gold), (None,) * len(gold), ())
    if by == "id":
        paired, met = _pair_by_id(gold, predictions, shown)
    else:
        paired, met = list(predictions), _pair_by_line(gold, predictions, shown, repeats=not unique)
    return FeverPairs(needs, tuple(gold), tuple(paired), tuple(met.findings), tuple(met.withheld))


def _pair_by_line(
    gold: Sequence[FeverClaim], predictions: Sequence[FeverPrediction], shown: tuple[str, str], *, repeats: bool
) -> Meeting:
    """By position, as the scorer does; ids that disagree are told, and withhold where the files share none."""
    from evaudit.formats.id_meeting import Meeting, beside, same_length

    same_length([c.line for c in gold], [p.line for p in predictions], shown, " (or use --pair id)")
    ids = [p.id for p in predictions]
    if not repeats and None not in ids and len(set(ids)) == len(ids):
        return beside([str(c.id) for c in gold], [str(one) for one in ids], shown, "warning")
    met = Meeting()
    differ = sum(c.id != one for c, one in zip(gold, ids, strict=True))
    if differ or repeats:
        again = len(gold) - len({claim.id for claim in gold})
        message = (
            f"lines were paired by position, as FEVER's scorer does; {differ} of {len(gold)} pairs carry different ids"
        )
        if repeats:
            message += f", and {again} gold ids repeat an earlier one, so needs are named line:N"
        met.tell("ids-do-not-pair", shown[0], message)
    return met


def _pair_by_id(
    gold: Sequence[FeverClaim], predictions: Sequence[FeverPrediction], shown: tuple[str, str]
) -> tuple[list[FeverPrediction | None], Meeting]:
    from evaudit.formats.id_meeting import meet, refuse_repeated

    lists: list[tuple[Sequence[FeverClaim | FeverPrediction], str]] = [(gold, shown[0]), (predictions, shown[1])]
    for rows, path in lists:
        refusals = Refusals(path)
        for row in rows:
            if row.id is None:
                refusals.add("table-row-unreadable", "expected an 'id' to pair by", row.line)
        refuse_repeated(refusals, [(row.id, row.line) for row in rows if row.id is not None])
    by_id = {p.id: p for p in predictions}
    met = meet([str(claim.id) for claim in gold], [(str(p.id), p.line) for p in predictions], shown)
    return [by_id.get(claim.id) for claim in gold], met
