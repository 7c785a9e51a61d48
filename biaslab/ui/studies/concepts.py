"""The study of concepts: what is read, a concept and its prompts, and how well it was learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from biaslab.charts.concepts import (
    LONGEST_LINE,
    Curve,
    accuracy_chart,
    distance_chart,
    extension_chart,
    number_line,
)
from biaslab.runs import RunRecord
from biaslab.stats import InvalidRule
from biaslab.stats.comparisons.comparisons import EffectSpread
from biaslab.studies import Design, Pair, Setting
from biaslab.studies.concepts import Concept, Population, monotonicity, pool
from biaslab.studies.concepts.answers import (
    LOTS,
    STRATEGIES,
    Fits,
    RunAnswers,
    StrategyFit,
    run_answers,
    strategy_fits,
)
from biaslab.studies.concepts.items import COUNTING, DISTANCES, OURS, WORDING, ConceptPair
from biaslab.studies.concepts.published import CAVEAT, published_concepts
from biaslab.studies.concepts.results import (
    ConceptAccuracy,
    ConceptFigures,
    Gap,
    between_wordings,
    by_concept,
    by_distance,
    explicit_gains,
    gaps_by_concept,
    gaps_by_wording,
    up_down_gaps,
    warnings_of,
)
from biaslab.studies.concepts.study import (
    AGAINST,
    CONCEPT,
    EXPERIMENT,
    MIN_HAS,
    SEMANTICS,
    SHOTS,
    TOTALS,
)
from biaslab.ui.compose.design_form import address_of, design_of_settings, setting_parameter
from biaslab.ui.navigation import COMPOSE, action_row, go
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import Parameter, integer
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.queries import OutcomesState
from biaslab.ui.widgets.runs import run_design, run_label
from biaslab.ui.widgets.words import KINDS, plain
from schoolmath.problems import DesignError
from schoolmath.text.figures import (
    hundredths,
    interval_words,
    p_words,
    percent,
    percents,
    signed_points,
)


@dataclass(frozen=True, slots=True)
class ConceptResults:
    """Everything that one run shows.

    Attributes:
        figures: of every concept and way of saying it; curves: by distance.
        gaps: first minus second concept by semantics; by_concept, by_wording: the same by concept,
            or wording, too.
        spreads: how far wordings lie apart, by semantics.
        fits: how well simple strategies fit the answers.
        warnings: why its probabilities are not to be believed.
    """

    figures: tuple[ConceptFigures, ...]
    curves: tuple[Curve, ...]
    gaps: tuple[Gap, ...]
    by_concept: tuple[Gap, ...]
    by_wording: tuple[Gap, ...]
    spreads: tuple[tuple[str, EffectSpread], ...]
    fits: tuple[Fits, ...]
    warnings: tuple[str, ...]


@st.cache_resource(show_spinner=False, max_entries=8)
def _answers(state: OutcomesState) -> RunAnswers | None:
    """The answers of a run as they stand; shared, so never to be changed."""
    items = queries.answered_items(state)
    return next(iter(run_answers(items)), None) if len(items) else None


@st.cache_data(show_spinner="Working out the figures …", max_entries=32)
def results(state: OutcomesState, invalid: InvalidRule) -> ConceptResults | None:
    """The figures of a run as it stands; None where nothing was asked."""
    run = _answers(state)
    if run is None:
        return None
    curves: dict[tuple[str, str], dict[str, ConceptAccuracy]] = {}
    for (semantics, arm, name), found in by_distance(run, invalid).items():
        curves.setdefault((arm, semantics), {})[name] = found
    return ConceptResults(
        tuple(by_concept(run, invalid)),
        tuple(Curve(arm, semantics, bins) for (arm, semantics), bins in curves.items()),
        tuple(up_down_gaps(run, invalid)),
        tuple(gaps_by_concept(run, invalid)),
        tuple(gaps_by_wording(run, invalid)),
        tuple(between_wordings(run, invalid)),
        tuple(strategy_fits(run)),
        tuple(warnings_of(run)),
    )


@st.cache_data(show_spinner=False, max_entries=32)
def gains(states: tuple[OutcomesState, ...], invalid: InvalidRule) -> list[Gap]:
    """Explicit minus hidden over the runs chosen, where the same numbers were asked in both."""
    found = [run for run in map(_answers, states) if run is not None]
    return explicit_gains(found, invalid)


def first_pair(design: Design) -> Pair:
    """The first pair of a design; needs no file of runs.

    Raises:
        DesignError: there are none.
    """
    return next(EXPERIMENT.pairs(design))


SETTINGS = (CONCEPT, AGAINST, COUNTING, SEMANTICS, WORDING, TOTALS, SHOTS, MIN_HAS)
"""Settings of the study that the page has fields for; the others are set on Compose."""

EXAMPLES = (
    "more than 3/10", "at least 1/2", "at most 20", "between 1/4 and 3/4", "all",
    "an even number", "an even total", "published",
)  # fmt: skip
_TOTAL = 20
_FEW_LINES = 3
_DIRECTIONS = {
    "upward": "upward: who has more of the same total keeps the yes",
    "downward": "downward: who has less of the same total keeps the yes",
    "both": "neither way: the part makes no difference",
    "neither": "not monotone: having more can turn a yes into a no and a no into a yes",
}


def draw_builder() -> None:
    """Draws what is asked, with the way to asking; changing and reading more of it are steps."""
    design = design_of_settings(EXPERIMENT.name, SETTINGS)
    found: tuple[ConceptPair, ...] = ()
    error: DesignError | None = None
    try:
        found = EXPERIMENT.comparisons(design)
    except DesignError as refused:
        error = refused
    action = action_row()
    if found:
        pair = first_pair(design)
        _draw_lines(found[0])
        st.code(_shortened(pair.x.text), language=None, wrap_lines=True)
        if action.button("Ask a model", type="primary", icon=":material/play_arrow:", key="ask"):
            go(COMPOSE, **address_of(design))
    with st.expander("Change the concept", expanded=error is not None):
        for setting in SETTINGS:
            _draw_field(setting)
            if error is not None and error.setting == setting.name:
                st.error(plain(str(error)), icon=":material/error:")
        if error is not None and error.setting not in {setting.name for setting in SETTINGS}:
            st.error(plain(str(error)), icon=":material/error:")
    if found:
        with st.expander("What exactly is asked"):
            _draw_details(found, pair)


def _draw_lines(pair: ConceptPair) -> None:
    """The number lines of both concepts."""
    total = _total(pair.population)
    for column, concept in zip(st.columns(2, gap="medium"), (pair.one, pair.other), strict=True):
        with column:
            draw_chart(
                number_line(concept, total.value, pair.population.min_has, dark=is_dark()),
                f"number line {concept.id}",
            )


def _shortened(prompt: str) -> str:
    """The first example and the question; everything where there is little more."""
    lines = prompt.split("\n")
    return "\n".join([lines[0], "…", lines[-1]] if len(lines) > _FEW_LINES else lines)


def _total(population: Population) -> Parameter[int]:
    """The total on the number line, in the address."""
    longest = min(population.high, max(LONGEST_LINE, population.low))
    return integer("total", min(max(_TOTAL, population.low), longest), population.low, longest)


def _draw_field(setting: Setting) -> None:
    parameter = setting_parameter(EXPERIMENT, setting)
    if setting is CONCEPT:
        options = list(dict.fromkeys((*EXAMPLES, parameter.value)))
        choosing.selectbox(
            setting.label, options, accept_new_options=True, help=setting.explanation,
            **parameter.bind(),
        )  # fmt: skip
    elif setting.kind == "choice":
        choosing.segmented_control(
            setting.label, setting.choices, format_func=str.capitalize, required=True, wrap=True,
            help=setting.explanation, **parameter.bind(),
        )  # fmt: skip
    else:
        st.text_input(setting.label, help=setting.explanation, **parameter.bind())


def _draw_details(comparisons: tuple[ConceptPair, ...], pair: Pair) -> None:
    chosen = comparisons[0]
    population = chosen.population
    if len(comparisons) > 1:
        st.caption(f"The first of {len(comparisons)} concepts is shown.")
    for concept in (chosen.one, chosen.other):
        st.markdown(plain(_facts(concept, population)))
    st.caption(plain(f"Matched prompts: {chosen.matching.explanation}"))
    _draw_prompts(pair, chosen)
    longest = min(population.high, max(LONGEST_LINE, population.low))
    st.number_input(
        "Total on the number line", min_value=population.low, max_value=longest, step=1,
        help="How many things there are in all.", **_total(population).bind(),
    )  # fmt: skip
    if st.toggle("Every total at once", key="all totals"):
        for concept in (chosen.one, chosen.other):
            draw_chart(extension_chart(concept, population, dark=is_dark()), f"totals {concept.id}")


def _facts(concept: Concept, population: Population) -> str:
    sides = pool(concept, population)
    direction = _DIRECTIONS[monotonicity(concept, population)]
    return (
        f"“{concept.id}” is {direction}. Yes is right for {len(sides.yes):,} amounts, no for "
        f"{len(sides.no):,}."
    )


def _draw_prompts(pair: Pair, comparison: ConceptPair) -> None:
    one, other = st.columns(2, gap="medium")
    for column, item, concept in (
        (one, pair.x, comparison.one), (other, pair.x_prime, comparison.other)
    ):  # fmt: skip
        with column:
            st.markdown(f"**{plain(concept.id)}**")
            st.code(item.text, language=None, wrap_lines=True, height=300)
            st.caption(plain(f"Right answer: {item.answer}"))


_FEW = 100
"""Below so many questions the intervals are wider than most differences."""


def draw_results(runs: Sequence[RunRecord], focus: RunRecord, invalid: InvalidRule) -> None:
    """Everything that the runs chosen show; charts are of ``focus``."""
    found = results(OutcomesState.of(focus), invalid)
    st.header(plain(run_label(focus)), anchor=False)
    st.caption(plain(run_design(focus)))
    kind = next(kind for kind in KINDS if str(kind) == focus.model_kind)
    st.caption(f"{KINDS[kind].name}: {KINDS[kind].explanation}")
    if found is None or not any(each.accuracy.n for each in found.figures):
        st.info("Nothing has been answered yet.")
        return
    for sentence in found.warnings:
        st.warning(plain(sentence), icon=":material/warning:")
    for gap in found.gaps:
        st.markdown(plain(gap_sentence(gap)))
        st.markdown(plain(beyond_sentence(gap)))
    for semantics, spread in found.spreads:
        st.markdown(plain(spread_sentence(semantics, spread)))
    _draw_gains(runs, invalid)
    few = min(each.accuracy.n for each in found.figures)
    if few < _FEW:
        st.caption(
            f"Some concepts have only {few} answers: with 20 questions an accuracy is known to "
            "about 22 percentage points either way, with 500 to about 4."
        )
    one, other = st.columns(2, gap="medium")
    with one:
        draw_chart(accuracy_chart(found.figures, dark=is_dark()), "concepts")
        st.caption(
            "The ticks are ceilings: what a learner reaches that sees only the same examples. The "
            "**ratio learner** compares shares; the **count learner** ignores the totals. An "
            "accuracy below the short tick needs no understanding of proportions."
        )
    with other:
        draw_chart(distance_chart(found.curves, DISTANCES, dark=is_dark()), "concept distances")
        st.caption("Close to the threshold even the best learner has to guess.")
    st.header("Telling apart, and leaning to yes", anchor=False)
    st.dataframe(
        figures_table(found.figures),
        hide_index=True,
        column_config={
            "d′": st.column_config.TextColumn(
                help="How well yes and no questions are distinguished; 0 is chance."
            ),
            "Criterion": st.column_config.TextColumn(
                help="How answers lean whatever is asked: below 0 to yes, above 0 to no."
            ),
            "Yes": st.column_config.TextColumn(help="Share of yes answers; half would be right."),
            "Both answers": st.column_config.TextColumn(
                help="Median probability of both answers together. Tiny: it would say something "
                "else."
            ),
        },
        alt=f"Accuracy, yes-rate, d prime and criterion, {len(found.figures)} rows",
    )
    if len(found.by_concept) > len(found.gaps):
        with st.expander("Gap by concept"):
            st.dataframe(
                gap_table(found.by_concept, "Concept"), hide_index=True, alt="Gap by concept"
            )
            st.caption(
                "Of a single fraction counting gives a gap of its own, so look at what goes beyond."
            )
    if found.spreads:
        with st.expander("Gap by wording"):
            st.dataframe(
                gap_table(found.by_wording, "Wording"), hide_index=True, alt="Gap by wording"
            )
    _draw_fits(found.fits)
    draw_published()


def _draw_fits(model_fits: Sequence[Fits]) -> None:
    st.header("What the answers go by", anchor=False)
    for fits in model_fits:
        st.markdown(plain(fit_sentence(fits)))
    with st.expander("Every strategy"):
        st.dataframe(fits_table(model_fits), hide_index=True, alt="Strategies that may fit")
        st.caption(
            "Each strategy sees the labelled amounts alone. Evidence: how many times likelier "
            "than guessing it makes these answers, as a power of ten; below 0 less likely."
        )


def fit_sentence(fits: Fits) -> str:
    """Which strategy fits best, and how surely."""
    how = ", ".join(part for part in (fits.semantics, fits.wording) if part).capitalize()
    first, second = fits.fits[:2]
    if not fits.best:
        return (
            f"{how}: {fits.n:,} answers don't tell {_called(first)} from {_called(second)} (the "
            f"first is {_times(fits.lead)} likelier)."
        )
    if first.strategy == LOTS:
        return (
            f"{how}: none of {len(STRATEGIES)} simple strategies fits better than guessing "
            f"({fits.n:,} answers; {_times(fits.lead)} likelier than {_called(second)})."
        )
    return (
        f"{how}: of {len(STRATEGIES)} simple strategies {_called(first)} fits best: "
        f"{first.agreed:,} of {first.told:,} answers are as it says, {_times(fits.lead)} likelier "
        f"than under the next, {_called(second)}."
    )


def fits_table(fits: Sequence[Fits]) -> pd.DataFrame:
    """A row a way of answering and prompt strategy, the best first."""
    return pd.DataFrame(
        [
            {
                "Prompt": each.semantics,
                "Wording": each.wording or OURS,
                "Strategy": fit.strategy,
                "What it goes by": STRATEGIES[fit.strategy][1]
                if fit.strategy in STRATEGIES
                else "Nothing: each answer is drawn.",
                "Answers as it says": f"{fit.agreed:,} of {fit.told:,}" if fit.told else "–",
                "Evidence": f"{fit.evidence:.1f}".replace("-", "−"),
            }
            for each in fits
            for fit in each.fits
        ]
    )


def _called(fit: StrategyFit) -> str:
    return f"“{fit.strategy}”"


_MOST = 6
"""Power of ten from which on a number is only called large."""


def _times(power: float) -> str:
    return f"{10**power:,.0f} times" if power < _MOST else "more than a million times"


def gap_sentence(gap: Gap) -> str:
    """The gap of a run in words, with interval and test."""
    estimate = gap.estimate
    if estimate.mean is None:
        return f"{gap.what[0].capitalize()}: no pair has been answered yet."
    ends = estimate.interval
    spread = interval_words(None, None) if ends is None else interval_words(ends.low, ends.high)
    return (
        f"{gap.what[0].capitalize()}: the first concept {percent(gap.first)} right, the one "
        f"compared with it {percent(gap.second)}: {signed_points(estimate.mean)} percentage points "
        f"({spread}; {estimate.n:,} matched pairs, p {p_words(gap.estimate.p)})."
    )


_NOTHING = 0.0005
"""Less than this is written as 0.0 points."""


def beyond_sentence(gap: Gap) -> str:
    """What counting alone gives of a gap, and what goes beyond it."""
    if gap.counting is None or gap.beyond.mean is None:
        return ""
    ends = gap.beyond.interval
    spread = interval_words(None, None) if ends is None else interval_words(ends.low, ends.high)
    beyond = f"{signed_points(gap.beyond.mean)} ({spread}; p {p_words(gap.beyond.p)})"
    if abs(gap.counting) < _NOTHING:
        return f"Beyond counting: {beyond}. Counting, totals ignored, gives no gap in this design."
    return (
        f"Beyond counting: {beyond}. Counting alone, totals ignored, gives "
        f"{signed_points(gap.counting)} points on these prompts, which were asked one way: a gap "
        "of that size does not concern more and less."
    )


def spread_sentence(semantics: str, spread: EffectSpread) -> str:
    """How much the wording does."""
    ends = spread.interval
    if spread.deviation is None or ends is None:
        return f"{semantics.capitalize()}: too few amounts were asked in every wording."
    return (
        f"{semantics.capitalize()}: between the wordings the gap varies by a standard deviation of "
        f"{hundredths(spread.deviation)} points beyond chance "
        f"({interval_words(ends.low, ends.high)}; p {p_words(spread.p)} that all are the same)."
    )


def _draw_gains(runs: Sequence[RunRecord], invalid: InvalidRule) -> None:
    arms = {"x": "the first concept", "x_prime": "the one compared with it"}
    for gap in gains(tuple(OutcomesState.of(run) for run in runs), invalid):
        if gap.estimate.mean is not None:
            st.markdown(
                plain(
                    f"Saying the meaning changes {arms[gap.what[1]]} from {percent(gap.second)} to "
                    f"{percent(gap.first)}: {signed_points(gap.estimate.mean)} percentage points "
                    f"({gap.estimate.n:,} prompts with the same numbers, "
                    f"p {p_words(gap.estimate.p)})."
                )
            )


def figures_table(figures: Sequence[ConceptFigures]) -> pd.DataFrame:
    """A row a concept and way of saying it."""
    return pd.DataFrame(
        [
            {
                "Concept": each.concept,
                "Prompt": each.semantics,
                "Right": percent(each.accuracy.value),
                "n": each.accuracy.n,
                "Unread": each.accuracy.invalid,
                "Yes": percent(each.signals.yes_rate),
                "d′": _number(each.signals.d_prime),
                "d′ interval": _ends(each),
                "Criterion": _number(each.signals.criterion),
                **{
                    f"{ceiling.name.capitalize()} learner": percent(ceiling.accuracy)
                    for ceiling in each.ceilings
                },
                "Both answers": percent(each.mass) if each.mass is not None else "–",
            }
            for each in figures
        ]
    )


def gap_table(gaps: Sequence[Gap], what: str) -> pd.DataFrame:
    """A row a concept or wording, and way of saying it."""
    return pd.DataFrame(
        [
            {
                what: gap.what[1],
                "Prompt": gap.what[0],
                "First": percent(gap.first),
                "Second": percent(gap.second),
                "Gap": signed_points(gap.estimate.mean),
                "Interval": "–"
                if gap.estimate.interval is None
                else interval_words(gap.estimate.interval.low, gap.estimate.interval.high),
                "Counting": signed_points(gap.counting),
                "Beyond counting": signed_points(gap.beyond.mean),
                "Interval beyond": "–"
                if gap.beyond.interval is None
                else interval_words(gap.beyond.interval.low, gap.beyond.interval.high),
                "p": p_words(gap.beyond.p),
                "n": gap.estimate.n,
            }
            for gap in gaps
        ]
    )


def draw_published() -> None:
    """The published means, with what is not known of them."""
    st.header("Compare with published results", anchor=False)
    table = pd.DataFrame(
        [
            {
                "Model": row.model,
                "Prompt": row.semantics,
                "More than p": f"{percent(row.more)} ({_range(row.more_range)})",
                "Less than p": f"{percent(row.less)} ({_range(row.less_range)})",
                "Gap": signed_points(row.gap),
            }
            for row in published_concepts()
        ]
    )
    st.dataframe(table, hide_index=True, alt="Published means, six rows")
    st.caption(plain(CAVEAT))


def _range(ends: tuple[float, float]) -> str:
    return percents(*ends)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}".replace("-", "−")


def _ends(figures: ConceptFigures) -> str:
    ends = figures.signals.d_interval
    return "–" if ends is None else f"{_number(ends.low)} to {_number(ends.high)}"
