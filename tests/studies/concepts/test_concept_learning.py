"""The study of concepts: prompts, matching, reading of answers, refusals."""

from __future__ import annotations

import math
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.models import (
    Completion,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    ModelForm,
)
from biaslab.studies import Design, Pair, experiment
from biaslab.studies.concepts import read_concept
from biaslab.studies.concepts.prompts import learner_facts
from schoolmath.problems import DesignError
from tests.loops import over

STUDY = experiment("concept-learning")
AMOUNT = re.compile(r"There are (\d+) (\w+) in all\. \w+ has (\d+) of them\.")


def pairs(n: int = 20, seed: int = 1, **chosen: str) -> list[Pair]:
    return list(STUDY.pairs(Design("concept-learning", n, seed, chosen)))


CHOSEN = st.fixed_dictionaries(
    {},
    optional={
        "concept": st.sampled_from(
            ["more than 3/10", "at least 12", "between 1/4 and 3/4", "exactly 1/2", "not all",
             "an odd number", "an even total", "swapped: less than 2/3"]
        ),
        "against": st.sampled_from(["mirror", "complement", "swapped"]),
        "semantics": st.sampled_from(["hidden", "made-up", "explicit"]),
        "answers": st.sampled_from(["yes-no", "true-false", "a-b", "made-up"]),
        "shots": st.integers(1, 8).map(str),
        "ties": st.sampled_from(["included", "excluded"]),
        "sampling": st.sampled_from(["pairs", "totals"]),
        "order": st.sampled_from(["shuffled", "alternating", "yes first", "no first"]),
        "min_has": st.sampled_from(["0", "1"]),
        "counting": st.sampled_from(["both ways", "one way"]),
    },
)  # fmt: skip


