"""What to ask next: problems whose numbers tell the remaining rules apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from schoolmath.malrules.answers import Worked
from schoolmath.malrules.classes.grouping import PupilGroup
from schoolmath.malrules.classes.items import Quiz, QuizItem, name_of
from schoolmath.malrules.diagnosis import Candidate, Separation, diagnose, find_separation
from schoolmath.malrules.forms import Form
from schoolmath.problems.draws import Draws


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A problem to ask next.

    Attributes:
        problem: the problem.
        right: its answer and the way to it.
        expected: what each rule answers, by id.
        apart: whether all rules answer differently here.
        reason: what is not told apart, and why; empty where `apart`.
    """

    problem: Form
    right: Worked
    expected: dict[str, tuple[str, ...]]
    apart: bool
    reason: str


def follow_up(quiz: Quiz, group: PupilGroup, count: int = 2) -> tuple[FollowUp, ...]:
    """Problems that tell a group's rules apart, or show its one rule again with new numbers.

    Args:
        quiz: what was asked.
        group: a group of the class.
        count: so many problems at most.
    """
    found: list[FollowUp] = []
    asked = {item.question for item in quiz.items}
    for at in _asked_by(group)[:count]:
        problem = quiz.items[at].reads(group.rules)
        if problem is None:
            continue
        candidates = _candidates(problem, quiz.items[at], group.rules)
        if not candidates:
            continue
        for attempt in range(3):
            draws = Draws(f"class/{quiz.code}/{'-'.join(group.rules)}/{at}/{attempt}")
            separation = find_separation(problem, candidates, draws)
            offered = _follow_up(separation, group.rules)
            if offered is not None and offered.problem.stem() not in asked:
                asked.add(offered.problem.stem())
                found.append(offered)
                break
    return tuple(found)


def _asked_by(group: PupilGroup) -> list[int]:
    """The items that showed the rule, those that showed it most often first."""
    seen = [at for member in group.members for at in member.explanation.hits]
    return sorted(set(seen), key=lambda at: (-seen.count(at), at))


def _candidates(problem: Form, item: QuizItem, wanted: Sequence[str]) -> list[Candidate]:
    """What is behind the group's wrong answer to an item, as diagnosis has it."""
    answers = [each for rule in wanted for each in item.gives.get(rule, ())]
    found = [each for answer in answers for each in diagnose(problem, answer).single]
    first = {each.rules: each for each in found if each.rules[0] in wanted}
    return list(first.values())


def _follow_up(separation: Separation, wanted: Sequence[str]) -> FollowUp | None:
    problem = separation.problem
    if problem is None:
        return None
    right = problem.solve()
    expected: dict[str, tuple[str, ...]] = {}
    for each in separation.expected:
        (rule,) = each.rules
        expected[rule] = each.answers or (right.answer.shown,)
    # What a file says of its options has no worked way, and other forms' rules read other problems.
    left = [name_of(idea) for idea in wanted if idea not in expected]
    reason = " ".join(
        [*filter(None, [separation.reason]), *(f"Nothing here asks for “{each}”." for each in left)]
    )
    return FollowUp(problem, right, expected, separation.complete and not left, reason)
