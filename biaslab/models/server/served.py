"""Sees to it that all answers are of one model."""

from __future__ import annotations

from typing import TypeVar

from biaslab.models.requests import Completion, Failure, Likelihood

_Answer = TypeVar("_Answer", bound=Completion | Likelihood)


class OneModel:
    """Compares the name under which each answer came with the one that is expected.

    Args:
        served: the name that is known; where it is empty, the first answer decides.
    """

    def __init__(self, served: str) -> None:
        self._served = served

    def check(self, result: _Answer | Failure) -> _Answer | Failure:
        """The result itself, or a failure where another model answered."""
        if isinstance(result, Failure):
            return result
        if not self._served:
            self._served = result.served
        if result.served == self._served:
            return result
        named = f"by the name of “{result.served}”" if result.served else "without a name"
        return Failure(
            f"The server answered {named} and not as “{self._served}”, so this may be another "
            "model, and answers of different models are never mixed. See what the server serves "
            "and test the connection again.",
            retryable=False,
            retries=result.retries,
        )
