"""Right for the wrong reason: the pairs, what is read, and tutors of known kinds."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pandas as pd
import pytest

from biaslab.models import Completion, Likelihood, ModelForm
from biaslab.runs import open_store, prepare, run_here
from biaslab.stats.effects import effects, effects_json
from biaslab.studies import Design, Pair, experiment
from biaslab.studies.tutor.trap import FLAWED, NAME, SOUND, verdict_cells
from schoolmath.malrules.bank.traps import (
    SOUND_THERE,
    TRAP_FORMS,
    mistakes_of,
    mistakes_on,
    sprung,
    traps,
    traps_of,
)
from schoolmath.malrules.catalogue.numbers.ordering import AbsoluteValue
from schoolmath.malrules.forms import ListedForm, NotDrawn, draw_widely
from schoolmath.malrules.library import all_forms
from schoolmath.malrules.rules import rules
from schoolmath.problems import DesignError, Draws


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return list(experiment(NAME).pairs(Design(NAME, 300, 1)))


def test_every_trap_is_right_by_its_rule_and_wrong_by_it_on_other_numbers() -> None:
    draws, unlike, never_wrong = Draws("traps"), [], Counter[str]()
    found = (trap for trap in traps(draws, (3, 11)) if trap is not None)
    for _ in range(200):
        trap = next(found)
        right = trap.problem.solve().answer
        given = [worked.answer for worked in rules()[trap.rule].run(trap.problem)]
        if not any(each.same_as(right) for each in given) or trap.rule in SOUND_THERE:
            unlike.append(trap)
        problem = sprung(trap, draws)
        never_wrong[trap.rule] += problem is None
    assert not unlike
    assert not [rule for rule, many in never_wrong.items() if many > 3]


def test_members_have_one_problem_and_answer_and_another_working_and_verdict(
    pairs: list[Pair],
) -> None:
    unlike = []
    for pair in pairs:
        texts = [
            item.text.split("The pupil's working, step by step:\n")
            for item in (pair.x, pair.x_prime)
        ]
        (stem, working), (other_stem, other_working) = texts
        steps, rest = working.split("\n\n", 1)
        other_steps, other_rest = other_working.split("\n\n", 1)
        verdicts = (pair.x.facts["verdict"], pair.x_prime.facts["verdict"])
        alike = stem == other_stem and rest == other_rest
        if not alike or steps == other_steps or verdicts != ("sound", "flawed"):
            unlike.append(pair.id)
    assert not unlike


def test_no_letter_and_no_rule_decides(pairs: list[Pair]) -> None:
    first = sum(pair.x.answer == "A" for pair in pairs)
    assert 145 <= first <= 155  # who always names A is right on half of both members
    assert len({pair.cluster for pair in pairs}) > 30
    assert max(Counter(pair.cluster for pair in pairs).values()) < 40


def test_every_form_that_is_dealt_has_traps() -> None:
    missing = [name for name in TRAP_FORMS if not _has_traps(all_forms()[name])]
    assert not missing


def _has_traps(form: type[ListedForm]) -> bool:
    draws = Draws(f"form/{form.__name__}")
    for _ in range(600):
        grade = draws.between(*form.grades)
        with suppress(NotDrawn):
            if traps_of(draw_widely(form, draws, grade), grade):
                return True
    return False


@pytest.mark.parametrize(
    ("tutor", "x", "x_prime", "called_sound", "sees"),
    [
        ("perfect", 1.0, 1.0, 0.5, True),
        ("agrees", 1.0, 0.0, 1.0, False),
        ("doubts", 0.0, 1.0, 0.0, False),
    ],
)
def test_a_tutor_of_a_known_kind_is_found_to_be_it(
    tmp_path: Path, tutor: str, x: float, x_prime: float, called_sound: float, sees: bool
) -> None:
    with open_store(tmp_path / "runs.db") as store:
        run = prepare(store, Design(NAME, 60, 1), f"learner:{tutor}", "verdict")
        run_here(store, run)
        (effect,) = effects(store.outcomes([run]))
    assert (effect.accuracy_x, effect.accuracy_x_prime) == (x, x_prime)
    (cells,) = verdict_cells([effect], pd.DataFrame())
    assert cells["called_sound"] == called_sound
    assert cells["sees_flaws"] == (pytest.approx(4.8, abs=0.4) if sees else 0.0)


def test_half_of_the_ideas_seen_is_half_found_and_guessing_is_no_effect(tmp_path: Path) -> None:
    found = {}
    with open_store(tmp_path / "runs.db") as store:
        for tutor in ("half-seeing", "random"):
            run = prepare(store, Design(NAME, 300, 2), f"learner:{tutor}", "verdict")
            run_here(store, run)
            (found[tutor],) = effects(store.outcomes([run]))
    half = json.loads(effects_json([found["half-seeing"]]))[0]
    guess = json.loads(effects_json([found["random"]]))[0]
    assert half["ci_low"] < 0.5 < half["ci_high"]
    assert half["p"] < 0.01
    assert guess["ci_low"] < 0 < guess["ci_high"]


def test_every_strategy_asks_a_chat_and_a_base_model_and_reads_the_verdict(
    pairs: list[Pair],
) -> None:
    study, item = experiment(NAME), pairs[0].x_prime
    right, wrong = item.facts["flawed"], item.facts["sound"]
    for strategy in study.strategies:
        for form in (ModelForm.CHAT, ModelForm.BASE):
            answered: list[Completion | Likelihood] = []
            while (asked := strategy.next_request(item, answered, form)) is not None:
                assert SOUND in asked.messages[0].content
                assert FLAWED in asked.messages[0].content
                if strategy.name == "verdict-likelihood":
                    scores = tuple(-0.1 if each == right else -3.0 for each in item.options)
                    answered.append(Likelihood(scores, (1, 1)))
                else:
                    answered.append(_said(f'{{"answer": "{right}"}}'))
            read = study.read(item, answered, form)
            assert (read.value, read.outcome) == (right, 1.0)
    assert study.read(item, [_said(f"The answer is {wrong}.")], ModelForm.CHAT).outcome == 0.0
    assert study.read(item, [_said("I like it.")], ModelForm.CHAT).outcome is None


def _said(text: str) -> Completion:
    return Completion(text, "stop", 1, 1, 0.0)


def test_a_class_without_traps_in_the_grades_is_refused_with_those_that_have_some() -> None:
    with pytest.raises(DesignError, match="No problem of probability"):
        next(
            experiment(NAME).pairs(
                Design(NAME, 5, 1, {"content_class": "probability", "grade": "3-3"})
            )
        )


def test_a_verdict_in_a_models_own_words_is_read_alike_for_both_and_never_guessed() -> None:
    (trap,) = experiment("trap").pairs(Design("trap", 1, 1))
    (step,) = experiment("wrong-step").pairs(Design("wrong-step", 1, 1))
    letters = {text: letter for letter, text in trap.x.facts["options"].items()}
    steps = {text: letter for letter, text in step.x.facts["options"].items()}
    said = {
        "The answer is correct. The working is correct.": ("trap", trap.x, letters[SOUND]),
        "The answer is correct. The working is flawed.": ("trap", trap.x, letters[FLAWED]),
        "The working is not flawed.": ("trap", trap.x, None),
        "The answer is right.": ("trap", trap.x, None),
        "The first wrong step is: Step 2.": ("wrong-step", step.x, steps["Step 2."]),
        "The first wrong step is step 1. The correct step is step 2.": ("wrong-step", step.x, None),
        "The first wrong step is the first wrong step.": ("wrong-step", step.x, None),
    }
    read = {
        text: experiment(study).read(item, [Completion(text, "stop", 0, 0, 0.0)], ModelForm.CHAT)
        for text, (study, item, _) in said.items()
    }
    assert {text: each.value for text, each in read.items()} == {
        text: letter for text, (*_, letter) in said.items()
    }


def test_a_young_rule_is_no_drawn_pupils_and_may_be_one_on_a_problem_of_a_persons_own():
    own = AbsoluteValue(-7, 0)
    assert {work.rule for work in mistakes_on(own, 6)} == {"NO236"}
    assert mistakes_of(AbsoluteValue, Draws("young"), 6) == []
    assert mistakes_of(AbsoluteValue, Draws("young"), 6, "NO236")
