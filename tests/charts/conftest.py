"""Effects to draw, from small simulated runs with fixed seeds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from biaslab.stats import Effect, effects

EffectsMaker = Callable[..., list[Effect]]


def _run(
    run: str = "r1",
    model: str = "learner:child",
    kind: str = "learner",
    strategy: str = "direct",
    study: str = "consistency",
    pairs: int = 120,
    steps: int = 3,
    scale: bool = False,
) -> pd.DataFrame:
    rng = np.random.default_rng(sum(map(ord, run + model)))
    names = [f"p{i}" for i in range(pairs)]
    draw = rng.uniform(-1, 1, (2, pairs)) if scale else rng.random((2, pairs)) < [[0.7], [0.5]]
    return pd.DataFrame(
        {
            "run": run, "study": study, "model": model, "model_kind": kind, "strategy": strategy,
            "pair": names, "cluster": names, "position": range(pairs),
            "strata": [{"steps": i % steps + 1} for i in range(pairs)],
            "y_x": draw[0].astype(float), "y_x_prime": draw[1].astype(float),
            "state_x": "answered", "state_x_prime": "answered",
        }
    )  # fmt: skip


@pytest.fixture(scope="session")
def make_effects() -> EffectsMaker:
    """Effects of one run for each dictionary of settings given; of one by default."""

    def make(*runs: dict[str, object], by: str | None = "steps") -> list[Effect]:
        return effects(pd.concat([_run(**run) for run in runs or ({},)]), by=by)

    return make


THREE_KINDS = (
    {"run": "a"},
    {"run": "b", "model": "tiny", "kind": "tiny"},
    {"run": "c", "model": "local:/models/some-quite-long-name-of-a-model-1.1B", "strategy": "cot",
     "kind": "language model"},
)  # fmt: skip


@pytest.fixture
def three_kinds(make_effects: EffectsMaker) -> list[Effect]:
    """A learner, a tiny model and a language model over three strata."""
    return make_effects(*THREE_KINDS)


@pytest.fixture
def facts() -> dict[str, object]:
    """What an item of a two-step problem knows of itself."""
    return {
        "sentences": [
            "Ana has 18 apples.",
            "Ana has 3 more apples than Ben.",
            "Ben buys 7 apples.",
            "How many apples does Ben have now?",
        ],
        "treated": [1],
        "structure": "container . comparison- inconsistent . transfer+",
        "steps": [
            {"sentence": 1, "rule": "compare", "consistent": False, "operation": "-", "left": 18,
             "right": 3, "result": 15, "carries": 0, "agent": "Ben", "what": "apples"},
            {"sentence": 2, "rule": "gain", "consistent": None, "operation": "+", "left": 15,
             "right": 7, "result": 22, "carries": 1, "agent": "Ben", "what": "apples"},
        ],
    }  # fmt: skip
