"""Pages of a study on its way: designed, asked of models, run; texts brought, mended, judged."""

from __future__ import annotations

import json

import streamlit as st

from biaslab.models import read_spec
from biaslab.runs import RunError, find_connection, save_set
from biaslab.studies.word_problems.custom.imported import NAME as IMPORTED
from biaslab.system.roles import May, Role
from biaslab.ui.ask import asking
from biaslab.ui.ask.asking_form import draw_asking
from biaslab.ui.ask.costs import is_confirmed, takes_words
from biaslab.ui.ask.matrix import askable, draw_choice, draw_plan
from biaslab.ui.ask.runs import draw_bundles, draw_run
from biaslab.ui.compose import design_form, pairs
from biaslab.ui.compose.pairs import draw_panels
from biaslab.ui.compose.planning import draw_fitting, draw_planner
from biaslab.ui.compose.review import draw_making, draw_reading, draw_stored
from biaslab.ui.custom_pairs.correcting import (
    draw_keeping,
    draw_result,
    draw_source,
    mend,
    stored_result,
)
from biaslab.ui.custom_pairs.importing import (
    ImportWork,
    ask_link,
    check,
    draw_columns,
    draw_report,
    draw_sets,
    draw_upload,
    forget,
)
from biaslab.ui.models.connect_form import draw_form, draw_keys_allowed
from biaslab.ui.models.hub import draw_hub
from biaslab.ui.models.model_detail import draw_connection, draw_model, find_model
from biaslab.ui.models.model_list import draw_list
from biaslab.ui.models.servers import connect_parameter, model_parameter, server_parameter
from biaslab.ui.navigation import COMPOSE, HOME, MODELS, RUNS, action_row, go, heading, link
from biaslab.ui.studies.malgorithm.item_sets import draw_file
from biaslab.ui.studies.malgorithm.item_sets import draw_sets as draw_item_sets
from biaslab.ui.widgets import queries, visitor
from biaslab.ui.widgets.cards import live
from biaslab.ui.widgets.language_model import draw_writer
from biaslab.ui.widgets.runs import (
    chosen_run,
    draw_gallery_fault,
    draw_run_list,
    refused_link,
    run_parameter,
)
from biaslab.ui.widgets.words import ACTIVE, plain, shown_errors
from schoolmath.problems import DesignError
from schoolmath.text.figures import count


def compose_page() -> None:
    """Compose: make pairs of problems, look at them, and ask a model."""
    heading(
        "Compose",
        "See the pairs, ask a model.",
    )
    action = action_row()
    design = design_form.design_of_address()
    study = queries.study_of(design.study)
    pair, error = None, None
    try:
        pair = pairs.previewed(design)
    except DesignError as refused:
        error = refused

    form, shown = st.columns([2, 3], gap="medium")
    with form, st.container(border=True):
        st.header("1. What to compare", anchor=False)
        design_form.draw_study(study)
        design_form.draw_size_and_seed()
        draw_planner(study)
        design_form.draw_settings(study, error)
    with shown:
        st.header(
            "2. The pairs",
            anchor=False,
            help="A pair is the same problem twice with one feature changed, so a difference in "
            "the answers comes from that feature.",
        )
        if pair is None:
            pairs.draw_instead(study, design)
        else:
            pairs.draw(study, design, pair)
        draw_panels(study, design, possible=pair is not None)

    with st.container(border=True):
        st.header("3. Ask a model", anchor=False)
        ready = draw_asking(study, design, possible=pair is not None)
        chosen = None if ready is None else ready.asking
        if chosen is not None:
            draw_fitting(study, chosen)
    with action:
        pressed = st.empty()
        takes = ""
        if ready is not None and ready.estimate is not None:
            takes = takes_words(ready.asking, ready.estimate)
        st.markdown(f"{asking.chosen_words(study, design, chosen)}  \n{plain(takes)}")
        may_begin = ready is not None and (
            ready.estimate is None or is_confirmed(ready.asking, ready.estimate)
        )
        if pressed.button(
            "Run", type="primary", icon=":material/play_arrow:", disabled=not may_begin, key="run"
        ):
            assert chosen is not None
            go(RUNS, run=asking.start_asking(chosen))


