"""The two plain products give what the fused attention gives.

torch is imported by the tests and not by the module: alone in `make quick` to need it,
it would make every worker wait five seconds while tests are collected.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st


@given(
    rows=st.integers(1, 4),
    shared=st.integers(1, 3),
    group=st.integers(1, 3),
    tokens=st.integers(1, 20),
    new=st.integers(1, 3),
    mask=st.sampled_from(["none", "seen", "added", "per head"]),
    fine=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_attention_is_softmax_of_scaled_products(
    rows: int, shared: int, group: int, tokens: int, new: int, mask: str, fine: bool, seed: int
) -> None:
    import torch

    from biaslab.models.local.processor import attend, attend_finely

    luck = torch.Generator().manual_seed(seed)
    query = torch.randn(rows, shared * group, new, 8, generator=luck)
    key, value = (torch.randn(rows, shared, tokens, 8, generator=luck) for _ in range(2))
    seen = torch.rand(rows, 1, new, tokens, generator=luck) < 0.7
    seen[..., 0] = True
    layer = torch.nn.Module()
    layer.num_key_value_groups = group
    layer.is_causal = False
    given_mask = {
        "none": None,
        "seen": seen,
        "added": torch.zeros(seen.shape).masked_fill(~seen, float("-inf")),
        "per head": seen.expand(-1, shared * group, -1, -1),
    }[mask]
    way = attend_finely if fine else attend
    found, _ = way(layer, query, key, value, given_mask, scaling=0.3, dropout=0.0)
    scores = query @ key.repeat_interleave(group, 1).transpose(-1, -2) * 0.3
    if mask != "none":
        scores = scores.masked_fill(~seen, float("-inf"))
    expected = scores.softmax(-1) @ value.repeat_interleave(group, 1)
    assert torch.allclose(found, expected.transpose(1, 2), atol=1e-5)


@pytest.mark.parametrize(("architecture", "plainly"), [("llama", True), ("bloom", False)])
def test_a_model_with_an_attention_of_its_own_keeps_it(architecture: str, plainly: bool) -> None:
    from biaslab.models.local.processor import attend_plainly
    from tests.models.random_models import make_network

    assert attend_plainly(make_network(architecture, 300)) is plainly
