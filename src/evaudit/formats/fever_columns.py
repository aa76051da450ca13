"""FEVER's pairs as columns: each set an accepted bundle, each (page, sentence) a component, each prediction a unit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaudit.bundles.columns import NOWHERE, SPACE_CODE, UNKNOWN, NeedTable, UnitTable, integers
from evaudit.formats.fever import FeverPairs, Sentence

SENTENCE = SPACE_CODE["sentence"]


@dataclass(frozen=True, slots=True)
class FeverColumns:
    """The pairs as columns; ``pages`` names each document key, ``empty`` the needs with an evidence set of nothing.

    ``repeated`` has one entry a set that names a sentence more than once: the need that it belongs to.
    """

    needs: NeedTable
    selected: UnitTable
    pages: tuple[str, ...]
    empty: tuple[int, ...]
    repeated: tuple[int, ...]


def columns(pairs: FeverPairs) -> FeverColumns:
    """Needs from the gold sets, selected units from the predictions; a line below 0 has no place."""
    pages: dict[str, int] = {}
    component: list[tuple[int, str, int, int]] = []  # need, name, document, line
    bundles: list[tuple[int, str, list[int]]] = []
    empty: list[int] = []
    repeated: list[int] = []
    for need, claim in enumerate(pairs.claims):
        if not claim.requires:
            continue
        known: dict[Sentence, int] = {}
        for place, members in enumerate(claim.sets, 1):
            own: dict[int, None] = {}
            for sentence in members:
                at = known.get(sentence)
                if at is None:
                    at = known[sentence] = len(component)
                    component.append(_component(need, sentence, pages))
                own[at] = None
            if members:
                bundles.append((need, str(place), list(own)))
                if len(own) < len(members):
                    repeated.append(need)
            else:
                empty.append(need)
    needs = _need_table(pairs.needs, component, bundles)
    return FeverColumns(needs, _unit_table(pairs, pages), tuple(pages), tuple(dict.fromkeys(empty)), tuple(repeated))


def _component(need: int, sentence: Sentence, pages: dict[str, int]) -> tuple[int, str, int, int]:
    page, line = sentence
    if page is None or line is None or line < 0:
        return need, f"{page or 'null'}:{line}", NOWHERE, 0
    return need, f"{page}:{line}", pages.setdefault(page, len(pages)), line


def _need_table(
    names: tuple[str, ...], component: list[tuple[int, str, int, int]], bundles: list[tuple[int, str, list[int]]]
) -> NeedTable:
    owner, labels, document, line = zip(*component, strict=True) if component else ((), (), (), ())
    sizes = [len(members) for _, _, members in bundles]
    start = integers(line)
    return NeedTable(
        names,
        integers(owner),
        tuple(labels),
        np.zeros(len(component), dtype=np.bool_),
        integers(np.arange(len(component))),
        integers(document),
        np.full(len(component), SENTENCE),
        start,
        start + 1,
        integers([need for need, _, _ in bundles]),
        tuple(name for _, name, _ in bundles),
        integers(np.append(0, np.cumsum(sizes, dtype=np.int64))),
        integers([c for _, _, members in bundles for c in members]),
    )


def _unit_table(pairs: FeverPairs, pages: dict[str, int]) -> UnitTable:
    lists = [prediction.evidence if prediction else () for prediction in pairs.predictions]
    flat = [sentence for evidence in lists for sentence in evidence]
    code = pages.setdefault
    document = integers([code(page, len(pages)) if number >= 0 else NOWHERE for page, number in flat])
    start = np.maximum(integers([number for _, number in flat]), 0)
    need = np.repeat(np.arange(len(lists)), [len(evidence) for evidence in lists])
    unknown = np.full(len(flat), UNKNOWN)
    return UnitTable(
        need, document, np.full(len(flat), SENTENCE), start, start + 1, unknown, unknown, unknown,
        integers(np.arange(len(flat))), lambda row: f"{flat[row][0]}:{flat[row][1]}",
    )  # fmt: skip
