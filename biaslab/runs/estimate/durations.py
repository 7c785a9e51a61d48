"""How long a run would take, at the pace of earlier responses."""

from __future__ import annotations

from dataclasses import dataclass

from biaslab.models import Access
from biaslab.runs.estimate.loads import Load
from biaslab.runs.library.connections import SERVER_PREFIX
from biaslab.runs.library.experience import ENOUGH_RESPONSES, Experience


@dataclass(frozen=True, slots=True)
class Duration:
    """How long a run would take, and how that was found.

    Attributes:
        seconds: None where nothing is known.
        note: a sentence.
    """

    seconds: float | None
    note: str


def duration(
    load: Load, experience: Experience, model_spec: str, access: Access, *, batch: bool
) -> Duration:
    """How long it takes to get these requests answered.

    Args:
        load: the requests.
        experience: of earlier responses.
        model_spec: of the model.
        access: how it is reached: how many requests are on their way at once.
        batch: whether they are handed over as a batch.
    """
    if not load.requests:
        return Duration(0.0, "Nothing has to be asked.")
    if batch:
        return Duration(None, "A batch is answered within a day; how soon, nobody says.")
    if model_spec.startswith(SERVER_PREFIX):
        pace = experience.pace(access.at_once)
        if pace is not None:
            return Duration(
                load.requests / pace.per_second,
                f"Time is reckoned at {pace.per_second:.3g} requests a second, the pace of earlier "
                f"responses of this model with at most {pace.at_once} at once.",
            )
    if load.seconds is None:
        return Duration(
            None,
            "How long it takes is not known: the file has fewer than "
            f"{ENOUGH_RESPONSES} responses of this model asked in this way.",
        )
    each = load.seconds / load.requests
    if not model_spec.startswith(SERVER_PREFIX):
        return Duration(
            load.seconds,
            f"Time is reckoned at {each:.3g} seconds a request, the average of earlier responses "
            "of this model.",
        )
    at_once = min(access.at_once, load.requests)
    return Duration(
        load.seconds / at_once,
        f"Time is reckoned at {each:.3g} seconds a request, the average of earlier responses of "
        f"this model, if the server bears {at_once} at once; it may take longer.",
    )
