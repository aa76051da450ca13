"""The published texts that a user has, and which work each of them speaks for.

A text that was given with its work (``--text "WORK=FILE"``) speaks for that work. One that was given alone speaks for
the works of which it holds a quote: a book is no evidence against the quotes of another book.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaudit.errors import UsageError
from evaudit.findings import Finding, finding
from evaudit.formats.project_files import refuse_pipe
from evaudit.formats.yaml_documents import read_bytes
from evaudit.register.prose import read_prose
from evaudit.register.quote import FoldedText


@dataclass(frozen=True, slots=True)
class GivenText:
    """A text, its name as it was given, and the work that it was given for; None where it was given alone."""

    text: FoldedText
    work: str | None
    name: str

    @property
    def written(self) -> str:
        """The value of ``--text`` that gave it."""
        return self.name if self.work is None else f"{self.work}={self.name}"


def read_given(texts: Sequence[str | Path], works: Iterable[str]) -> list[GivenText]:
    """Read ``FILE`` or ``WORK=FILE`` for each text; ``works`` are the works that entries name.

    Raises:
        UsageError: ``WORK=FILE`` names a work that no entry is of.
        UnreadableInputError: there is no such file, or it is no text.
    """
    known = sorted(set(works))
    return [_read(str(text), known) for text in texts]


def _read(written: str, works: Sequence[str]) -> GivenText:
    work = next((w for w in works if written.startswith(f"{w}=")), None)
    if work is None and "=" in written and not Path(written).exists():
        listed = "; ".join(works) or "none"
        raise UsageError(f"--text {written}: no entry is of the work before the =; the works are: {listed}")
    path = Path(written.removeprefix(f"{work}=") if work is not None else written)
    refuse_pipe(path, path.as_posix())
    return GivenText(read_prose(read_bytes(path), path.as_posix()), work, path.as_posix())


def texts_by_work(given: Sequence[GivenText], quotes: Iterable[tuple[str, str]]) -> dict[str, list[FoldedText]]:
    """The texts that speak for each work.

    Args:
        quotes: work and quote of every entry of a work, those that are not asked for included.
    """
    by_work: dict[str, list[str]] = {}
    for work, quote in quotes:
        by_work.setdefault(work, []).append(quote)
    return {
        work: [g.text for g in given if g.work == work or (g.work is None and any(g.text.find(q) for q in its))]
        for work, its in by_work.items()
    }


def idle_texts(given: Sequence[GivenText], asked: Mapping[str, Sequence[FoldedText]]) -> list[Finding]:
    """A warning for each text in which no quote is looked for: whoever gives it takes its quotes to be checked.

    Args:
        asked: work to the texts that speak for it, of every work that an entry is of and that was asked for.
    """
    serving = {id(text) for texts in asked.values() for text in texts}
    return [finding("text-idle", _idle(one, asked)) for one in given if id(one.text) not in serving]


def _idle(one: GivenText, asked: Mapping[str, Sequence[FoldedText]]) -> str:
    if not asked:
        return (
            f"--text {one.name}: this text serves no entry, because none of them quotes a published work "
            "(`at: {work: …}`); leave the option out"
        )
    works = "; ".join(sorted(asked))
    if one.work is not None:
        return f"--text {one.written}: this text serves none of the entries; they quote: {works}"
    example = shlex.quote(f"{min(asked)}={one.name}")
    return (
        f"--text {one.name}: this text serves no entry: no quote of a work stands in it; if it is the text of a "
        f"work all the same, say of which, e.g. --text {example}; the works are: {works}"
    )
