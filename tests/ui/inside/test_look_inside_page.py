"""Look inside: which model, which pair, and what it would answer after each word."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import sys
from collections.abc import Generator, Sequence
from pathlib import Path

import pytest

from biaslab.models import (
    TYPED_KEY,
    Access,
    Endpoint,
    Failure,
    Likelihood,
    LikelihoodRequest,
)
from biaslab.models.activations import (
    InsideRequest,
    InsideResult,
    ProbeRequest,
    ProbeResult,
    SwapRequest,
    SwapResult,
)
from biaslab.models.server.capabilities import Capabilities, EndpointReport, Proof, Scoring
from biaslab.models.tiny.model import DEFAULT_TINY, TINY_MODELS
from biaslab.runs import Connection, RunError, open_store, remember
from biaslab.runs.jobs.one_off import ScoredBy, ToScore
from tests.conftest import DEADLINE
from tests.ui.conftest import ROOT, Visit, links, words

LAYERS = 5
ADDRESS = {"model": "tiny", "look": "yes", "pair": "3"}


class Scorer:
    """Stands in for the process: a simulated model that writes digit by digit, all alike."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []
        self.reached: list[tuple[str, Access]] = []
        self.fails: dict[str, str] = {}
        self.ends = ""
        self.no_inside = ""

    def __call__(self, wanted: Sequence[ToScore]) -> Generator[ScoredBy, None, None]:
        for number, each in enumerate(wanted):
            self.asked.append((each.spec, len(each.requests)))
            self.reached.append((each.spec, each.access))
            if self.ends:
                raise RunError(self.ends)
            for place, request in enumerate(each.requests):
                if each.spec in self.fails or (
                    self.no_inside and not isinstance(request, LikelihoodRequest)
                ):
                    reason = self.fails.get(each.spec, self.no_inside)
                    yield ScoredBy(number, place, Failure(reason, retryable=False))
                    continue
                yield ScoredBy(number, place, self._answer(request))

    def _answer(self, request: LikelihoodRequest | InsideRequest) -> Likelihood | InsideResult:
        if isinstance(request, ProbeRequest):
            yes = (True,) * len(request.tested)
            said = ((yes,) * len(request.fitted[0].places),) * LAYERS
            return ProbeResult(dict.fromkeys(request.labels, said))
        texts = request.continuations
        likelihood = Likelihood(
            tuple(-len(text) * math.log(12) for text in texts), tuple(map(len, texts))
        )
        if isinstance(request, SwapRequest):
            layer = (likelihood,) * len(request.places)
            return SwapResult(likelihood, likelihood, (layer,) * LAYERS)
        return likelihood


@pytest.fixture
def scorer(monkeypatch: pytest.MonkeyPatch) -> Scorer:
    scorer = Scorer()
    monkeypatch.setattr("biaslab.ui.inside.queries.score_in_background", scorer)
    return scorer


pytestmark = pytest.mark.usefixtures("empty")


def test_before_anybody_looks_the_pair_is_shown_and_nothing_is_opened(visit: Visit, scorer: Scorer):
    app = visit("look_inside")
    assert not app.error
    assert "Right answer" in words(app)
    assert next(button.label for button in app.button) == "Look inside"
    assert scorer.asked == []


def test_the_button_looks_and_the_address_says_so(visit: Visit, scorer: Scorer):
    app = visit("look_inside")
    app.button[0].click().run()
    assert "yes" in app.query_params["look"]
    assert [spec for spec, _ in scorer.asked] == ["tiny:skewed-64k"]
    assert not app.error
    assert len(app.get("plotly_chart")) == 4 + 2


def test_both_members_are_told_in_words_and_as_a_table(visit: Visit, scorer: Scorer):
    app = visit("look_inside", **ADDRESS)
    said = words(app)
    assert re.search(r"Consistent: .* at the end the right one \(3\) has 1\.4 %", said)
    assert "Inconsistent: " in said
    assert "digit by digit" in said
    ((_, asked),) = scorer.asked
    table = app.dataframe[0].value
    assert len(table) == asked - 1
    assert set(table["member"]) == {"consistent", "inconsistent"}
    assert "Link to this view" in links(app)


