"""From Python: the audits as functions that take files or data frames, and one object that holds their answer.

    import evaudit
    audit = evaudit.decide(frame, "cohort.yaml")
    audit["recall(endpoint=promoted, over=cohort)"]        # a Figure: num, den, value, bounds, undefined
    audit.to_arrow()                                       # every figure as a table
    print(audit)                                           # the report of the command line

A frame is anything that hands out Arrow data (pandas, polars, duckdb, pyarrow), a mapping of columns, or a list of
mappings. Nothing is printed, and nothing but a finding is wrong: an audit with findings is an answer, not an exception.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from evaudit.errors import UsageError
from evaudit.figures import Figure, Mean
from evaudit.findings import Finding
from evaudit.results import InputFile, Result

if TYPE_CHECKING:
    import pyarrow as pa

    from evaudit.decisions.cohort import Cohort
    from evaudit.ranking.conventions import Convention


class Figures(Mapping[str, Figure]):
    """Figures by printed name; of one need or group ``NAME[need=ID]``. In print order."""

    def __init__(self, figures: Sequence[Figure]) -> None:
        self._by_name = {f.name + (f"[need={f.need}]" if f.need is not None else ""): f for f in figures}

    def __getitem__(self, name: str) -> Figure:
        try:
            return self._by_name[name]
        except KeyError:
            from difflib import get_close_matches

            near = get_close_matches(name, self._by_name, n=3)
            hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
            raise KeyError(f"there is no figure {name!r}{hint}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def __repr__(self) -> str:
        return f"<{len(self)} figures: {', '.join(list(self)[:3])}{', …' if len(self) > 3 else ''}>"


class Audit:
    """The answer of an audit.

    Attributes:
        result: the Result that every report is made of.
    """

    def __init__(self, result: Result) -> None:
        self.result = result
        self._figures: Figures | None = None

    @property
    def figures(self) -> Figures:
        """Every figure by its printed name."""
        if self._figures is None:
            self._figures = Figures(list(self.result.iter_figures()))
        return self._figures

    @property
    def means(self) -> dict[str, Mean]:
        """Every mean by its printed name."""
        return {mean.name: mean for mean in self.result.means}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong, in order; an error withholds figures."""
        return tuple(self.result.findings)

    @property
    def inputs(self) -> tuple[InputFile, ...]:
        """The files that were read, each with its digest; a frame is none."""
        return tuple(self.result.inputs)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences to be read beside the figures."""
        return tuple(self.result.notes)

    @property
    def details(self) -> Mapping[str, object]:
        """Further facts, as top-level keys of the JSON result."""
        return self.result.details

    @property
    def exit_code(self) -> int:
        """What the command would end with: 1 where a finding is an error, else 0."""
        own = self.result.details.get("exit", 0)
        return own if isinstance(own, int) and own else int(any(f.severity == "error" for f in self.findings))

    def __getitem__(self, name: str) -> Figure:
        return self.figures[name]

    def to_json(self) -> str:
        """The JSON result, byte for byte what the command prints."""
        from evaudit.reports.json import render

        return render(self.result, self.exit_code)

    def to_arrow(self) -> pa.Table:
        """The figures as an Arrow table, one a row.

        Columns: measure, name, need, num, den, value, undefined (text or null), note; and for every kind of range
        ``KIND_low`` and ``KIND_high``, and for intervals ``interval_low``, ``interval_high``, ``interval_method``.
        """
        import pyarrow as pa

        figures = list(self.figures.values())
        columns: dict[str, Any] = {
            name: pa.array([getattr(f, name) for f in figures], kind)
            for name, kind in (
                ("measure", pa.string()), ("name", pa.string()), ("need", pa.string()), ("num", pa.int64()),
                ("den", pa.int64()), ("value", pa.float64()), ("undefined", pa.string()), ("note", pa.string()),
            )
        }  # fmt: skip
        for kind in dict.fromkeys(key for f in figures for key in f.bounds):
            for end in ("low", "high"):
                values = [_number(getattr(f.bounds[kind], end)) if kind in f.bounds else None for f in figures]
                columns[f"{kind}_{end}"] = pa.array(values, pa.float64())
        if any(f.interval for f in figures):
            for end in ("low", "high"):
                values = [getattr(f.interval, end) if f.interval else None for f in figures]
                columns[f"interval_{end}"] = pa.array(values, pa.float64())
            methods = [f.interval.method if f.interval else None for f in figures]
            columns["interval_method"] = pa.array(methods, pa.string())
        return pa.table(columns)

    def __str__(self) -> str:
        """The report of the command line, without colours."""
        from evaudit.reports import render
        from evaudit.reports.layout import Style

        return render(self.result, "table", self.exit_code, Style(color=False, width=120)).rstrip("\n")

    def __repr__(self) -> str:
        """The report: what a notebook or a prompt shows."""
        return str(self)


def _number(amount: object) -> float | None:
    if isinstance(amount, tuple):
        return amount[0] / amount[1] if amount[1] else None
    return float(amount) if isinstance(amount, int | float) else None


def decide(
    data: object,
    spec: str | Path | Mapping[str, Any] | Cohort | None = None,
    *,
    endpoints: Mapping[str, Sequence[str]] | None = None,
    undecided: Sequence[str] | None = None,
    positive: Sequence[str] | str = (),
    negative: Sequence[str] | str = (),
    by: Sequence[str] | str = (),
    wrong_labels: int | None = None,
    target_recall: str | Decimal | None = None,
    root: str | Path | None = None,
) -> Audit:
    """Account for the decisions of a cohort, as ``evaudit decisions`` does.

    Args:
        data: a cohort file (``.yaml``); or a ledger: a path, or a frame with the columns candidate_id, state, label
            (or those that ``spec`` names).
        spec: what the cohort declares: a cohort file, the same as a mapping, or a Cohort. ``data`` takes the place of
            its ``source``; label file, stages and roster are read beside a cohort file, else in the current folder.
        endpoints, undecided, positive, negative: instead of ``spec``, as the options of the command.
        by, wrong_labels, target_recall: as the options of the command; they add to a ``spec``.
        root: the root of the project; default: the nearest folder above with pyproject.toml or .git.

    Raises:
        UsageError: neither ``spec`` nor ``endpoints``, ``undecided`` and ``positive``; or a frame that is none.
        InvalidDocumentError, UnreadableInputError: a document or a file is refused or missing.
    """
    changes: dict[str, Any] = {"by": _listed(by), "wrong_labels": wrong_labels, "target_recall": target_recall}
    changes = {name: value for name, value in changes.items() if value not in (None, [])}
    path = Path(data) if isinstance(data, str | Path) else None
    if spec is None and path is not None and path.suffix.lower() in (".yaml", ".yml"):
        return Audit(_declared(path, None, changes, root))
    if spec is not None:
        return Audit(_declared(spec, data, changes, root))
    if endpoints is None or undecided is None or not positive:
        raise UsageError("say what the ledger means: a spec, or endpoints, undecided and positive")
    from evaudit.audits.decisions import ShortForm, audit_short
    from evaudit.audits.short_form import recall_of

    target = None if target_recall is None else recall_of(str(target_recall), "target_recall")
    short = ShortForm(
        endpoints, undecided, _listed(positive), _listed(negative),
        by=_listed(by), wrong_labels=wrong_labels, target_recall=target,
    )  # fmt: skip
    if path is not None:
        return Audit(audit_short(path, short, str(path)))
    from evaudit.decisions.ledger_source import LedgerSource
    from evaudit.formats.ledger import frame_ledger

    ledger = frame_ledger(data, LedgerSource(path=FRAME), list(short.by))
    return Audit(audit_short(Path(FRAME), short, FRAME, ledger))


FRAME = "frame"
"""What messages call a ledger that is no file."""


def _listed(values: Sequence[str] | str) -> list[str]:
    return [values] if isinstance(values, str) else list(values)


def _declared(
    spec: str | Path | Mapping[str, Any] | Cohort, data: object, changes: Mapping[str, Any], root: str | Path | None
) -> Result:
    """The audit of a cohort whose ledger may be given apart."""
    from evaudit.audits.decisions import audit_frame
    from evaudit.formats.yaml_documents import find_root

    cohort, folder, shown, inputs = _cohort(spec, data, changes)
    given = Path(root) if root is not None else None
    return audit_frame(cohort, folder, find_root(folder, given), shown, data, inputs=inputs)


def _cohort(
    spec: str | Path | Mapping[str, Any] | Cohort, data: object, changes: Mapping[str, Any]
) -> tuple[Cohort, Path, str, list[InputFile]]:
    """The cohort, the folder that its paths start from, its name in messages, and the record of its file."""
    from evaudit.decisions.cohort import CohortFile
    from evaudit.formats.yaml_documents import read_bytes, read_document
    from evaudit.sources.digest import digest

    if isinstance(spec, str | Path):
        path = Path(spec)
        cohort = read_document(path, CohortFile, path.as_posix())[1]
        raw = read_bytes(path)
        record = InputFile(path.as_posix(), digest(raw, "text/lf"), "text/lf", len(raw))
        return _changed(cohort, changes), path.absolute().parent, path.as_posix(), [record]
    if isinstance(spec, Mapping):
        fields = dict(spec)
        if data is not None and "table" not in fields:
            fields["source"] = {"path": FRAME, **(fields.get("source") or {})}
        return _validated({"id": FRAME, **fields, **changes}), Path.cwd(), "spec", []
    return _changed(spec, changes), Path.cwd(), "spec", []


def _changed(cohort: Cohort, changes: Mapping[str, Any]) -> Cohort:
    given = {name: getattr(cohort, name) for name in cohort.model_fields_set}
    return _validated({**given, **changes}) if changes else cohort


def _validated(fields: Mapping[str, Any]) -> Cohort:
    from pydantic import ValidationError

    from evaudit.decisions.cohort import Cohort

    try:
        return Cohort.model_validate(dict(fields))
    except ValidationError as error:
        told = "; ".join(f"{'.'.join(str(p) for p in e['loc']) or 'spec'}: {e['msg']}" for e in error.errors())
        raise UsageError(told) from None


def rank(
    qrels: object,
    run: object,
    measures: Sequence[str] | str = (),
    convention: str | Convention = "book",
    *,
    per_topic: bool = True,
    bounds: bool = True,
    by: Mapping[str, str] | None = None,
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
        choices: any choice of the convention, e.g. ``missing_topics="skip"``.

    Raises:
        UsageError: a measure, convention or choice that does not exist.
        InvalidDocumentError, UnreadableInputError: a file or frame is refused, or missing.
    """
    from evaudit.ranking.conventions import CONVENTIONS

    if isinstance(convention, str) and convention not in CONVENTIONS:
        raise UsageError(f"convention {convention!r}: not offered; conventions: {', '.join(CONVENTIONS)}")
    chosen = CONVENTIONS[convention] if isinstance(convention, str) else convention
    try:
        chosen = chosen.choose(**choices)
    except (TypeError, ValueError) as error:
        raise UsageError(str(error)) from None
    names = [measures] if isinstance(measures, str) else list(measures)
    runs = [str(one) for one in run] if _paths(run) else None
    if runs is None and isinstance(run, str | Path):
        runs = [str(run)]
    if runs is not None and isinstance(qrels, str | Path) and by is None:
        from evaudit.audits.ranking import audit_runs

        return Audit(audit_runs(str(qrels), runs, names, chosen, per_topic=per_topic, bounds=bounds))
    if runs is not None and len(runs) > 1:
        raise UsageError("several runs: name them and the qrels as files")
    from evaudit.audits.ranking_frames import audit_frames

    one = runs[0] if runs else run
    return Audit(audit_frames(qrels, one, names, chosen, per_topic=per_topic, bounds=bounds, groups=by))


