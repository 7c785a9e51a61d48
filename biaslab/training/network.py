"""The transformer of the tiny models, and examples as the tensors it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from biaslab.training.errors import TrainingError
from biaslab.training.lessons.corpus import UNTAUGHT, TokenExample
from biaslab.training.lessons.tokenizer import LONGEST_TEXT
from biaslab.training.plan import NetworkShape, TrainingRecord

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
            "anew with `python -m research.family.family --starts`."
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