def matrix_page() -> None:
    """Several at once: studies by models by prompt strategies, as one job."""
    heading(
        "Several at once",
        "Ask several models several studies in one go. Finished answers are saved: repeat a "
        "selection to resume it; enlarge it and only new questions are asked.",
    )
    shown, form = st.columns([2, 1], gap="medium")
    models = askable()
    with form, st.container(border=True):
        st.header("Studies and models", anchor=False)
        plan = draw_choice(models)
        link(MODELS, "Connect a model on a server")
        with st.expander("As a file"):
            st.caption(
                "The command `biaslab matrix plan.yaml` does the same; every setting of a study "
                "may be changed there."
            )
            # Made when it is asked for: it is another with every choice, and a page that still held
            # the address of an earlier one would ask its server for what is not there.
            st.download_button(
                "Plan (YAML)", lambda: plan, "plan.yaml", "application/yaml", on_click="ignore"
            )
            st.code(plan.decode(), language="yaml")
    with shown, st.container(border=True):

        def draw() -> bool:
            """The plan as it stands."""
            return draw_plan(plan, models)

        live(draw)


def models_page() -> None:
    """Models: who can be asked, and connecting a server."""
    heading(
        "Models",
        "**Connect a server** once; a test finds what it supports.",
    )
    if visitor.role() is Role.NEAR:
        st.info(
            "You are a visitor: “localhost” below is the computer that runs BiasLab. A server that "
            "you connect is listed for everybody here; a key that you type stays in your session. "
            f"{visitor.PROVE_IT}"
        )
    elif visitor.is_shared():
        st.caption(
            "Others on your network can open this page. They can ask the servers listed here, "
            "those with a key in an environment variable included, and pay with it; they never see "
            "a key."
        )

    spec, url = model_parameter().value, server_parameter().value
    server = find_connection(queries.store(), spec, url or None) if spec else None
    model = find_model(spec) if spec else None
    chosen = not connect_parameter().value and (server is not None or model is not None)
    if spec and not chosen and not connect_parameter().value:
        if read_spec(spec).served:
            name = plain(read_spec(spec).name)
            st.info(f"“{name}” is not among the models that were tested. Connect its server.")
        else:
            st.warning(f"The link names “{plain(spec)}”, which is not among the models here.")

    if not chosen:
        action, told = action_row(), st.container()
    first, others = st.columns([3, 2] if chosen else 2, gap="medium")
    with first:
        if chosen:
            link(MODELS, "Connect another server", {"connect": "yes"}, icon=":material/add:")
        with st.container(border=True):
            if not chosen:
                if not visitor.refused(May.CONNECT):
                    draw_form(action, told)
            elif server is not None:
                draw_connection(server)
            elif model is not None:
                draw_model(model)
        draw_hub()
    with others:
        draw_list()
        draw_keys_allowed()


def runs_page() -> None:
    """Runs: what was asked, how far it is, stop and resume."""
    heading(
        "Runs",
        "A **run** asks one model every problem of a design and keeps every answer. It goes on "
        "when you close this page.",
    )

    def draw() -> bool:
        """The list and the chosen run; whether anything is running."""
        runs = queries.runs()
        draw_gallery_fault()
        if not runs:
            st.info(
                "Nothing has been run yet. Ask a model on the first screen, or compose a study."
            )
            link(HOME, "Ask a model")
            link(COMPOSE, "Compose a study")
            return False
        refused_link(run_parameter(runs))
        # The chosen run comes first, so that on a phone it stands above the list.
        shown, others = st.columns([2, 1], gap="medium")
        with shown, st.container(border=True):
            draw_run(chosen_run(runs))
        with others:
            draw_run_list(runs)
        return any(run.status in ACTIVE for run in runs)

    # A file that cannot be opened is told here, once for both parts of the page.
    queries.store()
    live(draw)
    draw_bundles()


def import_pairs_page() -> None:
    """Import pairs: a file of pairs read back, solved again, and kept as a set to ask."""
    heading(
        "Import pairs",
        "Bring pairs of problems of your own. Every text is read back and **solved again**. Texts "
        "we cannot parse are used unchanged; results show how far each pair was verified.",
    )

    with st.container(border=True):
        task = draw_upload()
        if task is not None:
            _draw_work(task)
    with st.container(border=True):
        draw_sets(with_report=task is None or task.found is None)


