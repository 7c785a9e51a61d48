"""A run in words: who was asked what, and how."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final

from biaslab.models import Sampling, read_spec
from biaslab.models.access import OPENAI_URL
from biaslab.runs import RunRecord, is_recorded, pair_sets
from biaslab.stats import UntilNarrow
from biaslab.studies import Design, Value, experiments
from biaslab.studies.strategies import Length
from biaslab.studies.study import strategy_label
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.words import STATUSES, kind_name, moment, plain
from schoolmath.text.figures import count, points_wide

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
            f"once the difference is known to ± {points_wide(rule.half_width)}, looked at after "
            f"{looks[0]:,} pairs and then every {rule.every}"
        )
    return f"once there clearly is a difference, looked at {count(len(looks), 'time')}"


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
