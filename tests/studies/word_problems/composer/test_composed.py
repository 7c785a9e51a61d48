"""The study of any structure and any one feature: what is promised of every pair."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.studies import Design, Pair, content_hash, experiment, pair_columns
from biaslab.studies.study import arms_of, called_after
from biaslab.studies.word_problems.composed import PairMaker
from biaslab.studies.word_problems.treatments import treatments
from schoolmath.malrules import rules, rules_for
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.problems import DesignError
from schoolmath.problems.structure import MOST_PARTS, StructureError, write_structure
from tests.loops import over
from tests.studies.word_problems.composer.structure_lines import structures

STUDY = experiment("composed")
NUMBER = re.compile(r"\d+")
TREATMENTS = st.sampled_from(sorted(treatments()))


def pairs(n: int = 20, seed: int = 1, **chosen: str | int) -> list[Pair]:
    return list(STUDY.pairs(Design("composed", n, seed, chosen)))


def made_or_refused(seed: int, chosen: dict[str, str]) -> tuple[list[Pair], DesignError | None]:
    try:
        return pairs(3, seed, **chosen), None
    except DesignError as error:
        return [], error


@given(structures(), TREATMENTS, st.integers(0, 10**6), st.sampled_from(("2-20", "2-99")))
def test_any_line_makes_proved_pairs_or_is_refused_with_a_reason(line, treatment, seed, numbers):
    chosen = {"structure": write_structure(line), "treatment": treatment, "numbers": numbers}
    made, refused = made_or_refused(seed, chosen)
    if refused is not None:
        assert refused.setting in ("structure", "treatment", "sentence", "numbers", "n")
        assert refused.reason.endswith(".")
        assert refused.suggestion
        return
    assert len({pair.id for pair in made}) == 3
    for pair in made:
        for item in (pair.x, pair.x_prime):
            stated = NUMBER.findall(item.text)
            assert item.answer not in stated
            assert all(1 <= step["result"] <= 999 for step in item.facts["steps"])
            assert int(item.answer) == item.facts["steps"][-1]["result"]


@pytest.mark.parametrize("treatment", ["carry", "number-size"])
@pytest.mark.parametrize("aside", ["comparison/ distractor", "transfer- distractor"])
def test_other_numbers_on_the_path_leave_what_is_told_aside_sound(treatment, aside):
    line = f"container . container . container . transfer . {aside}"
    for seed in range(12):
        chosen = {"structure": line, "treatment": treatment, "numbers": "2-99"}
        made, refused = made_or_refused(seed, chosen)
        assert refused is None
        assert len(made) == 3


@over("treatment", sorted(treatments()))
def test_the_members_are_called_after_the_treatment(treatment):
    design = Design("composed", 1, 1, {"treatment": treatment})
    assert arms_of(STUDY, design) == treatments()[treatment].arms


def test_the_members_of_an_unknown_treatment_have_the_studys_own_names():
    assert arms_of(STUDY, Design("composed", 1, 1, {"treatment": "magic"})) == STUDY.arms


def test_a_study_is_called_after_designs_that_agree():
    carry, giver = (Design("composed", 1, 1, {"treatment": name}) for name in ("carry", "giver"))
    assert called_after(STUDY, [carry, carry]).arms == treatments()["carry"].arms
    assert called_after(STUDY, [carry, giver]).arms == STUDY.arms
    assert called_after(experiment("carry"), [carry]) is experiment("carry")


def test_a_study_with_one_treatment_has_its_own_names_for_every_design():
    study = experiment("carry")
    assert arms_of(study, Design("carry", 1, 1)) == study.arms


@given(st.integers(0, 10**9), st.integers(1, 15), st.sampled_from(("no", "yes")))
@settings(max_examples=25, deadline=None)
def test_a_smaller_design_is_the_beginning_of_a_larger_one(seed, n, diagnosable):
    whole = [pair.id for pair in pairs(15, seed, diagnosable=diagnosable)]
    assert [pair.id for pair in pairs(n, seed, diagnosable=diagnosable)] == whole[:n]


def test_every_stratum_and_column_is_filled():
    columns = pair_columns(STUDY)
    for pair in pairs():
        assert set(pair.strata) == {stratum.name for stratum in STUDY.strata}
        assert set(pair.strata) <= set(columns)


def test_the_sentence_to_change_is_the_one_asked_for():
    line = "container . comparison+ . comparison- . transfer"
    for pair in pairs(10, structure=line, sentence=3):
        assert pair.x.facts["treated"] == [2]


def test_amounts_never_leave_the_range_of_the_lab_whatever_the_numbers():
    line = "container . comparison* . transfer+ . comparison/ . transfer-"
    for pair in pairs(50, structure=line, numbers="1-999"):
        for step in pair.x.facts["steps"]:
            assert 1 <= step["result"] <= 999
            assert step["right"] > 1 or step["operation"] in "+-"


class TestRefusals:
    @over(
        ("chosen", "setting", "reason"),
        [
            ({"structure": "container . comparison A:A"}, "structure", "with themselves"),
            ({"structure": "container . transfer"}, "structure", "No step"),
            ({"treatment": "magic"}, "treatment", "magic"),
            ({"treatment": "consistency+carry"}, "treatment", "consistency"),
            ({"sentence": 99}, "sentence", "not within"),
            ({"sentence": "two"}, "sentence", "not a whole number"),
            ({"sentence": 7}, "sentence", "There is no sentence 7"),
            ({"numbers": "0-20"}, "numbers", "not within"),
            ({"numbers": "2-2"}, "numbers", "there are no problems"),
            ({"diagnosable": "maybe"}, "diagnosable", "not one of the choices"),
            ({"colour": "red"}, "colour", "no setting"),
        ],
    )
    def test_a_design_that_cannot_be_made_says_why_and_where(self, chosen, setting, reason):
        with pytest.raises(DesignError) as refused:
            pairs(**chosen)
        assert refused.value.setting == setting
        assert reason in str(refused.value)

    def test_a_range_that_is_too_narrow_is_refused_with_one_that_works(self):
        with pytest.raises(DesignError) as refused:
            pairs(structure="container . comparison*", numbers="600-700")
        offered = re.search(r"works is (\d+-\d+)", refused.value.suggestion)
        assert offered is not None
        assert pairs(5, structure="container . comparison*", numbers=offered[1])

    def test_the_part_at_fault_is_named(self):
        with pytest.raises(StructureError) as refused:
            pairs(structure="container . transfer . rate . rate")
        assert refused.value.part == 3

    def test_a_family_with_too_few_pairs_ends_with_their_number(self, monkeypatch):
        # Thousands of pairs are there; giving up early finds the end of them at once.
        monkeypatch.setattr("biaslab.studies.study.PATIENCE", 3)
        line = "container A thing=milk attribute=none unit=litre . transfer+ >A"
        with pytest.raises(DesignError) as refused:
            pairs(100_000, structure=line, treatment="question-wording", numbers="2-4")
        assert refused.value.setting == "n"
        made = int(re.search(r"Only ([\d,]+) ", str(refused.value))[1].replace(",", ""))
        assert 0 < made < 100_000


class TestDiagnosable:
    LINES = (
        "container . transfer- . comparison+ inconsistent",
        "container . comparison- . transfer+",
        "container . comparison . transfer . comparison",
        "container . container . comparison+ . rate",
    )

    @over("line", LINES)
    @over("treatment", ["consistency", "predicate", "irrelevant-sentence"])
    def test_the_rules_themselves_give_answers_of_their_own_in_both_members(self, line, treatment):
        for pair in pairs(8, structure=line, treatment=treatment, diagnosable="yes"):
            for item in (pair.x, pair.x_prime):
                story = Story.of_facts(item.facts)
                ways = item.facts["ways"]
                for rule in rules_for(story):
                    # Bystanders and other people in transfers are not among the facts.
                    if rule.id in ways and rule.id not in ("WP06",):
                        given_by_rule = {str(worked.answer) for worked in rule.run(story)}
                        assert given_by_rule == set(ways[rule.id])
                told = [answer for answers in ways.values() for answer in answers]
                taken = [*told, item.answer, *set(NUMBER.findall(item.text))]
                assert len(set(taken)) == len(taken)

    def test_every_listed_way_is_told_apart_or_left_out_with_a_reason(self):
        listed = {"WP01", "WP02", "WP03", "WP04", "WP14", "WP15", "WP06"}
        for pair in pairs(5, diagnosable="yes"):
            for item in (pair.x, pair.x_prime):
                ways, left_out = item.facts["ways"], item.facts["ways_left_out"]
                assert set(ways) | set(left_out) == listed
                assert not set(ways) & set(left_out)
                assert all(reason.endswith(".") for reason in left_out.values())
                assert set(ways) <= set(rules())

    def test_what_texts_can_show_is_looked_up_once_for_a_structure(self, monkeypatch):
        looked = []
        look = PairMaker.look
        monkeypatch.setattr(PairMaker, "look", lambda self: looked.append(1) or look(self))
        line = "container . comparison- inconsistent . comparison+ . transfer-"
        first, again, other = (pairs(2, seed, structure=line, diagnosable="yes", numbers="2-71")
                               for seed in (1, 1, 2))  # fmt: skip
        assert len(looked) == 1
        assert first == again != other

    def test_reversal_is_told_from_adding_all_in_two_steps_but_not_in_one(self):
        two = pairs(3, structure="container . comparison- . transfer-", diagnosable="yes")
        assert all({"WP01", "WP02"} <= set(pair.x_prime.facts["ways"]) for pair in two)
        one = pairs(3, structure="container . comparison-", diagnosable="yes")
        for pair in one:
            assert "WP01" in pair.x_prime.facts["ways"]
            assert "reversing" in pair.x_prime.facts["ways_left_out"]["WP02"]

    def test_wrong_answers_are_such_as_somebody_would_give_where_numbers_allow(self):
        line = "container . transfer+ . comparison- inconsistent"
        for pair in pairs(20, structure=line, diagnosable="yes"):
            for answers in pair.x_prime.facts["ways"].values():
                assert all(answer.isdigit() for answer in answers)

    def test_a_range_that_cannot_tell_them_apart_says_so(self):
        with pytest.raises(DesignError) as refused:
            pairs(5, structure="container . transfer . transfer", numbers="2-4",
                  treatment="question-wording", diagnosable="yes")  # fmt: skip
        assert refused.value.setting == "numbers"
        assert "an answer of its own" in str(refused.value)

    def test_numbers_need_not_be_diagnosable_where_that_is_not_asked_for(self):
        assert all("ways" not in pair.x.facts for pair in pairs(5))


def test_the_longest_line_is_drawn():
    line = " . ".join(["container", *["transfer"] * (MOST_PARTS - 1)])
    made = pairs(3, structure=line, treatment="question-wording")
    assert all(len(pair.x.facts["sentences"]) == MOST_PARTS + 1 for pair in made)


# Written down once. A change here means that designs that were shared no longer reproduce.
def test_a_seed_gives_the_same_pairs_on_every_machine():
    assert content_hash([pair.id for pair in pairs(30, 7, version=1)]) == "dff50390d9b785d8"
    assert content_hash([pair.id for pair in pairs(30, 7)]) == "91fc99f1ec14124d"
