"""What goes wrong with two chances together and with counting choices."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial, perm

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.chance.choices import OutfitAtRandom, Outfits, Prizes
from schoolmath.malrules.catalogue.chance.compound_chances import (
    PairOnTwoDice,
    SumOfTwoDice,
    TwoChances,
)
from schoolmath.malrules.catalogue.chance.joined_events import EitherOfTwo, MoreDetail
from schoolmath.malrules.catalogue.chance.repeated_trials import AtLeastOne, TwoMarbles
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step


@mal_rule("PR05")
def order_ignored(problem: PairOnTwoDice | SumOfTwoDice | Prizes) -> Worked | None:
    """Counts two orders of the same results once."""
    if isinstance(problem, Prizes):
        orders = factorial(problem.prizes)
        answer = Answer.number(comb(problem.runners, problem.prizes))
        return Worked(
            answer,
            (
                step("multiplies the choices and gets {0}", perm(problem.runners, problem.prizes)),
                step("counts the {0} orders of the same ones once", orders),
                step("divides by {0} and gets {1}", orders, answer),
            ),
            key_step=1,
        )
    ways = (problem.odds[0] + 1) // 2
    results = problem.sides**2
    answer = Answer.number(Fraction(ways, results))
    return Worked(
        answer,
        (
            step("counts {0} results of two dice", results),
            step("counts each pair of numbers once, in one order: {0}", ways),
            step("divides {0} by {1} and gets {2}", ways, results, answer),
        ),
        key_step=1,
    )


@mal_rule("PR06")
def adds_chances(
    problem: TwoChances | TwoMarbles | PairOnTwoDice | OutfitAtRandom,
) -> Worked | None:
    """Adds the probabilities of things that must all happen."""
    match problem:
        case TwoChances() | TwoMarbles():
            chances = [*problem.chances]
        case PairOnTwoDice():
            chances = [Fraction(1, problem.sides)] * 2
        case OutfitAtRandom():
            chances = [Fraction(1, count) for count in problem.counts]
    answer = Answer.number(sum(chances, Fraction(0)))
    terms = " + ".join(f"{{{place}}}" for place in range(len(chances)))
    return Worked(
        answer,
        (
            step("finds the probability of each of the {0} things by itself", len(chances)),
            step(f"adds them: {terms} = {{{len(chances)}}}", *chances, answer),
        ),
        key_step=1,
    )


@mal_rule("PR07")
def replacement_assumed(problem: TwoMarbles | Prizes) -> Worked | None:
    """Takes the same numbers each time, as if what was taken were put back."""
    if isinstance(problem, Prizes):
        ways = Answer.number(problem.runners**problem.prizes)
        factors = " × ".join(["{0}"] * problem.prizes)
        return Worked(
            ways,
            (
                step("lets every prize go to any of all {0}", problem.runners),
                step(f"multiplies {factors} = {{1}}", problem.runners, ways),
            ),
        )
    chance = problem.chances[0]
    answer = Answer.number(chance**2)
    return Worked(
        answer,
        (
            step("takes {0} of {1} for the first draw", problem.red, problem.total),
            step(
                "takes {0} of {1} for the second draw as for the first", problem.red, problem.total
            ),
            step("multiplies {0} by {0} and gets {1}", chance, answer),
        ),
        key_step=1,
    )


@mal_rule("PR08")
def chance_times_trials(problem: AtLeastOne | TwoMarbles) -> Worked | None:
    """Lets the chance grow in proportion to the number of trials."""
    if isinstance(problem, TwoMarbles):
        trials, chance = 2, problem.chances[0]
    else:
        trials, chance = problem.rolls, Fraction(1, problem.sides)
    answer = Answer.number(trials * chance)
    return Worked(
        answer,
        (
            step("finds the probability {0} for one time", chance),
            step("multiplies it by {0}, once for each time, and gets {1}", trials, answer),
        ),
        key_step=1,
    )


@mal_rule("PR14")
def adds_choices(problem: Outfits | OutfitAtRandom | Prizes) -> Worked | None:
    """Adds the numbers of choices."""
    counts = problem.left if isinstance(problem, Prizes) else problem.counts
    total = sum(counts)
    terms = " + ".join(f"{{{place}}}" for place in range(len(counts)))
    added = step(f"adds the numbers of choices: {terms} = {{{len(counts)}}}", *counts, total)
    if isinstance(problem, OutfitAtRandom):
        answer = Answer.number(Fraction(1, total))
        return Worked(answer, (added, step("takes {0} of {1}: {2}", 1, total, answer)))
    return Worked(Answer.number(total), (added, step("answers {0}", total)))


@mal_rule("PR15")
def overlap_counted_twice(problem: EitherOfTwo) -> Worked | None:
    """Adds both sorts and counts what is of both sorts twice."""
    both = problem.first + problem.second
    value = Fraction(both, problem.total)
    answer = Answer.number(value)
    return Worked(
        answer,
        (
            step("adds {0} and {1} and has {2}", problem.first, problem.second, both),
            step("leaves the {0} of both sorts counted twice", problem.both),
            step("divides {0} by {1} and gets {2}", both, problem.total, answer),
        ),
        key_step=1,
    )


@mal_rule("PR16")
def more_detail_likelier(problem: MoreDetail) -> Worked | None:
    """Holds the fuller story to be likelier."""
    return Worked(
        Answer.label("A and B"),
        (
            step(f"finds that it fits {problem.name} well that {problem.name} {problem.hobby}"),
            step("holds the fuller story to be likelier than a part of it"),
            step("answers A and B"),
        ),
        key_step=1,
    )
