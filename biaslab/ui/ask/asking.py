"""Choosing who is asked and how, and starting it, or asking again what failed.

The defaults of a study are those that the default model can do, so no page opens with a warning of
its own defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import streamlit as st

from biaslab.models import (
    ModelChoice,
    ModelError,
    ModelKind,
    Sampling,
    Skill,
    full_spec,
    identify,
    learner_spec,
    read_spec,
)
from biaslab.models.tiny.model import DEFAULT_TINY, ModelCard
from biaslab.runs import (
    AnswerState,
    Connection,
    PairDetail,
    RunOptions,
    RunRecord,
    RunStatus,
    connections,
    fitting,
    is_measured,
    launch,
    prepare,
)
from biaslab.runs.fitting import NEVER_LEARNED, steps_of, why_unfit
from biaslab.runs.hosting import why_not_listed
from biaslab.studies import Design, Experiment, Setting, Strategy, experiment
from biaslab.system.roles import May
from biaslab.ui.navigation import COMPOSE, MODELS, RUNS, go, link
from biaslab.ui.widgets import choosing, queries, visitor
from biaslab.ui.widgets.address import Parameter, choice
from biaslab.ui.widgets.cards import live, progress_bar
from biaslab.ui.widgets.runs import run_label
from biaslab.ui.widgets.session import environment_for, has_key
from biaslab.ui.widgets.words import ACTIVE, KINDS, place, plain, short_name
from schoolmath.text.figures import count

STEPS, OPERATIONS, STRATEGY = "steps", "operations", "strategy"
"""Names of what a card tells apart, as in an address."""


@st.cache_data(show_spinner=False, ttl=20, max_entries=32)
def card_of(spec: str) -> ModelCard | None:
    """The card of a tiny model; None for other kinds, and for one that is no longer there."""
    return fitting.card_of(spec)


def cannot(spec: str, study: str, steps: Iterable[int], strategy: str) -> list[str]:
    """Why a model was not made for this: sentences of its card; none for other models."""
    labels = {each.name: each.label.lower() for each in experiment(study).strategies}
    return fitting.beyond_card(card_of(spec), study, steps, strategy, labels)


def settings_for(spec: str, study: Experiment) -> dict[str, str]:
    """The prompt strategy and the settings of a study that a model can do, as in an address.

    Nothing where there is no card; the strategy alone where it knows nothing of the study.
    """
    card = card_of(spec)
    fit = fitting.fit_strategy(card, study)
    if card is None or fit is None:
        return {}
    found = {STRATEGY: fit}
    best = card.best(study.name)
    if best is None:
        return found
    found[STEPS] = f"{best.fewest_steps}-{best.most_steps}"
    settings = {setting.name: setting for setting in study.settings}
    if len(best.comparisons) == 1 and OPERATIONS in settings:
        found[OPERATIONS] = best.comparisons[0]
    return {name: text for name, text in found.items() if name == STRATEGY or name in settings}


def default_strategy(study: Experiment, spec: str = DEFAULT_TINY) -> str:
    """The prompt strategy in which a model works, by its card; without one, the default model's,
    else the study's first. The same on every page.
    """
    cards = map(card_of, (spec, DEFAULT_TINY))
    fits = (fitting.fit_strategy(card, study) for card in cards)
    return next(filter(None, fits), study.strategies[0].name)


def default_setting(study: Experiment, setting: Setting) -> str:
    """A setting that the default model can do, else the study's own default."""
    return settings_for(DEFAULT_TINY, study).get(setting.name, str(setting.default))


SIMULATED = learner_spec("keyword")
"""Asked where the default model is missing; screens say so."""

_SIMULATED_FOR = {
    Skill.IDENTIFY: learner_spec("key-drawn"),
    Skill.JUDGE: learner_spec("up-biased"),
    Skill.DECIDE: learner_spec("random"),
    Skill.WEIGH: learner_spec("tipped"),
    Skill.REVIEW: learner_spec("half-seeing"),
}
"""Whose answers show what the results of such a study look like; a tiny model has no such skill."""

