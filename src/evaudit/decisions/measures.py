"""What each figure of a cohort means: one definition text a measure."""

from __future__ import annotations

from evaudit.definitions import Definition

_ENDPOINT = ("endpoint", "a named set of states, e.g. promoted, or retained = promoted and deferred")
_OVER = (
    "over",
    "cohort (every candidate), decided (candidates in undecided states are removed from both sides of the line)",
)
_SOURCE = "Retrieval From First Principles, ch. 23: Book result: recall accounting audit"
_DEFINED = "A range is exact over what leaves the figure defined, and says apart that something leaves it undefined."
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
        f"the endpoint give the range `unresolved`; both at once `joint`. {_DEFINED}",
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
        f"range `unlabelled`, both at once `joint`. {_DEFINED}",
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
        not_known=f"As for recall: ranges `unresolved`, `unlabelled` and `joint`. {_DEFINED}",
        cannot_report=f"Which of precision and recall is low; print them beside it. {_LABELS}",
        source="van Rijsbergen (1979), Information Retrieval, ch. 7",
        differs="scikit-learn gives 0 where there is no positive; here it is undefined.",
        parameters=(_ENDPOINT,),
    ),
    Definition(
        id="specificity",
        question="How many of the labelled negative candidates stayed out of the endpoint?",
        definition="labelled negative candidates outside the endpoint / labelled negative candidates",
        denominator="all labelled negatives",
        undefined_when="no candidate is labelled negative (not-applicable: without a negative the question does not "
        "arise)",
        not_known=f"Ranges `unresolved`, `unlabelled` and `joint`. {_DEFINED}",
        cannot_report="Whether positives were missed. Where negatives are few it rests on a handful of candidates: "
        f"read its counts. {_LABELS}",
        source="standard (true negative rate); scikit-learn recall_score(pos_label=0)",
        differs="Tools that count unseen records as negative and rejected raise it with every record nobody looked at.",
        parameters=(_ENDPOINT,),
    ),
    Definition(
        id="accuracy",
        question="How many labelled candidates does the endpoint put on the side of their label?",
        definition="(labelled positives in the endpoint + labelled negatives outside) / labelled candidates",
        denominator="over=cohort: all labelled candidates; over=decided: labelled candidates in decided states",
        undefined_when="nothing in the denominator is labelled (nothing-labelled)",
        not_known=f"Ranges `unresolved` and `joint` (over=cohort), and `unlabelled`. {_DEFINED}",
        cannot_report="How the errors divide into missed and wrongly kept ones. In a cohort with few negatives it can "
        f"equal a recall by accident, so cite it by its name. {_LABELS}",
        source="standard; scikit-learn accuracy_score",
        differs="over=decided is what remains of accuracy_score after undecided rows were dropped.",
        parameters=(_ENDPOINT, _OVER),
    ),
    Definition(
        id="elusion",
        question="How many of the labelled candidates that were decided against the endpoint are positive?",
        definition="labelled positive candidates in decided states outside the endpoint / labelled candidates there",
        denominator="labelled candidates in decided states outside the endpoint: the discard pile",
        undefined_when="nothing was decided against the endpoint (not-applicable), or nothing of it is labelled "
        "(nothing-labelled)",
        not_known="Ranges `unresolved` (the undecided joining the pile), `unlabelled` and `joint`. Of a random sample "
        f"of one pile it has an exact interval. {_DEFINED}",
        cannot_report="How much was missed in all: multiply by the size of the pile, and mind what stands in no pile. "
        f"{_LABELS}",
        source="Grossman and Cormack (2013), Glossary of Technology-Assisted Review; 1 - negative predictive value",
        differs="Where the undecided are counted into the pile it is another figure.",
        parameters=(_ENDPOINT,),
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
        not_known=f"Unlabelled candidates give the range `unlabelled`. {_DEFINED}",
        cannot_report=f"Whether they were decided rightly. {_LABELS}",
        source=_SOURCE,
        differs="It is the factor between recall over=cohort and over=decided for an endpoint of decided states.",
    ),
    Definition(
        id="onward-recall",
        question="How many of the positives did a stage of the funnel send onward?",
        definition="labelled positive candidates that went onward from the stage / labelled positives",
        denominator="over=cohort: all labelled positives of the funnel; over=entered: those that entered the stage",
        undefined_when="no candidate in the denominator is labelled positive (no-known-positives)",
        not_known="Unlabelled and undecided candidates of the stage stand in the funnel table.",
        cannot_report=f"Whether later stages keep them; the endpoints say that. {_LABELS}",
        source="PRISMA 2020 flow of records, with labels",
        differs="Flow diagrams print counts that somebody typed; these are counted from ids.",
        parameters=(("stage", "a stage of the funnel"), ("over", "cohort or entered")),
    ),
    Definition(
        id="onward-share",
        question="How many of the candidates that entered a stage went onward?",
        definition="candidates that went onward from the stage / candidates that entered it",
        denominator="candidates with a row in the stage",
        undefined_when="nobody entered the stage (not-applicable)",
        not_known="Labels play no part.",
        cannot_report="Whether the right ones went onward.",
        source="PRISMA 2020 flow of records",
        differs="As onward-recall.",
        parameters=(("stage", "a stage of the funnel"),),
    ),
    Definition(
        id="screened-recall",
        question="How many of the labelled positives stand among the first k candidates in the order of screening?",
        definition="labelled positive candidates among the first k / all labelled positives",
        denominator="all labelled positives of the cohort, those never reached included",
        undefined_when="no candidate is labelled positive (no-known-positives)",
        not_known="An unlabelled candidate takes a place and counts as no positive.",
        cannot_report=f"What was decided: it is about the order alone. {_LABELS}",
        source="TREC Total Recall and CLEF TAR, recall@k",
        differs="ASReview insights leaves prior records out unless asked, and counts unscreened records as negative.",
        parameters=(("k", "candidates from the front of the order"),),
    ),
    Definition(
        id="WSS",
        question="How much of the work does stopping at a recall level save over a random order?",
        definition="r - (place at which recall r is reached) / candidates; as counts (100 r N - 100 place) / (100 N)",
        denominator="100 N: all candidates, in percent",
        undefined_when="no candidate is labelled positive (no-known-positives), or the order ends before the recall is "
        "reached (recall-not-reached)",
        not_known="An unlabelled candidate takes a place and counts as no positive.",
        cannot_report=f"Where somebody would have known to stop. {_LABELS}",
        source="Cohen et al. (2006), Reducing workload in systematic review preparation using automated citation "
        "classification",
        differs="tar_eval.py gives 0 where the recall is not reached; ASReview computes it against the labels found.",
        parameters=(("k", "recall level in percent"),),
    ),
    Definition(
        id="estimated-positives",
        question="How many positives are there, as far as a random sample of labels tells?",
        definition="sum over states (or over states within strata) of size x positives in the sample / labelled "
        "sample; or of 1/probability",
        denominator="none: it is a number of candidates",
        undefined_when="a state that holds candidates, or a part of it in one stratum, has no label (nothing-labelled)",
        not_known="Its interval is what the sample leaves open, at the level that is printed for this figure alone. "
        "Weighted by 1/probability it has one where `sampling.draws` says how the draws depend on each other: an exact "
        "test in each state at each probability. Without, the sum can exceed the candidates that there are: a warning.",
        cannot_report=f"Anything if the labelled candidates were not drawn at random. {_LABELS}",
        source="stratified sampling, Cochran (1977), Sampling Techniques, ch. 5; Horvitz and Thompson (1952)",
        differs="Counting only the labelled candidates forgets how large the states are.",
        parameters=(("outside", "the endpoint whose missed positives are estimated; absent: the whole cohort"),),
    ),
    Definition(
        id="estimated-recall",
        question="What is recall over the cohort, as far as a random sample of labels tells?",
        definition="estimated positives in the endpoint / estimated positives in all states; both sums of "
        "1/probability where the labels were drawn with known probabilities",
        denominator="estimated positives of the whole cohort, undecided states included",
        undefined_when="a state that holds candidates, or a part of it in one stratum, has no label "
        "(nothing-labelled), or nothing is estimated to be positive (no-known-positives)",
        not_known="Its interval: exact where one stratum is sampled, conservative (Bonferroni) where several are; "
        "weighted by 1/probability, as for estimated-positives.",
        cannot_report="Errors of the reviewers, and documents in no state of the ledger. It holds only for a random "
        f"sample. {_LABELS}",
        source="elusion test and ei-Recall (Losey 2015); stratified sampling, Cochran (1977)",
        differs="ei-Recall takes the Clopper-Pearson interval; the default here is the exact one without replacement.",
        parameters=(_ENDPOINT,),
    ),
    Definition(
        id="estimated-precision",
        question="What is precision, as far as a random sample of labels tells?",
        definition="estimated positives in the endpoint / candidates in the endpoint; or the sums of 1/probability "
        "over its positive and over its labelled candidates (Hajek)",
        denominator="all candidates in the endpoint's states, labelled or not; or their sum of 1/probability",
        undefined_when="nothing reached the endpoint (nothing-returned), or a state of it has no label "
        "(nothing-labelled)",
        not_known="Its interval, as for estimated-recall.",
        cannot_report=f"Whether positives were missed. {_LABELS}",
        source="stratified sampling, Cochran (1977)",
        differs="precision without `estimated` weighs every labelled candidate alike.",
        parameters=(_ENDPOINT,),
    ),
)
"""Every measure of this room, in print order."""
