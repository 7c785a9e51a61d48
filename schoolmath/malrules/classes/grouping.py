"""What answers have in common: one pupil's, a class's in groups, and all of them item by item.

A rule is named only where three things hold: slips of somebody who has understood would
hardly ever bring about so many answers of its kind; the wrong answers are not spread as by
guessing; and the rule shows in a good part of the items where it can show. Rules that explain
the same answers about as well are all named together; `follow_up` gives items that tell them apart.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from schoolmath.malrules.answers import Answer, Working
from schoolmath.malrules.classes.items import Quiz, QuizItem, name_of, simplest
from schoolmath.malrules.classes.sheets import ClassSheet
from schoolmath.malrules.diagnosis import Candidate, Separation, diagnose, find_separation
from schoolmath.malrules.diagnosis.slips import LEAST_HITS, LEAST_SHARE, MOST_CHANCE, SLIP_RATE
from schoolmath.malrules.forms import Form
from schoolmath.problems.draws import Draws

LEAST_ANSWERS = 4
"""With fewer answers nothing is said."""
MOST_GUESSING = Fraction(1, 80)
"""A rule is named only if wrong answers at random would show it so often less often than this."""
ABOUT_AS_WELL = 20
"""Rules whose answers are less than so many times less likely than the best rule's fit too."""
UNLIKELY_SLIPS = Fraction(1, 20)
"""More wrong answers than slips bring about with this probability are no longer slips."""

_FOLLOWED = Fraction(17, 20)
_RIGHT_ANYWAY = Fraction(1, 10)
_MOST_EXPLANATIONS = 3


