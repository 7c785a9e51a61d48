"""How fast a run goes lately."""

from __future__ import annotations

from collections import deque

WINDOW_SECONDS = 30.0
"""Speed is measured over the last half minute, because cached answers, long problems and other
users of the machine make the average since the start misleading."""

_FEWEST_SAMPLES = 5


class Pace:
    """Items per second over a recent window; slow runs keep at least a few samples."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int]] = deque()

    def add(self, now: float, done: int) -> None:
        """Notes that so many items are done.

        Args:
            now: seconds on any clock that never goes back.
            done: items done in all.
        """
        samples = self._samples
        samples.append((now, done))
        while len(samples) > _FEWEST_SAMPLES and samples[1][0] <= now - WINDOW_SECONDS:
            samples.popleft()

    def per_second(self, now: float) -> float | None:
        """Items per second until now; None before two different samples."""
        if len(self._samples) < 2:
            return None
        first_time, first_done = self._samples[0]
        done = self._samples[-1][1] - first_done
        if now <= first_time or done <= 0:
            return None
        return done / (now - first_time)
