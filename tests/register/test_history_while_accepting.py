"""``history verify`` judges a state that an accept has finished, never one in the middle of it."""

from __future__ import annotations

import os
import threading

import pytest

from evaudit.register import writing
from evaudit.register.accept import accept
from evaudit.register.history_report import verify_history

CALC = "controls/calculation.yaml"
OUTPUTS = [
    "recall(endpoint=promoted, over=cohort)",
    "recall(endpoint=promoted, over=decided)",
    "accuracy(endpoint=promoted, over=decided)",
]


@pytest.mark.skipif(os.name != "posix", reason="two threads hold one lock of a folder each")
@pytest.mark.parametrize("step", range(4))  # the note, and each of the three files
def test_a_history_read_between_two_writes_of_an_accept_is_whole(step, small, monkeypatch):
    small.replace("controls/inputs/decisions.csv", "C22,deferred", "C22,promoted")
    write, written, seen, readers = writing.write_whole, [], [], []

    def verify():
        seen.append([f.text() for f in verify_history(small.root).findings])

    def stopping(path, content):
        write(path, content)
        written.append(path)
        if len(written) == step + 1:
            readers.append(threading.Thread(target=verify))
            readers[0].start()
            readers[0].join(0.3)  # it reads the state of now, and waits if that is not a finished one

    monkeypatch.setattr(writing, "write_whole", stopping)
    accept(small.root / CALC, OUTPUTS, "decided on review")
    readers[0].join(60)
    assert len(written) == 4
    assert seen == [[]]