class PupilOutcome(StrEnum):
    """What can be said about a pupil's answers as a whole."""

    RULES = "follows a rule"
    RIGHT = "all right"
    SLIPS = "right with slips"
    UNKNOWN = "no known rule"
    TOO_FEW = "too few answers"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Rules that explain the same wrong answers of a pupil.

    Attributes:
        rules: ids of all that fit about equally well, in order of id; never one of several.
        hits: indices of the items whose answer is what the (best) rule gives.
        chances: indices of the answered items where it can show.
        by_chance: probability that slips alone bring about so many hits or more.
    """

    rules: tuple[str, ...]
    hits: tuple[int, ...]
    chances: tuple[int, ...]
    by_chance: Fraction

    @property
    def steady(self) -> bool:
        """Whether it shows in at least three of four items where it can."""
        return 4 * len(self.hits) >= 3 * len(self.chances)


@dataclass(frozen=True, slots=True)
class PupilFinding:
    """What a pupil's answers say.

    Attributes:
        outcome: as a whole.
        explanations: likely rules, each for other answers; only with `PupilOutcome.RULES`.
        wrong: indices of the items answered wrongly.
        answered: number of items answered.
        suspects: rules that some wrong answers look like, too few to name them.
    """

    outcome: PupilOutcome
    explanations: tuple[Explanation, ...]
    wrong: tuple[int, ...]
    answered: int
    suspects: tuple[str, ...] = ()


def explain(quiz: Quiz, answers: Sequence[Answer | None]) -> PupilFinding:
    """What a pupil's answers say.

    Args:
        quiz: what was asked.
        answers: one for every item; None: not answered.
    """
    given = {at: answer for at, answer in enumerate(answers) if answer is not None}
    wrong = tuple(at for at, answer in given.items() if not answer.same_as(quiz.items[at].right))
    if len(given) < LEAST_ANSWERS:
        return PupilFinding(PupilOutcome.TOO_FEW, (), wrong, len(given))
    if not wrong:
        return PupilFinding(PupilOutcome.RIGHT, (), wrong, len(given))
    found = _Search(quiz, given, wrong)
    explanations = found.explanations()
    if explanations:
        outcome = PupilOutcome.RULES
    elif at_least(len(wrong), [SLIP_RATE] * len(given)) >= UNLIKELY_SLIPS or len(wrong) == 1:
        outcome = PupilOutcome.SLIPS
    else:
        outcome = PupilOutcome.UNKNOWN
    return PupilFinding(outcome, explanations, wrong, len(given), found.suspects(explanations))


class _Search:
    def __init__(self, quiz: Quiz, answers: Mapping[int, Answer], wrong: Sequence[int]) -> None:
        self._quiz = quiz
        self._given = answers
        self._wrong = frozenset(wrong)
        self._hits: dict[str, frozenset[int]] = {}
        for at in wrong:
            for rule in quiz.items[at].ideas_behind(answers[at]):
                self._hits[rule] = self._hits.get(rule, frozenset()) | {at}

    def explanations(self) -> tuple[Explanation, ...]:
        """The best explanation, then that of the answers it leaves, and so on."""
        found: list[Explanation] = []
        explained: frozenset[int] = frozenset()
        while len(found) < _MOST_EXPLANATIONS:
            best = self._best(explained)
            if best is None:
                break
            found.append(best)
            explained |= frozenset(best.hits)
        return tuple(found)

    def suspects(self, explanations: Sequence[Explanation]) -> tuple[str, ...]:
        """Rules with several hits that are not named."""
        taken = {rule for each in explanations for rule in each.rules}
        explained = frozenset(at for each in explanations for at in each.hits)
        return simplest(
            sorted(
                rule
                for rule, hits in self._hits.items()
                if rule not in taken and len(hits - explained) >= LEAST_HITS
            )
        )

    def _best(self, explained: frozenset[int]) -> Explanation | None:
        hits = {
            rule: seen - explained
            for rule, seen in self._hits.items()
            if len(seen - explained) >= LEAST_HITS
        }
        if not hits:
            return None
        weights = {rule: self._likelihood(rule, explained) for rule in hits}
        passing = {
            rule: each
            for rule in hits
            if (each := self._tested(rule, hits[rule], explained)) is not None
        }
        if not passing:
            return None
        best = min(passing, key=lambda rule: (-weights[rule], rule))
        own = hits[best]
        fitting = [
            rule
            for rule, seen in hits.items()
            if ABOUT_AS_WELL * weights[rule] >= weights[best] and 2 * len(seen & own) >= len(own)
        ]
        chances, by_chance = passing[best]
        return Explanation(simplest(sorted(fitting)), tuple(sorted(own)), chances, by_chance)

    def _chances(self, rule: str, explained: frozenset[int]) -> tuple[int, ...]:
        return tuple(
            at for at in self._given if rule in self._quiz.items[at].gives and at not in explained
        )

    def _tested(
        self, rule: str, hits: Collection[int], explained: frozenset[int]
    ) -> tuple[tuple[int, ...], Fraction] | None:
        chances = self._chances(rule, explained)
        if Fraction(len(hits), len(chances)) < LEAST_SHARE:
            return None
        shares = {at: self._quiz.items[at].shares[rule] for at in chances}
        by_chance = at_least(len(hits), [SLIP_RATE * share for share in shares.values()])
        guessing = at_least(len(hits), [shares[at] for at in chances if at in self._wrong])
        if by_chance > MOST_CHANCE or guessing > MOST_GUESSING:
            return None
        return chances, by_chance

    def _likelihood(self, rule: str, explained: frozenset[int]) -> Fraction:
        """How likely the answers are for somebody who follows the rule most of the time."""
        found = Fraction(1)
        for at, answer in self._given.items():
            if at in explained:
                continue
            gives = self._quiz.items[at].gives.get(rule, ())
            right = at not in self._wrong
            if any(answer.same_as(each) for each in gives):
                found *= _FOLLOWED / len(gives)
            elif not right:
                found *= SLIP_RATE * self._quiz.items[at].slip_on_one
            else:
                found *= _RIGHT_ANYWAY if gives else 1 - SLIP_RATE
        return found


def at_least(count: int, shares: Sequence[Fraction]) -> Fraction:
    """Probability of so many successes or more in independent trials with these chances."""
    none_to_count = [Fraction(1)] + [Fraction(0)] * count
    for share in shares:
        for k in range(count, 0, -1):
            if k == count:
                none_to_count[k] += none_to_count[k - 1] * share
            else:
                none_to_count[k] += (none_to_count[k - 1] - none_to_count[k]) * share
        if count:
            none_to_count[0] *= 1 - share
    return none_to_count[count]


@dataclass(frozen=True, slots=True)
class GroupMember:
    """A pupil in a group: row number and what speaks for the group."""

    row: int
    explanation: Explanation


@dataclass(frozen=True, slots=True)
class PupilGroup:
    """Pupils with one explanation.

    Attributes:
        rules: all rules that fit; with several, it is open which.
        members: in the order of their row numbers.
    """

    rules: tuple[str, ...]
    members: tuple[GroupMember, ...]

    @property
    def rows(self) -> tuple[int, ...]:
        """Row numbers of its pupils."""
        return tuple(member.row for member in self.members)


@dataclass(frozen=True, slots=True)
class ClassReport:
    """A class's answers, explained.

    Attributes:
        findings: by row number.
        groups: the largest first. A pupil with several explanations is in several.
    """

    findings: dict[int, PupilFinding]
    groups: tuple[PupilGroup, ...]

    def rows(self, outcome: PupilOutcome) -> tuple[int, ...]:
        """Row numbers of the pupils with this outcome."""
        return tuple(row for row, each in self.findings.items() if each.outcome is outcome)


def group_class(quiz: Quiz, sheet: ClassSheet) -> ClassReport:
    """Explains every row and puts rows with the same explanation together."""
    findings = {row: explain(quiz, answers) for row, answers in sorted(sheet.answers.items())}
    members: dict[tuple[str, ...], list[GroupMember]] = {}
    for row, finding in findings.items():
        for each in finding.explanations:
            members.setdefault(each.rules, []).append(GroupMember(row, each))
    groups = [PupilGroup(rules, tuple(found)) for rules, found in members.items()]
    groups.sort(key=lambda group: (-len(group.members), group.rules))
    return ClassReport(findings, tuple(groups))


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer that pupils gave to an item, or could have chosen.

    Attributes:
        letter: of the option; "" where there are none.
        answer: what was answered.
        rows: row numbers of the pupils.
        right: whether it is the right one.
        ideas: everything known that gives it; empty for the right answer.
    """

    letter: str
    answer: Answer
    rows: tuple[int, ...]
    right: bool
    ideas: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ItemAnswers:
    """What a class answered to an item.

    Attributes:
        item: its place, from 0.
        answered: so many pupils answered.
        blank: so many did not.
        given: with options all of them, in their order; else every answer, the right one first and
            then the most frequent.
    """

    item: int
    answered: int
    blank: int
    given: tuple[GivenAnswer, ...]

    @property
    def right(self) -> int:
        """So many pupils answered rightly."""
        return sum(len(each.rows) for each in self.given if each.right)


