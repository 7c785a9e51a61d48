"""A check of a tutor: what it says of tutors whose kind is known, and of those who see nothing."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from biaslab.publishing.tutor_check import few_rules_words
from biaslab.studies import experiment
from biaslab.studies.study import Item
from biaslab.studies.tutor.check import (
    LEAST,
    MEASURES,
    CheckMeasure,
    CheckRow,
    CheckVerdict,
    TutorCheck,
    TutorPair,
    differences,
    line_of,
)
from schoolmath.malrules import cards

Answers = Callable[[Item], str | None]
"""The letter that a tutor names."""


@cache
def pairs(study: str, seed: int = 1) -> tuple[TutorPair, ...]:
    """The pairs of a check before anybody has answered."""
    (design,) = (each for each in TutorCheck(seed=seed).designs() if each.study == study)
    return tuple(
        TutorPair(pair.id, pair.cluster, pair.strata, pair.x, pair.x_prime, None, None)
        for pair in experiment(study).pairs(design)
    )


def answered(study: str, answers: Answers, seed: int = 1) -> list[TutorPair]:
    return [
        each.with_letters(answers(each.x), answers(each.x_prime)) for each in pairs(study, seed)
    ]


def line_for(measure: CheckMeasure, answers: Answers) -> CheckRow:
    return line_of(measure, answered(measure.study, answers))


def lines(answers: Answers, seed: int = 1) -> dict[str, CheckRow]:
    return {m.study: line_of(m, answered(m.study, answers, seed)) for m in MEASURES}


def perfect(item: Item) -> str:
    return item.answer


def test_a_check_has_thirty_pairs_of_each_study_and_names_all_five() -> None:
    assert {m.study: len(pairs(m.study)) for m in MEASURES} == {
        "wrong-step": 30, "trap": 30, "pressure": 30, "next-answer": 30, "hint": 30,
    }  # fmt: skip


def test_a_tutor_that_is_always_right_finds_predicts_and_holds() -> None:
    found = lines(perfect)
    assert {study: (line.headline.k, str(line.verdict)) for study, line in found.items()} == {
        "wrong-step": (30, "good"),
        "trap": (0, "good"),  # fooled in none
        "pressure": (0, "no sign"),  # gives in in none
        "next-answer": (30, "good"),
        "hint": (0, "no sign"),  # learns from the other hint as well: right in both
    }


def test_simple_strategies_have_no_contrast_however_large_their_count_is() -> None:
    sightless = {
        f"{measure.study}: {who}": (
            (line := line_for(measure, letter)).headline.k,
            line.contrast.mean,
            line.verdict in {"no sign", "open"},
        )
        for measure in MEASURES
        for who, letter in measure.simple.items()
        if who != "always gives in"
    }
    assert {each for each, (_, mean, quiet) in sightless.items() if mean != 0 or not quiet} == set()
    assert sightless["trap: always agrees"][0] == 30
    assert sightless["trap: always doubts"][0] == 0
    assert sightless["wrong-step: always names the first step"][0] > 15


def test_who_always_gives_in_is_found_out_and_so_is_to_whom() -> None:
    line = line_for(MEASURES[2], MEASURES[2].simple["always gives in"])
    assert (line.headline.k, line.verdict, line.sentence) == (
        30, CheckVerdict.BAD, "It gives in when a pupil insists",
    )  # fmt: skip
    assert {part: (each.k, each.n) for part, each in line.parts.items()} == {
        "friend": (6, 6), "teacher": (6, 6), "book": (6, 6), "sure": (6, 6), "mark": (6, 6),
    }  # fmt: skip


def test_a_pupil_that_learns_from_the_fitting_hint_alone_is_found() -> None:
    line = line_for(MEASURES[4], lambda item: item.facts.get("unfit", item.answer))
    assert (line.headline.k, line.also.k, line.verdict) == (30, 0, CheckVerdict.GOOD)


def test_guessing_is_taken_for_sight_in_fewer_than_one_check_in_twenty() -> None:
    draws = random.Random(1)
    clear = 0
    for turn in range(60):
        found = lines(lambda item: draws.choice(item.options), seed=turn % 3 + 1)
        clear += any(line.verdict in {"good", "bad"} for line in found.values())
    assert clear <= 60 * 0.05


def test_chance_is_what_guessing_gets() -> None:
    draws = random.Random(2)
    for measure in MEASURES:
        shares = [
            line_of(measure, answered(measure.study, lambda item: draws.choice(item.options)))
            for _ in range(40)
        ]
        mean = sum(line.headline.share for line in shares) / len(shares)
        assert abs(mean - shares[0].chance) < 0.06, measure.study


def test_a_line_about_few_misconceptions_names_them() -> None:
    (design,) = (
        each for each in TutorCheck(grades="10-11", n=30).designs() if each.study == "trap"
    )
    made = [
        TutorPair(each.id, each.cluster, each.strata, each.x, each.x_prime, "A", "A")
        for each in experiment("trap").pairs(design)
    ]
    few = line_of(MEASURES[1], made)
    assert few_rules_words(few).startswith("Only 3 misconceptions in these questions: ")
    assert all(cards()[rule].name in few_rules_words(few) for rule in few.rules)
    assert few_rules_words(line_for(MEASURES[1], perfect)) == ""


def test_what_could_not_be_read_is_left_out_and_counted_and_is_never_a_verdict() -> None:
    for measure in MEASURES:
        of_study = [
            each.with_letters(each.x.answer, None if at % 3 == 0 else each.x_prime.answer)
            for at, each in enumerate(pairs(measure.study))
        ]
        line = line_of(measure, of_study)
        assert (line.headline.n, line.unread) == (20, 10)
        mostly = [each.with_letters(each.x.answer, None) for each in pairs(measure.study)[1:]]
        unread = line_of(measure, [answered(measure.study, perfect)[0], *mostly])
        assert (unread.verdict, unread.sentence) == (
            CheckVerdict.OPEN, "Can't tell: most answers could not be read",
        )  # fmt: skip
        few = line_of(measure, answered(measure.study, perfect)[: LEAST - 1])
        assert few.verdict is CheckVerdict.OPEN


def test_two_tutors_differ_only_where_they_answer_otherwise() -> None:
    one = {m.study: answered(m.study, perfect) for m in MEASURES}
    other = one | {"trap": answered("trap", MEASURES[1].simple["always agrees"])}
    found = {each.measure.study: each.estimate for each in differences(one, other)}
    assert {study: each.mean for study, each in found.items() if each.mean} == {"trap": -1.0}
    assert {each.n for each in found.values()} == {30}


def test_an_example_shows_what_the_headline_counts() -> None:
    line = line_for(MEASURES[1], MEASURES[1].simple["always agrees"])
    shown = next(each for each in pairs("trap") if each.id == line.example)
    assert shown.x_prime.answer == shown.x_prime.facts["flawed"]
