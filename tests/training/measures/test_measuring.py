"""Measuring: whoever works in a known way gets the counts that this way must have."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from biaslab.training import measuring
from biaslab.training.cells import ALL
from biaslab.training.corpus import build_tokenizer
from biaslab.training.learning import build_model
from biaslab.training.measuring import (
    FULL,
    QUICK,
    SEED,
    ItemReply,
    PairKind,
    additive_operation,
    continue_texts,
    first_operation,
    is_reversed,
    measure,
    reversed_answers,
    unseen_pairs,
)
from biaslab.training.plan import SIZES
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.rules import rules
from tests.loops import over
from tests.training.measures.answering import Answerer, adding, by_keyword, mute, reversing, rightly

N = 40
ADDITIVE = PairKind("consistency", 1, comparison="additive")


@pytest.fixture
def answered(monkeypatch):
    """Measures somebody who works in a given way; the cells by study, wording and strategy."""

    def measured(way, kinds=QUICK, n=N, strategies=("direct", "cot")):
        answerer = way if way is mute else Answerer(kinds, n, way)
        monkeypatch.setattr(measuring, "continue_texts", answerer)
        return measure(None, None, kinds, strategies, n)

    return measured


def the(cells, study="consistency", strategy="cot", wording=ALL):
    (found,) = [
        cell for cell in cells
        if (cell.study, cell.strategy, cell.wording) == (study, strategy, wording)
    ]  # fmt: skip
    return found


def test_who_is_always_right_has_no_effect_and_no_wrong_answer(answered):
    for cell in answered(rightly):
        assert (cell.both, cell.effect().identical) == (cell.n, True)
        assert cell.wrong_x == cell.wrong_x_prime == cell.unread_x == cell.unread_x_prime == 0
    cell = the(answered(rightly))
    assert cell.operator_right_x == cell.operator_asked_x == N
    assert 0 < cell.operator_plus_x < N


def test_who_goes_by_the_keyword_is_right_where_it_fits_and_reverses_elsewhere(answered):
    cells = answered(by_keyword)
    cell = the(cells)
    assert (cell.only_x, cell.cate) == (N, 1.0)
    assert (cell.wrong_x, cell.reversed_x) == (0, 0)
    assert cell.wrong_x_prime == cell.reversed_x_prime == N
    assert (cell.operator_right_x, cell.operator_right_x_prime) == (N, 0)
    assert the(cells, "transfer-comparison", wording="consistent").cate == 0.0
    assert the(cells, "transfer-comparison", wording="inconsistent").cate == 1.0
    assert the(cells, "transfer-comparison").cate == 0.5


def test_who_always_adds_has_no_effect_but_chooses_no_better_than_always_adding(answered):
    cell = the(answered(adding))
    assert cell.effect().identical
    for choice in (cell.operation_x(), cell.operation_x_prime()):
        assert choice is not None
        assert choice.share == choice.always_plus
    # The control shows that these reversals have nothing to do with the wording.
    assert cell.wrong_x == cell.reversed_x == cell.wrong_x_prime == cell.reversed_x_prime > 0


def test_who_always_reverses_does_so_in_every_arm_even_without_a_comparison(answered):
    for cell in answered(reversing):
        assert cell.neither == cell.n
        assert cell.wrong_x == cell.reversed_x == cell.wrong_x_prime == cell.reversed_x_prime


def test_an_answer_that_cannot_be_read_is_counted_apart(answered):
    for cell in answered(mute):
        assert cell.neither == cell.unread_x == cell.unread_x_prime == cell.n
        assert cell.wrong_x == cell.wrong_x_prime == 0
        assert cell.operator_asked_x == cell.operator_asked_x_prime == 0


def test_operations_are_read_from_one_step_additive_problems_worked_step_by_step(answered):
    kinds = (ADDITIVE, PairKind("consistency", 1, comparison="multiplicative"),
             PairKind("consistency", 2, comparison="additive"))  # fmt: skip
    for cell in answered(rightly, kinds, n=5):
        told = cell.strategy == "cot" and cell.steps == 1 and cell.comparison == "additive"
        assert cell.operator_asked_x == cell.operator_asked_x_prime == (5 if told else 0)


def test_there_is_a_cell_for_every_kind_and_way_and_one_for_all_wordings(answered):
    cells = answered(rightly, FULL, n=2, strategies=("direct",))
    assert len(cells) == len(FULL) + 3 == 22
    whole = [cell for cell in cells if cell.study == "transfer-comparison" and not cell.wording]
    assert [(cell.steps, cell.n) for cell in whole] == [(1, 4), (2, 6), (3, 6)]
    assert len({(c.study, c.comparison, c.wording, c.steps, c.strategy) for c in cells}) == len(
        cells
    )


def test_every_model_is_asked_the_same_pairs_and_a_small_check_the_first_of_them():
    for kind in QUICK:
        assert unseen_pairs(kind, 20, SEED)[:5] == unseen_pairs(kind, 5, SEED)


@over("kind", FULL)
def test_pairs_are_of_their_kind(kind):
    for pair in unseen_pairs(kind, 5, SEED):
        assert pair.strata["steps"] == kind.steps
        assert kind.wording in (ALL, pair.strata.get("wording"))
        assert kind.comparison in (ALL, pair.strata.get("comparison"))


def test_an_unknown_prompt_strategy_is_refused():
    with pytest.raises(ValueError, match="The strategies are direct, cot, child-cot"):
        measure(None, None, QUICK, ("cot-child",), 1)


@pytest.fixture(scope="module")
def untrained():
    tokenizer = build_tokenizer()
    return build_model(tokenizer, SIZES["least"]).eval(), tokenizer


def test_a_model_of_random_weights_is_measured_too(untrained):
    cells = measure(*untrained, (ADDITIVE,), ("direct",), 3)
    assert [cell.n for cell in cells] == [3]


def test_every_pairs_two_bits_are_noted_and_agree_with_the_counts(monkeypatch):
    noted = []
    pairs = tuple(SimpleNamespace(x=None, x_prime=None) for _ in range(5))
    outcomes = [1.0, 1.0, 1.0, 0.0, 0.0, 1.0, None, 0.0, None, 1.0]
    monkeypatch.setattr(measuring, "unseen_pairs", lambda *_: pairs)
    monkeypatch.setattr(
        measuring, "ask", lambda *_: [ItemReply(outcome, None, "") for outcome in outcomes]
    )
    monkeypatch.setattr(measuring, "_count_arm", lambda _: {})
    (cell,) = measure(None, None, (ADDITIVE,), ("direct",), 5, note=noted.append)
    assert [one.right for one in noted] == ["32101"]
    counts = (cell.both, cell.only_x, cell.only_x_prime, cell.neither)
    assert counts == tuple(noted[0].right.count(digit) for digit in "3210")


def test_prompts_are_continued_as_if_each_were_alone(untrained):
    prompts = [" 3 + 4 =", " 18 - 3 =", "Q: 7 + 7\nA: The answer (Arabic numerals) is "]
    together = continue_texts(*untrained, prompts * 3, 6)
    assert together == [continue_texts(*untrained, [prompt], 6)[0] for prompt in prompts] * 3


@over(
    ("text", "operation"),
    [
        (" 18 - 3 = 15.", "-"),
        (" 7 + 5 = 12. 12 - 3 = 9.", "+"),
        ("Ana has 18, so 18−3.", "-"),
        ("18 – 3", "-"),
        ("4*6", "*"),
        ("4 × 6", "*"),
        ("4 x 6", "*"),
        ("24 ÷ 6", "/"),
        ("24 / 6 = 4", "/"),
        ("Ana has 18 - she is rich.", None),
        (" + 5", None),
        ("fifteen", None),
        ("", None),
    ],
)  # fmt: skip
def test_the_first_calculation_tells_the_operation(text, operation):
    assert first_operation(text) == operation


def test_a_reversal_is_what_the_mal_rule_gives_where_the_wording_misleads():
    rule = rules()["WP01"]
    for kind in FULL:
        for pair in unseen_pairs(kind, 5, SEED):
            item = pair.x_prime
            if not any(step["consistent"] is False for step in item.facts["steps"]):
                continue
            story = Story.of_facts(item.facts)
            given = {worked.answer.value for worked in rule.run(story)}
            assert reversed_answers(item) == given


def test_a_consistent_problem_is_reversed_as_its_twin_is():
    for pair in unseen_pairs(ADDITIVE, 20, SEED):
        assert reversed_answers(pair.x) == reversed_answers(pair.x_prime)
        (value,) = reversed_answers(pair.x)
        assert is_reversed(pair.x, str(value))
        assert not is_reversed(pair.x, pair.x.answer)
        assert not is_reversed(pair.x, None)
        assert additive_operation(pair.x) in ("+", "-")
