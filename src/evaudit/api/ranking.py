"""``evaudit.rank``: a ranking against judgements, from files, frames and mappings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

from evaudit.api.answers import Audit
from evaudit.api.arguments import Frame
from evaudit.errors import UsageError

if TYPE_CHECKING:
    from evaudit.ranking.conventions import Convention

Judgements = str | Path | Mapping[str, Mapping[str, int]] | Frame
"""A file, grades by topic and document, or a frame."""

Ranking = str | Path | Sequence[str | Path] | Mapping[str, Mapping[str, float] | Sequence[str]] | Frame
"""A file or several, scores or an order of documents by topic, or a frame."""


def rank(
    qrels: Judgements,
    run: Ranking,
    measures: Sequence[str] | str = (),
    convention: str | Convention = "book",
    *,
    per_topic: bool = True,
    bounds: bool = True,
    by: Mapping[str, str] | None = None,
    interval: float | None = None,
    seed: int = 1,
    resamples: int = 10_000,
    **choices: object,
) -> Audit:
    """Measure a ranking against judgements, as ``evaudit rank`` does.

    Args:
        qrels: a file; ``{topic: {document: grade}}``; or a frame with the columns topic, document, grade.
        run: a file, or a list of files; ``{topic: {document: score}}`` or ``{topic: [document, ...]}``, best first; or
            a frame with the columns topic, document and rank or score.
        measures: names such as ``AP@1000`` and ``nDCG@10``; by default those of the command.
        convention: ``book`` or ``trec_eval``, or a Convention.
        per_topic, bounds: whether single topics, and the ranges over what is not known, are worked out.
        by: group by topic; means are then given for each group as well.
        interval: the level, e.g. 0.95, of a bootstrap interval of each mean over topics; by default there is none.
        seed, resamples: of the bootstrap.
        choices: any choice of the convention, e.g. ``missing_topics="skip"``.

    Raises:
        UsageError: a measure, convention or choice that does not exist.
        InvalidDocumentError, UnreadableInputError: a file or frame is refused, or missing.
    """
    from evaudit.ranking.conventions import CONVENTIONS
    from evaudit.ranking.resampling import Resampling

    if isinstance(convention, str) and convention not in CONVENTIONS:
        raise UsageError(f"convention {convention!r}: not offered; conventions: {', '.join(CONVENTIONS)}")
    chosen = CONVENTIONS[convention] if isinstance(convention, str) else convention
    try:
        chosen = chosen.choose(**choices)
        resampling = None if interval is None else Resampling(interval, seed, resamples)
    except (TypeError, ValueError) as error:
        raise UsageError(str(error)) from None
    names = [measures] if isinstance(measures, str) else list(measures)
    runs = [str(one) for one in run] if _paths(run) else None
    if runs is None and isinstance(run, str | Path):
        runs = [str(run)]
    if runs is not None and isinstance(qrels, str | Path) and by is None:
        from evaudit.audits.ranking import audit_runs

        return Audit(
            audit_runs(str(qrels), runs, names, chosen, per_topic=per_topic, bounds=bounds, resampling=resampling)
        )
    if runs is not None and len(runs) > 1:
        raise UsageError("several runs: name them and the qrels as files")
    from evaudit.audits.ranking_frames import audit_frames

    one = runs[0] if runs else run
    return Audit(
        audit_frames(qrels, one, names, chosen, per_topic=per_topic, bounds=bounds, groups=by, resampling=resampling)
    )


def _paths(run: object) -> TypeGuard[Sequence[str | Path]]:
    return isinstance(run, list | tuple) and bool(run) and all(isinstance(one, str | Path) for one in run)
