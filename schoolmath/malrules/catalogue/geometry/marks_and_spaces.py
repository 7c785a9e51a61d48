"""Marks counted where spaces between them are meant."""

from __future__ import annotations

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.data.graphs import BarChart
from schoolmath.malrules.catalogue.geometry.coordinates import PointMoved, write_point
from schoolmath.malrules.catalogue.geometry.measuring import ElapsedTime, RulerReading, write_time
from schoolmath.malrules.catalogue.geometry.rectangles import MeasuredRectangle, finish_rectangle
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step


@mal_rule("GM24")
def counts_marks(
    problem: RulerReading | MeasuredRectangle | ElapsedTime | PointMoved | BarChart,
) -> tuple[Worked, ...]:
    """Reads the end mark, or counts the marks and not the spaces between them.

    On a clock face the marks are those of every fifth minute; in the coordinate plane and in
    a bar chart the point or line to start from is counted as 1.
    """
    match problem:
        case RulerReading():
            found = _on_a_ruler(problem)
        case MeasuredRectangle():
            found = _two_sides(problem)
        case ElapsedTime():
            found = _on_a_clock(problem)
        case PointMoved():
            found = (_point(problem),)
        case BarChart():
            # A difference is the same wherever the counting begins.
            found = () if problem.asked == "difference" else (problem.read_lines(1),)
    return _different(found)


def _different(found: tuple[Worked, ...]) -> tuple[Worked, ...]:
    kept: list[Worked] = []
    for worked in found:
        if not any(worked.answer.same_as(each.answer) for each in kept):
            kept.append(worked)
    return tuple(kept)


def _on_a_ruler(problem: RulerReading) -> tuple[Worked, ...]:
    marks = problem.end - problem.start + 1
    ways = (
        (step("reads the mark at the end, {0}", problem.end), problem.end),
        (
            step("counts the marks from {0} to {1}", problem.start, problem.end),
            marks,
        ),
    )
    found = []
    for idea, length in ways:
        answer = Answer.number(length * problem.per_mark)
        end = step("gives {0}", answer)
        if problem.unit == "mm":
            end = step("multiplies {0} by {1} and gets {2}", length, problem.per_mark, answer)
        found.append(Worked(answer, (idea, end)))
    return tuple(found)


def _two_sides(problem: MeasuredRectangle) -> tuple[Worked, ...]:
    marks = (
        problem.long_to - problem.long_from + 1,
        problem.short_to - problem.short_from + 1,
    )
    ways = (
        (
            step("reads the marks at the ends: {0} and {1}", problem.long_to, problem.short_to),
            (problem.long_to, problem.short_to),
        ),
        (step("counts the marks and finds {0} and {1}", *marks), marks),
    )
    found = []
    for idea, (long, short) in ways:
        worked = finish_rectangle(problem.asked, long, short, (idea,))
        found.append(Worked(worked.answer, worked.steps, 0))
    return tuple(found)


def _on_a_clock(problem: ElapsedTime) -> tuple[Worked, ...]:
    start, end = write_time(problem.start), write_time(problem.end)
    found = []
    if problem.end % 60:
        answer = Answer.number(problem.end % 60)
        idea = step("looks at the time at the end, {0}", end)
        found.append(Worked(answer, (idea, step("reads off {0} minutes", answer))))
    if problem.start % 5 == problem.end % 5 == 0:
        marks = (problem.end - problem.start) // 5 + 1
        answer = Answer.number(5 * marks)
        words = "counts the marks on the clock from {0} to {1}, both included: {2}"
        steps = (
            step(words, start, end, marks),
            step("takes {0} minutes for each of {1} marks and gets {2}", 5, marks, answer),
        )
        found.append(Worked(answer, steps))
    return tuple(found)


def _point(problem: PointMoved) -> Worked:
    # Nobody goes back by counting: a move of 0 stays 0.
    right, up = max(problem.right - 1, 0), max(problem.up - 1, 0)
    point = write_point(problem.across + right, problem.height + up)
    return Worked(
        Answer.label(point),
        (
            step("counts the point itself as {0} when moving", 1),
            step("moves {0} to the right and {1} up from zero", right, up),
            step("writes {0}", point),
        ),
    )