def test_a_click_never_works_anything_out_twice(visit: Visit, scorer: Scorer):
    app = visit("look_inside", **ADDRESS)
    app.run()
    app.number_input[0].set_value(4).run()
    app.number_input[0].set_value(3).run()
    assert "3" in app.query_params["pair"]
    assert len(scorer.asked) == 2


def test_a_second_model_that_fails_is_told_and_the_first_is_shown(visit: Visit, scorer: Scorer):
    scorer.fails[DEFAULT_TINY] = "The tokenizer belongs to another model."
    app = visit("look_inside", **ADDRESS)
    assert "The tokenizer belongs to another model." in app.error[0].value
    assert not app.get("plotly_chart")


def test_a_process_that_ends_early_is_told_in_a_sentence(visit: Visit, scorer: Scorer):
    scorer.ends = "The program that asks the model has ended. Try again."
    app = visit("look_inside", **ADDRESS)
    assert [error.value for error in app.error] == [scorer.ends]


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("learner:shy", "simulated learner"),
        ("openai:gpt-4o", "on a server"),
        ("tiny:no-such-model", "There is no tiny model"),
        ("local:/no/such/folder", "There is no directory"),
        ("nonsense", "names no model"),
    ],
)
def test_a_model_that_cannot_be_looked_into_is_refused_with_the_reason(
    visit: Visit, scorer: Scorer, spec: str, reason: str
):
    app = visit("look_inside", **{**ADDRESS, "model": spec})
    assert any(reason in warning.value for warning in app.warning)
    assert scorer.asked == []
    assert "Choose a model" in app.info[0].value


def test_a_tested_server_that_scores_any_text_is_looked_at_word_by_word(
    visit: Visit, scorer: Scorer, empty: Path
):
    """Null cases: one whose proof failed, one that lists first words only, one with a typed key."""
    right = Proof(Scoring.FORCED, right=True, alternatives=20)
    servers = {
        "small": (right, ""),
        "wrong": (Proof(Scoring.FORCED, right=False), ""),
        "first-words": (Proof(Scoring.TOP, right=True), ""),
        "keyed": (right, TYPED_KEY),
    }
    with open_store(empty) as store:
        for name, (proof, key) in servers.items():
            access = Access(("http://localhost:1/v1",), Endpoint.CHAT, name, key_env=key)
            found = EndpointReport(Endpoint.CHAT, works=True, served=name, proof=proof)
            capabilities = Capabilities(
                name, access.base_urls, True, (), Endpoint.CHAT, name, found=(found,)
            )
            remember(store, Connection(f"openai:{name}", access, capabilities))
    address = {**ADDRESS, "swaps": "yes"}
    before = visit("look_inside", model="openai:small", pair="3")
    assert "Sends several requests for each word" in words(before)
    for name in servers:
        app = visit("look_inside", **{**address, "model": f"openai:{name}"})
        assert not app.error
        if name != "small":
            assert any("on a server" in warning.value for warning in app.warning), name
            continue
        assert len(app.get("plotly_chart")) == 4
        assert "Where it is decided can be seen in models that are opened here" in words(app)
    assert [(spec, access.base_urls) for spec, access in scorer.reached] == [
        ("openai:small", ("http://localhost:1/v1",))
    ]


