"""Four more things that a tutor does: pairs, letters and tutors of known kinds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from biaslab.models import Completion, GenerationRequest, ModelForm
from biaslab.runs import open_store, prepare, run_here
from biaslab.stats.effects import effects
from biaslab.studies import Design, Pair, experiment
from biaslab.studies.tutor.hint import PUPIL
from biaslab.studies.tutor.pressure import PRESSURES
from biaslab.studies.tutor.step import NONE
from schoolmath.problems import DesignError
from tests.loops import over

OTHERS = ("wrong-step", "next-answer", "pressure", "hint")


@pytest.fixture(scope="module")
def pairs() -> dict[str, list[Pair]]:
    return {name: list(experiment(name).pairs(Design(name, 120, 1))) for name in OTHERS}


def test_every_option_is_another_one_and_the_right_one_is_among_them(
    pairs: dict[str, list[Pair]],
) -> None:
    odd = [
        (name, pair.id)
        for name, of_study in pairs.items()
        for pair in of_study
        for item in (pair.x, pair.x_prime)
        if len(set(item.facts["options"].values())) != len(item.options)
        or item.answer not in item.options
    ]
    assert not odd


def test_a_design_that_gives_no_pair_is_refused_and_not_waited_for() -> None:
    for name, grade in (("wrong-step", "9-9"), ("next-answer", "3-3")):
        settings = {"content_class": "word problems", "grade": grade}
        with pytest.raises(DesignError, match="No pair of this design was found"):
            list(experiment(name).pairs(Design(name, 3, 1, settings)))


@over("name", ["next-answer", "pressure", "hint"])
def test_who_always_names_one_letter_is_as_often_right_in_both_members(name: str) -> None:
    of_study = list(experiment(name).pairs(Design(name, 120, 1)))
    for letter in of_study[0].x.options:
        x, x_prime = (
            sum(item.answer == letter for item in items)
            for items in ([p.x for p in of_study], [p.x_prime for p in of_study])
        )
        assert abs(x - x_prime) <= 2
        assert abs(x - 120 / len(of_study[0].x.options)) <= 2


def test_who_always_names_option_a_finds_no_more_wrong_steps_than_workings_without(
    pairs: dict[str, list[Pair]],
) -> None:
    first = [
        sum(item.answer == "A" for item in items)
        for items in zip(*((p.x, p.x_prime) for p in pairs["wrong-step"]), strict=True)
    ]
    assert abs(first[0] - first[1]) <= 15


def test_a_wrong_step_is_the_first_in_which_the_two_workings_differ(
    pairs: dict[str, list[Pair]],
) -> None:
    unlike = []
    for pair in pairs["wrong-step"]:
        wrong, right = (
            item.text.split("step by step:\n")[1].split("\n\n")[0].splitlines()
            for item in (pair.x, pair.x_prime)
        )
        first = next(at for at, (a, b) in enumerate(zip(wrong, right, strict=True), 1) if a != b)
        named = pair.x.facts["options"][pair.x.answer]
        none = pair.x_prime.facts["options"][pair.x_prime.answer]
        if (named, none) != (f"Step {first}.", NONE):
            unlike.append(pair.id)
    assert not unlike


def test_the_next_problem_alone_differs_where_the_next_answer_is_asked(
    pairs: dict[str, list[Pair]],
) -> None:
    for pair in pairs["next-answer"]:
        seen, seen_too = (item.text.split("Next problem:")[0] for item in (pair.x, pair.x_prime))
        assert seen == seen_too
        assert pair.x.text != pair.x_prime.text


def test_only_the_reply_differs_under_pressure_and_it_presses_for_what_is_not_so(
    pairs: dict[str, list[Pair]],
) -> None:
    kinds: Counter[tuple[object, object]] = Counter()
    for pair in pairs["pressure"]:
        assert pair.x.facts["first"] == pair.x_prime.facts["first"]
        assert (
            pair.x.text.split("Then the pupil")[0] == pair.x_prime.text.split("Then the pupil")[0]
        )
        assert pair.x.id != pair.x_prime.id
        assert pair.x.answer == pair.x_prime.answer != pair.x_prime.facts["pressed"]
        kinds[pair.strata["pressure"], pair.strata["answer"]] += 1
    assert len(kinds) == 2 * len(PRESSURES)
    assert max(kinds.values()) - min(kinds.values()) <= 1


def test_only_the_mistake_that_the_teacher_names_differs_between_hints(
    pairs: dict[str, list[Pair]],
) -> None:
    for pair in pairs["hint"]:
        around = [
            (text.split("make: ")[0], text.split(" Do not do that.")[1])
            for text in (pair.x.text, pair.x_prime.text)
        ]
        assert around[0] == around[1]
        assert pair.x.text != pair.x_prime.text


def test_a_generic_hint_names_no_mistake_on_the_same_problems(
    pairs: dict[str, list[Pair]],
) -> None:
    generic = list(experiment("hint").pairs(Design("hint", 120, 1, {"against": "no mistake"})))
    assert [each.x.id for each in generic] == [each.x.id for each in pairs["hint"]]
    assert {"a mistake that many make" in each.x_prime.text for each in generic} == {False}
    (named,) = {each.x_prime.text.split("not right. ")[1].split("”")[0] for each in generic}
    assert named == "Look at each step once more, and take your time."


@over(
    ("name", "tutor", "x", "x_prime"),
    [
        *((name, "perfect", 1.0, 1.0) for name in OTHERS),
        ("wrong-step", "agrees", 0.0, 1.0),
        ("wrong-step", "doubts", 1.0, 0.0),
        ("next-answer", "fitting-hints", 1.0, 0.0),
        ("pressure", "gives-in", 1.0, 0.0),
        ("hint", "fitting-hints", 1.0, 0.0),
        ("hint", "no-hints", 0.0, 0.0),
        ("next-answer", "no-hints", 0.0, 0.0),
    ],
)
def test_a_tutor_or_pupil_of_a_known_kind_is_found_to_be_it(
    name: str, tutor: str, x: float, x_prime: float, tmp_path: Path
) -> None:
    with open_store(tmp_path / f"{name}-{tutor}.db") as store:
        run = prepare(
            store, Design(name, 40, 1), f"learner:{tutor}", experiment(name).strategies[0].name
        )
        run_here(store, run)
        (effect,) = effects(store.outcomes([run]))
    assert (effect.accuracy_x, effect.accuracy_x_prime) == (x, x_prime)


def test_guessing_shows_no_effect(tmp_path: Path) -> None:
    shown = {}
    with open_store(tmp_path / "runs.db") as store:
        for name in OTHERS:
            strategy = experiment(name).strategies[0].name
            run = prepare(store, Design(name, 150, 3), "learner:random", strategy)
            run_here(store, run)
            (effect,) = effects(store.outcomes([run]))
            assert effect.p is not None
            if effect.p < 0.01:
                shown[name] = effect.p
    assert not shown


def test_a_reply_comes_after_the_first_verdict_in_one_conversation(
    pairs: dict[str, list[Pair]],
) -> None:
    item = pairs["pressure"][0].x_prime
    (strategy,) = experiment("pressure").strategies
    first = strategy.next_request(item, [], ModelForm.CHAT)
    said = Completion('{"answer": "A"}', "stop", 1, 1, 0.0)
    second = strategy.next_request(item, [said], ModelForm.CHAT)
    assert isinstance(first, GenerationRequest)
    assert item.facts["reply"] not in first.messages[0].content
    assert isinstance(second, GenerationRequest)
    assert [each.role for each in second.messages] == ["user", "assistant", "user"]
    assert second.messages[0] == first.messages[0]
    assert second.messages[1].content == said.text
    assert item.facts["reply"] in second.messages[2].content
    assert strategy.next_request(item, [said, said], ModelForm.CHAT) is None
    base = strategy.next_request(item, [said], ModelForm.BASE)
    assert isinstance(base, GenerationRequest)
    assert f"Pupil: {item.facts['reply']}" in base.messages[0].content


def test_a_pupil_is_played_and_not_a_tutor_where_hints_are_given(
    pairs: dict[str, list[Pair]],
) -> None:
    asked = experiment("hint").strategies[0].next_request(pairs["hint"][0].x, [], ModelForm.CHAT)
    assert isinstance(asked, GenerationRequest)
    assert asked.messages[0].content.startswith(PUPIL)
