"""What another draw of topics could make of a mean: a seeded bootstrap interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaudit.figures import Interval

MOST_RESAMPLES = 1_000_000
LARGEST_SEED = 2**32 - 1


@dataclass(frozen=True, slots=True)
class Resampling:
    """How intervals are found: topics are drawn with replacement, as many as the mean has, again and again.

    The interval holds the middle share ``level`` of the resampled means (Efron's percentile interval). It tells what
    other topics of the same kind could give, and nothing about judgements that are missing. Means over the same number
    of topics are resampled alike. The draws are those of numpy's ``RandomState``, which no version of numpy changes.

    Raises:
        ValueError: a level outside 0 to 1, too few or too many resamples, or a seed that is too large.
    """

    level: float = 0.95
    seed: int = 1
    resamples: int = 10_000

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise ValueError(f"interval: expected a level between 0 and 1, found {self.level}")
        if not 0 <= self.seed <= LARGEST_SEED:
            raise ValueError(f"seed: expected a whole number from 0 to {LARGEST_SEED}, found {self.seed}")
        least = max(100, round(2 / (1 - self.level)))
        if not least <= self.resamples <= MOST_RESAMPLES:
            raise ValueError(f"resamples: expected from {least} to {MOST_RESAMPLES}, found {self.resamples}")

    def as_dict(self) -> dict[str, object]:
        """Everything that shapes an interval."""
        method = "bootstrap-percentile"
        return {"method": method, "level": self.level, "resamples": self.resamples, "seed": self.seed}

    def interval(self, values: Sequence[float], of: Callable[[float], float] = float) -> Interval | None:
        """The interval of ``of`` the mean of ``values``, one value a topic; None for fewer than two topics."""
        if len(values) < 2:
            return None
        means = sorted(self._means(values))
        outside = int(self.resamples * (1 - self.level) / 2 + 1e-9)
        method = f"bootstrap-percentile(resamples={self.resamples}, seed={self.seed})"
        return Interval(method, self.level, of(means[outside]), of(means[-1 - outside]))

    def _means(self, values: Sequence[float]) -> list[float]:
        import numpy as np

        drawn = np.random.RandomState(self.seed)
        column = np.array(values, dtype=np.float64)
        totals = np.zeros(self.resamples)
        for _ in values:  # the next draw of every resample; added in this order on every machine
            totals += column[drawn.randint(0, len(values), self.resamples, dtype=np.int64)]
        return [float(total) for total in totals / len(values)]
