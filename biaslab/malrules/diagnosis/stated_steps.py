"""Step reading of a solution that states amounts and writes no calculation."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from biaslab.malrules.answers import Answer
from biaslab.malrules.catalogue.stories.problems import Story
from biaslab.malrules.catalogue.stories.working import Deed, in_columns, reckon
from biaslab.malrules.diagnosis.calculations import Stated
from biaslab.malrules.diagnosis.diagnosing import diagnose
from biaslab.malrules.diagnosis.slips import OFFSETS
from biaslab.malrules.diagnosis.step_findings import (
    StepReading,
    reading_at,
    rules_at,
    unclear_reading,
)


def by_statements(story: Story, said: Sequence[Stated], step: int = 0) -> StepReading:
    """No calculation is written: the amounts that are stated are followed instead.

    Args:
        story: the problem.
        said: the amounts, in the order of the text.
        step: so many steps were found right before.
    """
    given = {Fraction(each) for each in story.numbers_in_text}
    new = [each for each in said if each.value not in given]
    if not new:
        if not said:
            return unclear_reading("There is no number in the text.")
        return unclear_reading("The text states only numbers that stand in the problem already.")
    amounts = [Fraction(each) for each in story.amounts]
    for stated in new:
        ahead = [index for index in story.steps[step:] if amounts[index + 1] == stated.value]
        if ahead:
            step = ahead[0] + 1
            continue
        if stated.value in amounts[1 : step + 1]:
            continue
        return _stated_wrong(story, step, stated)
    if step == len(story.operations):
        return StepReading(
            True, None, None, None, (), False, "", "Every amount that is stated is right."
        )
    return StepReading(
        True, step, int(amounts[step + 1]), amounts[step],
        ("WP03",) if step == len(story.operations) - 1 else (), False, new[-1].sentence,
        f"The last amount stated is {new[-1].value}; step {step + 1} is not done.",
    )  # fmt: skip


def _stated_wrong(story: Story, step: int, stated: Stated) -> StepReading:
    """An amount that is none of the right ones: the next step's, where a rule gives it there."""
    if step == len(story.operations):
        return unclear_reading(f"What {stated.value} is, after the right result, cannot be told.")
    have, number = Fraction(story.amounts[step]), story.numbers[step]
    names = []
    for rule, edit in rules_at(story, step).items():
        if edit.deed is Deed.OPERATION:
            result = reckon(edit.operation, have, number)
        elif edit.deed is Deed.COLUMNS:
            result = in_columns(story.operations[step], have, number)
        else:
            continue
        if result == stated.value:
            names.append(rule)
    slip = stated.value - story.amounts[step + 1] in OFFSETS
    if names or slip:
        return reading_at(
            story, step, stated.value, tuple(names), slip, stated.sentence,
            f"Step {step + 1} gives {story.amounts[step + 1]} and the text has {stated.value}.",
        )  # fmt: skip
    if step == len(story.operations) - 1:
        return reading_at(
            story, step, stated.value, (), False, stated.sentence,
            f"Step {step + 1} gives {story.amounts[step + 1]} and the text has {stated.value}.",
        )  # fmt: skip
    fitting = diagnose(story, Answer.number(stated.value)).single
    if fitting:
        return unclear_reading(
            f"Only {stated.value} is stated; as an answer it fits "
            f"{', '.join(each.rules[0] for each in fitting)}, but no step of it is written."
        )
    return unclear_reading(f"Which step {stated.value} belongs to cannot be told from the text.")
