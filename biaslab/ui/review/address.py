"""What of the page Quality review stands in its address. Never a name: only a place in a list."""

from __future__ import annotations

from collections.abc import Collection

from biaslab.review.reviews import CONTROL, MORE, MOST_CONTROL, MOST_MORE
from biaslab.studies.study import LARGEST_SEED
from biaslab.ui.widgets.address import Parameter, choice, integer

JUDGE, FILES, RESULTS = "judge", "files", "results"
VIEWS = {JUDGE: "Judge texts", FILES: "Exchange files", RESULTS: "Results"}


def review_parameter() -> Parameter[str]:
    """The review that is open; empty for the list."""
    return Parameter("review", "", lambda text: text or None, resets=("view", "who", "text", "by"))


def view_parameter(views: Collection[str]) -> Parameter[str]:
    """What of the review is shown."""
    return choice("view", views, JUDGE, resets=("text",))


def who_parameter(people: int) -> Parameter[int]:
    """Who is judging, counted from 1; 0 while nobody said so."""
    return integer("who", 1 if people == 1 else 0, 1, people, resets=("text",))


def turn_parameter(total: int) -> Parameter[int]:
    """The text that is judged, in this reviewer's order; 0: the first that is not judged."""
    return integer("text", 0, 1, max(total, 1))


def stratum_parameter(names: Collection[str]) -> Parameter[str]:
    """What error rates are broken down by; empty for nothing."""
    return choice("by", names, "")


def control_parameter() -> Parameter[int]:
    """Texts of the control set of a new review."""
    return integer("control", CONTROL, 2, MOST_CONTROL)


def further_parameter() -> Parameter[int]:
    """Texts of a new review that are split."""
    return integer("more", MORE, 2, MOST_MORE)


def seed_parameter() -> Parameter[int]:
    """Seed of a new review."""
    return integer("review-seed", 1, 0, LARGEST_SEED)
