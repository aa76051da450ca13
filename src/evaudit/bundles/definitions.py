"""What every answer about bundles means, in words; ``evaudit explain`` and the reports print these texts."""

from __future__ import annotations

from evaudit.bundles.conflicts import RULE_DEFINITIONS
from evaudit.definitions import Definition

_CHAPTER = "Retrieval From First Principles, ch. 23: Cover the obligation, not merely a label."
_DESIGN = "Design of this program."
_NO_BUNDLE = (
    "The need has no accepted bundle: no-requirement. Withheld: its reason, of the need or of the figure alone."
)
_TRUTH = "Whether the text is true, the answer right or the relation accepted."
_ALL = "Needs with an accepted bundle; each counts 1."
OVER_LIST = (
    (
        "over",
        "list: over the whole list, where a budget is given; else the selected units are those that it admits",
    ),
)
"""The parameter of every figure of a selection."""
_UNRESOLVED = (
    "An anchor that does not resolve and a component declared absent stay in the denominator, uncovered. "
    "Where no documents are given, positions are taken as stated and no text was checked."
)

MEASURES: tuple[Definition, ...] = (
    Definition(
        id="bundle-coverage",
        question="Do the selected units together contain everything that one accepted bundle requires?",
        definition="1/1 if every component of at least one accepted bundle is covered, each by some selected unit "
        "that contains "
        "the entire interval of one of its anchors, in the same document version; else 0/1. Overlapping a part is "
        "never credit.",
        denominator=_ALL,
        undefined_when=_NO_BUNDLE,
        not_known=_UNRESOLVED,
        cannot_report=_TRUTH
        + " It uses every unit that the budget admits, whatever the view and the conflicts; see complete.",
        source=_CHAPTER,
        differs="FEVER and KILT compare sentence or page ids, first five or per rank; chunk scorers give fractional "
        "credit.",
        parameters=OVER_LIST,
    ),
    Definition(
        id="bundle-coverage-joined",
        question="Would the bundle be covered if touching selected units were one?",
        definition="As bundle-coverage, after units of one document version that touch or overlap are merged.",
        denominator=_ALL,
        undefined_when=_NO_BUNDLE,
        not_known=_UNRESOLVED,
        cannot_report="Whether a reader is shown the pieces side by side. The difference to bundle-coverage is what "
        "chunk borders lost.",
        source=_DESIGN,
        differs="chunking_evaluation reports the shared length, not whether the whole anchor is there.",
        parameters=OVER_LIST,
    ),
    Definition(
        id="single-unit-sufficiency",
        question="Is there one selected unit that alone is enough?",
        definition="1/1 if one selected unit contains an anchor of every component of one accepted bundle; else 0/1.",
        denominator=_ALL,
        undefined_when=_NO_BUNDLE,
        not_known=_UNRESOLVED,
        cannot_report=_TRUTH,
        source=_CHAPTER,
        differs="No public scorer reports it.",
        parameters=OVER_LIST,
    ),
    Definition(
        id="components-covered",
        question="How much of the nearest accepted bundle do the selected units cover?",
        definition="Covered components / components of the best bundle of the selection. Best: highest "
        "covered/required fraction, "
        "then most covered, then first listed; its name stands in params.bundle.",
        denominator="Distinct components of the best bundle, absent and unresolved ones included.",
        undefined_when=_NO_BUNDLE,
        not_known=_UNRESOLVED,
        cannot_report="Sufficiency: n-1 of n components is not almost an answer.",
        source=_CHAPTER,
        differs="Recall over the union of all labels asks for bundles that nobody requires together.",
        parameters=OVER_LIST,
    ),
    Definition(
        id="existing-components-covered",
        question="How much of the nearest bundle is covered, of what exists at all?",
        definition="As components-covered, over the same bundle, with absent components left out of both counts.",
        denominator="Components of the best bundle that are not declared absent.",
        undefined_when=_NO_BUNDLE + " Every component of the best bundle is declared absent: absent-component.",
        not_known=_UNRESOLVED,
        cannot_report="That the need is met: a bundle with an absent component is never complete.",
        source=_CHAPTER,
        differs="Scorers without declared absence cannot tell the two apart.",
        parameters=OVER_LIST,
    ),
    Definition(
        id="candidate-recall",
        question="How much of an accepted bundle did the candidates contain?",
        definition="Covered components / components of the bundle that is best for the candidates.",
        denominator="Distinct components of that bundle.",
        undefined_when=_NO_BUNDLE + " No candidates were given: not-applicable.",
        not_known=_UNRESOLVED,
        cannot_report="What the selection kept of it; compare selected-recall and the stage ledger.",
        source=_CHAPTER,
        differs="Any-hit published as recall counts a need as found when one item of it is.",
    ),
    Definition(
        id="selected-recall",
        question="How much of an accepted bundle did the selection contain?",
        definition="Covered components / components of the bundle that is best for the selection.",
        denominator="Distinct components of that bundle.",
        undefined_when=_NO_BUNDLE,
        not_known=_UNRESOLVED,
        cannot_report="Sufficiency: 1/2 leaves the bundle incomplete.",
        source=_CHAPTER,
        differs="Counts each component once however often it was returned; other tools reach 2.0 on duplicates.",
        parameters=OVER_LIST,
    ),
    Definition(
        id="any-hit",
        question="Does any selected unit hold anything that some accepted bundle names?",
        definition="1/1 if a selected unit contains an anchor of any component of any accepted bundle; else 0/1.",
        denominator=_ALL,
        undefined_when=_NO_BUNDLE,
        not_known=_UNRESOLVED,
        cannot_report="Recall or sufficiency. It is reported because others publish it as recall.",
        source=_DESIGN,
        differs="Published as recall in many places.",
        parameters=OVER_LIST,
    ),
    Definition(
        id="evidence-precision",
        question="How many of the selected units hold required evidence?",
        definition="Selected units that wholly hold an anchor of the best bundle of the selection / selected units. "
        "A span that was "
        "selected twice is credited once.",
        denominator="Selected units, repeated ones included.",
        undefined_when=_NO_BUNDLE + " Nothing was selected: no-selection.",
        not_known="A unit that holds other evidence than the best bundle counts as not useful.",
        cannot_report="Whether every useful unit was needed.",
        source=_DESIGN,
        differs="FEVER gives 1.0 for an empty prediction, counts a hit on any set and credits a repeated sentence "
        "twice.",
        parameters=OVER_LIST,
    ),
    Definition(
        id="complete",
        question="Is a bundle covered by what may be used?",
        definition="1/1 if an accepted bundle is covered whole by selected units that the budget admits and the view "
        "allows, and no component of it carries a claim that is opposed with nothing settling it, or that a settlement "
        "dismissed. A declared path changes nothing about that.",
        denominator=_ALL,
        undefined_when=_NO_BUNDLE,
        not_known="With a view, a document or unit without the label it asks for is unknown and fails closed. "
        "Without a view or "
        "rules that part is not asked.",
        cannot_report=_TRUTH,
        source=_CHAPTER,
        differs="No public scorer asks for eligibility or conflicts.",
        parameters=OVER_LIST,
    ),
    Definition(
        id="complete-ignoring-eligibility",
        question="Would a bundle be complete if every document and claim could be used?",
        definition="As complete, with ineligible units admitted and conflicts ignored.",
        denominator=_ALL,
        undefined_when=_NO_BUNDLE,
        not_known=_UNRESOLVED,
        cannot_report="That the result may be shown: no label, score or rank makes a unit eligible.",
        source=_DESIGN,
        differs="This is what scorers without a view report.",
        parameters=OVER_LIST,
    ),
    Definition(
        id="min-units-needed",
        question="How few units could have covered a bundle?",
        definition="Fewest units of the chunked corpus, else of the candidates, that cover one accepted bundle; exact.",
        denominator="None: a count.",
        undefined_when="Neither corpus nor candidates were given, they cover no bundle, or the exact search is too "
        "large: not-applicable.",
        not_known=_UNRESOLVED,
        cannot_report="Whether a retriever could have ranked those units first. It separates could not from did not.",
        source=_DESIGN,
        differs="No public scorer reports it.",
    ),
    Definition(
        id="stage-ledger",
        question="Where was each required component lost?",
        definition="Each component of the bundle that is best for the selection is lost at the first stage that it "
        "does not pass: "
        "resolved, intact (some unit of the chunked corpus holds it whole), candidate, selected (a unit of the whole "
        "list), within-budget, eligible, conflict-free. "
        "A stage whose input was not given is not asked.",
        denominator="Components of the best bundles; losses plus survivors equal it, which is checked.",
        undefined_when="A need without an accepted bundle, or withheld, is in no stage.",
        not_known=_UNRESOLVED,
        cannot_report="The cause: a component lost at selected may have been outranked, cut or never wanted.",
        source="Retrieval From First Principles, ch. 23 (candidate against selected), extended.",
        differs="Other tools see one list at a time.",
    ),
)
"""Definition texts of the measures, of ``min-units-needed`` and of the stage ledger, in print order."""

