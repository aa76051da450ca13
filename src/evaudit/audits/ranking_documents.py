"""Every returned document against an inventory and a view: fabricated, revoked and restricted ids of a run.

A relevance label or a high score makes no document eligible, so this stands beside the figures and changes none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from evaudit.findings import Finding, Where, finding
from evaudit.formats.documents import read_documents
from evaudit.formats.yaml_documents import read_bytes, read_document
from evaudit.ranking.order import RunTopic
from evaudit.results import InputFile
from evaudit.sources.digest import digest
from evaudit.sources.document import SourceDocument
from evaudit.sources.view import View, ViewFile, eligibility
from evaudit.sources.view_labels import unknown_labels

SHOWN = 3
"""Examples that a finding lists before it counts the rest."""

FABRICATED = "fabricated"
"""The state of an id that the inventory does not have."""


class DocumentCheck:
    """Looks at every line of every run.

    Args:
        documents: the table of documents.
        view: a file with a view, or None: then only existence is asked.
        runs: number of runs.
        root: the root of the project, for stored texts.
    """

    def __init__(self, documents: str, view: str | None, runs: int, root: Path | None = None) -> None:
        inventory, self._findings, inputs = read_documents(documents, root)
        self.inputs: list[InputFile] = list(inputs)
        self.view: View | None = None
        self._unknown: list[Finding] = []
        if view is not None:
            document, read = read_document(Path(view), ViewFile)
            self.view = read.view
            raw = read_bytes(Path(view))
            self.inputs.append(InputFile(view, digest(raw, "text/lf"), "text/lf", len(raw)))
            self._unknown = list(unknown_labels(self.view, list(inventory), document.where))
        self._states = dict(self._known(list(inventory)))
        self._counts: list[dict[str, int]] = [{} for _ in range(runs)]
        self._examples: list[dict[str, list[tuple[str, str, int]]]] = [{} for _ in range(runs)]
        self._returned = [0] * runs

    def _known(self, documents: Sequence[SourceDocument]) -> Iterator[tuple[bytes, str]]:
        """The state of each id: the whole reference, and the bare id where one document alone has it."""
        bare: dict[str, list[SourceDocument]] = {}
        for document in documents:
            bare.setdefault(document.ref.doc, []).append(document)
            yield str(document.ref).encode(), eligibility(document, self.view)
        for doc, same in bare.items():
            states = {eligibility(one, self.view) for one in same}
            if len(same) == 1 or len(states) == 1:
                yield doc.encode(), states.pop()
            else:
                yield doc.encode(), "ambiguous"

    def holds(self, document: bytes) -> bool:
        """Whether the inventory has a document of this id."""
        return document in self._states

    def look(self, run: int, topic: RunTopic) -> None:
        """Count the states of one topic's documents."""
        counts, examples = self._counts[run], self._examples[run]
        self._returned[run] += len(topic.documents)
        for document, line in zip(topic.documents, topic.lines, strict=True):
            state = self._states.get(document, FABRICATED)
            if state in ("eligible", "not-applicable"):
                continue
            counts[state] = counts.get(state, 0) + 1
            listed = examples.setdefault(state, [])
            if len(listed) < SHOWN:
                listed.append((document.decode(errors="backslashreplace"), topic.topic, line))

    def results(self) -> list[Mapping[str, object]]:
        """For each run: documents returned, how many are usable, and how many in each other state."""
        return [
            {
                "returned": returned,
                "usable": returned - sum(counts.values()),
                "view": self.view.name if self.view else None,
                "states": dict(sorted(counts.items())),
            }
            for returned, counts in zip(self._returned, self._counts, strict=True)
        ]

    def findings(self, run: int, path: str) -> Iterator[Finding]:
        """One finding for each state that forbids use, with its count and first places."""
        if run == 0:
            yield from self._findings
            yield from self._unknown
        for state, listed in sorted(self._examples[run].items()):
            count = self._counts[run][state]
            named = ", ".join(f"{doc} (topic {topic}, line {line})" for doc, topic, line in listed)
            more = f" and {count - len(listed)} more" if count > len(listed) else ""
            if state == FABRICATED:
                message = f"{count} returned ids are not in the inventory: {named}{more}"
                yield finding("reference-fabricated", message, where=Where(path, listed[0][2]))
            else:
                message = f"{count} returned documents may not be used ({state}): {named}{more}"
                yield finding("returned-document-ineligible", message, where=Where(path, listed[0][2]))
