"""What each figure of a cohort means: one definition text a measure."""

from __future__ import annotations

from evaudit.definitions import Definition

_ENDPOINT = ("endpoint", "a named set of states, e.g. promoted, or retained = promoted and deferred")
_OVER = (
    "over",
    "cohort (every candidate), decided (candidates in undecided states are removed from both sides of the line)",
)
_SOURCE = "Retrieval From First Principles, ch. 23: Book result: recall accounting audit"
_LABELS = "Labels are taken as given: heuristic labels make a heuristic figure."

MEASURES: tuple[Definition, ...] = (
    Definition(
        id="precision",
        question="How many of the labelled candidates that reached the endpoint are positive?",
        definition="labelled positive candidates in the endpoint / labelled candidates in the endpoint",
        denominator="candidates in the endpoint's states that carry a label",
        undefined_when="nothing reached the endpoint (nothing-returned), or nothing that did is labelled "
        "(nothing-labelled)",
        not_known="Unlabelled candidates are left out and give the range `unlabelled`; undecided candidates outside "
        "the endpoint give the range `unresolved`.",
        cannot_report=f"Whether positives were missed. It is a set-based decision measure, no ranked P@k. {_LABELS}",
        source=_SOURCE,
        differs="scikit-learn gives 0 with a warning where nothing is selected; here it is undefined.",
        parameters=(_ENDPOINT,),
    ),
    Definition(
        id="recall",
        question="How many of the labelled positive candidates reached the endpoint?",
        definition="labelled positive candidates in the endpoint / labelled positive candidates; over=decided removes "
        "every candidate in an undecided state first",
        denominator="over=cohort: all labelled positives; over=decided: labelled positives in decided states",
        undefined_when="no candidate in the denominator is labelled positive (no-known-positives)",
        not_known="Undecided candidates outside the endpoint give the range `unresolved`, unlabelled candidates the "
        "range `unlabelled`.",
        cannot_report="Positives outside the cohort. over=decided is recall given that a decision was made: it says "
        "nothing about the undecided positives, and is the same for every endpoint with the same decided states. "
        f"{_LABELS}",
        source=_SOURCE,
        differs="Dropping undecided rows before calling scikit-learn gives over=decided; ASReview insights counts "
        "unscreened records as negative, which can give 1.0 after part of the screening.",
        parameters=(_ENDPOINT, _OVER),
    ),
    Definition(
        id="F1",
        question="What is the harmonic mean of precision and recall over the cohort?",
        definition="2 TP / (2 TP + FP + FN): TP labelled positives in the endpoint, FP labelled negatives in it, FN "
        "labelled positives outside",
        denominator="2 TP + FP + FN over the whole cohort",
        undefined_when="no candidate is labelled positive (no-known-positives)",
        not_known="As for recall: ranges `unresolved` and `unlabelled`.",
        cannot_report=f"Which of precision and recall is low; print them beside it. {_LABELS}",
        source="van Rijsbergen (1979), Information Retrieval, ch. 7",
        differs="scikit-learn gives 0 where there is no positive; here it is undefined.",
        parameters=(_ENDPOINT,),
    ),
    Definition(
        id="accuracy",
        question="How many labelled candidates does the endpoint put on the side of their label?",
        definition="(labelled positives in the endpoint + labelled negatives outside) / labelled candidates",
        denominator="over=cohort: all labelled candidates; over=decided: labelled candidates in decided states",
        undefined_when="nothing in the denominator is labelled (nothing-labelled)",
        not_known="Ranges `unresolved` (over=cohort) and `unlabelled`.",
        cannot_report="How the errors divide into missed and wrongly kept ones. In a cohort with few negatives it can "
        f"equal a recall by accident, so cite it by its name. {_LABELS}",
        source="standard; scikit-learn accuracy_score",
        differs="over=decided is what remains of accuracy_score after undecided rows were dropped.",
        parameters=(_ENDPOINT, _OVER),
    ),
    Definition(
        id="decided-share",
        question="How much of the cohort has been decided?",
        definition="candidates in decided states / candidates",
        denominator="all candidates",
        undefined_when="the cohort is empty (not-applicable)",
        not_known="Labels play no part.",
        cannot_report="Whether the decisions are right.",
        source="coverage in selective prediction (El-Yaniv and Wiener 2010)",
        differs="Selective prediction calls it coverage.",
    ),
    Definition(
        id="undecided-share",
        question="How much of the cohort is still undecided?",
        definition="candidates in undecided states / candidates",
        denominator="all candidates",
        undefined_when="the cohort is empty (not-applicable)",
        not_known="Labels play no part.",
        cannot_report="What the decisions will be.",
        source=_SOURCE,
        differs="Tools with one label column cannot tell undecided from rejected.",
    ),
    Definition(
        id="labelled-share",
        question="How much of the cohort carries a label?",
        definition="labelled candidates / candidates",
        denominator="all candidates",
        undefined_when="the cohort is empty (not-applicable)",
        not_known="This figure is the share that is known.",
        cannot_report="Whether the labels are right.",
        source="judged fraction, for decisions",
        differs="ASReview prints the counts, and cannot tell unlabelled from undecided.",
    ),
    Definition(
        id="labelled-positive-share",
        question="How much of the cohort is labelled positive?",
        definition="labelled positive candidates / candidates",
        denominator="all candidates, labelled or not",
        undefined_when="the cohort is empty (not-applicable)",
        not_known="Unlabelled candidates give the range `unlabelled`.",
        cannot_report=f"Prevalence beyond this cohort. {_LABELS}",
        source=_SOURCE,
        differs="Prevalence is often computed over labelled candidates only.",
    ),
    Definition(
        id="decided-positive-share",
        question="How many of the labelled positives have been decided?",
        definition="labelled positive candidates in decided states / labelled positive candidates",
        denominator="all labelled positives",
        undefined_when="no candidate is labelled positive (no-known-positives)",
        not_known="Unlabelled candidates give the range `unlabelled`.",
        cannot_report=f"Whether they were decided rightly. {_LABELS}",
        source=_SOURCE,
        differs="It is the factor between recall over=cohort and over=decided for an endpoint of decided states.",
    ),
)
"""Every measure of this room, in print order."""
