"""The study of decision biases from design to figures, without any language model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.models import Sampling
from biaslab.runs import RunOptions, RunStatus, Store, open_store, prepare, run_here
from biaslab.stats import effects
from biaslab.studies import Design
from biaslab.studies.decisions.biases import AskedCase, Metric, by_chance, standard_error
from biaslab.studies.decisions.results import BiasScore, bias_profile

STRATEGIES = ("think-then-choose", "two-conversations", "choose")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "runs.db") as opened:
        yield opened


def run(
    store: Store, bias: str, n: int, strategy: str = "choose", version: str = "2", **options: object
) -> str:
    settings = {"bias": bias, "version": version}
    made = prepare(
        store, Design("decision", n, 1, settings), "learner:random", strategy,
        options=RunOptions(**options), sampling=Sampling(4096, 0.0, 0),
    )  # fmt: skip
    assert run_here(store, made).status is RunStatus.FINISHED
    return made


def overall(store: Store, run_id: str) -> BiasScore:
    return bias_profile(store.answered_items([run_id]))[0]


@pytest.mark.parametrize(
    ("bias", "n", "mean", "size"),
    [
        ("disposition-effect", 600, 0.0, 0.5510),
        ("availability-heuristic", 80, 0.0, 0.5372),
        ("anchoring", 800, 0.0, 0.5340),
        ("hindsight-bias", 800, 0.0, 0.5371),
        ("planning-fallacy", 480, -0.0538, 0.3789),
    ],
)
def test_random_answers_give_the_exact_expectations(store, bias, n, mean, size):
    # Given a learner that draws lots, asked with a fixed seed
    found = overall(store, run(store, bias, n))
    # Then the expectations for these very cases are the published ones
    assert found.n == n
    assert found.chance.mean == pytest.approx(mean, abs=2e-3)
    assert found.chance.mean_size == pytest.approx(size, abs=3e-3)
    # And what came lies where 95 of 100 such runs lie, by the exact standard error
    assert found.band.low <= found.metric <= found.band.high
    # And so does its size: sd of |m| is at most sqrt(sd² + mean² - size²)
    spread = sqrt(found.chance.sd**2 + found.chance.mean**2 - found.chance.mean_size**2)
    reach = 1.96 * spread / sqrt(min(n, 2 * found.clusters))
    assert found.size == pytest.approx(found.chance.mean_size, abs=reach)


def test_a_control_that_several_pairs_show_is_asked_once_and_the_band_allows_for_it(store):
    # The first version has a third of the scenes, so that many of 200 pairs share one.
    made = run(store, "anchoring", 200, version="1")
    record = store.run(made)
    assert record.asked < 400
    items = store.answered_items([made])
    controls = items[items["arm"] == "x"]
    by_prompt = controls.groupby(controls["facts"].map(lambda facts: facts["asked"]))
    assert (by_prompt["value"].nunique() == 1).all()
    assert record.asked == by_prompt.ngroups + 200
    found = overall(store, made)
    as_if_apart = 2 * 1.96 * found.chance.sd / sqrt(200)
    assert found.band.high - found.band.low > 1.05 * as_if_apart


def test_the_exact_standard_error_is_that_of_simulated_answers():
    # Given cases that share controls, one whose treatment is another's control, and a reversed one
    metric, other = Metric(1, 2, 2), Metric(-1, 0, 6)
    cases = [
        AskedCase(metric, 7, "a", "b"),
        AskedCase(replace(metric, gamma1=4), 7, "a", "c"),
        AskedCase(metric, 7, "a", "d", is_reversed=True),
        AskedCase(other, 7, "b", "a"),
        AskedCase(other, 7, "e", "f"),
    ]
    # When each prompt gets one answer, again and again
    rng = np.random.default_rng(7)
    means = []
    for _ in range(20_000):
        shown = {name: int(rng.integers(7)) for name in "abcdef"}
        answers = [
            [6 - shown[p] if c.is_reversed else shown[p] for p in (c.control, c.treatment)]
            for c in cases
        ]
        means.append(np.mean([float(c.metric.of(*a)) for c, a in zip(cases, answers, strict=True)]))
    # Then their spread is the exact one
    assert np.std(means) == pytest.approx(standard_error(cases), rel=0.02)


def test_without_shared_prompts_it_is_the_usual_standard_error():
    cases = [AskedCase(Metric(1, 0, 0), 7, f"c{k}", f"t{k}") for k in range(50)]
    sd = by_chance([(Metric(1, 0, 0), 7)]).sd
    assert standard_error(cases) == pytest.approx(sd / sqrt(50))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_second_stage_shows_the_first_ones_answer_and_draws_nothing_anew(store, strategy):
    made = run(store, "framing-effect,in-group-bias", 20, strategy)
    for row in store.pair_rows(made, limit=20):
        detail = store.pair_detail(made, row.pair)
        for member in (detail.x, detail.x_prime):
            first, *rest = member.exchanges
            assert len(rest) == (strategy != "choose")
            for second in rest:
                asked = "\n".join(message.content for message in second.request.messages)
                assert first.answered.text in asked
                named = first.answered.text.rsplit("Option ", 1)[1].rstrip(".")
                assert second.answered.text.removeprefix("Option ").rstrip(".") == named


def test_samples_show_the_noise_of_repeated_answers(store):
    found = overall(store, run(store, "disposition-effect", 40, samples=5))
    assert (found.n, found.samples) == (40, 5)
    assert found.noise == pytest.approx(found.chance.sd, rel=0.15)
    once = overall(store, run(store, "disposition-effect", 40))
    assert once.noise is None
    width = [each.band.high - each.band.low for each in (found, once)]
    assert width[1] == pytest.approx(width[0] * sqrt(5))


def test_outcomes_on_a_scale_are_never_right_or_wrong(store):
    # Given outcomes that happen to be 0 and 1 alone
    outcomes = store.outcomes([run(store, "framing-effect", 10)])
    outcomes = outcomes.assign(y_x=1.0, y_x_prime=[float(k % 2) for k in range(10)])
    # When the effect is worked out
    (found,) = effects(outcomes)
    # Then it is a difference of positions, without a test for right and wrong
    assert (found.binary, found.p_mcnemar) == (False, None)


def test_the_command_line_runs_a_bias_and_tells_its_figures(tmp_path):
    db = str(tmp_path / "runs.db")

    def biaslab(*arguments: str) -> str:
        result = CliRunner().invoke(main, [*arguments, "--db", db])
        assert result.exit_code == 0, result.output
        return result.output

    biaslab("run", "decision", "--bias", "anchoring,framing-effect", "--n", "40",
            "--model", "learner:random", "--strategy", "choose")  # fmt: skip
    (whole,) = json.loads(biaslab("effects", "--format", "json"))
    rows = json.loads(biaslab("effects", "--by", "bias", "--format", "json"))
    assert [row["stratum"] for row in rows] == ["bias=anchoring", "bias=framing-effect"]
    assert [row["n"] for row in rows] == [20, 20]
    for row in (whole, *rows):
        assert row["metric_ci_low"] <= row["metric"] <= row["metric_ci_high"]
        assert row["movement"] == pytest.approx(row["cate"])
        assert row["chance_low"] < row["chance_metric"] < row["chance_high"]
        assert 0 <= row["unchanged"] <= 1
        assert row["fidelity"] == "faithful"
        # What goes beyond a strategy is the effect less its own, on the pairs it can be applied to.
        both = row["baseline_first_option"] + row["beyond_first_option"]
        assert both == pytest.approx(row["cate"])
        assert row["beyond_first_option_ci_low"] <= row["beyond_first_option"]
    assert whole["metric"] == pytest.approx(np.mean([row["metric"] for row in rows]))
    header = biaslab("effects", "--format", "csv").splitlines()[0].split(",")
    assert {"chance_size", "fidelity", "baseline_scale_end", "beyond_anchored"} <= set(header)


@pytest.mark.parametrize(
    ("version", "repaired"), [("1", set()), ("2", {"status-quo-bias-repaired"})]
)
def test_all_means_every_bias_with_vignettes_and_repaired_ones_where_they_take_a_place(
    tmp_path, version, repaired
):
    out = tmp_path / "pairs.jsonl"
    asked = ["pairs", "decision", "--bias", "all", "--n", "80", "--version", version]
    result = CliRunner().invoke(main, [*asked, "--out", str(out)])
    assert result.exit_code == 0, result.output
    named = {json.loads(line)["bias"] for line in out.read_text().splitlines()}
    assert len(named) > 20
    assert {name for name in named if name.endswith("-repaired")} == repaired
