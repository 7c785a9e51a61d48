"""What answers that are missing could change: an answer that was cut off, or whose request failed.

Their pairs are left out of an effect. Whether that matters shows when each of them is taken for
right, or for wrong (Manski 1990, *Nonparametric bounds on treatment effects*, American Economic
Review 80(2): bounds without any assumption about what is missing).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from biaslab.stats.outcomes import InvalidRule, count
from biaslab.text.figures import signed_points

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class MissingAnswers:
    """Answers that are missing, and what the CATE would be with them.

    Attributes:
        x, x_prime: how many are missing, of each arm (samples of pairs).
        if_right, if_wrong: CATE if all of them were right, or wrong, as fractions.
        low, high: the least and the most that it can be, whichever of them are right.
    """

    x: int
    x_prime: int
    if_right: float
    if_wrong: float
    low: float
    high: float

    def sentence(self, arms: tuple[str, str] = ("x", "x'")) -> str:
        """What it means for the effect.

        Args:
            arms: what x and x' are called.
        """
        return (
            f"{self.x + self.x_prime:,} answers are missing, because they were cut off or their "
            f"requests failed ({self.x:,} to “{arms[0]}”, {self.x_prime:,} to “{arms[1]}”), and "
            f"their pairs are left out. {self.what_if()}"
        )

    def what_if(self) -> str:
        """What the difference would be with them."""
        return (
            "If all missing answers were right the difference would be "
            f"{signed_points(self.if_right)} points, if all were wrong "
            f"{signed_points(self.if_wrong)}; whichever of them are right, it is between "
            f"{signed_points(self.low)} and {signed_points(self.high)}."
        )


def missing_answers(outcomes: pd.DataFrame, invalid: InvalidRule) -> MissingAnswers | None:
    """What missing answers could change; None where none is missing.

    Args:
        outcomes: checked rows of one run, or of one stratum of it, right or wrong.
        invalid: as for `effects`.
    """
    absent = {arm: (outcomes[f"state_{arm}"] == "failed").to_numpy() for arm in ("x", "x_prime")}
    if not any(each.any() for each in absent.values()):
        return None

    def cate(x: float, x_prime: float) -> float:
        supposed = outcomes.copy()
        for arm, outcome in (("x", x), ("x_prime", x_prime)):
            y, state = supposed[f"y_{arm}"].to_numpy(float), supposed[f"state_{arm}"]
            supposed[f"y_{arm}"] = np.where(absent[arm], outcome, y)
            supposed[f"state_{arm}"] = np.where(absent[arm], "answered", state)
        counted = count(supposed, invalid)
        difference = counted.y_x - counted.y_x_prime
        return float(difference.mean()) if difference.size else 0.0

    return MissingAnswers(
        int(absent["x"].sum()),
        int(absent["x_prime"].sum()),
        if_right=cate(1.0, 1.0),
        if_wrong=cate(0.0, 0.0),
        low=cate(0.0, 1.0),
        high=cate(1.0, 0.0),
    )
