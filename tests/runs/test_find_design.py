"""Finding a fitting design: learners whose shares are known, stopping, going on, and refusals."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.models import (
    LEARNERS,
    Access,
    Completion,
    Endpoint,
    Failure,
    GenerationRequest,
    LearnerModel,
)
from biaslab.runs import RunError, RunOptions, Store, UnfitModel
from biaslab.runs.engine.sources import Sources, installed
from biaslab.runs.jobs.find_design import MOST_REQUESTS, DesignSearch, SearchProgress, find_design
from biaslab.stats.staircase import Ending
from biaslab.studies import Design, experiment
from schoolmath.problems import DesignError
from tests.servers.batch_server import BatchServer, serving

CONSISTENCY = Design("consistency", 200, 1)


class Counting(LearnerModel):
    """A learner that counts what it is asked, and fails or ends when told."""

    def __init__(self, name: str, fails: bool = False) -> None:
        super().__init__(next(each for each in LEARNERS if each.name == name))
        self.asked: list[GenerationRequest] = []
        self.fails = fails

    def generate(
        self, requests: Sequence[GenerationRequest]
    ) -> Iterator[tuple[int, Completion | Failure]]:
        self.asked += requests
        if self.fails:
            return ((index, Failure("It is down.", True)) for index in range(len(requests)))
        return super().generate(requests)


def asking(store: Store, model: Counting) -> Sources:
    return replace(installed(store), open_model=lambda *_: model)


def search_of(model: str, design: Design = CONSISTENCY, strategy: str = "direct") -> DesignSearch:
    return DesignSearch(design, f"learner:{model}", strategy)


def true_share(model: str, study: str, settings: Any) -> float:
    """How often the learner is right in the easier member, from its probabilities."""
    learner = next(each for each in LEARNERS if each.name == model)
    pairs = experiment(study).pairs(Design(study, 60, 5, settings))
    shares = [learner.expected_accuracy(pair.x.facts["steps"]) for pair in islice(pairs, 60)]
    return sum(shares) / len(shares)


def test_learners_get_the_design_at_which_they_are_right_often_enough(store: Store) -> None:
    for name, study in (
        ("careless", "consistency"),
        ("forgetful", "consistency"),
        ("novice", "consistency"),
        ("forgetful", "transfer-comparison"),
    ):
        found = find_design(store, search_of(name, Design(study, 200, 1)))
        assert found.search.ending is Ending.FITS, (name, study, found.sentence)
        assert found.settings is not None
        assert 0.45 <= true_share(name, study, found.settings) <= 0.85
        assert found.requests <= MOST_REQUESTS


def test_who_is_always_right_is_at_the_ceiling_and_who_never_is_at_the_floor(store: Store) -> None:
    for name, study, ending in (
        ("perfect", "consistency", Ending.CEILING),
        ("perfect", "carry", Ending.CEILING),
        ("always-plus", "transfer-comparison", Ending.FLOOR),
    ):
        found = find_design(store, search_of(name, Design(study, 200, 1)))
        if ending is Ending.FLOOR and found.settings is not None:
            continue  # adding all is right half of the time in one step
        assert found.search.ending is ending, found.sentence
        assert found.settings is None
        assert f"The {ending}" in found.sentence


def test_its_problems_are_not_those_of_the_study(store: Store) -> None:
    model = Counting("careless")
    found = find_design(store, search_of("careless"), sources=asking(store, model))
    assert found.settings is not None
    design = replace(CONSISTENCY, settings=found.settings)
    texts = {pair.x.text for pair in experiment("consistency").pairs(design)}
    assert not any(text in request.messages[0].content for request in model.asked for text in texts)
    assert str(found.seed) in found.sentence


def test_a_search_that_was_stopped_goes_on_and_asks_nothing_twice(store: Store) -> None:
    whole = find_design(store, search_of("novice", strategy="cot"))
    first, rest = Counting("careless"), Counting("careless")

    def stop(found: SearchProgress) -> None:
        if len(found.search.rungs) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        find_design(store, search_of("careless"), stop, sources=asking(store, first))
    found = find_design(store, search_of("careless"), sources=asking(store, rest))
    again = Counting("careless")
    same = find_design(store, search_of("careless"), sources=asking(store, again))
    assert len(first.asked) + len(rest.asked) == found.requests
    assert (again.asked, same.sentence) == ([], found.sentence)
    assert whole.search.ending is not None
    assert whole.requests <= MOST_REQUESTS


def test_what_could_not_be_read_counts_as_not_right_and_is_told(store: Store) -> None:
    found = find_design(store, search_of("shy"))
    unread = sum(each.unread for each in found.search.rungs)
    assert unread
    assert f"{unread} answers could not be read and count as not right" in found.sentence


def test_failures_are_no_wrong_answers(store: Store) -> None:
    with pytest.raises(RunError, match="None of 10 problems got an answer"):
        find_design(
            store, search_of("careless"), sources=asking(store, Counting("careless", fails=True))
        )


def test_what_cannot_be_searched_is_refused(store: Store) -> None:
    with pytest.raises(DesignError, match="no order of difficulty"):
        find_design(store, search_of("random", Design("decision", 10, 1), "choose"))
    with pytest.raises(UnfitModel):
        find_design(store, search_of("random"))


def test_numbers_that_a_structure_excludes_are_left_out_of_its_ladder(store: Store) -> None:
    design = Design("composed", 50, 1, {"structure": "container . transfer+", "treatment": "carry"})
    found = find_design(store, search_of("perfect", design))
    assert "2-20" not in {rung["numbers"] for rung in found.ladder}
    assert found.ladder


def test_the_command_prints_what_fits_and_the_run_to_ask_next(store: Store) -> None:
    said = CliRunner().invoke(
        main,
        ["find-design", "consistency", "--model", "learner:careless", "--db", str(store.path)],
    )
    assert said.exit_code == 0, said.output
    assert "fits: the model answered" in said.stdout
    assert "biaslab run consistency --n 200 --seed 1 --set steps=" in said.stdout
    assert json.loads(json.dumps(search_of("careless").as_json()))["model"] == "learner:careless"


def test_a_model_on_a_server_is_searched_with_as_many_requests_at_most(store: Store) -> None:
    # Given a server whose model adds up all numbers that it reads
    with serving(BatchServer()) as url:
        options = RunOptions(access=Access((url,), Endpoint.CHAT))
        found = find_design(
            store, DesignSearch(CONSISTENCY, "openai:sums", "direct", options=options)
        )
    assert found.search.ending is not None
    assert found.failed == 0
    assert sum(each.asked for each in found.search.rungs) <= found.requests <= MOST_REQUESTS
