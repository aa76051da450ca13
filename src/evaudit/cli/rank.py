"""``evaudit rank``: ranked measures of runs against judgements."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evaudit.cli import rank_choices as choices
from evaudit.cli.output import (
    ColorOption,
    FailOnOption,
    MaxExpansionOption,
    OutputOption,
    QuietOption,
    RankFormatOption,
    RootOption,
    emit,
)
from evaudit.cycles import no_search_for_cycles
from evaudit.errors import UsageError

if TYPE_CHECKING:
    from evaudit.audits.ranking_documents import DocumentCheck
    from evaudit.ranking.conventions import Convention
    from evaudit.ranking.resampling import Resampling
    from evaudit.results import Result


def rank(
    qrels: Annotated[str, typer.Argument(metavar="QRELS", help="Judgements: topic, iteration, document, grade.")],
    runs: Annotated[
        list[str],
        typer.Argument(metavar="RUN", help="Rankings: topic, Q0, document, rank, score, tag. - is standard input."),
    ],
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "-m", "--measure", metavar="MEASURE", help="e.g. nDCG@10, MRR@4, P.5,10, all_trec. May be repeated."
        ),
    ] = None,
    per_topic: Annotated[bool, typer.Option("-q", "--per-topic", help="Also show every topic.")] = False,
    no_summary: Annotated[bool, typer.Option("-n", "--no-summary", help="Leave out the means over topics.")] = False,
    by: Annotated[
        str | None, typer.Option(metavar="FILE", help="A file of topic and group: means for each group as well.")
    ] = None,
    documents: Annotated[
        str | None, typer.Option(metavar="FILE", help="Inventory of documents: which returned ids exist in it.")
    ] = None,
    view: Annotated[
        str | None, typer.Option(metavar="FILE", help="View of the inventory: which returned documents may be used.")
    ] = None,
    bounds: Annotated[
        bool, typer.Option(help="The ranges over unjudged documents and over equal scores.", show_default=False)
    ] = True,
    beside: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RESULT", help="A JSON result of other runs on the same judgements: its means beside these."
        ),
    ] = None,
    interval: Annotated[
        float | None, typer.Option(metavar="LEVEL", help="Bootstrap interval of each mean over topics, e.g. 0.95.")
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Seed of the bootstrap (default 1).")] = None,
    resamples: Annotated[
        int | None, typer.Option(metavar="N", help="Resamples of the bootstrap (default 10000).")
    ] = None,
    convention: choices.ConventionOption = "book",
    complete: choices.CompleteOption = False,
    relevance_level: choices.RelevanceLevelOption = None,
    judged_only: choices.JudgedOnlyOption = False,
    depth: choices.DepthOption = None,
    collection_size: choices.CollectionSizeOption = None,
    order: choices.OrderOption = None,
    ties: choices.TiesOption = None,
    score_precision: choices.ScorePrecisionOption = None,
    missing_topics: choices.MissingTopicsOption = None,
    undefined: choices.UndefinedOption = None,
    unjudged: choices.UnjudgedOption = None,
    gain: choices.GainOption = None,
    ideal: choices.IdealOption = None,
    precision_denominator: choices.PrecisionDenominatorOption = None,
    gain_map: choices.GainMapOption = None,
    grade_map: choices.GradeMapOption = None,
    set_: choices.SetOption = None,
    max_expansion: MaxExpansionOption = None,
    format: RankFormatOption = "table",
    output: OutputOption = None,
    fail_on: FailOnOption = None,
    quiet: QuietOption = False,
    color: ColorOption = "auto",
    root: RootOption = None,
    jobs: Annotated[int, typer.Option(metavar="N", min=1, help="Parts of a large run that are read at once.")] = 2,
    kernel: Annotated[
        bool, typer.Option("--kernel/--no-kernel", help="The compiled scanner; the figures are the same without it.")
    ] = True,
) -> None:
    """Measure rankings against judgements.

    Every mean with its n, what is undefined and why, what is unjudged, and what the order within equal scores could
    change.
    """
    chosen = choices.convention_of(
        convention,
        choices.Asked(
            named={
                "order": order, "ties": ties, "score_precision": score_precision, "missing_topics": missing_topics,
                "undefined": undefined, "unjudged": unjudged, "gain": gain, "ideal": ideal,
                "precision_denominator": precision_denominator,
            },
            numbers={"relevance_level": relevance_level, "depth": depth, "collection_size": collection_size},
            complete=complete, judged_only=judged_only, gain_map=gain_map, grade_map=grade_map, by_name=set_ or (),
        ),
    )  # fmt: skip
    resampling = _resampling(interval, {"seed": seed, "resamples": resamples})
    for_trec_eval = format == "trec_eval"
    if for_trec_eval:
        has = {"--beside": bool(beside), "--interval": resampling is not None}
        _refuse_for_trec_eval(convention, runs, [name for name, given in has.items() if given])
    elif beside and no_summary:
        raise UsageError("--beside: -n leaves out the means that it puts beside others")
    if kernel and documents is None:
        _begin_digests(runs)
    with no_search_for_cycles():
        from evaudit.audits.ranking import audit_runs

        result: Result = audit_runs(
            qrels,
            runs,
            measure or (),
            chosen,
            per_topic=per_topic,
            summary=not no_summary,
            bounds=bounds and not for_trec_eval,
            groups_path=by,
            documents=_document_check(documents, view, len(runs), root),
            kernel=kernel,
            jobs=jobs,
            resampling=resampling,
            beside=beside or (),
        )
        if for_trec_eval:
            _refuse_unprintable(measure or (), chosen)
        emit(result, format=format, output=output, fail_on=fail_on, quiet=quiet, color=color)


def _document_check(documents: str | None, view: str | None, runs: int, root: Path | None) -> DocumentCheck | None:
    if documents is None:
        if view is not None:
            raise UsageError("--view: needs --documents, the inventory that the view looks at")
        return None
    from evaudit.audits.ranking_documents import DocumentCheck

    return DocumentCheck(documents, view, runs, root)


def _begin_digests(runs: Sequence[str]) -> None:
    """Hash large runs on another core while the modules load that read them: on threads, which do not go with forks."""
    from evaudit.formats.mapped_files import begin
    from evaudit.ranking.compiled import loaded

    if loaded() is not None:
        begin(runs)


def _resampling(level: float | None, asked: dict[str, int | None]) -> Resampling | None:
    """How intervals are to be found, where somebody asked for them."""
    given = {key: value for key, value in asked.items() if value is not None}
    if level is None:
        if given:
            raise UsageError(f"--{next(iter(given))}: needs --interval, which it says how to find")
        return None
    from evaudit.ranking.resampling import Resampling

    try:
        return Resampling(level, **given)
    except ValueError as error:
        raise UsageError(f"--{error}") from None


def _refuse_for_trec_eval(convention: str, runs: Sequence[str], without_a_place: Sequence[str]) -> None:
    if convention != "trec_eval" or len(runs) > 1:
        raise UsageError("--format trec_eval: prints one run under --convention trec_eval")
    if without_a_place:
        raise UsageError(f"{without_a_place[0]}: --format trec_eval has no place for it")


def _refuse_unprintable(names: Sequence[str], convention: Convention) -> None:
    """Measures that trec_eval does not have, or that it drops because another of the same name stands before them."""
    from evaudit.audits.ranking import asked_measures
    from evaudit.ranking.trec_names import NICKNAMES, trec_name

    first: dict[int, str] = {}
    for text in names:
        for one in asked_measures([text], convention):
            named = trec_name(one)
            if named is None:
                raise UsageError(f"--format trec_eval: trec_eval has no measure such as {one.name}")
            if text not in NICKNAMES and (before := first.setdefault(named[0], text)) != text:
                raise UsageError(f"-m {text}: trec_eval drops it without a word after -m {before}; name them together")
