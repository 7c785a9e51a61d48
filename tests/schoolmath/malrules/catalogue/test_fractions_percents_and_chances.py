"""What pupils do with fractions, decimals, percents, ratios and chances."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from schoolmath.malrules import FORMS, Form, cards, rules, rules_for
from schoolmath.malrules.catalogue.chance.compound_chances import (
    AtLeastOne,
    EitherOfTwo,
    MoreDetail,
    PairOnTwoDice,
    SumOfTwoDice,
    TwoChances,
    TwoMarbles,
)
from schoolmath.malrules.catalogue.chance.single_chance_rules import ExpectedRemaining, NextInRun
from schoolmath.malrules.catalogue.chance.single_chances import (
    BagComparison,
    MarbleDraw,
    NotOnDie,
    OutfitAtRandom,
    Outfits,
    Prizes,
)
from schoolmath.malrules.catalogue.fractions.arithmetic import (
    FractionDifference,
    FractionProduct,
    FractionQuotient,
    FractionSum,
)
from schoolmath.malrules.catalogue.fractions.percents import PercentOf, ReversePercent, TwoPercents
from schoolmath.malrules.catalogue.fractions.products import FractionOf
from schoolmath.malrules.catalogue.fractions.ratios import Proportion, RatioShare
from schoolmath.malrules.catalogue.fractions.rewriting import (
    FractionAsDecimal,
    FractionComparison,
    LowestTerms,
    MixedToImproper,
)
from schoolmath.malrules.catalogue.numbers.decimal_writing import DecimalComparison
from schoolmath.malrules.catalogue.writing import as_written, dollars, plain
from schoolmath.text.figures import listed
from tests.loops import over

SALE = TwoPercents(30, 10, 6)
EXPECTED = ExpectedRemaining(1, 4, 100, 10)
MARBLES = MarbleDraw(("red", "blue"), (3, 5))
BAGS = BagComparison(((3, 8), (4, 12)))
DETAIL = MoreDetail("Ana", "works in a bank", "plays the violin")

DESIGN = [
    (FractionSum(1, 2, 1, 3), "NO27", "5/6", "2/5"),
    (FractionDifference(3, 4, 1, 2), "NO28", "1/4", "2/2"),
    (FractionSum(1, 2, 1, 3), "NO29", "5/6", "2/6"),
    (FractionProduct(3, 5, 2, 5), "NO30", "6/25", "6/5"),
    (FractionQuotient(2, 3, 4, 5), "NO31", "5/6", "6/5"),
    (FractionQuotient(2, 3, 4, 5), "NO32", "5/6", "8/15"),
    (FractionComparison(((1, 3), (1, 5))), "NO33", "1/3", "1/5"),
    (FractionComparison(((5, 6), (7, 8))), "NO34", "7/8", "equal"),
    (LowestTerms(6, 8), "NO35", "3/4", "4/6"),
    (FractionOf(2, 3, 12), "NO36", "8", "4"),
    (MixedToImproper(2, 3, 4), "NO37", "11/4", "5/4"),
    (FractionAsDecimal(3, 4), "NO38", "0.75", "3.4"),
    (DecimalComparison(("0.5", "0.355")), "NO39", "0.5", "0.355"),
    (DecimalComparison(("0.64", "0.2")), "NO40", "0.64", "0.2"),
    (SALE, "NO58", "28.62", "21.20"),
    (SALE, "NO59", "28.62", "25.38"),
    (SALE, "NO60", "28.62", "28.80"),
    (TwoPercents(80, 20, 10, "discount"), "NO61", "57.60", "56.00"),
    (ReversePercent(48, 20), "NO62", "60.00", "57.60"),
    (PercentOf(5, 60), "NO63", "3", "30"),
    (RatioShare(3, 5, 40), "NO64", "15", "24"),
    (RatioShare(3, 5, 48, "segment"), "NO65", "18", "16"),
    (Proportion(4, 6, 10), "NO66", "15", "12"),
    (MARBLES, "PR01", "3/8", "3/5"),
    (BAGS, "PR02", "A", "B"),
    (MARBLES, "PR03", "3/8", "1/2"),
    (SumOfTwoDice(7), "PR04", "1/6", "1/11"),
    (PairOnTwoDice(5, 6), "PR05", "1/18", "1/36"),
    (TwoChances((1, 2), (1, 6)), "PR06", "1/12", "2/3"),
    (TwoMarbles(2, 5), "PR07", "1/10", "4/25"),
    (AtLeastOne(6, 3), "PR08", "91/216", "1/2"),
    (NotOnDie(6, 6), "PR09", "5/6", "1/6"),
    (NextInRun(2, 4), "PR10", "1/2", "more than 1/2"),
    (EXPECTED, "PR11", "15", "25"),
    (EXPECTED, "PR12", "15", "13"),
    (EXPECTED, "PR13", "15", "10"),
    (Outfits((3, 4, 2)), "PR14", "24", "9"),
    # The catalogue writes the wrong answer as 17/52 and the right one as 4/13, that is 16/52.
    (EitherOfTwo(52, 13, 4, 1, "cards"), "PR15", "4/13", "17/52"),
    (DETAIL, "PR16", "A", "A and B"),
]

ELSEWHERE = [
    (MixedToImproper(2, 3, 4), "NO27", "5/5"),
    (MixedToImproper(2, 3, 4), "NO35", "8/4"),
    (FractionDifference(3, 4, 1, 2), "NO29", "2/4"),
    (FractionDifference(3, 4, 1, 2), "NO35", "0/4"),
    (FractionDifference(3, 4, 1, 2), "NO38", "2.2"),
    (FractionSum(1, 2, 1, 3), "NO35", "9/6"),
    (FractionSum(1, 2, 1, 3), "NO38", "2.5"),
    (FractionQuotient(2, 3, 4, 5), "NO29", "2/4"),
    (FractionQuotient(2, 3, 4, 5), "NO35", "14/14"),
    (FractionQuotient(4, 5, 2, 5), "NO30", "2/5"),
    (FractionProduct(1, 2, 1, 3), "NO30", "6/6"),
    (FractionProduct(3, 5, 2, 5), "NO31", "2/3"),
    (FractionProduct(3, 5, 2, 5), "NO36", "2/25"),
    (FractionProduct(3, 5, 2, 5), "NO38", "8.75"),
    (LowestTerms(6, 8), "NO29", "6/4"),
    (LowestTerms(6, 8), "NO30", "3/8"),
    (FractionOf(2, 3, 12), "NO30", "24"),
    (FractionOf(2, 3, 12), "NO31", "18"),
    (FractionAsDecimal(3, 4), "NO29", "0.03"),
    (FractionAsDecimal(3, 4), "NO35", "0.99"),
    (FractionAsDecimal(3, 4), "NO36", "0.25"),
    (FractionAsDecimal(3, 4), "NO63", "7.5"),
    (FractionComparison(((7, 9), (2, 3), (8, 14), (5, 16))), "NO38", "8/14"),
    (DecimalComparison(("0.45", "0.3", "0.312", "0.0123")), "NO213", "0.0123"),
    (BagComparison(((3, 5), (5, 8), (6, 12), (2, 18))), "NO33", "D"),
    (BagComparison(((3, 5), (5, 8), (6, 12), (2, 18))), "NO34", "A"),
    (BAGS, "PR03", "equal"),
    (DETAIL, "PR03", "equal"),
    (PercentOf(5, 60), "NO36", "0.6"),
    (PercentOf(5, 60), "NO58", "5"),
    (PercentOf(5, 60), "NO65", "12"),
    (TwoPercents(80, 20, 10, "discount"), "NO58", "50.00"),
    (TwoPercents(80, 20, 10, "discount"), "NO59", "70.40"),
    (SALE, "NO63", "43.20"),
    (ReversePercent(48, 20), "NO58", "68.00"),
    (ReversePercent(48, 20), "NO59", "38.40"),
    (RatioShare(3, 5, 40), "NO36", "5"),
    (RatioShare(3, 5, 40), "NO66", "19"),
    (Proportion(4, 6, 12), "NO31", "8"),
    (Proportion(4, 6, 12), "NO36", "3"),
    (Proportion(6, 4, 12), "NO66", "10"),
    (MarbleDraw(("red", "blue", "green"), (3, 5, 4)), "PR04", "1/3"),
    (MarbleDraw(("red", "blue", "green"), (3, 5, 4), True), "PR04", "2/3"),
    (MarbleDraw(("red", "blue", "green"), (3, 5, 4), True), "PR09", "1/4"),
    (NotOnDie(6, 6), "PR01", "5"),
    (SumOfTwoDice(5), "PR05", "1/18"),
    (SumOfTwoDice(6), "PR05", "1/12"),
    (PairOnTwoDice(5, 6), "PR06", "1/3"),
    (TwoChances((1, 2), (1, 6)), "PR01", "1/5"),
    (TwoMarbles(2, 5), "PR01", "2/9"),
    (TwoMarbles(2, 5), "PR06", "13/20"),
    (TwoMarbles(2, 5), "PR08", "4/5"),
    (AtLeastOne(6, 3), "PR09", "125/216"),
    (NextInRun(6, 4), "PR13", "less than 1/6"),
    (NextInRun(6, 4), "PR01", "1/5"),
    (OutfitAtRandom((3, 4, 2)), "PR06", "13/12"),
    (OutfitAtRandom((3, 4, 2)), "PR14", "1/9"),
    (Prizes(5, 2), "PR05", "10"),
    (Prizes(5, 2), "PR07", "25"),
    (Prizes(5, 2), "PR14", "9"),
]


def _shown(problem: Form, rule_id: str) -> list[str]:
    return [worked.answer.shown for worked in rules()[rule_id].run(problem)]


@over(("problem", "rule_id", "right", "wrong"), DESIGN)
def test_the_example_of_the_catalogue(problem, rule_id, right, wrong):
    assert problem.solve().answer.shown == right
    assert _shown(problem, rule_id) == [wrong]


@over(("problem", "rule_id", "wrong"), ELSEWHERE)
def test_the_same_idea_on_another_kind_of_problem(problem, rule_id, wrong):
    assert _shown(problem, rule_id) == [wrong]


@over(
    ("problem", "rule_id"),
    [
        (FractionDifference(3, 4, 1, 4), "NO28"),  # nothing below to subtract
        (FractionSum(1, 4, 2, 4), "NO29"),  # a common denominator already
        (FractionSum(1, 4, 2, 4), "NO35"),
        (FractionAsDecimal(3, 10), "NO29"),
        (FractionAsDecimal(3, 10), "NO35"),
        (FractionOf(1, 3, 12), "NO36"),  # one part is all that is asked for
        (FractionQuotient(3, 5, 2, 5), "NO30"),  # does not divide
        (FractionComparison(((1, 5), (2, 5))), "NO33"),
        (FractionComparison(((1, 2), (2, 3), (1, 4))), "NO34"),
        (DecimalComparison(("0.5", "0.3")), "NO40"),  # equally long
        (DecimalComparison(("1.5", "0.355")), "NO39"),  # wholes decide
        (DecimalComparison(("0.5", "0.3")), "NO213"),  # equally long
        (DecimalComparison(("1.5", "0.355")), "NO213"),  # wholes decide
        (DecimalComparison(("0.5", "0.355")), "NO33"),  # no fractions
        (SALE, "NO61"),  # a discount and a tax
        (TwoPercents(80, 20, 10, "discount"), "NO60"),
        (TwoPercents(80, 20, 10, "discount"), "NO63"),  # 10% as 1.0
        (BagComparison(((3, 8), (3, 12))), "PR02"),  # as many red ones
        (MARBLES, "PR04"),  # two colours: fifty-fifty
        (MARBLES, "PR09"),  # not a question with not
    ],
)
def test_an_idea_has_nothing_to_work_on(problem, rule_id):
    assert _shown(problem, rule_id) == []


@over(
    ("form", "fields"),
    [
        (FractionSum, (0, 2, 1, 3)),
        (FractionDifference, (1, 4, 1, 2)),
        (LowestTerms, (3, 4)),
        (LowestTerms, (6, 6)),
        (MixedToImproper, (0, 1, 2)),
        (FractionAsDecimal, (1, 3)),
        (FractionAsDecimal, (1, 4, "moon")),
        (FractionOf, (2, 3, 13)),
        (FractionOf, (2, 3, 12, "moon")),
        (FractionComparison, (((1, 2), (2, 4)),)),
        (FractionComparison, (((1, 2),),)),
        (DecimalComparison, (("0.5", "0.50"),)),
        (DecimalComparison, (("5", "0.50"),)),
        (PercentOf, (0, 60)),
        (PercentOf, (7, 60, "pupils")),
        (PercentOf, (5, 60, "moon")),
        (TwoPercents, (31, 3, 7)),
        (TwoPercents, (30, 100, 6)),
        (TwoPercents, (30, 10, 6, "gift")),
        (TwoPercents, (30, 10, 6, "tax", "moon")),
        (ReversePercent, (50, 30)),
        (ReversePercent, (48, 0)),
        (ReversePercent, (48, 20, "moon")),
        (RatioShare, (3, 5, 41)),
        (RatioShare, (0, 5, 40)),
        (RatioShare, (3, 5, 40, "moon")),
        (Proportion, (1, 6, 10)),
        (Proportion, (4, 6, 10, "moon")),
        (MarbleDraw, (("red",), (3,))),
        (MarbleDraw, (("red", "red"), (3, 5))),
        (MarbleDraw, (("red", "blue"), (3, 0))),
        (NotOnDie, (6, 7)),
        (NextInRun, (1, 4)),
        (ExpectedRemaining, (1, 4, 101, 10)),
        (ExpectedRemaining, (1, 3, 100, 10)),
        (ExpectedRemaining, (1, 4, 100, 26)),
        (ExpectedRemaining, (1, 4, 100, 10, "moon")),
        (SumOfTwoDice, (13,)),
        (PairOnTwoDice, (5, 5)),
        (PairOnTwoDice, (5, 7)),
        (TwoChances, ((2, 2), (1, 6))),
        (TwoMarbles, (1, 5)),
        (AtLeastOne, (6, 1)),
        (BagComparison, (((3, 8),),)),
        (BagComparison, (((3, 8), (6, 16)),)),
        (BagComparison, (((8, 8), (6, 16)),)),
        (Outfits, ((3,),)),
        (Outfits, ((3, 4), "moon")),
        (Prizes, (2, 2)),
        (Prizes, (5, 2, "moon")),
        (EitherOfTwo, (20, 5, 6, 0)),
        (EitherOfTwo, (10, 5, 6, 1)),
        (EitherOfTwo, (20, 5, 6, 1, "moon")),
        (MoreDetail, ("Ana", "flies", "plays the violin")),
    ],
)
def test_nonsense_is_refused_in_a_sentence(form, fields):
    with pytest.raises(ValueError, match=r"[A-Za-z0-9].*\.$"):
        form(*fields)


class TestStories:
    def test_money_is_written_with_dollars_and_cents(self):
        assert "$30" in SALE.stem()
        assert [step.text for step in SALE.solve().steps][-1] == "gets $28.62"

    def test_one_is_told_in_the_singular(self):
        assert "1 of the kings is a heart" in EitherOfTwo(52, 13, 4, 1, "cards").stem()
        assert "3 of them do both" in EitherOfTwo(30, 12, 10, 3).stem()
        assert "1 of them is red" in BagComparison(((1, 3), (3, 4))).stem()

    def test_coins_dice_and_spinners_are_told_as_what_they_are(self):
        stem = TwoChances((1, 2), (1, 6)).stem()
        assert "Coin A" in stem
        assert "Die B" in stem
        assert (
            "Spinner A has 5 equal parts, 2 of which are red" in TwoChances((2, 5), (1, 3)).stem()
        )

    def test_money_below_nothing_is_told_in_words(self):
        worked = rules()["NO58"].run(TwoPercents(10, 20, 10, "discount"))[0]
        assert worked.answer.shown == "-20.00"
        assert worked.steps[-1].text == "takes off another $10 and gets -20.00 dollars"


def test_every_rule_of_these_topics_has_code_and_a_finished_card():
    wanted = [f"NO{n:02}" for n in (*range(27, 41), *range(58, 67))]
    wanted += [f"PR{n:02}" for n in range(1, 17)]
    for rule_id in wanted:
        assert rule_id in rules()
        assert "TODO" not in (cards()[rule_id].look_for, cards()[rule_id].probe)


@over(
    "form",
    [
        FractionSum, FractionDifference, FractionProduct, FractionQuotient, LowestTerms,
        MixedToImproper, FractionAsDecimal, FractionOf, FractionComparison, DecimalComparison,
        PercentOf, TwoPercents, ReversePercent, RatioShare, Proportion, MarbleDraw, NotOnDie,
        NextInRun, ExpectedRemaining, SumOfTwoDice, PairOnTwoDice, TwoChances, TwoMarbles,
        AtLeastOne, BagComparison, OutfitAtRandom, Prizes, EitherOfTwo,
    ],
)  # fmt: skip
def test_most_problems_give_three_different_wrong_answers(form, drawn):
    problems = drawn(form)
    enough = 0
    for problem in problems:
        right = problem.solve().answer
        wrong = {
            worked.answer.value
            for rule in rules_for(problem)
            for worked in rule.run(problem)
            if not worked.answer.same_as(right)
        }
        enough += len(wrong) >= 3
    assert enough / len(problems) > 0.6, f"{enough} of {len(problems)}"
    assert FORMS[form.__name__] is form


class TestWriting:
    def test_fractions_stay_as_they_come_out(self):
        assert as_written(2, 6).shown == "2/6"
        assert as_written(2, 6).value == Fraction(1, 3)
        assert as_written(3, -4).shown == "-3/4"

    def test_decimals_are_written_where_they_end(self):
        assert plain(Fraction(5, 2)).shown == "2.5"
        assert plain(Fraction(5, 3)).shown == "5/3"

    def test_money_has_cents_only_where_there_are_some(self):
        assert dollars(30) == "$30"
        assert dollars(Fraction(286, 10)) == "$28.60"

    def test_words_are_listed_with_and(self):
        assert [listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"], "or")] == [
            "a",
            "a and b",
            "a, b or c",
        ]


SMALL = st.integers(0, 24)
PAIRS = st.lists(st.tuples(SMALL, SMALL), min_size=2, max_size=5).map(tuple)
DECIMALS = st.lists(st.from_regex(r"[0-2]\.\d{1,4}", fullmatch=True), min_size=2, max_size=5)
ANY = {
    FractionSum: st.tuples(SMALL, SMALL, SMALL, SMALL),
    FractionDifference: st.tuples(SMALL, SMALL, SMALL, SMALL),
    FractionProduct: st.tuples(SMALL, SMALL, SMALL, SMALL),
    FractionQuotient: st.tuples(SMALL, SMALL, SMALL, SMALL),
    LowestTerms: st.tuples(SMALL, SMALL),
    MixedToImproper: st.tuples(SMALL, SMALL, SMALL),
    FractionAsDecimal: st.tuples(SMALL, st.sampled_from([2, 4, 5, 8, 10, 40, 100, 125, 1000])),
    FractionOf: st.tuples(SMALL, SMALL, st.integers(1, 40).map(lambda n: n * 12)),
    FractionComparison: st.tuples(PAIRS),
    DecimalComparison: st.tuples(DECIMALS.map(tuple)),
    PercentOf: st.tuples(st.integers(0, 100), SMALL),
    TwoPercents: st.tuples(
        st.integers(0, 20).map(lambda n: 10 * n),
        st.integers(0, 100),
        st.integers(0, 10).map(lambda n: 10 * n),
        st.sampled_from(["tax", "discount"]),
    ),
    ReversePercent: st.tuples(SMALL, st.sampled_from([5, 10, 20, 25, 50, 75, 90])),
    RatioShare: st.tuples(st.integers(1, 4), st.integers(1, 4), st.just(840)),
    Proportion: st.tuples(SMALL, SMALL, SMALL),
    MarbleDraw: st.tuples(st.just(("red", "blue", "green")), st.tuples(SMALL, SMALL, SMALL)),
    NotOnDie: st.tuples(SMALL, SMALL),
    NextInRun: st.tuples(SMALL, SMALL),
    ExpectedRemaining: st.tuples(st.integers(1, 4), st.just(5), st.just(50), SMALL),
    SumOfTwoDice: st.tuples(SMALL, SMALL),
    PairOnTwoDice: st.tuples(SMALL, SMALL, SMALL),
    TwoChances: st.tuples(st.tuples(SMALL, SMALL), st.tuples(SMALL, SMALL)),
    TwoMarbles: st.tuples(SMALL, SMALL),
    AtLeastOne: st.tuples(SMALL, st.integers(1, 6)),
    BagComparison: st.tuples(PAIRS),
    Outfits: st.tuples(st.tuples(SMALL, SMALL, SMALL)),
    OutfitAtRandom: st.tuples(st.tuples(SMALL, SMALL)),
    Prizes: st.tuples(SMALL, st.integers(2, 3)),
    EitherOfTwo: st.tuples(st.integers(20, 60), SMALL, SMALL, st.integers(0, 5)),
}


@pytest.mark.parametrize("form", ANY, ids=lambda form: form.__name__)
@given(data=st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.filter_too_much])
def test_rules_work_on_every_problem_that_can_be_made(form, data):
    try:
        problem = form(*data.draw(ANY[form]))
    except ValueError:
        assume(False)
    for worked in (problem.solve(), *(w for r in rules_for(problem) for w in r.run(problem))):
        assert worked.answer.shown in worked.steps[-1].text
        assert 0 <= worked.key_step < len(worked.steps)
