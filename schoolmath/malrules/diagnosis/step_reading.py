"""Which intermediate result of a written solution went wrong first, and what may be behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.stories.chain import Deed, Edit, in_columns, reckon
from schoolmath.malrules.catalogue.stories.choices import places
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.diagnosis.calculations import (
    Calculation,
    StatedNumber,
    exactly,
    is_other,
    read_calculations,
)
from schoolmath.malrules.diagnosis.diagnosing import diagnose
from schoolmath.malrules.diagnosis.slips import OFFSETS
from schoolmath.malrules.rules import rules


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
    value: Fraction | None,
    names: tuple[str, ...],
    slip: bool,
    sentence: str,
    why: str,
    miscalculated: bool = False,
) -> StepReading:
    """A step that went wrong, and what reproduces it."""
    rules = tuple(sorted(names))
    expected = story.amounts[step + 1]
    return StepReading(True, step, expected, value, rules, slip, sentence, why, miscalculated)


# Step reading of a solution that states amounts and writes no calculation.


def by_statements(story: Story, statements: Sequence[StatedNumber], step: int = 0) -> StepReading:
    """No calculation is written: the amounts that are stated are followed instead.

    Args:
        story: the problem.
        statements: the amounts, in the order of the text.
        step: so many steps were found right before.
    """
    given = {Fraction(each) for each in story.numbers_in_text}
    new = [each for each in statements if each.value not in given]
    if not new:
        if not statements:
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


def _stated_wrong(story: Story, step: int, stated: StatedNumber) -> StepReading:
    """An amount that is none of the right ones: the next step's, where a rule gives it there."""
    if step == len(story.operations):
        return unclear_reading(f"What {stated.value} is, after the right result, is unclear.")
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
    return unclear_reading(f"Which step {stated.value} belongs to is not clear from the text.")


_WHOLE_TEXT = ("WP02", "WP12", "WP13")
"""Rules that show in one calculation with numbers of the text that follow no plan."""


def first_wrong_step(problem: Story, text: str) -> StepReading:
    """Aligns what a solution calculates with the steps that the problem needs.

    Args:
        problem: the story.
        text: reasoning and answer, as written.
    """
    said = read_calculations(text)
    calculations = [each for each in said if isinstance(each, Calculation)]
    if calculations:
        after = [
            each
            for each in said
            if isinstance(each, StatedNumber) and each.start > calculations[-1].start
        ]
        return _by_calculations(problem, calculations, after)
    return by_statements(problem, [each for each in said if isinstance(each, StatedNumber)])


def _by_calculations(
    story: Story, calculations: Sequence[Calculation], after: Sequence[StatedNumber]
) -> StepReading:
    step, amounts = 0, story.amounts
    for calculation in calculations:
        reading, step = _follow(story, calculation, step)
        if reading is not None:
            return reading
    if step == len(story.operations):
        return StepReading(
            True, None, None, None, (), False, "", "Every step is there with its right result."
        )
    known = {Fraction(each) for each in (*story.numbers_in_text, *amounts[: step + 1])}
    if step and any(each.value not in known for each in after):
        return by_statements(story, [each for each in after if each.value not in known], step)
    if step == 0:
        return unclear_reading(
            "None of the calculations in the text is one that the problem needs."
        )
    if step == len(story.operations) - 1:
        last = calculations[-1]
        return StepReading(
            True, step, amounts[-1], Fraction(amounts[step]), ("WP03",), False, last.sentence,
            f"The working ends with {amounts[step]}; step {step + 1} is not done.",
        )  # fmt: skip
    return unclear_reading(f"The working is right up to step {step}; the rest is not written out.")


def _follow(story: Story, calculation: Calculation, step: int) -> tuple[StepReading | None, int]:
    """Goes through one calculation; gives a reading where it leaves the right way."""
    if step == len(story.operations):
        return None, step
    whole = _whole_text(story, calculation, step)
    if whole is not None:
        return whole, step
    value, pieces = (
        calculation.operands[0],
        list(zip(calculation.operations, calculation.operands[1:], strict=True)),
    )
    again = _repeats(story, calculation, step)
    if again:
        return None, step
    for place, (operation, number) in enumerate(pieces):
        if step == len(story.operations):
            break
        last = place == len(pieces) - 1
        result = calculation.result if last else exactly(operation, value, number)
        reading = _one(story, step, operation, value, number, result, calculation.sentence)
        if isinstance(reading, StepReading):
            return reading, step
        step += reading
        if result is None:
            result = exactly(operation, value, number)
        if result is None:
            return None, step
        value = result
    return None, step


def _repeats(story: Story, calculation: Calculation, step: int) -> bool:
    """Whether the calculation says once more what an earlier step was."""
    return any(
        calculation.operations == (story.operations[index],)
        and calculation.operands == (Fraction(story.amounts[index]), Fraction(story.numbers[index]))
        and calculation.result == story.amounts[index + 1]
        for index in range(step)
    )


