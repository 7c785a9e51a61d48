"""Groups of simulated classes, and how often somebody who has understood is put in one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from schoolmath.malrules import rules
from schoolmath.malrules.answers import Answer
from schoolmath.malrules.bank import BankDesign, make_items
from schoolmath.malrules.bank.options import plausible, wrong_answers
from schoolmath.malrules.classes import (
    PupilOutcome,
    Quiz,
    QuizDesign,
    explain,
    follow_up,
    group_class,
    make_quiz,
    simulate_class,
    simulate_pupil,
    topics,
)
from schoolmath.malrules.classes.grouping import at_least
from schoolmath.malrules.classes.items import open_item
from schoolmath.malrules.classes.quizzes import FIRST
from schoolmath.malrules.forms import FORMS, NotDrawn, read_form
from schoolmath.malrules.library import RARE
from schoolmath.malrules.rules import commonest_first, dealt_rules
from schoolmath.problems.draws import Draws
from schoolmath.problems.errors import DesignError

DESIGNS = [
    QuizDesign(4, ("ColumnSubtraction",), 12, 1),
    QuizDesign(4, ("ColumnSubtraction",), 12, 1, letters=False),
    QuizDesign(5, ("FractionSum", "DecimalSum"), 16, 1),
    QuizDesign(6, ("Story",), 12, 1, letters=False),
    QuizDesign(7, ("LinearEquation",), 12, 1),
]
IDS = [f"{'+'.join(d.topics)}-{'letters' if d.letters else 'own'}" for d in DESIGNS]


@cache
def _quiz(design: QuizDesign) -> Quiz:
    return make_quiz(design)


@pytest.mark.parametrize("letters", [True, False])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_quiz_on_subtraction_names_its_commonest_errors(seed: int, letters: bool) -> None:
    """Smaller from larger, borrows that are not paid back, and those from a zero."""
    quiz = _quiz(QuizDesign(4, ("ColumnSubtraction",), 12, seed, letters=letters))
    assert {"NO01", "NO02", "NO03"} <= set(quiz.nameable)
    assert not {"NO01", "NO02", "NO03"} & set(quiz.unseen)
    for rule in ("NO01", "NO02", "NO03"):
        given = simulate_pupil(Draws(f"{seed}/{rule}"), quiz, rule, slip=0.0)
        found = explain(quiz, given)
        assert found.outcome is PupilOutcome.RULES
        assert [each.rules for each in found.explanations] == [(rule,)]
    if letters:
        assert not {rule for item in quiz.items for rule in item.gives} & set(RARE)
    # What it cannot name is listed with the commonest first.
    assert quiz.unseen[0] not in RARE or set(quiz.unseen) <= set(RARE)


def test_the_commonest_rules_of_every_topic_can_be_named_where_they_can_be_asked_together() -> None:
    """A rule is left out only where it can hardly be an option, or never in the problems of a
    commoner one: two that never meet need more items than a quiz has.
    """
    forms = {topic.form: grade for grade in range(11, 2, -1) for topic in topics(grade)}
    lost = []
    for form, grade in forms.items():
        try:
            quiz = _quiz(QuizDesign(grade, (form,), 12, 1))
        except DesignError:
            continue  # too few questions
        works = [rule for rule in dealt_rules() if issubclass(FORMS[form], rule.forms)]
        met = [_possible(form, grade, seed) for seed in range(200)]
        often = Counter(rule for each in met for rule in each)
        for rule in [each.id for each in commonest_first(works, grade)][:FIRST]:
            commoner = [each for each in quiz.nameable if each != rule]
            apart = any(not any({rule, one} <= each for each in met) for one in commoner)
            if rule not in quiz.nameable and often[rule] > 20 and not apart:
                lost.append((form, grade, rule, often[rule], quiz.nameable))
    assert not lost


def _possible(form: str, grade: int, seed: int) -> set[str]:
    """The rules that can be options of one problem of a form."""
    try:
        problem = FORMS[form].draw(Draws(f"possible/{form}/{seed}"), grade)
    except NotDrawn:
        return set()
    right = problem.solve()
    return {
        each.rule.id
        for each in wrong_answers(problem, right)
        if not each.others and plausible(problem, problem.stem(), right.answer, each.worked.answer)
    }


@pytest.mark.parametrize("seed", [1, 2])
def test_the_place_of_the_key_and_its_letter_give_little_away(seed: int) -> None:
    quiz = _quiz(QuizDesign(4, ("ColumnSubtraction",), 24, seed))
    assert set(Counter(item.key for item in quiz.items).values()) == {6}
    ranks = Counter(sorted(map(_value, item.options.values())).index(_value(item.right))
                    for item in quiz.items)  # fmt: skip
    assert max(ranks.values()) <= 12, ranks
    for item in quiz.items:
        assert item.options[item.key].same_as(item.right)
        assert len({answer.value for answer in item.options.values()}) == 4


def _value(answer: Answer) -> Fraction:
    assert isinstance(answer.value, Fraction)
    return answer.value


@pytest.mark.parametrize("design", DESIGNS, ids=IDS)
def test_a_quiz_is_the_same_whenever_it_is_made(design: QuizDesign) -> None:
    assert make_quiz(design).code == _quiz(design).code
    assert len({item.question for item in _quiz(design).items}) == design.n


@pytest.mark.parametrize("design", DESIGNS, ids=IDS)
def test_a_quiz_can_name_several_rules(design: QuizDesign) -> None:
    assert len(_quiz(design).nameable) >= 3


@pytest.mark.parametrize("design", DESIGNS, ids=IDS)
def test_pupils_who_follow_one_rule_are_grouped_by_it(design: QuizDesign) -> None:
    quiz = _quiz(design)
    named = alone = pupils = 0
    for rule, copy in product(quiz.nameable, range(10)):
        found = explain(quiz, simulate_pupil(Draws(f"{rule}/{copy}"), quiz, rule, slip=0.02))
        pupils += 1
        # Whenever a rule is named, the true one is among them.
        assert not found.explanations or any(rule in each.rules for each in found.explanations)
        named += bool(found.explanations)
        alone += any(each.rules == (rule,) for each in found.explanations)
    assert named >= 0.95 * pupils
    assert alone >= 0.8 * pupils


def test_a_class_of_several_rules_falls_into_its_groups() -> None:
    quiz = _quiz(DESIGNS[2])
    first, second = quiz.nameable[:2]
    followed = [first] * 5 + [second] * 4 + [None] * 8
    report = group_class(quiz, simulate_class(Draws("class"), quiz, followed))
    assert [group.rules for group in report.groups] == [(first,), (second,)]
    assert report.groups[0].rows == (1, 2, 3, 4, 5)
    assert report.groups[1].rows == (6, 7, 8, 9)


@pytest.mark.parametrize("design", DESIGNS[:2], ids=IDS[:2])
def test_understanding_with_slips_is_hardly_ever_called_a_misconception(
    design: QuizDesign,
) -> None:
    """In under 2 % of 400 classes of 25 is even one pupil called so."""
    quiz = _quiz(design)
    called = sum(
        any(
            explain(quiz, simulate_pupil(Draws(f"{number}/{row}"), quiz)).explanations
            for row in range(25)
        )
        for number in range(400)
    )
    assert called < 8


def test_two_rules_of_one_pupil_are_both_found() -> None:
    quiz = _quiz(DESIGNS[2])
    by_form = {
        form: next(
            rule
            for rule in quiz.nameable
            if any(
                rule in item.gives and type(item.problems[0]).__name__ == form
                for item in quiz.items
            )
        )
        for form in ("FractionSum", "DecimalSum")
    }
    one, other = by_form.values()
    answers = tuple(
        item.gives.get(one, item.gives.get(other, (item.right,)))[0] for item in quiz.items
    )
    found = explain(quiz, answers)
    assert {rule for each in found.explanations for rule in each.rules} == {one, other}


def test_rules_that_give_the_same_answers_are_all_named() -> None:
    one, other = "WP01", "WP02"
    # A quiz chooses stories that tell rules apart; these are not chosen.
    bank = BankDesign(n=300, seed=1, grades=(5, 5), content_classes=("word problems",), doks=(1, 2))
    stories = [item for item in make_items(bank) if item.problem["form"] == "Story"]
    every = [open_item(read_form(story.problem)) for story in stories]
    alike = [
        item
        for item in every
        if one in item.gives and item.gives[one][0].same_as(item.gives.get(other, (item.right,))[0])
    ]
    quiz = Quiz(tuple(alike[:8]), "stories")
    assert len(quiz.items) >= 4
    found = explain(quiz, [item.gives[one][0] for item in quiz.items])
    assert {one, other} <= set(found.explanations[0].rules)


def test_everything_right_slips_few_answers_and_guessing_have_their_names() -> None:
    quiz = _quiz(DESIGNS[0])
    right = [item.right for item in quiz.items]
    assert explain(quiz, right).outcome is PupilOutcome.RIGHT
    first = quiz.items[0]
    wrong = next(first.options[each] for each in "ABCD" if each != first.key)
    assert explain(quiz, [wrong, *right[1:]]).outcome is PupilOutcome.SLIPS
    assert explain(quiz, [wrong, *[None] * 11]).outcome is PupilOutcome.TOO_FEW


def test_guessing_is_seldom_taken_for_a_rule() -> None:
    quiz = _quiz(DESIGNS[0])
    outcomes = []
    for pupil in range(200):
        draws = Draws(f"guess/{pupil}")
        outcomes.append(
            explain(quiz, [item.options[draws.one("ABCD")] for item in quiz.items]).outcome
        )
    assert outcomes.count(PupilOutcome.RULES) <= 0.1 * len(outcomes)


@pytest.mark.parametrize("design", DESIGNS, ids=IDS)
def test_what_is_asked_next_tells_the_rules_of_a_group_apart(design: QuizDesign) -> None:
    quiz = _quiz(design)
    followed = [rule for rule in quiz.nameable[:3] for _ in range(3)]
    report = group_class(quiz, simulate_class(Draws("next"), quiz, followed))
    assert report.groups
    asked = {item.question for item in quiz.items}
    for group in report.groups:
        for each in follow_up(quiz, group):
            assert each.problem.stem() not in asked
            assert set(each.expected) <= set(group.rules)
            if each.apart:
                answers = [set(given) for given in each.expected.values()]
                assert not set.intersection(*answers) or len(answers) == 1
            for rule, given in each.expected.items():
                shown = {w.answer.shown for w in rules()[rule].run(each.problem)}
                assert set(given) <= shown


def test_probabilities_of_hits_are_exact() -> None:
    half = Fraction(1, 2)
    assert at_least(0, [half]) == 1
    assert at_least(2, [half, half, half]) == half
    assert at_least(3, [half, half]) == 0
    assert at_least(1, [Fraction(1, 3), Fraction(1, 4)]) == 1 - Fraction(2, 3) * Fraction(3, 4)


def test_every_topic_of_every_grade_has_a_title() -> None:
    for grade in range(3, 12):
        found = topics(grade)
        assert found
        assert len({topic.title for topic in found}) == len(found)


@pytest.mark.parametrize(
    ("chosen", "setting"),
    [
        ({"n": 3}, "n"), ({"n": 99}, "n"), ({"topics": ()}, "topics"),
        ({"topics": ("Nothing",)}, "topics"), ({"topics": ("Story", "Story")}, "topics"),
    ],
)  # fmt: skip
def test_what_cannot_be_made_is_refused(chosen: dict[str, object], setting: str) -> None:
    with pytest.raises(DesignError) as refused:
        QuizDesign(**({"grade": 4, "topics": ("Story",)} | chosen))  # type: ignore[arg-type]
    assert refused.value.setting == setting
