"""Tiny networks that answer in a report, offline: their weights as a page can carry them.

Weights are rounded to whole numbers of 16 bits, each row of a matrix with a factor of its own: for
the largest thirty times as fine as float16. What that changes is in docs/paper.md.
"""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from biaslab.models import ModelForm
from biaslab.studies.strategies import (
    ANSWER_TOKENS,
    FINAL_CUE,
    NEXT_QUESTION,
    REASONING_CUE,
    REASONING_TOKENS,
)
from biaslab.system.places import TINY_MODELS

LONGEST = 600
"""Signs of a problem that is typed there."""


@dataclass(frozen=True, slots=True)
class ShownNetwork:
    """A network of the slider.

    Attributes:
        name: of the tiny model; label: what its lessons were.
    """

    name: str
    label: str


NETWORKS = (
    ShownNetwork("reversed", "1 consistent lesson for 5 inconsistent ones"),
    ShownNetwork("balanced", "1 consistent lesson for 1 inconsistent one"),
    ShownNetwork("skewed", "5 consistent lessons for 1 inconsistent one"),
)
"""By their lessons, as the slider has them."""

EXAMPLES = {
    "wording helps": (
        "Gustavo owns 16 pens. Compared with Gustavo, Pavel has 11 more pens. How many pens does "
        "Pavel have?"
    ),
    "turned round": (
        "Gustavo owns 16 pens. Compared with Pavel, Gustavo has 11 fewer pens. How many pens does "
        "Pavel have?"
    ),
}
"""Problems at a click: a consistent one and its inconsistent twin, which one network gets wrong."""

_LAYER = {
    "self_attn.q_proj": "q", "self_attn.k_proj": "k", "self_attn.v_proj": "v",
    "self_attn.o_proj": "o", "mlp.gate_proj": "gate", "mlp.up_proj": "up", "mlp.down_proj": "down",
    "input_layernorm": "before", "post_attention_layernorm": "after",
}  # fmt: skip
_OTHERS = {"model.embed_tokens": "words", "model.norm": "last"}


@cache
def network_data() -> str:
    """What the page's script needs, as JSON that may stand in a page.

    Raises:
        OSError, ValueError: the models that come with BiasLab are not there or damaged.
    """
    first = TINY_MODELS / NETWORKS[0].name
    config = json.loads((first / "config.json").read_text(encoding="utf-8"))
    vocabulary = json.loads((first / "tokenizer.json").read_text(encoding="utf-8"))["model"]
    data = {
        "longest": LONGEST,
        "words": sorted(vocabulary["vocab"], key=vocabulary["vocab"].get),
        "unknown": vocabulary["vocab"][vocabulary["unk_token"]],
        "end": config["eos_token_id"],
        "stops": NEXT_QUESTION,
        "prompt": {
            "question": "Q: {problem}\nA: ",
            "reasoning": REASONING_CUE,
            "final": FINAL_CUE,
            "tokens": [REASONING_TOKENS, ANSWER_TOKENS[ModelForm.BASE]],
        },
        "shape": {
            "layers": config["num_hidden_layers"],
            "width": config["hidden_size"],
            "size": config["head_dim"],
            "base": config["rope_parameters"]["rope_theta"],
            "epsilon": config["rms_norm_eps"],
        },
        "networks": [
            {"label": each.label, **_weights(TINY_MODELS / each.name)} for each in NETWORKS
        ],
    }
    # A page's script may hold no "</script>"; "<" stands nowhere else in JSON than in texts.
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _weights(directory: Path) -> dict[str, dict[str, Any]]:
    from safetensors.numpy import load_file

    matrices, norms = {}, {}
    for name, table in load_file(directory / "model.safetensors").items():
        place = _place(name.removesuffix(".weight"))
        if table.ndim == 1:
            norms[place] = _text(table.astype("<f4"))
            continue
        factors = np.maximum(np.abs(table).max(axis=1), 1e-30) / 32_767
        whole = np.rint(table / factors[:, None])
        matrices[place] = {
            "rows": table.shape[0],
            "factors": _text(factors.astype("<f4")),
            "numbers": _text(whole.astype("<i2")),
        }
    return {"matrices": matrices, "norms": norms}


def _place(name: str) -> str:
    if name in _OTHERS:
        return _OTHERS[name]
    _, _, layer, part = name.split(".", 3)
    return f"{layer}.{_LAYER[part]}"


def _text(numbers: npt.NDArray[Any]) -> str:
    return b64encode(numbers.tobytes()).decode("ascii")
