"""The transformer of the tiny models, and one step of its learning: losses and optimizers.

Matrices are learnt with Muon (Jordan et al. 2024), everything else with AdamW. In trials on this
project's start, Muon came in a third of the examples where AdamW alone did not come at all in the
same time (docs/training-lab.md).
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from biaslab.training.corpus import LONGEST_TEXT, UNTAUGHT, TokenExample
from biaslab.training.plan import NetworkShape, Schedule, TrainingError, TrainingRecord

if TYPE_CHECKING:
    import torch
    from torch import Tensor
    from transformers import LlamaForCausalLM, PreTrainedTokenizerFast


def build_model(tokenizer: PreTrainedTokenizerFast, shape: NetworkShape) -> LlamaForCausalLM:
    """A model with random weights."""
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=shape.width,
        intermediate_size=shape.width * 8 // 3 // 16 * 16,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        max_position_embeddings=LONGEST_TEXT,
        tie_word_embeddings=True,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        bos_token_id=None,
    )
    return LlamaForCausalLM(config)


@dataclass(frozen=True, slots=True)
class Start:
    """A model to go on from.

    Attributes:
        examples: that it has seen.
    """

    model: LlamaForCausalLM
    shape: NetworkShape
    examples: int


def open_start(directory: Path, tokenizer: PreTrainedTokenizerFast) -> Start:
    """The model in a directory, to be trained further with these words.

    Words that have other numbers today than when it was made are put where they are today; the
    model is the same.

    Raises:
        TrainingError: there is none, or it has other words than today's app.
    """
    from transformers import AutoTokenizer, LlamaForCausalLM

    try:
        record = TrainingRecord.load(directory)
        model = LlamaForCausalLM.from_pretrained(directory)
        words = AutoTokenizer.from_pretrained(directory).get_vocab()
    except (OSError, ValueError, TypeError) as error:
        raise TrainingError(f"There is no model to go on from in {directory}.") from error
    today = tokenizer.get_vocab()
    if words.keys() != today.keys():
        raise TrainingError(
            f"The model in {directory} has other words than this version of BiasLab: train a start "
            "anew with `python -m research.family --starts`."
        )
    _renumber(model, words, today)
    return Start(model, NetworkShape(**record.shape), record.examples + record.start_examples)


def _renumber(model: LlamaForCausalLM, before: Mapping[str, int], today: Mapping[str, int]) -> None:
    """Puts each word's weights, which are read and said with, at its number of today."""
    import torch

    weights = model.get_input_embeddings().weight
    order = [before[word] for word in sorted(today, key=lambda word: today[word])]
    with torch.no_grad():
        weights.copy_(weights[order])


@dataclass(frozen=True, slots=True)
class Batch:
    """Examples of nearly one length as tensors of shape (examples, longest).

    Attributes:
        places: where the text's own next word is scored as well.
    """

    tokens: Tensor
    labels: Tensor
    familiar: Tensor
    recalled: Tensor
    places: Tensor


TEXT_PLACES = 0.25
"""Share of a text's places at which its own next word is scored: more adds time, not learning."""


class Arrays(NamedTuple):
    """What a `Batch` holds, before it is on any device."""

    tokens: npt.NDArray[np.signedinteger]
    labels: npt.NDArray[np.signedinteger]
    familiar: npt.NDArray[np.signedinteger]
    recalled: npt.NDArray[np.signedinteger]
    places: npt.NDArray[np.bool_]

    def shortened(self) -> Arrays:
        """The same numbers in a quarter of the space, to be sent to another process."""
        tokens, labels, familiar, recalled = (array.astype(np.int16) for array in self[:4])
        return Arrays(tokens, labels, familiar, recalled, self.places)


def to_arrays(examples: Sequence[TokenExample], seed: int, step: int) -> Arrays:
    """Examples padded on the right to the longest of them.

    No mask is needed: nothing before the padding ever attends to it. Which places of the text are
    scored follows from the training's seed and step, so it is the same whatever else the process
    does, and whatever is learnt beside it.

    Args:
        examples: the batch.
        seed: of the training.
        step: steps before this one.
    """
    longest = max(len(example.tokens) for example in examples)

    def padded(rows: list[list[int]], filler: int) -> npt.NDArray[np.int64]:
        return np.array([row + [filler] * (longest - len(row)) for row in rows], dtype=np.int64)

    tokens = padded([example.tokens for example in examples], 0)
    labels = padded([example.labels for example in examples], UNTAUGHT)
    places = np.random.default_rng([seed % 2**32, step]).random(tokens.shape) < TEXT_PLACES
    places &= labels == UNTAUGHT
    places[:, :-1] &= tokens[:, 1:] != 0
    places[:, -1] = False
    return Arrays(
        tokens,
        labels,
        padded([example.familiar for example in examples], UNTAUGHT),
        padded([example.recalled for example in examples], UNTAUGHT),
        places,
    )


def to_batch(
    examples: Sequence[TokenExample], seed: int, step: int, device: torch.device | str = "cpu"
) -> Batch:
    """Examples as tensors on a device (`to_arrays`)."""
    import torch

    arrays = to_arrays(examples, seed, step)
    return Batch(*(torch.from_numpy(array).to(device) for array in arrays))


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

    def learn(self, examples: Sequence[TokenExample], step: int, share: float) -> float:
        """Learns a batch.

        Args:
            examples: the batch.
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
        batch = to_batch(examples, self.seed, step, self._device)
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
