"""Runs in words, told apart in few of them, and chosen with a link to the choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

import streamlit as st

from biaslab.models import Sampling, read_spec
from biaslab.models.provider import OPENAI_URL
from biaslab.runs import RunRecord, RunStatus, is_recorded, pair_sets, recording_of
from biaslab.stats import UntilNarrow
from biaslab.studies import Design, Value, experiments
from biaslab.studies.strategies import Length
from biaslab.studies.study import arms_of, strategy_label
from biaslab.ui.navigation import RUNS
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import Parameter, choice, integer, several
from biaslab.ui.widgets.choosing import ListEntry, distinct_labels, draw_links
from biaslab.ui.widgets.words import STATUSES, kind_name, moment, plain
from schoolmath.text.figures import count, listed, points_wide

UNSHORTENED: Final = 4096
"""Most tokens where a person chose none: more than any strategy asks for."""


def run_label(run: RunRecord) -> str:
    """Who was asked and how, in one line; what somebody else recorded says so."""
    return f"{_who(run)}, {how_words(run)}"


def how_words(run: RunRecord) -> str:
    """How a model was asked; what somebody else recorded says so."""
    how = strategy_label(run.study, run.way).lower()
    return how if run.bundle is None else f"{how}, recorded"


RECORDED: Final = ":material/inventory_2:"
"""The sign of runs that somebody else recorded."""

RECORDED_HERE: Final = (
    "It came with BiasLab and cannot be changed; make a run of your own with the same design."
)


def recorded_sentence(recording: Mapping[str, str]) -> str:
    """Who answered a run of the gallery, and when, as Markdown."""
    asked = date.fromisoformat(recording["date"])
    return plain(f"Recorded: {recording['name']}, asked on {asked.day} {asked:%B %Y}.")


def recorded_how(recording: Mapping[str, str]) -> str:
    """How a run of the gallery was recorded, as Markdown."""
    return plain(
        f"{recording['file']}, SHA-256 {recording['sha256'][:12]}…; numbers: "
        f"{recording['format']}; {recording['engine']}; {recording['device']}; weights under "
        f"{recording['license']}; asked by {recording['by']}."
    )


def recorded_words(recording: Mapping[str, str]) -> str:
    """Who answered a run of the gallery, when and how, as Markdown."""
    return f"{recorded_sentence(recording)} {recorded_how(recording)}"


def _who(run: RunRecord) -> str:
    """The model with its kind, which some names begin with."""
    kind, label = kind_name(run.model_kind), queries.model_label(run.model_spec)
    return label if label.lower().startswith(kind.lower()) else f"{kind}: {label}"


def run_caption(run: RunRecord, zone: str | None) -> str:
    """What was asked, how far it is and when it was made, in one line."""
    return (
        f"{study_title(run.study)} · {count(run.pairs_total, 'pair')} · "
        f"{STATUSES[run.status].name.lower()} · {made(run, zone)}"
    )


def run_when(run: RunRecord, zone: str | None) -> str:
    """Which run this is, among others of the same model and study."""
    return f"Run {short_id(run)} · {run_design(run)} · {made(run, zone)}"


def made(run: RunRecord, zone: str | None) -> str:
    """When a run was made; of one of the gallery the day alone is known."""
    when = moment(run.created, zone)
    return when.partition(",")[0] if is_recorded(run.id) else when


def short_id(run: RunRecord) -> str:
    """How a run's id begins: enough for a person to know it again."""
    return run.id[:6]


def run_design(run: RunRecord) -> str:
    """What was asked in a run, in one line."""
    return f"{study_title(run.study)} · {design_words(run.design)}"


def study_title(name: str) -> str:
    """A study's name on screens; its short name where this version does not have it."""
    found = experiments().get(name)
    return found.title if found is not None else name


def design_words(design: Design) -> str:
    """Settings that differ from the study's defaults, and the seed."""
    found = experiments().get(design.study)
    known = {s.name: s for s in found.settings} if found is not None else {}
    parts = [count(design.n, "pair"), f"seed {design.seed}"]
    for name, value in design.settings.items():
        setting = known.get(name)
        label = setting.label.lower() if setting is not None else name
        is_set = setting is not None and setting.kind == "set"
        parts.append(f"{label}: {_set_name(value) if is_set else value}")
    return "; ".join(parts)


