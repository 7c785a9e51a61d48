"""The three studies: what is promised of every pair, and each known defect of the past."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.studies import Design, Item, Pair, content_hash, experiment, experiments
from biaslab.studies.study import different
from biaslab.studies.word_problems.cast import ProblemHalf
from schoolmath.problems import DesignError, look_alike, vocabulary
from schoolmath.problems.quantities import apply
from tests.loops import over

WORD_PROBLEMS = ("consistency", "transfer-comparison", "carry")
STUDY = st.sampled_from(WORD_PROBLEMS)
SEED = st.integers(-(10**9), 10**9)
NUMBER = re.compile(r"\d+")
NAMES = {name.text for name in vocabulary().names}


def pairs(study: str, n: int = 300, seed: int = 1, **chosen: str) -> list[Pair]:
    return list(experiment(study).pairs(Design(study, n, seed, chosen)))


def sentences(item: Item) -> list[str]:
    return item.facts["sentences"]


def names_in(text: str) -> list[str]:
    return [word for word in re.findall(r"[A-Z][a-z]+", text) if word in NAMES]


def numbers_in(text: str) -> list[str]:
    """The numbers of statements: 3 where it says 1/3."""
    return NUMBER.findall(text.replace("1/", ""))


class TestEveryPair:
    @given(STUDY, SEED)
    def test_members_have_one_answer_and_differ_only_where_the_treatment_is(self, study, seed):
        for pair in pairs(study, 3, seed):
            assert pair.x.answer == pair.x_prime.answer
            one, other = sentences(pair.x), sentences(pair.x_prime)
            changed = [i for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
            assert changed == pair.x.facts["treated"] == pair.x_prime.facts["treated"]

    @given(STUDY, SEED)
    def test_the_stated_steps_lead_from_the_first_number_to_the_answer(self, study, seed):
        for pair in pairs(study, 3, seed):
            for item in (pair.x, pair.x_prime):
                amount = int(numbers_in(sentences(item)[0])[0])
                for step in item.facts["steps"]:
                    stated = int(numbers_in(sentences(item)[step["sentence"]])[0])
                    assert (step["left"], step["right"]) == (amount, stated)
                    amount = apply(step["operation"], amount, stated)
                    assert amount == step["result"]
                    assert 1 <= amount <= 999
                assert str(amount) == item.answer
                assert len(item.facts["steps"]) == pair.strata["steps"]

    @given(STUDY, SEED)
    def test_the_answer_is_never_printed_in_the_text(self, study, seed):
        for pair in pairs(study, 3, seed):
            for item in (pair.x, pair.x_prime):
                assert item.answer not in numbers_in(item.text)

    @given(STUDY, SEED)
    def test_names_in_one_problem_are_never_look_alikes(self, study, seed):
        for pair in pairs(study, 2, seed):
            for item in (pair.x, pair.x_prime):
                names = sorted(set(names_in(item.text)))
                assert len(names) >= 2
                assert not [
                    (a, b) for i, a in enumerate(names) for b in names[:i] if look_alike(a, b)
                ]

    @given(STUDY, SEED, st.integers(1, 20))
    @settings(max_examples=50, deadline=None)
    def test_the_same_design_gives_the_same_pairs_and_a_smaller_one_its_beginning(
        self, study, seed, n
    ):
        whole = [pair.id for pair in pairs(study, 20, seed)]
        assert [pair.id for pair in pairs(study, n, seed)] == whole[:n]

    @pytest.mark.parametrize("study", WORD_PROBLEMS)
    def test_pairs_are_all_different(self, study):
        assert len({pair.id for pair in pairs(study, 2_000)}) == 2_000

    @pytest.mark.parametrize("study", WORD_PROBLEMS)
    def test_ids_are_hashes_of_the_content(self, study):
        pair = pairs(study, 1)[0]
        assert pair.x.id == content_hash(study, pair.x.text, pair.x.answer, ())
        assert pair.id == content_hash(pair.x.id, pair.x_prime.id)

    @given(STUDY, SEED, SEED)
    def test_what_the_tiny_models_train_on_is_never_what_is_asked(self, study, seed, other):
        # The first two people of a problem belong to one half of all name pairs, so no seed
        # can bring a training problem and an asked one together.
        def casts(part: ProblemHalf, seed: int) -> set[tuple[str, ...]]:
            made = different(experiment(study).draw(Design(study, 5, seed), part=part), 5)
            return {tuple(dict.fromkeys(names_in(p.x_prime.text))) for p in made}

        assert casts(ProblemHalf.ASKED, seed).isdisjoint(casts(ProblemHalf.TRAINING, other))
        assert casts(ProblemHalf.ASKED, seed).isdisjoint(casts(ProblemHalf.TRAINING, seed))


class TestSeeds:
    # Written down once. A change here means that published designs no longer reproduce.
    @pytest.mark.parametrize(
        ("study", "chosen", "digest"),
        [
            ("consistency", {"version": "1"}, "8709331eda2908bb"),
            ("consistency", {}, "5c83f2d9c0c9553b"),
            ("transfer-comparison", {"version": "1"}, "94f886dcf3ddb79b"),
            ("transfer-comparison", {}, "a84a4653bc9c7041"),
            ("carry", {}, "a1e3b14612a0164c"),
        ],
    )
    def test_a_seed_gives_the_same_pairs_on_every_machine(self, study, chosen, digest):
        assert content_hash([pair.id for pair in pairs(study, 200, 7, **chosen)]) == digest

    @pytest.mark.parametrize("study", ["consistency", "transfer-comparison"])
    def test_versions_differ_in_words_alone(self, study):
        told = [pairs(study, 60, 7, version=version) for version in ("1", "2")]
        for one, other in zip(*told, strict=True):
            for then, now in ((one.x, other.x), (one.x_prime, other.x_prime)):
                assert then.facts["steps"] == now.facts["steps"]
                assert numbers_in(then.text) == numbers_in(now.text)
                assert names_in(then.text) == names_in(now.text)
                assert "times fewer" not in now.text

    def test_a_part_is_told_as_it_is_asked_for(self):
        made = pairs("consistency", 60, 7, multiplicative="3 times fewer")
        assert any("times fewer" in pair.x_prime.text for pair in made)
        with pytest.raises(DesignError, match="Version 1"):
            pairs("consistency", 5, 7, multiplicative="1/3 as many", version="1")


class TestConsistency:
    def test_only_the_comparison_sentence_differs(self):
        for pair in pairs("consistency"):
            (treated,) = pair.x.facts["treated"]
            assert pair.x.facts["structure"].split(" . ")[treated].startswith("comparison")

    def test_the_first_arm_is_consistent_and_the_second_inconsistent(self):
        for pair in pairs("consistency"):
            for item, expected in ((pair.x, True), (pair.x_prime, False)):
                wording = [s["consistent"] for s in item.facts["steps"] if s["rule"] == "compare"]
                assert wording == [expected]

    def test_steps_are_uniform_over_the_range(self):
        counts = Counter(pair.strata["steps"] for pair in pairs("consistency", 500))
        assert counts == dict.fromkeys(range(1, 6), 100)

    def test_operations_are_balanced(self):
        counts = Counter(p.strata["operation"] for p in pairs("consistency", 400))
        assert max(counts.values()) - min(counts.values()) <= 5

    def test_transfers_take_away_and_rates_divide_too(self):
        used = Counter(
            (step["rule"], step["operation"])
            for pair in pairs("consistency", 500)
            for step in pair.x.facts["steps"]
        )
        for kind in (("gain", "+"), ("give", "-"), ("rate", "*"), ("rate", "/")):
            assert used[kind] > 30

    def test_numerals_are_the_same_in_both_members(self):
        for pair in pairs("consistency"):
            assert numbers_in(pair.x.text) == numbers_in(pair.x_prime.text)

    def test_the_question_is_word_for_word_the_same_in_both_members(self):
        for pair in pairs("consistency"):
            assert sentences(pair.x)[-1] == sentences(pair.x_prime)[-1]

    def test_relational_words_stand_only_in_the_treated_sentence(self):
        relational = re.compile(r"\b(more|fewer|less|times|as many)\b")
        for pair in pairs("consistency"):
            for item in (pair.x, pair.x_prime):
                found = [i for i, s in enumerate(sentences(item)) if relational.search(s)]
                assert found == item.facts["treated"]

    def test_a_transfer_after_a_rate_says_what_changes_hands(self):
        # In 52 of the 500 released pairs it was not clear which thing was bought.
        checked = 0
        for pair in pairs("consistency", 1_000):
            parts = pair.x.facts["structure"].split(" . ")
            for index, part in enumerate(parts):
                if part.startswith("transfer") and any(p.startswith("rate") for p in parts[:index]):
                    what = pair.x.facts["steps"][index - 1]["what"]
                    assert what.split(" of ")[0][:4] in sentences(pair.x)[index]
                    checked += 1
        assert checked > 50

    def test_small_numbers_are_not_favoured(self):
        # In the released data 2 was drawn 161 times and 20 only 90 times. Division alone
        # prefers small numbers here: no number up to 20 is divisible by more than 10.
        counts = Counter(int(n) for p in pairs("consistency", 5_000) for n in numbers_in(p.x.text))
        assert set(counts) == set(range(2, 21))
        assert max(counts.values()) / min(counts.values()) < 1.5

    def test_things_are_packed_at_most_once(self):
        for pair in pairs("consistency", 1_000):
            assert pair.x.facts["structure"].count("rate") <= 1


class TestTransferComparison:
    def test_both_members_take_the_same_calculations(self):
        def arithmetic(item: Item) -> list[tuple]:
            return [(s["operation"], s["left"], s["right"]) for s in item.facts["steps"]]

        for pair in pairs("transfer-comparison"):
            assert arithmetic(pair.x) == arithmetic(pair.x_prime)

    def test_one_member_is_all_transfers_and_the_other_all_comparisons(self):
        for pair in pairs("transfer-comparison"):
            assert {s["rule"] for s in pair.x.facts["steps"]} <= {"gain", "give"}
            assert {s["rule"] for s in pair.x_prime.facts["steps"]} == {"compare"}

    def test_sentences_at_one_place_bring_in_the_same_name(self):
        for pair in pairs("transfer-comparison"):
            met: set[str] = set()
            body = zip(sentences(pair.x)[:-1], sentences(pair.x_prime)[:-1], strict=True)
            for transfer, comparison in body:
                one, other = set(names_in(transfer)), set(names_in(comparison))
                assert one - met == other - met
                met |= one | other

    def test_questions_differ_in_the_name_and_say_now_of_a_change_alone(self):
        for pair in pairs("transfer-comparison"):
            one, other = (sentences(item)[-1] for item in (pair.x, pair.x_prime))
            assert " now" in one
            assert " now" not in other
            words = zip(one.replace(" now", "").split(), other.split(), strict=True)
            assert sum(a != b for a, b in words) == 1

    def test_steps_and_wording_are_balanced(self):
        made = pairs("transfer-comparison", 1_000)
        assert Counter(p.strata["steps"] for p in made) == dict.fromkeys(range(1, 6), 200)
        forms = Counter(s["consistent"] for p in made for s in p.x_prime.facts["steps"])
        assert abs(forms[True] - forms[False]) <= 2


class TestCarry:
    def test_the_first_arm_has_no_carry_and_the_second_as_many_as_its_stratum_says(self):
        for pair in pairs("carry"):
            assert [s["carries"] for s in pair.x.facts["steps"]] == [0]
            assert [s["carries"] for s in pair.x_prime.facts["steps"]] == [pair.strata["carries"]]

    def test_members_are_alike_but_for_the_numbers(self):
        for pair in pairs("carry"):
            assert NUMBER.sub("#", pair.x.text) == NUMBER.sub("#", pair.x_prime.text)

    def test_one_and_two_carries_sums_and_differences_and_wordings_are_balanced(self):
        made = pairs("carry", 800)
        cells = Counter(
            (p.strata["carries"], p.strata["operation"], p.strata["wording"]) for p in made
        )
        assert set(cells.values()) == {100}

    def test_zero_digits_are_as_frequent_in_both_members(self):
        # In the released data 245 operands of one arm had a zero digit and 170 of the other.
        made = pairs("carry", 800)
        for pair in made:
            zeros = {"".join(numbers_in(i.text)).count("0") for i in (pair.x, pair.x_prime)}
            assert zeros == {pair.strata["zeros"]}
        one_carry = Counter(p.strata["zeros"] for p in made if p.strata["carries"] == 1)
        assert one_carry == {0: 200, 1: 200}

    def test_longer_numbers_have_one_length_and_chains_of_carries(self):
        for numbers, chosen, counts in (
            ("1000-9999", "chain", {3}),
            ("10000-99999", "chain", {4}),
            ("10000-99999", "1 or 2", {1, 2}),
            ("1000-5000", "2", {2}),
        ):
            made = pairs("carry", 80, numbers=numbers, carries=chosen)
            digits = len(numbers.partition("-")[2])
            assert {pair.strata["carries"] for pair in made} == counts
            for pair in made:
                (plain,), (carrying,) = (i.facts["steps"] for i in (pair.x, pair.x_prime))
                assert (plain["carries"], carrying["carries"]) == (0, pair.strata["carries"])
                written = [*numbers_in(pair.x.text), *numbers_in(pair.x_prime.text)]
                assert {len(number) for number in (*written, pair.x.answer)} == {digits}
                assert pair.x.answer == pair.x_prime.answer


class TestRefusals:
    @over(
        ("study", "n", "chosen", "says"),
        [
            ("consistency", 0, {}, "nearest size that works is 1"),
            ("consistency", 10**9, {}, "nearest size that works is 100,000"),
            ("consistency", 5, {"steps": "0-9"}, "nearest setting that works is 1-5"),
            ("consistency", 5, {"steps": "4-2"}, "nearest setting that works is 2-4"),
            ("consistency", 5, {"steps": "many"}, "Write two whole numbers, such as 1-5"),
            ("consistency", 5, {"numbers": "15-16"}, "The nearest setting that works is"),
            ("consistency", 5, {"operations": "sums"}, "Choose all or additive"),
            ("consistency", 5, {"colour": "red"}, "Its settings are: steps, numbers, operations"),
            ("transfer-comparison", 5, {"steps": "1-40"}, "nearest setting that works is 1-9"),
            ("carry", 5, {"steps": "1-3"}, "nearest setting that works is 1-1"),
            ("carry", 5, {"numbers": "100-110"}, "The nearest setting that works is"),
            ("carry", 5, {"numbers": "2-20"}, "The nearest setting that works is 100-999"),
        ],
    )
    def test_a_design_without_pairs_is_refused_with_the_nearest_that_works(
        self, study, n, chosen, says
    ):
        with pytest.raises(DesignError, match=re.escape(says)):
            pairs(study, n, **chosen)

    @pytest.mark.parametrize(("study", "numbers"), [("consistency", "15-16"), ("carry", "100-110")])
    def test_the_range_that_a_refusal_suggests_works(self, study, numbers):
        with pytest.raises(DesignError) as refusal:
            pairs(study, 40, numbers=numbers)
        suggested = re.search(r"works is (\d+-\d+)", refusal.value.suggestion)
        assert suggested
        assert len(pairs(study, 40, numbers=suggested[1])) == 40

    def test_an_unknown_study_is_refused_with_the_nearest_name(self):
        with pytest.raises(DesignError, match="Did you mean 'consistency'"):
            experiment("consistancy")


def test_every_study_has_what_screens_and_command_line_need():
    for name, study in experiments().items():
        assert study.name == name
        assert study.title
        assert study.question.endswith("?")
        assert study.source
        assert study.strategies
        assert study.strata
        if any(setting.kind == "set" for setting in study.settings):
            continue  # Its pairs are kept, not drawn: tests/runs/library/test_pair_sets.py.
        assert study.strata[0].name in next(study.pairs(Design(name, 1, 0))).strata
