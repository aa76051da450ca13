"""What the figures of path validation mean, in words; the answers themselves are worked out in ``paths``."""

from __future__ import annotations

from evaudit.bundles.paths import PATH_STATES
from evaudit.definitions import Definition

PATH_STATE = "paths"
"""Figure over several needs: paths in one state over declared paths, e.g. ``paths(state=supported)``."""
PATH_STEPS = "path-steps-supported"
"""Figure of one need: steps that nothing speaks against, over steps."""

_TRUTH = "Whether a claim is true, or the relation that a path states holds outside the documents."

PATH_MEASURES: tuple[Definition, ...] = (
    Definition(
        id=PATH_STATE,
        question="How many of the declared paths are in a state, e.g. supported?",
        definition="Paths in the state, over declared paths. A path is in the first of its states that applies: "
        "broken-chain (a step is unknown or denied, or does not begin where the one before it ends), step-uncovered "
        "(no selected unit holds a step), step-ineligible (only ineligible units do), refused (a conflict rule refuses "
        "a step), supported.",
        denominator="Controls of the file that declare a path; each counts 1.",
        undefined_when="Never: without a declared path the calculation is refused.",
        not_known="A claim whose anchor does not resolve is uncovered.",
        cannot_report=_TRUTH,
        source="Retrieval From First Principles, ch. 23; design of this program.",
        differs="Answer-path scores of multi-hop sets compare sentence ids and do not ask whether the steps join.",
        parameters=(("state", ", ".join(PATH_STATES)),),
    ),
    Definition(
        id=PATH_STEPS,
        question="How many steps of a path does nothing speak against?",
        definition="Steps of the path without any cause against them (unknown, denied, not joined, uncovered, "
        "ineligible, refused), over its steps.",
        denominator="The steps of the declared path, in order; a repeated step counts each time.",
        undefined_when="The need declares no path; it then has no such figure.",
        not_known="A claim whose anchor does not resolve is uncovered.",
        cannot_report=f"Whether the path is supported: one step short is no path. {_TRUTH}",
        source="Design of this program.",
        differs="No public scorer reports it.",
    ),
)
"""Definition texts of the figures of ``kind: path`` calculations."""
