"""Which outputs of a project's calculations a figure in a text could be: by counts, or by the digits shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from evaudit.numerals import StatedFigure
from evaudit.register.calculation import Calculation, figure_of, is_undefined
from evaudit.register.expectation import Expectation, parse_expected
from evaudit.register.shown import check_shown, parse_shown
from evaudit.register.workspace import Loaded


@dataclass(frozen=True, slots=True)
class KnownOutput:
    """An output as its calculation file declares it."""

    file: Loaded[Calculation]
    output: str
    expected: Expectation
    show: str | None

    @property
    def figure(self) -> str:
        """The figure that it is."""
        return figure_of(self.output)

    def text(self) -> str:
        """``recall(endpoint=promoted, over=cohort) of audit``."""
        return f"{self.figure} of {self.file.model.id}"


def known_outputs(calculations: Sequence[Loaded[Calculation]]) -> Iterator[KnownOutput]:
    """Every output of every calculation."""
    for file in calculations:
        for name, output in file.model.outputs.items():
            yield KnownOutput(file, name, parse_expected(figure_of(name), output.expect), output.show)


def fitting(figures: Sequence[StatedFigure], outputs: Sequence[KnownOutput]) -> list[KnownOutput]:
    """The outputs that every one of ``figures`` states."""
    return [o for o in outputs if figures and all(_states(f, o) for f in figures)]


def _states(figure: StatedFigure, output: KnownOutput) -> bool:
    expected = output.expected
    if figure.counts is not None:
        shown = parse_shown(output.show) if output.show and not is_undefined(output.show) else None
        return (expected.kind == "counts" and expected.counts == figure.counts) or (
            shown is not None and shown.counts == figure.counts
        )
    if figure.shown is None:
        return False
    if expected.kind == "counts" and expected.counts[1]:
        return check_shown(Fraction(*expected.counts), figure.shown, "unknown").holds
    return expected.shown is not None and (
        expected.shown.same_digits(figure.shown)
        or (output.show is not None and not is_undefined(output.show)
            and parse_shown(output.show).same_digits(figure.shown))
    )  # fmt: skip
