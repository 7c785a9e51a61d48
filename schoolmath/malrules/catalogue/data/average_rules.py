"""One average, or a part of one, given for another."""

from __future__ import annotations

from fractions import Fraction

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.data.averages import (
    GroupMeans,
    MeanOfList,
    MedianOfList,
    MissingValue,
    ModeOfList,
    RangeOfList,
    add_up,
    in_order,
    middle_of,
    most_common,
)
from schoolmath.malrules.catalogue.data.graphs import BarChart, Pictogram, TwoWayTable
from schoolmath.malrules.catalogue.writing import places_for, plain
from schoolmath.malrules.rules import mal_rule


@mal_rule("DA01")
def mode_for_mean(problem: MeanOfList | MedianOfList | GroupMeans) -> Working | None:
    """Gives the most common value; for groups, the mean of the larger one."""
    if isinstance(problem, GroupMeans):
        if problem.size == problem.other_size:
            return None
        pairs = (problem.size, problem.mean), (problem.other_size, problem.other_mean)
        size, mean = max(pairs)
        answer = plain(mean)
        return by_steps(
            answer,
            step("looks for what is most common: the larger group has {0}", size),
            step("takes the mean of the larger group, {0}", answer),
        )
    value = most_common(problem.values)
    if value is None:
        return None
    answer, times = plain(value), problem.values.count(value)
    return by_steps(
        answer,
        step("looks for the value that is there most often, {0} times", times),
        step("takes this value, {0}", answer),
    )


@mal_rule("DA02")
def median_for_mean(problem: MeanOfList | ModeOfList | MissingValue) -> Working:
    """Gives the middle value; where one is missing, of those that are known."""
    values = problem.known if isinstance(problem, MissingValue) else problem.values
    answer = plain(middle_of(sorted(values)))
    return by_steps(
        answer, in_order(values), step("takes the middle of the ordered values, {0}", answer)
    )


@mal_rule("DA03")
def maximum_for_mean(
    problem: MeanOfList
    | MedianOfList
    | ModeOfList
    | RangeOfList
    | GroupMeans
    | MissingValue
    | BarChart
    | Pictogram,
) -> Working | None:
    """Gives the largest value."""
    before: tuple[Step, ...]
    match problem:
        case GroupMeans():
            values: tuple[int, ...] = (problem.mean, problem.other_mean)
        case MissingValue():
            values = problem.known
        case BarChart() | Pictogram():
            values = problem.values
        case _:
            values = problem.values
    answer = plain(max(values))
    before = (step(f"looks for the largest among {places_for(len(values))}", *values),)
    return by_steps(answer, *before, step("takes the largest value, {0}", answer), key_step=1)


@mal_rule("DA04")
def sum_not_divided(
    problem: MeanOfList | GroupMeans | MissingValue | BarChart | Pictogram,
) -> Working | None:
    """Stops at the total."""
    match problem:
        case GroupMeans():
            first, second = problem.totals
            answer = plain(first + second)
            return by_steps(
                answer,
                step("finds the totals of both groups, {0} and {1}", first, second),
                step("adds both totals and gets {0}", answer),
                key_step=1,
            )
        case MissingValue():
            answer, count = plain(problem.total), len(problem.known) + 1
            words = "wants the total of all {0} values and nothing more"
            result = step(
                "multiplies the mean {0} by {1} and gets {2}", problem.mean, count, answer
            )
            return by_steps(answer, step(words, count), result)
        case BarChart() | Pictogram():
            if problem.asked != "difference":
                return None
            values = problem.chosen
        case _:
            values = problem.values
    answer = plain(sum(values))
    end = step("takes the total, {0}", answer)
    return by_steps(answer, add_up(values), end, key_step=1)


@mal_rule("DA05")
def median_without_ordering(problem: MedianOfList) -> Working:
    """Takes the middle of the list as it is given."""
    answer = plain(middle_of(problem.values))
    words = f"leaves the values as they stand: {places_for(len(problem.values))}"
    end = step("takes the middle of the list, {0}", answer)
    return by_steps(answer, step(words, *problem.values), end)


@mal_rule("DA06")
def midrange_for_median(problem: MedianOfList | MeanOfList | RangeOfList) -> Working:
    """Goes halfway between the smallest and the largest value."""
    low, high = min(problem.values), max(problem.values)
    answer = plain(Fraction(low + high, 2))
    return by_steps(
        answer,
        step("takes the smallest value {0} and the largest {1}", low, high),
        step("goes halfway between {0} and {1} and gets {2}", low, high, answer),
    )


@mal_rule("DA07")
def range_from_list_ends(problem: RangeOfList) -> Working:
    """Subtracts the ends of the list as it is given."""
    first, last = problem.values[0], problem.values[-1]
    answer = plain(abs(last - first))
    return by_steps(
        answer,
        step("takes the first value {0} and the last {1} of the list as given", first, last),
        step("finds how far apart {0} and {1} are and gets {2}", first, last, answer),
    )


@mal_rule("DA08")
def frequency_as_mode(problem: ModeOfList | TwoWayTable) -> Working:
    """Gives how often, not which value or what part."""
    if isinstance(problem, TwoWayTable):
        answer = Answer.number(problem.cell)
        return by_steps(
            answer,
            step("counts how many of the {0} there are", problem.row),
            step("takes the count, {0}", answer),
        )
    answer = Answer.number(problem.most)
    return by_steps(
        answer,
        step("counts how often each of {0} values is there", len(problem.values)),
        step("takes the largest count, {0}", answer),
        key_step=1,
    )


@mal_rule("DA09")
def drops_zeros(problem: MeanOfList | MedianOfList) -> Working | None:
    """Leaves the zeros out."""
    values = tuple(value for value in problem.values if value)
    if not values or len(values) == len(problem.values):
        return None
    leaves = step(f"leaves out the zeros and keeps {places_for(len(values))}", *values)
    if isinstance(problem, MedianOfList):
        answer = plain(middle_of(sorted(values)))
        return by_steps(answer, leaves, step("takes the middle of these in order, {0}", answer))
    total, answer = sum(values), plain(Fraction(sum(values), len(values)))
    words = "divides {0} by {1}, not by {2}, and gets {3}"
    result = step(words, total, len(values), len(problem.values), answer)
    return by_steps(answer, leaves, step("adds them to get {0}", total), result)
