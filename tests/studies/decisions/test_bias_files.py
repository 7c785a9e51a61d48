"""Biases as files: what is read, what is refused and where, and what is checked."""

from fractions import Fraction

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from biaslab.studies.decisions.biases import (
    BiasError,
    Metric,
    bias,
    bias_paths,
    by_chance,
    check_bias,
    check_text,
    draw_values,
    fill,
    read_bias,
    value_combinations,
    word_differences,
)
from biaslab.studies.decisions.biases.expressions import calculate
from schoolmath.problems import Draws
from tests.loops import over

SCALES = {"percent": tuple(f"{share} %" for share in range(0, 101, 10))}


def content(**changes):
    """A small bias that is right, with some keys changed or, with None, left out."""
    bias = {
        "id": "sharing",
        "name": "Sharing",
        "class": "A",
        "question": "Does a number pull?",
        "explanation": "It does.",
        "references": ["A 2000"],
        "scale": "percent",
        "metric": {"kappa": 1, "gamma1": "round(x / 10)", "gamma2": "round(x / 10)"},
        "extremes": {
            "classic": ["10 if x < 50 else 0", "round(x / 10)"],
            "opposite": ["round(x / 10)", "10 if x < 50 else 0"],
        },
        "values": {"x": {"integer": [10, 89]}},
        "text": "You are {role}.\n[| Is it more than {x} %?]\nHow much of {what}?",
        "slots": {
            "role": {"instruction": "a job", "words": 6},
            "what": {"instruction": "what is shared", "forbid": ["numbers"]},
        },
        "vignettes": [
            {"id": "one", "field": "school", "role": "a teacher", "what": "the time"},
            {"id": "two", "field": "farm", "role": "a farmer", "what": "the land"},
        ],
    }
    bias |= changes
    return {key: value for key, value in bias.items() if value is not None}


def read(**changes):
    return read_bias(yaml.safe_dump(content(**changes), sort_keys=False), SCALES)


def faults(bias):
    return [finding for finding in check_bias(bias) if finding.fault]


def test_a_right_bias_has_two_arms_that_differ_in_the_manipulation_alone():
    bias = read()
    assert faults(bias) == []
    case = fill(bias, bias.vignettes[0], {"x": 30})
    assert case.control.text == "You are a teacher.\nHow much of the time?"
    assert case.treatment.text == (
        "You are a teacher.\nIs it more than 30 %?\nHow much of the time?"
    )
    assert [d.treatment.strip() for d in word_differences(case) if not d.same] == [
        "Is it more than 30 %?"
    ]
    assert case.metric == Metric(1, 3, 3)
    assert (case.metric.of(*case.classic), case.metric.of(*case.opposite)) == (1, -1)


def test_a_swap_exchanges_contents_and_nothing_else():
    bias = read(
        text="Two ideas. A: {first} B: {second} Which do your colleagues like? {x} %.",
        swap=[["first", "second"]],
        slots={"first": "an idea", "second": "an idea"},
        vignettes=[{"id": "v", "field": "school", "first": "More maps.", "second": "More art."}],
    )
    case = fill(bias, bias.vignettes[0], {"x": 30})
    assert "A: More maps. B: More art." in case.control.text
    assert "A: More art. B: More maps." in case.treatment.text
    assert faults(bias) == []


def test_a_slot_may_depend_on_a_drawn_choice_and_begin_a_sentence():
    bias = read(
        values={"x": {"integer": [10, 89]}, "event": {"choice": ["good", "bad"]}},
        text="{Story[event]} [| Think of {x} %.] How much?",
        slots={"story": {"by": "event", "instruction": {"good": "a", "bad": "b"}}},
        vignettes=[
            {"id": "v", "field": "school", "story": {"good": "it went well.", "bad": "no."}}
        ],
    )
    case = fill(bias, bias.vignettes[0], {"x": 30, "event": "good"})
    assert case.control.text == "It went well. How much?"
    assert faults(bias) == []


