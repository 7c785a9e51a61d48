"""Sees to it that all answers are of one model."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar

from biaslab.models.requests import Completion, Failure, Likelihood

_Answer = TypeVar("_Answer", bound=Completion | Likelihood)


class OneModel:
    """Compares the name under which each answer came with the one that is expected.

    Args:
        served: the name that is known; where it is empty, the first answer decides.
        also: other names that are taken for the same model.
    """

    def __init__(self, served: str, also: Collection[str] = ()) -> None:
        self._served = served
        self._also = frozenset(also)

    def check(self, result: _Answer | Failure) -> _Answer | Failure:
        """The result itself, or a failure where another model answered."""
        if isinstance(result, Failure):
            return result
        if not self._served:
            self._served = result.served
        if result.served == self._served or result.served in self._also:
            return result
        named = f"by the name of “{result.served}”" if result.served else "without a name"
        return Failure(
            f"The server answered {named} and not as “{self._served}”, so this may be another "
            "model, and answers of different models are never mixed. Ask for a model by a name "
            "that means one version of it, such as one with a date. If both are to count as one "
            "model, say so: “Other names of the same model” where the server is connected, or "
            "--also-served.",
            retryable=False,
            retries=result.retries,
        )
