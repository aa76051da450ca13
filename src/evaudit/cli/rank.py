"""``evaudit rank``: ranked measures of runs against judgements.

Its arguments are read by argparse: a whole small run is measured in less time than typer takes to load.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaudit.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from evaudit.ranking.conventions import Convention
    from evaudit.ranking.resampling import Resampling

DESCRIPTION = (
    "Measure rankings against judgements: every mean with its n, what is undefined and why, what is unjudged, and what "
    "the order within equal scores could change."
)


def run(arguments: Sequence[str]) -> int:
    """The whole command; returns its exit code."""
    import gc

    gc.disable()  # nothing here makes cycles, and looking for them takes a third of the time
    options = _parser().parse_intermixed_args(_joined(arguments))
    from evaudit.cli.failing import asked_command, asked_format
    from evaudit.cli.printing import finish

    if not options.kernel:
        os.environ["EVAUDIT_NO_KERNEL"] = "1"

    output = _path(options.output) if options.output is not None else None
    if options.format is None:
        from evaudit.cli.endings import format_of

        options.format = format_of(output, but=("sarif",)) if output else "table"
    asked_format.set(options.format)
    asked_command.set("rank")
    if options.format == "trec_eval" and (options.convention != "trec_eval" or len(options.runs) > 1):
        raise UsageError("--format trec_eval: prints one run under --convention trec_eval")
    _begin_digests(options)
    from evaudit.audits.ranking import audit_runs
    from evaudit.cli.rank_choices import convention_of

    if options.beside and (options.format == "trec_eval" or not options.summary):
        raise UsageError("--beside: stands in tables of means, and --format trec_eval and -n have none")
    convention = convention_of(options)
    resampling = _resampling(options)
    documents = None
    if options.documents or options.view:
        from evaudit.audits.ranking_documents import DocumentCheck

        if not options.documents:
            raise UsageError("--view: needs --documents, the inventory that the view looks at")
        documents = DocumentCheck(options.documents, options.view, len(options.runs), options.root)
    result = audit_runs(
        options.qrels,
        options.runs,
        options.measures or (),
        convention,
        per_topic=options.per_topic,
        summary=options.summary,
        bounds=options.bounds and options.format != "trec_eval",
        groups_path=options.by,
        documents=documents,
        kernel=options.kernel,
        jobs=options.jobs,
        resampling=resampling,
        beside=options.beside or (),
    )
    if options.format == "trec_eval":
        _refuse_unprintable(options.measures or (), convention)
    shown = {"format": options.format, "fail_on": options.fail_on, "quiet": options.quiet, "color": options.color}
    code = finish(result, output=output, **shown)
    sys.stdout.flush()
    return code


def _begin_digests(options: argparse.Namespace) -> None:
    """Hash large runs on another core while the modules load that read them: on threads, which do not go with forks."""
    from evaudit.formats.mapped_files import begin
    from evaudit.ranking.compiled import loaded

    if options.documents is None and loaded() is not None:
        begin(options.runs)


def _joined(arguments: Sequence[str]) -> list[str]:
    """The arguments, each map joined to its option: one may start with a minus, as an option does."""
    joined: list[str] = []
    for argument in arguments:
        if joined and joined[-1] in ("--grade-map", "--gain-map", "--set"):
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


def _resampling(options: argparse.Namespace) -> Resampling | None:
    """How intervals are to be found, where somebody asked for them."""
    given = {key: value for key in ("seed", "resamples") if (value := getattr(options, key)) is not None}
    if options.interval is None:
        if given:
            raise UsageError(f"--{next(iter(given))}: needs --interval, which it says how to find")
        return None
    if options.format == "trec_eval":
        raise UsageError("--interval: --format trec_eval has no place for it")
    from evaudit.ranking.resampling import Resampling

    try:
        return Resampling(options.interval, **given)
    except ValueError as error:
        raise UsageError(f"--{error}") from None


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


def _path(text: str) -> Path:
    from pathlib import Path

    return Path(text)


def _jobs(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"expected a whole number from 1, found {text!r}")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="evaudit rank",
        formatter_class=lambda prog: argparse.HelpFormatter(prog, max_help_position=34, width=110),
        description=DESCRIPTION,
        allow_abbrev=False,
        add_help=False,
        usage="evaudit rank QRELS RUN [RUN ...] [OPTIONS]",
    )
    add = parser.add_argument
    add("qrels", metavar="QRELS", help="Judgements: topic, iteration, document, grade.")
    add("runs", metavar="RUN", nargs="+", help="Rankings: topic, Q0, document, rank, score, tag. - is standard input.")
    add("-h", "--help", action="help", help="Show this message and exit.")
    add("-m", "--measure", dest="measures", metavar="MEASURE", action="append",
        help="e.g. nDCG@10, MRR@4, P.5,10, all_trec. May be repeated.")  # fmt: skip
    add("-q", "--per-topic", action="store_true", help="Also show every topic.")
    add("-n", "--no-summary", dest="summary", action="store_false", help="Leave out the means over topics.")
    add("--by", metavar="FILE", help="A file of topic and group: means for each group as well.")
    add("--documents", metavar="FILE", help="Inventory of documents: which returned ids exist in it.")
    add("--view", metavar="FILE", help="View of the inventory: which returned documents may be used.")
    add("--bounds", dest="bounds", action="store_true", default=True, help=argparse.SUPPRESS)
    add("--no-bounds", dest="bounds", action="store_false",
        help="Leave out the ranges over unjudged documents and over equal scores.")  # fmt: skip
    add("--beside", metavar="RESULT", action="append",
        help="A JSON result of other runs on the same judgements: its means beside these.")  # fmt: skip
    add("--interval", type=float, metavar="LEVEL", help="Bootstrap interval of each mean over topics, e.g. 0.95.")
    add("--seed", type=int, metavar="N", help="Seed of the bootstrap (default 1).")
    add("--resamples", type=int, metavar="N", help="Resamples of the bootstrap (default 10000).")
    from evaudit.cli.rank_choices import add_choices

    add_choices(parser)
    out = parser.add_argument_group("output")
    add = out.add_argument
    add("--format", choices=("table", "json", "jsonl", "csv", "markdown", "trec_eval"),
        help="How to print the result (default table).")  # fmt: skip
    add("-o", "--output", metavar="FILE",
        help="Write the result to FILE, whole or not at all; without --format as the ending says.")  # fmt: skip
    add("--fail-on", action="append", choices=("warning", "incomplete", "refused", "undefined"),
        help="End with 1 also on these answers. May be repeated.")  # fmt: skip
    add("--quiet", action="store_true", help="No notes or progress on stderr.")
    add("--color", default="auto", choices=("auto", "always", "never"), help="Colours in the table.")
    add(
        "--root",
        type=_path,
        metavar="DIR",
        help="Project root; default: the nearest folder above with pyproject.toml or .git.",
    )
    add("--jobs", type=_jobs, default=2, metavar="N", help="Parts of a large run that are read at once (default 2).")
    add(
        "--no-kernel",
        dest="kernel",
        action="store_false",
        help="Read without the compiled scanner; the figures are the same.",
    )
    return parser
