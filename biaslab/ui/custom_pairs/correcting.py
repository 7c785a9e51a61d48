"""Mending pairs: which, how far it is, what came of it, and keeping the rest as a set."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

import streamlit as st

from biaslab.runs import RunError, StoreError, save_set
from biaslab.runs.engine.sources import at_most_all
from biaslab.runs.library.pair_sets import PairSet, pair_sets
from biaslab.studies import Design, Pair, experiments
from biaslab.studies.strategies import WORD_PROBLEM_STRATEGIES
from biaslab.studies.study import LARGEST_SEED
from biaslab.studies.word_problems.custom.correction import (
    MOST_PAIRS,
    CorrectedPair,
    Correction,
    CorrectionProgress,
    CorrectionPrompt,
    correct,
    set_of,
)
from biaslab.studies.word_problems.custom.imported import NAME as IMPORTED
from biaslab.studies.word_problems.custom.imported import SET
from biaslab.ui.compose import design_form
from biaslab.ui.compose.design_form import set_words
from biaslab.ui.navigation import COMPOSE, go, link
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import Parameter, choice, integer
from biaslab.ui.widgets.cards import differing, figures, pair_cards, to_html
from biaslab.ui.widgets.language_model import ReadyModel
from biaslab.ui.widgets.words import plain
from schoolmath.problems import DesignError
from schoolmath.problems.meaning import Flaw
from schoolmath.text.figures import count, percent, percents

_PROMPTS = {
    CorrectionPrompt.SENTENCES: "By sentence",
    CorrectionPrompt.PUBLISHED: "As published",
}

_FEW = 20
"""Pairs that are mended unless told: a first look at what the model does costs little."""


@dataclass(frozen=True, slots=True)
class PairSource:
    """Pairs to be mended.

    Attributes:
        words: what they are, for people.
        key: identifies them: the same key, the same pairs.
        treatment: what differs in them, where their strata do not say so.
        pairs: makes them.
        prompt: how the model is asked.
    """

    words: str
    key: str
    treatment: str
    pairs: Callable[[], list[Pair]]
    prompt: CorrectionPrompt


def draw_source() -> PairSource | None:
    """Draws what is mended and how many pairs of it; None while there is none."""
    sets = pair_sets(queries.store())
    design = design_form.design_of_address()
    parameter = design_form.study_parameter()
    names = [name for name in _studies() if name != IMPORTED or sets]
    choosing.selectbox(
        "Pairs of",
        names,
        format_func=lambda name: queries.study_of(name).title,
        filter_mode=None,
        **parameter.bind(),
    )
    if design.study == IMPORTED:
        design = _draw_set(design, sets)
    first = integer("first", _FEW, 1, MOST_PAIRS)
    one, other = st.columns(2, wrap=False)
    with one:
        st.number_input(
            "First pairs", min_value=1, max_value=MOST_PAIRS, step=10, value=None,
            help="Begin with few: the keep rate shows whether the "
            "model can do it.",
            **first.bind(),
        )  # fmt: skip
    with other:
        st.number_input(
            "Seed", min_value=0, max_value=LARGEST_SEED, step=1, value=None,
            help="The same seed gives the same pairs on every computer.",
            **design_form.seed_parameter().bind(),
        )  # fmt: skip
    prompt = choice("prompt", tuple(_PROMPTS), CorrectionPrompt.SENTENCES)
    choosing.segmented_control(
        "How it is asked",
        list(_PROMPTS),
        format_func=_PROMPTS.__getitem__,
        required=True,
        help="By sentence: one request for each pair, in our words. As published: one for "
        "each of its two whole texts, in the words of Opedal et al. (2024, table 3). All "
        "corrections get the same check.",
        **prompt.bind(),
    )
    if design.settings and design.study != IMPORTED:
        listed = ", ".join(f"{name} {value}" for name, value in design.settings.items())
        st.caption(f"With {plain(listed)}, as chosen on Compose.")
    if design.study != IMPORTED:
        link(COMPOSE, "Look at the pairs on Compose", design_form.address_of(design))
    return _source(design, first.value, CorrectionPrompt(prompt.value))


def _studies() -> list[str]:
    """Studies of word problems: those that are asked in the paper's ways."""
    return [
        name for name, study in experiments().items() if study.strategies == WORD_PROBLEM_STRATEGIES
    ]


