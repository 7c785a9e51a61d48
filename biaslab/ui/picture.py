"""The picture on the first screen: a real minimal pair and what its outcomes mean."""

from __future__ import annotations

import html

import streamlit as st

from biaslab.experiments import Pair, experiment
from biaslab.experiments.registry import evidence_about_people
from biaslab.ui import kept
from biaslab.ui.cards import member_html
from biaslab.ui.demo import STUDY

_SETTINGS = (("numbers", "2-20"), ("operations", "additive"), ("steps", "1-1"))
_SEED = 20


def minimal_pair() -> Pair:
    """A real pair of the demo's study: one sentence differs, and nothing else."""
    return kept.first_pairs(STUDY, _SEED, _SETTINGS, 1)[0]


def draw_picture() -> None:
    """The pair, and under it what it means when one of the two is answered right."""
    arms = experiment(STUDY).arms
    pair = minimal_pair()
    x, x_prime = html.escape(arms.x), html.escape(arms.x_prime)
    wrong = _misled(pair)
    st.html(
        '<figure class="bl bl-picture" aria-label="A pair of problems and its two outcomes">'
        '<div class="bl-pair">'
        + member_html(
            pair.x, pair.x_prime, arms.x, "x",
            working=False, outcome=f"✓ A model answers {pair.x.answer}",
        )
        + member_html(
            pair.x_prime, pair.x, arms.x_prime, "x-prime",
            working=False, outcome=f"✗ The same model answers {wrong}",
        )
        + "</div>"
        "<figcaption>The same calculation and the same answer; only the underlined words differ. "
        f"A model that gets “{x}” problems right more often than “{x_prime}” ones is misled by "
        f"the wording{_known()}.</figcaption></figure>"
    )  # fmt: skip


def _known() -> str:
    people = evidence_about_people(STUDY)
    return "" if people is None else html.escape(f", as {people.cited} are")


def _misled(pair: Pair) -> int:
    """The answer of somebody who does what the misleading word says."""
    (step,) = pair.x_prime.facts["steps"]
    left, right = int(step["left"]), int(step["right"])
    return left + right if step["operation"] == "-" else left - right