def _draw_work(task: ImportWork) -> None:
    """The columns, the check, the report, and keeping the pairs."""
    st.header(plain(task.name), anchor=False)
    mapping = draw_columns(task.table)
    settled = task.found is not None and mapping == task.mapping
    with st.container(horizontal=True):
        checking = st.button(
            "Check every row again" if settled else "Check every row",
            type="secondary" if settled else "primary",
            disabled=mapping is None,
            key="check",
        )
        st.button("Leave this file", on_click=forget)
    if checking and mapping is not None:
        check(task, mapping)
        st.rerun()
    if task.fault:
        st.error(plain(task.fault), icon=":material/error:")
    if not settled:
        return
    assert task.found is not None
    found = task.found
    st.markdown(plain(found.summary()))
    if task.kept is not None:
        st.success(f"{count(task.kept.pairs, 'pair')} saved as “{plain(task.kept.name)}”.")
        ask_link(task.kept)
    elif found.pairs:
        _draw_pair_keeping(task)
    else:
        st.warning("No row has two different texts with an answer, so there is nothing to keep.")
    st.download_button(
        "The whole report (JSON)",
        lambda: json.dumps(found.as_json(), ensure_ascii=False, indent=1).encode(),
        f"{task.stem}-report.json",
        "application/json",
        on_click="ignore",
        icon=":material/download:",
    )
    draw_report(found.rows)


def _draw_pair_keeping(task: ImportWork) -> None:
    """The name of the set and the button that keeps it and leads to asking it."""
    found = task.found
    assert found is not None
    name = st.text_input("Name of the set", task.stem[:200], max_chars=200, key="import name")
    words = f"Keep {count(len(found.pairs), 'pair')} and ask a model"
    if not st.button(words, type="primary", key="keep"):
        return
    told = [row.as_json() for row in found.remarked()]
    try:
        task.kept = save_set(queries.store(), name, found.pairs, task.name, told)
    except RunError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    go(COMPOSE, study=IMPORTED, set=task.kept.id, n=str(task.kept.pairs))


def import_items_page() -> None:
    """Import items: a file of multiple-choice questions, row by row, kept as a set to ask."""
    heading(
        "Import items",
        "Bring multiple-choice questions of your own or of a data set. Saved sets can be put to "
        "models and given to your class.",
    )
    with st.container(border=True):
        draw_file()
    with st.container(border=True):
        draw_item_sets()


def correct_page() -> None:
    """Correct the grammar: a language model corrects pairs; what still says the same is kept."""
    heading(
        "Correct the grammar",
        "A language model corrects the grammar of pairs. Each corrected text is "
        "**read back and solved**: only pairs that still say the same are saved.",
    )
    action = action_row()
    what, who = st.columns(2, gap="medium")
    with what, st.container(border=True):
        st.header("1. What to correct", anchor=False)
        source = draw_source()
    with who, st.container(border=True):
        st.header("2. Who corrects", anchor=False)
        writer = draw_writer("correct")

    possible = source is not None and writer is not None
    if action.button("Correct these pairs", type="primary", disabled=not possible):
        assert source is not None
        assert writer is not None
        with shown_errors():
            mend(source, writer)
    if source is None or writer is None:
        st.stop()
    result = stored_result(source, writer)
    if result is None:
        requests = count(source.prompt.requests, "request")
        st.caption(f"The result appears here. A pair takes {requests}.")
        st.stop()

    with st.container(border=True):
        st.header("3. What came of it", anchor=False)
        if result.not_answered:
            st.warning(
                f"{count(len(result.not_answered), 'pair')} got no answer and count nowhere: "
                + plain(result.not_answered[0].reason)
            )
            if st.button("Ask these again"):
                with shown_errors():
                    mend(source, writer, result)
                    st.rerun()
        draw_result(result)
        draw_keeping(result, source, writer)


def review_page() -> None:
    """Quality review: people judge a random part of a study's texts."""
    heading(
        "Quality review",
        "Are the texts good enough? People judge some of them by two yes/no questions; you see "
        "whether they agree and how many are faulty. Works without any model.",
    )
    draw_making()
    draw_reading()
    draw_stored()