@over(
    ("changes", "where", "reason"),
    [
        ({"colour": "red"}, "colour", "not known"),
        ({"metric": None}, "metric", "missing"),
        ({"class": "D"}, "class", "A, B or C"),
        ({"scale": "percnt"}, "scale", "Did you mean percent?"),
        ({"scale": ["a"]}, "scale", "options"),
        ({"scale": ["a", "a"]}, "scale", "alike"),
        ({"scale": {"control": ["a", "b"], "treatment": ["a", "b", "c"]}}, "scale", "as many"),
        ({"values": {"x": {"integer": [9, 1]}}}, "values.x", "do not fit"),
        ({"values": {"x": 3}}, "values.x", "how it is drawn"),
        ({"extremes": {"classic": [0]}}, "extremes.classic", "Two answers"),
        ({"swap": [["role"]]}, "swap[0]", "two slots"),
        ({"swap": [["role", "rol"]]}, "swap[0]", "no slot or value"),
        ({"slots": {"x": "twice"}}, "slots.x", "same name"),
        ({"vignettes": [{"id": "v", "field": "f", "role": "r"}]}, "vignettes[0].what", "missing"),
        ({"vignettes": [{"id": "v", "field": "f", "rol": "r"}]}, "vignettes[0].rol", "not known"),
        ({"metric": {"kappa": 1, "gamma1": True, "gamma2": 0}}, "metric.gamma1", "whole number"),
    ],
)
def test_a_wrong_key_is_refused_where_it_stands(changes, where, reason):
    with pytest.raises(BiasError) as refused:
        read(**changes)
    assert refused.value.where == where
    assert reason in str(refused.value)


def test_the_line_of_a_fault_is_told():
    text = yaml.safe_dump(content(), sort_keys=False).replace("words: 6", "word: 6")
    with pytest.raises(BiasError) as refused:
        read_bias(text, SCALES)
    assert text.splitlines()[refused.value.line - 1].strip() == "word: 6"


@pytest.mark.parametrize("text", ["", "[1, 2]", "a: [", "just text", "a: b: c", "\x00"])
def test_what_is_no_bias_at_all_is_refused(text):
    with pytest.raises(BiasError):
        read_bias(text, SCALES)


@over(
    ("changes", "message"),
    [
        ({"text": "How much of {what}, {role}? {x} {extra}"}, "neither a slot nor a value"),
        ({"text": "You are {role}. How much of {what}? {x}"}, "Both arms are the same"),
        ({"text": "[| {x}] How much of {what}?"}, "Nothing uses “role”"),
        ({"text": "[[| {x}] {role} How much of {what}?"}, "bracket is left over"),
        ({"extremes": {"classic": [0, 0], "opposite": [0, 0]}}, "the most there is"),
        ({"extremes": {"classic": [0, 99], "opposite": [0, 0]}}, "off the scale"),
        ({"metric": {"kappa": 2, "gamma1": 0, "gamma2": 0}}, "Kappa is 1 or -1"),
        ({"metric": {"kappa": 1, "gamma1": "x / 7", "gamma2": 0}}, "no whole number"),
        ({"metric": {"kappa": 1, "gamma1": "y", "gamma2": 0}}, "cannot be calculated"),
    ],
)
def test_a_bias_that_does_not_do_what_it_says_is_found(changes, message):
    assert any(message in finding.message for finding in faults(read(**changes)))


@pytest.mark.parametrize(
    ("slot", "text", "message"),
    [
        ("what", "the 3 hours", "a number"),
        ("what", "the ninety hours", "a number"),
        ("role", "a very old and quite tired teacher here", "the most is 6"),
        ("role", "a TODO", "left over"),
        ("role", "a [teacher]", "left over"),
    ],
)
def test_a_vignette_that_breaks_its_slots_rules_is_found(slot, text, message):
    broken = content()
    broken["vignettes"][1][slot] = text
    found = faults(read_bias(yaml.safe_dump(broken), SCALES))
    assert any(
        message in finding.message and finding.where.startswith("vignettes[1]") for finding in found
    )


def test_values_are_drawn_in_range_and_in_steps_and_follow_each_other():
    bias = read(
        values={
            "x": {"integer": [10, 89], "step": 10},
            "rest": {"expression": "100 - x"},
            "side": {"choice": ["left", "right"]},
        },
        text="{role} {rest} {side} [| {x}] {what}",
    )
    draws = Draws("values")
    drawn = [draw_values(bias, draws) for _ in range(300)]
    assert {each["x"] for each in drawn} == set(range(10, 90, 10))
    assert all(each["rest"] == 100 - each["x"] for each in drawn)
    assert {each["side"] for each in drawn} == {"left", "right"}
    assert len(list(value_combinations(bias))) == 16


def test_halves_are_rounded_to_even_and_nothing_is_a_float():
    assert [calculate("round(x / 10)", {"x": x}) for x in (15, 25, 45, 89)] == [2, 2, 4, 9]
    assert calculate("-1 if first == 'A' else 1", {"first": "A"}) == -1
    with pytest.raises(BiasError):
        calculate("x / 10", {"x": 15})
    for hostile in ("__import__('os')", "x.__class__", "9**9**9", "[1]*10**9", "(lambda: 1)()"):
        with pytest.raises(BiasError):
            calculate(hostile, {"x": 1})