ANNOUNCED = 2_000
"""Preparing more pairs than this takes long enough to show how far it is."""


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """Who is asked.

    Attributes:
        model: the model.
        server: where it is; None for a model that runs here.
    """

    model: ModelChoice
    server: Connection | None = None


@dataclass(frozen=True, slots=True)
class RunChoices:
    """All that a person chose for a run.

    Attributes:
        design: its pairs; model: spec of who is asked; strategy: name of the prompt strategy.
        sampling, options, reader: as for `biaslab.runs.prepare`.
    """

    design: Design
    model: str
    strategy: str
    sampling: Sampling | None = None
    options: RunOptions = RunOptions()
    reader: str | None = None


def chosen_model(study: str) -> ChosenModel | None:
    """Draws the choice of the model for a study; None while the one chosen cannot be asked.

    Besides the models that come with the app, those of tested servers and of earlier runs are
    offered, and any other may be typed.
    """
    tested = _tested()
    offered = _offered(tested)
    preferred = _SIMULATED_FOR.get(experiment(study).asks) or (
        DEFAULT_TINY if offered[DEFAULT_TINY].ready else SIMULATED
    )
    parameter = Parameter(
        "model", preferred, lambda text: full_spec(text) or None, resets=("server", "at-most")
    )
    typed = parameter.value
    words = choosing.distinct_labels({spec: _model_words(model) for spec, model in offered.items()})
    choosing.selectbox(
        "Model",
        words,
        format_func=lambda spec: words.get(spec, spec),
        accept_new_options=visitor.may(May.CONNECT),
        help="For a language model of your own, type local: and the folder that holds its files, "
        "as in local:/home/me/models/gpt2. It is opened on this computer. Models on servers are "
        "tested on the page Models first.",
        **parameter.bind(),
    )
    model = offered[typed] if typed in offered else looked_up(typed)
    server = _chosen_server(tested.get(typed, []))
    if server is not None:
        model = _of_server(server)
    if not model.ready:
        st.warning(plain(model.why_not))
        if read_spec(typed).served and visitor.may(May.CONNECT):
            link(
                MODELS,
                "Test this model",
                {"model": typed},
            )
        return None
    card = card_of(model.spec)
    if card is not None and card.caution:
        st.warning(plain(card.caution), icon=":material/visibility_off:")
    with st.expander("About this model"):
        own = "" if model.kind is ModelKind.TINY else model.explanation
        st.markdown(plain(f"{own} {KINDS[model.kind].explanation}".strip()))
        if card is not None:
            link(MODELS, "What it gets right", {"model": model.spec})
    if reason := unfit_reason(model.spec, study):
        st.warning(plain(reason))
        st.button(
            f"Ask “{plain(offered[preferred].label)}” instead",
            on_click=parameter.change,
            args=(preferred,),
            key="fitting model",
        )
        return None
    return ChosenModel(model, server)


def _tested() -> dict[str, list[Connection]]:
    """Tested servers by the spec of their model, the one tested last first."""
    found: dict[str, list[Connection]] = {}
    for connection in connections(queries.store()):
        found.setdefault(connection.spec, []).append(connection)
    return found


def _offered(tested: dict[str, list[Connection]]) -> dict[str, ModelChoice]:
    offered = {model.spec: model for model in queries.models()}
    offered |= {spec: _of_server(servers[0]) for spec, servers in tested.items()}
    for run in queries.runs_in_file():
        spec = full_spec(run.model_spec)
        if spec not in offered:
            offered[spec] = looked_up(spec)
    return offered


