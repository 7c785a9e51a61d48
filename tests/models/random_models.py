"""Real transformers with random weights and real tokenizers, made on the spot."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

SENTENCES = [
    "Ana has 18 apples. Ben has 3 fewer apples than Ana. How many apples does Ben have?",
    "Q: Carla bought 25 marbles and gave 7 of them to Dev. How many are left?",
    "A: The answer (Arabic numerals) is 15.\nLet's think step by step.",
    "user system assistant says: there were 999 red pencils in 12 boxes, 4 each.",
]

CHAT_TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


def make_tokenizer(*, adds_bos: bool = True, pad: bool = False, template: str = "") -> Any:
    """A byte-level BPE tokenizer trained on a few sentences."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    bare = Tokenizer(models.BPE())
    bare.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bare.decoder = decoders.ByteLevel()
    special = ["<s>", "</s>", "<pad>"] if pad else ["<s>", "</s>"]
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    bare.train_from_iterator(SENTENCES * 3, trainer)
    if adds_bos:
        bare.post_processor = processors.TemplateProcessing(
            single="<s> $A", pair="<s> $A $B", special_tokens=[("<s>", 0)]
        )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=bare,
        bos_token="<s>",
        eos_token="</s>",
        pad_token="<pad>" if pad else None,
    )
    if template:
        tokenizer.chat_template = template
    return tokenizer


_SMALL = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}

CONFIGS: dict[str, dict[str, Any]] = {
    "llama": {
        **_SMALL,
        "num_key_value_heads": 2,
        "intermediate_size": 64,
        "max_position_embeddings": 128,
    },
    "gpt2": {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 128},
    "gpt_neox": {**_SMALL, "intermediate_size": 64, "max_position_embeddings": 128},
    "qwen2": {
        **_SMALL,
        "num_key_value_heads": 2,
        "intermediate_size": 64,
        "max_position_embeddings": 128,
    },
    "qwen3": {
        **_SMALL,
        "num_key_value_heads": 2,
        "intermediate_size": 64,
        "max_position_embeddings": 128,
    },
    "mistral": {
        **_SMALL,
        "num_key_value_heads": 2,
        "intermediate_size": 64,
        "max_position_embeddings": 128,
        "sliding_window": 12,
    },
    "bloom": {"hidden_size": 32, "n_layer": 2, "n_head": 4},
    "opt": {
        **_SMALL,
        "ffn_dim": 64,
        "word_embed_proj_dim": 32,
        "max_position_embeddings": 128,
    },
    "mamba": {"hidden_size": 32, "num_hidden_layers": 2, "state_size": 8},
}
"""Small settings per architecture: rotary, learned and linear-bias positions, no attention."""


def make_network(architecture: str, vocabulary: int, seed: int = 0, **settings: Any) -> Any:
    """A transformer with random weights that are spread enough for clear preferences."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    torch.manual_seed(seed)
    config = AutoConfig.for_model(
        architecture,
        vocab_size=vocabulary,
        bos_token_id=0,
        eos_token_id=1,
        pad_token_id=None,
        **{"initializer_range": 0.3, **CONFIGS[architecture], **settings},
    )
    return AutoModelForCausalLM.from_config(config).eval()


@cache
def saved(directory: Path, architecture: str, adds_bos: bool, pad: bool, template: str) -> Path:
    path = directory / f"{architecture}-{adds_bos}-{pad}-{len(template)}"
    tokenizer = make_tokenizer(adds_bos=adds_bos, pad=pad, template=template)
    make_network(architecture, len(tokenizer)).save_pretrained(path)
    tokenizer.save_pretrained(path)
    return path
