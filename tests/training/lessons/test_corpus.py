"""What a model is taught: the app's own prompts, and only answers and reasoning."""

from __future__ import annotations

from itertools import islice

import pytest

from biaslab.models import Completion, ModelForm
from biaslab.studies.strategies import PUBLISHED_STRATEGIES
from biaslab.studies.study import Design
from biaslab.training.corpus import (
    UNTAUGHT,
    Script,
    build_tokenizer,
    equation_script,
    examples,
    reasoning,
    script,
)
from biaslab.training.lessons import STUDIES, Equation, TrainingLesson, equations, lessons
from biaslab.training.mix import MIXES
from schoolmath.problems.quantities import carries


@pytest.fixture(scope="module")
def tokenizer():
    return build_tokenizer()


@pytest.fixture(scope="module")
def some_lessons():
    return list(islice(lessons(MIXES["skewed"], 3, 0), 400))


def encode(tokenizer, text):
    return tokenizer(text, add_special_tokens=False)["input_ids"]


def taught(example):
    return [(position, label) for position, label in enumerate(example.labels) if label != UNTAUGHT]


@pytest.mark.parametrize("strategy", PUBLISHED_STRATEGIES, ids=lambda strategy: strategy.name)
def test_what_is_seen_in_training_is_token_for_token_what_the_app_asks(tokenizer, strategy):
    for pair in STUDIES["consistency"].pairs(Design("consistency", 60, 9)):
        written = script(TrainingLesson(pair.x, strategy, "consistency"))
        (example,) = examples([written], tokenizer)
        answered = []
        for given, said in written.turns:
            request = strategy.next_request(pair.x, answered, ModelForm.BASE)
            prompt = encode(tokenizer, request.messages[0].content)
            assert example.tokens[: len(prompt)] == prompt
            first_said = encode(tokenizer, said)[0]
            assert example.labels[len(prompt) - 1] == first_said
            assert given in request.messages[0].content
            answered.append(Completion(said, "stop", 0, 0, 0.0))
        assert strategy.next_request(pair.x, answered, ModelForm.BASE) is None


def test_only_answers_and_reasoning_are_taught_and_each_ends(tokenizer, some_lessons):
    scripts = [script(lesson) for lesson in some_lessons]
    for written, example in zip(scripts, examples(scripts, tokenizer), strict=True):
        said = "".join(text + tokenizer.eos_token for _, text in written.turns)
        assert tokenizer.decode([label for _, label in taught(example)]) == said
        assert tokenizer.eos_token_id not in example.tokens
        assert len(example.tokens) == len(example.labels)


def test_a_taught_token_is_the_next_one_of_the_text_unless_it_is_the_end(tokenizer, some_lessons):
    scripts = [script(lesson) for lesson in some_lessons]
    for example in examples(scripts, tokenizer):
        for position, label in taught(example):
            if label != tokenizer.eos_token_id:
                assert example.tokens[position + 1] == label


def test_of_every_name_it_is_told_whether_that_person_was_named_before(tokenizer):
    text = "Q: Ben has 4 apples. Ana has 3 more apples than Ben. How many apples does Ana have?"
    (example,) = examples([Script(((text, " 7"),))], tokenizer)
    told = [
        (tokenizer.decode([token]), familiar)
        for token, familiar in zip(example.tokens, example.familiar, strict=True)
        if familiar != UNTAUGHT
    ]
    assert told == [(" Ben", 0), (" Ana", 0), (" Ben", 1), (" Ana", 1)]


def test_reasoning_is_the_steps_as_equations(some_lessons):
    for lesson in some_lessons:
        text = reasoning(lesson.item)
        assert text.count("=") == len(lesson.item.facts["steps"])
        assert text.endswith(f"= {lesson.item.answer}.")


def test_an_equation_is_written_as_reasoning_or_asked_as_a_direct_question():
    equation = Equation(18, "-", 3, 15)
    assert equation_script(equation, direct=False).turns == ((" 18 - 3 =", " 15."),)
    (turn,) = equation_script(equation, direct=True).turns
    assert turn == ("Q: 18 - 3\nA: The answer (Arabic numerals) is ", "15")


def test_equations_are_right_and_in_range():
    for equation in islice(equations(4), 5_000):
        value = {
            "+": equation.left + equation.right,
            "-": equation.left - equation.right,
            "*": equation.left * equation.right,
            "/": equation.left / equation.right,
        }[equation.operation]
        assert equation.result == value
        assert 1 <= equation.result <= 999


@pytest.mark.parametrize("carrying", [(1, 0), (0, 1), (5, 1)])
def test_three_digit_equations_carry_as_often_as_the_ratio_says(carrying):
    shares = (("three digits", 1.0),)
    found = list(islice(equations("ratio", shares, carrying), 2_000))
    without = sum(carries(each.operation, each.left, each.right) == 0 for each in found)
    assert without / len(found) == pytest.approx(carrying[0] / sum(carrying), abs=0.03)
