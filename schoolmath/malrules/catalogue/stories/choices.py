"""Mal-rules at the steps of a story: the wrong operation, a step left out or misread.

`places` says for each of these rules at which steps it can strike and what is done there. A
rule that can strike at several steps gives the work of somebody who does it everywhere, and
then of somebody who does it at one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from schoolmath.malrules.catalogue.stories.chain import COMPARISON, RATE, REVERSED, TRANSFER, UNDONE
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.catalogue.stories.working import (
    Deed,
    Edit,
    comparison_word,
    is_multiplicative_comparison,
    work,
)
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked
from schoolmath.problems.solving import Operation

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


def works(story: Story, rule: str) -> tuple[Worked, ...]:
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


def distinct(works: list[Worked | None]) -> tuple[Worked, ...]:
    """The first work for each answer, in order."""
    found: dict[object, Worked] = {}
    for worked in works:
        if worked is not None:
            found.setdefault(worked.answer.value, worked)
    return tuple(found.values())


@mal_rule("WP01")
def keyword_reversal(problem: Story) -> tuple[Worked, ...]:
    """Does what the relational word names where the comparison goes the other way."""
    return works(problem, "WP01")


@mal_rule("WP03")
def stops_early(problem: Story) -> tuple[Worked, ...]:
    """Answers with the last intermediate result."""
    return works(problem, "WP03")


@mal_rule("WP04")
def skips_a_step(problem: Story) -> tuple[Worked, ...]:
    """Leaves out one statement before the last."""
    return works(problem, "WP04")


@mal_rule("WP05")
def transfer_reversed(problem: Story) -> tuple[Worked, ...]:
    """Adds what was given away, or takes away what was received."""
    return works(problem, "WP05")


@mal_rule("WP07")
def relation_as_assignment(problem: Story) -> tuple[Worked, ...]:
    """Reads "6 more than Ben" as "has 6"."""
    return works(problem, "WP07")


@mal_rule("WP08")
def times_as_more(problem: Story) -> tuple[Worked, ...]:
    """Treats a multiplicative comparison as an additive one."""
    return works(problem, "WP08")


@mal_rule("WP09")
def inverse_multiplication(problem: Story) -> tuple[Worked, ...]:
    """Multiplies where the story divides, or the reverse."""
    return works(problem, "WP09")


@mal_rule("WP10")
def rate_added(problem: Story) -> tuple[Worked, ...]:
    """Adds the groups and the size of a group."""
    return works(problem, "WP10")


@mal_rule("WP14")
def forgot_carry(problem: Story) -> tuple[Worked, ...]:
    """Drops the carries of the additions."""
    return works(problem, "WP14")


@mal_rule("WP15")
def smaller_from_larger_in_story(problem: Story) -> tuple[Worked, ...]:
    """Takes the smaller digit from the larger in the subtractions."""
    return works(problem, "WP15")


@mal_rule("WP17")
def story_order(problem: Story) -> tuple[Worked, ...]:
    """Does what the story tells although its start is asked."""
    return works(problem, "WP17")
