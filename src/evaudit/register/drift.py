"""What changed between a lock and now: inputs (content, line ends, rows), outputs and decision groups, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from evaudit.register.decimal_forms import sides
from evaudit.register.lock import FrozenInput, FrozenOutput, Group, Lock
from evaudit.register.rows import Row, changed_rows
from evaudit.register.shown import Shown
from evaudit.reports.checked_records import side
from evaudit.sources.digest import digest

_BOM = b"\xef\xbb\xbf"
_ENDS = {"LF": b"\n", "CRLF": b"\r\n", "CR": b"\r"}


@dataclass(frozen=True, slots=True)
class InputChange:
    """An input that is not what the lock holds.

    Attributes:
        rule: ``input-changed``, or ``input-line-ends`` where it is the same text written otherwise.
        told: the change in words. rows: the rows that changed, where the lock keeps row digests.
    """

    path: str
    rule: str
    told: str
    rows: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """The change as lines of a report."""
        head = [f"{self.path}: {self.told}"]
        if self.rows:
            count = "1 row: " if len(self.rows) == 1 else "rows: "
            head += [f"  {count}{self.rows[0]}", *(f"  {' ' * len(count)}{row}" for row in self.rows[1:])]
        return head


@dataclass(frozen=True, slots=True)
class OutputChange:
    """An output whose value is not the frozen one; ``None`` where one side lacks it."""

    name: str
    was: FrozenOutput | None
    now: FrozenOutput | None

    def text(self, form: Shown | None = None) -> str:
        """``21/37 -> 22/38``, or in digits as well: ``3.54 = 707/200 -> 3.55 = 3549/1000``."""
        both = sides(self.was, self.now, form)
        return f"{side(both, 'was')} -> {side(both, 'now')}"


@dataclass(frozen=True, slots=True)
class Differences:
    """Everything in which a calculation differs from its lock.

    Attributes:
        files: calculation file, spec, definitions or the lock itself, in words. inputs: inputs with another content.
        uses: outputs of other calculations. groups: counts of decision states. outputs: the outputs.
    """

    files: tuple[str, ...] = ()
    inputs: tuple[InputChange, ...] = ()
    uses: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    outputs: tuple[OutputChange, ...] = ()

    def because(self) -> list[str]:
        """The causes as lines of a report."""
        lines = [*self.files, *(line for change in self.inputs for line in change.lines()), *self.uses]
        return [*lines, f"groups: {', '.join(self.groups)}"] if self.groups else lines


def input_change(
    name: str,
    frozen: FrozenInput,
    raw: bytes,
    rows: Mapping[str, Row] | None,
    columns: Mapping[str, Sequence[str]] | None = None,
) -> InputChange | None:
    """How an input differs from its frozen state; None where its digest is the same.

    Args:
        name: of the file, relative to the root.
        raw: the bytes on disk now. rows: its rows by id, where digests of rows were kept.
        columns: the columns that matter most, with their declared values; see ``changed_rows``.
    """
    now = digest(raw, frozen.recipe)
    if now == frozen.sha256:
        return None
    if same := written_otherwise(raw, frozen.recipe, frozen.sha256):
        return InputChange(name, "input-line-ends", f"same text, {same}")
    told = f"content changed ({was_and_is(frozen.sha256, now, frozen.recipe)})"
    changed = changed_rows(frozen.row_digests, rows, columns) if frozen.row_digests and rows is not None else []
    return InputChange(name, "input-changed", told, tuple(changed))


def was_and_is(was: str, now: str, recipe: str) -> str:
    """``was sha256(text/lf) 61d0dc8f…, is sha256(text/lf) cc6d290a…``: each up to where they differ, and 8 at least."""
    differ = next((n for n, (a, b) in enumerate(zip(was, now, strict=False)) if a != b), 0)
    digits = max(8, differ + 1)
    return f"was {fingerprint(was, recipe, digits)}, is {fingerprint(now, recipe, digits)}"


def fingerprint(sha256: str, recipe: str, digits: int = 8) -> str:
    """A digest as people see it: its recipe, and enough of it to tell two apart."""
    return f"sha256({recipe}) {sha256[:digits]}{'…' if digits < len(sha256) else ''}"


def is_edited_digest(was: str, now: str) -> bool:
    """Whether two digests differ in so few digits that one is the other, edited by hand.

    Digests of two contents agree in 4 of 64 hex digits on average; that they do in more than half never happens.
    """
    return was != now and sum(a == b for a, b in zip(was, now, strict=True)) > len(was) // 2


def written_otherwise(raw: bytes, recipe: str, was: str) -> str | None:
    """How ``raw`` differs from the text with digest ``was`` if only line ends, BOM or the final newline differ."""
    has_bom = raw.startswith(_BOM)
    text = raw.removeprefix(_BOM)
    lines = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    ends = next((name for name, end in (("CRLF", b"\r\n"), ("CR", b"\r"), ("LF", b"\n")) if end in text), "LF")
    final = lines.endswith(b"\n")
    for bom in (has_bom, not has_bom):
        for name, end in _ENDS.items():
            for newline in (final, not final):
                guess = lines.removesuffix(b"\n") + (b"\n" if newline else b"")
                if digest((_BOM if bom else b"") + guess.replace(b"\n", end), recipe) == was:
                    told = [
                        f"a byte order mark {'added' if has_bom else 'removed'}" if bom != has_bom else "",
                        f"other line ends (was {name}, is {ends})" if name != ends else "",
                        f"the final newline {'added' if final else 'removed'}" if newline != final else "",
                    ]
                    return ", ".join(t for t in told if t) or None
    return None


def output_changes(old: Mapping[str, FrozenOutput], new: Mapping[str, FrozenOutput]) -> list[OutputChange]:
    """Outputs whose frozen value is not the value now, in order of name."""
    return [OutputChange(n, old.get(n), new.get(n)) for n in sorted({*old, *new}) if old.get(n) != new.get(n)]


def group_changes(old: Mapping[str, Group] | None, new: Mapping[str, Group] | None) -> list[str]:
    """``promoted positive 21 -> 22`` for every count that moved."""
    if not old or not new:
        return []
    none = Group(positive=0, negative=0, unlabelled=0)
    lines = []
    for state in sorted({*old, *new}):
        before, after = old.get(state, none), new.get(state, none)
        pairs = [(label, getattr(before, label), getattr(after, label)) for label in Group.model_fields]
        lines += [f"{state} {label} {was} -> {now}" for label, was, now in pairs if was != now]
    return lines


def stale_files(old: Lock, new: Lock, named: Callable[[str], str]) -> list[str]:
    """The calculation file and spec that changed after the lock was made, in words; ``named`` names a written path."""
    return [
        f"{named(now.path)} changed after the lock was made ({was_and_is(was.sha256, now.sha256, now.recipe)})"
        for was, now in ((old.calculation, new.calculation), (old.spec, new.spec))
        if was is not None and now is not None and was.sha256 != now.sha256
        if not is_edited_digest(was.sha256, now.sha256)
    ]


def changed_uses(old: Lock, new: Lock, named: Callable[[str], str]) -> dict[str, str]:
    """Name in formulas to the change in words, for each number that a formula uses and that is not the frozen one."""
    was, now = old.uses or {}, new.uses or {}
    return {
        name: f"{name}: {now[name].output} of {named(now[name].path)} is {now[name].value}, was {was[name].value}"
        for name in sorted({*was} & {*now})
        if was[name].value != now[name].value
    }


def differing_leaves(old: object, new: object, at: str = "") -> list[str]:
    """Where two locks differ: ``uses.promoted.value``, ``inputs.0.rows``; a part that one lacks is named whole."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        pairs = [(name, old.get(name), new.get(name)) for name in sorted({*old, *new})]
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = [(str(n), a, b) for n, (a, b) in enumerate(zip(old, new, strict=True))]
    else:
        return [] if old == new else [at]
    return [leaf for name, a, b in pairs for leaf in differing_leaves(a, b, f"{at}.{name}" if at else name)]
