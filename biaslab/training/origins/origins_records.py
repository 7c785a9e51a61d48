"""Effects of the family as rows of a table, to take away."""

from __future__ import annotations

from biaslab.stats.estimates.proportions import Interval
from biaslab.training.origins.effects import OriginEffect


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
