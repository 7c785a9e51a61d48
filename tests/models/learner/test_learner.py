"""Simulated learners make the mistakes they are said to make, as often as they are said to."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.models import (
    LEARNERS,
    Completion,
    Failure,
    GenerationRequest,
    Learner,
    LearnerModel,
    Message,
    ModelForm,
    ModelKind,
    Sampling,
    open_model,
)
from biaslab.models.learner.chances import Luck, every_way
from biaslab.models.learner.solver import UnreadableSteps, read_chain, write_number
from tests.loops import over

Step = dict[str, Any]

DIRECT = "Q: Ana has 18 apples.\nA: The answer (Arabic numerals) is "
STEP_BY_STEP = "Q: Ana has 18 apples.\nA: Let's think step by step."


def step(
    left: int, operation: str, right: int, *, rule: str = "compare", consistent: bool | None = None
) -> Step:
    result = {
        "+": left + right,
        "-": left - right,
        "*": left * right,
        "/": left // right if right else 0,
    }[operation]
    return {
        "sentence": 1,
        "rule": rule,
        "consistent": consistent,
        "operation": operation,
        "left": left,
        "right": right,
        "result": result,
        "carries": 0,
        "agent": "Ben",
        "what": "apples",
    }


def ask(learner: Learner, steps: list[Step], text: str = DIRECT, seed: int = 0) -> Completion:
    request = GenerationRequest(
        (Message("text", text),), Sampling(seed=seed), facts={"steps": steps}
    )
    ((index, answer),) = LearnerModel(learner).generate([request])
    assert index == 0
    assert isinstance(answer, Completion)
    return answer


def share_right(learner: Learner, steps: list[Step], trials: int) -> float:
    right = str(steps[-1]["result"])
    return sum(ask(learner, steps, seed=s).text == right for s in range(trials)) / trials


@st.composite
def chains(draw: st.DrawFn) -> list[Step]:
    """Chains of one to four steps in whole numbers, as problems have them."""
    left = draw(st.integers(2, 400))
    steps = []
    for _ in range(draw(st.integers(1, 4))):
        rule = draw(st.sampled_from(["gain", "give", "compare", "rate"]))
        consistent = draw(st.booleans()) if rule == "compare" else None
        right = draw(st.integers(2, 99))
        possible = [
            sign
            for sign, fits in (
                ("+", rule in ("gain", "compare")),
                ("-", rule in ("give", "compare") and left > right),
                ("*", rule in ("rate", "compare")),
                ("/", rule in ("rate", "compare") and left % right == 0),
            )
            if fits
        ] or ["+"]
        steps.append(
            step(left, draw(st.sampled_from(possible)), right, rule=rule, consistent=consistent)
        )
        left = steps[-1]["result"]
    return steps


probabilities = st.sampled_from([0.0, 0.1, 0.4, 1.0])


@st.composite
def learners(draw: st.DrawFn) -> Learner:
    return Learner("any", "Any", "Any.", *(draw(probabilities) for _ in range(7)))


def test_perfect_learner_solves_a_chain() -> None:
    steps = [step(18, "-", 3, consistent=False), step(15, "*", 4, rule="rate")]
    assert ask(learner("perfect"), steps).text == "60"


def learner(name: str) -> Learner:
    return next(known for known in LEARNERS if known.name == name)


@pytest.mark.parametrize(
    ("needed", "right", "answer"), [("+", 3, "15"), ("-", 3, "21"), ("*", 3, "6"), ("/", 3, "54")]
)
def test_keyword_learner_reverses_the_operation_that_a_misleading_word_suggests(
    needed: str, right: int, answer: str
) -> None:
    assert ask(learner("keyword"), [step(18, needed, right, consistent=False)]).text == answer


@pytest.mark.parametrize("consistent", [True, None])
def test_keyword_learner_is_right_where_no_word_misleads(consistent: bool | None) -> None:
    assert ask(learner("keyword"), [step(18, "-", 3, consistent=consistent)]).text == "15"


def test_a_mistake_carries_into_the_next_step() -> None:
    steps = [step(18, "-", 3, consistent=False), step(15, "+", 4, rule="gain")]
    assert ask(learner("keyword"), steps).text == "25"


def test_a_reversed_multiplication_gives_the_exact_quotient_with_a_decimal_point() -> None:
    assert ask(learner("keyword"), [step(7, "*", 2, consistent=False)]).text == "3.5"
    assert ask(learner("keyword"), [step(7, "*", 3, consistent=False)]).text == "2.33"


def test_fractions_stay_exact_between_steps() -> None:
    steps = [step(7, "*", 3, consistent=False), step(21, "*", 3, rule="rate")]
    assert ask(learner("keyword"), steps).text == "7"


@pytest.mark.parametrize(
    ("left", "operation", "right", "answer"),
    [
        (265, "+", 317, "572"),
        (199, "+", 199, "288"),
        (700, "+", 500, "1200"),
        (8, "+", 5, "13"),
        (452, "-", 137, "325"),
        (300, "-", 111, "299"),
        (452, "-", 131, "321"),
    ],
)
def test_a_learner_who_drops_every_carry_is_off_by_the_places_of_its_carries(
    left: int, operation: str, right: int, answer: str
) -> None:
    dropper = Learner("all", "All", "Drops all.", carry_slip=1.0)
    assert ask(dropper, [step(left, operation, right, rule="gain")]).text == answer


def test_two_droppable_carries_are_dropped_independently() -> None:
    sums = [step(265, "+", 367, rule="gain")]
    expected = learner("carry-dropper").expected_accuracy(sums)
    assert expected == pytest.approx(0.6**2)


def test_step_by_step_writes_a_sentence_per_step_and_agrees_with_the_answer() -> None:
    steps = [step(18, "-", 3, consistent=False), step(15, "*", 4, rule="rate")]
    for seed in range(50):
        reasoning = ask(learner("novice"), steps, STEP_BY_STEP, seed).text
        second = f"{STEP_BY_STEP} {reasoning}\nTherefore, the answer (Arabic numerals) is"
        answer = ask(learner("novice"), steps, second, seed).text
        if answer == "I do not know.":
            assert reasoning == answer
        else:
            assert f" {answer} " in reasoning or reasoning == f"{answer}."
    assert (
        ask(learner("keyword"), steps, STEP_BY_STEP).text
        == "Ben has 18 + 3 = 21 apples. Ben has 21 * 4 = 84 apples."
    )


@pytest.mark.parametrize(
    "words",
    [
        "Let's think step by step.",
        "Let's think step by step as a grade-school child would.",
        "Think step-by-step:\n",
    ],
)
def test_the_last_sentence_decides_whether_reasoning_is_written(words: str) -> None:
    steps = [step(18, "+", 3)]
    assert "=" in ask(learner("perfect"), steps, words).text
    assert ask(learner("perfect"), steps, f"{words} Therefore, the answer is").text == "21"


def test_shy_learner_sometimes_gives_no_number() -> None:
    texts = {ask(learner("shy"), [step(18, "+", 3)], seed=seed).text for seed in range(60)}
    assert texts == {"21", "I do not know."}


def test_same_facts_and_seed_give_the_same_answer_whatever_else_is_asked() -> None:
    request = GenerationRequest(
        (Message("text", DIRECT),), Sampling(seed=7), {"steps": [step(452, "-", 137)]}
    )
    other = GenerationRequest((Message("text", "?"),), Sampling(), {"steps": [step(2, "+", 2)]})
    model = LearnerModel(learner("novice"))
    alone = dict(model.generate([request]))[0]
    assert dict(model.generate([other, other, request]))[2] == alone


def test_members_of_a_pair_have_luck_of_their_own() -> None:
    agree = 0
    for number in range(200):
        plain, treated = (
            ask(learner("coin"), [step(100 + number, "-", 3, consistent=consistent)]).text
            for consistent in (True, False)
        )
        agree += plain == treated
    assert 60 < agree < 140


def test_no_facts_is_a_failure_with_a_sentence_and_no_wrong_answer() -> None:
    ((_, answer),) = LearnerModel(learner("perfect")).generate(
        [GenerationRequest((Message("text", DIRECT),))]
    )
    assert isinstance(answer, Failure)
    assert not answer.retryable
    assert "choose another model" in answer.reason


@pytest.mark.parametrize(
    "steps",
    [
        [],
        None,
        "text",
        [{"left": 1}],
        [{**step(1, "+", 2), "operation": "^"}],
        [{**step(1, "+", 2), "right": "2"}],
        [step(1, "+", 2), step(4, "+", 2)],
    ],
)
def test_facts_without_a_chain_are_a_failure(steps: object) -> None:
    ((_, answer),) = LearnerModel(learner("perfect")).generate(
        [GenerationRequest((Message("text", DIRECT),), facts={"steps": steps})]
    )
    assert isinstance(answer, Failure)
    with pytest.raises(UnreadableSteps):
        read_chain(steps)


def test_identity_follows_the_probabilities_and_nothing_else() -> None:
    one = Learner("me", "Me", "One line.", random_slip=0.1)
    same = Learner("me", "Me again", "Another line.", random_slip=0.1)
    other = Learner("me", "Me", "One line.", random_slip=0.2)
    identities = [LearnerModel(who).identity for who in (one, same, other)]
    assert identities[0].id == identities[1].id != identities[2].id
    assert identities[0].kind is ModelKind.LEARNER
    assert identities[0].form is ModelForm.BASE


def test_a_probability_outside_zero_to_one_is_refused() -> None:
    with pytest.raises(ValueError, match=r"1\.5"):
        Learner("me", "Me", "One line.", random_slip=1.5)


def test_there_are_named_learners_each_with_one_line() -> None:
    assert {"perfect", "keyword", "halfway", "careless", "carry-dropper", "novice", "coin"} <= {
        known.name for known in LEARNERS
    }
    for known in LEARNERS:
        assert known.explanation.endswith(".")
        assert "\n" not in known.explanation
        assert open_model(f"learner:{known.name}").identity.spec == f"learner:{known.name}"


@over("known", LEARNERS, ids=lambda known: known.name)
@over("consistent", [True, False])
def test_simulation_meets_the_expected_accuracy(known: Learner, consistent: bool) -> None:
    steps = [
        step(265, "+", 367, consistent=consistent),
        step(632, "-", 145, rule="give"),
    ]
    trials = 1500
    expected = known.expected_accuracy(steps)
    allowed = 4.5 * (expected * (1 - expected) / trials) ** 0.5 + 1e-9
    assert abs(share_right(known, steps, trials) - expected) <= allowed


@given(chains(), learners())
@settings(max_examples=25, deadline=None)
def test_any_learner_meets_its_expected_accuracy(steps: list[Step], known: Learner) -> None:
    trials = 400
    expected = known.expected_accuracy(steps)
    allowed = 5.5 * (expected * (1 - expected) / trials) ** 0.5 + 1.5 / trials
    assert abs(share_right(known, steps, trials) - expected) <= allowed


@given(chains(), st.floats(0, 1), st.floats(0, 1))
@settings(max_examples=60, deadline=None)
def test_expected_accuracy_agrees_with_the_closed_form_for_reversals(
    steps: list[Step], keyword: float, giving_up: float
) -> None:
    """Given one misleading comparison at most, a reversal (nearly) never cancels out."""
    misleading = [s for s in steps if s["consistent"] is False]
    if len(misleading) > 1:
        return
    known = Learner("k", "K", "K.", keyword_probability=keyword, giving_up=giving_up)
    expected = (1 - giving_up) * (1 - keyword) ** len(misleading)
    assert known.expected_accuracy(steps) == pytest.approx(expected)


@given(chains())
@settings(max_examples=60, deadline=None)
def test_a_learner_without_mistakes_is_always_right(steps: list[Step]) -> None:
    nobody = Learner("n", "N", "N.")
    assert nobody.expected_accuracy(steps) == 1.0
    assert ask(nobody, steps).text == str(steps[-1]["result"])


@given(chains())
@settings(max_examples=30, deadline=None)
def test_the_right_answer_is_never_looked_up(steps: list[Step]) -> None:
    """When the last result in the facts is changed, then the answer is what it was."""
    forged = [*steps[:-1], {**steps[-1], "result": steps[-1]["result"] + 1000}]
    nobody = Learner("n", "N", "N.")
    assert ask(nobody, forged).text == ask(nobody, steps).text


@given(st.fractions(-2000, 2000, max_denominator=400))
def test_a_number_that_is_not_whole_never_looks_whole(number: Fraction) -> None:
    text = write_number(number)
    assert ("." in text) == (number.denominator != 1)
    assert abs(Fraction(text) - number) <= Fraction(1, 200)
    assert (Fraction(text).denominator == 1) == (number.denominator == 1)


def test_every_way_covers_all_outcomes_of_chance() -> None:
    def work(chances: Luck) -> tuple[bool, int]:
        first = chances.happens(0.25)
        return first, chances.one_of([1, 2]) if first else 0

    outcomes: Mapping[tuple[bool, int], float] = {way: p for p, way in every_way(work)}
    assert outcomes == {(False, 0): 0.75, (True, 1): 0.125, (True, 2): 0.125}
    assert sum(outcomes.values()) == 1.0
    assert [p for p, _ in every_way(lambda _: None)] == [1.0]


def test_a_coin_is_right_half_of_the_time_whatever_the_wording() -> None:
    for consistent, operation in itertools.product((True, False), "+-"):
        assert learner("coin").expected_accuracy(
            [step(40, operation, 7, consistent=consistent)]
        ) == pytest.approx(0.5)


class TestSlipsAtComparisons:
    @given(chains())
    def test_whoever_only_finds_comparisons_hard_does_every_other_step_rightly(self, steps):
        # Given a learner that slips whenever two amounts are compared, and nowhere else
        learner = Learner("slips", "Slips", "Slips at comparisons.", comparison_slip=1.0)
        others = [step for step in steps if step["rule"] != "compare"]
        if len(others) == len(steps):
            # Then problems without a comparison are solved rightly, always
            assert learner.expected_accuracy(steps) == 1.0
            assert ask(learner, steps).text == str(steps[-1]["result"])

    @pytest.mark.parametrize("rule", ["gain", "give", "rate"])
    def test_one_step_that_is_no_comparison_is_never_slipped_at(self, rule):
        learner = Learner("slips", "Slips", "Slips at comparisons.", comparison_slip=1.0)
        operation = {"gain": "+", "give": "-", "rate": "*"}[rule]
        assert learner.expected_accuracy([step(18, operation, 3, rule=rule)]) == 1.0
        compared = [step(18, operation, 3, rule="compare", consistent=True)]
        assert learner.expected_accuracy(compared) == 0.0


class TestAlwaysAdding:
    @given(chains())
    def test_it_adds_all_the_numbers(self, steps):
        learner = Learner("plus", "Plus", "Adds.", always_adds=True)
        total = steps[0]["left"] + sum(each["right"] for each in steps)
        assert ask(learner, steps).text == str(total)
