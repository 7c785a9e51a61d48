"""Choosing the models that are looked into: tiny ones, those along a training, local ones.

What the page Look inside shows, as it stands in its address, and choosing the pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from biaslab.models import Access, ModelError, ModelForm, ModelKind, full_spec, identify, read_spec
from biaslab.models.tiny.model import CHECKPOINT_MARK, DEFAULT_TINY, checkpoint_names, tiny_spec
from biaslab.runs import connections
from biaslab.runs.hosting import why_not_listed
from biaslab.studies import Design, Pair, experiment
from biaslab.studies.study import LARGEST_SEED
from biaslab.studies.word_problems.inside.word_by_word import DIRECT
from biaslab.ui.ask.asking import cannot, card_of
from biaslab.ui.models.model_list import local_models
from biaslab.ui.navigation import MODELS, link
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import Parameter, choice, flag, integer
from biaslab.ui.widgets.session import has_key, wants_typed_key
from biaslab.ui.widgets.words import KINDS, plain, short_name

CONSISTENCY, TRANSFER, CARRY = "consistency", "transfer-comparison", "carry"
STUDIES = (CONSISTENCY, TRANSFER, CARRY)
"""Studies of word problems whose steps are known, so that one of them can be reversed."""

DEFAULT_PAIR = 60
"""Of the pairs of the first study and seed, the clearest on which the first model turns round: the
right answer leads in the consistent member and the reversed one in the inconsistent one, by as much
as possible together, and the two answers begin with different digits. A test asks the model about
every pair and holds that it is this one, and how many there are."""

SHOWING = 8
"""Of those `queries.PREVIEWED` pairs, on how many the model turns round so, by 5 points each."""

MOST_STEPS = 3
"""More words than such a problem has are not told apart in a chart."""

MOST_BESIDE = 6
"""Models laid below the first one."""

COMPARISONS = ("additive", "multiplicative")
_MADE_AT_ONCE = 5


def study_parameter() -> Parameter[str]:
    """Which study the pair is of."""
    return choice("study", STUDIES, CONSISTENCY)


def steps_parameter() -> Parameter[int]:
    """How many calculations lead to the answer."""
    return integer("steps", 1, 1, MOST_STEPS)


def comparison_parameter() -> Parameter[str]:
    """Whether the consistency study compares by a difference or by a factor."""
    return choice("operations", COMPARISONS, COMPARISONS[0])


def seed_parameter() -> Parameter[int]:
    """The seed of the pairs."""
    return integer("seed", 1, 0, LARGEST_SEED)


def pair_parameter() -> Parameter[int]:
    """Which of the seed's pairs, from 1; unless told otherwise one that shows the effect."""
    return integer("pair", DEFAULT_PAIR, 1, queries.PREVIEWED)


def look_parameter() -> Parameter[bool]:
    """Whether a person has asked to look: from then on every change is followed at once."""
    return flag("look")


def swaps_parameter() -> Parameter[bool]:
    """Whether a person has asked for swaps inside a model that is not tiny."""
    return flag("swaps")


def probe_parameter() -> Parameter[bool]:
    """Whether a person has asked for the probe, which takes longer."""
    return flag("probe")


def model_parameter(default: str) -> Parameter[str]:
    """Spec of the model."""
    return Parameter("model", default, lambda text: full_spec(text) or None)


def beside_parameter() -> Parameter[list[str]]:
    """Specs of models laid below it; a folder with a comma in its name can only be the first."""

    def read(text: str) -> list[str] | None:
        named = [full_spec(part) for part in text.split(",") if part.strip()]
        return list(dict.fromkeys(named))[:MOST_BESIDE] or None

    return Parameter("beside", [], read, ",".join)


def design_of_address() -> Design:
    """The design whose pair is shown, as large as it has to be."""
    study = study_parameter().value
    settings: dict[str, str | int | bool] = {}
    if study != CARRY:
        steps = steps_parameter().value
        settings["steps"] = f"{steps}-{steps}"
    if study == CONSISTENCY:
        settings["operations"] = comparison_parameter().value
    return Design(study, pair_parameter().value, seed_parameter().value, settings)