def _set_name(value: Value) -> str:
    """What a person called a set of pairs; its id where the file has it no more."""
    names = {each.id: each.name for each in pair_sets(queries.store())}
    return f"“{names[str(value)]}”" if str(value) in names else str(value)


def run_facts(run: RunRecord, zone: str | None) -> dict[str, str]:
    """What is known about a run, by name."""
    server = read_spec(run.model_spec).served
    return {
        "Study": study_title(run.study),
        "Design": design_words(run.design),
        "Model": _who(run),
        "Model's address": run.model_spec,
        "Model's revision": run.model_revision,
        **({"Server": _server_words(run)} if server else {}),
        "How it was asked": strategy_label(run.study, run.way),
        "Read by": run.reader or "an earlier reader (before 0.5)",
        "Sampling": _sampling_words(run.sampling),
        "How much it may write": length_words(run.options.length),
        **({"System prompt": run.options.system} if run.options.system else {}),
        "Repeats": _repeats_words(run),
        "When it stops": _stopping_words(run),
        "Made": made(run, zone),
        **(
            {}
            if is_recorded(run.id)
            else {
                "Started": moment(run.started, zone),
                "Ended": moment(run.finished, zone),
            }
        ),
        "BiasLab": run.library_version,
        "Run": run.id,
    }


def _server_words(run: RunRecord) -> str:
    """Where the model was asked and how; a key's name is shown, the key is nowhere."""
    access = run.options.access
    parts = [
        ", ".join(access.base_urls) or OPENAI_URL,
        f"{access.at_once} requests at most at once",
    ]
    if access.processes > 1:
        parts.append(f"{access.processes} processes")
    if run.options.batch_api:
        parts = [parts[0], "handed over as a batch"]
    return "; ".join(parts)


def _repeats_words(run: RunRecord) -> str:
    samples = run.options.samples
    return (
        "each problem is asked once" if samples == 1 else f"each problem is asked {samples} times"
    )


def _stopping_words(run: RunRecord) -> str:
    rule = run.options.stopping
    if rule is None:
        return "after all pairs"
    looks = rule.looks_at()
    if isinstance(rule, UntilNarrow):
        return (
            f"once the difference is known to ± {points_wide(rule.half_width)}, checked after "
            f"{looks[0]:,} pairs and then every {rule.every}"
        )
    return f"once there clearly is a difference, checked {count(len(looks), 'time')}"


def length_words(length: Length) -> str:
    """How much a model may write, and what becomes of a response that is cut off."""
    tokens = (
        "as many tokens as the prompt strategy sets"
        if length.tokens is None
        else f"{count(length.tokens, 'token')} at most for each response"
    )
    if not length.go_on:
        return f"{tokens}; what is cut off counts as it is"
    return f"{tokens}; what is cut off is asked to go on up to {count(length.go_on, 'time')}"


def _sampling_words(sampling: Sampling | None) -> str:
    if sampling is None:
        return "as the prompt strategy sets it: always the likeliest next word (greedy)"
    parts = ["always the likeliest next word (greedy)"]
    if sampling.temperature > 0:
        parts = [f"temperature {sampling.temperature:g}", f"seed {sampling.seed}"]
    elif sampling.seed:
        parts.append(f"seed {sampling.seed}")
    if sampling.thinking is not None:
        parts.append(f"thinking {sampling.thinking}")
    if sampling.max_new_tokens < UNSHORTENED:
        parts.append(f"{sampling.max_new_tokens} tokens at most")
    return ", ".join(parts)


_LONGEST = 48
"""Characters of one setting: a structure may be a line of a hundred."""


def distinguishing(runs: Sequence[RunRecord]) -> dict[str, str]:
    """For each run what its design has and those that read like it have not; "" where none does.

    Runs whose designs are the same, too, are told apart by their ids.
    """
    kinds: dict[tuple[str, str], list[RunRecord]] = {}
    for run in runs:
        kinds.setdefault((run.study, run_label(run)), []).append(run)
    found: dict[str, str] = {}
    for alike in kinds.values():
        found |= _differing(alike) if len(alike) > 1 else {alike[0].id: ""}
    return {run.id: found[run.id] for run in runs}


