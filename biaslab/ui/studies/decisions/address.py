"""What stands in the address of the page Decision biases."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from biaslab.charts.decisions.profile import ProfileFigure
from biaslab.runs import RunRecord
from biaslab.studies.decisions.published import AVERAGE, RANDOM, published_biases
from biaslab.ui.widgets.address import Parameter, choice, flag, integer, several, typed

PROFILE, HEAT, BIAS, PUBLISHED, WRITE, FILL, FILES = (
    "profile", "models", "one", "published", "write", "fill", "files",
)  # fmt: skip
VIEWS = {
    PROFILE: "Profile",
    HEAT: "Models by biases",
    BIAS: "One bias",
    PUBLISHED: "Published",
    WRITE: "Write a bias",
    FILL: "Let a model write scenes",
    FILES: "Files",
}
MOST_FILLED = 200
"""Most scenes that a model is asked for at once."""


def view_parameter() -> Parameter[str]:
    """Which part of the page is shown."""
    return choice("view", VIEWS, PROFILE)


def figure_parameter() -> Parameter[str]:
    """Which figure of the biases the profile draws."""
    return choice("figure", tuple(map(str, ProfileFigure)), str(ProfileFigure.METRIC))


def beside_parameter() -> Parameter[list[str]]:
    """Which published columns stand beside."""
    names = list(dict.fromkeys(cell.model for cell in published_biases()))
    return several("beside", [AVERAGE, RANDOM, *names], ())


def largest_parameter() -> Parameter[bool]:
    """Whether rows are sorted by the first run's figure."""
    return flag("largest")


BY_NAME, BY_SIZE, ALIKE = "name", "largest", "alike"
ORDERS = {BY_NAME: "By name", BY_SIZE: "Largest first", ALIKE: "Alike together"}


def order_parameter() -> Parameter[str]:
    """In which order the heat map has its rows and columns."""
    return choice("order", ORDERS, BY_NAME)


def intervals_parameter() -> Parameter[bool]:
    """Whether the cells of the heat map have their intervals."""
    return flag("intervals")


def sizes_parameter() -> Parameter[str]:
    """Sizes or levels of the runs chosen, as typed: separated by commas, in their order."""
    return typed("sizes")


def bias_parameter(known: Collection[str]) -> Parameter[str]:
    """The bias that is shown, by id."""
    return choice("bias", known, next(iter(known)), ("scene",))


def focus_parameter(runs: Sequence[RunRecord]) -> Parameter[str]:
    """The run that one bias is shown of, of those chosen."""
    return choice("of", tuple(run.id for run in runs), runs[0].id, ("scene",))


def scene_parameter(scenes: int) -> Parameter[int]:
    """Which scene is shown, from 1."""
    return integer("scene", 1, 1, max(1, scenes))


def many_parameter() -> Parameter[int]:
    """How many scenes a model is asked for."""
    return integer("many", 5, 1, MOST_FILLED)