def _chosen_server(servers: list[Connection]) -> Connection | None:
    """Draws the choice between servers that have a model of this name."""
    if len(servers) < 2:
        return servers[0] if servers else None
    by_url = {server.base_url: server for server in servers}
    parameter = choice("server", tuple(by_url), servers[0].base_url, ("at-most",))
    choosing.selectbox(
        "Server",
        list(by_url),
        help="Several servers have a model of this name. Answers of different servers are never "
        "taken for the same model's.",
        **parameter.bind(),
    )
    return by_url[parameter.value]


def _of_server(server: Connection) -> ModelChoice:
    found = server.capabilities
    unlisted = why_not_listed(server.spec, server.access)
    return ModelChoice(
        server.spec,
        found.name,
        ModelKind.LANGUAGE_MODEL,
        f"On the server {', '.join(map(place, server.access.base_urls))}.",
        ready=found.ok and not unlisted,
        why_not=unlisted or " ".join(found.problems) or "The test of this server did not succeed.",
    )


def looked_up(spec: str) -> ModelChoice:
    """A model that is not in the list, ready or with the reason why it is not."""
    if why_not := why_not_listed(spec):
        kind = read_spec(spec).kind
        return ModelChoice(spec, short_name(spec), kind, "", ready=False, why_not=why_not)
    return _found(spec)


@st.cache_data(ttl=60, max_entries=64, show_spinner="Looking at the model …")
def _found(spec: str) -> ModelChoice:
    """The same, for everybody who may know: what is kept is no session's own."""
    name = short_name(spec)
    if read_spec(spec).served:
        why_not = (
            f"“{spec}” is a model on a server that was never tested here. Test it first: that "
            "finds out where the server is and what it supports."
        )
        return ModelChoice(spec, name, ModelKind.LANGUAGE_MODEL, "", ready=False, why_not=why_not)
    try:
        identity = identify(spec)
    except ModelError as error:
        kind = read_spec(spec).kind
        return ModelChoice(spec, name, kind, "", ready=False, why_not=str(error))
    return ModelChoice(identity.spec, name, identity.kind, "", ready=True)


def chosen_strategy(study: Experiment, spec: str) -> Strategy:
    """Draws the choice of the prompt strategy; by default one in which the model works."""
    by_name = {strategy.name: strategy for strategy in study.strategies}
    parameter = choice(STRATEGY, tuple(by_name), default_strategy(study, spec))
    name = choosing.segmented_control(
        "How it is asked",
        list(by_name),
        format_func=lambda name: by_name[name].label,
        required=True,
        wrap=True,
        help="The prompt strategy: the words around the problem.",
        **parameter.bind(),
    )
    strategy = by_name[name or parameter.default]
    st.caption(plain(strategy.explanation))
    return strategy


def chosen_words(study: Experiment, design: Design, asking: RunChoices | None) -> str:
    """What is run of whom, in one line of Markdown; what to do where nothing can be run yet."""
    if asking is None:
        return "Choose a model that can be asked these pairs, under 3."
    label = next(each.label for each in study.strategies if each.name == asking.strategy)
    return (
        f"{count(design.n, 'pair')} of **{plain(queries.model_label(asking.model))}**, "
        f"{plain(label).lower()}"
    )


def warn_of_limits(spec: str, design: Design, strategy: str) -> None:
    """Says what the model was not made for, if anything."""
    reasons = cannot(spec, design.study, steps_of(design), strategy)
    if reasons:
        st.warning(
            f"This model was not made for some of this. {NEVER_LEARNED} "
            + " ".join(plain(reason) for reason in reasons)
        )


def start(design: Design, model: str, strategy: str) -> str:
    """Starts a run with nothing chosen beyond these; see `start_asking`."""
    return start_asking(RunChoices(design, model, strategy))