def test_where_there_is_no_tiny_model_the_page_says_what_to_do(
    visit: Visit, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("biaslab.ui.widgets.queries.list_models", lambda **_: [])
    app = visit("look_inside")
    assert "type local: and the folder" in words(app)
    assert scorer.asked == []


@pytest.mark.parametrize(
    ("address", "member"),
    [
        ({"study": "transfer-comparison", "steps": "2"}, "transfer"),
        ({"study": "carry"}, "no carry"),
        ({"steps": "3", "operations": "multiplicative"}, "inconsistent"),
    ],
)
def test_pairs_of_every_study_with_known_steps_can_be_looked_at(
    visit: Visit, scorer: Scorer, address: dict[str, str], member: str
):
    app = visit("look_inside", model="tiny", look="yes", **address)
    assert not app.error
    assert member in set(app.dataframe[0].value["member"])
    assert len(scorer.asked) == 1


def test_what_a_model_was_not_made_for_is_said(visit: Visit, scorer: Scorer):
    app = visit("look_inside", **ADDRESS, study="transfer-comparison", steps="3")
    assert len(scorer.asked) == 1
    assert any("never learned such problems" in warning.value for warning in app.warning)


@pytest.mark.usefixtures("scorer")
def test_below_it_stands_where_the_answer_is_decided_with_its_numbers(visit: Visit):
    app = visit("look_inside", **ADDRESS)
    assert "Where it is decided" in [each.value for each in app.header]
    assert "No single swap changes the odds" in words(app)
    swaps = next(each.value for each in app.dataframe if "swapped for" in each.value.columns)
    assert set(swaps["layer"]) == set(range(LAYERS))
    prompt = swaps[swaps["layer"] == 0]
    assert " ".join(prompt["word"]).endswith("A: The answer (Arabic numerals) is")
    assert (prompt["word"] != prompt["swapped for"]).sum() == 3  # two names, and more or fewer


@pytest.mark.usefixtures("scorer")
def test_where_words_do_not_stand_opposite_each_other_the_page_says_so(visit: Visit):
    app = visit("look_inside", model="tiny", look="yes", operations="multiplicative")
    assert not app.error
    assert any("do not stand opposite" in each.value for each in app.info)
    assert len(app.get("plotly_chart")) == 4


def test_a_model_whose_layers_cannot_be_seen_is_still_shown_word_by_word(
    visit: Visit, scorer: Scorer
):
    scorer.no_inside = "The layers of this model cannot be looked into."
    app = visit("look_inside", **ADDRESS)
    assert scorer.no_inside in [each.value for each in app.info]
    assert len(app.get("plotly_chart")) == 4
    app.run()
    assert len(scorer.asked) == 1


def test_inside_a_model_that_is_not_tiny_swaps_are_made_only_where_the_address_asks_for_them(
    visit: Visit, scorer: Scorer, tmp_path: Path
):
    files = shutil.ignore_patterns("model_card.json", "checkpoints")
    folder = shutil.copytree(TINY_MODELS / "balanced", tmp_path / "model", ignore=files)
    app = visit("look_inside", model=f"local:{folder}", look="yes")
    assert len(app.get("plotly_chart")) == 4
    assert "Swap word by word" in [each.label for each in app.button]
    app = visit("look_inside", model=f"local:{folder}", look="yes", swaps="yes")
    assert len(app.get("plotly_chart")) == 4 + 2
    assert "Swap word by word" not in [each.label for each in app.button]
    assert {spec for spec, _ in scorer.asked} == {f"local:{folder}"}


def test_the_probe_is_asked_for_with_a_button_and_stands_in_the_link(visit: Visit, scorer: Scorer):
    app = visit("look_inside", **ADDRESS)
    assert len(scorer.asked) == 1
    next(each for each in app.button if each.label == "Read the operation off").click().run()
    assert "yes" in app.query_params["probe"]
    assert scorer.asked[1:] == [(DEFAULT_TINY, 1)]
    assert "right for 50.0 % of 400 problems" in words(app)
    assert len(app.get("plotly_chart")) == 4 + 2 + 1
    app.run()
    assert len(scorer.asked) == 2


def test_the_page_loads_no_torch_into_the_server():
    script = f"""
import sys
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash
app = AppTest.from_file({str(ROOT / "biaslab/ui/main.py")!r}, default_timeout={DEADLINE})
app._page_hash = calc_hash("look_inside")
app.run()
assert len(app.title) == 1 and not app.error and not app.exception
found = [name for name in ("torch", "transformers", "openai") if name in sys.modules]
sys.exit(f"loaded: {{found}}" if found else 0)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
