"""The lock of a frozen calculation: digests of what it reads and the exact outputs, as integers and strings.

No time, host, user, absolute path or binary float is in a lock, so freezing twice gives the same bytes. A figure that
is no ratio of counts is a decimal string of 12 significant digits. Every digest names its recipe.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StrictInt, StrictStr, StringConstraints, ValidationError

from evaudit.fields import Model
from evaudit.findings import Where
from evaudit.register.offer import Offered

LOCK_SCHEMA = "evaudit/lock@1"
LOCK_SUFFIX = ".lock.json"
RESTORE = "restore it from version control; where there is no good copy, delete it"
"""What to do about a lock that cannot be read."""


def lock_path(calculation: Path) -> Path:
    """The lock of ``X.yaml`` is ``X.lock.json`` beside it."""
    return calculation.with_name(calculation.stem + LOCK_SUFFIX)


Sha256 = Annotated[StrictStr, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Count = Annotated[StrictInt, Field(ge=0)]


class FrozenFile(Model):
    """A file as it was when the lock was made."""

    path: StrictStr
    """POSIX path relative to the lock."""
    recipe: Literal["text/lf", "bytes"]
    """What was hashed."""
    sha256: Sha256
    """Hex digest under the recipe."""


class FrozenInput(FrozenFile):
    """An input as it was when the lock was made."""

    id: StrictStr
    """The id that the calculation gives it."""
    rows: Count | None = None
    """Data rows of a table; absent for other files."""
    row_digests: dict[StrictStr, Annotated[StrictStr, StringConstraints(pattern=r"^[0-9a-f]{16}$")]] | None = None
    """Row id to the first 16 hex digits of its digest, where ``row_digests: yes`` asked for it."""


class FrozenUse(Model):
    """An output of another calculation as it was when the lock was made."""

    path: StrictStr
    """POSIX path of the other calculation, relative to the lock."""
    output: StrictStr
    """Name of its output."""
    value: StrictStr
    """Its value, as people read it."""


class FrozenOutput(Model):
    """An output: counts, or a decimal string, or an answer, or the reason why it is undefined."""

    num: StrictInt | None = None
    """Numerator, never reduced; of a formula in lowest terms."""
    den: StrictInt | None = None
    """Denominator."""
    decimal: StrictStr | None = None
    """12 significant digits, for a figure that is no ratio of counts."""
    undefined: StrictStr | None = None
    """Reason code."""
    answer: StrictStr | None = None
    """An answer that is no figure, e.g. the state of a path."""

    def text(self) -> str:
        """``21/43``, ``0.833333333333``, ``refused`` or ``undefined: reason``."""
        if self.answer is not None:
            return self.answer
        if self.undefined is not None:
            return f"undefined: {self.undefined}"
        return self.decimal if self.decimal is not None else f"{self.num}/{self.den}"


class Group(Model):
    """Candidates of one decision state, by label."""

    positive: Count
    """Labelled positive."""
    negative: Count
    """Labelled negative."""
    unlabelled: Count
    """Without a label."""


class Lock(Model):
    """Everything that a lock holds."""

    lock_schema: Literal["evaudit/lock@1"] = Field(default="evaudit/lock@1", alias="schema")
    """The kind of the document."""
    id: StrictStr
    """Id of the calculation."""
    definitions: StrictStr
    """Version of the measure definitions that gave the outputs."""
    calculation: FrozenFile
    """calculation.yaml itself."""
    spec: FrozenFile | None = None
    """The cohort or control file that it names; absent for arithmetic and commands."""
    uses: dict[StrictStr, FrozenUse] | None = None
    """Name to the output of another calculation; arithmetic only."""
    inputs: list[FrozenInput]
    """In the order of calculation.yaml."""
    outputs: dict[StrictStr, FrozenOutput]
    """Output name to value."""
    groups: dict[StrictStr, Group] | None = None
    """Decision state to its counts; cohorts only."""

    def text(self) -> str:
        """The bytes of the lock file, as text: sorted keys, LF."""
        content = self.model_dump(by_alias=True, exclude_none=True)
        return json.dumps(content, sort_keys=True, indent=1, ensure_ascii=False) + "\n"


def frozen_output(value: Offered) -> FrozenOutput:
    """The value of an output as a lock keeps it."""
    if value.answer is not None:
        return FrozenOutput(answer=value.answer)
    if value.undefined:
        return FrozenOutput(undefined=value.undefined)
    if value.ratio is not None:
        return FrozenOutput(num=value.ratio.numerator, den=value.ratio.denominator)
    if value.counts:
        return FrozenOutput(num=value.counts[0], den=value.counts[1])
    assert value.number is not None
    return FrozenOutput(decimal=significant(value.number))


def significant(value: float, digits: int = 12) -> str:
    """``value`` with exactly ``digits`` significant digits and no exponent, half-even."""
    return f"{Decimal(f'{value:.{digits - 1}e}'):f}"


@dataclass(frozen=True, slots=True)
class LockProblem:
    """What is wrong with a lock file, and where: 1-based line and column, or the path of a field."""

    told: str
    line: int | None = None
    column: int | None = None
    pointer: str | None = None

    def where(self, path: str) -> Where:
        """The place, in the file ``path``."""
        return Where(path, self.line, self.column, self.pointer)

    def text(self, path: str) -> str:
        """Place and problem."""
        return f"{self.where(path).text()}: {self.told}"


def read_lock(raw: bytes) -> tuple[Lock | None, LockProblem | None]:
    """Read a lock file.

    Returns:
        The lock (None where it cannot be read), and what is wrong with the file (None where nothing is): a lock that is
        not byte for byte what ``calc freeze`` writes was edited.
    """
    try:
        content = json.loads(raw.decode("utf-8"), object_pairs_hook=_no_repeats, parse_float=_no_float)
        lock = Lock.model_validate(content)
    except (ValidationError, ValueError, RecursionError) as error:
        return None, _problem(error)
    written = lock.text().encode("utf-8").split(b"\n")
    for number, (one, other) in enumerate(zip_longest(raw.replace(b"\r\n", b"\n").split(b"\n"), written), 1):
        if one != other:
            return lock, LockProblem("the lock is not written as `calc freeze` writes it", number)
    return lock, None


def _problem(error: Exception) -> LockProblem:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        pointer = ".".join(["$", *(str(part) for part in first["loc"])])
        return LockProblem(f"the lock cannot be read: {first['msg']}", pointer=pointer)
    told = f"the lock cannot be read: {(str(error).splitlines() or [type(error).__name__])[0]}"
    if isinstance(error, json.JSONDecodeError):
        return LockProblem(f"the lock cannot be read: {error.msg}", error.lineno, error.colno)
    return LockProblem(told)


def _no_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _no_float(text: str) -> object:
    raise ValueError(f"{text} is a float; a lock holds integers and strings only")
