"""Items: every problem of a run, answer by answer."""

import streamlit as st

from biaslab.studies import experiment
from biaslab.studies.study import called_after
from biaslab.ui.ask.ask_again import draw_ask_again
from biaslab.ui.navigation import COMPOSE, EFFECTS, HOME, ITEMS, LINK, RUNS, heading, link
from biaslab.ui.results import item_list
from biaslab.ui.results.item_detail import draw_pair
from biaslab.ui.results.item_list import draw_samples
from biaslab.ui.results.items import notes
from biaslab.ui.results.items.beside import (
    choose_beside,
    differ_parameter,
    differing_pairs,
    draw_beside,
    draw_differing,
)
from biaslab.ui.results.items.slice import draw_slice
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.errors import shown_errors
from biaslab.ui.widgets.figures import to_csv
from biaslab.ui.widgets.run_choice import draw_gallery_fault, one_run

heading(
    "Items",
    "What the model was asked and what it answered. Pairs that came out differently stand first: "
    "they show what the changed words did.",
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