def labels(runs: Sequence[RunRecord]) -> dict[str, str]:
    """Who was asked and how, with what tells a run apart from the others; no two are the same."""
    words = distinguishing(runs)
    return distinct_labels(
        {
            run.id: f"{run_label(run)} · {words[run.id]}" if words[run.id] else run_label(run)
            for run in runs
        }
    )


def legend(runs: Sequence[RunRecord]) -> dict[str, str]:
    """Names of runs in a chart, where the kind of model is said by a heading or a mark."""
    words = distinguishing(runs)
    return {
        run.id: ", ".join(
            filter(None, (queries.model_label(run.model_spec), how_words(run), words[run.id]))
        )
        for run in runs
    }


def options(runs: Sequence[RunRecord], zone: str | None) -> dict[str, str]:
    """A run in a list to choose from: how its id begins, who was asked what, and when.

    What tells runs alike apart comes first, as long words are cut off on a phone.

    Args:
        runs: those in the list.
        zone: the time zone of who reads it, None where it is not known.
    """
    return distinct_labels(
        {
            run.id: f"{short_id(run)} · {run_label(run)} · {run_design(run)} · {made(run, zone)}"
            for run in runs
        }
    )


def by_arms(runs: Sequence[RunRecord]) -> dict[str, list[RunRecord]]:
    """Runs that compare the same, by study and, where its members' names vary, by these.

    Effects of different treatments answer different questions, so they share no chart.
    """
    groups: dict[tuple[str, str], list[RunRecord]] = {}
    for run in runs:
        study = experiments().get(run.study)
        arms = "" if study is None else " or ".join(arms_of(study, run.design))
        groups.setdefault((run.study, arms), []).append(run)
    several = [study for study, _ in groups]
    return {
        study_title(study) + (f": {arms}" if several.count(study) > 1 else ""): some
        for (study, arms), some in groups.items()
    }


def _differing(alike: Sequence[RunRecord]) -> dict[str, str]:
    """Settings that are not the same in all of these runs of one study."""
    designs = {
        run.id: {name: _short(value) for name, value in _settings(run.design).items()}
        for run in alike
    }
    names = list(dict.fromkeys(name for design in designs.values() for name in design))
    varied = [n for n in names if len({design.get(n) for design in designs.values()}) > 1]
    words = {
        run.id: "; ".join(
            f"{_label(run.study, n)} {designs[run.id][n]}" for n in varied if n in designs[run.id]
        )
        for run in alike
    }
    times = Counter(words.values())
    return {
        run.id: "; ".join(filter(None, [words[run.id], f"run {short_id(run)}"]))
        if times[words[run.id]] > 1
        else words[run.id]
        for run in alike
    }


def _settings(design: Design) -> dict[str, Value]:
    study = experiments().get(design.study)
    defaults = {} if study is None else {each.name: each.default for each in study.settings}
    return {**defaults, **design.settings, "n": design.n, "seed": design.seed}


def _label(study: str, name: str) -> str:
    found = experiments().get(study)
    names = {} if found is None else {each.name: each.label.lower() for each in found.settings}
    return {"n": "pairs:", "seed": "seed"}.get(name, f"{names.get(name, name)}:")


def _short(value: Value) -> str:
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


ON_A_PAGE = 6
"""Runs in the list at a time."""

_ICONS = {
    RunStatus.READY: ":material/hourglass_empty:",
    RunStatus.RUNNING: ":material/sync:",
    RunStatus.STOPPING: ":material/pending:",
    RunStatus.STOPPED: ":material/stop_circle:",
    RunStatus.PAUSED: ":material/pause_circle:",
    RunStatus.INTERRUPTED: ":material/power_off:",
    RunStatus.FINISHED: ":material/check_circle:",
    RunStatus.FAILED: ":material/error:",
}


def run_parameter(runs: Sequence[RunRecord]) -> Parameter[str]:
    """The run that the address names, by default the newest."""
    return choice("run", tuple(run.id for run in runs), runs[0].id)


