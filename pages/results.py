"""Pages of everything that was measured, down to single answers."""

from __future__ import annotations

import streamlit as st

from biaslab.models import learner_spec
from biaslab.stats import InvalidRule
from biaslab.studies import Design, experiment
from biaslab.studies.concepts.answers import STUDY as CONCEPTS_STUDY
from biaslab.studies.decisions.results import STUDY as DECISIONS
from biaslab.studies.malgorithm.answers import STUDY as MALGORITHM
from biaslab.studies.study import called_after
from biaslab.system.roles import May
from biaslab.ui.ask import asking
from biaslab.ui.ask.asking import draw_ask_again
from biaslab.ui.navigation import (
    BIASES,
    COMPOSE,
    CONCEPTS,
    EFFECTS,
    HOME,
    ITEMS,
    LINK,
    MALGORITHMS,
    RESULTS,
    RUNS,
    go,
    heading,
    link,
)
from biaslab.ui.results import item_list, notes
from biaslab.ui.results.comparison import draw_comparison
from biaslab.ui.results.effects import draw_study
from biaslab.ui.results.item_detail import (
    choose_beside,
    differ_parameter,
    differing_pairs,
    draw_beside,
    draw_differing,
    draw_pair,
)
from biaslab.ui.results.item_list import draw_samples, draw_slice
from biaslab.ui.results.logs import draw_logs
from biaslab.ui.results.overview import draw_overview, draw_paper, newest_of_each
from biaslab.ui.results.reading_check import draw_reading_check
from biaslab.ui.studies import concepts
from biaslab.ui.studies.decisions import files_view, heat_map_view, profile_view
from biaslab.ui.studies.decisions import queries as decisions
from biaslab.ui.studies.decisions.detail import draw_bias
from biaslab.ui.studies.decisions.queries import BIAS, FILES, FILL, HEAT, PROFILE, VIEWS, WRITE
from biaslab.ui.studies.decisions.writing import draw_filling, draw_writing
from biaslab.ui.studies.malgorithm import queries as malgorithm
from biaslab.ui.studies.malgorithm import results as malgorithm_results
from biaslab.ui.studies.malgorithm.items import draw_items
from biaslab.ui.studies.malgorithm.queries import QUESTIONS
from biaslab.ui.studies.malgorithm.queries import RESULTS as FIGURES
from biaslab.ui.widgets import choosing, queries, visitor
from biaslab.ui.widgets.address import Parameter, choice, flag
from biaslab.ui.widgets.figures import to_csv
from biaslab.ui.widgets.runs import (
    by_arms,
    draw_gallery_fault,
    draw_recorded,
    one_run,
    run_of,
    several_runs,
)
from biaslab.ui.widgets.words import plain, shown_errors

_ALL = "all"
_BUILD, _LEARNED = "build", "results"


def _counting() -> tuple[Parameter[str], InvalidRule]:
    unread = choice("invalid", ("strict", "exclude"), "strict")
    return unread, "exclude" if unread.value == "exclude" else "strict"


def _draw_counting(unread: Parameter[str], label: str = "Answers that could not be read") -> None:
    choosing.segmented_control(
        label,
        ["strict", "exclude"],
        format_func={"strict": "count as not right", "exclude": "leave out"}.__getitem__,
        required=True,
        **unread.bind(),
    )


def results_page() -> None:
    """Results: every study, model and strategy that was measured, beside each other."""
    heading("Overview", "How large is each effect in each model? All results on one scale.")
    runs = queries.runs_with_answers()
    draw_gallery_fault()
    if not runs:
        st.info("Nothing has been measured yet. Ask a model, or open runs that others recorded.")
        link(HOME, "Ask a model")
        link(COMPOSE, "Compose a study")
        link(RUNS, "Open runs of others")
        st.stop()

    strata = {s.name: s for run in runs for s in experiment(run.study).strata}
    by = choice("by", (_ALL, *strata), _ALL)
    unread, rule = _counting()
    first = newest_of_each(runs)
    one, two = st.columns([4, 1], vertical_alignment="bottom")
    with one:
        choosing.selectbox(
            "Break down by",
            [_ALL, *strata],
            format_func=lambda name: "all pairs together" if name == _ALL else strata[name].label,
            help="Studies that do not have it stay whole.",
            **by.bind(),
        )
    with two, st.popover("What is shown", icon=":material/tune:", width="stretch"):
        st.caption("Unless you choose: the newest run of each study, model and prompt strategy.")
        chosen = several_runs(runs, first)
        _draw_counting(unread)
    draw_recorded(chosen)
    draw_overview(chosen, None if by.value == _ALL else by.value, rule)
    draw_paper(chosen, None if by.value == _ALL else by.value, rule, vote=False)
    view = {"runs": ",".join(run.id for run in chosen), "by": by.value, "invalid": unread.value}
    link(RESULTS, "Link to this view", view, icon=LINK)


