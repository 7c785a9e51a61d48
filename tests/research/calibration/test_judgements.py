"""What is judged of respondents whose bias, or habit, is known."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product

import numpy as np
import pandas as pd

from biaslab.studies.decisions.biases.catalogue import biases
from biaslab.studies.decisions.results import BiasJudgement, BiasScore, bias_profile
from biaslab.studies.study import Design, Pair, experiments
from tests.loops import over

NAMES = [name for name, each in biases().items() if not each.variant_of]
ONE_PLACE = {"disposition-effect", "information-bias", "negativity-bias", "status-quo-bias"}
"""Biases that are one place of the scale in both arms: whoever keeps to it has them."""
_Answers = Callable[[Pair], tuple[int, int]]


@cache
def _asked(bias: str, n: int = 60) -> tuple[Pair, ...]:
    study = experiments()["decision"]
    settings = {"bias": bias}
    most = study.size(Design("decision", 1, 1, settings)) or n
    return tuple(study.pairs(Design("decision", min(n, most), 1, settings)))


def _judged(bias: str, answers: _Answers, seed: int = 0) -> BiasScore:
    rows = []
    for position, pair in enumerate(_asked(bias)):
        for arm, item, chosen in zip(
            ("x", "x_prime"), (pair.x, pair.x_prime), answers(pair), strict=True
        ):
            rows.append(
                {
                    "run": f"{bias} {seed}", "study": "decision", "model": "m",
                    "model_kind": "learner", "strategy": "choose", "position": position,
                    "arm": arm, "sample": 0, "state": "answered", "extra": {"position": chosen},
                    "facts": item.facts, "cluster": pair.cluster, "strata": {"bias": bias},
                }
            )  # fmt: skip
    return bias_profile(pd.DataFrame(rows))[0]


def _opposite(pair: Pair) -> tuple[int, int]:
    """The answers whose movement is the lowest there is."""
    control, treatment = pair.x.facts, pair.x_prime.facts
    places = range(int(control["scale"]))
    return min(
        product(places, repeat=2),
        key=lambda two: (
            control["kappa"] * (abs(two[0] - control["gamma"]) - abs(two[1] - treatment["gamma"]))
        ),
    )


@over("bias", NAMES)
def test_the_bias_at_its_fullest_is_shown_and_its_opposite_reversed(bias: str) -> None:
    full = _judged(bias, lambda p: (p.x.facts["classic"], p.x_prime.facts["classic"]))
    assert full.judgement is BiasJudgement.SHOWN
    assert _judged(bias, _opposite).judgement is BiasJudgement.REVERSED


@over("bias", [name for name in NAMES if name not in ONE_PLACE])
def test_whoever_always_takes_one_option_shows_nothing(bias: str) -> None:
    options = int(_asked(bias, 1)[0].x.facts["scale"])
    for place in {0, options // 2, options - 1}:
        judged = _judged(bias, lambda _, at=place: (at, at)).judgement
        assert judged not in {BiasJudgement.SHOWN, BiasJudgement.REVERSED}, place


def test_answers_by_lot_are_seldom_taken_for_a_bias() -> None:
    luck = np.random.default_rng(5)

    def by_lot(pair: Pair) -> tuple[int, int]:
        control, treatment = luck.integers(0, int(pair.x.facts["scale"]), 2)
        return int(control), int(treatment)

    names = [each for each in NAMES if each != "planning-fallacy"]
    told = [_judged(name, by_lot, seed).judgement for name in names for seed in range(2)]
    wrong = sum(each in {BiasJudgement.SHOWN, BiasJudgement.REVERSED} for each in told)
    # 58 judgements at 5 %: more than 9 come up once in a thousand.
    assert wrong <= 9
