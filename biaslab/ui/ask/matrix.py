"""Studies by models by prompt strategies as one plan: choosing them, and what it comes to."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache, partial
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st
import yaml

from biaslab.models import TYPED_KEY, Access, read_spec
from biaslab.models.prices import Price, write_amount
from biaslab.models.tiny.model import DEFAULT_TINY
from biaslab.runs import (
    Connection,
    RunError,
    RunRecord,
    RunStatus,
    Store,
    connections,
    find_connection,
)
from biaslab.runs.fitting import NEVER_LEARNED, untrained
from biaslab.runs.hosting import why_not_listed
from biaslab.runs.jobs.plans import is_plan_going_on, last_words, launch_plan, plan_key, stop_plan
from biaslab.runs.jobs.queue import JobKind, QueuedWork
from biaslab.runs.matrix import (
    MatrixCell,
    PlanError,
    PlannedModel,
    cells_of,
    estimate_cells,
    read_plan,
)
from biaslab.studies import Design, Experiment, Setting, Value, experiment, experiments
from biaslab.studies.study import strategy_label
from biaslab.system.roles import May
from biaslab.ui.ask.asking import SIMULATED, default_setting, default_strategy, looked_up
from biaslab.ui.ask.costs import may_be_spent
from biaslab.ui.navigation import RESULTS, RUNS, link
from biaslab.ui.widgets import choosing, queries, visitor
from biaslab.ui.widgets.address import Parameter, choice, integer, open_integer, several
from biaslab.ui.widgets.cards import waiting_words
from biaslab.ui.widgets.session import environment_for, has_key
from biaslab.ui.widgets.words import ACTIVE, STATUSES, duration, place, plain, short_name
from schoolmath.problems import DesignError
from schoolmath.text.figures import count, percent

_PUBLISHED_RANK = 100
"""Studies below it have a place of their own in lists: those that a person begins with."""
TYPED_MODEL = (
    "For a language model on this computer, type local: and its folder or GGUF file, as in "
    "local:/home/me/models/gpt2. Models on servers are connected on the page Models first."
)
_NARROW = st.column_config.NumberColumn(width=58)
_MOST_PAIRS = 10_000
_MOST_REQUESTS = 1_000_000


class Askable(NamedTuple):
    """Somebody who can be asked.

    Attributes:
        entry: as a plan names it; label: as a person reads it.
        server: where it is; None for a model that runs here.
    """

    entry: Mapping[str, Any]
    label: str
    server: Connection | None = None


def askable() -> dict[str, Askable]:
    """All who can be asked without a further word, by an id that stands in addresses."""
    found = {
        model.spec: Askable({"model": model.spec}, model.label)
        for model in (*queries.models(), *map(looked_up, queries.local_specs()))
        if model.ready and "," not in model.spec
    }
    for server in connections(queries.store()):
        if server.capabilities.ok and not why_not_listed(server.spec, server.access):
            entry = {"model": server.spec, "base_url": server.base_url}
            id_ = served_id(server)
            if "," not in id_:
                label = f"{server.capabilities.name} on {place(server.base_url)}"
                found.setdefault(id_, Askable(entry, label, server))
    labels = choosing.distinct_labels({id_: each.label for id_, each in found.items()})
    return {id_: each._replace(label=labels[id_]) for id_, each in found.items()}


def typed_id(text: str, offered: Collection[str]) -> str | None:
    """The id that a text means: of somebody offered, or of a model in files of this computer.

    None where it means neither, or where such files are not for this visitor.
    """
    if text in offered:
        return text
    spec = read_spec(text)
    is_meant = spec.has_weights and "," not in text and visitor.may(May.CONNECT)
    return spec.text if is_meant else None


def typed_askable(spec: str) -> Askable:
    """Who is asked where the spec of a model in files of this computer was typed.

    What is wrong with it is said by the plan.
    """
    return Askable({"model": spec}, short_name(spec))


def served_id(server: Connection) -> str:
    """What a model on a server is called in the address of the page."""
    return f"{server.spec}@{server.base_url}"


def draw_choice(models: Mapping[str, Askable]) -> bytes:
    """Draws what there is to choose and gives the file of the plan that it comes to."""
    offered = _offered()
    first = [name for name in offered if experiment(name).rank < _PUBLISHED_RANK]
    studies = several("studies", offered, first)
    choosing.multiselect(
        "Studies", offered, format_func=lambda name: experiment(name).title, select_all=False,
        **studies.bind(),
    )  # fmt: skip
    usual = DEFAULT_TINY if DEFAULT_TINY in models else SIMULATED
    asked = Parameter("models", [usual], partial(_typed_ids, models), ",".join)
    typed = {id_: typed_askable(id_) for id_ in asked.value if id_ not in models}
    models = {**models, **typed}
    choosing.multiselect(
        "Models", models, format_func=lambda id_: models[id_].label if id_ in models else id_,
        select_all=False, accept_new_options=visitor.may(May.CONNECT), help=TYPED_MODEL,
        **asked.bind(),
    )  # fmt: skip
    chosen = [experiment(name) for name in studies.value]
    strategies = _draw_strategies(chosen)
    pairs, seed, most = st.columns([3, 2, 4])
    n: Parameter[int] = integer("n", 60, 1, _MOST_PAIRS)
    drawn: Parameter[int] = integer("seed", 1, 0, 2**31)
    limit = open_integer("budget-requests", 1, _MOST_REQUESTS)
    with pairs:
        st.number_input(
            "Pairs of each", 1, _MOST_PAIRS,
            help="A study that has fewer is asked all it has.", **n.bind(),
        )  # fmt: skip
    with seed:
        st.number_input("Seed", 0, 2**31, **drawn.bind())
    with most:
        st.number_input(
            "Request limit", 1, _MOST_REQUESTS, placeholder="no limit",
            help="For all of them together, over all times that this is started.", **limit.bind(),
        )  # fmt: skip
    shared = _draw_shared(chosen)
    return _plan(
        chosen,
        [models[id_] for id_ in asked.value],
        strategies,
        n.value,
        drawn.value,
        limit.value,
        shared,
    )


_SHARED = {"steps": "Steps", "numbers": "Numbers", "operations": "Comparison"}
"""Settings that several studies have, which are chosen here once for all, with short labels."""
_TWO_NUMBERS = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?")


def _draw_shared(studies: list[Experiment]) -> dict[str, str]:
    """Draws the settings that studies share; those that somebody chose, by name."""
    found: dict[str, str] = {}
    offered = {s.name: s for study in studies for s in study.settings if s.name in _SHARED}
    for column, (name, label) in zip(st.columns(len(_SHARED)), _SHARED.items(), strict=True):
        setting = offered.get(name)
        if setting is None:
            continue
        with column:
            if setting.kind == "choice":
                value = choice(name, ("", *setting.choices), "")
                choosing.selectbox(
                    label,
                    ("", *setting.choices),
                    format_func=lambda each: each or "usual",
                    **value.bind(),
                )
            else:
                value = Parameter(name, "", _in_two_numbers)
                st.text_input(
                    label,
                    placeholder="usual",
                    help=f"Such as {setting.default}. A study that cannot have it, or where you "
                    "choose nothing, takes its usual one.",
                    **value.bind(),
                )
        if value.value:
            found[name] = value.value
    return found


def _in_two_numbers(text: str) -> str | None:
    return text.strip() if _TWO_NUMBERS.fullmatch(text.strip()) else None


def _setting_of(study: Experiment, setting: Setting, shared: Mapping[str, str]) -> Value:
    """A setting as it was chosen for all studies, where this one can have it; else its usual."""
    value = shared.get(setting.name, "")
    if setting.kind == "range" and (ends := _TWO_NUMBERS.fullmatch(value)):
        low, high = int(ends[1]), int(ends[2] or ends[1])
        fits = setting.minimum <= low <= high <= setting.maximum
    else:
        fits = value in setting.choices
    return value if fits else default_setting(study, setting)


def _typed_ids(offered: Collection[str], text: str) -> list[str] | None:
    return [id_ for part in text.split(",") if (id_ := typed_id(part, offered))] or None


def _draw_strategies(studies: list[Experiment]) -> list[str]:
    labels = {each.name: each.label for study in studies for each in study.strategies}
    usual = default_strategy(studies[0])
    parameter = several("strategies", tuple(labels), [usual])
    choosing.multiselect(
        "Prompt strategies", labels, format_func=labels.__getitem__, select_all=False,
        help="The words around the problem. A study that knows none of them is asked by its first.",
        **parameter.bind(),
    )  # fmt: skip
    return parameter.value


def _plan(
    studies: list[Experiment],
    models: list[Askable],
    strategies: list[str],
    n: int,
    seed: int,
    requests: int | None,
    shared: Mapping[str, str],
) -> bytes:
    plan: dict[str, Any] = {
        "studies": [
            {
                "study": study.name,
                "n": n,
                "seed": seed,
                **{s.name: _setting_of(study, s, shared) for s in study.settings},
                "strategies": [s.name for s in study.strategies if s.name in strategies]
                or [study.strategies[0].name],
            }
            for study in studies
        ],
        "models": [dict(model.entry) for model in models],
    }
    if requests is not None:
        plan["budget"] = {"requests": requests}
    return yaml.safe_dump(plan, sort_keys=False, allow_unicode=True).encode()


@cache
def _offered() -> tuple[str, ...]:
    """The studies that can be asked without choosing more, in the order of lists."""
    return tuple(name for name, study in experiments().items() if _makes_pairs(study))


def _makes_pairs(study: Experiment) -> bool:
    try:
        return any(True for _ in study.pairs(Design(study.name, 1, 1)))
    except (DesignError, RunError):
        return False


class PlanState(NamedTuple):
    """A plan as it stands: its cells, their runs by id, and whether anything of it goes on."""

    cells: tuple[MatrixCell, ...]
    runs: Mapping[str, RunRecord]
    is_going_on: bool


def draw_plan(data: bytes, models: Mapping[str, Askable]) -> bool:
    """Draws a plan's button, its progress and its cells; whether anything of it goes on.

    Raises:
        DesignError, ModelError, RunError, StoreError: it cannot be done, and why.
    """
    cells, runs, going_on = draw_job(data)
    _draw_cells(cells, runs, models)
    answered = [run.id for run in runs.values() if run.answered]
    if answered:
        with st.container(horizontal=True):
            link(RESULTS, "Compare their results", {"runs": ",".join(answered)})
            link(RUNS, "The runs", {"run": answered[-1]})
    return going_on


def draw_job(data: bytes, label: str = "", file: Store | None = None) -> PlanState:
    """Draws a plan's button and its progress.

    Args:
        data: the plan.
        label: of the button, where what was found says that all is finished; "": how many runs
            it does.
        file: where the runs are kept; None: in the app's own file.

    Raises:
        DesignError, ModelError, RunError, StoreError: it cannot be done, and why.
    """
    store = file or queries.store()
    cells = cells_of(store, read_plan(data), _reach)
    runs = {cell.run: store.run(cell.run) for cell in cells if cell.run}
    going_on = is_plan_going_on(store.path, data)
    finished = [run for run in runs.values() if run.status is RunStatus.FINISHED]
    wanted = [cell for cell in cells if not cell.why_not]
    _draw_action(store, data, cells, runs, going_on, label)
    if runs and not (label and len(finished) == len(wanted)):
        st.progress(_share(wanted, runs), progress_words(wanted, runs))
    if going_on and not any(run.status in ACTIVE for run in runs.values()):
        waits = waiting_words(QueuedWork(JobKind.PLAN, plan_key(data)))
        st.caption(plain(waits) or "It starts in a few seconds.")
    if not going_on and (said := last_words(store.path, data)):
        st.error(plain(said), icon=":material/error:")
    return PlanState(cells, runs, going_on)


def _draw_action(
    store: Store,
    data: bytes,
    cells: Sequence[MatrixCell],
    runs: Mapping[str, RunRecord],
    going_on: bool,
    label: str,
) -> None:
    if going_on:
        active = next((run.id for run in runs.values() if run.status in ACTIVE), "")
        if st.button("Stop", icon=":material/stop:", key="stop matrix"):
            stop_plan(store, data, active)
            st.rerun()
        return
    left = [cell for cell in cells if not cell.why_not and not _is_finished(cell, runs)]
    if not left:
        if not label:
            st.success("Everything of this is finished.", icon=":material/check:")
        return
    begun = any(cell.run for cell in left)
    servers = {repr(cell.options.access): cell.options.access for cell in left}
    # Every server that wants a key has its field.
    unreached = [name for name, access in servers.items() if not has_key(access, name)]
    one, two = st.columns([1, 2], vertical_alignment="center")
    allowed = visitor.may(May.RUN)
    with two:
        if not visitor.refused(May.RUN):
            takes = _estimated(data, store, str(store.path), store.change_counter())
            st.caption(takes.words)
            # Every currency has its question, also beside one that nobody has answered.
            spent = [may_be_spent(most, each) for each, most in takes.costs.items()]
            allowed = all(spent)
    with one:
        pressed = st.button(
            label or f"{'Go on with' if begun else 'Run'} {count(len(left), 'run')}",
            type="primary",
            icon=":material/play_arrow:",
            key="run matrix",
            disabled=bool(unreached) or not allowed,
            width="stretch",
        )
    if pressed:
        launch_plan(store.path, data, _environment(left))
        st.rerun()


def _reach(model: PlannedModel) -> tuple[Access, Price | None]:
    """How a model is reached, as the test of its server found."""
    if model.base_url is None:
        return Access(), None
    known = find_connection(queries.store(), model.model, model.base_url)
    if known is None:
        raise PlanError(
            f"The server of {model.model} was never tested here. Connect it on the page Models."
        )
    return replace(known.access, at_once=model.at_most), None


def _environment(cells: Sequence[MatrixCell]) -> dict[str, str]:
    """The typed key of the servers that are asked; one process is given one key.

    Raises:
        PlanError: two servers have different ones.
    """
    found: dict[str, str] = {}
    for cell in cells:
        given = environment_for(cell.options.access)
        if found.get(TYPED_KEY, given.get(TYPED_KEY)) != given.get(TYPED_KEY, found.get(TYPED_KEY)):
            raise PlanError(
                "Two of these servers have keys of their own that were typed. Name a variable for "
                "one of them on the page Models, or run them one after the other."
            )
        found |= given
    return found


class _Takes(NamedTuple):
    """What a plan takes in words, and what it may cost at most in each currency."""

    words: str
    costs: dict[str, Decimal]


@st.cache_data(show_spinner="Estimating cost and time …", max_entries=32)
def _estimated(data: bytes, _store: Store, file: str, changes: int) -> _Takes:
    del file, changes  # What is kept already costs nothing.
    cells = cells_of(_store, read_plan(data), _reach)
    made = [found for _, found in estimate_cells(_store, cells) if found is not None]
    asked = count(sum(each.to_ask for each in made), "request")
    costs: dict[str, Decimal] = {}
    for each in made:
        if each.cost_at_most:
            costs[each.currency] = costs.get(each.currency, Decimal(0)) + each.cost_at_most
    money = "".join(f", at most {write_amount(most, each)}" for each, most in costs.items())
    if any(each.seconds is None for each in made):
        return _Takes(f"At most {asked}{money}. How long it takes is not known yet.", costs)
    seconds = duration(sum(each.seconds or 0 for each in made))
    return _Takes(f"At most {asked}{money}, {seconds} at the pace so far.", costs)


def progress_words(cells: Sequence[MatrixCell], runs: Mapping[str, RunRecord]) -> str:
    """How many runs and questions are done, of how many, and about how long the rest takes."""
    finished = sum(run.status is RunStatus.FINISHED for run in runs.values())
    done = sum(run.items_done for run in runs.values())
    # A run that has not begun has a pair's two questions for each of its pairs, as most have.
    total = sum(
        runs[cell.run].items_total if cell.run in runs else 2 * cell.design.n for cell in cells
    )
    words = (
        f"**{finished} of {count(len(cells), 'run')} finished** · {done:,} of "
        f"{count(total, 'question')}"
    )
    rates = [run.rate_per_second for run in runs.values() if run.status in ACTIVE]
    if rate := sum(each for each in rates if each):
        left = duration((total - done) / rate)
        words += f" · {left if left.startswith('under') else f'about {left}'} left"
    return words


def _share(cells: Sequence[MatrixCell], runs: Mapping[str, RunRecord]) -> float:
    if not cells:
        return 0.0
    return min(1.0, sum(_done(cell, runs) for cell in cells) / len(cells))


def _done(cell: MatrixCell, runs: Mapping[str, RunRecord]) -> float:
    run = runs.get(cell.run)
    if run is None:
        return 0.0
    if run.status is RunStatus.FINISHED:
        return 1.0
    return run.items_done / run.items_total if run.items_total else 0.0


def _is_finished(cell: MatrixCell, runs: Mapping[str, RunRecord]) -> bool:
    return cell.run in runs and runs[cell.run].status is RunStatus.FINISHED


def _draw_cells(
    cells: Sequence[MatrixCell], runs: Mapping[str, RunRecord], models: Mapping[str, Askable]
) -> None:
    labels = {
        (each.entry["model"], each.entry.get("base_url")): each.label for each in models.values()
    }
    rows: list[dict[str, Any]] = [
        {
            "State": _state(cell, runs),
            "Study": experiment(cell.design.study).title,
            "Model": labels.get(
                (cell.model, next(iter(cell.options.access.base_urls), None)), cell.model
            ),
            "Strategy": strategy_label(cell.design.study, cell.strategy),
            "Pairs": cell.design.n,
        }
        for cell in cells
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, column_config={"Pairs": _NARROW})
    never = [
        f"- {plain(reason)}"
        for cell in cells
        if not cell.why_not
        for reason in untrained(cell.model, cell.design, cell.strategy)
    ]
    if never:
        with st.expander(f"Not made for some of this ({len(never)})", icon=":material/warning:"):
            st.markdown(NEVER_LEARNED)
            st.markdown("\n".join(dict.fromkeys(never)))
    for cell in cells:
        if cell.why_not:
            st.caption(plain(f"{labels.get((cell.model, None), cell.model)}: {cell.why_not}"))
    for message in dict.fromkeys(
        run.message for run in runs.values() if run.message and run.status not in ACTIVE
    ):
        st.caption(plain(message))


def _state(cell: MatrixCell, runs: Mapping[str, RunRecord]) -> str:
    if cell.why_not:
        return "Cannot be asked"
    run = runs.get(cell.run)
    if run is None:
        return "Not begun"
    state = STATUSES[run.status].name
    done = _done(cell, runs)
    return state if done in {0.0, 1.0} else f"{state}, {percent(done, 0)}"
