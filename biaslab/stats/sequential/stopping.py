"""What a stopping rule says at a look, and how an interval allows for looking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from biaslab.stats.errors import UnknownChoice
from biaslab.stats.estimates.proportions import Interval


@dataclass(frozen=True, slots=True)
class Adjustment:
    """How the CATE interval of a run that was looked at repeatedly has to be made.

    Attributes:
        confidence: the level at which the interval is made, higher than the coverage.
        note: why, in sentences for a reader.
        coverage: what the interval promises in spite of looking.
    """

    confidence: float
    note: str
    coverage: float = 0.95

    def as_json(self) -> dict[str, Any]:
        """A JSON-ready object; `of_json` reads it back."""
        return asdict(self)

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> Adjustment:
        """Reads what `as_json` wrote.

        Raises:
            UnknownChoice: it is something else.
        """
        try:
            return cls(float(value["confidence"]), str(value["note"]), float(value["coverage"]))
        except (KeyError, TypeError, ValueError) as error:
            raise UnknownChoice(
                f"This is no adjustment of an interval ({error!r}): make the decision again."
            ) from error


@dataclass(frozen=True, slots=True)
class Decision:
    """What a stopping rule says at one look.

    Attributes:
        stop: whether to ask no more pairs.
        reason: why or why not, as a sentence.
        look: which look this is, from 1; pairs: how many pairs counted.
        cate: the effect so far; None without pairs.
        interval: its interval, made so that it keeps its coverage in spite of looking; None
            where none can be determined.
        critical: the critical value of this look, on the scale of a standard normal statistic.
        adjustment: how that interval was made; give it to `biaslab.stats.effects.effects`.
    """

    stop: bool
    reason: str
    look: int
    pairs: int
    cate: float | None
    interval: Interval | None
    critical: float
    adjustment: Adjustment

    @property
    def confidence(self) -> float:
        """The level at which `interval` is made."""
        return self.adjustment.confidence

    def as_json(self) -> dict[str, Any]:
        """A JSON-ready object; `of_json` reads it back."""
        return asdict(self)

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> Decision:
        """Reads what `as_json` wrote.

        Raises:
            UnknownChoice: it is something else.
        """
        try:
            ends = value["interval"]
            cate = value["cate"]
            return cls(
                bool(value["stop"]),
                str(value["reason"]),
                int(value["look"]),
                int(value["pairs"]),
                None if cate is None else float(cate),
                None if ends is None else Interval(float(ends["low"]), float(ends["high"])),
                float(value["critical"]),
                Adjustment.of_json(value["adjustment"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise UnknownChoice(
                f"This is no decision of a stopping rule ({error!r}): look at the run again."
            ) from error
