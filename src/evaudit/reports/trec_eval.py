"""The result in trec_eval's own format, byte for byte: measure, topic, value, separated by tabs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evaudit.figures import Figure, FigureColumn, Mean
from evaudit.results import Result

_COUNTS = ("num-q", "num-ret", "num-rel", "num-rel-ret", "num-nonrel-judged-ret")
_SUMMARY_ONLY = ("num-q", "runid", "GM-AP", "GM-bpref")


def render(result: Result, exit_code: int) -> str:
    """Every topic if the result holds topics, then the summary if it holds means."""
    named = result.details.get("trec_eval")
    names = [(str(label), str(name)) for label, name in named] if isinstance(named, list) else []
    columns = {_plain(item): item for item in result.figures if isinstance(item, FigureColumn)}
    lines = [*_topics(names, columns), *_summary(names, {mean.name: mean for mean in result.means}, result)]
    return "".join(f"{label:<22}\t{topic}\t{value}\n" for label, topic, value in lines)


def _plain(column: FigureColumn) -> str:
    from evaudit.figures import format_name

    return format_name(column.measure, column.params)


def _topics(names: list[tuple[str, str]], columns: Mapping[str, FigureColumn]) -> Iterator[tuple[str, str, str]]:
    needs = next(iter(columns.values())).needs if columns else ()
    for i, topic in enumerate(needs):
        for label, name in names:
            if name in columns and columns[name].measure not in _SUMMARY_ONLY:
                shown = _figure(columns[name][i])
                if shown is not None:
                    yield label, topic, shown


def _figure(figure: Figure) -> str | None:
    if figure.undefined == "tool-fails":
        return None
    if figure.measure == "relstring":
        return f"'{figure.params['text']}'"
    return _number(figure.measure, figure.value)


def _summary(
    names: list[tuple[str, str]], means: Mapping[str, Mean], result: Result
) -> Iterator[tuple[str, str, str]]:
    if not means:
        return
    runs = result.details.get("runs")
    tag = str(runs[0]["tag"]) if isinstance(runs, list) else ""
    for label, name in names:
        if name == "runid":
            yield label, "all", tag
        elif name in means and means[name].value is not None:
            yield label, "all", _number(means[name].measure, means[name].value)


def _number(measure: str, value: float | None) -> str:
    return f"{int(value or 0)}" if measure in _COUNTS else f"{value or 0.0:6.4f}"