def effects_page() -> None:
    """Effects: what changing one feature did, with intervals and tests."""
    heading(
        "Effects",
        "How much did the changed feature matter? One kind of problem is answered right so many "
        "**percentage points** more often than the other.",
    )
    runs = queries.runs_with_answers()
    draw_gallery_fault()
    if not runs:
        st.info(
            "There is nothing to compare yet. Ask a model on the first screen, or compose a study."
        )
        link(HOME, "Ask a model")
        link(COMPOSE, "Compose a study")
        st.stop()

    chosen = several_runs(runs)
    studies = {run.study: experiment(run.study) for run in chosen}
    common = set.intersection(*({s.name for s in study.strata} for study in studies.values()))
    strata = {s.name: s for study in studies.values() for s in study.strata}
    by = choice("by", (_ALL, *strata), next((name for name in strata if name in common), _ALL))
    unread, rule = _counting()
    beside, vote = flag("published"), flag("vote")
    repeated = any(run.options.samples > 1 for run in chosen)
    one, two = st.columns([4, 1], vertical_alignment="bottom")
    with one:
        choosing.segmented_control(
            "Break down by",
            [_ALL, *strata],
            format_func=lambda name: "all pairs" if name == _ALL else strata[name].label,
            required=True,
            wrap=True,
            help="\n".join(f"- **{s.label}**: {s.explanation}" for s in strata.values()),
            **by.bind(),
        )
    with two, st.popover("How it counts", icon=":material/tune:", width="stretch"):
        _draw_counting(unread)
        st.toggle(
            "Compare with published models",
            help="Language models of Opedal et al. (2024), asked in the same way. Their intervals "
            "were not published.",
            **beside.bind(),
        )
        if repeated:
            st.toggle(
                "Let the most frequent answer count",
                help="Where a problem was asked several times: its most frequent answer counts in "
                "place of the mean of all (self-consistency). Answers that could not be read do "
                "not vote.",
                **vote.bind(),
            )
    parts = by_arms(chosen)
    for number, (title, of_part) in enumerate(parts.items(), start=1):
        study = studies[of_part[0].study]
        if len(parts) > 1:
            st.header(plain(title), anchor=False)
        shared = sum(some[0].study == study.name for some in parts.values()) > 1
        draw_study(
            study,
            of_part,
            None if by.value == _ALL else by.value,
            rule,
            beside.value,
            vote=repeated and vote.value,
            name=f"{study.name} {number}" if shared else "",
            headed=len(parts) > 1,
        )
    between = draw_comparison(
        chosen, None if by.value == _ALL else by.value, rule, repeated and vote.value
    )
    draw_paper(chosen, None if by.value == _ALL else by.value, rule, repeated and vote.value)
    view = {
        "runs": ",".join(run.id for run in chosen),
        "by": by.value,
        "invalid": unread.value,
        "published": beside.write(beside.value),
        "vote": vote.write(repeated and vote.value),
        **between,
    }
    link(EFFECTS, "Link to this view", view, icon=LINK)


