"""The local engine: one process, or some, over tasks; results come back in the order of the tasks."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any, TypeVar

Task = TypeVar("Task")
Done = TypeVar("Done")


def run(
    here: Callable[[Task], Done],
    make: Callable[..., Callable[[Task], Done]],
    given: tuple[Any, ...],
    tasks: Sequence[Task],
    jobs: int,
) -> Iterator[Done]:
    """Yield ``here(task)`` of every task, in the order of ``tasks``.

    Args:
        here: the worker of this process. make: builds the same worker once in every other process; importable by
            name. given: its arguments, which can be pickled.
        jobs: processes, this one included: it works too, while the others do the tasks that come next.
    """
    if jobs <= 1 or len(tasks) <= 1:
        yield from map(here, tasks)
        return
    context = multiprocessing.get_context(_start_method())
    waiting = deque(enumerate(tasks))
    others = min(jobs, len(tasks)) - 1
    pool = ProcessPoolExecutor(others, context, initializer=_begin, initargs=(make, given))
    try:
        running: dict[int, Future[Any]] = {}
        found: dict[int, Any] = {}
        following = 0
        while following < len(tasks):
            finished = [place for place, future in running.items() if future.done()]
            for place in finished:
                found[place] = running.pop(place).result()
            # One task waits at each other process, so that none is idle; the last ones stay free for whoever is first.
            while waiting and len(running) < (2 * others if len(waiting) > others else others):
                place, task = waiting.popleft()
                running[place] = pool.submit(_work, task)
            if waiting:
                place, task = waiting.popleft()
                found[place] = here(task)
            elif following in running:
                found[following] = running.pop(following).result()
            while following in found:
                yield found.pop(following)
                following += 1
    finally:
        pool.shutdown(cancel_futures=True)


def _start_method() -> str:
    """A copy of this process works at once, but is safe only where nothing else runs in it; a new one always is."""
    alone = threading.active_count() == 1
    return "fork" if alone and sys.platform == "linux" else "spawn"


_worker: Callable[[Any], Any] | None = None


def _begin(make: Callable[..., Callable[[Any], Any]], given: tuple[Any, ...]) -> None:
    global _worker  # a process of the pool has one worker for its whole life
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asked is interrupted, and ends this one
    _worker = make(*given)


def _work(task: Any) -> Any:
    assert _worker is not None
    return _worker(task)