def _draw_set(design: Design, sets: list[PairSet]) -> Design:
    by_id = {each.id: each for each in sets}
    parameter: Parameter[str] = choice(SET.name, tuple(by_id), next(iter(by_id), ""))
    words = set_words(sets)
    choosing.selectbox("Set", words, format_func=words.__getitem__, **parameter.bind())
    return Design(design.study, design.n, design.seed, {SET.name: parameter.value})


def _source(design: Design, first: int, prompt: CorrectionPrompt) -> PairSource | None:
    wanted = Design(design.study, first, design.seed, dict(design.settings))
    try:
        wanted = at_most_all(queries.store(), wanted)
        # Settings that give no pairs are refused here rather than after the click.
        list(islice(queries.study_of(wanted.study).pairs(wanted), 1))
    except DesignError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None
    study = queries.study_of(wanted.study)
    own = wanted.study == IMPORTED
    words = f"{study.title}, {count(wanted.n, 'pair')}, seed {wanted.seed}"
    if own:
        named = {each.id: each.name for each in pair_sets(queries.store())}
        words = f"set “{named.get(str(wanted.settings[SET.name]), '')}”"
    return PairSource(
        words,
        f"{wanted!r} {prompt}",
        "" if own else wanted.study,
        lambda: list(study.pairs(wanted)),
        prompt,
    )


_RESULT = "correction"


def stored_result(source: PairSource, writer: ReadyModel) -> Correction | None:
    """What this session has of these pairs and this model."""
    kept: tuple[str, Correction] | None = st.session_state.get(_RESULT)
    return kept[1] if kept is not None and kept[0] == _key(source, writer) else None


def forget_result() -> None:
    """Drops it, as after it was kept as a set."""
    st.session_state.pop(_RESULT, None)


def mend(source: PairSource, writer: ReadyModel, before: Correction | None = None) -> Correction:
    """Asks the model and shows how far it is; clicking anything else ends it.

    Args:
        source: the pairs.
        writer: who mends.
        before: an earlier result, of which only what got no answer is asked again.

    Raises:
        ProblemError, RunError, StoreError: the pairs cannot be made or the model not be asked.
    """
    pairs = source.pairs() if before is None else [each.pair for each in before.not_answered]
    bar = st.progress(0.0, "Opening the model …")
    note = st.empty()
    note.caption("Clicking anything else on this page ends it; nothing is saved then.")
    result = correct(
        pairs,
        writer.ask,
        writer.form,
        treatment=source.treatment,
        prompt=source.prompt,
        before=before,
        on_progress=lambda progress: bar.progress(progress.done / progress.wanted, _far(progress)),
    )
    bar.empty()
    note.empty()
    st.session_state[_RESULT] = (_key(source, writer), result)
    return result


def _far(progress: CorrectionProgress) -> str:
    parts = [
        f"{progress.done:,} of {count(progress.wanted, 'pair')}",
        f"{progress.kept:,} saved",
        f"{progress.discarded:,} discarded",
    ]
    if progress.not_answered:
        parts.append(f"{progress.not_answered:,} without an answer")
    return ", ".join(parts)


def _key(source: PairSource, writer: ReadyModel) -> str:
    return f"{source.key} {writer.spec} {writer.access.base_urls}"


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
            "The keep rate is the share of answered pairs whose corrected text still says the "
            "same. The interval says how far off it may be by luck (Wilson's)."
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
    st.caption("A pair can have several reasons. Files use the last word as the reason's name.")


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
        with st.expander("Look at a corrected pair"):
            _draw_pair(example, source)
    if not result.kept:
        st.warning(
            "No corrected pair passed the check, so there is nothing to keep. Try another model."
        )
        return
    name = st.text_input(
        "Name of the new set",
        value=f"Corrected: {source.words}"[:120],
        key="name of the corrected set",
    )
    if st.button(f"Keep {count(len(result.kept), 'pair')} as a set", type="primary"):
        try:
            made = save_set(
                queries.store(), name, *set_of(result, writer.spec, source.words, source.prompt)
            )
        except (RunError, StoreError) as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        forget_result()
        go(COMPOSE, study=IMPORTED, set=made.id, n=str(made.pairs))


def _draw_pair(pair: Pair, source: PairSource) -> None:
    study = source.treatment or IMPORTED
    pair_cards(pair, queries.study_of(study).arms, working=False)
