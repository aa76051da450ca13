"""Means of stored results beside those of the runs at hand: only over the same judgements, by the same convention."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from evaudit.audits.ranking_inputs import labels_of
from evaudit.errors import InvalidDocumentError
from evaudit.figures import Mean
from evaudit.findings import Finding, Where, finding
from evaudit.formats.stored_results import StoredResult
from evaudit.results import Result

_NO_CHOICES = frozenset({"changed", "digest"})


def put_beside(result: Result, stored: Sequence[StoredResult], topics: Set[str]) -> Result:
    """``result`` with the means of stored results behind its own, each run under its label.

    Args:
        topics: the judged topics of the first run of ``result``.

    Raises:
        InvalidDocumentError: a stored result was worked out from other judgements or by another convention.
    """
    problems = [problem for one in stored for problem in _differences(result, one)]
    if problems:
        raise InvalidDocumentError(problems)
    means, findings, notes = list(result.means), list(result.findings), list(result.notes)
    rows: list[dict[str, object]] = []
    asked = {_plain(mean): mean for mean in result.means if "group" not in mean.params}
    files = labels_of([one.input.path for one in stored])
    for one, file in zip(stored, files, strict=True):
        for run, other in _runs(one):
            label = f"{file}:{labels_of([str(run['run'])])[0]}"
            own = {_plain(mean): mean for mean in one.means if _is_of(mean, run)}
            if one.data.get("interval") != result.details.get("interval"):
                own = {key: replace(mean, interval=None) for key, mean in own.items()}
            means += [_labelled(own[key], label) for key in asked if key in own]
            absent = [_labelled(mean, None).name for key, mean in asked.items() if key not in own]
            if absent:
                notes.append(f"{label} was stored without {', '.join(absent)}")
            rows.append({"result": one.input.path, "run": run["run"], "label": label, "rows": run["rows"]})
            if isinstance(other, int):
                if other != len(topics):
                    findings.append(_other_topics(one, f"{other} judged topics, not {len(topics)}"))
                elif other != len(_judged(result)):
                    notes.append(f"{label} has as many judged topics; stored without -q it does not tell which")
            elif other != topics:
                difference = f"{len(other - topics)} judged topics only here, {len(topics - other)} only there"
                findings.append(_other_topics(one, difference))
    return replace(
        result,
        means=means,
        findings=findings,
        notes=notes,
        inputs=[*result.inputs, *(one.input for one in stored)],
        details={**result.details, "beside": rows},
    )


def _runs(stored: StoredResult) -> list[tuple[Mapping[str, Any], set[str] | int]]:
    """The runs of a stored result, each with its judged topics, or how many they are where they are not named."""
    try:
        runs = [(run, _topics_of(stored, run)) for run in stored.data["runs"]]
        assert all({"run", "label", "rows"} <= run.keys() for run, _ in runs)
    except (KeyError, TypeError, ValueError, AttributeError, AssertionError):
        message = "expected the runs as they were written, found other ones; store the result again"
        raise InvalidDocumentError([finding("result-invalid", message, where=Where(stored.input.path))]) from None
    return runs


def _differences(result: Result, stored: StoredResult) -> Iterator[Finding]:
    where = Where(stored.input.path)
    ours, theirs = _digest_of_qrels(result.details, result), _digest_of_qrels(stored.data, stored)
    if ours != theirs:
        found = "none" if theirs is None else f"{theirs[:8]}…"
        message = f"expected judgements of sha256 {(ours or 'none')[:8]}…, found {found}; measure both with one file"
        yield finding("result-not-comparable", message, where=where)
    convention = stored.data.get("convention")
    chosen: Mapping[str, Any] = convention if isinstance(convention, Mapping) else {}
    if chosen.get("digest") != result.convention["digest"]:
        names = [n for n in result.convention if n not in _NO_CHOICES and chosen.get(n) != _json(result.convention[n])]
        told = ", ".join(f"{name} {chosen.get(name)}, here {result.convention[name]}" for name in names)
        message = f"expected the same convention, found {told or 'another one'}; measure both by one"
        yield finding("result-not-comparable", message, where=where)


def _json(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _digest_of_qrels(details: Mapping[str, Any], holder: Result | StoredResult) -> str | None:
    qrels = details.get("qrels")
    path = qrels.get("path") if isinstance(qrels, Mapping) else None
    return next((one.sha256 for one in holder.inputs if one.path == path), None)


def _plain(mean: Mean) -> tuple[str, tuple[tuple[str, object], ...]]:
    return mean.measure, tuple(sorted((key, str(value)) for key, value in mean.params.items() if key != "run"))


def _is_of(mean: Mean, run: Mapping[str, Any]) -> bool:
    return "group" not in mean.params and mean.params.get("run") == run["label"]


def _labelled(mean: Mean, label: str | None) -> Mean:
    params = {key: value for key, value in mean.params.items() if key != "run"}
    return replace(mean, params=params if label is None else {"run": label, **params}, name="")


def _topics_of(stored: StoredResult, run: Mapping[str, Any]) -> set[str] | int:
    rows = [row for row in stored.data.get("topics") or () if row["run"] == run["run"]]
    if rows:
        return {str(row["topic"]) for row in rows if row["status"] not in ("missing-in-run", "not-in-qrels")}
    return int(run["topics"]["in-run"]) - int(run["topics"]["not-in-qrels"])


def _judged(result: Result) -> range:
    runs = result.details["runs"]
    assert isinstance(runs, list)
    return range(runs[0]["topics"]["in-qrels"])


def _other_topics(stored: StoredResult, difference: str) -> Finding:
    message = f"not the judged topics of the first run: {difference}; the means do not run over the same rankings"
    return finding("topic-sets-differ", message, where=Where(stored.input.path))
