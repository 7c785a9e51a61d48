"""What goes wrong with one chance, with runs of results and with expected numbers."""

from __future__ import annotations

from fractions import Fraction

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.chance.choices import OutfitAtRandom
from schoolmath.malrules.catalogue.chance.comparing_bags import BagComparison
from schoolmath.malrules.catalogue.chance.compound_chances import (
    PairOnTwoDice,
    SumOfTwoDice,
    TwoChances,
)
from schoolmath.malrules.catalogue.chance.joined_events import EitherOfTwo, MoreDetail
from schoolmath.malrules.catalogue.chance.repeated_trials import AtLeastOne, TwoMarbles
from schoolmath.malrules.catalogue.chance.runs_of_results import ExpectedRemaining, NextInRun
from schoolmath.malrules.catalogue.chance.single_chances import MarbleDraw, NotOnDie
from schoolmath.malrules.catalogue.exact_writing import plain
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step


@mal_rule("PR01")
def part_to_part(
    problem: (
        MarbleDraw
        | NotOnDie
        | NextInRun
        | SumOfTwoDice
        | PairOnTwoDice
        | TwoChances
        | TwoMarbles
        | AtLeastOne
        | EitherOfTwo
    ),
) -> Worked | None:
    """Divides the favourable by the others, and not by all; of two chances each."""
    match problem:
        case TwoChances():
            return _both_part_to_part(problem.first, problem.second)
        case TwoMarbles():
            red, total = problem.red, problem.total
            return _both_part_to_part((red, total), (red - 1, total - 1))
    fit, others = problem.odds
    value = Fraction(fit, others)
    answer = Answer.label(str(value)) if isinstance(problem, NextInRun) else Answer.number(value)
    return Worked(
        answer,
        (
            step("counts {0} that fit and {1} others", fit, others),
            step("divides {0} by the {1} others and gets {2}", fit, others, answer),
        ),
        key_step=1,
    )


@mal_rule("PR03")
def fifty_fifty(
    problem: (
        MarbleDraw
        | NotOnDie
        | NextInRun
        | SumOfTwoDice
        | PairOnTwoDice
        | TwoChances
        | TwoMarbles
        | AtLeastOne
        | OutfitAtRandom
        | EitherOfTwo
        | BagComparison
        | MoreDetail
    ),
) -> Worked | None:
    """Sees two outcomes, this or not this, and holds them to be equally likely."""
    seen = step("counts two outcomes, yes and no")
    if isinstance(problem, BagComparison | MoreDetail):
        return Worked(
            Answer.label("equal"),
            (seen, step("gives everything the same chance and answers equal")),
            key_step=1,
        )
    half = Fraction(1, 2)
    answer = Answer.label(str(half)) if isinstance(problem, NextInRun) else Answer.number(half)
    shared = step("gives each of the {0} outcomes the same chance, {1}", 2, answer)
    return Worked(answer, (seen, shared))


@mal_rule("PR04")
def equally_likely_sums(problem: SumOfTwoDice | MarbleDraw) -> Worked | None:
    """Holds all sums to be equally likely, or all colours where there are three or more."""
    if isinstance(problem, MarbleDraw):
        colours = len(problem.colours)
        if colours == 2:
            return None
        fit = colours - 1 if problem.negated else 1
        named = step("counts the colours: {0}", colours)
    else:
        colours, fit = 2 * problem.sides - 1, 1
        named = step("counts the sums from {0} to {1}: {2}", 2, 2 * problem.sides, colours)
    answer = Answer.number(Fraction(fit, colours))
    return Worked(
        answer,
        (
            named,
            step("holds these {0} to be equally likely", colours),
            step("takes {0} of {1}: {2}", fit, colours, answer),
        ),
        key_step=1,
    )


@mal_rule("PR09")
def complement_forgotten(problem: NotOnDie | MarbleDraw | AtLeastOne) -> Worked | None:
    """Gives the probability of the contrary and forgets to subtract it from 1."""
    if isinstance(problem, MarbleDraw) and not problem.negated:
        return None
    fit, others = problem.odds
    answer = Answer.number(Fraction(others, fit + others))
    contrary = (
        "of none at all" if isinstance(problem, AtLeastOne) else "as if the word not were missing"
    )
    return Worked(
        answer,
        (
            step(f"works out the probability {contrary}"),
            step("takes {0}, of {1} in all, and answers {2}", others, fit + others, answer),
        ),
        key_step=1,
    )


@mal_rule("PR10")
def due_after_a_run(problem: NextInRun) -> Worked | None:
    """Holds what has not come for long to be due."""
    chance = f"1/{problem.sides}"
    return Worked(
        Answer.label(f"more than {chance}"),
        (
            step("sees that it has not come in {0} results", problem.run),
            step("thinks that it is due now to make up the balance"),
            step("answers more than {0}", chance),
        ),
        key_step=1,
    )


@mal_rule("PR11")
def expected_total(problem: ExpectedRemaining) -> Worked | None:
    """Gives the expected number of all picks."""
    return Worked(
        plain(problem.expected),
        (
            step("takes {0} of all {1}", problem.chance, problem.picks),
            step("answers {0} and leaves the first half out", problem.expected),
        ),
        key_step=1,
    )


@mal_rule("PR12")
def half_of_expected(problem: ExpectedRemaining) -> Worked | None:
    """Gives the expected number of the second half, rounded, whatever came in the first."""
    half = problem.picks // 2
    exact = Fraction(half * problem.top, problem.bottom)
    # Half up, as at school.
    rounded = (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)
    taken = step("takes {0} of the second {1}", problem.chance, half)
    if rounded == exact:
        return Worked(plain(rounded), (taken, step("answers {0}", rounded)))
    return Worked(
        plain(rounded), (taken, step("rounds {0} and answers {1}", plain(exact), rounded))
    )


@mal_rule("PR13")
def repeats_the_first(problem: ExpectedRemaining | NextInRun) -> Worked | None:
    """Expects what came before to come again."""
    if isinstance(problem, NextInRun):
        chance = f"1/{problem.sides}"
        return Worked(
            Answer.label(f"less than {chance}"),
            (
                step("sees that it has not come in {0} results", problem.run),
                step("thinks that things will go on as before"),
                step("answers less than {0}", chance),
            ),
            key_step=1,
        )
    return Worked(
        plain(problem.first),
        (
            step("reads that {0} came in the first half", problem.first),
            step("expects the same again and answers {0}", problem.first),
        ),
        key_step=1,
    )


def _both_part_to_part(first: tuple[int, int], second: tuple[int, int]) -> Worked:
    left, right = (
        Fraction(first[0], first[1] - first[0]),
        Fraction(second[0], second[1] - second[0]),
    )
    answer = Answer.number(left * right)
    words = "divides {0} by the {1} others and gets {2}"
    return Worked(
        answer,
        (
            step(words, first[0], first[1] - first[0], left),
            step(words, second[0], second[1] - second[0], right),
            step("multiplies {0} by {1} and gets {2}", left, right, answer),
        ),
    )