def answers_by_item(quiz: Quiz, sheet: ClassSheet) -> tuple[ItemAnswers, ...]:
    """What a class answered to every item."""
    return tuple(_of_item(at, item, sheet) for at, item in enumerate(quiz.items))


def _of_item(at: int, item: QuizItem, sheet: ClassSheet) -> ItemAnswers:
    known = list(item.options.values()) or [item.right]
    rows: list[list[int]] = [[] for _ in known]
    blank = 0
    for row, answers in sheet.answers.items():
        answer = answers[at]
        if answer is None:
            blank += 1
            continue
        place = next((place for place, each in enumerate(known) if each.same_as(answer)), None)
        if place is None:
            known.append(answer)
            rows.append([row])
        else:
            rows[place].append(row)
    letters = {id(answer): letter for letter, answer in item.options.items()}
    given = [
        GivenAnswer(
            letters.get(id(answer), ""),
            answer,
            tuple(found),
            right := answer.same_as(item.right),
            () if right else simplest(item.ideas_behind(answer)),
        )
        for answer, found in zip(known, rows, strict=True)
    ]
    if not item.options:
        given.sort(key=lambda each: (not each.right, -len(each.rows), each.answer.shown))
    return ItemAnswers(at, len(sheet.answers) - blank, blank, tuple(given))


NOT_A_DIAGNOSIS = (
    "This describes a few answers; it is not a diagnosis of a child. It shows what would give "
    "these answers; only talking with the pupil shows why."
)


