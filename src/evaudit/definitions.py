"""What a measure means, in words: one text a measure, under the same headings everywhere.

The text stands next to the code of the measure; help, documentation and reports print it and keep no copy.
"""

from __future__ import annotations

from dataclasses import dataclass

HEADINGS: tuple[tuple[str, str], ...] = (
    ("question", "Question"),
    ("definition", "Definition"),
    ("denominator", "Denominator"),
    ("undefined_when", "Undefined when"),
    ("not_known", "What is not known"),
    ("cannot_report", "Cannot report"),
    ("source", "Source"),
    ("differs", "Differs from"),
)
"""Attribute of ``Definition`` and the heading it is printed under, in print order."""


@dataclass(frozen=True, slots=True)
class Definition:
    """The definition text of one measure.

    Attributes:
        id: family id, e.g. ``nDCG``; the ``measure`` of its figures.
        question: the question that the figure answers.
        definition: the formula, in words and symbols.
        denominator: what stands below the line.
        undefined_when: when it has no value, with the reason code.
        not_known: how items without a label or judgement are treated.
        cannot_report: what must not be read from it.
        source: where the definition comes from.
        differs: how other tools or conventions compute it.
        parameters: each parameter and its values, e.g. ``{"gain": "exponential (2^g - 1), linear (g)"}`` as pairs.
    """

    id: str
    question: str
    definition: str
    denominator: str
    undefined_when: str
    not_known: str
    cannot_report: str
    source: str
    differs: str
    parameters: tuple[tuple[str, str], ...] = ()

    def sections(self) -> tuple[tuple[str, str], ...]:
        """Heading and text, in print order."""
        return tuple((heading, str(getattr(self, name))) for name, heading in HEADINGS)
