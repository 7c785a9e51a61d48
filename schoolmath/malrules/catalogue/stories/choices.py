"""Mal-rules of stories: the wrong operation, a step left out, numbers taken without the plan.

`places` says for each rule at the steps of a story at which of them it can strike and what is done
there. A rule that can strike at several gives the work of somebody who does it everywhere, and then
of somebody who does it at one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import prod

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.stories.chain import (
    COMPARISON,
    RATE,
    REVERSED,
    TRANSFER,
    UNDONE,
    Deed,
    Edit,
    clause_of,
    comparison_word,
    is_multiplicative_comparison,
    reckon,
    work,
)
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.catalogue.stories.told import ToldStory
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.logic import Operation

_TIMES = (Operation.MULTIPLY, Operation.DIVIDE)
_AS_DIFFERENCE = {Operation.MULTIPLY: Operation.ADD, Operation.DIVIDE: Operation.SUBTRACT}
_WHERE_ONE_IS_ENOUGH = ("WP03", "WP04", "WP07")
"""Rules that are not done everywhere at once: one statement is left out, or read as all."""
_WHOLE_STORY = ("WP17",)
"""Rules that are done everywhere or not at all."""
_WRITTEN = ("WP14", "WP15")
"""Rules of the written procedures, which give the right answer where nothing is carried."""


@lru_cache(maxsize=4096)
def places(story: Story) -> Mapping[str, Mapping[int, Edit]]:
    """For each rule of this module, what is done at the steps where it can strike."""
    found: dict[str, dict[int, Edit]] = {}
    for index in story.steps:
        for rule, edit in _at(story, index).items():
            found.setdefault(rule, {})[index] = edit
    return found


def _at(story: Story, index: int) -> dict[str, Edit]:
    operation, concept = story.operations[index], story.concepts[index]
    found: dict[str, Edit] = {}
    if concept == COMPARISON:
        if story.inconsistent(index):
            keyword = story.keywords[index]
            found["WP01"] = _choose(keyword, f"sees “{comparison_word(keyword)}”,")
        found["WP07"] = Edit(Deed.ASSIGN)
    if concept == TRANSFER:
        aside = "takes a gain for a loss," if operation == "+" else "takes a loss for a gain,"
        found["WP05"] = _choose(REVERSED[operation], aside)
    if concept == UNDONE:
        found["WP17"] = _choose(REVERSED[operation], "does what the story tells,")
    if is_multiplicative_comparison(story, index):
        found["WP08"] = _choose(_AS_DIFFERENCE[operation], "takes “times” for a difference,")
    if concept in (COMPARISON, RATE) and operation in _TIMES:
        swapped = REVERSED[operation]
        shown = "to multiply" if swapped == Operation.MULTIPLY else "to divide"
        found["WP09"] = _choose(swapped, f"chooses {shown},")
    if concept == RATE and operation == Operation.MULTIPLY:
        found["WP10"] = _choose(Operation.ADD, "passes over “each”,")
    if operation == Operation.ADD:
        found["WP14"] = Edit(Deed.COLUMNS, aside="writes the ones of every column,")
    if operation == Operation.SUBTRACT:
        found["WP15"] = Edit(
            Deed.COLUMNS, aside="goes from the larger digit to the smaller in each column,"
        )
    if len(story.operations) > 1:
        found["WP03" if index == story.steps[-1] else "WP04"] = Edit(Deed.SKIP)
    return found


def _choose(operation: str, aside: str) -> Edit:
    return Edit(Deed.OPERATION, operation, aside=aside)


def works(story: Story, rule: str) -> tuple[Working, ...]:
    """What a rule of this module gives: done everywhere, then at one step each.

    Where a written procedure has nothing to carry or borrow it gives nothing.
    """
    spots = places(story).get(rule, {})
    ways: list[Mapping[int, Edit]] = [{index: edit} for index, edit in spots.items()]
    if len(spots) > 1 and rule not in _WHERE_ONE_IS_ENOUGH:
        ways.insert(0, spots)
    if rule in _WHOLE_STORY:
        ways = ways[:1]
    given = distinct([work(story, way) for way in ways])
    if rule in _WRITTEN:
        right = story.amounts[-1]
        given = tuple(each for each in given if each.answer.value != right)
    return given


def distinct(works: list[Working | None]) -> tuple[Working, ...]:
    """The first work for each answer, in order."""
    found: dict[object, Working] = {}
    for worked in works:
        if worked is not None:
            found.setdefault(worked.answer.value, worked)
    return tuple(found.values())


@mal_rule("WP01")
def keyword_reversal(problem: Story) -> tuple[Working, ...]:
    """Does what the relational word names where the comparison goes the other way."""
    return works(problem, "WP01")


@mal_rule("WP03")
def stops_early(problem: Story | ToldStory) -> Working | tuple[Working, ...] | None:
    """Answers with the last intermediate result."""
    if isinstance(problem, ToldStory):
        return problem.one_step_early()
    return works(problem, "WP03")


@mal_rule("WP04")
def skips_a_step(problem: Story) -> tuple[Working, ...]:
    """Leaves out one statement before the last."""
    return works(problem, "WP04")


@mal_rule("WP05")
def transfer_reversed(problem: Story) -> tuple[Working, ...]:
    """Adds what was given away, or takes away what was received."""
    return works(problem, "WP05")


@mal_rule("WP07")
def relation_as_assignment(problem: Story) -> tuple[Working, ...]:
    """Reads "6 more than Ben" as "has 6"."""
    return works(problem, "WP07")


@mal_rule("WP08")
def times_as_more(problem: Story) -> tuple[Working, ...]:
    """Treats a multiplicative comparison as an additive one."""
    return works(problem, "WP08")


@mal_rule("WP09")
def inverse_multiplication(problem: Story | ToldStory) -> Working | tuple[Working, ...] | None:
    """Multiplies where the story divides, or the reverse."""
    if isinstance(problem, ToldStory):
        return problem.turned_round()
    return works(problem, "WP09")


@mal_rule("WP10")
def rate_added(problem: Story) -> tuple[Working, ...]:
    """Adds the groups and the size of a group."""
    return works(problem, "WP10")


@mal_rule("WP14")
def forgot_carry(problem: Story | ToldStory) -> Working | tuple[Working, ...] | None:
    """Drops the carries of the additions."""
    if isinstance(problem, ToldStory):
        return problem.columns_alone("+", "writes the ones of every column,")
    return works(problem, "WP14")


@mal_rule("WP15")
def smaller_from_larger_in_story(
    problem: Story | ToldStory,
) -> Working | tuple[Working, ...] | None:
    """Takes the smaller digit from the larger in the subtractions."""
    if isinstance(problem, ToldStory):
        return problem.columns_alone("-", "goes from the larger digit to the smaller,")
    return works(problem, "WP15")


@mal_rule("WP17")
def story_order(problem: Story) -> tuple[Working, ...]:
    """Does what the story tells although its start is asked."""
    return works(problem, "WP17")


def _listed(numbers: tuple[int, ...], template: str, *last: object) -> Step:
    """A clause in which ``@`` stands for a list of numbers."""
    marks = [f"{{{place}}}" for place in range(len(numbers))]
    shown = " and ".join([", ".join(marks[:-1]), marks[-1]] if len(marks) > 1 else marks)
    for offset in range(len(last)):
        template = template.replace("?", f"{{{len(numbers) + offset}}}", 1)
    return step(template.replace("@", shown), *numbers, *last)


@mal_rule("WP02")
def add_all(problem: Story | ToldStory) -> Working | None:
    """Adds every number in the text."""
    numbers = problem.numbers_in_text
    total = sum(numbers)
    return by_steps(
        Answer.number(total),
        _listed(numbers, "takes the numbers @ out of the text"),
        _listed(numbers, "adds @ and gets ?", total),
        key_step=1,
    )


@mal_rule("WP13")
def multiply_all(problem: Story | ToldStory) -> Working | None:
    """Multiplies every number in the text."""
    numbers = problem.numbers_in_text
    product = prod(numbers)
    return by_steps(
        Answer.number(product),
        _listed(numbers, "takes the numbers @ out of the text"),
        _listed(numbers, "multiplies @ and gets ?", product),
        key_step=1,
    )


@mal_rule("WP12")
def largest_minus_smallest(problem: Story | ToldStory) -> Working | None:
    """Subtracts the smallest number in the text from the largest."""
    largest, smallest = max(problem.numbers_in_text), min(problem.numbers_in_text)
    return by_steps(
        Answer.number(largest - smallest),
        step("picks the largest number, {0}, and the smallest, {1}", largest, smallest),
        step("takes {0} from {1} and gets {2}", smallest, largest, largest - smallest),
        key_step=1,
    )


@mal_rule("WP11")
def repeats_a_number(problem: Story | ToldStory) -> tuple[Working, ...]:
    """Gives a number from the text."""
    return distinct(
        [
            by_steps(
                Answer.number(number),
                step("finds {0} in the text and gives {0} as the answer", number),
            )
            for number in problem.numbers_in_text
        ]
    )


@mal_rule("WP06")
def wrong_agent(problem: Story) -> tuple[Working, ...]:
    """Answers for somebody else whose amount is known at the end."""
    amounts: dict[str, int] = dict(zip(problem.bystanders, problem.bystander_amounts, strict=True))
    ways: dict[str, list[Step]] = {
        name: [step(f"reads that {name} has {{0}}", amount)] for name, amount in amounts.items()
    }
    reached = problem.amounts
    amounts[problem.agents[0]] = reached[0]
    ways[problem.agents[0]] = [step("starts with {0}", reached[0])]
    for index in problem.steps:
        before, agent, other = (
            problem.agents[index],
            problem.agents[index + 1],
            problem.others[index],
        )
        operation, number = problem.operations[index], problem.numbers[index]
        clause = clause_of(
            operation, Fraction(reached[index]), number, Fraction(reached[index + 1])
        )
        ways[agent] = [*ways.get(before, []), clause]
        amounts[agent] = reached[index + 1]
        if other in amounts and problem.concepts[index] == TRANSFER:
            back = Operation.SUBTRACT if operation == Operation.ADD else Operation.ADD
            left = Fraction(amounts[other])
            result = reckon(back, left, number)
            assert result is not None  # only a division can be undefined
            amounts[other] = int(result)
            ways[other] = [*ways[other], clause_of(back, left, number, result)]
    asked = problem.agents[-1]
    return distinct(
        [
            by_steps(
                Answer.number(amount),
                *ways[name],
                step(f"answers for {name}, who has {{0}}, and not for {asked}", amount),
                key_step=len(ways[name]),
            )
            for name, amount in amounts.items()
            if name and name != asked and _is_person_of_the_end(problem, name)
        ]
    )


def _is_person_of_the_end(problem: Story, name: str) -> bool:
    """Somebody else of the same story: compared with, or part of a transfer."""
    told = COMPARISON in problem.concepts or name in problem.others
    return told or name in problem.bystanders


@mal_rule("WP16")
def irrelevant_number(problem: Story) -> tuple[Working, ...]:
    """Counts in a number that does not matter, at the start or as the first step does."""
    found: list[Working | None] = []
    for extra in problem.irrelevant:
        for operation in dict.fromkeys((Operation.ADD, problem.operations[0])):
            begun = reckon(operation, Fraction(problem.start), extra)
            if begun is not None:
                found.append(_go_on(problem, operation, extra, begun))
    return distinct(found)


def _go_on(problem: Story, operation: str, extra: int, begun: Fraction) -> Working | None:
    """The chain from a start that the number that does not matter has changed."""
    aside = "counts in a number that does not matter,"
    clauses = [clause_of(operation, Fraction(problem.start), extra, begun, aside)]
    amount = begun
    for index in problem.steps:
        done = reckon(problem.operations[index], amount, problem.numbers[index])
        if done is None:
            return None
        clauses.append(clause_of(problem.operations[index], amount, problem.numbers[index], done))
        amount = done
    return Working(Answer.number(amount), tuple(clauses))
