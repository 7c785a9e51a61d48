"""The demo: two tiny models asked the same; offered, going on, and what both did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from biaslab.charts import cate_chart
from biaslab.models import ModelError, identify, learner_spec
from biaslab.models.tiny.model import tiny_spec
from biaslab.runs import PairPattern, RunRecord, RunStatus, launch
from biaslab.stats import Effect
from biaslab.studies import Design, experiment
from biaslab.studies.effects import unread_sentence
from biaslab.system.roles import May
from biaslab.ui.ask import asking
from biaslab.ui.navigation import EFFECTS, ITEMS, LOOK_INSIDE, ORIGINS, RUNS, link
from biaslab.ui.studies.word_problems.parts import reversals_of
from biaslab.ui.widgets import queries, visitor
from biaslab.ui.widgets.cards import progress_bar
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.words import ACTIVE, RESUMABLE, STATUSES, plain
from schoolmath.text.figures import count, exact_percent, interval_words, percent, signed_points

DESIGN = Design("consistency", 150, 1, {"steps": "1-1", "operations": "additive"})
"""One calculation, plus or minus: problems that both models can do as far as their cards say."""

STRATEGY = "cot"

MISLED = tiny_spec("skewed")
"""Its lessons had five consistent comparisons for each inconsistent one."""

BALANCED = tiny_spec("balanced")
"""As many of the one as of the other, and alike in everything else."""

MODELS = (MISLED, BALANCED)


def who(spec: str) -> str:
    """What a model of the demo is called."""
    return queries.model_label(spec)


def effect_of(run: RunRecord) -> Effect:
    """The effect of one run of the demo, all pairs together."""
    (effect,) = queries.effects_of((queries.OutcomesState.of(run),), None, "strict")
    return effect


def finding(run: RunRecord) -> str:
    """Effect with n and interval, and the reversed answers with what chance gives, in a line."""
    effect, arms = effect_of(run), experiment(run.study).arms
    if effect.cate is None:
        return "No pair has both its answers."
    interval = (
        "no interval can be determined"
        if effect.ci_low is None
        else f"{exact_percent(effect.confidence)} interval "
        f"{interval_words(effect.ci_low, effect.ci_high)}"
    )
    return (
        f"{percent(effect.accuracy_x)} of the “{arms.x}” and {percent(effect.accuracy_x_prime)} of "
        f"the “{arms.x_prime}” problems right, a difference of {signed_points(effect.cate)} "
        f"percentage points ({interval}, {count(effect.n, 'pair')}); "
        f"{_reversed_words(run, effect)}"
    )


def _reversed_words(run: RunRecord, effect: Effect) -> str:
    if effect.accuracy_x_prime == 1:
        return "no wrong answer where the words mislead, so none that reverses the operation."
    found, _ = reversals_of(queries.OutcomesState.of(run))
    if not found:
        return "where the words mislead, no wrong answer could be read."
    answers = found[0]
    low, high = percent(answers.interval.low), percent(answers.interval.high)
    return (
        f"of its {count(answers.wrong, 'wrong answer')} where the words mislead, "
        f"{answers.reversed:,} reverse the operation: {percent(answers.share)} (95 % interval "
        f"{low} to {high}), where operations drawn at random would give "
        f"{percent(answers.by_operation)}."
    )


SIMULATED = (learner_spec("keyword"), learner_spec("perfect"))
"""Asked where a model of the demo is missing; screens say so."""


@dataclass(frozen=True, slots=True)
class Demo:
    """Both sides of the demo.

    Attributes:
        models: who is asked, the one that is misled first.
        runs: the newest run of each with the model as it is now; None where there is none.
        why_simulated: why they are simulated learners, or empty.
    """

    models: tuple[str, ...]
    runs: tuple[RunRecord | None, ...]
    why_simulated: str

    @property
    def begun(self) -> bool:
        """Whether any of them was ever asked."""
        return any(run is not None for run in self.runs)

    @property
    def busy(self) -> bool:
        """Whether any of them is being asked now."""
        return any(run is not None and run.status in ACTIVE for run in self.runs)

    @property
    def to_resume(self) -> list[RunRecord]:
        """Runs that ended before their end."""
        return [run for run in self.runs if run is not None and run.status in RESUMABLE]

    @property
    def missing(self) -> list[str]:
        """Models that were not asked although another one was, or not at all."""
        return [spec for spec, run in zip(self.models, self.runs, strict=True) if run is None]

    @property
    def done(self) -> list[RunRecord]:
        """Both runs where both are finished, else nothing."""
        done = [r for r in self.runs if r is not None and r.status is RunStatus.FINISHED]
        return done if len(done) == len(self.models) else []


def demo(runs: Sequence[RunRecord]) -> Demo:
    """The demo with the models that are there, and its runs among these, the newest first."""
    models, why = MODELS, ""
    try:
        revisions = [identify(spec).revision for spec in models]
    except ModelError as error:
        models, why = SIMULATED, str(error)
        revisions = [identify(spec).revision for spec in models]
    found = [_run_of(*each, runs) for each in zip(models, revisions, strict=True)]
    return Demo(models, tuple(found), why)


def _run_of(model: str, revision: str, runs: Sequence[RunRecord]) -> RunRecord | None:
    for run in runs:
        same = run.design == DESIGN and run.strategy == STRATEGY and run.bundle is None
        if same and (run.model_spec, run.model_revision) == (model, revision):
            return run
    return None


def draw_result(now: Demo) -> None:
    """Draws what both runs of the demo found.

    Args:
        now: the demo, both runs finished.
    """
    runs = now.done
    st.header("Who is misled by the wording?", anchor=False)
    with st.grid(len(runs), min_column_width=300, border=True):
        for run in runs:
            with st.container():
                _draw_one(run)
    states = tuple(queries.OutcomesState.of(run) for run in runs)
    effects = queries.effects_of(states, None, "strict")
    ordered = sorted(effects, key=lambda effect: [run.id for run in runs].index(effect.run))
    draw_chart(cate_chart(ordered, experiment(DESIGN.study).arms, dark=is_dark()), "demo")
    _draw_meaning(now, runs)


def _draw_one(run: RunRecord) -> None:
    arms = experiment(run.study).arms
    effect = effect_of(run)
    st.markdown(f"**{plain(who(run.model_spec))}**")
    st.markdown(plain(finding(run)))
    if unread := unread_sentence(effect):
        st.caption(plain(unread))
    misled = queries.pattern_counts(queries.OutcomesState.of(run), ())[PairPattern.ONLY_X]
    with st.container(horizontal=True, gap="small"):
        if misled:
            where = {"run": run.id, "pattern": str(PairPattern.ONLY_X)}
            link(ITEMS, f"The {misled} pairs with only “{arms.x}” right", where)
        link(ITEMS, "All its pairs", {"run": run.id})


def _draw_meaning(now: Demo, runs: Sequence[RunRecord]) -> None:
    if now.why_simulated:
        st.caption(
            "Asked were simulated learners, programs that make known mistakes or none: this shows "
            f"what a bias looks like, not that a model has one. {plain(now.why_simulated)}"
        )
    else:
        st.caption(
            "Both are very small transformers of this project's own, trained alike on its own "
            "problems, in other ratios. So the wording misleads the one because of what it was "
            "taught. This simulates how a bias can arise; it is no evidence about large models "
            "or children."
        )
    with st.container(horizontal=True):
        link(EFFECTS, "All numbers and tests", {"runs": ",".join(run.id for run in runs)})
        if not now.why_simulated:
            link(LOOK_INSIDE, "Look inside while they read", _inside(now))
        link(ORIGINS, "More mixes and studies: where biases come from")


def _inside(now: Demo) -> dict[str, str]:
    low, _, _ = str(DESIGN.settings["steps"]).partition("-")
    model, beside = now.models
    return {
        "model": model, "beside": beside, "study": DESIGN.study, "steps": low,
        "operations": str(DESIGN.settings["operations"]), "seed": str(DESIGN.seed),
    }  # fmt: skip


def draw_unfinished(now: Demo) -> bool:
    """The demo while it has no result; whether it is running."""
    if now.begun:
        _draw_progress(now)
    else:
        _draw_offer()
    _say_simulated(now)
    return now.busy


def _draw_offer() -> None:
    study = experiment(DESIGN.study)
    if not visitor.refused(May.RUN) and st.button(
        "Ask both", type="primary", icon=":material/play_arrow:"
    ):
        _go_on(demo(queries.runs_in_file()))
    st.caption(
        f"Two tiny models, {count(DESIGN.n, 'pair')}, about a minute.",
        help="Both are asked the same pairs, on this computer. One learnt from five "
        f"“{study.arms.x}” problems for each “{study.arms.x_prime}” one, "
        "the other from as many of each.",
    )


def _draw_progress(now: Demo) -> None:
    st.header(
        "Both are being asked" if now.busy else "One of them is still to be asked", anchor=False
    )
    for spec, run in zip(now.models, now.runs, strict=True):
        st.markdown(f"**{plain(who(spec))}**")
        if run is None:
            st.caption("Was not asked yet.")
            continue
        progress_bar(run)
        if run in now.to_resume:
            link(RUNS, "Details of this run", {"run": run.id})
    if now.busy or not (now.missing or now.to_resume):
        return
    ended = [f"{who(run.model_spec)}: {STATUSES[run.status].name.lower()}" for run in now.to_resume]
    ended += [f"{who(spec)}: not asked" for spec in now.missing]
    st.warning(plain(f"This needs both models, so it has no result yet. {'; '.join(ended)}."))
    if visitor.refused(May.RUN):
        return
    if st.button("Go on", type="primary", icon=":material/play_arrow:"):
        _go_on(now)


def _go_on(now: Demo) -> None:
    """Starts what was never started and goes on with what ended early."""
    for run in now.to_resume:
        launch(queries.store().path, run.id)
    for spec in now.missing:
        asking.start(DESIGN, spec, STRATEGY)
    st.rerun()


def _say_simulated(now: Demo) -> None:
    if now.why_simulated:
        st.info(
            "This asks **simulated learners**, programs that make known mistakes or none, "
            f"because a tiny model is not there. {plain(now.why_simulated)}"
        )
