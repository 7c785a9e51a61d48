"""Scenarios: those of the app, those of a file, and those that a model writes in two steps."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from biaslab.files import InterchangeError
from biaslab.models import Completion, Failure, GenerationRequest, ModelForm
from biaslab.studies.decisions.biases import bias
from biaslab.studies.decisions.biases.scenarios import (
    POSITIONS,
    TESTS_A_SCENARIO,
    Scenario,
    read_scenarios,
    scenarios,
    scenarios_csv,
    write_scenarios,
)
from biaslab.studies.decisions.biases.written_scenes import write_scenes
from tests.loops import over
from tests.servers.scene_writer import scene

ANCHORING = bias("anchoring")


def answers(requests: Sequence[GenerationRequest]) -> Iterator[tuple[int, Completion | Failure]]:
    """A simulated writer: sound answers, but for one decision that has a number in it."""
    for place, request in reversed(list(enumerate(requests))):
        asked = request.messages[0].content
        if asked.startswith("Name 8"):
            text = f"Here: {json.dumps([f'manager of {word}' for word in 'abcdefgh'])}"
        elif "manager of c" in asked:
            text = '{"decision": "whether to buy 12 hens"}'
        else:
            text = json.dumps({"decision": f"Whether to do this, {asked.partition('?')[0][-60:]}."})
        yield place, Completion(text, "stop", 1, 1, 0.0)


def test_the_app_has_two_hundred_that_differ_in_twenty_five_fields_of_eight_positions() -> None:
    every = scenarios()
    assert len(set(every)) == 200
    assert set(Counter(each.field for each in every).values()) == {POSITIONS}
    assert len({each.decision for each in every}) == 200
    assert len({(each.field, each.position) for each in every}) == 200
    assert not any(letter.isdigit() for each in every for letter in each.text)
    assert 200 * TESTS_A_SCENARIO == 1_000
    assert every[0].text == (
        "a plant manager, in the field of energy, who has to decide whether to run an old turbine "
        "for another winter before it is overhauled"
    )


def test_a_file_gives_what_was_written() -> None:
    assert read_scenarios(scenarios_csv(scenarios()), "s.csv") == scenarios()


@over(
    ("text", "told"),
    [
        ("field,position\nfarm,cook\n", "has no column decision"),
        ("field,position,decision\nfarm,,whether\n", "Row 2 of s.csv: each column needs a text"),
        (f"field,position,decision\nfarm,cook,{'x' * 201}\n", "at most 200 characters"),
    ],
)
def test_a_file_that_lacks_something_is_refused(text, told):
    with pytest.raises(InterchangeError, match=told):
        read_scenarios(text.encode(), "s.csv")


def test_a_model_names_positions_and_then_decisions_and_each_is_checked() -> None:
    found = write_scenarios(answers, ModelForm.CHAT, ["farming", "baking"], seed=3)
    assert len(found.scenarios) == 2 * (POSITIONS - 1)
    assert found.refused == (
        "farming, manager of c: no decision could be read.",
        "baking, manager of c: no decision could be read.",
    )
    first = found.scenarios[0]
    assert (first.field, first.position) == ("farming", "manager of a")
    assert first.decision.startswith("whether to do this")
    assert not first.decision.endswith(".")


def test_positions_that_are_too_few_or_no_list_are_told() -> None:
    def silent(requests: Sequence[GenerationRequest]) -> Iterator[tuple[int, Completion]]:
        for place, _ in enumerate(requests):
            yield place, Completion("I cannot say.", "stop", 1, 1, 0.0)

    found = write_scenarios(silent, ModelForm.BASE, ["farming"])
    assert found.scenarios == ()
    assert found.refused == ("farming: 0 of 8 positions.",)


def test_scenes_take_turns_with_scenarios_and_those_refused_are_asked_for_again() -> None:
    two = (Scenario("farming", "hen keeper", "whether to sell"), *scenarios()[:1])
    seen: list[str] = []

    def writer(requests: Sequence[GenerationRequest]) -> Iterator[tuple[int, Completion]]:
        for place, request in enumerate(requests):
            seen.append(request.messages[0].content)
            assert request.sampling.seed is not None
            good = json.dumps(scene(request.sampling.seed * 7))
            text = "no" if len(seen) in (2, 3, 5) else good
            yield place, Completion(text, "stop", 1, 1, 0.0)

    found = write_scenes(ANCHORING, writer, ModelForm.CHAT, 4, seed=1, scenarios=two, attempts=3)
    assert [("hen keeper" in each, "plant manager" in each) for each in seen[:2]] == [
        (True, False), (False, True),
    ]  # fmt: skip
    assert len(seen) == 7
    assert sorted(each.number for each in found.scenes if each.sound) == [1, 2, 3, 4]
    assert {each.field for each in found.sound} == {"farming", "energy"}
    # The share that passed counts every answer, those to second attempts too.
    assert found.keep_rate == pytest.approx(4 / 7)
    assert len(set(seen)) == 2
