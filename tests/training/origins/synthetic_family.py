"""Made-up tables of a family of tiny models, with the effects that a test asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from biaslab.training.origins.rows import FamilyRow

MIXES = ("balanced", "skewed", "reversed", "carry-rare")

FOLLOWS = {
    ("consistency", "skewed"): 40, ("consistency", "reversed"): -36,
    ("transfer-comparison", "skewed"): 60, ("transfer-comparison", "balanced"): 20,
    ("transfer-comparison", "reversed"): -30, ("transfer-comparison", "carry-rare"): 20,
    ("carry", "carry-rare"): 30, ("carry", "balanced"): 10, ("carry", "skewed"): 10,
    ("carry", "reversed"): 10,
}  # fmt: skip
"""Effects in points at the end, by study and mix, as the predictions have them; others are 0."""

_GROWTH = {8_000: 0.3, 16_000: 0.8, 32_000: 1.5, 64_000: 1.2}
"""The skewed mix's effect along training, as a multiple of that at the end."""


def a_row(**given: object) -> FamilyRow:
    """A row of 100 pairs: 50 both right, 30 only x, 10 only x', 10 neither."""
    values: dict[str, object] = {
        "mix": "skewed", "seed": 1, "examples": 96_000, "final": True, "study": "consistency",
        "comparison": "additive", "wording": "", "steps": 1, "strategy": "direct",
        "n": 100, "both": 50, "only_x": 30, "only_x_prime": 10, "neither": 10,
        "unread_x": 0, "unread_x_prime": 0,
        "operator_asked_x": 0, "operator_right_x": 0, "operator_plus_x": 0,
        "operator_asked_x_prime": 0, "operator_right_x_prime": 0, "operator_plus_x_prime": 0,
        "wrong_x": 20, "reversed_x": 2, "wrong_x_prime": 40, "reversed_x_prime": 30,
    }  # fmt: skip
    return FamilyRow(**{**values, **given})  # type: ignore[arg-type]


def with_effect(points: float, n: int = 500, discordant: int = 20, **given: object) -> FamilyRow:
    """A row whose effect is so many points, with a few pairs the other way round as well.

    Args:
        points: -100 to 100.
        n: pairs.
        discordant: pairs that come out on the side that is not favoured.
        given: other columns.
    """
    difference = round(points * n / 100)
    only_x = max(0, difference) + min(discordant, (n - abs(difference)) // 2)
    only_x_prime = max(0, -difference) + min(discordant, (n - abs(difference)) // 2)
    both = (n - only_x - only_x_prime) * 3 // 4
    neither = n - both - only_x - only_x_prime
    wrong_x, wrong_x_prime = neither + only_x_prime, neither + only_x
    return a_row(
        n=n, both=both, only_x=only_x, only_x_prime=only_x_prime, neither=neither,
        wrong_x=wrong_x, reversed_x=wrong_x // 10,
        wrong_x_prime=wrong_x_prime, reversed_x_prime=wrong_x_prime // 2, **given,
    )  # fmt: skip


def synthetic_family(
    effects: Mapping[tuple[str, str], float] | None = None,
    *,
    seeds: int = 3,
    jitter: float = 0.4,
    right_operations: float = 0.9,
    growth: Mapping[int, float] | None = None,
    mixes: tuple[str, ...] = MIXES,
    discordant: int = 20,
    steps: tuple[int, ...] = (1, 2, 3),
) -> tuple[FamilyRow, ...]:
    """The table of a whole family.

    Args:
        effects: points at the end by (study, mix); `FOLLOWS` unless told.
        seeds: trainings of each mix.
        jitter: points by which seed 1 lies below and seed 3 above seed 2.
        right_operations: share of right operations at the end; at every earlier checkpoint half.
        growth: the multiple of the effect at each checkpoint.
        mixes: which ones.
        discordant: as in `with_effect`.
        steps: numbers of reasoning steps.
    """
    effects = FOLLOWS if effects is None else effects
    growth = _GROWTH if growth is None else growth
    found: list[FamilyRow] = []
    for mix in mixes:
        for seed in range(1, seeds + 1):
            for kind in _kinds(steps):
                points = effects.get((str(kind["study"]), mix), 0.0) + jitter * (seed - 2)
                checks = {**growth, 96_000: 1.0} if mix != "carry-rare" else {96_000: 1.0}
                for examples, multiple in checks.items():
                    row = with_effect(
                        max(-100.0, min(100.0, points * multiple)), mix=mix, seed=seed,
                        examples=examples, final=examples == 96_000, discordant=discordant,
                        **kind,
                    )  # fmt: skip
                    share = right_operations if row.final else 0.5
                    found.append(_with_operations(row, share))
    return tuple(found)


def _kinds(lengths: tuple[int, ...]) -> Iterator[dict[str, object]]:
    for strategy in ("direct", "cot"):
        for steps in lengths:
            for comparison in ("additive", "multiplicative"):
                yield {
                    "study": "consistency", "steps": steps, "strategy": strategy,
                    "comparison": comparison,
                }  # fmt: skip
            for wording in ("consistent", "inconsistent"):
                yield {
                    "study": "transfer-comparison", "steps": steps, "strategy": strategy,
                    "comparison": "", "wording": wording,
                }  # fmt: skip
        yield {"study": "carry", "steps": 1, "strategy": strategy, "comparison": ""}


def _with_operations(row: FamilyRow, share: float) -> FamilyRow:
    if (row.study, row.strategy, row.steps, row.comparison) != (
        "consistency",
        "cot",
        1,
        "additive",
    ):
        return row
    right, plus = round(share * row.n), round(0.5 * row.n)
    return replace(
        row, operator_asked_x=row.n, operator_right_x=right, operator_plus_x=plus,
        operator_asked_x_prime=row.n, operator_right_x_prime=right, operator_plus_x_prime=plus,
    )  # fmt: skip