@given(CHOSEN, st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_every_prompt_says_what_its_concept_says(chosen, seed):
    try:
        made = pairs(2, seed, **chosen)
    except DesignError:
        # Where everybody has at least one, some mirrors have nothing left: that of “not all”.
        made = []
    assert made or chosen.get("min_has") == "1"
    assert [pair.strata["label"] for pair in made].count("yes") == len(made) / 2
    for pair in made:
        for item in (pair.x, pair.x_prime):
            concept = read_concept(item.facts["concept"])
            lines = item.text.split("\n")
            assert len(lines) == 2 * int(chosen.get("shots", 10)) + 1
            seen = []
            for line in lines:
                total, _, has = AMOUNT.match(line).groups()
                seen.append((int(total), int(has)))
                if chosen.get("ties") == "excluded":
                    assert not concept.is_tie(int(total), int(has))
                assert int(has) >= int(chosen.get("min_has", "0"))
            assert len(set(seen)) == len(seen)
            for line, amount in zip(lines[:-1], seen, strict=False):
                word = item.options[0] if concept.answers_yes(*amount) else item.options[1]
                assert line.endswith(f"? {word}.")
            assert lines[-1].endswith("?")
            assert item.answer == item.options[0 if concept.answers_yes(*seen[-1]) else 1]


@given(st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_mirrored_prompts_differ_in_the_parts_alone(seed):
    for pair in pairs(2, seed):
        one, other = (AMOUNT.sub(r"\1 \2", item.text) for item in (pair.x, pair.x_prime))
        assert one == other
        for (total, _, has), (_, _, rest) in zip(
            AMOUNT.findall(pair.x.text), AMOUNT.findall(pair.x_prime.text), strict=True
        ):
            assert int(has) + int(rest) == int(total)


@given(st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_prompts_of_complements_differ_in_the_answers_alone(seed):
    exchanged = {" Yes.": " No.", " No.": " Yes."}
    for pair in pairs(2, seed, against="complement"):
        turned = re.sub(r" (?:Yes|No)\.", lambda found: exchanged[found[0]], pair.x.text)
        assert turned == pair.x_prime.text
        assert pair.x.answer != pair.x_prime.answer


def test_hidden_and_explicit_prompts_have_the_same_numbers_in_one_run_or_in_two():
    both = pairs(10, semantics="hidden and explicit", counting="one way")
    hidden = pairs(5, counting="one way")
    explicit = pairs(5, semantics="explicit", counting="one way")
    assert [pair.id for pair in both[::2]] == [pair.id for pair in hidden]
    assert [pair.id for pair in both[1::2]] == [pair.id for pair in explicit]
    for one, other in zip(hidden, explicit, strict=True):
        assert one.cluster == other.cluster
        assert AMOUNT.findall(one.x.text) == AMOUNT.findall(other.x.text)
        assert "more than 3/10 of the" in other.x.text
        assert "3/10" not in one.x.text


def test_the_same_design_gives_the_same_pairs_and_a_smaller_one_its_beginning():
    whole = pairs(30, concept="published")
    assert [pair.id for pair in pairs(11, concept="published")] == [p.id for p in whole[:11]]
    assert len({pair.id for pair in whole}) == 30
    assert Counter(p.strata["concept"] for p in pairs(36, concept="published")).most_common()[0][
        1
    ] == 2  # fmt: skip


@pytest.mark.parametrize("version", ["1", "2"])
def test_a_seed_gives_the_same_prompts_on_every_machine(version):
    # Written down once. A change here means that published designs no longer reproduce.
    assert [pair.id for pair in pairs(2, seed=7, version=version)] == WRITTEN_DOWN[version]


WRITTEN_DOWN = {
    "1": ["6aea36eb81238277", "c87bfa444b504c05"],
    "2": ["6aea36eb81238277", "d10420340c21f428"],
}


@over(
    ("chosen", "setting", "words"),
    [
        ({"concept": "at least 0"}, "concept", "The nearest that works is at least 1."),
        ({"totals": "5-6"}, "totals", "The nearest range of totals that works is 5-9."),
        ({"concept": "not all", "min_has": "1"}, "concept", "Choose another concept."),
        ({"shots": "0"}, "shots", "The nearest setting that works is 1."),
        ({"against": "more than 3/10"}, "against", "nothing to compare"),
        ({"against": "less than"}, "against", "needs one number"),
        ({"concept": "all; none", "against": "some; all; none"}, "against", "cannot be compared"),
        ({"semantics": "plain"}, "semantics", "is not one of the choices"),
        ({"colour": "red"}, "colour", "has no setting"),
        ({"version": "1", "counting": "both ways"}, "counting", "or version 2"),
        ({"version": "1", "wording": "neutral"}, "wording", "or version 2"),
    ],
)
def test_a_design_that_cannot_be_is_refused_at_its_setting(chosen, setting, words):
    with pytest.raises(DesignError, match=re.escape(words)) as caught:
        pairs(2, **chosen)
    assert caught.value.setting == setting


def test_without_examples_only_the_meaning_can_be_asked():
    (pair,) = pairs(1, shots="0", semantics="explicit")
    assert "\n" not in pair.x.text


def test_learners_see_neither_the_concept_nor_the_right_answer():
    (pair,) = pairs(1)
    seen = learner_facts(pair.x)
    assert set(seen) == {"task", "examples", "question", "words"}
    assert len(seen["question"]) == 2


def test_probabilities_are_asked_for_once_and_text_is_a_strategy_of_its_own():
    (pair,) = pairs(1)
    by_name = {strategy.name: strategy for strategy in STUDY.strategies}
    assert len({strategy.version for strategy in by_name.values()}) == 4
    plain = by_name["likelihood"].next_request(pair.x, (), ModelForm.CHAT)
    assert isinstance(plain, LikelihoodRequest)
    assert plain.continuations == (" Yes", " No")
    assert plain.messages[0].role == "text"
    assert plain.messages[0].content == pair.x.text
    assert by_name["likelihood"].next_request(pair.x, (None,), ModelForm.BASE) is None
    stop = by_name["likelihood-full-stop"].next_request(pair.x, (), ModelForm.BASE)
    assert stop.continuations == (" Yes.", " No.")
    chat = by_name["likelihood-chat"].next_request(pair.x, (), ModelForm.CHAT)
    assert chat.messages[0].role == "user"
    assert chat.continuations == ("Yes", "No")
    written = by_name["text"].next_request(pair.x, (), ModelForm.BASE)
    assert isinstance(written, GenerationRequest)


def scored(yes: float, no: float):
    (pair,) = pairs(1)
    return pair.x, STUDY.read(pair.x, (Likelihood((yes, no), (1, 1)),), ModelForm.BASE)


def test_the_more_probable_answer_counts_and_the_mass_is_kept():
    item, reading = scored(math.log(0.2), math.log(0.6))
    assert (reading.value, reading.outcome) == ("No", float(item.answer == "No"))
    assert reading.extra["mass"] == pytest.approx(0.8)
    assert reading.extra["p_yes"] == pytest.approx(0.25)
    assert reading.extra["yes"] is False
    assert reading.extra["tiny"] is False


def test_a_tie_is_no_answer_and_never_a_no():
    _, reading = scored(-1.5, -1.5)
    assert (reading.value, reading.outcome, reading.rule) == (None, None, "tie")


@pytest.mark.parametrize("scores", [(-math.inf, -math.inf), (math.nan, -1.0)])
def test_scores_that_say_nothing_are_no_answer(scores):
    assert scored(*scores)[1].outcome is None


def test_a_tiny_mass_is_marked():
    _, reading = scored(-20.0, -30.0)
    assert reading.rule == "likelihood-small"
    assert reading.extra["tiny"] is True


@over(
    ("text", "value"),
    [
        (" Yes.", "Yes"), ("no", "No"), ("**Yes**, she does", "Yes"), ("The answer is No.", "No"),
        ("Yes or no? Hard to say", None), ("Maybe", None), ("", None), ("Nobody knows", None),
        ("Yesterday", None), ("No. Yes.", None),
    ],
)  # fmt: skip
def test_written_answers_are_read_and_never_guessed(text, value):
    (pair,) = pairs(1)
    reading = STUDY.read(pair.x, (Completion(text, "stop", 1, 1, 0.0),), ModelForm.CHAT)
    assert reading.value == value
    assert (reading.outcome is None) == (value is None)
    if value is not None:
        start, end = reading.span
        assert text[start:end].casefold() == value.casefold()


def test_one_letter_answers_are_read_with_their_case():
    (pair,) = pairs(1, answers="a-b")
    assert STUDY.read(pair.x, (Completion("B.", "stop", 1, 1, 0.0),), ModelForm.CHAT).value == "B"
    assert (
        STUDY.read(pair.x, (Completion("a number", "stop", 1, 1, 0.0),), ModelForm.CHAT).value
        is None
    )
