"""Tiny networks in a report: small, whole, and allowed by the page's own policy."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from dataclasses import replace
from hashlib import sha256
from html import unescape

import numpy as np
from safetensors.numpy import load_file

from biaslab.publishing.report import page
from biaslab.publishing.report.network import NETWORKS, network_data
from biaslab.system.places import TINY_MODELS
from tests.publishing.report.conftest import hostile


def table(stored: dict[str, object]) -> np.ndarray:
    factors = np.frombuffer(b64decode(str(stored["factors"])), "<f4")
    numbers = np.frombuffer(b64decode(str(stored["numbers"])), "<i2")
    return numbers.reshape(int(str(stored["rows"])), -1) * factors[:, None]


def test_every_weight_is_there_and_hardly_rounded():
    data = json.loads(network_data())
    assert len(data["networks"]) == len(NETWORKS) == 3
    for shown, network in zip(NETWORKS, data["networks"], strict=True):
        weights = load_file(TINY_MODELS / shown.name / "model.safetensors")
        words = weights["model.embed_tokens.weight"]
        ours = table(network["matrices"]["words"])
        assert np.abs(ours - words).max() <= np.abs(words).max() / 32_767
        stored = sum(table(each).size for each in network["matrices"].values())
        stored += sum(len(b64decode(each)) // 4 for each in network["norms"].values())
        assert stored == sum(each.size for each in weights.values()) == 253_440
    assert data["words"][data["end"]] == "<end>"
    assert len(data["words"]) == words.shape[0]


def test_a_page_has_them_only_where_it_is_asked_for_and_stays_small():
    plain, with_them = page(hostile()), page(replace(hostile(), network=True))
    assert b"network-data" not in plain
    assert len(with_them) - len(plain) < 2_200_000
    text = with_them.decode()
    policy = re.search(r"script-src ([^;]*);", unescape(text))
    assert policy is not None
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert any("BiasLabNetworks" in script for script in scripts)
    for script in scripts:
        digest = sha256(script.encode()).digest()
        assert any(b64decode(each) == digest for each in re.findall(r"sha256-([^']+)'", policy[1]))
    assert with_them == page(replace(hostile(), network=True))
