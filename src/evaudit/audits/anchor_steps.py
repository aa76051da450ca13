"""What to do about anchors that do not resolve, as commands that can be copied."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from evaudit.findings import Finding


def options_of(documents: str, needs: str | None, source: str | None = None, gold: str | None = None) -> str:
    """The options that name the same files on the command line."""
    given = (("--needs", needs), ("--from", source), ("--gold", gold), ("--documents", documents))
    return " ".join(f"{option} {shlex.quote(value)}" for option, value in given if value is not None)


def look_closer(findings: Sequence[Finding], options: str, *, can_move: bool) -> list[str]:
    """The note of an audit of bundles in which an anchor does not resolve; none where all do."""
    if not any(found.rule == "anchor-unresolved" for found in findings):
        return []
    told = f"anchors do not resolve: `evaudit anchors check {options}` says what would explain each"
    move = "`evaudit anchors refresh` with the same options proposes where moved quotes stand now"
    return [f"{told}; {move}" if can_move else told]


def next_step(options: str, moved: int | None, bad: int) -> str:
    """What to do about ``bad`` anchors, of which ``moved`` have a proposal; None where the format takes none."""
    by_hand = "correct the quote, position or version of"
    if not moved:
        why = "; no other place can be proposed for them" if moved == 0 else ""
        return f"next: {by_hand} the {'anchor' if bad == 1 else f'{bad} anchors'} by hand{why}"
    told = f"next: `evaudit anchors refresh {options}` proposes another place for {moved} of {bad}"
    return f"{told}; {by_hand} the others by hand" if moved < bad else told
