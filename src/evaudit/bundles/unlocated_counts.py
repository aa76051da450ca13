"""How many units of each list have no known place, why, and what would give them one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from evaudit.plurals import counted
from evaudit.sources.readings import READINGS

BECAUSE: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "white-space": ("differs in white space only", "differ in white space only", "--text-match whitespace"),
        "added-prefix": ("begins with text that the document lacks", "begin with text that the document lacks", ""),
        "ambiguous": (
            "stands in several places of its document", "stand in several places of their document",
            "give start and end",
        ),
        "no-text": (
            "quotes a document whose text is not at hand", "quote documents whose text is not at hand",
            "give it with --documents",
        ),
        "no-document": ("names no document", "name no document", "give source, doc and version"),
        "no-position": ("gives neither text nor position", "give neither text nor position", "give one of them"),
        "mismatch": ("is not the text at its position", "are not the text at their positions", "correct the positions"),
        "out-of-range": ("reaches outside its document", "reach outside their document", "correct the positions"),
        "not-found": ("does not stand in its document", "do not stand in their document", ""),
    }
)  # fmt: skip
"""Why a unit has no place, of one and of several, and what would give it one."""

DIFFERS: Mapping[str, str] = MappingProxyType({one.name: one.differs for one in READINGS})
"""Readings in which alone a text can differ from its document; several are joined by ``+``."""

_LISTS = {"selected": "selected unit", "candidate": "candidate", "corpus": "unit of the corpus"}
_LISTS_OF_SEVERAL = {"corpus": "units of the corpus"}


@dataclass
class UnlocatedCount:
    """How many units of one list have no known place, in how many needs, and why; partitions add up."""

    units: int = 0
    needs: int = 0
    because: Counter[str] = field(default_factory=Counter)

    def add(self, other: UnlocatedCount) -> None:
        """Add what was counted in other needs."""
        self.units += other.units
        self.needs += other.needs
        self.because.update(other.because)

    def as_dict(self) -> dict[str, object]:
        """The count as the JSON result holds it."""
        because = dict(sorted(self.because.items(), key=lambda one: (-one[1], one[0])))
        return {"units": self.units, "needs": self.needs, "because": because}


def unlocated_words(counts: Mapping[str, Mapping[str, object]]) -> Iterable[str]:
    """One line a list, from the records of ``UnlocatedCount``."""
    for what, one in counts.items():
        units, needs, because = one["units"], one["needs"], one["because"]
        assert isinstance(units, int) and isinstance(needs, int) and isinstance(because, Mapping)
        several = _LISTS_OF_SEVERAL.get(what, f"{_LISTS[what]}s")
        owner = f" of {counted(needs, 'need')}" if needs else ""
        has = "has" if units == 1 else "have"
        told = "; ".join(_why(code, n) for code, n in because.items())
        yield f"{counted(units, _LISTS[what], several)}{owner} {has} no known place: {told}"


def _why(code: str, n: int) -> str:
    if code not in BECAUSE:
        differs = " and ".join(DIFFERS[one] for one in code.split("+"))
        return f"{n} {'differs' if n == 1 else 'differ'} in {differs} only"
    one, several, fits = BECAUSE[code]
    return f"{n} {one if n == 1 else several}" + (f": {fits}" if fits else "")
