"""One run: how far it is, what can be done with it, and what it was."""

from __future__ import annotations

import streamlit as st

from biaslab.runs import RunError, RunRecord, RunStatus, launch, stop
from biaslab.runs.engine.sources import study_in
from biaslab.runs.rereading import reread, rereadings
from biaslab.studies import experiments
from biaslab.system.roles import May
from biaslab.ui.compose.design_form import address_of
from biaslab.ui.navigation import COMPOSE, EFFECTS, ITEMS, LINK, RUNS, link, screen_at
from biaslab.ui.runs.bundles import draw_provenance
from biaslab.ui.runs.run_limits import draw_limits_of
from biaslab.ui.runs.run_record import draw_record
from biaslab.ui.widgets import queries, visitor
from biaslab.ui.widgets.cards import example_prompt, facts_list
from biaslab.ui.widgets.progress import counts, progress_bar
from biaslab.ui.widgets.run_words import run_facts, run_label, run_when
from biaslab.ui.widgets.session import environment_for, has_key
from biaslab.ui.widgets.words import ACTIVE, KINDS, RESUMABLE, moment, plain
from schoolmath.problems import ProblemError
from schoolmath.text.figures import count

_REREAD = "told of rereading"

_READ_BY = {"published": "Read them by the first number, as published"}


def draw_run(run: RunRecord) -> None:
    """Everything about a run."""
    st.header(plain(run_label(run)), anchor=False)
    st.caption(plain(run_when(run, st.context.timezone)))
    if run.bundle is None:
        progress_bar(run)
        _draw_actions(run)
    else:
        draw_provenance(run)
    counts(run)
    draw_record(run)
    if run.items_done:
        with st.container(horizontal=True):
            link(EFFECTS, "See the effects", {"runs": run.id})
            link(ITEMS, "Look at the items", {"run": run.id})
            _link_to_page(run)
    if run.bundle is None:
        _draw_rereading(run)
    facts_list(run_facts(run, st.context.timezone))
    st.caption(next(k.explanation for kind, k in KINDS.items() if str(kind) == run.model_kind))
    example_prompt(run)
    with st.container(horizontal=True):
        link(COMPOSE, "Make another run with this design", address_of(run.design))
        link(RUNS, "Link to this run", {"run": run.id}, icon=LINK)


def _link_to_page(run: RunRecord) -> None:
    """Draws a link to the page on which the run's study shows its results, if it has one."""
    study = experiments().get(run.study)
    page = None if study is None else study.results_page
    if page is not None:
        link(screen_at(page.page), page.label, {**page.parameters, "runs": run.id})


def _draw_actions(run: RunRecord) -> None:
    if (run.status is not RunStatus.FINISHED or run.failed) and visitor.refused(May.RUN):
        return
    if run.status is RunStatus.RUNNING:
        if st.button("Stop", icon=":material/stop_circle:", key=f"stop {run.id}"):
            stop(queries.store(), run.id)
            st.rerun()
        return
    if run.status is RunStatus.STOPPING:
        st.button("Stopping …", disabled=True, key=f"stopping {run.id}")
        return
    if run.status not in RESUMABLE and not run.failed:
        return
    reachable = has_key(run.options.access, run.id)
    with st.container(horizontal=True, vertical_alignment="center"):
        if run.status in RESUMABLE:
            word = "Start" if run.status is RunStatus.READY else "Resume"
            if st.button(
                word,
                icon=":material/play_arrow:",
                type="primary",
                key=f"resume {run.id}",
                disabled=not reachable,
            ):
                go_on(run)
        if run.failed:
            draw_retry(run, reachable=reachable)
    if run.status in RESUMABLE:
        draw_limits_of(run, go_on, reachable=reachable)


def draw_retry(run: RunRecord, *, reachable: bool) -> None:
    """Draws a button that asks what failed, alone."""
    what = "failed problem" if run.options.samples == 1 else "failed answer"
    alone = "" if run.status is RunStatus.FINISHED else " alone"
    if st.button(
        f"Retry {count(run.failed, what)}{alone}",
        icon=":material/refresh:",
        type="primary" if run.status is RunStatus.FINISHED else "secondary",
        key=f"retry {run.id}",
        disabled=not reachable or run.status in ACTIVE,
    ):
        go_on(run, only_failed=True)


def go_on(run: RunRecord, *, only_failed: bool = False) -> None:
    """Starts the run's worker again and draws the page anew."""
    access = run.options.access
    launch(
        queries.store().path, run.id, environment=environment_for(access), only_failed=only_failed
    )
    st.rerun()


def _draw_rereading(run: RunRecord) -> None:
    """Draws what else could read the answers, and every earlier rereading."""
    store = queries.store()
    _draw_reread_buttons(run)
    if st.session_state.get(_REREAD, ("", ""))[0] == run.id:
        st.success(plain(st.session_state.pop(_REREAD)[1]))
    for past in rereadings(store, run.id):
        st.caption(
            plain(
                f"Read again on {moment(past.reread, st.context.timezone)} by "
                f"“{past.reader_after}” (before: {past.reader_before or 'an earlier reader'}): "
                f"{past.changed:,} of {count(past.answers, 'answer')} changed. What was read "
                "before is kept in the file."
            )
        )


def _draw_reread_buttons(run: RunRecord) -> None:
    """Draws a button for each reader that would read the run otherwise than it is read now."""
    if run.status in ACTIVE or not run.answered + run.invalid or not visitor.may(May.RUN):
        return
    try:
        study = study_in(queries.store(), run.study)
        present = study.reader_of(run.reader)
    except ProblemError:
        return  # The study is gone; the run can be looked at all the same.
    for reader in (study.reader, *study.further_readers):
        if reader == run.reader:
            continue
        label = _READ_BY.get(reader.partition(" ")[0], "Read them in BiasLab's way")
        if st.button(
            "Read the stored answers again" if reader == present else label,
            icon=":material/menu_book:",
            key=f"reread {run.id} {reader}",
            help=f"By the reader “{reader}”. No request is sent; earlier readings are kept.",
        ):
            try:
                found = reread(queries.store(), run.id, reader=reader)
            except RunError as error:
                st.error(plain(str(error)))
                return
            st.session_state[_REREAD] = (run.id, found.sentence)
            st.rerun()
