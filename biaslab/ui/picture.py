"""The picture on the first screen: a real minimal pair and what its outcomes mean."""

from __future__ import annotations

import html

import streamlit as st

from biaslab.experiments import Pair, experiment
from biaslab.ui import kept
from biaslab.ui.cards import member_html
from biaslab.ui.demo import STUDY

_SETTINGS = (("numbers", "2-20"), ("operations", "additive"), ("steps", "1-1"))
_SEED = 1


def minimal_pair() -> Pair:
    """A real pair of the demo's study: one sentence differs, and nothing else."""
    return kept.first_pairs(STUDY, _SEED, _SETTINGS, 1)[0]


def draw_picture() -> None:
    """The pair, and under it what it means when one of the two is answered right."""
    arms = experiment(STUDY).arms
    pair = minimal_pair()
    x, x_prime = html.escape(arms.x), html.escape(arms.x_prime)
    st.html(
        '<figure class="bl bl-picture" aria-label="A pair of problems and its two outcomes">'
        '<div class="bl-pair">'
        + member_html(pair.x, pair.x_prime, arms.x, "x", working=True)
        + member_html(pair.x_prime, pair.x, arms.x_prime, "x-prime", working=True)
        + "</div>"
        '<div class="bl-pair">'
        f'<p class="bl-arrow">✓ answered right</p><p class="bl-arrow">✗ answered wrong</p>'
        "</div>"
        "<figcaption>The same calculation and the same answer; only the underlined words differ. "
        f"If a model gets “{x}” problems right more often than “{x_prime}” ones, the wording "
        "misled it, as it misleads children.</figcaption></figure>"
    )
