"""The transformer of the tiny models, and examples as the tensors it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from biaslab.training.errors import TrainingError
from biaslab.training.lessons.corpus import UNTAUGHT, Example
from biaslab.training.lessons.tokenizer import LONGEST_TEXT
from biaslab.training.plan import Shape, TrainingRecord

if TYPE_CHECKING:
    import torch
    from torch import Tensor
    from transformers import LlamaForCausalLM, PreTrainedTokenizerFast


def build_model(tokenizer: PreTrainedTokenizerFast, shape: Shape) -> LlamaForCausalLM:
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
    shape: Shape
    examples: int


def open_start(directory: Path, tokenizer: PreTrainedTokenizerFast) -> Start:
    """The model in a directory, to be trained further.

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
    if words != tokenizer.get_vocab():
        raise TrainingError(
            f"The model in {directory} has other words than this version of BiasLab: train a start "
            "anew with `python -m biaslab.training.origins.family --starts`."
        )
    return Start(model, Shape(**record.shape), record.examples + record.start_examples)


@dataclass(frozen=True, slots=True)
class Batch:
    """Examples of nearly one length as tensors of shape (examples, longest)."""

    tokens: Tensor
    labels: Tensor
    familiar: Tensor
    recalled: Tensor


def to_batch(examples: Sequence[Example], device: torch.device | str = "cpu") -> Batch:
    """Examples as tensors on a device, padded on the right.

    No mask is needed: nothing before the padding ever attends to it.
    """

    def padded(rows: list[list[int]], filler: int) -> Tensor:
        longest = max(len(row) for row in rows)
        return torch.tensor([row + [filler] * (longest - len(row)) for row in rows], device=device)

    import torch

    return Batch(
        padded([example.tokens for example in examples], 0),
        padded([example.labels for example in examples], UNTAUGHT),
        padded([example.familiar for example in examples], UNTAUGHT),
        padded([example.recalled for example in examples], UNTAUGHT),
    )
