"""Several trainings at once on an accelerator, each as if it were alone.

Their lessons are made beforehand by other processes, and others ask their pairs, for both take
longer there than learning. Every training keeps its own directory, saves and checks, so each can
be gone on with alone or beside others.
"""

from __future__ import annotations

import multiprocessing
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from biaslab.training.corpus import UNTAUGHT, build_tokenizer, pool_of
from biaslab.training.learning import (
    ADAM_BETAS,
    WEIGHT_DECAY,
    Arrays,
    WeightLearner,
    build_model,
    to_arrays,
    without_subnormals,
)
from biaslab.training.measuring import never
from biaslab.training.plan import NetworkShape, TrainingPlan
from biaslab.training.trainer import (
    SAVE_SECONDS,
    CheckAnswers,
    Counters,
    Trainer,
    TrainingCheck,
    ask,
)

if TYPE_CHECKING:
    import torch
    from torch import Tensor
    from transformers import PreTrainedTokenizerFast

# Many models of one shape learnt at once: their weights stacked, each with its own lessons.
# For an accelerator, which one tiny model leaves idle: on a CPU it is no faster than one after the
# other (research/docs/experiment.md). Every model learns what it would learn alone: its gradients
# are clipped alone, its losses are means of its own, and one that diverges takes no other with it.


_SQUARE = ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj")
_WIDE = ("mlp.gate_proj", "mlp.up_proj", "mlp.down_proj")
_DOWN = 2
"""Place of the one among the wide matrices that is kept turned, so that all have one shape."""

_MOMENTUM = 0.95
_NEWTON_SCHULZ = (3.4445, -4.7750, 2.0315)
_NEWTON_SCHULZ_STEPS = 5
_SMALLEST = 1e-7
"""As in `torch.optim.Muon`."""

_LONGEST_GRADIENT = 1.0