def _one(
    story: Story,
    step: int,
    operation: str,
    left: Fraction,
    right: Fraction,
    result: Fraction | None,
    sentence: str,
) -> StepReading | int:
    """What one calculation is at this step: right (1), something else (0), or wrong."""
    amounts = story.amounts
    have, number = Fraction(amounts[step]), Fraction(story.numbers[step])
    if operation in "+*" and (left, right) == (number, have):
        left, right = right, left
    needed = story.operations[step]
    turned = (left, right) == (number, have) and operation != needed
    if (left, right) != (have, number) and not turned:
        return _elsewhere(story, step, operation, left, right, result, sentence)
    exact = exactly(operation, left, right)
    found = exact if result is None else result
    if operation != needed:
        return _other_operation(story, step, operation, left, right, found, sentence)
    if found == amounts[step + 1]:
        return 1
    return _wrong_number(story, step, found, exact, sentence)


def _elsewhere(
    story: Story,
    step: int,
    operation: str,
    left: Fraction,
    right: Fraction,
    result: Fraction | None,
    sentence: str,
) -> StepReading | int:
    """A calculation that is not this step's: a later one (this is left out), or none."""
    have = Fraction(story.amounts[step])
    for later in range(step + 1, len(story.operations)):
        number = Fraction(story.numbers[later])
        if (left, right) == (have, number) or (
            operation in "+*" and (left, right) == (number, have)
        ):
            return reading_at(
                story, step, have, ("WP04",), False, sentence,
                f"The number {story.numbers[step]} of step {step + 1} is not used before "
                f"step {later + 1} is done.",
            )  # fmt: skip
    number = Fraction(story.numbers[step])
    spare = {Fraction(each) for each in story.irrelevant}
    if {left, right} & spare and have in (left, right):
        return reading_at(
            story, step, result, ("WP16",), False, sentence,
            f"A number that does not matter is counted in at step {step + 1}.",
        )  # fmt: skip
    after = story.numbers[step + 1 : step + 2]
    if (
        "WP07" in rules_at(story, step)
        and left == number
        and tuple(map(Fraction, after)) == (right,)
    ):
        return reading_at(
            story, step, number, ("WP07",), False, sentence,
            f"The number {story.numbers[step]} of the comparison is taken for an amount.",
        )  # fmt: skip
    if number in (left, right):
        return reading_at(
            story, step, result, (), False, sentence,
            f"Step {step + 1} starts from another number than {story.amounts[step]}.",
        )  # fmt: skip
    return 0


def _other_operation(
    story: Story,
    step: int,
    operation: str,
    left: Fraction,
    right: Fraction,
    value: Fraction | None,
    sentence: str,
) -> StepReading:
    """Another operation than is needed, and apart from that whether its number is right."""
    exact = exactly(operation, left, right)
    names = {
        rule
        for rule, edit in rules_at(story, step).items()
        if edit.deed is Deed.OPERATION and edit.operation == operation
    }
    if left == story.numbers[step] != right and len(story.numbers_in_text) == 2:
        # Taken the other way round the numbers may as well follow no step.
        names |= _together(story, exact)
    why = f"Step {step + 1} needs {story.operations[step]} and the text has {operation}."
    miscalculated = is_other(value, exact)
    if miscalculated:
        gives = f"is {Answer.number(exact).shown}" if exact is not None else "gives nothing"
        why += (
            f" Its number is wrong as well: {left} {operation} {right} {gives}, and the text has "
            f"{'none' if value is None else Answer.number(value).shown}."
        )
    return reading_at(
        story, step, value, tuple(names), False, sentence, why, miscalculated=miscalculated
    )


def _together(story: Story, result: Fraction | None) -> set[str]:
    """Rules that take the numbers of the text together, and come to this result."""
    return {
        rule
        for rule in _WHOLE_TEXT
        if any(worked.answer.value == result for worked in rules()[rule].run(story))
    }


def _wrong_number(
    story: Story, step: int, value: Fraction | None, exact: Fraction | None, sentence: str
) -> StepReading:
    have, number = Fraction(story.amounts[step]), story.numbers[step]
    columns = in_columns(story.operations[step], have, number)
    names = tuple(
        rule
        for rule, edit in rules_at(story, step).items()
        if edit.deed is Deed.COLUMNS and columns == value
    )
    slipped = exact is not None and value is not None and value - exact in OFFSETS
    return reading_at(
        story, step, value, names, slipped, sentence,
        f"The calculation of step {step + 1} is the right one and its result is wrong.",
    )  # fmt: skip


def _whole_text(story: Story, calculation: Calculation, step: int) -> StepReading | None:
    """A calculation with the bare numbers of the text, in no order of the story."""
    result = calculation.result
    if step or result is None or result == story.amounts[-1]:
        return None
    given = sorted(Fraction(each) for each in story.numbers_in_text)
    everything = sorted(calculation.operands) == given and len(set(calculation.operations)) == 1
    ends = calculation.operations == ("-",) and calculation.operands == (given[-1], given[0])
    if not (everything and len(given) > 2) and not (ends and len(given) > 2):
        return None
    if ends and calculation.operands == (Fraction(story.start), Fraction(story.numbers[0])):
        return None  # It may be the first step as well.
    names = _together(story, result)
    if not names:
        return None
    return StepReading(
        True, None, story.amounts[-1], result, tuple(sorted(names)), False, calculation.sentence,
        "The numbers of the text are taken together without the steps of the story.",
    )  # fmt: skip
