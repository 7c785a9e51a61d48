"""Effects of the family in words: the same on the page, in charts and in verdicts. Plain text."""

from __future__ import annotations

from biaslab.stats.estimates import Interval
from biaslab.training.origins.effects import CountShare, OriginEffect
from schoolmath.text.figures import interval_words, percent, percents, signed_points


def record(effect: OriginEffect) -> dict[str, object]:
    """The effect as a row of a table: shares as fractions 0..1, differences as -1..1."""
    kind, spread = effect.kind, effect.spread
    arms = {"x": effect.x, "x_prime": effect.x_prime}
    return {
        "study": kind.study, "comparison": kind.comparison, "wording": kind.wording,
        "steps": kind.steps, "strategy": kind.strategy, "mix": effect.mix,
        "examples": effect.examples, "final": int(effect.final),
        "seeds": effect.seeds, "n": effect.n, "cate": effect.cate,
        "items_low": _low(spread.over_items), "items_high": _high(spread.over_items),
        "seeds_low": _low(spread.over_seeds), "seeds_high": _high(spread.over_seeds),
        "seeds_freedom": spread.freedom,
        "cate_by_seed": " ".join(f"{row.seed}:{row.cate:.4f}" for row in effect.rows),
        **{f"right_{name}": share.value for name, share in arms.items()},
        **{f"right_{name}_low": _low(share.interval) for name, share in arms.items()},
        **{f"right_{name}_high": _high(share.interval) for name, share in arms.items()},
        "p": effect.p, "test": effect.test, "unread": effect.unread,
    }  # fmt: skip


def _low(interval: Interval | None) -> float | None:
    return None if interval is None else interval.low


def _high(interval: Interval | None) -> float | None:
    return None if interval is None else interval.high


def ends(interval: Interval | None) -> str:
    """An interval of percentage points: ``+3.1 to +12.4``."""
    return interval_words(_low(interval), _high(interval))


def share_words(share: CountShare) -> str:
    """A share with its interval and n: ``62.5 % (95 % interval 58.2 % to 66.6 %, n = 500)``."""
    interval = share.interval
    if interval is None:
        return "none (n = 0)"
    return (
        f"{percent(share.value)} (95 % interval {percents(interval.low, interval.high)}, "
        f"n = {share.n:,})"
    )


def effect_words(effect: OriginEffect) -> str:
    """An effect and the wider of its 95 % intervals: ``+12.5 (+3.1 to +21.9)``."""
    return f"{signed_points(effect.cate)} ({ends(effect.spread.judged)})"


def seeds_words(effect: OriginEffect) -> str:
    """How much lies behind an effect: ``3 trainings, asked 500 pairs each``."""
    asked = {row.n for row in effect.rows}
    if effect.seeds == 1:
        return f"1 training, asked {effect.n:,} pairs"
    if len(asked) == 1:
        return f"{effect.seeds} trainings, asked {asked.pop():,} pairs each"
    return f"{effect.seeds} trainings, asked {effect.n:,} pairs together"


def examples_words(examples: int) -> str:
    """How far a training is: ``32,000 examples``."""
    return f"{examples:,} examples"
