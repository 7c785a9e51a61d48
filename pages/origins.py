"""Pages on where biases come from, and on what a corpus teaches by its mix."""

from __future__ import annotations

import streamlit as st

from biaslab.audit.report import correct
from biaslab.charts.origins import MixPanel, mix_chart, training_chart
from biaslab.training.jobs import JobState
from biaslab.training.origins.findings import ADAPTERS, EXPERIMENT, MAKE_FINDINGS, TUNING
from biaslab.training.origins.predictions import ARMS, CONSISTENCY, STUDIES, TRANSFER
from biaslab.training.origins.rows import MAKE_IT
from biaslab.ui.audit import draw_checking, draw_results, draw_source
from biaslab.ui.navigation import LINK, ORIGINS, TRAINING_LAB, heading, link
from biaslab.ui.training import origins as read
from biaslab.ui.training.demo import demo, draw_result, draw_unfinished
from biaslab.ui.training.form import draw_form, draw_list, trainings
from biaslab.ui.training.live import draw_body, draw_head, outlines
from biaslab.ui.training.origins import (
    INTERVALS,
    alike_sentence,
    curve_title,
    draw_accuracies,
    draw_adapters,
    draw_caveats,
    draw_choices,
    draw_findings,
    draw_forms,
    draw_judgements,
    draw_links,
    draw_mix_names,
    draw_mixes,
    draw_operations,
    draw_reversed,
    draw_study,
    effects_table,
)
from biaslab.ui.training.results import draw_comparison
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.address import Parameter
from biaslab.ui.widgets.cards import live
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.words import plain


def origins_page() -> None:
    """Where biases come from: the same tiny network, trained on problems in other shares."""
    heading(
        "Where biases come from",
        "Does a model learn its biases from **how often it meets which kind of problem**?",
    )
    if read.has_findings(EXPERIMENT):
        newest, oldest = st.tabs(["How much is in the mix?", "A first family of models"])
        with newest:
            if draw_findings(ADAPTERS, "A real language model, taught"):
                draw_adapters()
            draw_findings(EXPERIMENT, "Networks from nothing: how much is in the mix?")
        with oldest:
            _draw_family(experiment=True)
    else:
        _draw_family(experiment=False)
    draw_caveats()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "All tables (ZIP)", read.tables, "biaslab-origins.zip", "application/zip", key="tables",
            on_click="ignore", icon=":material/download:",
            help="Family, experiment, fine-tuning and taught model as CSV. The columns: "
            "research/docs/family.md.",
        )  # fmt: skip
        link(ORIGINS, "Link to this view", st.query_params.to_dict(), icon=LINK)
    draw_links()


def _draw_family(*, experiment: bool) -> None:
    """The first trainings of this project; the page ends with a command where they are missing.

    Args:
        experiment: whether the experiment, which answers the same question, stands beside it.
    """
    now = read.state()
    if now is None:
        st.info(
            "The table of the family of tiny models is not there yet. Make it with the command "
            "below: it trains every model and writes assets/origins/family.csv, within hours on "
            "two cores."
        )
        st.code(MAKE_IT, language=None)
        draw_links()
        st.stop()

    rows = read.rows(now)
    if not rows:
        st.info("The table of the family has no rows yet. Make it with the command below.")
        st.code(MAKE_IT, language=None)
        draw_links()
        st.stop()
    if not experiment:
        st.markdown(plain(read.in_short(now)))
    end, along, beside, predicted, taught = st.tabs(
        ["At the end of training", "Along training", "More about the effect",
         "Predicted, and found", "Fine-tuning"]
    )  # fmt: skip
    with end:
        chosen = draw_choices(rows)
        ends = {study: read.final_effects(now, chosen.kind(study)) for study in STUDIES}
        panels = [MixPanel(chosen.title(study), effects) for study, effects in ends.items()]
        draw_chart(mix_chart(panels, chosen.way, dark=is_dark()), f"effect by mix {chosen.way}")
        with st.expander("Which intervals these are"):
            st.markdown(INTERVALS)
        with st.expander("In words"):
            # With the experiment's answer above, the family's own is folded.
            for sentence in (*([read.in_short(now)] if experiment else []), *read.sentences(now)):
                st.markdown(plain(sentence))
            st.caption(
                "Effects are percentage points that the easier arm was more often right, at the "
                "end of training; in brackets 95 % intervals."
            )
        draw_mix_names(dict.fromkeys(row.mix for row in rows))
        listed = [(panel.study, effect) for panel in panels for effect in panel.effects.values()]
        if listed:
            with st.expander("All of it in numbers"):
                if alike := alike_sentence(listed):
                    st.markdown(plain(alike))
                st.dataframe(
                    effects_table(listed),
                    hide_index=True,
                    alt=f"Effects by mix, {len(listed)} rows",
                )

    with along:
        studies = [study for study in STUDIES if any(row.study == study for row in rows)]
        study = draw_study(studies)
        curves = read.along_training(now, chosen.kind(study))
        followed = [mix for mix, curve in curves.items() if len(curve) > 1]
        shown = draw_mixes(followed) if len(followed) > 1 else followed
        title = curve_title(curves, chosen, study)
        chart = training_chart(
            {mix: curves[mix] for mix in shown}, title, chosen.way, ARMS[study],
            dark=is_dark(),
        )  # fmt: skip
        draw_chart(chart, f"along training {study} {chosen.way}")

    with beside:
        if ends[CONSISTENCY]:
            draw_accuracies(ends[CONSISTENCY], ARMS[CONSISTENCY])
        draw_operations(read.operations(now))
        if ends[CONSISTENCY]:
            draw_reversed(ends[CONSISTENCY])
        forms = {
            wording: effects
            for wording in ("consistent", "inconsistent", "mixed")
            if (effects := read.final_effects(now, chosen.kind(TRANSFER, wording)))
        }
        if forms:
            draw_forms(forms)

    with predicted:
        st.markdown(
            "The predictions were written down and committed before any of these models was "
            "trained (research/docs/family.md). The verdicts are worked out from the table alone, "
            "at one step."
        )
        draw_judgements(read.judgements(now))

    with taught:
        if not draw_findings(TUNING):
            st.info("The findings of fine-tuning are not there. Make them with the command below.")
            st.code(MAKE_FINDINGS, language=None)


