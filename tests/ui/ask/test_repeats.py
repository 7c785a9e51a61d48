"""Items and Effects where problems were asked several times, or a run may stop early."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.models import Completion, Failure, Sampling
from biaslab.runs import RunOptions, Store, adjustments, open_store, prepare, run_here
from biaslab.stats import GroupSequential, agreement, effects
from biaslab.studies import Design, experiment
from biaslab.studies.effects import effect_sentence
from tests.ui.conftest import ANSWER, HOSTILE, SERVER, Visit, ask, ask_server, links, words

ARMS = experiment("consistency").arms
WARM = Sampling(64, 0.7)


@pytest.fixture
def store(empty: Path) -> Store:
    return open_store(empty)


def _three_times(store: Store, answers: tuple[Completion | Failure, ...] = (ANSWER,)) -> str:
    return ask_server(store, answers, RunOptions(samples=3, access=SERVER), WARM)


def _careless(store: Store, seed: int = 0) -> str:
    """A simulated learner that is right by luck, asked three times."""
    design = Design("consistency", 20, 1, {"steps": "1-2"})
    options = RunOptions(samples=3)
    run = prepare(
        store, design, "learner:halfway", "direct", Sampling(64, 0.0, seed), options=options
    )
    run_here(store, run)
    return run


def _shown(app: AppTest) -> str:
    return next(e.proto.body for e in app.get("html") if "bl-pair" in e.proto.body[:40])


def test_all_samples_of_a_pair_are_listed(store: Store, visit: Visit) -> None:
    run = _three_times(store)
    app = visit("items")
    table = app.dataframe[0].value
    assert list(table["Sample"]) == [1, 2, 3]
    details = [store.pair_detail(run, store.pair_rows(run)[0].pair, s) for s in range(3)]
    expected = [d.x.reading.value if d.x.reading else None for d in details]
    assert [text.split()[-1] for text in table[ARMS.x]] == expected
    assert all(text[0] in "✓✗" for text in table[ARMS.x])


def test_the_chosen_sample_is_shown_in_full_and_stands_in_the_link(
    store: Store, visit: Visit
) -> None:
    answers = tuple(replace(ANSWER, text=str(number)) for number in range(1, 31))
    run = _three_times(store, answers)
    app = visit("items", sample="2")
    second = store.pair_detail(run, store.pair_rows(run)[0].pair, 1)
    completion = second.x.responses[0]
    assert isinstance(completion, Completion)
    assert f"<mark>{completion.text}</mark>" in _shown(app)
    assert links(app)["Link to this pair"].endswith("&sample=2")
    assert any(group.label == "How the pair came out (sample 2)" for group in app.button_group)


def test_outcomes_in_the_list_are_those_of_the_sample(store: Store, visit: Visit) -> None:
    run = _careless(store)
    for sample in (1, 2):
        counts = store.count_patterns(run, sample=sample - 1)
        app = visit("items", sample=str(sample), pattern="both right")
        assert app.radio[0].label.startswith(f"{counts['both right']} pair")  # type: ignore[index]


def test_an_item_asked_once_has_no_list_of_samples(store: Store, visit: Visit) -> None:
    ask_server(store)
    app = visit("items")
    assert not app.dataframe
    assert "sample" not in links(app)["Link to this pair"]


def test_thinking_is_apart_and_never_markup(store: Store, visit: Visit) -> None:
    ask_server(store, (replace(ANSWER, thinking=f"Perhaps 12. {HOSTILE}"),))
    shown = _shown(visit("items"))
    assert "stored separately: no answer is read from it" in shown
    assert "Perhaps 12. The answer is $15$ &lt;script&gt;" in shown
    assert "<script" not in shown


def test_the_name_that_the_server_gave_is_shown(store: Store, visit: Visit) -> None:
    ask_server(store, (replace(ANSWER, served="small<b>-2026"),))
    assert "served by small&lt;b&gt;-2026" in _shown(visit("items"))


def test_what_failed_says_why_and_can_be_asked_again_alone(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[str, Mapping[str, str], bool]] = []
    monkeypatch.setattr(
        "biaslab.ui.ask.asking.launch",
        lambda _path, run, environment, only_failed: started.append(
            (run, environment, only_failed)
        ),
    )
    run = ask_server(store, (ANSWER, Failure("The server was too slow.", retryable=False)))
    app = visit("items")
    assert "– Failed after 1 attempt: The server was too slow." in _shown(app)
    app.button(key="ask again").click().run()
    assert started == [(run, {}, True)]


def test_repeats_count_as_one_observation_and_say_so(store: Store, visit: Visit) -> None:
    run = _careless(store)
    (found,) = effects(store.outcomes([run]))
    shown = words(visit("effects"))
    assert "On 20 pairs, each problem asked 3 times, the model answered" in shown
    assert effect_sentence(found, ARMS, "the model") in shown


def test_the_most_frequent_answer_may_count(store: Store, visit: Visit) -> None:
    run = _careless(store)
    app = visit("effects")
    app.toggle(key="address vote").set_value(True).run()
    (found,) = effects(store.outcomes([run]), vote=True)
    assert "by the most frequent of 3 answers" in words(app)
    assert effect_sentence(found, ARMS, "the model") in words(app)
    assert "vote=yes" in links(app)["Link to this view"]


def test_a_vote_is_offered_only_where_there_is_something_to_vote_on(
    store: Store, visit: Visit
) -> None:
    ask(store, "consistency", 5, "1-2", "learner:perfect")
    assert not [t for t in visit("effects", vote="yes").toggle if t.key == "address vote"]


def test_agreement_between_repeats_is_said_with_n_and_interval(store: Store, visit: Visit) -> None:
    run = _careless(store)
    (found,) = agreement(store.outcomes([run]))
    assert found.alike is not None
    assert found.alike_ci is not None
    app = visit("effects")
    assert (
        f"gave the same answer every time to {100 * found.alike:.1f} % of {found.items} problems "
        f"(95 % interval {100 * found.alike_ci.low:.1f} %"
    ) in words(app)
    (table,) = [t.value for t in app.dataframe if "Two answers agree" in t.value]
    assert list(table["Problems"]) == [found.items]
    assert list(table["Compared"]) == ["3 samples"]


def test_runs_with_other_seeds_are_compared_with_each_other(store: Store, visit: Visit) -> None:
    runs = [_careless(store, seed) for seed in (1, 2)]
    app = visit("effects", runs=",".join(runs))
    (table,) = [t.value for t in app.dataframe if "Two answers agree" in t.value]
    assert list(table["Compared"]) == ["3 samples", "3 samples", "2 runs"]


def test_without_repeats_nothing_is_said_of_agreement(store: Store, visit: Visit) -> None:
    ask(store, "consistency", 5, "1-2", "learner:perfect")
    assert "Does it say the same again?" not in words(visit("effects"))


def test_an_interval_of_a_run_that_stopped_early_is_marked_and_explained(
    store: Store, visit: Visit
) -> None:
    rule = GroupSequential(looks=10, at_most=1000)
    design = Design("consistency", 1000, 1, {"steps": "1-2"})
    options = RunOptions(stopping=rule)
    run = prepare(store, design, "learner:halfway", "direct", options=options)
    record = run_here(store, run)
    (found,) = effects(store.outcomes([run]), adjusted=adjustments([record]))
    app = visit("effects", by="all")
    shown = words(app)
    assert effect_sentence(found, ARMS, "the model", corrected=True) in shown
    assert "95 % interval, corrected for looking repeatedly," in shown
    assert record.looks[-1].adjustment["note"] in shown
    assert all(text.endswith("(corrected)") for text in app.dataframe[0].value["95 % interval"])
