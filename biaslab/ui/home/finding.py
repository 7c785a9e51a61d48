"""A real model's answers on the first screen: one sentence, two bars, one pair word for word."""

from __future__ import annotations

import html
import re

import streamlit as st

from biaslab.models import Completion
from biaslab.runs import MemberDetail, PairDetail, RunRecord
from biaslab.stats.beside_effects import MARGIN
from biaslab.studies import Item, experiment
from biaslab.ui.first_finding import FirstFinding, finding, telling_pair
from biaslab.ui.navigation import EFFECTS, ITEMS, link
from biaslab.ui.results.item_detail import verdict
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.cards import SIGNS, differing, to_html
from schoolmath.malrules.catalogue.stories.chain import REVERSED
from schoolmath.text.figures import count, hundredths, interval_words, signed_points
from schoolmath.text.written_answers import readable

_LEAST_SHOWN, _MOST_SHOWN = 12, 34
"""Words of a response that are shown before a click: its end, where the calculation stands."""

HELPS, TURNED = "wording helps", "turned round"
"""What the kinds of problems are called where somebody has never heard of consistent ones."""


@st.cache_resource(show_spinner=False, max_entries=16)
def found_in(state: queries.OutcomesState) -> FirstFinding | None:
    """What a run as it stands found on problems with one calculation."""
    return finding(queries.store(), state.run)


@st.cache_resource(show_spinner=False, max_entries=4)
def _pair_of(state: queries.OutcomesState) -> PairDetail | None:
    return telling_pair(queries.store(), state.run)


def draw_sentence(run: RunRecord, found: FirstFinding) -> None:
    """How many of the problems the model gets right in either wording."""
    n, name = found.effect.n, html.escape(queries.model_label(run.model_spec))
    st.html(
        f'<p class="bl bl-lead"><b>{name}</b> answers <b>{found.right_x} of {n}</b> problems right '
        f"when the wording helps, and <b>{found.right_x_prime} of {n}</b> when the same sentence "
        "is turned round.</p>"
    )


def draw_bars(run: RunRecord, found: FirstFinding, when: str) -> None:
    """Both shares as bars, with their difference and how sure it is.

    Args:
        run: whose answers they are.
        found: what it found.
        when: who was asked when, as it stands above the bars.
    """
    arms, n = experiment(run.study).arms, found.effect.n
    bars = "".join(
        f'<div class="bl-bar {side}"><span class="bl-arm">{html.escape(words)}</span>'
        f'<div aria-hidden="true"><b style="width:{hundredths(right / n)}%"></b></div>'
        f"<strong>{right} of {n}</strong></div>"
        for side, words, right in (
            ("x", f"{HELPS} ({arms.x})", found.right_x),
            ("x-prime", f"{TURNED} ({arms.x_prime})", found.right_x_prime),
        )
    )
    st.html(
        f'<figure class="bl bl-bars"><figcaption class="bl-faint">{html.escape(when)}'
        f"</figcaption>{bars}"
        f'<p class="bl-faint">{html.escape(_difference(found))}</p></figure>'
    )


def _difference(found: FirstFinding) -> str:
    """The effect with interval and n, and why it says little where it does."""
    effect = found.effect
    words = f"Difference {signed_points(effect.cate)} points"
    if effect.ci_low is None or effect.ci_high is None:
        return f"{words}, {count(effect.n, 'pair')}."
    words += (
        f" (95 % interval {interval_words(effect.ci_low, effect.ci_high)}), "
        f"{count(effect.n, 'pair')} with one calculation, asked step by step."
    )
    if not effect.ci_low <= 0 <= effect.ci_high:
        return words
    share = (found.right_x + found.right_x_prime) / (2 * effect.n)
    if MARGIN < share < 1 - MARGIN:
        return f"{words} This may be chance."
    nearly_all = "wrong" if share <= MARGIN else "right"
    return f"{words} Nearly all are {nearly_all}, so a difference had hardly any room to show."


def draw_pair(run: RunRecord, day: str) -> None:
    """A pair that shows the reversed operation, with what the model wrote to both members."""
    found = _pair_of(queries.OutcomesState.of(run))
    if found is None:
        return
    x = _member(found.x, found.x_prime, HELPS, "x")
    other = _member(found.x_prime, found.x, TURNED, "x-prime", _reversed(found.x_prime.item))
    name = html.escape(queries.model_label(run.model_spec))
    st.html(
        '<figure class="bl bl-words" aria-label="A pair of problems and how both were answered">'
        f'<div class="bl-pair">{x}{other}</div><figcaption class="bl-faint">Only the underlined '
        f"words differ. Answers of {name}, recorded on {day}.</figcaption></figure>"
    )
    with st.container(horizontal=True, gap="small"):
        link(ITEMS, "This pair, in full", {"run": run.id, "pair": found.pair.id})
        link(EFFECTS, "The effect, with every test", {"runs": run.id, "by": "steps"})


def _reversed(item: Item) -> str:
    """Which operation the model took for which."""
    (step,) = item.facts["steps"]
    taken, needed = (
        f"{step['left']} {SIGNS[sign]} {step['right']}"
        for sign in (REVERSED[step["operation"]], step["operation"])
    )
    return f", which is {taken} in place of {needed}"


def _member(member: MemberDetail, other: MemberDetail, arm: str, side: str, how: str = "") -> str:
    texts = [e.answered.text for e in member.stages if isinstance(e.answered, Completion)]
    whole = "".join(f'<div class="bl-pre">{html.escape(text.strip())}</div>' for text in texts)
    return (
        f'<section class="bl-card {side}" aria-label="{html.escape(arm)}">'
        f'<div class="bl-arm">{html.escape(arm)}</div>'
        f'<p class="bl-text">{to_html(differing(member.item.text, other.item.text))}</p>'
        f'<div class="bl-foot"><p class="bl-outcome">{html.escape(verdict(member) + how)}</p>'
        f"<details><summary>{_end(texts[0]) if texts else ''}</summary>{whole}"
        "</details></div></section>"
    )


def _end(text: str) -> str:
    """The last sentences of a response as HTML, its formulas as plain text."""
    sentences = re.split(r"(?<=[.:!?])\s+|\n+", readable(text))
    shown: list[str] = []
    words = 0
    while sentences and words < _LEAST_SHOWN:
        part = sentences.pop().split()[-_MOST_SHOWN:]
        shown, words = [" ".join(part), *shown], words + len(part)
    cut = "… " if any(map(str.strip, sentences)) else ""
    return cut + "<br>".join(html.escape(part) for part in shown if part)