def start_asking(asking: RunChoices) -> str:
    """Writes the run down, starts its worker, and gives its id.

    The key of a server goes from this session's memory into the worker's environment.

    Raises:
        DesignError, ModelError, RunError, StoreError: it cannot be started.
    """
    store = queries.store()
    design = asking.design
    if design.n <= ANNOUNCED:
        doing = "Writing down the pairs …"
        if not is_measured(asking.model, asking.options.access):
            doing = (
                "Opening this model for the first time: whether it answers alike in eight bits "
                "is measured once, which takes up to some minutes …"
            )
        with st.spinner(doing, show_time=True):
            run = _prepare(asking)
    else:
        bar = st.progress(0.0, f"Making {count(design.n, 'pair')} …")
        run = _prepare(
            asking,
            lambda done: bar.progress(
                min(done / design.n, 1.0), f"{done:,} of {count(design.n, 'pair')} …"
            ),
        )
    launch(store.path, run, environment=environment_for(asking.options.access))
    return run


def _prepare(asking: RunChoices, on_progress: Callable[[int], object] | None = None) -> str:
    def tell(count: int) -> None:
        if on_progress is not None:
            on_progress(count)

    return prepare(
        queries.store(),
        asking.design,
        asking.model,
        asking.strategy,
        asking.sampling,
        tell,
        options=asking.options,
        reader=asking.reader,
    )


def _model_words(model: ModelChoice) -> str:
    kind = KINDS[model.kind].name
    words = model.label if model.label.startswith(kind) else f"{kind}: {model.label}"
    return words if model.ready else f"{words} (not available)"


@st.cache_data(show_spinner=False, ttl=20, max_entries=64)
def unfit_reason(spec: str, study: str) -> str:
    """Why asking this model would say nothing, and who can be asked; empty where it may."""
    try:
        model = identify(spec)
    except ModelError:
        return ""  # whoever opens it says what is wrong with it
    return why_unfit(experiment(study), model)


def draw_ask_again(run: RunRecord, detail: PairDetail) -> None:
    """Where the pair has a failed answer: a button that asks all failed ones of the run again."""
    if AnswerState.FAILED not in (detail.x.state, detail.x_prime.state):
        return
    if visitor.refused(May.RUN):
        return
    if run.status in ACTIVE:
        st.caption("The run is going on; what failed for a passing reason is asked again.")
        return
    reachable = has_key(run.options.access, run.id)
    if st.button(
        f"Ask {count(run.failed, 'failed one')} again",
        icon=":material/refresh:",
        key="ask again",
        disabled=not reachable,
        help="Only what failed in this run is asked, nothing else.",
    ):
        access = run.options.access
        launch(queries.store().path, run.id, environment=environment_for(access), only_failed=True)
        go(RUNS, run=run.id)


@dataclass(frozen=True, slots=True)
class FirstRun:
    """What is asked at one click.

    Attributes:
        design, learner, strategy: what is asked, of whom and how.
        nothing_yet: that nobody was asked, and what to do; about: what the run does, as Markdown.
        compose: the address of this study on Compose.
    """

    design: Design
    learner: str
    strategy: str
    nothing_yet: str
    about: str
    compose: Mapping[str, str]


def draw_first_run(first: FirstRun) -> None:
    """Says what to do; shows a run that is under way until it has answers."""
    live(lambda: _draw(first))


def _draw(first: FirstRun) -> bool:
    mine = [r for r in queries.runs_in_file() if r.study == first.design.study and r.bundle is None]
    if any(run.items_done or run.status is RunStatus.FINISHED for run in mine):
        st.rerun(scope="app")
    if mine:
        run = mine[0]
        st.markdown(f"**{plain(run_label(run))}**")
        progress_bar(run)
        link(RUNS, "Details of this run", {"run": run.id})
        return run.status in ACTIVE
    st.info(first.nothing_yet)
    with st.container(border=True):
        if not visitor.refused(May.RUN) and st.button(
            "Run the demo", type="primary", icon=":material/play_arrow:", key="demo"
        ):
            start(first.design, first.learner, first.strategy)
            st.rerun()
        st.caption(first.about)
        link(COMPOSE, "Compose this study", dict(first.compose))
    return False
