"""What is fine-tuned on what; and that what is in the table is never done again."""

from __future__ import annotations

from pathlib import Path

import pytest
from transformers import AutoTokenizer

from biaslab.stats.errors import BrokenAssets
from biaslab.training.measuring import SEED, PairKind, unseen_pairs
from research.experiment.table import read_table, write_table
from research.tuning.design import (
    BATCH,
    LESSONS,
    STOPS,
    TUNING,
    TUNING_FILE,
    Arm,
    Stop,
    Tuning,
    batches,
    tunings,
)
from research.tuning.running import main, missing, run
from tests.research.tuning.simulated_tuning import nothing_learnt, removed, tuned


@pytest.fixture(scope="module")
def tokenizer():
    return AutoTokenizer.from_pretrained(STOPS[Stop.LARGEST])


def texts(arm, tokenizer, seed=201):
    found = batches(Tuning(Stop.LARGEST, arm, seed), tokenizer)
    assert [len(batch) for batch in found] == [BATCH] * (LESSONS[-1] // BATCH)
    return [[tokenizer.decode(lesson.tokens) for lesson in batch] for batch in found]


def question(text):
    return text.partition("A:")[0].removeprefix("Q: ").strip()


def test_balanced_lessons_are_both_members_of_pairs_asked_alike(tokenizer):
    for batch in texts(Arm.BALANCED, tokenizer):
        for one, other in zip(batch[::2], batch[1::2], strict=True):
            assert question(one) != question(other)
            # The same people and numbers, the same answer.
            assert one.rpartition(" ")[2] == other.rpartition(" ")[2]
            assert ("step by step" in one) == ("step by step" in other)
            assert ("more" in one) != ("more" in other) or "fewer" in one


def test_lessons_of_the_same_kind_are_consistent_five_times_in_six(tokenizer):
    balanced = {
        question(text): place % 2
        for seed in (201,)
        for batch in texts(Arm.BALANCED, tokenizer, seed)
        for place, text in enumerate(batch)
    }
    kinds = [
        balanced[question(text)]
        for batch in texts(Arm.SAME_KIND, tokenizer)
        for text in batch
        if question(text) in balanced
    ]
    # The first pairs of both arms are the same, so their members are known.
    assert len(kinds) >= 300
    assert 0.10 < sum(kinds) / len(kinds) < 0.24


def test_the_models_own_lessons_are_mostly_no_comparisons(tokenizer):
    lessons = [question(text) for batch in texts(Arm.OWN, tokenizer) for text in batch]

    compared = [text for text in lessons if " than " in text or " as many" in text]
    assert len(compared) < 0.2 * len(lessons)


@pytest.mark.parametrize("arm", Arm)
def test_no_lesson_is_a_problem_that_is_asked(arm, tokenizer):
    asked = {
        item.text
        for pair in unseen_pairs(PairKind("consistency", 1, "additive"), 400, SEED)
        for item in (pair.x, pair.x_prime)
    }

    assert not asked & {question(text) for batch in texts(arm, tokenizer) for text in batch}


def test_each_seed_has_lessons_of_its_own_and_the_same_ones_every_time(tokenizer):
    assert texts(Arm.BALANCED, tokenizer) == texts(Arm.BALANCED, tokenizer)
    assert texts(Arm.BALANCED, tokenizer) != texts(Arm.BALANCED, tokenizer, 202)


def test_what_is_in_the_table_is_never_done_again(tmp_path: Path):
    table = tmp_path / "tuning.csv"
    write_table(tuned(removed, seeds=2), table)
    before = read_table(table, TUNING)
    done = []

    def how(tuning: Tuning):
        done.append(tuning)
        return tuned(nothing_learnt, what=[tuning])

    run(table, how=how)

    assert {one.seed for one in done} == {203, 204, 205}
    assert not missing(read_table(table, TUNING))
    assert set(before) < set(read_table(table, TUNING))


def test_an_interruption_leaves_what_was_finished(tmp_path: Path):
    table = tmp_path / "tuning.csv"

    def how(tuning: Tuning):
        if tuning.seed == 201:
            raise KeyboardInterrupt
        return tuned(removed, what=[tuning])

    with pytest.raises(KeyboardInterrupt):
        run(table, how=how)

    assert len(missing(read_table(table, TUNING))) == len(list(tunings())) - len(Stop)


def test_the_command_says_what_is_there_and_a_damaged_table_is_told(tmp_path: Path, capsys):
    table = tmp_path / "tuning.csv"
    write_table(tuned(removed, seeds=1), table)

    assert main(["--list", "--table", str(table)]) == 0
    assert "7 of 27 are in the table" in capsys.readouterr().out

    table.write_text(table.read_text().replace(",200,", ",-5,", 1))
    assert main(["--list", "--table", str(table)]) == 2
    assert "The table of the fine-tuning tuning.csv is malformed" in capsys.readouterr().err


def test_the_project_s_own_table_is_of_today_s_version():
    try:
        kept = read_table(TUNING_FILE, TUNING)
    except BrokenAssets as error:
        pytest.fail(str(error))
    if kept:
        assert len(missing(kept)) < len(list(tunings()))
