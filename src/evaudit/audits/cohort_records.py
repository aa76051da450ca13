"""What is known of a cohort once everything that it names was read and reconciled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from evaudit.decisions.cohort import Cohort
from evaudit.decisions.events import History
from evaudit.decisions.funnel import Passage
from evaudit.decisions.inclusion import Probabilities
from evaudit.decisions.labelling import LabelJoin
from evaudit.decisions.ledger_rows import Reconciliation, Rows
from evaudit.decisions.unlisted import Unlisted
from evaudit.results import InputFile

Locate = Callable[[str, str], tuple[Path, str]]
"""From a path as written and the pointer of its field to the file and the path as people see it."""


@dataclass(slots=True)
class Records:
    """A cohort with all that was read for it.

    Attributes:
        cohort: what is declared.
        found: the state table and the findings.
        rows: one row a candidate; None where only counts are known.
        inputs, notes: of every file that was read.
        label_sources: how often each label source stands in the ledger.
        history: changed decisions, where the ledger keeps them; ``stage_histories`` those of earlier stages.
        passage: the stages of a funnel.
        join: how the label file joined.
        unlisted: the candidates that the ledger does not list, where the cohort declares their state.
        order: the place of every candidate in the order of screening.
        chances: the probabilities that the labels were drawn with, where the cohort reconciles.
    """

    cohort: Cohort
    found: Reconciliation
    rows: Rows | None = None
    inputs: list[InputFile] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    label_sources: dict[str, int] = field(default_factory=dict)
    history: History | None = None
    stage_histories: dict[str, History] = field(default_factory=dict)
    passage: Passage | None = None
    join: LabelJoin | None = None
    unlisted: Unlisted | None = None
    order: np.ndarray | None = None
    chances: Probabilities | None = None


def exact_inputs(inputs: Sequence[InputFile]) -> list[InputFile]:
    """Each file once, in the order of reading."""
    return list({(i.path, i.sha256): i for i in inputs}.values())
