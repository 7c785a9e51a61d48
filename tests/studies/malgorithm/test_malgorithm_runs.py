"""The study from design to figures: simulated learners get what was planted in them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.models import LEARNERS, Completion, LearnerModel, ModelForm
from biaslab.models.tiny.model import DEFAULT_NAME, TINY_MODELS
from biaslab.runs import RunStatus, Store, open_store, prepare, run_here
from biaslab.studies import Design, experiment
from biaslab.studies.malgorithm.answers import KEY, confusion
from biaslab.studies.malgorithm.results import Identification, identifications

STRATEGIES = ("simple", "cot", "simple-5", "cot-5")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "runs.db") as opened:
        yield opened


def run(store: Store, model: str, strategy: str = "simple", n: int = 150, **chosen: str) -> str:
    made = prepare(store, Design("malgorithm", n, 1, chosen), model, strategy)
    assert run_here(store, made).status is RunStatus.FINISHED
    return made


def figures(store: Store, run_id: str) -> Identification:
    (found,) = identifications(store.answered_items([run_id]))
    return found


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_perfect_learner_identifies_every_rationale(store, strategy):
    found = figures(store, run(store, "learner:perfect", strategy, 30))
    assert found.aia.value == found.mia.value == found.mcq.value == found.all_three.value == 1.0
    assert (found.aia.n, found.mia.n, found.mcq.n, found.all_three.n) == (10, 30, 10, 10)
    assert found.exact_json == 1.0
    assert found.model_kind == "learner"


def test_a_perfect_learner_takes_no_rule_for_another(store):
    table = confusion(store.answered_items([run(store, "learner:perfect", n=30)]))
    assert (table["rule"] == table["named"]).all()
    assert table.loc[table["rule"] == KEY, "answers"].tolist() == [10]
    assert table["answers"].sum() == 40


def test_a_learner_drawn_to_the_key_takes_mal_rules_for_the_right_way_alone(store):
    table = confusion(store.answered_items([run(store, "learner:key-drawn")]))
    assert set(table.loc[table["rule"] != table["named"], "named"]) == {KEY}


def test_a_coin_is_right_a_quarter_of_the_time(store):
    found = figures(store, run(store, "learner:coin", n=900))
    for share, chance in (
        (found.aia, 0.25), (found.mia, 0.25), (found.mcq, 0.25), (found.attraction, 1 / 3)
    ):  # fmt: skip
        assert share.interval is not None
        assert share.interval.low - 0.02 < chance < share.interval.high + 0.02


def test_a_learner_drawn_to_the_key_is_seen_to_be(store):
    found = figures(store, run(store, "learner:key-drawn"))
    assert found.aia.value == found.mcq.value == 1.0
    assert found.mia.value == pytest.approx(0.4, abs=0.1)
    assert found.attraction.value == 1.0


def test_a_learner_that_takes_the_longest_does_as_the_baseline_says(store):
    found = figures(store, run(store, "learner:longest"))
    longest = found.baselines[0]
    assert found.aia.value == pytest.approx(longest.aia, abs=0.1)
    assert found.mia.value == pytest.approx(longest.mia, abs=0.06)


def test_the_keys_choice_is_asked_once_a_question(store):
    record = store.run(run(store, "learner:perfect", n=30))
    assert record.items_total == 10 + 30
    # The question and its four choices.
    assert record.asked == 10 + 10 + 30


def test_the_questions_own_answers_are_shared_with_the_run_with_examples(store):
    run(store, "learner:perfect", "simple", 30)
    again = store.run(run(store, "learner:perfect", "simple-5", 30))
    assert again.cached == 10


def test_a_learner_of_word_problems_says_that_it_cannot_read_rationales():
    pair = next(experiment("malgorithm").pairs(Design("malgorithm", 1, 1)))
    request = experiment("malgorithm").strategies[0].next_request(pair.x, (), ModelForm.BASE)
    for learner in LEARNERS:
        ((_, answer),) = LearnerModel(learner).generate([request])
        assert isinstance(answer, Completion) is (learner.choosing is not None)
        if not isinstance(answer, Completion):
            assert "cannot read rationales" in answer.reason


def test_a_language_model_finishes_and_what_cannot_be_read_is_not_right(store, tmp_path):
    # Weights without the card that says that they know word problems alone.
    bare = tmp_path / "bare"
    shutil.copytree(
        TINY_MODELS / DEFAULT_NAME, bare, ignore=shutil.ignore_patterns("model_card.json")
    )
    found = figures(store, run(store, f"local:{bare}", n=6))
    assert (found.aia.n, found.mia.n) == (2, 6)
    assert found.mia.invalid + found.mia.n_valid == 6
    assert found.mia.value == pytest.approx((found.mia.valid or 0.0) * found.mia.n_valid / 6)


def test_the_command_line_gives_aia_mia_and_mcq_with_intervals(tmp_path):
    db = str(tmp_path / "runs.db")

    def biaslab(*arguments: str) -> str:
        result = CliRunner().invoke(main, [*arguments, "--db", db])
        assert result.exit_code == 0, result.output
        return result.output

    biaslab("run", "malgorithm", "--n", "30", "--model", "learner:key-drawn", "--strategy", "cot")
    biaslab("run", "carry", "--n", "4", "--model", "learner:perfect")
    rows = {row["study"]: row for row in json.loads(biaslab("effects", "--format", "json"))}
    ours = rows["malgorithm"]
    assert ours["cate"] == pytest.approx(ours["aia"] - ours["mia"])
    for name in ("aia", "mia", "mcq"):
        assert ours[f"{name}_ci_low"] <= ours[name] <= ours[f"{name}_ci_high"]
    assert (ours["aia_n"], ours["mia_n"], ours["mcq_n"]) == (10, 30, 10)
    assert "aia" not in rows["carry"]
    header = biaslab("effects", "--format", "csv").splitlines()[0].split(",")
    at = header.index("aia")
    assert header[at : at + 4] == ["aia", "aia_ci_low", "aia_ci_high", "aia_n"]
    assert "mcq_ci_high" in biaslab("effects", "--format", "table")


def test_beside_each_effect_stands_what_rules_get_that_understand_nothing(tmp_path):
    db = str(tmp_path / "runs.db")

    def biaslab(*arguments: str) -> str:
        result = CliRunner().invoke(main, [*arguments, "--db", db])
        assert result.exit_code == 0, result.output
        return result.stdout

    for learner in ("words", "perfect"):
        biaslab("run", "malgorithm", "--n", "60", "--model", f"learner:{learner}", "--samples", "3")
    for more in ((), ("--by", "grade"), ("--vote",)):
        rows = json.loads(biaslab("effects", "--format", "json", *more))
        assert {row["model"] for row in rows} == {"learner:words", "learner:perfect"}
        for row in rows:
            # The effect is the rule's own and the rest, on the very same pairs
            for rule in ("words", "shortest"):
                both = row[f"baseline_{rule}"] + row[f"beyond_{rule}"]
                assert both == pytest.approx(row["cate"])
                low, high = row[f"beyond_{rule}_ci_low"], row[f"beyond_{rule}_ci_high"]
                assert low is None or low <= row[f"beyond_{rule}"] <= high
            if row["model"] == "learner:words":
                assert row["beyond_words"] == pytest.approx(0.0)
                assert row["beyond_words_p"] in (None, pytest.approx(1.0))
            else:
                # Every question is answered rightly: what the place does not give is the rest
                place, rest = (row[f"{of}_mcq_place_by_value"] for of in ("baseline", "beyond"))
                if place is not None:
                    assert 0.0 <= place <= 1.0
                    assert place + rest == pytest.approx(row["mcq"])
    header = biaslab("effects", "--format", "csv").splitlines()[0].split(",")
    named = {"beyond_words_ci_low", "baseline_shortest", "beyond_mcq_place_by_value_p"}
    assert named <= set(header)
