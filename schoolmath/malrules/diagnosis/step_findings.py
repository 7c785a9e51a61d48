"""What is found when a written solution is read step by step."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from schoolmath.malrules.catalogue.stories.choices import places
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.catalogue.stories.working import Edit


@dataclass(frozen=True, slots=True)
class StepReading:
    """Where a written solution leaves the right way.

    Attributes:
        told: whether it can be told from the text where, or that nowhere.
        step: index of the first step that went wrong; None: none did, or it can't be told,
            or the solution follows no steps at all.
        expected: the right result of that step.
        found: the result in the text.
        rules: ids of every rule that reproduces it; empty: no known rule. Where another operation
            is done than is needed, those that do this operation, whatever number comes out.
        slip: the right calculation, and a result that is off as after a slip.
        sentence: the sentence of the text that shows it.
        why: what was found, as a sentence.
        miscalculated: another operation than is needed, and its number is wrong as well.
    """

    told: bool
    step: int | None
    expected: int | None
    found: Fraction | None
    rules: tuple[str, ...]
    slip: bool
    sentence: str
    why: str
    miscalculated: bool = False


def unclear_reading(why: str) -> StepReading:
    """It cannot be told from the text, and why."""
    return StepReading(False, None, None, None, (), False, "", why)


def rules_at(story: Story, step: int) -> dict[str, Edit]:
    """What each rule that can strike at a step does there."""
    return {rule: spots[step] for rule, spots in places(story).items() if step in spots}


def reading_at(
    story: Story,
    step: int,
    found: Fraction | None,
    names: tuple[str, ...],
    slip: bool,
    sentence: str,
    why: str,
    miscalculated: bool = False,
) -> StepReading:
    """A step that went wrong, and what reproduces it."""
    rules = tuple(sorted(names))
    expected = story.amounts[step + 1]
    return StepReading(True, step, expected, found, rules, slip, sentence, why, miscalculated)
