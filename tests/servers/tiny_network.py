"""A tiny model computed a second time, straight from its weights, for the test server.

It shares no code with `biaslab.models` or transformers, so that equal numbers mean something, and
it starts in the time that importing torch takes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch.nn.functional import linear, scaled_dot_product_attention, silu

NAME = "reversed"
"""Of the family, the one that tells the two sums apart that log-probabilities are tried with."""

TINY = Path(__file__).resolve().parents[2] / "assets" / "models" / NAME


@dataclass(frozen=True)
class Piece:
    """A token and the text it stands for."""

    number: int
    text: str


class TinyNetwork:
    """A Llama with its tokenizer."""

    def __init__(self, directory: Path = TINY) -> None:
        config = json.loads((directory / "config.json").read_text())
        self.context: int = config["max_position_embeddings"]
        self.end: int = config["eos_token_id"]
        self._heads: int = config["num_attention_heads"]
        self._size: int = config["head_dim"]
        self._layers: int = config["num_hidden_layers"]
        self._smallest: float = config["rms_norm_eps"]
        self._weights = load_file(directory / "model.safetensors")
        self._tokenizer = Tokenizer.from_file(str(directory / "tokenizer.json"))
        places = torch.arange(self.context)[:, None]
        speeds = config["rope_parameters"]["rope_theta"] ** (
            -torch.arange(0, self._size, 2) / self._size
        )
        angles = torch.cat([places * speeds, places * speeds], 1)
        self._cos, self._sin = angles.cos(), angles.sin()

    def pieces(self, text: str) -> list[Piece]:
        """The text's tokens, each with the part of the text that it covers."""
        found = self._tokenizer.encode(text)
        return [
            Piece(number, text[start:end])
            for number, (start, end) in zip(found.ids, found.offsets, strict=True)
        ]

    def text(self, number: int) -> str:
        """What a token writes; nothing for the end of a text."""
        return self._tokenizer.decode([number], skip_special_tokens=True)

    def log_probabilities(self, numbers: list[int]) -> torch.Tensor:
        """Of the token after each of these, (tokens, vocabulary)."""
        return self.read(numbers, [])

    @torch.inference_mode()
    def read(
        self, numbers: list[int], memory: list[tuple[torch.Tensor, torch.Tensor]]
    ) -> torch.Tensor:
        """The same after what is remembered; the memory grows by these tokens."""
        before = memory[0][0].shape[1] if memory else 0
        states = self._weights["model.embed_tokens.weight"][torch.tensor(numbers)]
        for layer in range(self._layers):
            name = f"model.layers.{layer}."
            seen = self._normal(states, name + "input_layernorm.weight")
            states = states + self._attended(seen, name + "self_attn.", layer, before, memory)
            seen = self._normal(states, name + "post_attention_layernorm.weight")
            gate = silu(linear(seen, self._weights[name + "mlp.gate_proj.weight"]))
            up = linear(seen, self._weights[name + "mlp.up_proj.weight"])
            states = states + linear(gate * up, self._weights[name + "mlp.down_proj.weight"])
        states = self._normal(states, "model.norm.weight")
        return linear(states, self._weights["model.embed_tokens.weight"]).double().log_softmax(-1)

    def _attended(
        self,
        seen: torch.Tensor,
        name: str,
        layer: int,
        before: int,
        memory: list[tuple[torch.Tensor, torch.Tensor]],
    ) -> torch.Tensor:
        query, key, value = (
            linear(seen, self._weights[f"{name}{which}_proj.weight"])
            .view(len(seen), self._heads, self._size)
            .transpose(0, 1)
            for which in "qkv"
        )
        query, key = self._turned(query, before), self._turned(key, before)
        if layer < len(memory):
            key = torch.cat([memory[layer][0], key], 1)
            value = torch.cat([memory[layer][1], value], 1)
            memory[layer] = (key, value)
        else:
            memory.append((key, value))
        past = torch.ones(len(seen), key.shape[1], dtype=torch.bool).tril(before)
        mixed = scaled_dot_product_attention(query[None], key[None], value[None], past)[0]
        return linear(
            mixed.transpose(0, 1).reshape(len(seen), -1), self._weights[name + "o_proj.weight"]
        )

    def _turned(self, states: torch.Tensor, before: int) -> torch.Tensor:
        places = slice(before, before + states.shape[1])
        first, second = states.chunk(2, -1)
        return states * self._cos[places] + torch.cat([-second, first], -1) * self._sin[places]

    def _normal(self, states: torch.Tensor, name: str) -> torch.Tensor:
        spread = states.pow(2).mean(-1, keepdim=True) + self._smallest
        return states * spread.rsqrt() * self._weights[name]
