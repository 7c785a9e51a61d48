"""Scenes that a model writes: what is asked, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from biaslab.models import ModelForm
from biaslab.studies.decisions.biases import bias, check_text, fill, scales
from biaslab.studies.decisions.biases.catalogue import ASSETS
from biaslab.studies.decisions.biases.files import with_vignettes
from biaslab.studies.decisions.biases.template import Vignette, values_at
from biaslab.studies.decisions.biases.written_scenes import (
    diversity,
    gap_keys,
    gap_request,
    read_filling,
)
from tests.loops import over

ANCHORING = bias("anchoring")
GOOD = {
    "role": "a beekeeper",
    "organisation": "at a small honey farm",
    "situation": "The honey of this summer is in jars, and some of it can be sold at the market",
    "resource": "the honey of this summer.",
    "purpose": "the market",
}


def read(**changes: object):
    content = {key: value for key, value in {**GOOD, **changes}.items() if value is not None}
    return read_filling(ANCHORING, json.dumps(content), "new", "farming")


@pytest.mark.parametrize("form", list(ModelForm))
def test_the_request_shows_the_text_every_instruction_and_the_keys(form):
    asked = gap_request(ANCHORING, "farming", form, 3).messages[0].content
    assert "farming" in asked
    for key, instruction in gap_keys(ANCHORING).items():
        assert instruction in asked
        assert json.dumps(key) in asked
    assert gap_request(ANCHORING, "farming", form, 4) != gap_request(ANCHORING, "farming", form, 3)


def test_a_slot_that_depends_on_a_choice_is_asked_for_every_choice():
    halo = bias("halo-effect")
    by = [name for name, slot in halo.slots.items() if slot.by]
    assert by
    for name in by:
        assert sum(key.startswith(f"{name}[") for key in gap_keys(halo)) > 1


def test_a_sound_answer_becomes_a_scene_with_its_ends_as_the_slots_want_them():
    found = read()
    assert found.faults == ()
    assert found.vignette.slots["situation"].endswith("market.")
    assert found.vignette.slots["resource"] == "the honey of this summer"
    case = fill(ANCHORING, found.vignette, values_at(ANCHORING, 0))
    for arm in (case.control, case.treatment):
        assert "You are a beekeeper at a small honey farm." in arm.text


def test_an_answer_may_stand_in_other_words():
    text = f"Here it is:\n```json\n{json.dumps(GOOD)}\n```\nI hope it helps {{}}."
    assert read_filling(ANCHORING, text, "new", "farming").faults == ()


@over(
    ("changes", "fault"),
    [
        ({"role": None}, "“role” is missing"),
        ({"colour": "red"}, "no gap “colour”"),
        ({"role": "  "}, "“role” is empty"),
        ({"role": ["a"]}, "is no text"),
        ({"resource": "what is shared out, with its article"}, "is its instruction"),
        ({"situation": "There are 12 jars."}, "is a number"),
        ({"role": "a very old and very tired keeper of bees"}, "the most is 6"),
        ({"purpose": "the [market]"}, "left over"),
        ({"purpose": "the {market}"}, "stays unfilled"),
    ],
)
def test_an_answer_that_breaks_a_rule_is_refused_with_the_reason(changes, fault):
    assert any(fault in each for each in read(**changes).faults)


@pytest.mark.parametrize("answer", ["", "no", "[1]", "{", '{"role": ', "{" * 5000])
def test_what_is_no_object_gives_no_scene(answer):
    found = read_filling(ANCHORING, answer, "new", "farming")
    assert found.vignette is None
    assert found.faults


def test_a_scene_that_is_there_already_is_refused():
    there = ANCHORING.vignettes[0]
    found = read_filling(ANCHORING, json.dumps(dict(there.slots)), "new", there.field)
    assert found.faults == ("This scene is there already.",)


def test_accepted_scenes_make_a_bias_file_that_can_be_read_and_run():
    text = (ASSETS / "anchoring.yaml").read_text(encoding="utf-8")
    scene = read().vignette
    written = with_vignettes(text, [scene], "anchoring-written", "Anchoring, mine", "By a model.")
    checked = check_text(written, scales())
    assert checked.faults == ()
    assert checked.bias.vignettes == (scene,)
    assert (checked.bias.id, checked.bias.text) == ("anchoring-written", ANCHORING.text)
    assert checked.bias.notes.endswith("By a model.")


def test_diversity_tells_copies_from_different_scenes():
    one = Vignette("a", "f", {"s": "The bees make honey."})
    same = replace(one, id="b")
    other = Vignette("c", "f", {"s": "Our trains arrive late today."})
    copies, different = diversity([one, same]), diversity([one, other])
    assert (copies.overlap, copies.distinct_words) == (1.0, 0.5)
    assert (different.overlap, different.distinct_words) == (0.0, 1.0)
    assert diversity([one, other, same]).closest == ("a", "b")
    assert diversity([one]).overlap is None
