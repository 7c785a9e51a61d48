"""Small GGUF files that are written as llama.cpp's converter writes them, from real models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gguf
import numpy as np

from biaslab.models.local.gguf.opening import BEGINNING, KNOWN
from tests.models.random_models import CHAT_TEMPLATE, make_network, make_tokenizer

_KINDS = {
    "attention.head_count": "num_attention_heads",
    "attention.head_count_kv": "num_key_value_heads",
    "attention.layer_norm_rms_epsilon": "rms_norm_eps",
    "block_count": "num_hidden_layers",
    "context_length": "max_position_embeddings",
    "embedding_length": "hidden_size",
    "feed_forward_length": "intermediate_size",
}


def taught(architecture: str, seed: int = 0, **settings: Any) -> tuple[Any, Any]:
    """A network and tokenizer that know the text by which a model is checked, and little else."""
    import torch

    torch.manual_seed(seed)
    tokenizer = make_tokenizer(adds_bos=False)
    settings = {"initializer_range": 0.1, "max_position_embeddings": 512, **settings}
    network = make_network(architecture, len(tokenizer), seed, **settings)
    tokens = torch.tensor([tokenizer(BEGINNING + KNOWN)["input_ids"]])
    steps = torch.optim.AdamW(network.parameters(), lr=1e-2)
    for _ in range(40):
        steps.zero_grad()
        network(input_ids=tokens, labels=tokens).loss.backward()
        steps.step()
    return network.eval(), tokenizer


def write(
    path: Path,
    network: Any,
    tokenizer: Any,
    *,
    template: str = CHAT_TEMPLATE,
    said: dict[str, Any] | None = None,
    further: tuple[str, ...] = (),
    architecture: str = "",
    cut: str = "",
) -> Path:
    """Writes a model as a GGUF file.

    Args:
        path: of the file.
        network, tokenizer: of transformers.
        template: the chat template; empty for none.
        said: further texts and numbers of its metadata.
        further: names of tables that belong to no network.
        architecture: what the file says instead of the truth.
        cut: the way of cutting a text, if not the usual one.
    """
    config, kind = network.config, network.config.model_type
    named = architecture or kind
    file = gguf.GGUFWriter(path, named)
    for key, name in _KINDS.items():
        value = getattr(config, name)
        add = file.add_float32 if isinstance(value, float) else file.add_uint32
        add(f"{named}.{key}", value)
    file.add_float32(f"{named}.rope.freq_base", float(config.rope_parameters["rope_theta"]))
    file.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    vocabulary = sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().__getitem__)
    file.add_tokenizer_model("gpt2")
    file.add_tokenizer_pre(cut or ("qwen2" if kind.startswith("qwen") else "gpt-2"))
    file.add_token_list(vocabulary)
    file.add_token_types([3 if each in ("<s>", "</s>") else 1 for each in vocabulary])
    merges = json.loads(tokenizer.backend_tokenizer.to_str())["model"]["merges"]
    file.add_token_merges([" ".join(each) for each in merges])
    file.add_bos_token_id(0)
    file.add_eos_token_id(1)
    file.add_add_bos_token(False)
    if template:
        file.add_chat_template(template)
    for key, value in (said or {}).items():
        (file.add_string if isinstance(value, str) else file.add_uint32)(key, value)
    kinds = {name: arch for arch, name in gguf.MODEL_ARCH_NAMES.items()}
    names = gguf.get_tensor_name_map(kinds[kind], config.num_hidden_layers)
    for name, tensor in network.state_dict().items():
        if name == "lm_head.weight" and config.tie_word_embeddings:
            continue
        layer, _, part = name.rpartition(".")
        numbers = tensor.float().numpy()
        if kind == "llama" and layer.endswith(("q_proj", "k_proj")):
            heads = config.num_attention_heads
            heads = heads if layer.endswith("q_proj") else config.num_key_value_heads
            halves = numbers.reshape(heads, 2, -1, numbers.shape[-1])
            numbers = halves.swapaxes(1, 2).reshape(numbers.shape)
        _add(file, f"{names.get_name(layer)}.{part}", np.ascontiguousarray(numbers))
    for name in further:
        file.add_tensor(name, np.ones(4, dtype=np.float32))
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.write_tensors_to_file()
    file.close()
    return path


def _add(file: gguf.GGUFWriter, name: str, numbers: np.ndarray) -> None:
    """Tables whose rows are whole blocks in eight bits, the others as they are."""
    if numbers.ndim == 2 and numbers.shape[1] % 32 == 0:
        kind = gguf.GGMLQuantizationType.Q8_0
        file.add_tensor(name, gguf.quantize(numbers, kind), raw_dtype=kind)
    else:
        file.add_tensor(name, numbers)