def items_page() -> None:
    """Items: every problem of a run, answer by answer."""
    heading(
        "Items",
        "What the model was asked and what it answered. Pairs that came out differently stand "
        "first: they show what the changed words did.",
    )
    runs = queries.runs_with_answers()
    draw_gallery_fault()
    if not runs:
        st.info("There are no answers yet. Ask a model on the first screen, or compose a study.")
        link(HOME, "Ask a model")
        link(COMPOSE, "Compose a study")
        st.stop()

    run = one_run(runs)
    study = called_after(experiment(run.study), [run.design])
    kept = notes.notes_of(run)
    only = notes.marked_pairs(kept)
    differing = differing_pairs(run, runs, item_list.sample_parameter(run).value - 1)
    by_outcome = differing is not None and differ_parameter().value
    if differing is not None and by_outcome:
        only = differing if only is None else tuple(sorted(set(only) & set(differing)))
    draw_reading_check(run)
    how, words = st.columns(2, gap="small")
    with how:
        read = item_list.draw_reading(run)
    with words:
        item_list.draw_search()
    if read is not None:
        only = read if only is None else tuple(sorted(set(only) & set(read)))
    noted = notes.noted(kept, item_list.search_parameter().value)
    strata = item_list.draw_filters(run, study, only, noted)
    notes.draw_marked(kept)
    draw_differing(differing)
    selection = item_list.select(run, strata, only, noted)
    if not selection.rows:
        st.info("No pair of this run is like that. Choose fewer conditions above, or other words.")
        st.stop()

    # The chosen pair comes first, so that on a phone it stands above the list.
    shown, others = st.columns([2, 1], gap="medium")
    with others:
        draw_slice(run, selection, study, by_outcome=by_outcome)
        item_list.draw_list(selection, study, kept or {})
        st.download_button(
            "These pairs (CSV)",
            lambda: to_csv(*item_list.rows_for_file(run, selection, study, kept)),
            f"biaslab-{run.study}-{run.id}.csv",
            "text/csv",
            on_click="ignore",
            icon=":material/download:",
        )
    with shown, shown_errors():
        state = queries.OutcomesState.of(run)
        samples = queries.samples_of(state, selection.pair, run.options.samples)
        detail = samples[selection.sample]
        st.header(f"Pair {detail.position + 1}", anchor=False)
        item_list.draw_steps(run, selection)
        address = {"run": run.id, "pair": detail.pair.id}
        if len(samples) > 1:
            draw_samples(run, samples, study.arms)
            address["sample"] = str(selection.sample + 1)
        beside = choose_beside(run, runs, detail)
        if beside is None:
            draw_pair(detail, study)
        else:
            address["beside"] = beside.run
            draw_beside(detail, beside, study)
        notes.draw_note(run, detail.pair.id, kept)
        draw_ask_again(run, detail)
        with st.container(horizontal=True):
            link(ITEMS, "Link to this pair", address, icon=LINK)
            link(EFFECTS, "Effects of this run", {"runs": run.id})
            link(RUNS, "About this run", {"run": run.id})


def malgorithms_page() -> None:
    """Malgorithms: does a model see why an answer is wrong?"""
    heading(
        "Malgorithms",
        "Does a model see **why** an answer is wrong? Given one choice and the rationales of all "
        "options, it names the rationale that led to the choice. A **mal-rule**, or malgorithm, is "
        "the rule by which a pupil comes to a wrong answer.",
    )
    runs = queries.runs_of_study(MALGORITHM)
    draw_gallery_fault()
    if not runs:
        malgorithm_results.draw_start()
        st.stop()

    chosen = several_runs(runs)
    by_id = {run.id: run for run in chosen}
    focus = malgorithm.focus_parameter(chosen)
    view = malgorithm.view_parameter()
    unread, rule = _counting()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        choosing.segmented_control(
            "Show",
            [FIGURES, QUESTIONS],
            format_func={FIGURES: "Results", QUESTIONS: "Question by question"}.__getitem__,
            required=True,
            **view.bind(),
        )
        if view.value == FIGURES:
            _draw_counting(unread)
    one = run_of("Charts of one run, and the list of questions, are of", chosen, focus)
    if view.value == FIGURES:
        malgorithm_results.draw_results(chosen, one, rule)
    else:
        draw_items(chosen, one)
    shown = {
        "runs": ",".join(by_id),
        "of": focus.value,
        "view": view.value,
        "invalid": unread.value,
    }
    with st.container(horizontal=True):
        if view.value == FIGURES:
            link(MALGORITHMS, "Link to this view", shown, icon=LINK)
        link(EFFECTS, "Effects by any feature", {"runs": ",".join(by_id)})
        link(COMPOSE, "Ask another model", {"study": MALGORITHM})