@pytest.mark.parametrize(
    ("cases", "mean", "size", "sd"),
    [
        ([(Metric(-1, 0, 0), 7)], 0.0, 0.5510, 0.652),
        ([(Metric(1, 0, 6), 7)], 0.0, 0.5510, 0.652),
        ([(Metric(1, 0, 0), 11)], 0.0, 0.5372, 0.627),
        ([(Metric(1, round(x / 10), round(x / 10)), 11) for x in range(10, 90)],
         0.0, 0.5340, 0.626),
        ([(Metric(1, round(v / 10) + 5, round(v / 10) + 5), 11) for v in range(-49, 50)],
         0.0, 0.5371, 0.629),
        ([(Metric(1, -u, -3), 11) for u in (1, 2, 3, 4)], -0.0538, 0.3789, 0.442),
    ],
)  # fmt: skip
def test_random_answers_give_exactly_the_published_expectations(cases, mean, size, sd):
    chance = by_chance(cases)
    assert chance.mean == pytest.approx(mean, abs=5e-5)
    assert chance.mean_size == pytest.approx(size, abs=5e-4)
    assert chance.sd == pytest.approx(sd, abs=2e-3)


def test_the_metric_is_a_ratio_to_an_end_of_the_scale():
    metric = Metric(-1, 0, 0)
    assert metric.of(0, 1) == 1
    assert metric.of(5, 6) == Fraction(1, 6)
    assert metric.of(0, 0) == metric.of(6, 6) == 0


def _text(**changes):
    return yaml.safe_dump(content(**changes), sort_keys=False)


class TestAllFaultsAtOnce:
    def test_parts_that_do_not_hang_together_are_all_told_in_the_order_of_the_file(self):
        text = _text(
            scale="percnt",
            metric={"kappa": 1, "gamma1": True, "gamma2": 0},
            values={"x": {"integer": [9, 1]}},
            extremes={"classic": [0], "opposite": [0, 1]},
        )
        checked = check_text(text, SCALES)
        assert checked.bias is None
        places = [each.where for each in checked.faults]
        assert places == ["scale", "metric.gamma1", "extremes.classic", "values.x"]
        assert [each.line for each in checked.faults] == sorted(e.line for e in checked.faults)

    def test_every_scene_is_looked_at(self):
        scenes = [
            {"id": "one", "field": "school", "rol": "a teacher", "what": "the time"},
            {"id": "two", "field": "farm", "role": "a farmer", "what": ["no", "text"]},
            "no scene",
            {"id": "one", "field": "farm", "role": "a farmer", "what": "the land"},
        ]
        places = {each.where for each in check_text(_text(vignettes=scenes), SCALES).faults}
        assert places == {
            "vignettes[0].rol", "vignettes[0].role", "vignettes[1].what", "vignettes[2]",
            "vignettes[3].id",
        }  # fmt: skip

    def test_what_follows_from_a_fault_is_not_told_as_another(self):
        checked = check_text(_text(slots={"role": {"instruction": "a", "by": "nothing"}}), SCALES)
        assert [each.where for each in checked.faults] == ["slots.role.by"]

    @given(
        st.dictionaries(
            st.sampled_from(sorted(content())),
            st.recursive(
                st.none() | st.booleans() | st.integers() | st.text(max_size=8),
                lambda inner: (
                    st.lists(inner, max_size=3)
                    | st.dictionaries(st.text(max_size=5), inner, max_size=3)
                ),
                max_leaves=6,
            ),
            max_size=4,
        )
    )
    def test_whatever_stands_in_a_file_is_told_and_never_raised(self, changes):
        checked = check_text(_text(**changes), SCALES)
        assert checked.bias is not None or checked.faults


@pytest.mark.parametrize(
    "threat",
    [
        "Answer well or you lose your job.",
        "Decide, or else you will be fired!",
        "You will be rewarded for a good answer.",
        "There is a bonus if you are right.",
        "I'll tip you 20 dollars.",
        "Your career depends on it.",
    ],
)
def test_threats_and_rewards_in_a_prompt_are_remarked(threat):
    in_text = check_bias(
        read(text=f"You are {{role}}. {threat}\n[| {{x}} %?]\nHow much of {{what}}?")
    )
    (remark,) = [each for each in in_text if "threatens or rewards" in each.message]
    assert (remark.fault, remark.where) == (False, "text")
    scenes = content()["vignettes"]
    scenes[1]["role"] = f"a farmer. {threat}"
    places = [e.where for e in check_bias(read(vignettes=scenes)) if "rewards" in e.message]
    assert places == ["vignettes[1].role"]


@over("name", bias_paths())
def test_no_shipped_bias_threatens_or_rewards_whoever_answers(name):
    assert not [each for each in check_bias(bias(name)) if "threatens" in each.message]
