"""Which entry binds a figure of a text: only its own figure, at its own place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from evaudit.errors import EvauditError
from evaudit.numerals import NumberStyle, StatedFigure
from evaudit.register.entry import Entry
from evaudit.register.entry_figures import exact_of
from evaudit.register.expectation import Expectation
from evaudit.register.project import Project
from evaudit.register.quote import FoldedText
from evaudit.register.shown import Shown

_GONE = ("superseded", "withdrawn")


class Bindings:
    """The bound figures of one text, by the place where each begins."""

    def __init__(self, prose: FoldedText, path: Path, project: Project | None) -> None:
        self._bound: dict[int, dict[str, None]] = {}
        self._gone: dict[int, dict[str, None]] = {}
        self._entries: list[tuple[str, Shown | None, Expectation | None]] = []
        self._taken: Counter[tuple[int, int, object]] = Counter()
        for register in project.registers if project else ():
            style = register.model.numbers.style
            for entry in register.model.entries:
                if entry.at.file is None or same_file(entry.at.file, register.path, path, project):
                    self._bind(entry, prose, style)
                self._entries.append((entry.id, entry.expected.digits(style), exact_of(entry)))

    def of(self, figure: StatedFigure) -> list[str]:
        """The entries that bind a figure."""
        return list(self._bound.get(figure.start, ()))

    def hints(self, figure: StatedFigure) -> list[str]:
        """Entries that do not bind a figure and know of it."""
        gone = list(self._gone.get(figure.start, ()))
        named = {*self._bound.get(figure.start, ()), *(told.split(" ")[0] for told in gone)}
        others = [i for i, shown, exact in self._entries if i not in named and _publishes(shown, exact, figure)]
        return [*gone, *(f"{i} publishes it elsewhere" for i in others)]

    def _bind(self, entry: Entry, prose: FoldedText, style: NumberStyle) -> None:
        shown, exact = entry.expected.digits(style), exact_of(entry)
        for begin, end in prose.spans(entry.at.quote, style):
            figures = prose.figures_within(begin, end, style)
            for place in self._own(begin, end, figures, shown, exact):
                if entry.status in _GONE:
                    self._gone.setdefault(place, {})[f"{entry.id} is {entry.status}"] = None
                else:
                    self._bound.setdefault(place, {})[entry.id] = None

    def _own(
        self, begin: int, end: int, figures: list[StatedFigure], shown: Shown | None, exact: Expectation | None
    ) -> Iterator[int]:
        """Where the shown and the exact figure of an entry stand in its quote.

        Where a figure stands there several times, the entries that quote these words and show it take one each.
        """
        showing = [f.start for f in figures if shown is not None and f.states(shown)]
        being = [f.start for f in figures if exact is not None and states_exact(f, exact) and f.start not in showing]
        for places, key in ((showing, _key(shown)), (being, exact and exact.text)):
            if places:
                turn = self._taken[begin, end, key]
                self._taken[begin, end, key] += 1
                yield places[min(turn, len(places) - 1)]


def states_exact(figure: StatedFigure, exact: Expectation) -> bool:
    """Whether a figure is the exact one as it is written: its counts, or its digits."""
    if exact.kind == "counts":
        return figure.counts == exact.counts
    return exact.shown is not None and figure.states(exact.shown)


def _key(shown: Shown | None) -> object:
    if shown is None:
        return None
    return shown.exact, shown.counts, shown.value, shown.places, shown.unit, shown.sign, _key(shown.high)


def _publishes(shown: Shown | None, exact: Expectation | None, figure: StatedFigure) -> bool:
    return (shown is not None and figure.states(shown)) or (exact is not None and states_exact(figure, exact))


def same_file(written: str, register: Path, path: Path, project: Project | None) -> bool:
    """Whether a path that is written in a register names a text."""
    assert project is not None
    root = project.workspace.root
    try:
        from evaudit.formats.yaml_documents import resolve_inside

        return path in (resolve_inside(register, written, root), root / written)
    except EvauditError:
        return False
