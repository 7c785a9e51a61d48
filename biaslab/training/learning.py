"""One step of learning: losses, gradients and the two optimizers.

Matrices are learnt with Muon (Jordan et al. 2024), everything else with AdamW. In trials on this
project's start, Muon came in a third of the examples where AdamW alone did not come at all in the
same time (docs/training-lab.md).
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from biaslab.training.lessons.corpus import UNTAUGHT, TokenExample
from biaslab.training.network import Batch, to_batch
from biaslab.training.plan import NetworkShape, Schedule

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import LlamaForCausalLM, PreTrainedTokenizerFast


FASTER_MEMORY = {
    "MALLOC_MMAP_THRESHOLD_": "1000000000",
    "MALLOC_TRIM_THRESHOLD_": "2000000000",
}
"""For the environment of a process that trains, before it starts: glibc then keeps the large blocks
that every step needs again (1.17 to 1.25 times as fast; research/docs/experiment.md). Others ignore
it."""


def device() -> str:
    """``cuda`` where torch has one, else ``cpu``."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def prepare(seed: int) -> None:
    """Fixes the seed; on a CPU, one thread, so that a run does not depend on its cores."""
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(seed)


@contextmanager
def without_subnormals() -> Iterator[None]:
    """Numbers too small to matter, which make a CPU many times slower, count as zero meanwhile.

    This holds for the whole process, so it is taken back at the end.
    """
    import torch

    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)


def hardware() -> str:
    """What a card says the model was trained on."""
    import torch

    if device() == "cuda":
        return f"one GPU ({torch.cuda.get_device_name()})"
    return f"one core ({platform.machine()}), no GPU"


ADAM_BETAS = (0.9, 0.98)
WEIGHT_DECAY = 0.01
"""Of the optimizers."""


class WeightLearner:
    """Changes a model's weights, batch by batch.

    Args:
        model: whose weights.
        tokenizer, shape: the model's.
        schedule: step sizes.
        seed: of the training.
    """

    def __init__(
        self,
        model: LlamaForCausalLM,
        tokenizer: PreTrainedTokenizerFast,
        shape: NetworkShape,
        schedule: Schedule,
        seed: int,
    ) -> None:
        import torch

        self.seed = seed
        self.model, self._layers, self.schedule = model, shape.layers, schedule
        self.verdicts = tokenizer.convert_tokens_to_ids(["0", "1"])
        self._device = model.device
        matrices = [
            weights
            for name, weights in model.named_parameters()
            if weights.ndim == 2 and "embed" not in name and "lm_head" not in name
        ]
        chosen = {id(weights) for weights in matrices}
        others = [weights for weights in model.parameters() if id(weights) not in chosen]
        self._rates = (schedule.matrix_rate, schedule.rate)
        self.optimizers: tuple[torch.optim.Optimizer, ...] = (
            torch.optim.Muon(
                matrices, lr=schedule.matrix_rate, weight_decay=WEIGHT_DECAY,
                adjust_lr_fn="match_rms_adamw",
            ),
            torch.optim.AdamW(
                others, lr=schedule.rate, betas=ADAM_BETAS, weight_decay=WEIGHT_DECAY, fused=True
            ),
        )  # fmt: skip

    def learn(self, chosen: Sequence[TokenExample], step: int, share: float) -> float:
        """Learns a batch.

        Args:
            chosen: the batch.
            step: steps before this one.
            share: how much of the training is done, 0 to 1.

        Returns:
            The loss before the step, in nats a taught token.
        """
        import torch
        from torch.nn import functional

        left = self.rate_left(share) * min(1.0, (step + 1) / self.schedule.warm_up)
        for optimizer, rate in zip(self.optimizers, self._rates, strict=True):
            for group in optimizer.param_groups:
                group["lr"] = rate * left
            optimizer.zero_grad()
        batch = to_batch(chosen, self.seed, step, self._device)
        output = self.model.model(
            input_ids=batch.tokens, use_cache=False, output_hidden_states=True
        )
        last = output.last_hidden_state
        # The vocabulary is scored at few positions only: the rest is most of the work.
        taught = batch.labels != UNTAUGHT
        loss = functional.cross_entropy(self.model.lm_head(last[taught]), batch.labels[taught])
        said = float(loss.detach())
        loss = loss + self.schedule.text_weight * self._loss_of_text(batch, last)
        if bool((batch.familiar != UNTAUGHT).any()):
            lower = output.hidden_states[self._layers // 2]
            loss = loss + self.schedule.familiar_weight * self._loss_of_names(batch, lower)
        asked = batch.recalled != UNTAUGHT
        if bool(asked.any()):
            upper = output.hidden_states[self._layers * 3 // 4][asked]
            scores = self.model.lm_head(self.model.model.norm(upper))
            recalled = functional.cross_entropy(scores, batch.recalled[asked])
            loss = loss + self.schedule.recalled_weight * recalled
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        for optimizer in self.optimizers:
            optimizer.step()
        return said

    def rate_left(self, share: float) -> float:
        """The share of the largest learning rate when so much of the training is done."""
        return max(0.0, min(1.0, (1.0 - share) / (1.0 - self.schedule.falls_from)))

    def state(self) -> list[dict[str, Any]]:
        """What the optimizers remember."""
        return [optimizer.state_dict() for optimizer in self.optimizers]

    def restore(self, saved: Sequence[dict[str, Any]]) -> None:
        """Goes on from what they remembered."""
        for optimizer, state in zip(self.optimizers, saved, strict=True):
            optimizer.load_state_dict(state)

    def _loss_of_text(self, batch: Batch, hidden: Tensor) -> Tensor:
        """How badly the text's own next words are said, at some of its places."""
        from torch.nn import functional

        following, places = batch.tokens[:, 1:], batch.places[:, :-1]
        if not bool(places.any()):
            return hidden.new_zeros(())
        scores = self.model.lm_head(hidden[:, :-1][places])
        return functional.cross_entropy(scores, following[places])

    def _loss_of_names(self, batch: Batch, hidden: Tensor) -> Tensor:
        """How badly hidden states tell whether the person named was named before.

        Read as the tokens "0" (new) and "1" (named before), so no weights are added.
        """
        from torch.nn import functional

        named = batch.familiar != UNTAUGHT
        verdicts = self.model.lm_head.weight[self.verdicts]
        scores = functional.linear(self.model.model.norm(hidden[named]), verdicts)
        return functional.cross_entropy(scores, batch.familiar[named])
