"""Designs in which counting alone gives no gap, and wordings as a factor."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.cli import main
from biaslab.models import LEARNERS
from biaslab.models.learner.judging import chance_of_yes
from biaslab.runs import open_store, prepare, run_here
from biaslab.studies import Design, Item, Pair, experiment
from biaslab.studies.concepts import read_concept
from biaslab.studies.concepts.answers import RunAnswers, run_answers
from biaslab.studies.concepts.items import nouns
from biaslab.studies.concepts.results import (
    between_wordings,
    gap_of,
    gaps_by_concept,
    gaps_by_wording,
)
from biaslab.studies.concepts.study import AS_PUBLISHED
from schoolmath.problems import DesignError

STUDY = experiment("concept-learning")
JUDGING = {learner.name: learner.judging for learner in LEARNERS}
CONCEPTS = [
    "more than 3/10", "at least 9/10", "less than 1/4", "at most 20", "between 1/4 and 3/4",
    "exactly 1/2", "not all", "an odd number", "an even total", "swapped: less than 2/3",
]  # fmt: skip


def pairs(n: int, seed: int = 1, **chosen: str) -> list[Pair]:
    return list(STUDY.pairs(Design("concept-learning", n, seed, chosen)))


def asked(path: Path, model: str, n: int, **chosen: str) -> RunAnswers:
    with open_store(path) as store:
        run = prepare(store, Design("concept-learning", n, 1, chosen), model, "likelihood")
        run_here(store, run)
        (found,) = run_answers(store.answered_items([run]))
    return found


def chance(item: Item, name: str) -> float:
    """How sure a learner is right, over all its luck."""
    yes = chance_of_yes(JUDGING[name], item.facts)
    return yes if item.facts["label"] == "yes" else 1.0 - yes


@given(st.sampled_from(CONCEPTS), st.sampled_from(["mirror", "less than 1/3"]), st.integers(0, 999))
@settings(max_examples=8, deadline=None)
def test_counting_and_any_learner_that_treats_both_answers_alike_gain_nothing(concept, against, at):
    # Given all pairs of one draw
    made = pairs(2, at, concept=concept, against=against)
    drawn = [pair for pair in made if pair.cluster == made[0].cluster]
    # Then what such a learner gains on one pair it loses on the other
    for name in ("count", "ratio", "random"):
        gained = sum(chance(pair.x, name) - chance(pair.x_prime, name) for pair in drawn)
        assert gained == pytest.approx(0.0)
    # And a yes is right as often in both arms
    assert sum((pair.x.answer == "Yes") - (pair.x_prime.answer == "Yes") for pair in made) == 0


@given(st.sampled_from(CONCEPTS), st.integers(0, 999))
@settings(max_examples=8, deadline=None)
def test_the_other_way_has_the_same_prompts_with_every_answer_exchanged(concept, seed):
    made = pairs(2, seed, concept=concept)
    if made[0].cluster != made[1].cluster:
        # A concept against its complement is its own exchange, and asked once.
        assert {pair.x.facts["matching"] for pair in made} == {"complement"}
        return
    turned = {" Yes.": " No.", " No.": " Yes."}
    one, other = made
    for first, second in ((one.x, other.x_prime), (one.x_prime, other.x)):
        exchanged = re.sub(r" (?:Yes|No)\.", lambda found: turned[found[0]], first.text)
        assert exchanged == second.text
        assert first.answer != second.answer
        assert read_concept(first.facts["concept"]).complement.id == second.facts["concept"]


def test_both_ways_an_upward_concept_stands_against_a_downward_one():
    directions = {pair.strata["monotonicity"] for pair in pairs(8)}
    assert directions == {"upward, downward"}


def test_one_way_counting_passes_for_a_bias_and_is_named_beside_it(tmp_path):
    found = gap_of(asked(tmp_path / "one.db", "learner:count", 400, counting="one way"))
    # Given the gap of a learner that never looks at the total
    assert found.estimate.mean > 0.04
    assert found.estimate.p < 0.05
    # Then counting explains it wholly
    assert found.counting == pytest.approx(found.estimate.mean, abs=0.02)
    assert found.beyond.interval.low < 0.0 < found.beyond.interval.high


def test_both_ways_counting_has_no_gap_and_a_preference_for_more_stays(tmp_path):
    counted = gap_of(asked(tmp_path / "count.db", "learner:count", 200))
    drawn = gap_of(asked(tmp_path / "up.db", "learner:up-biased", 400))
    assert counted.estimate.mean == pytest.approx(0.0, abs=0.02)
    assert counted.counting == pytest.approx(0.0)
    assert drawn.counting == pytest.approx(0.0)
    assert drawn.estimate.mean == pytest.approx(drawn.beyond.mean)
    assert drawn.estimate.p == pytest.approx(drawn.beyond.p, rel=0.2)
    assert drawn.beyond.interval.low > 0.05


def test_of_single_fractions_the_gap_beyond_counting_stands_beside_each(tmp_path):
    for gap in gaps_by_concept(asked(tmp_path / "runs.db", "learner:count", 400)):
        # More than 3/10 gains by counting what at least 7/10 loses; neither goes beyond it
        assert abs(gap.counting) > 0.05
        assert gap.beyond.interval.low < 0.0 < gap.beyond.interval.high


def test_every_wording_asks_the_same_amounts_and_says_them_in_its_own_words():
    made = pairs(6, wording="all three")
    assert {pair.cluster for pair in made} == {made[0].cluster}
    assert [pair.strata["wording"] for pair in made[::2]] == ["ours", "published", "neutral"]
    said = {pair.strata["wording"]: pair.x.text.split("\n")[-1] for pair in made[::2]}
    total, has, noun = made[0].x.facts["question"]
    name = made[0].x.facts["name"]
    assert said == {
        "ours": f"There are {total} {noun} in all. {name} has {has} of them. "
        f"Does {name} have the wanted number of {noun}?",
        "published": f"There are {total} {noun}. {name} has {has} of the {total} {noun}. "
        f"Does {name} have the desired quantity of {noun}?",
        "neutral": f"{noun.capitalize()}: {total} in all, {has} with {name}. Does that fit?",
    }
    only = pairs(2, wording="neutral")
    assert [pair.id for pair in only] == [pair.id for pair in made[4:]]


def test_the_printed_wording_is_about_alice_and_the_things_that_were_chosen():
    made = pairs(4, wording="printed", nouns="frequent", against="opposite", counting="one way")
    total, has, noun = made[0].x.facts["question"]
    assert made[0].x.text.split("\n")[-1] == (
        f"There are {total} {noun}. Alice has {has} of the {total} {noun}. "
        f"Does Alice have the desired quantity of the {noun}?"
    )
    assert {pair.x.facts["name"] for pair in made} == {"Alice"}
    assert {noun for pair in made for _, _, _, noun in pair.x.facts["examples"]} <= set(
        nouns("frequent")
    )
    assert made[0].x.facts["concept"] == "more than 3/10"
    assert made[0].x_prime.facts["concept"] == "less than 3/10"
    own = pairs(3, nouns="tokens, cards of paper")
    assert {pair.x.facts["question"][2] for pair in own} <= {"tokens", "cards of paper"}
    for typed in ("tokens", "", "a; b", "tokens, 12"):
        with pytest.raises(DesignError, match="no list of words"):
            pairs(1, nouns=typed)


def test_arms_are_called_by_their_concepts_where_all_pairs_compare_them():
    for chosen, arms in (
        ({"counting": "one way"}, ("more than 3/10", "less than 7/10")),
        ({"counting": "one way", "against": "opposite"}, ("more than 3/10", "less than 3/10")),
        (AS_PUBLISHED.settings, ("more than p", "less than p")),
        ({}, ("upward concept", "downward concept")),
    ):
        design = Design("concept-learning", 1, 1, chosen)
        assert tuple(STUDY.of_design(design).arms) == arms


def test_what_the_wording_does_is_a_spread_with_an_interval(tmp_path):
    found = asked(tmp_path / "runs.db", "learner:up-biased", 120, wording="all three")
    assert {gap.what[1] for gap in gaps_by_wording(found)} == {"ours", "published", "neutral"}
    # A learner that sees the amounts alone answers alike in every wording
    ((semantics, spread),) = between_wordings(found)
    assert semantics == "hidden"
    assert spread.deviation == 0.0
    assert spread.interval.low == 0.0 < spread.interval.high
    assert spread.p == 1.0
    one = asked(tmp_path / "one.db", "learner:up-biased", 40)
    assert between_wordings(one) == []


def test_the_published_design_has_all_its_concepts_and_can_be_asked_for_by_name(tmp_path):
    made = pairs(36, **{name: str(value) for name, value in AS_PUBLISHED.settings.items()})
    of = {
        (item.facts["concept"], item.facts["semantics"]) for p in made for item in (p.x, p.x_prime)
    }
    nine = [f"{word} than {read_concept(f'more than {p}/10').bound}" for p in range(1, 10)
            for word in ("more", "less")]  # fmt: skip
    assert of == {(concept, how) for concept in nine for how in ("hidden", "explicit")}
    assert AS_PUBLISHED.n == 9 * 2 * 500

    db = str(tmp_path / "runs.db")
    words = ["run", "concept-learning", "--design", "published", "--model", "learner:count"]
    done = CliRunner().invoke(main, [*words, "--n", "18", "--db", db])
    assert done.exit_code == 0, done.output
    with open_store(db) as store:
        (run,) = store.runs()
    assert run.design == Design("concept-learning", 18, 1, AS_PUBLISHED.settings)
    refused = CliRunner().invoke(main, [*words[:3], "publicised", *words[4:], "--db", db])
    assert refused.exit_code == 2
    assert "concept-learning has no design of this name: it has published." in refused.output


def test_effects_say_what_counting_gives_and_what_goes_beyond_it(tmp_path):
    db = str(tmp_path / "runs.db")
    asked(Path(db), "learner:count", 100, counting="one way")
    done = CliRunner().invoke(main, ["effects", "--db", db, "--format", "json"])
    (row,) = json.loads(done.output)
    assert row["baseline_count"] + row["beyond_count"] == pytest.approx(row["cate"])
    assert row["beyond_count_ci_low"] < 0.0 < row["beyond_count_ci_high"]
    assert row["beyond_count_p"] > 0.05


def test_the_first_version_has_neither_choice():
    with pytest.raises(DesignError, match="version 1 of the prompts"):
        pairs(1, version="1", wording="published")