class Stack:
    """The models of several learners, which learn a batch each at every step.

    Args:
        learners: of one shape and schedule; what their optimizers remember is gone on with.
    """

    def __init__(self, learners: Sequence[WeightLearner]) -> None:
        import torch

        self._learners = learners
        self._schedule = learners[0].schedule
        config = learners[0].model.config
        self._layers, self._heads = int(config.num_hidden_layers), int(config.num_attention_heads)
        self._eps = float(config.rms_norm_eps)
        self._verdicts = learners[0].verdicts
        model = learners[0].model
        self._device = model.device
        self._angles = model.model.rotary_emb
        models = [dict(each.model.named_parameters()) for each in learners]
        self._square = torch.stack([_matrices(each, _SQUARE, self._layers) for each in models])
        self._wide = torch.stack([_matrices(each, _WIDE, self._layers) for each in models])
        self._others = {
            name: torch.stack([each[name].detach() for each in models])
            for name, weights in models[0].items()
            if weights.ndim == 1 or "embed" in name
        }
        for tensor in (self._square, self._wide, *self._others.values()):
            tensor.requires_grad_()
        self._momenta = [torch.zeros_like(self._square), torch.zeros_like(self._wide)]
        self._adam = torch.optim.AdamW(
            self._others.values(), lr=self._schedule.rate, betas=ADAM_BETAS,
            weight_decay=WEIGHT_DECAY, fused=True,
        )  # fmt: skip
        self._take_optimizers()

    def learn(self, batches: Sequence[Arrays], step: int, share: float) -> Tensor:
        """Every model learns its batch.

        Args:
            batches: one a model, of as many lessons each.
            step: steps before this one.
            share: how much of the training is done, 0 to 1.

        Returns:
            each model's loss before the step, in nats a taught token: (models,), on the models'
            device, so that nobody waits for an accelerator until it is read.
        """
        import torch

        left = self._learners[0].rate_left(share) * min(1.0, (step + 1) / self._schedule.warm_up)
        for group in self._adam.param_groups:
            group["lr"] = self._schedule.rate * left
        self._adam.zero_grad()
        self._square.grad = self._wide.grad = None
        taught, whole = self._losses(batches)
        whole.sum().backward()
        self._clip()
        with torch.no_grad():
            for matrices, momentum in zip(
                (self._square, self._wide), self._momenta, strict=True
            ):  # fmt: skip
                _step_of_muon(matrices, momentum, self._schedule.matrix_rate * left)
        self._adam.step()
        return taught.detach()

    def give_back(self) -> None:
        """Writes weights, and what the optimizers remember, into the learners."""
        import torch

        with torch.no_grad():
            for k, learner in enumerate(self._learners):
                named = dict(learner.model.named_parameters())
                muon, adam = learner.optimizers
                for name, weights, momentum in self._pieces(k):
                    named[name].copy_(weights)
                    muon.state[named[name]] = {"momentum_buffer": momentum.clone()}
                for name, stacked in self._others.items():
                    named[name].copy_(stacked[k])
                    if state := self._adam.state.get(stacked):
                        adam.state[named[name]] = {
                            "step": state["step"].clone(),
                            "exp_avg": state["exp_avg"][k].clone(),
                            "exp_avg_sq": state["exp_avg_sq"][k].clone(),
                        }

    def _take_optimizers(self) -> None:
        """Goes on from what the learners' optimizers remember; they all do, or none does."""
        import torch

        params = [dict(learner.model.named_parameters()) for learner in self._learners]
        with torch.no_grad():
            for k, learner in enumerate(self._learners):
                muon = learner.optimizers[0]
                for name, _, momentum in self._pieces(k):
                    if state := muon.state.get(params[k][name]):
                        momentum.copy_(state["momentum_buffer"])
        for name, stacked in self._others.items():
            states: list[dict[str, Any]] = [
                learner.optimizers[1].state.get(params[k][name], {})
                for k, learner in enumerate(self._learners)
            ]
            if all(states):
                self._adam.state[stacked] = {
                    "step": states[0]["step"].clone(),
                    "exp_avg": torch.stack([state["exp_avg"] for state in states]),
                    "exp_avg_sq": torch.stack([state["exp_avg_sq"] for state in states]),
                }

    def _pieces(self, k: int) -> list[tuple[str, Tensor, Tensor]]:
        """Name, weights and momentum of every matrix of a model, in its own shape."""
        found = []
        for stacked, momentum, kinds in (
            (self._square, self._momenta[0], _SQUARE),
            (self._wide, self._momenta[1], _WIDE),
        ):
            for layer in range(self._layers):
                for at, kind in enumerate(kinds):
                    one, other = stacked[k, layer, at], momentum[k, layer, at]
                    if kinds is _WIDE and at == _DOWN:
                        one, other = one.T, other.T
                    found.append((f"model.layers.{layer}.{kind}.weight", one, other))
        return found

    def _losses(self, batches: Sequence[Arrays]) -> tuple[Tensor, Tensor]:
        """Of every model, the loss of what is taught, and all losses with their weights."""
        arrays = _together(batches)
        layers = self._hidden(self._on_device(arrays.tokens))
        last = self._normed(layers[-1], self._others["model.norm.weight"])
        embed = self._others["model.embed_tokens.weight"]
        schedule = self._schedule

        taught = self._loss(last, embed, arrays.labels != UNTAUGHT, arrays.labels)
        following = np.roll(arrays.tokens, -1, axis=2)
        whole = taught + schedule.text_weight * self._loss(last, embed, arrays.places, following)
        named = arrays.familiar != UNTAUGHT
        if named.any():
            lower = self._normed(layers[self._layers // 2], self._others["model.norm.weight"])
            verdicts = embed[:, self._verdicts]
            familiar = self._loss(lower, verdicts, named, arrays.familiar)
            whole = whole + schedule.familiar_weight * familiar
        asked = arrays.recalled != UNTAUGHT
        if asked.any():
            upper = self._normed(
                layers[self._layers * 3 // 4], self._others["model.norm.weight"]
            )  # fmt: skip
            recalled = self._loss(upper, embed, asked, arrays.recalled)
            whole = whole + schedule.recalled_weight * recalled
        return taught, whole

    def _loss(
        self, hidden: Tensor, words: Tensor, where: npt.NDArray[np.bool_], targets: _Whole
    ) -> Tensor:
        """Every model's mean loss of saying the targets at these places; 0 where it has none.

        Args:
            hidden: (models, lessons × places, width).
            words: (models, words, width).
            where: (models, lessons, places).
            targets: as where.
        """
        from torch.nn import functional

        places, weights = _padded_places(where)
        said = np.take_along_axis(targets.reshape(len(targets), -1), places, axis=1)
        said = np.where(weights > 0, said, 0)
        at, weight = self._on_device(places), self._on_device(weights)
        chosen = hidden.gather(1, at[:, :, None].expand(-1, -1, hidden.shape[2]))
        scores = chosen @ words.transpose(1, 2)
        losses = functional.cross_entropy(
            scores.flatten(0, 1), self._on_device(said).flatten(), reduction="none",
        ).view(at.shape)  # fmt: skip
        return (losses * weight).sum(1) / weight.sum(1).clamp(min=1.0)

    def _on_device(self, array: npt.NDArray[Any]) -> Tensor:
        """Without waiting for what the device still has to do."""
        import torch

        tensor = torch.from_numpy(array)
        if self._device.type == "cuda":
            tensor = tensor.pin_memory()
        return tensor.to(self._device, non_blocking=True)

    def _hidden(self, tokens: Tensor) -> list[Tensor]:
        """Embeddings, and what comes out of every layer: (models, lessons × places, width)."""
        import torch
        from torch.nn import functional

        embed = self._others["model.embed_tokens.weight"]
        k, lessons, longest = tokens.shape
        shift = torch.arange(k, device=self._device)[:, None, None] * embed.shape[1]
        x = functional.embedding((tokens + shift).view(k, -1), embed.flatten(0, 1))
        cos, sin = self._angles(x, torch.arange(longest, device=self._device)[None])
        found = [x]
        for layer in range(self._layers):
            norms = [
                self._others[f"model.layers.{layer}.{kind}_layernorm.weight"]
                for kind in ("input", "post_attention")
            ]
            q, w, v, o = (self._square[:, layer, at].transpose(1, 2) for at in range(len(_SQUARE)))
            normed = self._normed(x, norms[0])
            shape = (k * lessons, longest, self._heads, -1)
            queries, keys, values = (
                (normed @ each).view(shape).transpose(1, 2) for each in (q, w, v)
            )
            attended = functional.scaled_dot_product_attention(
                _turned(queries, cos, sin), _turned(keys, cos, sin), values, is_causal=True
            )
            x = x + attended.transpose(1, 2).reshape(x.shape) @ o
            normed = self._normed(x, norms[1])
            gate, up = (self._wide[:, layer, at].transpose(1, 2) for at in range(_DOWN))
            x = x + (functional.silu(normed @ gate) * (normed @ up)) @ self._wide[:, layer, _DOWN]
            found.append(x)
        return found

    def _normed(self, x: Tensor, weight: Tensor) -> Tensor:
        import torch

        scale = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self._eps)
        return weight[:, None] * (x * scale)

    def _clip(self) -> None:
        """Shortens each model's gradient, never the stack's."""
        import torch

        gradients = [
            tensor.grad
            for tensor in (self._square, self._wide, *self._others.values())
            if tensor.grad is not None
        ]
        norms = torch.stack([gradient.flatten(1).norm(dim=1) for gradient in gradients])
        shorter = (_LONGEST_GRADIENT / (norms.norm(dim=0) + 1e-6)).clamp(max=1.0)
        for gradient in gradients:
            gradient.mul_(shorter.view(-1, *[1] * (gradient.ndim - 1)))


_Whole = npt.NDArray[np.int64]


def _matrices(model: dict[str, Tensor], kinds: Sequence[str], layers: int) -> Tensor:
    """A model's matrices of these kinds: (layers, kinds, long, short)."""
    import torch

    def of(layer: int, kind: str) -> Tensor:
        weights = model[f"model.layers.{layer}.{kind}.weight"].detach()
        return weights.T if kind == _WIDE[_DOWN] else weights

    return torch.stack(
        [torch.stack([of(layer, kind) for kind in kinds]) for layer in range(layers)]
    )


def _together(batches: Sequence[Arrays]) -> Arrays:
    """The models' batches, models first, padded to the longest of them all."""
    shape = len(batches), len(batches[0].tokens), max(batch.tokens.shape[1] for batch in batches)
    labels, familiar, recalled = (np.full(shape, UNTAUGHT, np.int64) for _ in range(3))
    found = Arrays(
        np.zeros(shape, np.int64), labels, familiar, recalled, np.zeros(shape, np.bool_)
    )  # fmt: skip
    for k, batch in enumerate(batches):
        for whole, array in zip(found, batch, strict=True):
            whole[k, :, : array.shape[1]] = array
    return found


def _padded_places(
    where: npt.NDArray[np.bool_],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    """Of every model, the places that count, padded to the most of them, and 1 for each or 0."""
    flat = where.reshape(len(where), -1)
    counts = np.count_nonzero(flat, axis=1)
    filled = np.arange(max(int(counts.max()), 1)) < counts[:, None]
    places = np.zeros(filled.shape, np.int64)
    places[filled] = np.nonzero(flat)[1]
    return places, filled.astype(np.float32)


def _turned(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotary positions, as the models themselves have them."""
    import torch

    half = x.shape[-1] // 2
    rotated = torch.cat((-x[..., half:], x[..., :half]), dim=-1)
    return x * cos[:, None] + rotated * sin[:, None]


def _step_of_muon(weights: Tensor, momentum: Tensor, rate: float) -> None:
    """A step of `torch.optim.Muon` for matrices (…, long, short), each by itself."""
    gradient = weights.grad
    if gradient is None:
        return
    momentum.lerp_(gradient, 1 - _MOMENTUM)
    update = _orthogonal(gradient.lerp(momentum, _MOMENTUM))
    weights.mul_(1 - rate * WEIGHT_DECAY)
    weights.add_(update, alpha=-rate * 0.2 * max(weights.shape[-2:]) ** 0.5)


def _orthogonal(matrices: Tensor) -> Tensor:
    import torch

    x: torch.Tensor = matrices.flatten(0, -3).bfloat16()
    turned = x.shape[1] > x.shape[2]
    if turned:
        x = x.transpose(1, 2)
    x = x / x.flatten(1).norm(dim=1).clamp(min=_SMALLEST)[:, None, None]
    a, b, c = _NEWTON_SCHULZ
    for _ in range(_NEWTON_SCHULZ_STEPS):
        gram = x @ x.transpose(1, 2)
        x = torch.baddbmm(x, torch.baddbmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    if turned:
        x = x.transpose(1, 2)
    return x.view_as(matrices) if x.is_contiguous() else x.reshape(matrices.shape)


_AHEAD = 2
"""Pools that are made while one is learnt."""

_SAVES_TAKE = 10
"""Between two saves of all trainings lies so many times what one takes."""

_SAVES_WAIT = 5
"""A save that is due comes when no answers are awaited, or when it has been due for so many times
as long."""


@dataclass(frozen=True, slots=True)
class LessonArrays:
    """The lessons of a pool as arrays.

    Attributes:
        batches: in the order of learning; equations: bare equations among the lessons.
    """

    batches: tuple[Arrays, ...]
    equations: int


def train_together(
    trainers: Sequence[Trainer], enough: Callable[[Counters], bool], jobs: int = 1
) -> None:
    """Trains all of them, until their plans are fulfilled, one is asked to stop, or it is enough.

    Args:
        trainers: at the same step of plans with as many steps and the same schedule.
        enough: asked before every pool.
        jobs: processes that make lessons, and as many that ask pairs.

    Raises:
        ValueError: they are not at the same step.
        TrainingError: the disk is full; what was saved before stays.
    """
    lead = trainers[0]
    if len({(one.counters.step, one.plan.steps, one.plan.schedule) for one in trainers}) > 1:
        raise ValueError("Only trainings at the same step of the same schedule go together.")
    stack = Stack([trainer.learner for trainer in trainers])
    spawn = multiprocessing.get_context("spawn")
    # Two crews, or a check of all models would keep the lessons after it waiting.
    with (
        without_subnormals(),
        ProcessPoolExecutor(jobs, spawn) as makers,
        ProcessPoolExecutor(jobs, spawn) as askers,
    ):
        ahead = _made_ahead([trainer.plan for trainer in trainers], lead.counters.pool, makers)
        looking = _PoolStage(trainers, stack, askers)
        looking.look()
        while not any(trainer.is_over(enough) for trainer in trainers):
            began, made = time.monotonic(), next(ahead)
            losses: list[Tensor] = []
            for at in range(len(made[0].batches)):
                step = lead.counters.step + at
                batches = [one.batches[at] for one in made]
                losses.append(stack.learn(batches, step, step / lead.plan.steps))
            told = [step.tolist() for step in losses]
            # What it took is shared: so the minutes of all trainings add up to those spent.
            seconds = (time.monotonic() - began) / len(trainers)
            for k, (trainer, one) in enumerate(zip(trainers, made, strict=True)):
                seen = sum(len(batch.tokens) for batch in one.batches)
                trainer.learnt([step[k] for step in told], seen, one.equations, seconds)
            looking.look()
        stack.give_back()
        looking.wait()
        for trainer in trainers:
            trainer.finish()


class _PoolStage:
    """What is done between two pools: copies, checks and saves.

    Pairs are asked by other processes while learning goes on. A save comes after their answers, so
    none is missing in what a later training goes on from.
    """

    def __init__(
        self, trainers: Sequence[Trainer], stack: Stack, askers: ProcessPoolExecutor
    ) -> None:
        self._trainers, self._stack, self._askers = trainers, stack, askers
        self._waiting: list[tuple[Trainer, TrainingCheck, Future[CheckAnswers]]] = []
        self._saved, self._save_took = time.monotonic(), 0.0

    def look(self) -> None:
        """Keeps copies, has pairs asked and saves, where one of these is due."""
        checks = [trainer for trainer in self._trainers if trainer.check_is_due]
        copies = any(trainer.copies_due for trainer in self._trainers)
        # Many are saved one after another: that is not to take most of the time.
        every = max(SAVE_SECONDS, _SAVES_TAKE * self._save_took)
        since = time.monotonic() - self._saved
        saves = since > every * (_SAVES_WAIT if checks or self._waiting else 1)
        if checks or copies or saves:
            self._stack.give_back()
        for trainer in self._trainers:
            trainer.keep_copy()
        for trainer in checks:
            asked = self._askers.submit(
                answers, _weights(trainer), trainer.shape, trainer.plan.check_pairs
            )
            self._waiting.append((trainer, trainer.begin_check(), asked))
        self._note()
        if saves:
            self.wait()
            began = time.monotonic()
            for trainer in self._trainers:
                trainer.save(finished=False)
            self._saved = time.monotonic()
            self._save_took = self._saved - began

    def wait(self) -> None:
        """Until everything that was asked is answered and noted."""
        wait([asked for _, _, asked in self._waiting])
        self._note()

    def _note(self) -> None:
        """Notes the answers that are there, in the order in which they were asked."""
        while self._waiting and self._waiting[0][2].done():
            trainer, check, asked = self._waiting.pop(0)
            trainer.note(check, asked.result())


def _weights(trainer: Trainer) -> dict[str, npt.NDArray[np.float32]]:
    """By name, in memory of their own: learning goes on while pairs are asked."""
    named = trainer.model.named_parameters()
    return {name: weights.detach().cpu().numpy().copy() for name, weights in named}


def answers(
    weights: Mapping[str, npt.NDArray[np.float32]], shape: NetworkShape, pairs: int
) -> CheckAnswers:
    """What a model of these weights says to unseen pairs, on one core (`trainer.ask`)."""
    import torch

    torch.set_num_threads(1)
    model = build_model(_tokenizer(), shape)
    with torch.no_grad():
        for name, empty in model.named_parameters():
            empty.copy_(torch.from_numpy(weights[name]))
    with without_subnormals():
        return ask(model, _tokenizer(), pairs, never)


def _made_ahead(
    plans: Sequence[TrainingPlan], first: int, pool: ProcessPoolExecutor
) -> Iterator[list[LessonArrays]]:
    """Every plan's next pool, while those after it are made."""
    waiting: deque[list[Future[LessonArrays]]] = deque()
    number, last = first, plans[0].steps // plans[0].schedule.pool
    while True:
        while len(waiting) <= _AHEAD and number <= last:
            waiting.append([pool.submit(made, plan, number) for plan in plans])
            number += 1
        if not waiting:
            return
        yield [future.result() for future in waiting.popleft()]


def made(plan: TrainingPlan, number: int) -> LessonArrays:
    """The pool of a plan with a number of steps, as arrays; batches beyond its end are left out."""
    first = number * plan.schedule.pool
    pool = pool_of(plan, number, first / plan.steps, _tokenizer())
    batches = pool.batches[: max(0, plan.steps - first)]
    return LessonArrays(
        tuple(
            to_arrays(batch, plan.seed, first + at).shortened() for at, batch in enumerate(batches)
        ),
        pool.equations,
    )


@cache
def _tokenizer() -> PreTrainedTokenizerFast:
    return build_tokenizer()
