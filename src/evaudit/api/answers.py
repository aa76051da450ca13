"""What an audit from Python answers: its figures by name, its findings, its reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from evaudit.figures import Figure, Mean
from evaudit.findings import Finding
from evaudit.plurals import counted
from evaudit.results import InputFile, Result

if TYPE_CHECKING:
    import pyarrow as pa

Named = TypeVar("Named")


class _ByName(Mapping[str, Named]):
    """Answers by printed name, in print order. A name that none has is answered with those nearest to it."""

    kind: str

    def __init__(self, by_name: Mapping[str, Named], elsewhere: Mapping[str, str] = MappingProxyType({})) -> None:
        """``elsewhere``: what to write instead of names that are often looked for here, by name."""
        self._by_name: Mapping[str, Named] = by_name
        self._elsewhere = elsewhere

    def __getitem__(self, name: str) -> Named:
        try:
            return self._by_name[name]
        except (KeyError, TypeError):
            raise KeyError(f"there is no {self.kind} {name!r}{self._hint(name)}") from None

    def _hint(self, name: object) -> str:
        if not isinstance(name, str):
            return f"; {self.kind}s are found by their printed name, and list(…) gives the names"
        if name in self._elsewhere:
            one = next((known for known in self._by_name if known.startswith(f"{name}[need=")), None)
            return f"; that is {self._elsewhere[name]}" + (f". Of one need or group: {one!r}" if one else "")
        from difflib import get_close_matches

        near = get_close_matches(name.replace("_", "-"), self._by_name, n=3)
        return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def __repr__(self) -> str:
        return f"<{len(self)} {self.kind}s: {', '.join(list(self)[:3])}{', …' if len(self) > 3 else ''}>"


class Figures(_ByName[Figure]):
    """Figures by printed name; of one need or group ``NAME[need=ID]``. In print order."""

    kind = "figure"

    def __init__(self, figures: Iterable[Figure], means: Iterable[str] = ()) -> None:
        """``means`` are the names of the means, which are often looked for here."""
        by_name = {f.name + (f"[need={f.need}]" if f.need is not None else ""): f for f in figures}
        super().__init__(by_name, {name: f"a mean: .means[{name!r}]" for name in means})


class Means(_ByName[Mean]):
    """Means by printed name, in print order."""

    kind = "mean"

    def __init__(self, means: Iterable[Mean]) -> None:
        super().__init__({mean.name: mean for mean in means})


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
            self._figures = Figures(self.result.iter_figures(), (mean.name for mean in self.result.means))
        return self._figures

    @property
    def means(self) -> Means:
        """Every mean by its printed name."""
        return Means(self.result.means)

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

        Columns: measure, name, need, num, den, value, undefined (text or null), note; for every kind of range
        ``KIND_low``, ``KIND_high``, ``KIND_kind`` and ``KIND_may_be_undefined``; and for
        intervals ``interval_low``, ``interval_high``, ``interval_method``.
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
            given = [f.bounds.get(kind) for f in figures]
            columns[f"{kind}_kind"] = pa.array([b and b.kind for b in given], pa.string())
            columns[f"{kind}_may_be_undefined"] = pa.array([b and b.may_be_undefined for b in given], pa.bool_())
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
        """One line; ``print`` shows the report."""
        parts = [counted(len(self.figures), "figure"), counted(len(self.means), "mean")]
        parts += [counted(len(self.findings), "finding"), counted(len(self.notes), "note")]
        head = f"{type(self).__name__} of {self.result.command}: {self._head()}"
        return f"<{head}{', '.join(parts)}; print shows the report>"

    def _head(self) -> str:
        """What the line of ``repr`` begins with."""
        return ""


def _number(amount: object) -> float | None:
    if isinstance(amount, tuple):
        return amount[0] / amount[1] if amount[1] else None
    return float(amount) if isinstance(amount, int | float) else None