_ANCHORS = "An anchor with a quote that stands nowhere, several times or elsewhere does not resolve; nothing is fuzzy."

ANCHOR_MEASURES: tuple[Definition, ...] = (
    Definition(
        id="anchors-resolved",
        question="How many anchors can be covered at all?",
        definition="Anchors that resolve in the documents, or whose position no text can check / anchors.",
        denominator="Every anchor of the needs.",
        undefined_when="There is no anchor: not-applicable.",
        not_known="A position without a quote is taken as it is, if it lies inside the text.",
        cannot_report="Whether the passage is the right evidence.",
        source=_DESIGN,
        differs=_ANCHORS + " Annotation clients anchor to what is nearly the quote.",
    ),
    Definition(
        id="slices-hold",
        question="Where a quote and a position are given, do they agree?",
        definition="Anchors whose text at the stated position is exactly the quote / anchors with both.",
        denominator="Anchors with a quote and a position.",
        undefined_when="No anchor has both: not-applicable.",
        not_known="A document without a text cannot be checked, and its anchors do not hold.",
        cannot_report="Which of the two is wrong; see the diagnosis.",
        source=_DESIGN,
        differs=_ANCHORS,
    ),
    Definition(
        id="quotes-unique",
        question="How many quotes tell their place by themselves?",
        definition="Quotes that begin in exactly one place of their document / quotes whose document has a text.",
        denominator="Quotes whose document has a text; overlapping places count.",
        undefined_when="No quote can be looked for: not-applicable.",
        not_known="Prefix and suffix are left out here: they are what makes a repeated quote unique.",
        cannot_report="Whether the stated place is the meant one.",
        source=_DESIGN,
        differs="Tools that take the first place of a quote move evidence in silence.",
    ),
)
"""Definition texts of what ``anchors check`` counts."""

CONFLICT_RULES: tuple[Definition, ...] = RULE_DEFINITIONS
"""Definition texts of the kinds of conflict rules."""