def pair_of(design: Design) -> Pair:
    """The last pair of a design; the same whatever the design's size.

    Raises:
        DesignError: the settings give no pairs.
    """
    made = -(-design.n // _MADE_AT_ONCE) * _MADE_AT_ONCE
    settings = tuple(sorted(design.settings.items()))
    return queries.first_pairs(design.study, design.seed, settings, made)[design.n - 1]


def draw_pair_fields() -> None:
    """Draws the study, the steps, the seed and which of its pairs."""
    study = study_parameter()
    choosing.selectbox(
        "Study",
        STUDIES,
        format_func=lambda name: experiment(name).title,
        filter_mode=None,
        help="Which feature the two problems differ in.",
        **study.bind(),
    )
    if study.value != CARRY:
        choosing.segmented_control(
            "Reasoning steps",
            list(range(1, MOST_STEPS + 1)),
            required=True,
            help="How many calculations lead to the answer.",
            **steps_parameter().bind(),
        )
    if study.value == CONSISTENCY:
        choosing.segmented_control(
            "Comparison",
            list(COMPARISONS),
            format_func=str.capitalize,
            required=True,
            help="Additive: 3 more than; multiplicative: 3 times as many as.",
            **comparison_parameter().bind(),
        )
    one, other = st.columns(2, wrap=False)
    with one:
        st.number_input(
            "Pair", min_value=1, max_value=queries.PREVIEWED, step=1, value=None,
            help="Which of the seed's pairs.", **pair_parameter().bind(),
        )  # fmt: skip
    with other:
        st.number_input(
            "Seed", min_value=0, max_value=LARGEST_SEED, step=1, value=None,
            help="The same seed gives the same pairs on every computer.",
            **seed_parameter().bind(),
        )  # fmt: skip


PREFERRED = (tiny_spec("skewed-64k"), DEFAULT_TINY)
"""What is looked into unless told otherwise, the first that is there: one that may be misled."""


@dataclass(frozen=True, slots=True)
class OpenModel:
    """A model that can be looked into.

    Attributes:
        spec: what opens it.
        label: what it is called on screens, unlike the others of the page.
        id: changes whenever its probabilities may.
        form: how it wants to be addressed.
        tiny: whether it is so small that nothing about it takes long.
        server: how its server is reached; None where its weights are opened here.
    """

    spec: str
    label: str
    id: str
    form: ModelForm
    tiny: bool
    server: Access | None = None


def draw_models() -> list[OpenModel]:
    """Draws the choice of the models; those that cannot be looked into say why.

    Returns:
        the models that can, in order; none where there is nothing to look into.
    """
    offered = _offered()
    default = next((spec for spec in PREFERRED if spec in offered), next(iter(offered), ""))
    model, beside = model_parameter(default), beside_parameter()
    if not offered:
        _say_none()
    choosing.selectbox(
        "Model",
        list(offered),
        index=None,
        format_func=lambda spec: offered.get(spec, spec),
        accept_new_options=True,
        placeholder="type local: and a folder",
        help="A tiny model, a stop along its training, a tested server that gives the probability "
        "of any text, or type local: and the folder of a language model on this computer. "
        "Simulated learners cannot be opened.",
        **model.bind(),
    )
    if not model.value:
        return []
    choosing.multiselect(
        "Compare with",
        list(offered),
        format_func=lambda spec: offered.get(spec, spec),
        accept_new_options=True,
        max_selections=MOST_BESIDE,
        placeholder="another model to compare with",
        help=f"Up to {MOST_BESIDE} more, drawn below it on the same axes: one trained on another "
        "mix, say, or stops along the training.",
        **beside.bind(),
    )
    _draw_along(model.value, beside)
    specs = list(dict.fromkeys([model.value, *beside.value]))
    names = _names(specs, offered)
    return [found for spec in specs if (found := _opened(spec, names[spec])) is not None]


def warn_of_limits(models: Sequence[OpenModel], study: str, steps: int) -> None:
    """Says which of the models were not made for such problems, if any."""
    reasons = [
        reason for each in models for reason in cannot(each.spec, study, [steps], DIRECT.name)
    ]
    if reasons:
        st.warning(
            "What is seen here may show that a model never learned such problems, not a bias. "
            + " ".join(plain(reason) for reason in dict.fromkeys(reasons))
        )


def _draw_along(spec: str, beside: Parameter[list[str]]) -> None:
    stops = _stops(spec)
    if stops and beside.value != stops:
        st.button(
            "Compare with earlier stages of its training",
            key="along training",
            icon=":material/timeline:",
            help=f"{len(stops)} stops along the training of this model.",
            on_click=beside.set,
            args=(stops,),
        )


def _stops(spec: str) -> list[str]:
    """Up to `MOST_BESIDE` stops along a model's training, spread over all there are."""
    there = checkpoints(spec)
    if len(there) <= MOST_BESIDE:
        return list(there)
    step = (len(there) - 1) / (MOST_BESIDE - 1)
    return [there[round(step * number)] for number in range(MOST_BESIDE)]


@st.cache_data(ttl=20, max_entries=64, show_spinner=False)
def checkpoints(spec: str) -> tuple[str, ...]:
    """Specs of the stops along a tiny model's training, the earliest first."""
    named = read_spec(spec)
    if named.kind is not ModelKind.TINY or CHECKPOINT_MARK in named.name:
        return ()
    try:
        return tuple(map(tiny_spec, checkpoint_names(named.name)))
    except ModelError:
        return ()


def _offered() -> dict[str, str]:
    """Names by spec: tiny models, each with its stops after it, and local models used before."""
    tiny = [each for each in queries.models() if each.kind is ModelKind.TINY and each.ready]
    offered: dict[str, str] = {}
    for each in tiny:
        offered[each.spec] = each.label
        for spec in checkpoints(each.spec):
            card = card_of(spec)
            offered[spec] = short_name(spec) if card is None else card.label
    offered |= {each.spec: each.label for each in local_models() if each.ready}
    offered |= {spec: short_name(spec) for spec in _servers()}
    names = _names(list(offered), offered)
    return {spec: names[spec] for spec in offered}


def _servers() -> dict[str, Access]:
    """How tested servers are reached that score any text, and with no key typed for one alone."""
    tested = reversed(connections(queries.store()))
    return {
        each.spec: each.access
        for each in tested
        if each.capabilities.scores_any and not wants_typed_key(each.access)
    }


def _names(specs: Sequence[str], offered: dict[str, str]) -> dict[str, str]:
    """A name for each, no two alike."""
    return choosing.distinct_labels({spec: offered.get(spec, short_name(spec)) for spec in specs})


def _opened(spec: str, label: str) -> OpenModel | None:
    if server := _servers().get(spec):
        return _reached(spec, label, server)
    provider = read_spec(spec).provider
    if provider is not None and provider.closed:
        st.warning(plain(f"“{spec}” {provider.closed}. Choose a tiny model or one in a folder."))
        return None
    found = why_not_listed(spec) or _identified(spec)
    if isinstance(found, str):
        st.warning(plain(found))
        return None
    return OpenModel(spec, label, *found)


def _reached(spec: str, label: str, server: Access) -> OpenModel | None:
    if why_not := why_not_listed(spec, server):
        st.warning(plain(why_not))
    if why_not or not has_key(server, f"inside {spec}"):
        return None
    reached = identify(spec, access=server)
    return OpenModel(spec, label, reached.id, reached.form, tiny=False, server=server)


@st.cache_data(ttl=20, max_entries=64, show_spinner="Looking at the model …")
def _identified(spec: str) -> tuple[str, ModelForm, bool] | str:
    """What tells its answers from others', its form, whether it is tiny; or why it stays shut."""
    try:
        identity = identify(spec)
    except ModelError as error:
        return str(error)
    return identity.id, identity.form, identity.kind is ModelKind.TINY


def _say_none() -> None:
    missing = [each.why_not for each in queries.models() if each.kind is ModelKind.TINY]
    st.info(
        plain(" ".join([*missing, f"{KINDS[ModelKind.TINY].explanation}"]))
        + " Until one is there, type local: and the folder of a language model below.",
        icon=":material/power_off:",
    )
    link(MODELS, "Which models there are")
