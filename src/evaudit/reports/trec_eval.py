"""The result in trec_eval's own format, byte for byte: measure, topic, value, separated by tabs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from evaudit.figures import FigureColumn, Mean, format_name
from evaudit.results import Result

_COUNTS = ("num-q", "num-ret", "num-rel", "num-rel-ret", "num-nonrel-judged-ret")
_SUMMARY_ONLY = ("num-q", "runid", "GM-AP", "GM-bpref")


def render(result: Result, exit_code: int) -> str:
    """Every topic if the result holds topics, then the summary, of which the name of the run is a part."""
    named = result.details.get("trec_eval")
    names = [(str(label), str(name)) for label, name in named] if isinstance(named, list) else []
    columns = {_plain(item): item for item in result.figures if isinstance(item, FigureColumn)}
    means = {mean.name: mean for mean in result.means}
    return "".join([*_topics(names, columns), *_summary(names, means, result)])


def _plain(column: FigureColumn) -> str:
    return format_name(column.measure, column.params)


def _topics(names: list[tuple[str, str]], columns: Mapping[str, FigureColumn]) -> Iterator[str]:
    shown = [(label, columns[name]) for label, name in names if name in columns]
    texts = [_lines(label, column) for label, column in shown if column.measure not in _SUMMARY_ONLY]
    for rows in zip(*texts, strict=True):
        yield from filter(None, rows)


def _lines(label: str, column: FigureColumn) -> list[str | None]:
    head = f"{label:<22}\t"
    cells = zip(column.needs, _cells(column), strict=True)
    return [None if text is None else f"{head}{need}\t{text}\n" for need, text in cells]


def _cells(column: FigureColumn) -> list[str | None]:
    """The value of every topic as it is printed; None where trec_eval's own means nothing."""
    if column.measure == "relstring":
        return [None if text is None else f"'{text}'" for text in column.observed["text"]]
    if column.measure in _COUNTS and column.num is not None:
        return [str(number) for number in column.num]
    values: Iterable[float]
    if column.value is not None:
        values = column.value
    else:
        assert column.num is not None and column.den is not None
        values = [num / (den or 1) for num, den in zip(column.num, column.den, strict=True)]
    if not any(column.reason):
        return [f"{value:6.4f}" for value in values]
    return [None if reason else f"{value:6.4f}" for value, reason in zip(values, column.reason, strict=True)]


def _summary(names: list[tuple[str, str]], means: Mapping[str, Mean], result: Result) -> Iterator[str]:
    runs = result.details.get("runs")
    tag = str(runs[0]["tag"]) if isinstance(runs, list) else ""
    for label, name in names:
        text: str | None = tag
        if name != "runid":
            mean = means.get(name)
            if mean is None or mean.value is None:
                continue
            text = f"{mean.value:.0f}" if mean.measure in _COUNTS else f"{mean.value:6.4f}"
        yield f"{label:<22}\tall\t{text}\n"
