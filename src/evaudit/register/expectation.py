"""What a control or calculation expects of one name: counts, digits, ``undefined`` or an answer.

Equality is exact. Counts are compared as counts, never reduced; a figure that is no ratio of counts is compared with
a fraction (within 1e-12) or at the digits written. A number without digits after its point is exact: 0 is not .1738.
An undefined figure is expected in words (``undefined``, ``undefined: REASON``) or as ``null`` written out; a value that
was left empty is refused, because it may have been forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from evaudit.fields import is_null
from evaudit.figures import REASONS
from evaudit.register.shown import Shown, parse_digits

ANSWERS: Mapping[str, str] = {
    "verdict": "What a need comes to: satisfied, incomplete, refused or undefined.",
    "path": "The state of the declared path: broken-chain, step-uncovered, step-ineligible, refused or supported.",
    "reason": "The reason code of a verdict that is not satisfied.",
    "conflict": "The first conflict that refuses the need: its rule, the claim and what it conflicts with.",
    "lost-at": "For each component that is not covered, the stage at which it was lost.",
    "budget-feasible": "Whether any accepted bundle fits the budget; none without a budget or an accepted bundle.",
    "min-units-needed": "The fewest candidate units that cover one accepted bundle; none where they cannot.",
    "finding": "The id of a finding that the case must give.",
}
"""Names in ``expect`` that are answers and no figures, and what each says."""

_COUNTS = re.compile(r"^([0-9]{1,18})/([0-9]{1,18})$", re.ASCII)


@dataclass(frozen=True, slots=True)
class Expectation:
    """One expected value: exactly one of the kinds below.

    Attributes:
        kind: ``counts`` (``counts`` is set), ``digits`` (``shown``), ``undefined`` (``reason``, None for any) or
            ``answer`` (``answer``, as the document has it).
        text: the value as people write it.
    """

    kind: Literal["counts", "digits", "undefined", "answer"]
    text: str
    counts: tuple[int, int] = (0, 0)
    shown: Shown | None = None
    reason: str | None = None
    answer: object = None


def _undefined(reason: object, text: str) -> Expectation:
    if not isinstance(reason, str) or reason.strip() not in REASONS:
        raise ValueError(f"expected a reason code ({', '.join(REASONS)}), found {reason!r}")
    return Expectation("undefined", text, reason=reason.strip())


def parse_expected(name: str, value: object) -> Expectation:
    """Read what a document expects of ``name``.

    Args:
        name: a figure name, or one of ``ANSWERS``.
        value: a YAML scalar; a mapping only for an answer or ``{undefined: REASON}``.

    Raises:
        ValueError: the value is none of the accepted spellings; the message lists them.
    """
    if name in ANSWERS:
        return Expectation("answer", plain_text(value), answer=value)
    if isinstance(value, str) and not value.strip():
        raise ValueError("expected 21/43, a decimal string or undefined, found nothing; write the value, or undefined")
    if is_null(value):
        return Expectation("undefined", "undefined")
    if isinstance(value, Mapping) and set(value) == {"undefined"}:
        return _undefined(value["undefined"], f"undefined: {value['undefined']}")
    if not isinstance(value, str):
        raise ValueError(f"expected 21/43, a decimal string or undefined, found {plain_text(value)}")
    text = value.strip()
    if text == "undefined":
        return Expectation("undefined", text)
    if text.startswith("undefined:"):
        return _undefined(text.partition(":")[2], text)
    if match := _COUNTS.match(text):
        return Expectation("counts", text, counts=(int(match[1]), int(match[2])))
    try:
        return Expectation("digits", text, shown=parse_digits(text))
    except ValueError:
        raise ValueError(f"expected 21/43, a decimal string such as .4884, or undefined, found {text!r}") from None


def plain_text(value: object) -> str:
    """``{b: selected}`` for a mapping, ``[c3]`` for a list, yes and no for a flag."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k}: {plain_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple, set, frozenset)):
        return "[" + ", ".join(plain_text(v) for v in value) + "]"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
