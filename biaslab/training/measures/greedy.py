"""Greedy writing with a model in training: many prompts at once, without padding."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import LlamaForCausalLM, PreTrainedTokenizerFast

BATCH = 256
"""Most prompts that are continued together."""


def continue_texts(
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    prompts: Sequence[str],
    most_tokens: int,
) -> list[str]:
    """What the model writes after each prompt, up to its end token or so many tokens.

    Prompts of one length go together, so nothing is padded and every answer is the one the
    model would give alone.
    """
    encoded = tokenizer(list(prompts), add_special_tokens=False)["input_ids"]
    by_length: dict[int, list[int]] = defaultdict(list)
    for index, tokens in enumerate(encoded):
        by_length[len(tokens)].append(index)
    written = [""] * len(prompts)
    for indices in by_length.values():
        for start in range(0, len(indices), BATCH):
            part = indices[start : start + BATCH]
            texts = _continue(model, tokenizer, [encoded[index] for index in part], most_tokens)
            for index, text in zip(part, texts, strict=True):
                written[index] = text
    return written


def _continue(
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    prompts: list[list[int]],
    most_tokens: int,
) -> list[str]:
    import torch

    end = int(tokenizer.eos_token_id)
    ended = [False] * len(prompts)
    answers: list[list[int]] = [[] for _ in prompts]
    with torch.no_grad():
        tokens = torch.tensor(prompts, device=model.device)
        past = None
        for _ in range(most_tokens):
            output = model(input_ids=tokens, past_key_values=past, use_cache=True, logits_to_keep=1)
            past = output.past_key_values
            tokens = output.logits[:, -1].argmax(-1, keepdim=True)
            for row, token in enumerate(tokens[:, 0].tolist()):
                ended[row] = ended[row] or token == end
                if not ended[row]:
                    answers[row].append(token)
            if all(ended):
                break
    return [str(tokenizer.decode(answer)) for answer in answers]
