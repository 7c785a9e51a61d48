"""A mix is written and read, and refused where nothing could be trained on it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.training.mix import (
    CUSTOM,
    EXPLANATIONS,
    MIXES,
    MOST,
    LessonMix,
    MixError,
    mix_name,
    read_mix,
)
from tests.loops import over

ratios = st.tuples(st.integers(0, MOST), st.integers(0, MOST)).filter(any)


@given(st.tuples(ratios, ratios, ratios))
def test_a_mix_is_read_as_it_was_written(numbers):
    mix = LessonMix(*(number for ratio in numbers for number in ratio))
    assert read_mix(mix.text) == mix


def test_the_contract_of_the_command_line_is_read():
    mix = read_mix("consistent:inconsistent=5:1,transfer:comparison=130:9")
    assert mix == MIXES["skewed"]
    assert mix_name(mix) == "skewed"


def test_a_ratio_that_is_not_given_is_even_and_blanks_do_not_matter():
    assert read_mix(" transfer:comparison = 3 : 2 ") == LessonMix(transfer=3, comparison=2)
    assert mix_name(LessonMix(transfer=3, comparison=2)) == CUSTOM


def test_every_named_mix_is_explained_and_found_by_its_name():
    assert set(EXPLANATIONS) == set(MIXES)
    for name, mix in MIXES.items():
        assert read_mix(name) == mix
        assert mix_name(mix) == name


@over(
    ("text", "says"),
    [
        ("consistent:inconsistent=0:0", "leaves nothing to train on"),
        ("transfer:comparison=-1:2", "below zero"),
        ("transfer:comparison=1001:2", "beyond 1000"),
        ("transfer:comparison=1.5:2", "two whole numbers"),
        ("transfer:comparison=1", "two whole numbers"),
        ("consistent:inconsistent=1:1,consistent:inconsistent=2:1", "twice"),
        ("comparison:transfer=1:1", "no ratio of a mix"),
        ("skew", "There is no mix “skew”"),
        ("", "There is no mix “”"),
        ("balanced,transfer:comparison=1:1", "no ratio of a mix"),
    ],
)
def test_a_mix_that_cannot_be_trained_on_is_refused_with_its_reason(text, says):
    with pytest.raises(MixError, match=says):
        read_mix(text)


@given(st.text(max_size=60))
def test_whatever_is_typed_is_a_mix_or_a_sentence(text):
    said = "."
    try:
        read_mix(text)
    except MixError as error:
        said = str(error)
    assert said.endswith(".")
