"""Effects on a model's card: read as they were written, refused with the field when damaged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.models import BrokenModel, CardEffect, ModelCard, read_card

ends = st.none() | st.floats(-1, 1)


@st.composite
def effects(draw: st.DrawFn) -> CardEffect:
    n = draw(st.integers(1, 1000))
    right = st.integers(0, n)
    return CardEffect(
        "consistency", "direct", 1, "additive", n, draw(right), draw(right), draw(ends),
        draw(ends), draw(st.booleans()),
    )  # fmt: skip


def card(*found: CardEffect) -> ModelCard:
    return ModelCard(
        "t", "T", "Tiny.", (), (), 1, 1, (), (), found, ("It adds.",), "no-carry:carry=1:1"
    )


@given(st.lists(effects(), max_size=3))
def test_a_card_with_effects_survives_being_written_and_read(found: list[CardEffect]) -> None:
    content = json.loads(json.dumps(card(*found).to_json()))
    assert ModelCard.from_json(content) == card(*found)


def test_the_effect_is_the_difference_of_the_shares() -> None:
    effect = CardEffect("carry", "cot", 1, "", 200, 150, 100, 0.1, 0.4, identical=False)
    assert effect.cate == 0.25


@pytest.mark.parametrize(
    ("change", "about"),
    [
        ({"n": 0}, "no pairs"),
        ({"right_x": 201}, "more right answers"),
        ({"low": 2}, "“low” is no number from -1 to 1"),
        ({"high": "much"}, "“high” is no number"),
        ({"study": None}, "“study” is not a text"),
    ],
)
def test_a_damaged_effect_is_refused_with_the_field(
    change: dict[str, Any], about: str, tmp_path: Path
) -> None:
    effect = CardEffect("carry", "cot", 1, "", 200, 150, 100, 0.1, 0.4, identical=False)
    content = card(effect).to_json()
    content["effects"][0].update(change)
    (tmp_path / "model_card.json").write_text(json.dumps(content))
    with pytest.raises(BrokenModel, match=about):
        read_card(tmp_path)
