"""Problems of any structure: what is drawn for a line, and the line of what was drawn."""

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from biaslab.studies.word_problems.composing import Composer
from schoolmath.problems import Draws, Problem, Transfer, look_alike, solve, write
from schoolmath.problems.chains import ChainPlan, resolve
from schoolmath.problems.quantities import EITHER, NumberRange
from schoolmath.problems.structure import (
    SentenceKind,
    StructureError,
    parse_structure,
    structure_of,
    write_structure,
)
from tests.loops import over
from tests.studies.word_problems.composer.structure_lines import structures

SMALL = NumberRange(2, 20)
SEED = st.integers(0, 10**9).map(str)


def plan_of(structure) -> ChainPlan:
    try:
        return resolve(structure)
    except StructureError:
        assume(False)
        raise


def drawn(plan: ChainPlan, seed: str = "1", numbers: NumberRange = SMALL) -> Problem:
    composer = Composer(plan, numbers, Draws(seed))
    for _ in range(300):
        problem = composer.draw()
        if problem is not None:
            return problem
    assume(False)
    raise AssertionError


def line(text: str) -> ChainPlan:
    return resolve(parse_structure(text))


@given(structures(), SEED)
def test_a_drawn_problem_is_solved_along_the_path_of_its_structure(structure, seed):
    plan = plan_of(structure)
    solution = solve(drawn(plan, seed))
    assert tuple(step.sentence for step in solution.steps) == plan.path
    for step, sign in zip(solution.steps, plan.operations, strict=True):
        assert step.operation == sign or (sign == EITHER and step.operation in "+-")
    assert all(1 <= step.result <= 999 for step in solution.steps)


@given(structures(), SEED)
def test_the_line_of_a_drawn_problem_has_the_same_path_and_calculations(structure, seed):
    plan = plan_of(structure)
    problem = drawn(plan, seed)
    again = resolve(structure_of(problem))
    assert (again.path, again.start) == (plan.path, plan.start)
    assert again.operations == tuple(step.operation for step in solve(problem).steps)
    told = resolve(structure_of(problem, things=True))
    assert (told.path, told.operations) == (again.path, again.operations)


@given(structures(), SEED)
@example(parse_structure("container . comparison . rate . comparison B:A distractor"), "0")
def test_the_line_with_its_things_draws_problems_about_the_same_things(structure, seed):
    problem = drawn(plan_of(structure), seed)
    named = structure_of(problem, things=True)
    assert parse_structure(write_structure(named)) == named
    again = drawn(resolve(named), seed)
    assert again.question.entity == problem.question.entity


@given(structures(), SEED)
def test_numbers_nobody_needs_differ_from_all_others_and_the_answer(structure, seed):
    plan = plan_of(structure)
    problem = drawn(plan, seed)
    answer = solve(problem).answer
    stated = [statement.predicate.quantity for statement in problem.statements]
    assert answer not in stated
    for index, part in enumerate(plan.parts):
        if not part.needed:
            assert stated.count(stated[index]) == 1
    assert all(2 <= number <= 20 for number in stated)


@given(structures(), SEED)
def test_people_of_one_problem_are_never_look_alikes(structure, seed):
    text = str(write(drawn(plan_of(structure), seed)))
    from schoolmath.problems import vocabulary

    known = {name.text for name in vocabulary().names}
    names = sorted(set(re.findall(r"[A-Z][a-z]+", text)) & known)
    assert not [(a, b) for i, a in enumerate(names) for b in names[:i] if look_alike(a, b)]


def test_half_of_the_open_transfers_have_a_person_on_the_other_side():
    composer = Composer(line("container . transfer . transfer"), SMALL, Draws("1"))
    sides = Counter()
    for _ in range(300):
        problem = composer.draw()
        for statement in problem.statements if problem else ():
            if isinstance(statement.predicate, Transfer):
                sides[None not in (statement.predicate.sender, statement.predicate.receiver)] += 1
    assert abs(sides[True] / sides.total() - 0.5) < 0.08