def demo_page() -> None:
    """Two tiny models, one of which was taught to err, asked the same problems."""
    heading(
        "Two tiny models",
        "Two networks of this project's own, alike in all but their lessons: **one was taught to "
        "err**. Is it misled where “more” or “fewer” suggests the wrong calculation?",
    )

    def draw_until_done() -> bool:
        """The demo while it has no result; whether it is running."""
        unfinished = demo(queries.runs_in_file())
        if unfinished.done:
            st.rerun()
        return draw_unfinished(unfinished)

    now = demo(queries.runs_in_file())
    if now.done:
        draw_result(now)
    else:
        with st.container(border=True):
            live(draw_until_done)


def training_lab_page() -> None:
    """Training lab: choose what a tiny model is taught, train it here, watch a bias come."""
    heading(
        "Training lab",
        "Choose **what share of the lessons is what**, train a tiny model for a few minutes on "
        "this computer, and watch whether a bias comes.",
    )

    named = Parameter("training", "", lambda text: text).value
    there = {training.name for training in trainings()}
    if named and named not in there:
        st.warning(
            f"The link names a training “{plain(named)}” that is not on this computer. Set it up "
            "here, or choose another."
        )
        named = ""

    def chosen_now() -> JobState | None:
        """The training that the address names, as it is now."""
        return next((training for training in trainings() if training.name == named), None)

    def draw_chosen() -> bool:
        """How far the chosen training is; whether it is being trained."""
        now = chosen_now()
        if now is None:
            st.info("This training has been deleted. Set up another one.")
            return False
        draw_head(now, trainings())
        if outlines(now) != drawn:
            st.rerun()
        return now.active

    def draw_all() -> bool:
        """The list of trainings; whether any is being trained."""
        found = trainings()
        draw_list(found, named)
        return any(training.active for training in found)

    shown, others = st.columns([5, 2], gap="medium")
    with shown:
        if named:
            link(TRAINING_LAB, "Set up another training", icon=":material/add:")
            with st.container(border=True):
                chosen = chosen_now()
                drawn = None if chosen is None else outlines(chosen)
                live(draw_chosen)
                if chosen is not None:
                    draw_body(chosen)
        else:
            draw_form(trainings())
    with others:
        if named:
            live(draw_all)
        else:
            # What draws itself again by the clock would bring back, on a slow machine, what the
            # fields of the form held before they were changed.
            draw_all()
    draw_comparison(trainings())


def audit_page() -> None:
    """Corpus audit: what share of a corpus of word problems is what."""
    heading(
        "Corpus audit",
        "What do the problems of a textbook or a corpus teach by their mix? Give them, and see "
        "**what share is what**: consistent and inconsistent comparisons, transfers, carries, "
        "operations.",
    )
    with st.container(border=True):
        task = draw_source()
    if task is None:
        st.info("Upload a corpus, or paste some problems; there is an example to paste.")
        st.stop()
    if not task.found.texts:
        st.info("Not one problem is in it. Choose another column or another file.")
        st.stop()
    results = st.container(border=True)
    with st.container(border=True):
        st.header("Check a sample", anchor=False)
        draw_checking(task)
    # The answers above count in what is shown, so the results are drawn last and stand first.
    with results:
        draw_results(task, correct(task.found, task.labels) if task.labels else None)
