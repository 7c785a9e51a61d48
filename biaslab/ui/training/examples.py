"""Two problems of a mix's commonest kinds, as the model is taught them."""

from __future__ import annotations

import html
from functools import lru_cache
from itertools import islice

import streamlit as st

from biaslab.studies import Item
from biaslab.training.lessons import ONE_STEP, TrainingLesson, lessons
from biaslab.training.mix import LessonMix, read_mix
from biaslab.ui.training.mix import kinds
from biaslab.ui.widgets.cards import steps_html

_KIND_WORDS = {
    "transfer": "Getting and giving",
    "consistent": "A consistent comparison",
    "inconsistent": "An inconsistent comparison",
}
_LOOKED_AT = 3_000
"""Lessons looked through for a kind: enough for one that has a share of one in a hundred."""


def kind_of(item: Item) -> str:
    """``transfer``, or the wording of the problem's only comparison."""
    wordings = {step["consistent"] for step in item.facts["steps"]} - {None}
    if not wordings:
        return "transfer"
    return "consistent" if True in wordings else "inconsistent"


def commonest(mix: LessonMix) -> list[str]:
    """The two commonest kinds of word problems; one where there is no other."""
    shares = kinds(mix)
    there = [kind for kind in shares if shares[kind] > 0]
    return sorted(there, key=lambda kind: -shares[kind])[:2]


@lru_cache(maxsize=64)
def example_lessons(mix: str, seed: int) -> tuple[tuple[str, TrainingLesson], ...]:
    """For each of the commonest kinds a lesson of one step that this training really has.

    Args:
        mix: its ratios (`LessonMix.text`).
        seed: of the training.
    """
    chosen = read_mix(mix)
    wanted = commonest(chosen)
    many = 2 // len(wanted)
    found: dict[str, list[TrainingLesson]] = {kind: [] for kind in wanted}
    for lesson in islice(lessons(chosen, seed, 0, ONE_STEP), _LOOKED_AT):
        mine = found.get(kind_of(lesson.item))
        if mine is not None and len(mine) < many:
            mine.append(lesson)
        if all(len(some) == many for some in found.values()):
            break
    return tuple((kind, lesson) for kind in wanted for lesson in found[kind])


def draw_examples(mix: LessonMix, seed: int) -> None:
    """Draws them side by side, with their calculation."""
    cards = "".join(
        f'<section class="bl-card {_side(kind)}" aria-label="{_KIND_WORDS[kind]}">'
        f'<div class="bl-arm">{_KIND_WORDS[kind]}</div>'
        f'<p class="bl-text">{html.escape(lesson.item.text)}</p>'
        f"{steps_html(lesson.item.facts['steps'])}"
        f'<p class="bl-foot">Right answer: <b>{html.escape(lesson.item.answer)}</b></p></section>'
        for kind, lesson in example_lessons(mix.text, seed)
    )
    st.html(f'<div class="bl bl-pair">{cards}</div>')


def _side(kind: str) -> str:
    return "x-prime" if kind == "inconsistent" else "x"