def test_forms_left_open_are_balanced():
    composer = Composer(line("container . comparison . comparison"), SMALL, Draws("1"))
    forms = Counter()
    for _ in range(200):
        told = composer.draw_numbers()
        forms.update(told.consistent if told else ())
    assert abs(forms[True] - forms[False]) <= 1


def test_things_are_never_packed_into_the_container_they_came_from():
    composer = Composer(line("container . rate* . transfer . rate/"), SMALL, Draws("1"))
    found = 0
    for _ in range(300):
        problem = composer.draw()
        if problem is not None:
            found += 1
            first, second = problem.statements[1].predicate, problem.statements[3].predicate
            assert first.per.unit != second.per.unit
            assert problem.question.entity == second.per
    assert found


def test_a_container_of_the_same_person_counts_another_thing():
    problem = drawn(line("container A . container A distractor . transfer+"))
    first, second = (problem.statements[i].predicate for i in (0, 1))
    assert first.agent == second.agent
    assert first.entity.noun != second.entity.noun


def test_words_that_the_line_names_are_kept():
    problem = drawn(line("container thing=apple attribute=red . rate unit=box . transfer"))
    assert problem.question.entity == ("apple", "red", "")
    assert problem.statements[0].predicate.entity == ("apple", "red", "box")


@pytest.mark.parametrize(
    "text",
    [
        "container attribute=red unit=cage . transfer",
        "container unit=bottle . rate* . transfer . rate/ unit=aviary",
    ],
)
def test_words_that_no_thing_has_together_are_refused(text):
    with pytest.raises(StructureError):
        Composer(line(text), SMALL, Draws("1"))


@over(
    ("text", "part", "reason"),
    [
        ("container . transfer . transfer A> distractor", 2, "is no distractor"),
        ("container A . container A thing=apple . transfer", 1, "known already"),
        (
            "container thing=apple . container A thing=apple distractor . transfer",
            1,
            "known already",
        ),
        ("container A . container A unit=box distractor . transfer", 1, "needs a thing"),
        (
            "container . container A thing=apple distractor . container A thing=apple distractor"
            " . transfer",
            2,
            "speaks of A and apple already",
        ),
        ("container . rate* unit=box . rate/ unit=box", 2, "they came from"),
        ("container unit=box . rate/", 0, "one by one"),
        ("container . comparison B:A . transfer B>A . comparison C:A", 1, "does not need"),
    ],
)
def test_what_makes_no_sense_is_refused_at_its_part(text, part, reason):
    with pytest.raises(StructureError) as refused:
        line(text)
    assert refused.value.part == part
    assert reason in str(refused.value)


def test_the_path_can_lead_through_the_other_side_of_a_transfer():
    plan = line("container A . comparison B:A distractor . transfer B>A . comparison C:A")
    assert plan.path == (2, 3)
    assert plan.parts[2].agent == "A"
    assert plan.operations[0] == "+"


def test_what_a_line_cannot_say_is_refused_with_the_sentence():
    problem = drawn(line("container . comparison . transfer"))
    container, comparison, transfer = problem.statements
    turned = Problem((comparison, container, transfer), problem.question)
    with pytest.raises(StructureError) as refused:
        structure_of(turned)
    assert refused.value.part == 0


def test_every_kind_of_sentence_comes_up_in_the_lines_tested():
    from hypothesis import find

    for kind in SentenceKind:
        find(structures(), lambda s, kind=kind: any(step.kind is kind for step in s.steps))


DOCUMENTED = [
    text.strip()
    for text in Path("docs/compose.md").read_text(encoding="utf-8").splitlines()
    if text.startswith("    container")
]


@pytest.mark.parametrize("text", DOCUMENTED)
def test_every_line_in_the_documentation_is_drawn(text):
    assert solve(drawn(line(text))).steps
