"""Runs with known effects, as tables of outcomes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from biaslab.stats.comparisons.shared_pairs import CountingRules, RunPairs


def table(
    y_x: Sequence[float],
    y_x_prime: Sequence[float],
    run: str = "a",
    *,
    study: str = "consistency",
    model: str = "tiny:a",
    kind: str = "tiny",
    strategy: str = "direct",
    strata: Sequence[dict[str, object]] | None = None,
    clusters: Sequence[object] | None = None,
    pairs: Sequence[str] | None = None,
) -> pd.DataFrame:
    """One run, every pair answered."""
    ids = [f"p{i}" for i in range(len(y_x))] if pairs is None else list(pairs)
    return pd.DataFrame(
        {
            "run": run, "study": study, "model": model, "model_kind": kind, "strategy": strategy,
            "pair": ids, "cluster": ids if clusters is None else list(clusters),
            "strata": [{} for _ in ids] if strata is None else list(strata),
            "y_x": np.asarray(y_x, dtype=float), "y_x_prime": np.asarray(y_x_prime, dtype=float),
            "state_x": "answered", "state_x_prime": "answered",
        }
    )  # fmt: skip


def runs_of_table(outcomes: pd.DataFrame) -> list[RunPairs]:
    """The runs of a table from here: as `runs_of`, without its checks, for many simulated runs."""
    found = []
    for run in dict.fromkeys(outcomes["run"]):
        rows = outcomes[outcomes["run"] == run]
        first = rows.iloc[0]
        counted = rows[["y_x", "y_x_prime", "cluster", "strata"]]
        counted = counted.set_axis(["x", "x_prime", "cluster", "strata"], axis=1)
        found.append(
            RunPairs(
                run, first["study"], first["model"], first["model_kind"], first["strategy"],
                counted.set_axis(pd.Index(rows["pair"], dtype=object)), frozenset(rows["pair"]),
                binary=first["study"] != "decision", samples=1, voted=False,
                setting=CountingRules(),
            )
        )  # fmt: skip
    return found


def drawn(
    n: int, right: tuple[float, float], rng: np.random.Generator, run: str = "a", **named: object
) -> pd.DataFrame:
    """A run whose members are right with these probabilities, independently."""
    x, x_prime = (rng.random(n) < share for share in right)
    return table(x.astype(float), x_prime.astype(float), run, **named)  # type: ignore[arg-type]


def with_steps(
    n: int, right: Sequence[tuple[float, float]], rng: np.random.Generator, run: str = "a"
) -> pd.DataFrame:
    """A run whose pairs have 1, 2, ... steps, n of each, with a probability of right for each."""
    parts = [drawn(n, each, rng) for each in right]
    whole = pd.concat(parts, ignore_index=True)
    steps = np.repeat(np.arange(len(right)) + 1, n)
    ids = [f"p{i}" for i in range(len(whole))]
    return whole.assign(
        run=run, pair=ids, cluster=ids, strata=[{"steps": int(step)} for step in steps]
    )


def answers_of_wordings(
    n: int, right: Sequence[tuple[float, float]], shared: float, rng: np.random.Generator
) -> pd.DataFrame:
    """Runs of one model in several wordings; a share of its answers is the same in all."""
    common = rng.random((n, 2)), rng.random((n, 2)) < shared
    parts = []
    for number, each in enumerate(right):
        level = np.where(common[1], common[0], rng.random((n, 2)))
        y = (level < np.array(each)).astype(float)
        parts.append(table(y[:, 0], y[:, 1], f"w{number}", strategy=f"way {number}"))
    return pd.concat(parts, ignore_index=True)
