"""The transformer of the tiny models, and examples as the tensors it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from biaslab.training.corpus import UNTAUGHT, Example
from biaslab.training.plan import Shape
from biaslab.training.tokenizer import LONGEST_TEXT

if TYPE_CHECKING:
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


def to_tensors(batch: list[Example]) -> tuple[Tensor, Tensor, Tensor]:
    """Tokens, labels and echoes of a batch, each of shape (examples, longest), padded on the right.

    No mask is needed: nothing before the padding ever attends to it.
    """
    import torch

    longest = max(len(example.tokens) for example in batch)
    tokens = torch.zeros(len(batch), longest, dtype=torch.long)
    labels = torch.full((len(batch), longest), UNTAUGHT)
    echoes = torch.full((len(batch), longest), UNTAUGHT)
    for row, example in enumerate(batch):
        tokens[row, : len(example.tokens)] = torch.tensor(example.tokens)
        labels[row, : len(example.labels)] = torch.tensor(example.labels)
        echoes[row, : len(example.echoes)] = torch.tensor(example.echoes)
    return tokens, labels, echoes
