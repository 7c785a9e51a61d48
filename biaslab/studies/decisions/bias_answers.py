"""Which options of a bias's scale were chosen in either arm."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

import pandas as pd

from biaslab.studies.decisions.biases import Bias

_GAP = re.compile(r"\{[^{}]*\}")
_ALTERNATIVES = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")


@dataclass(frozen=True, slots=True)
class OptionCount:
    """An option of a scale and how often it was chosen.

    Attributes:
        position: on the scale, from 0; label: its number from 1 and its words, gaps left open.
        control, treatment: answers of each arm.
    """

    position: int
    label: str
    control: int
    treatment: int


def option_counts(items: pd.DataFrame, bias: Bias) -> list[OptionCount]:
    """How often each option was chosen, in the order of the scale.

    Args:
        items: answered items of one run (`Store.answered_items`).
        bias: which of its biases.
    """
    chosen: dict[str, Counter[int]] = {"x": Counter(), "x_prime": Counter()}
    for row in items.to_dict("records"):
        if row["state"] == "answered" and row["facts"].get("bias") == bias.id:
            chosen[row["arm"]][int(row["extra"]["position"])] += 1
    return [
        OptionCount(at, label, chosen["x"][at], chosen["x_prime"][at])
        for at, label in enumerate(option_labels(bias))
    ]


def option_labels(bias: Bias) -> list[str]:
    """The options in words that hold for every scene; gaps are written as an ellipsis."""
    labels = []
    for at, (one, other) in enumerate(zip(*bias.scale, strict=True), 1):
        words = _open(one, 0)
        if _open(other, 1) != words:
            words = f"{words} / {_open(other, 1)}"
        labels.append(f"{at} · {words}")
    return labels


def _open(option: str, arm: int) -> str:
    closed = _ALTERNATIVES.sub(lambda match: match[arm + 1].strip(), option)
    return " ".join(_GAP.sub("…", closed).split())
