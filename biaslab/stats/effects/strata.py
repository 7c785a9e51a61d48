"""What the pairs of a stratum share: how it is written and in which order it stands."""

from __future__ import annotations

from typing import TypeAlias

StratumValue: TypeAlias = str | int | bool | None
"""What the pairs of a stratum share; None for all pairs, or for pairs that do not say."""

ALL = "all"
"""The stratum of all pairs of a run."""


def stratum_label(name: str, value: StratumValue) -> str:
    """A stratum as rows name it: ``steps=2``."""
    match value:
        case None:
            return f"{name}=not given"
        case bool():
            return f"{name}={str(value).lower()}"
        case _:
            return f"{name}={value}"


def stratum_order(value: StratumValue) -> tuple[int, float, str]:
    """A key to sort by: numbers by size, then words, last what is not given."""
    match value:
        case None:
            return (2, 0.0, "")
        case str():
            return (1, 0.0, value)
        case _:
            return (0, float(value), "")