class Cover(Audit):
    """The answer of ``cover``: as every audit, with one row a need."""

    def __init__(self, result: Result, needs: pa.Table) -> None:
        super().__init__(result)
        self._needs = needs

    @property
    def needs(self) -> pa.Table:
        """One row a need, as an Arrow table: verdict, reason, every figure, where components were lost, the budget."""
        return self._needs

    @property
    def verdicts(self) -> Mapping[str, int]:
        """Needs by verdict."""
        found = self.result.details["verdicts"]
        assert isinstance(found, Mapping)
        return found


def cover(
    needs: object,
    selected: object,
    candidates: object = None,
    documents: object = None,
    *,
    units: object = None,
    view: object = None,
    claims: object = None,
    rules: object = None,
    budget_units: int | None = None,
    budget_chars: int | None = None,
    budget_tokens: int | None = None,
    by: str | None = None,
    show: Sequence[str] | str = (),
    lint: bool = False,
    jobs: int = 1,
    root: str | Path | None = None,
) -> Cover:
    """What selected units cover of the evidence that needs require, as ``evaudit bundles`` does.

    Args:
        needs: a file; a frame with one row an anchor (need, bundle, component, source, doc, version, start, end); or
            mappings with ``need``, ``components`` and ``accept``.
        selected, candidates, units: files or frames of units, in rank order: need, unit, source, doc, version, start,
            end.
        documents: the inventory: a file, a folder of texts, or a frame.
        view: which documents may be used: a file or a mapping. claims, rules: who says what, and what opposes what.
        budget_units, budget_chars, budget_tokens: at most one of them.
        by, show, lint, jobs: as the options of the command.

    Raises:
        UsageError: something is neither a file nor a frame, or no such need or column.
        InvalidDocumentError, UnreadableInputError: a file or frame is refused, or missing.
    """
    from evaudit.audits.bundle_frames import audit_frames
    from evaudit.audits.bundles import Wanted
    from evaudit.bundles.budget import Allowance

    limits = [("units", budget_units), ("chars", budget_chars), ("tokens", budget_tokens)]
    stated = [Allowance(name, n) for name, n in limits if n is not None]  # type: ignore[arg-type]  # the three names
    if len(stated) > 1:
        raise UsageError("give one of budget_units, budget_chars and budget_tokens")
    tables = {
        "needs": needs, "selected": selected, "candidates": candidates, "units": units, "documents": documents,
        "view": view, "claims": claims, "rules": rules,
    }  # fmt: skip
    result, rows = audit_frames(
        tables, budget=stated[0] if stated else None, wanted=Wanted(by, _listed(show), lint), jobs=jobs,
        root=Path(root) if root is not None else None,
    )  # fmt: skip
    return Cover(result, rows)


def _paths(run: object) -> TypeGuard[Sequence[str | Path]]:
    return isinstance(run, list | tuple) and bool(run) and all(isinstance(one, str | Path) for one in run)
