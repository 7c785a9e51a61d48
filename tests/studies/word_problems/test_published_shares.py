"""Things and rates as often as in the paper (Opedal et al. 2024, section 4.2)."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from biaslab.studies import Design, experiment
from biaslab.studies.study import Pair
from biaslab.studies.word_problems.cast import draw_entity
from biaslab.studies.word_problems.settings import EVENLY, SHARES
from schoolmath.problems.custom_words import read_custom_words, words_for_writing
from schoolmath.problems.draws import Draws
from schoolmath.problems.errors import DesignError
from schoolmath.problems.vocabulary import using, vocabulary

N = 600
_RATE = re.compile(r"\brate")


def pairs(study: str, shares: str, **settings: str) -> list[Pair]:
    return list(experiment(study).pairs(Design(study, N, 3, {SHARES.name: shares, **settings})))


def kind(pair: Pair) -> str:
    """Whether the first sentence's thing has a unit, an attribute or neither."""
    first = pair.x.facts["sentences"][0].lower()
    if " of " in first:
        return "unit"
    attributes = {each for noun in vocabulary().nouns.values() for each in noun.attributes}
    return "attribute" if attributes & set(re.findall(r"[a-z-]+", first)) else "neither"


@pytest.mark.parametrize("study", ["transfer-comparison", "carry"])
def test_a_third_of_the_things_has_a_unit_a_third_an_attribute_and_a_third_neither(study):
    found = Counter(kind(pair) for pair in pairs(study, EVENLY))
    # Three standard deviations of a third of 600 are 35.
    assert all(abs(n - N / 3) < 35 for n in found.values()), found
    ours = Counter(kind(pair) for pair in pairs(study, "ours"))
    assert ours["neither"] > N / 3 + 35


def test_a_step_beside_the_comparison_is_a_rate_as_often_as_one_a_problem_allows():
    for steps, share in (("2-2", 1 / 2), ("3-3", 3 / 4), ("5-5", 15 / 16)):
        found = pairs("consistency", EVENLY, steps=steps)
        rates = sum(bool(_RATE.search(pair.x.facts["structure"])) for pair in found)
        assert rates / N == pytest.approx(share, abs=0.06)
    ours = pairs("consistency", "ours", steps="5-5")
    assert sum(bool(_RATE.search(p.x.facts["structure"])) for p in ours) / N < 0.5


def test_published_designs_are_drawn_so():
    for name in ("consistency", "transfer-comparison", "carry"):
        (design,) = (d for d in experiment(name).named_designs if d.name == "published")
        assert design.settings[SHARES.name] == EVENLY


def test_a_vocabulary_without_attributes_is_told_what_it_lacks():
    things = "".join(
        f"  - {{singular: {one}, plural: {one}s, containers: [box]}}\n"
        for one in ("zither", "durian", "abacus chart", "kazoo")
    )
    words = read_custom_words(f"things:\n{things}".encode(), "mine.yaml")
    draws = Draws("attributes")
    with using(words_for_writing(words)):
        one_after_the_other = iter(lambda: draw_entity(draws, evenly=True), None)
        with pytest.raises(DesignError, match="with this of attribute and unit: attribute"):
            list(one_after_the_other)
