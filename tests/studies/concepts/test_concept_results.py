"""The study from design to figures: learners get what was planted in them, and no more."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.models import Likelihood, ModelForm, ModelIdentity, ModelKind
from biaslab.runs import RunStatus, Store, open_store, prepare, run_here
from biaslab.runs.engine.sources import Sources
from biaslab.stats import BrokenOutcomes, effects
from biaslab.studies import Design, experiment
from biaslab.studies.concepts.answers import RunAnswers, run_answers, signals_of
from biaslab.studies.concepts.published import published_concepts
from biaslab.studies.concepts.results import (
    by_concept,
    by_distance,
    ceilings,
    explicit_gains,
    gaps_by_concept,
    up_down_gaps,
    warnings_of,
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "runs.db") as opened:
        yield opened


def run(store: Store, model: str, n: int = 200, strategy: str = "likelihood", **chosen: str) -> str:
    """One way: every pair is a draw of its own; test_counting.py asks both ways."""
    settings = {"counting": "one way", **chosen}
    made = prepare(store, Design("concept-learning", n, 1, settings), model, strategy)
    assert run_here(store, made).status is RunStatus.FINISHED
    return made


def answers(store: Store, *runs: str) -> list[RunAnswers]:
    return run_answers(store.answered_items(runs))


def test_lots_are_right_half_of_the_time_and_tell_nothing_apart(store):
    (found,) = answers(store, run(store, "learner:random", 500))
    for figures in by_concept(found):
        seen = figures.signals
        assert figures.accuracy.interval.low < 0.5 < figures.accuracy.interval.high
        assert seen.d_interval.low < 0.0 < seen.d_interval.high
        assert seen.c_interval.low < 0.0 < seen.c_interval.high
        assert seen.yes_interval.low < 0.5 < seen.yes_interval.high
    (gap,) = up_down_gaps(found)
    assert gap.estimate.interval.low < 0.0 < gap.estimate.interval.high
    assert gap.only_first + gap.only_second == pytest.approx(250, abs=50)


def test_always_yes_is_right_exactly_half_of_the_time_and_all_leaning(store):
    (found,) = answers(store, run(store, "learner:always-yes"))
    for figures in by_concept(found):
        assert figures.accuracy.value == 0.5
        assert figures.signals.yes_rate == 1.0
        assert figures.signals.d_prime == pytest.approx(0.0)
        assert figures.signals.criterion < -2


def test_asking_the_same_prompts_again_makes_nothing_surer(store):
    (found,) = answers(store, run(store, "learner:random", 60))
    once = [each for each in found.answers if each.arm == "x"]
    again = [replace(each, sample=sample) for each in once for sample in range(4)]
    one, four = signals_of(once), signals_of(again)
    assert four.d_prime == pytest.approx(one.d_prime, abs=0.05)
    for name in ("d_interval", "c_interval", "yes_interval"):
        alone, repeated = getattr(one, name), getattr(four, name)
        assert repeated.high - repeated.low >= 0.95 * (alone.high - alone.low)


@pytest.mark.parametrize("name", ["ratio", "count"])
def test_learners_reach_their_own_ceilings(store, name):
    (found,) = answers(store, run(store, f"learner:{name}", 300))
    for figures in by_concept(found):
        ceiling = next(each for each in figures.ceilings if each.name == name)
        # Lots on the threshold itself are all that may differ.
        assert figures.accuracy.value == pytest.approx(ceiling.accuracy, abs=0.01)


@pytest.mark.parametrize(
    ("concept", "count"), [("more than 1/10", 0.93), ("more than 1/2", 0.82),
                           ("more than 9/10", 0.73)]
)  # fmt: skip
def test_ceilings_are_those_of_ideal_learners(store, concept, count):
    made = prepare(
        store,
        Design("concept-learning", 1000, 1, {"concept": concept, "counting": "one way"}),
        "learner:ratio",
        "likelihood",
    )  # fmt: skip
    (found,) = answers(store, made)
    ratio, counting = ceilings([each for each in found.answers if each.arm == "x"])
    assert 0.965 <= ratio.accuracy <= 0.99
    assert counting.accuracy == pytest.approx(count, abs=0.025)


def test_being_drawn_to_yes_by_much_is_an_upward_gap_and_shows_in_the_criterion(store):
    (found,) = answers(store, run(store, "learner:up-biased"))
    (gap,) = up_down_gaps(found)
    assert gap.estimate.interval.low > 0.05
    assert gap.estimate.p < 0.001
    up, down = by_concept(found)
    assert (up.concept, down.concept) == ("more than 3/10", "less than 7/10")
    assert down.signals.criterion < -0.5 < up.signals.criterion


def test_accuracy_grows_with_the_distance_from_the_threshold(store):
    (found,) = answers(store, run(store, "learner:ratio", 400))
    curve = by_distance(found)
    near, far = curve["hidden", "x", "0.00 to 0.05"], curve["hidden", "x", "0.20 to 0.40"]
    assert near.value < 0.9 < far.value == 1.0
    assert sum(each.n for (_, arm, _), each in curve.items() if arm == "x") == 400


def test_gaps_by_concept_and_effects_agree(store):
    made = run(store, "learner:up-biased", 200, concept="more than 1/5; more than 1/2")
    (found,) = answers(store, made)
    whole = effects(store.outcomes([made]))[0]
    assert up_down_gaps(found)[0].estimate.mean == pytest.approx(whole.cate)
    by = {effect.stratum_value: effect for effect in effects(store.outcomes([made]), by="concept")}
    gaps = gaps_by_concept(found)
    assert [gap.what[1] for gap in gaps] == ["more than 1/5", "more than 1/2"]
    for gap in gaps:
        assert gap.estimate.mean == pytest.approx(by[gap.what[1]].cate)
        assert gap.estimate.p == pytest.approx(by[gap.what[1]].p)


def test_explicit_minus_hidden_is_paired_within_a_run_and_across_two(store):
    both = run(store, "learner:ratio", 80, semantics="hidden and explicit")
    apart = [run(store, "learner:ratio", 40), run(store, "learner:ratio", 40, semantics="explicit")]
    inside = explicit_gains(answers(store, both))
    across = explicit_gains(answers(store, *apart))
    assert [gap.estimate.n for gap in inside] == [40, 40]
    assert [(gap.first, gap.second) for gap in inside] == [
        (gap.first, gap.second) for gap in across
    ]
    # A learner that sees the examples alone gains nothing from the meaning.
    assert all(gap.estimate.mean == 0.0 for gap in inside)


def test_written_answers_have_no_mass_and_are_another_run(store):
    scored = run(store, "learner:ratio", 40)
    written = run(store, "learner:ratio", 40, strategy="text")
    one, other = answers(store, scored, written)
    assert {each.mass for each in other.answers} == {None}
    assert {round(each.mass, 9) for each in one.answers} == {1.0}
    assert explicit_gains([one, other]) == []


class Scores:
    """A simulated model that gives the same two scores to every item."""

    def __init__(self, *scores: float) -> None:
        self._scores = scores
        self.identity = ModelIdentity(
            "local:x", ModelKind.LANGUAGE_MODEL, str(scores), ModelForm.BASE
        )

    def generate(self, requests):
        raise NotImplementedError(requests)

    def likelihood(self, requests):
        for index, _ in enumerate(requests):
            yield index, Likelihood(self._scores, (1, 1))


def scored_by(store: Store, *scores: float) -> RunAnswers:
    model = Scores(*scores)
    sources = Sources(experiment, lambda *_: model.identity, lambda *_: model)
    design = Design("concept-learning", 20, 1, {"counting": "one way"})
    made = prepare(store, design, "local:x", "likelihood", sources=sources)
    run_here(store, made, sources=sources)
    return answers(store, made)[0]


def test_scores_that_are_all_equal_are_no_answers_and_said_loudly(store):
    found = scored_by(store, -0.7, -0.7)
    (warning,) = warnings_of(found)
    assert "gives no real probabilities" in warning
    assert all(figures.accuracy.invalid == 20 for figures in by_concept(found))
    assert all(figures.signals.yes_rate is None for figures in by_concept(found))
    assert by_concept(found, "exclude")[0].accuracy.value is None


def test_a_tiny_mass_is_said_loudly(store):
    (warning,) = warnings_of(scored_by(store, -12.0, -13.0))
    assert "about to say something else" in warning
    assert warnings_of(scored_by(store, -1.0, -2.0)) == []


def test_items_of_other_studies_are_refused(store):
    other = prepare(store, Design("consistency", 2, 1), "learner:perfect", "direct")
    with pytest.raises(BrokenOutcomes, match="there are items of consistency"):
        answers(store, other)


def test_published_means_are_those_of_the_table_and_no_column_has_a_fraction():
    found = {(row.model, row.semantics): row for row in published_concepts()}
    assert len(found) == 6
    small = found["OLMo-2-13B-instruct", "hidden"]
    assert (round(small.more, 3), round(small.less, 3)) == (0.767, 0.434)
    assert round(100 * found["K2-65B", "explicit"].gap, 1) == 0.4
    table = Path(__file__).parents[3] / "assets/published/monotonicity_2025_accuracy.csv"
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    assert len(rows) == 60
    assert {row["concept"] for row in rows} == {"more than p", "less than p"}


class TestCommandLine:
    def invoke(self, *words: str, code: int = 0):
        result = CliRunner().invoke(main, list(words))
        assert result.exit_code == code, result.output
        return result

    def test_a_run_and_its_effects(self, tmp_path):
        db = str(tmp_path / "runs.db")
        made = self.invoke(
            "run", "concept-learning", "--concept", "more than 3/10", "--against",
            "less than 7/10", "--semantics", "explicit", "--model", "learner:random", "--n", "40",
            "--db", db,
        ).stdout.strip()  # fmt: skip
        record = open_store(db).run(made)
        assert record.design.settings == {
            "concept": "more than 3/10", "against": "less than 7/10", "semantics": "explicit",
        }  # fmt: skip
        (row,) = json.loads(self.invoke("effects", "--db", db, "--format", "json").stdout)
        assert {"yes_rate_x", "d_prime_x", "criterion_x", "d_prime_x_prime"} <= set(row)
        table = self.invoke("effects", "--db", db, "--by", "distance", "--format", "csv").stdout
        assert all(line["yes_rate_x"] for line in csv.DictReader(io.StringIO(table)))
        other = self.invoke("run", "--resume", made, "--concept", "all", "--db", db, code=2)
        assert "was made with other settings" in other.output

    @pytest.mark.parametrize(
        ("words", "reason"),
        [
            (["--concept", "mor than 1/2"], "Did you mean “more than”?"),
            (["--concept", "at least 0"], "The nearest that works is at least 1."),
            (["--set", "totals=5-6"], "The nearest range of totals that works is 5-9."),
            (["--semantics", "odd"], "is not one of the choices"),
        ],
    )
    def test_what_cannot_be_is_refused_in_a_sentence(self, tmp_path, words, reason):
        db = str(tmp_path / "runs.db")
        result = self.invoke(
            "run", "concept-learning", *words, "--model", "learner:ratio", "--db", db, code=1
        )
        assert reason in result.output
        assert "Traceback" not in result.output

    def test_a_concept_is_no_setting_of_other_studies(self, tmp_path):
        db = str(tmp_path / "runs.db")
        result = self.invoke(
            "run", "consistency", "--concept", "all", "--model", "learner:perfect", "--db", db,
            code=1,
        )  # fmt: skip
        assert "has no setting 'concept'" in result.output
