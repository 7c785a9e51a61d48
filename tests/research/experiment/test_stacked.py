"""Models that learn at once learn what each would alone, and what the trainer of one teaches it.

In double precision nothing but the arithmetic is compared. In single precision, which trainings
use, other widths of padding round differently, and Muon, which orthogonalizes in sixteen bits,
makes that larger.
"""

from __future__ import annotations

import pytest
import torch

from biaslab.training.corpus import build_tokenizer, pool_of
from biaslab.training.learning import WeightLearner, build_model, to_arrays, without_subnormals
from biaslab.training.mix import MIXES, Filling
from biaslab.training.plan import NetworkShape, Schedule, TrainingPlan
from research.experiment.together import Stack

SAME = 1e-9
SHAPE = NetworkShape(32, 2, 2)
SCHEDULE = Schedule(warm_up=20, batch=8, pool=6)
PLANS = (
    TrainingPlan(MIXES["balanced"], seed=1, steps=60, schedule=SCHEDULE),
    TrainingPlan(MIXES["skewed"], seed=2, steps=60, schedule=SCHEDULE),
    TrainingPlan(
        MIXES["reversed"], seed=3, steps=60, schedule=SCHEDULE,
        filling=Filling("consistent:inconsistent", 0.2),
    ),
    TrainingPlan(None, seed=4, steps=60, schedule=SCHEDULE),
)  # fmt: skip


@pytest.fixture(scope="module")
def tokenizer():
    return build_tokenizer()


@pytest.fixture(scope="module")
def pools(tokenizer):
    return [pool_of(plan, 0, 0.0, tokenizer).batches for plan in PLANS]


def learner(tokenizer, plan, dtype=torch.float64):
    torch.manual_seed(plan.seed)
    model = build_model(tokenizer, SHAPE).to(dtype)
    return WeightLearner(model, tokenizer, SHAPE, SCHEDULE, plan.seed)


def learn(stack, plans, pools, first, last):
    for step in range(first, last):
        batches = [
            to_arrays(pool[step], plan.seed, step) for plan, pool in zip(plans, pools, strict=True)
        ]
        stack.learn(batches, step, step / 60)
    stack.give_back()


@pytest.fixture(scope="module")
def at_once(tokenizer, pools):
    learners = [learner(tokenizer, plan) for plan in PLANS]
    with without_subnormals():
        learn(Stack(learners), PLANS, pools, 0, 6)
    return learners


def furthest(one, other):
    """The largest difference of any weight."""
    named = dict(other.model.named_parameters())
    return max(
        float((weights - named[name]).detach().abs().max())
        for name, weights in one.model.named_parameters()
    )


@pytest.mark.parametrize("k", range(len(PLANS)))
def test_models_trained_at_once_are_the_same_as_models_trained_alone(k, at_once, tokenizer, pools):
    alone = learner(tokenizer, PLANS[k])
    with without_subnormals():
        learn(Stack([alone]), [PLANS[k]], [pools[k]], 0, 6)
    assert furthest(alone, at_once[k]) < SAME


def test_they_are_what_the_trainer_of_one_makes_of_them_but_for_rounding(tokenizer, pools):
    at_once = [learner(tokenizer, plan, torch.float32) for plan in PLANS]
    with without_subnormals():
        learn(Stack(at_once), PLANS, pools, 0, 6)
        for k, plan in enumerate(PLANS):
            plain = learner(tokenizer, plan, torch.float32)
            for step in range(6):
                plain.learn(pools[k][step], step, step / 60)
            assert furthest(plain, at_once[k]) < 5e-4
            assert furthest(plain, learner(tokenizer, plan, torch.float32)) > 4e-3


def test_a_stack_goes_on_from_what_the_optimizers_remember(at_once, tokenizer, pools):
    learners = [learner(tokenizer, plan) for plan in PLANS]
    with without_subnormals():
        learn(Stack(learners), PLANS, pools, 0, 3)
        learn(Stack(learners), PLANS, pools, 3, 6)
    for one, other in zip(learners, at_once, strict=True):
        assert furthest(one, other) < SAME


def test_a_model_that_diverges_takes_no_other_with_it(at_once, tokenizer, pools):
    learners = [learner(tokenizer, plan) for plan in PLANS]
    with torch.no_grad():
        learners[1].model.model.norm.weight.fill_(float("nan"))
    with without_subnormals():
        learn(Stack(learners), PLANS, pools, 0, 6)
    assert torch.isnan(learners[1].model.model.norm.weight).all()
    for k in (0, 2, 3):
        assert furthest(learners[k], at_once[k]) < SAME
