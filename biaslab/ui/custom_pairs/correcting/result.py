"""What came of mending: the keep rate, why pairs were discarded, and keeping the rest as a set."""

from __future__ import annotations

import html

import streamlit as st

from biaslab.runs import RunError, StoreError, save_set
from biaslab.studies import Pair
from biaslab.studies.word_problems.custom.correction import CorrectedPair, Correction, set_of
from biaslab.studies.word_problems.custom.imported import NAME as IMPORTED
from biaslab.ui.custom_pairs.correcting.run import forget_result
from biaslab.ui.custom_pairs.correcting.source import PairSource
from biaslab.ui.navigation import COMPOSE, go
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.address import integer
from biaslab.ui.widgets.cards import differing, figures, pair_cards, to_html
from biaslab.ui.widgets.language_model import ReadyModel
from biaslab.ui.widgets.words import plain
from schoolmath.problems.meaning import Flaw
from schoolmath.text.figures import count, percent, percents

_SHOWN = 50
"""Most discarded pairs that can be looked through."""

_MEMBERS = {"x": "first member: ", "x_prime": "second member: ", "": ""}


def draw_result(result: Correction) -> None:
    """Draws the keep rate and the reasons."""
    rate, interval = result.keep_rate, result.interval
    if rate is not None and interval is not None:
        figures(
            {
                "keep rate": percent(rate),
                "95 % interval": percents(interval.low, interval.high),
                "kept": f"{len(result.kept):,} of {len(result.answered):,}",
                "of these changed": f"{result.changed:,}",
            }
        )
        st.caption(
            "The keep rate is the share of answered pairs whose mended text still says the same. "
            "The interval says how far off it may be by luck (Wilson's)."
        )
    if result.not_asked:
        st.info(
            f"{count(len(result.not_asked), 'pair was', 'pairs were')} not asked, because they "
            "cannot be read back, so nothing could be checked. "
            + plain(result.not_asked[0].reasons[0].text)
        )
    _draw_reasons(result.by_reason(), len(result.discarded))
    if result.discarded:
        _draw_discarded(result.discarded)


def _draw_reasons(reasons: list[tuple[Flaw, int]], discarded: int) -> None:
    if not reasons:
        return
    st.markdown(f"**Why {count(discarded, 'pair was', 'pairs were')} discarded**")
    rows = "".join(
        f"<li><b>{number:,}</b> {html.escape(flaw.label)} "
        f"<span class='bl-faint'>{html.escape(flaw)}</span></li>"
        for flaw, number in reasons
    )
    st.html(f'<ul class="bl" aria-label="Reasons">{rows}</ul>')
    st.caption("A pair can have several reasons. The last word names the reason in files.")


def _draw_discarded(discarded: list[CorrectedPair]) -> None:
    shown = min(len(discarded), _SHOWN)
    parameter = integer("discarded", 1, 1, shown)
    with st.expander("Look at what was discarded"):
        each = discarded[parameter.value - 1]
        for before, after in each.mended:
            st.html(
                '<div class="bl"><p class="bl-faint">Before</p>'
                f'<p class="bl-text">{to_html(differing(before, after))}</p>'
                '<p class="bl-faint">The model wrote</p>'
                f'<p class="bl-text">{to_html(differing(after, before))}</p></div>'
            )
        lines = [f"- {_MEMBERS[reason.member]}{plain(reason.text)}" for reason in each.reasons]
        st.markdown("**Discarded because:**\n\n" + "\n".join(lines))
        if shown > 1:
            st.pagination(shown, max_visible_pages=5, **parameter.bind())


def draw_keeping(result: Correction, source: PairSource, writer: ReadyModel) -> None:
    """Draws one of the kept pairs and the way to keep them all."""
    changed = [each for each in result.answered if each.kept is not None and each.mended]
    example = next((each.kept for each in changed if each.kept is not None), None)
    if example is not None:
        with st.expander("Look at a mended pair"):
            _draw_pair(example, source)
    if not result.kept:
        st.warning(
            "No mended pair passed the check, so there is nothing to keep. Try another model."
        )
        return
    name = st.text_input(
        "Name of the new set",
        value=f"Mended: {source.words}"[:120],
        key="name of the corrected set",
    )
    if st.button(f"Keep {count(len(result.kept), 'pair')} as a set", type="primary"):
        try:
            made = save_set(queries.store(), name, *set_of(result, writer.spec, source.words))
        except (RunError, StoreError) as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        forget_result()
        go(COMPOSE, study=IMPORTED, set=made.id, n=str(made.pairs))


def _draw_pair(pair: Pair, source: PairSource) -> None:
    study = source.treatment or IMPORTED
    pair_cards(pair, queries.study_of(study).arms, working=False)
