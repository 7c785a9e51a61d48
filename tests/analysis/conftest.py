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
    samples = max(map(len, answers_x))
    tables = []
    for sample in range(samples):
        x = [answers[sample] for answers in answers_x]
        x_prime = [answers[sample] for answers in answers_x_prime]
        outcome = [[None if a is None else float(a == right) for a in arm] for arm in (x, x_prime)]
        tables.append(
            _outcomes(*outcome, **named).assign(  # type: ignore[arg-type]
                sample=sample,
                value_x=pd.Series(x, dtype=object),
                value_x_prime=pd.Series(x_prime, dtype=object),
            )
        )
    return pd.concat(tables).sort_values(["position", "sample"], ignore_index=True)


@pytest.fixture(scope="session")
def make_samples() -> OutcomesMaker:
    return _samples


@pytest.fixture(scope="session")
def make_outcomes() -> OutcomesMaker:
    return _outcomes