def concepts_page() -> None:
    """Concepts: can a model learn “more than 3/10” from examples, and “less than 7/10” as well?"""
    heading(
        "Concepts",
        "Does a model find out from examples what is meant by **more than 3/10** more easily than "
        "by its mirror image, **less than 7/10**?",
    )
    view = choice("view", (_BUILD, _LEARNED), _BUILD)
    choosing.segmented_control(
        "Show",
        [_BUILD, _LEARNED],
        format_func={_BUILD: "A concept", _LEARNED: "Results"}.__getitem__,
        required=True,
        **view.bind(),
    )
    if view.value == _BUILD:
        concepts.draw_builder()
        st.stop()

    runs = queries.runs_of_study(CONCEPTS_STUDY)
    draw_gallery_fault()
    if not runs:
        st.info(
            "No model has been asked about concepts yet. Build one and ask a model, or run the "
            "demo: a simulated learner that is drawn to yes by large parts."
        )
        if not visitor.refused(May.RUN) and st.button(
            "Run the demo", type="primary", icon=":material/play_arrow:", key="demo"
        ):
            design = Design(CONCEPTS_STUDY, 200, 1, {"semantics": "hidden and explicit"})
            go(RUNS, run=asking.start(design, learner_spec("up-biased"), "likelihood"))
        concepts.draw_published()
        st.stop()

    chosen = several_runs(runs)
    by_id = {run.id: run for run in chosen}
    focus = choice("of", tuple(by_id), chosen[0].id)
    unread, rule = _counting()
    _draw_counting(unread, "Answers that could not be read, and ties")
    one = run_of("Shown in detail", chosen, focus)
    concepts.draw_results(chosen, one, rule)
    shown = {
        "view": _LEARNED,
        "runs": ",".join(by_id),
        "of": focus.value,
        "invalid": unread.value,
    }
    with st.container(horizontal=True):
        link(CONCEPTS, "Link to this view", shown, icon=LINK)
        link(EFFECTS, "Effects by any feature", {"runs": ",".join(by_id)})
        link(ITEMS, "Every prompt", {"run": focus.value})
        link(COMPOSE, "Ask another model", {"study": CONCEPTS_STUDY})


def biases_page() -> None:
    """Decision biases: does what should not matter move a decision?"""
    heading(
        "Decision biases",
        "Does something that should not matter **move a decision**, as it moves people's? The same "
        "scene is put twice, once with the thing that should not matter (**treatment**) and once "
        "without (**control**); each answer is an option on a scale.",
    )
    view = decisions.view_parameter()
    choosing.segmented_control(
        "Show", list(VIEWS), format_func=VIEWS.__getitem__, required=True, wrap=True, **view.bind()
    )
    runs = queries.runs_of_study(DECISIONS)
    compared = heat_map_view.newest_of_each(runs) if view.value == HEAT else ()
    shows_runs = runs and view.value in (PROFILE, HEAT, BIAS, FILES)
    chosen = several_runs(runs, compared) if shows_runs else []
    if view.value in (PROFILE, HEAT):
        draw_gallery_fault()
    if view.value == PROFILE:
        if chosen:
            profile_view.draw_profile(chosen)
        else:
            profile_view.draw_start()
    elif view.value == HEAT:
        heat_map_view.draw_heat_map(chosen)
    elif view.value == BIAS:
        draw_bias(chosen)
    elif view.value in (WRITE, FILL, FILES) and visitor.refused(May.KEEP):
        pass
    elif view.value == WRITE:
        draw_writing()
    elif view.value == FILL:
        draw_filling()
    elif view.value == FILES:
        files_view.draw_files(chosen)
    else:
        profile_view.draw_published()
    if chosen:
        ids = ",".join(run.id for run in chosen)
        with st.container(horizontal=True):
            link(BIASES, "Link to this view", {**st.query_params.to_dict(), "runs": ids}, icon=LINK)
            link(EFFECTS, "Effects by any feature", {"runs": ids, "by": "bias"})
            link(COMPOSE, "Ask another model", {"study": DECISIONS})


def logs_page() -> None:
    """Other logs: how two logs of any task differ."""
    heading(
        "Other logs",
        "Did a change help? Two logs of **any task** of your evaluation tool, joined sample by "
        "sample.",
    )
    if not visitor.refused(May.KEEP):
        draw_logs()
