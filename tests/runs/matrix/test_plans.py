"""The file of a plan: what it says, and what is refused with its place."""

from __future__ import annotations

import contextlib

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from biaslab.runs.matrix import MAX_BYTES, PlanError, read_plan
from biaslab.studies import Design
from tests.loops import over

WHOLE = """
studies:
  - {study: consistency, n: 50, seed: 3, steps: 1-3, operations: additive}
  - carry
  - {study: decision, bias: anchoring, strategies: [choose]}
models:
  - tiny:balanced
  - {model: "openai:llama3.2", base_url: "http://localhost:11434/v1", at_most: 4,
     price_in: 0.15, price_out: 0.60}
strategies: [direct, cot]
samples: 3
temperature: 0.7
budget: {requests: 5000, money: 2.50}
"""


def refused(text: str | bytes) -> str:
    with pytest.raises(PlanError) as error:
        read_plan(text.encode() if isinstance(text, str) else text, "plan.yaml")
    return str(error.value)


def test_a_plan_names_studies_with_their_settings_models_strategies_and_a_budget() -> None:
    plan = read_plan(WHOLE.encode())
    first, second, third = plan.studies
    assert first.design == Design("consistency", 50, 3, {"steps": "1-3", "operations": "additive"})
    assert second.design == Design("carry", 200, 1, {})
    assert third.strategies == ("choose",)
    here, server = plan.models
    assert (here.model, here.base_url) == ("tiny:balanced", None)
    assert (server.base_url, server.at_most) == ("http://localhost:11434/v1", 4)
    assert str(server.price_in) == "0.15"
    assert (plan.strategies, plan.samples, plan.temperature) == (("direct", "cot"), 3, 0.7)
    assert (plan.budget.requests, plan.budget.tokens, str(plan.budget.money)) == (5000, None, "2.5")


@over(
    ("text", "told"),
    [
        ("studies: [carry]", "models is missing"),
        ("studies: []\nmodels: [tiny]", "studies has no entry"),
        ("studies: [{n: 5}]\nmodels: [tiny]", "studies[1].study is missing"),
        ("studies: [carry]\nmodels: [{model: tiny, key_env: SECRET}]",
         "models[1].key_env is no key that is known here"),
        ("studies: [{study: carry, n: 0}]\nmodels: [tiny]", "studies[1].n is less than 1"),
        ("studies: [{study: carry, n: many}]\nmodels: [tiny]", "studies[1].n is no whole number"),
        ("studies: [carry]\nmodels: [tiny]\nsamples: 0", "samples is less than 1"),
        ("studies: [carry]\nmodels: [tiny]\nbudget: {requests: -1}", "is less than 0"),
        ("studies: carry\nmodels: [tiny]", "studies is no list"),
        ("studies: [carry]\nmodel: [tiny]", "model is no key that is known here"),
        ("studies: [carry]\nstudies: [carry]\nmodels: [tiny]", "“studies” stands twice"),
        ("a: &a [1]\nb: *a", "alias"),
        ("[" * 5_000, "too deep"),
        ("studies: [carry\nmodels", "line 2"),
        ("carry", "begin with “studies:”"),
        ("", "begin with “studies:”"),
        (b"\xff\xfe", "UTF-8"),
        ("#" * (MAX_BYTES + 1), "larger than"),
        ("studies: !!python/object/apply:os.system [ls]", "is no YAML"),
    ],
)  # fmt: skip
def test_what_is_no_plan_is_refused_with_its_place(text: str | bytes, told: str) -> None:
    assert told in refused(text)


def test_all_faults_are_told_at_once_and_a_dozen_at_most() -> None:
    told = refused("studies: [{n: x}]\nmodels: [{}]\nsamples: 0")
    assert [place in told for place in ("studies[1].study", "studies[1].n", "samples")] == [
        True, True, True,
    ]  # fmt: skip
    many = refused("models: [tiny]\nstudies: [" + ", ".join(["{n: x}"] * 40) + "]")
    assert len(many.splitlines()) == 13
    assert "more" in many.splitlines()[-1]


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=8),
                    lambda inner: st.lists(inner, max_size=3)
                    | st.dictionaries(st.sampled_from(["studies", "models", "study", "model", "n",
                                                       "strategies", "budget", "x"]),
                                      inner, max_size=4), max_leaves=12))  # fmt: skip
def test_whatever_is_written_is_a_plan_or_a_sentence(content: object) -> None:
    text = yaml.safe_dump(content)
    with contextlib.suppress(PlanError):
        plan = read_plan(text.encode())
        assert plan.studies
        assert plan.models