def refused_link(parameter: Parameter[str] | Parameter[list[str]]) -> None:
    """Says so when the address names a run that is not there."""
    if parameter.refused is not None:
        st.warning(
            f"The link names a run “{plain(parameter.refused)}” that is not in this file. "
            "Shown is the newest one."
        )


def chosen_run(runs: Sequence[RunRecord]) -> RunRecord:
    """The run that the address names, by default the newest."""
    parameter = run_parameter(runs)
    return next(run for run in runs if run.id == parameter.value)


def draw_run_list(runs: Sequence[RunRecord]) -> None:
    """Draws a link to every run, the newest first."""
    ids = [run.id for run in runs]
    shown = run_parameter(runs).value
    pages = -(-len(ids) // ON_A_PAGE)
    where = integer("list", ids.index(shown) // ON_A_PAGE + 1, 1, pages)
    start = (where.value - 1) * ON_A_PAGE
    recorded = sum(is_recorded(each) for each in ids)
    own = f"{count(len(ids) - recorded, 'run')} in your file, the newest first"
    came = count(recorded, "recorded run")
    parts = [own] * (recorded < len(ids)) + [came] * (recorded > 0)
    st.caption(", and ".join(parts))
    draw_links(
        RUNS,
        [
            ListEntry(
                plain(f"{short_id(run)} · {run_label(run)}"),
                {"run": run.id},
                _ICONS[run.status] if run.bundle is None else RECORDED,
                plain(run_caption(run, st.context.timezone)),
                run.id == shown,
            )
            for run in runs[start : start + ON_A_PAGE]
        ],
    )
    if pages > 1:
        st.pagination(pages, max_visible_pages=3, **where.bind())


def run_of(label: str, runs: Sequence[RunRecord], parameter: Parameter[str]) -> RunRecord:
    """Draws a choice of one of several runs in a single line.

    Args:
        label: what the run is chosen for.
        runs: those to choose from; of a single one there is nothing to draw.
        parameter: the choice in the address.
    """
    by_id = {run.id: run for run in runs}
    if len(runs) > 1:
        _draw_line(label, runs, parameter)
    return by_id[parameter.value]


def one_run(runs: Sequence[RunRecord]) -> RunRecord:
    """Draws a choice of one run, with what it was."""
    parameter = run_parameter(runs)
    _draw_line("Run", runs, parameter)
    refused_link(parameter)
    chosen = chosen_run(runs)
    st.caption(plain(f"{run_label(chosen)} · {run_design(chosen)}"))
    draw_recorded([chosen])
    return chosen


def draw_gallery_fault() -> None:
    """Says why no recorded runs stand here, where they cannot be opened."""
    if fault := queries.gallery_fault():
        st.warning(plain(fault), icon=RECORDED)


def draw_recorded(runs: Sequence[RunRecord]) -> None:
    """Says of the runs of the gallery among some how they were recorded, all in one line."""
    found = {run.bundle: recording_of(run) for run in runs}
    recordings = [*filter(None, found.values())]
    if len(recordings) == 1:
        st.caption(
            f"{RECORDED} {recorded_sentence(recordings[0])}", help=recorded_how(recordings[0])
        )
    elif recordings:
        names = plain(listed([each["name"] for each in recordings]))
        how = "\n\n".join(map(recorded_words, recordings))
        st.caption(f"{RECORDED} Recorded answers that came with BiasLab: {names}.", help=how)


def _draw_line(label: str, runs: Sequence[RunRecord], parameter: Parameter[str]) -> None:
    words = options(runs, st.context.timezone)
    choosing.selectbox(label, words, format_func=words.__getitem__, **parameter.bind())


def several_runs(runs: Sequence[RunRecord], default: Sequence[RunRecord] = ()) -> list[RunRecord]:
    """Draws a choice of several runs; by default the newest, or those given."""
    by_id = {run.id: run for run in runs}
    words = options(runs, st.context.timezone)
    first = [run.id for run in default] or [runs[0].id]
    parameter = several("runs", tuple(by_id), first)
    choosing.multiselect(
        "Runs to compare", words, format_func=words.__getitem__, select_all=False,
        **parameter.bind(),
    )  # fmt: skip
    refused_link(parameter)
    chosen = [by_id[run] for run in parameter.value]
    draw_recorded(chosen)
    return chosen
