"""Tables of outcomes as the store gives them, built by hand or simulated."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
import pytest

OutcomesMaker = Callable[..., pd.DataFrame]


def _outcomes(
    y_x: Sequence[float | None],
    y_x_prime: Sequence[float | None],
    *,
    run: str = "r1",
    study: str = "consistency",
    model: str = "learner:child",
    kind: str = "learner",
    strategy: str = "direct",
    strata: Sequence[dict[str, object]] | None = None,
    clusters: Sequence[object] | None = None,
) -> pd.DataFrame:
    """None stands for an answer that could not be read."""
    n = len(y_x)
    pairs = [f"p{i}" for i in range(n)]
    return pd.DataFrame(
        {
            "run": run,
            "study": study,
            "model": model,
            "model_kind": kind,
            "strategy": strategy,
            "pair": pairs,
            "position": range(n),
            "cluster": pairs if clusters is None else list(clusters),
            "strata": [{} for _ in pairs] if strata is None else list(strata),
            "item_x": [f"{pair}x" for pair in pairs],
            "item_x_prime": [f"{pair}y" for pair in pairs],
            "y_x": [np.nan if y is None else float(y) for y in y_x],
            "y_x_prime": [np.nan if y is None else float(y) for y in y_x_prime],
            "state_x": ["invalid" if y is None else "answered" for y in y_x],
            "state_x_prime": ["invalid" if y is None else "answered" for y in y_x_prime],
        }
    )


def _samples(
    answers_x: Sequence[Sequence[str | None]],
    answers_x_prime: Sequence[Sequence[str | None]],
    *,
    right: str = "5",
    **named: object,
) -> pd.DataFrame:
    """One list of answers a pair, in the order of the samples; None could not be read."""
    samples = len(answers_x[0])
    pairs = _outcomes([0] * len(answers_x), [0] * len(answers_x), **named)  # type: ignore[arg-type]
    table = pairs.loc[np.repeat(pairs.index, samples)].reset_index(drop=True)
    table["sample"] = list(range(samples)) * len(pairs)
    for member, answers in (("x", answers_x), ("x_prime", answers_x_prime)):
        said = [answer for of_pair in answers for answer in of_pair]
        table[f"value_{member}"] = pd.Series(said, dtype=object)
        table[f"y_{member}"] = [np.nan if a is None else float(a == right) for a in said]
        table[f"state_{member}"] = ["invalid" if a is None else "answered" for a in said]
    return table


@pytest.fixture(scope="session")
def make_samples() -> OutcomesMaker:
    return _samples


@pytest.fixture(scope="session")
def make_outcomes() -> OutcomesMaker:
    return _outcomes