def outcomes_told(quiz: Quiz, most: int | None = None) -> dict[PupilOutcome, str]:
    """What is to be said of the rows that are in no group, by their outcome.

    Args:
        quiz: what was asked.
        most: so many rules that it cannot name are listed, more are counted; None: all are listed.
    """
    right = "No errors found."
    if most is not None and len(quiz.unseen) > most:
        right += f" This quiz cannot detect {len(quiz.unseen)} other misconceptions."
    elif quiz.unseen:
        unseen = ", ".join(map(name_of, quiz.unseen))
        right += f" This quiz cannot detect some misconceptions: {unseen}."
    return {
        PupilOutcome.RIGHT: right,
        PupilOutcome.SLIPS: "No sign of a misconception.",
        PupilOutcome.UNKNOWN: "Several wrong answers, and nothing known explains enough of them: "
        "guessing, several ideas at once, or one that is not in the catalogue. Ask them how they "
        "worked.",
        PupilOutcome.TOO_FEW: "Fewer than four answers.",
    }


def outcome_words(outcome: PupilOutcome) -> str:
    """What an outcome means, for a teacher."""
    return {
        PupilOutcome.RULES: "wrong answers of one kind",
        PupilOutcome.RIGHT: "everything right",
        PupilOutcome.SLIPS: "right, with a slip or two",
        PupilOutcome.UNKNOWN: "no known rule",
        PupilOutcome.TOO_FEW: "too few answers to say anything",
    }[outcome]


def rows_words(rows: Sequence[int]) -> str:
    """Row numbers as a sentence has them: "rows 2, 5 and 9"."""
    if len(rows) == 1:
        return f"row {rows[0]}"
    return f"rows {', '.join(map(str, rows[:-1]))} and {rows[-1]}"


def how_sure(group: PupilGroup) -> str:
    """How sure a group is, in plain words."""
    steady = sum(member.explanation.steady for member in group.members)
    least = min(len(member.explanation.hits) for member in group.members)
    which = "this misconception predicts" if len(group.rules) == 1 else "all of these predict"
    found = f"Each of these pupils gave at least {least} wrong answers that {which}"
    if steady == len(group.members):
        return f"{found}, almost every time it could show."
    if not steady:
        return f"{found}, though not every time it could show."
    return f"{found}; {rows_words(_steady(group))} almost every time it could show."


def _steady(group: PupilGroup) -> list[int]:
    return [member.row for member in group.members if member.explanation.steady]


def evidence(sheet: ClassSheet, member: GroupMember) -> str:
    """Why a row is in a group: which items, how many of how many, and chance."""
    found = member.explanation
    answers = sheet.answers[member.row]
    items = ", ".join(f"{at + 1} ({answers[at]})" for at in found.hits)
    return (
        f"Row {member.row}: items {items} ({len(found.hits)} of the {len(found.chances)} answered "
        f"where it can show). Careless mistakes alone would produce this "
        f"{_chance_words(float(found.by_chance))}."
    )


def _chance_words(chance: float) -> str:
    """A small probability in words that anybody reads."""
    if chance < 1e-6:
        return "in fewer than one pupil in a million"
    return f"in about one pupil in {round(1 / chance, -3):,.0f}"


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
    right: Working
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


def _candidates(problem: Form, item: QuizItem, rules: Sequence[str]) -> list[Candidate]:
    """What is behind the group's wrong answer to an item, as diagnosis has it."""
    answers = [each for rule in rules for each in item.gives.get(rule, ())]
    found = [each for answer in answers for each in diagnose(problem, answer).single]
    first = {each.rules: each for each in found if each.rules[0] in rules}
    return list(first.values())


def _follow_up(separation: Separation, rules: Sequence[str]) -> FollowUp | None:
    problem = separation.problem
    if problem is None:
        return None
    right = problem.solve()
    expected: dict[str, tuple[str, ...]] = {}
    for each in separation.expected:
        (rule,) = each.rules
        expected[rule] = each.answers or (right.answer.shown,)
    # What a file says of its options has no worked way, and other forms' rules read other problems.
    left = [name_of(idea) for idea in rules if idea not in expected]
    reason = " ".join(
        [*filter(None, [separation.reason]), *(f"Nothing here asks for “{each}”." for each in left)]
    )
    return FollowUp(problem, right, expected, separation.complete and not left, reason)
