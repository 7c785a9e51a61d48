"""Mal-rules that take the numbers of a story without its plan, or another person's amount."""

from __future__ import annotations

from fractions import Fraction
from math import prod

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.stories.chain import COMPARISON, TRANSFER
from schoolmath.malrules.catalogue.stories.choices import distinct
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.catalogue.stories.working import clause_of, reckon
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Step, Worked, step
from schoolmath.problems.solving import Operation


def _listed(numbers: tuple[int, ...], template: str, *last: object) -> Step:
    """A clause in which ``@`` stands for a list of numbers."""
    marks = [f"{{{place}}}" for place in range(len(numbers))]
    shown = " and ".join([", ".join(marks[:-1]), marks[-1]] if len(marks) > 1 else marks)
    for offset in range(len(last)):
        template = template.replace("?", f"{{{len(numbers) + offset}}}", 1)
    return step(template.replace("@", shown), *numbers, *last)


@mal_rule("WP02")
def add_all(problem: Story) -> Worked | None:
    """Adds every number in the text."""
    numbers = problem.numbers_in_text
    total = sum(numbers)
    return Worked(
        Answer.number(total),
        (
            _listed(numbers, "takes the numbers @ out of the text"),
            _listed(numbers, "adds @ and gets ?", total),
        ),
        key_step=1,
    )


@mal_rule("WP13")
def multiply_all(problem: Story) -> Worked | None:
    """Multiplies every number in the text."""
    numbers = problem.numbers_in_text
    product = prod(numbers)
    return Worked(
        Answer.number(product),
        (
            _listed(numbers, "takes the numbers @ out of the text"),
            _listed(numbers, "multiplies @ and gets ?", product),
        ),
        key_step=1,
    )


@mal_rule("WP12")
def largest_minus_smallest(problem: Story) -> Worked | None:
    """Subtracts the smallest number in the text from the largest."""
    largest, smallest = max(problem.numbers_in_text), min(problem.numbers_in_text)
    return Worked(
        Answer.number(largest - smallest),
        (
            step("picks the largest number, {0}, and the smallest, {1}", largest, smallest),
            step("takes {0} from {1} and gets {2}", smallest, largest, largest - smallest),
        ),
        key_step=1,
    )


@mal_rule("WP11")
def repeats_a_number(problem: Story) -> tuple[Worked, ...]:
    """Gives a number from the text."""
    return distinct(
        [
            Worked(
                Answer.number(number),
                (step("finds {0} in the text and gives {0} as the answer", number),),
            )
            for number in problem.numbers_in_text
        ]
    )


@mal_rule("WP06")
def wrong_agent(problem: Story) -> tuple[Worked, ...]:
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
            Worked(
                Answer.number(amount),
                (
                    *ways[name],
                    step(f"answers for {name}, who has {{0}}, and not for {asked}", amount),
                ),
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
def irrelevant_number(problem: Story) -> tuple[Worked, ...]:
    """Counts in a number that does not matter, at the start or as the first step does."""
    found: list[Worked | None] = []
    for extra in problem.irrelevant:
        for operation in dict.fromkeys((Operation.ADD, problem.operations[0])):
            begun = reckon(operation, Fraction(problem.start), extra)
            if begun is not None:
                found.append(_go_on(problem, operation, extra, begun))
    return distinct(found)


def _go_on(problem: Story, operation: str, extra: int, begun: Fraction) -> Worked | None:
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
    return Worked(Answer.number(amount), tuple(clauses))
