"""Where biases come from: what is chosen, read and said on the page, its tables and findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import pandas as pd
import plotly.io
import streamlit as st

from biaslab.charts.chart import Chart
from biaslab.charts.origins import COMPARISONS
from biaslab.models.adapters.provider import PROVIDER as ADAPTER_MODELS
from biaslab.models.tiny.model import tiny_names, tiny_spec
from biaslab.stats.estimates import Interval
from biaslab.training.mix import EXPLANATIONS, MIXES
from biaslab.training.origins import effects as origins
from biaslab.training.origins import findings
from biaslab.training.origins import rows as origins_rows
from biaslab.training.origins.effects import (
    CountShare,
    OriginEffect,
    balance_cures,
    ends,
    operator_choice,
    reversed_answers,
)
from biaslab.training.origins.findings import (
    Block,
    Cells,
    FindingPicture,
    FindingText,
    Fold,
    read_findings,
)
from biaslab.training.origins.predictions import (
    BALANCED,
    CONSISTENCY,
    STUDIES,
    Judgement,
    Verdict,
    answer,
    cure_sentence,
    judge,
)
from biaslab.training.origins.predictions import in_short as in_short_of
from biaslab.training.origins.rows import ALL, CheckKind, FamilyRow, read_family
from biaslab.ui.compose.design_form import asked_of
from biaslab.ui.navigation import COMPOSE, LOOK_INSIDE, TRAINING_LAB, link
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import choice, integer, several
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import p_words, percent, percents, signed_points

STRATEGIES = {"direct": "Directly", "cot": "Step by step", "child-cot": "Like a child"}
ASKED = {"direct": "asked directly", "cot": "step by step", "child-cot": "step by step as a child"}
_COMPARISONS = {ALL: "All", **COMPARISONS}
_EVERY = "all"


@dataclass(frozen=True, slots=True)
class OriginChoice:
    """How the pairs were asked that the page shows.

    Attributes:
        strategy: prompt strategy; steps: reasoning steps; comparison: as in `CheckKind`, for the
            consistency study.
    """

    strategy: str
    steps: int
    comparison: str

    def kind(self, study: str, wording: str = ALL) -> CheckKind:
        """The pairs of a study as chosen."""
        comparison = self.comparison if study == CONSISTENCY else ALL
        return CheckKind(study, self.steps, self.strategy, comparison, wording)

    @property
    def way(self) -> str:
        """In words: ``asked directly, 1 step``."""
        steps = "1 step" if self.steps == 1 else f"{self.steps} steps"
        return f"{ASKED.get(self.strategy, self.strategy)}, {steps}"

    def title(self, study: str) -> str:
        """The study, with the comparisons where only some are shown."""
        if study == CONSISTENCY and self.comparison != ALL:
            return f"{STUDIES[study]}, {self.comparison}"
        return STUDIES[study]


def draw_choices(rows: Sequence[FamilyRow]) -> OriginChoice:
    """Draws the switches; only what the table has can be chosen."""
    strategies = _present((row.strategy for row in rows), STRATEGIES)
    strategy = choice("strategy", strategies, strategies[0])
    steps_there = sorted({row.steps for row in rows})
    steps = integer("steps", steps_there[0], steps_there[0], steps_there[-1])
    of = {row.comparison for row in rows if row.study == CONSISTENCY} - {ALL}
    comparisons = [_EVERY, *_present(of, _COMPARISONS)]
    more_than_one = len(of) > 1
    comparison = choice("comparison", comparisons, _EVERY)
    with st.container(horizontal=True, gap="medium"):
        choosing.segmented_control(
            "Asked", strategies, required=True,
            format_func=lambda name: STRATEGIES.get(name, name), **strategy.bind(),
        )  # fmt: skip
        if len(steps_there) > 1:
            choosing.segmented_control("Steps", steps_there, required=True, **steps.bind())
        if more_than_one:
            choosing.segmented_control(
                "Comparisons", comparisons, required=True,
                format_func=lambda name: _COMPARISONS.get(ALL if name == _EVERY else name, name),
                help="In the study of wordings: by a difference, by a factor, or both together.",
                **comparison.bind(),
            )  # fmt: skip
    chosen = comparison.value if more_than_one else _EVERY
    return OriginChoice(strategy.value, steps.value, ALL if chosen == _EVERY else chosen)


def draw_study(studies: Sequence[str]) -> str:
    """Draws the choice of the study that is followed along training."""
    study = choice("study", studies, studies[0])
    choosing.segmented_control(
        "Study", studies, required=True, wrap=True,
        format_func=lambda name: STUDIES.get(name, name), **study.bind(),
    )  # fmt: skip
    return study.value


def draw_mixes(mixes: Sequence[str]) -> list[str]:
    """Draws the choice of the mixes that are followed; all of them unless told."""
    chosen = several("mixes", mixes, mixes)
    choosing.pills("Mixes", mixes, selection_mode="multi", **chosen.bind())
    return [mix for mix in mixes if mix in chosen.value]


def curve_title(
    curves: Mapping[str, Sequence[OriginEffect]], choice: OriginChoice, study: str
) -> str:
    """The title of a study's curves, which may be of one kind of comparison only."""
    of = {effect.kind.comparison for curve in curves.values() for effect in curve}
    narrowed = replace(choice, comparison=of.pop()) if len(of) == 1 else choice
    return narrowed.title(study)


def _present(available: Iterable[str], names: Mapping[str, str]) -> list[str]:
    there = set(available)
    return [*(name for name in names if name in there), *sorted(there - set(names))]


class TableState(NamedTuple):
    """Identifies the table as it stands: its place, its time and its size."""

    path: str
    changed: int
    size: int


def state(path: Path | None = None) -> TableState | None:
    """A table as it stands, the family's unless told; None where there is none."""
    path = origins_rows.FAMILY_FILE if path is None else path
    if not path.is_file():
        return None
    found = path.stat()
    return TableState(str(path), found.st_mtime_ns, found.st_size)


@st.cache_resource(show_spinner=False, max_entries=2)
def rows(now: TableState) -> tuple[FamilyRow, ...]:
    """All rows; shared, so never to be changed.

    Raises:
        BrokenAssets: the table cannot be read.
    """
    return read_family(Path(now.path))


def tables() -> bytes:
    """All tables in a zip, as they are: those of the family, the experiment and fine-tuning."""
    # Imported when it is asked for: a paper brings much that this page needs for nothing else.
    from biaslab.publishing.paper import zipped

    files = sorted(origins_rows.FAMILY_FILE.parent.glob("*.csv"))
    return zipped({file.name: file.read_bytes() for file in files}, "biaslab-origins")


@st.cache_data(show_spinner=False, max_entries=128)
def final_effects(now: TableState, kind: CheckKind) -> dict[str, OriginEffect]:
    """By mix, the effect at the end of training."""
    return origins.final_effects(rows(now), kind)


@st.cache_data(show_spinner=False, max_entries=64)
def along_training(now: TableState, kind: CheckKind) -> dict[str, tuple[OriginEffect, ...]]:
    """By mix, the effects at every checkpoint."""
    return origins.along_training(rows(now), kind)


@st.cache_data(show_spinner="Judging the predictions …", max_entries=2)
def judgements(now: TableState) -> tuple[Judgement, ...]:
    """What came of the five predictions."""
    return judge(rows(now))


@st.cache_data(show_spinner=False, max_entries=2)
def in_short(now: TableState) -> str:
    """What the family says on the whole, in one sentence."""
    return in_short_of(rows(now))


@st.cache_data(show_spinner=False, max_entries=2)
def sentences(now: TableState) -> tuple[str, str]:
    """What the family says on the whole."""
    return answer(rows(now))


def operations(now: TableState) -> dict[str, OriginEffect]:
    """By mix, the effect with whose pairs the choice of operations is counted."""
    return final_effects(now, CheckKind(CONSISTENCY, 1, "cot", comparison="additive"))


_Colour: TypeAlias = Literal["green", "red", "gray"]

VERDICTS: Mapping[Verdict, tuple[str, _Colour]] = {
    Verdict.AS_PREDICTED: (":material/check:", "green"),
    Verdict.NOT_AS_PREDICTED: (":material/close:", "red"),
    Verdict.UNDECIDED: (":material/question_mark:", "gray"),
    Verdict.NOT_MEASURED: (":material/question_mark:", "gray"),
}
"""Sign and colour of each verdict; its words stand beside them."""


def effects_table(effects: Sequence[tuple[str, OriginEffect]], arms: bool = True) -> pd.DataFrame:
    """A row an effect, each with the title of its study.

    Args:
        effects: in the order of the rows.
        arms: also what was right in each arm.
    """
    rows = []
    for title, effect in effects:
        spread = effect.spread
        row: dict[str, object] = {
            "Study": title,
            "Mix": effect.mix,
            "Effect": signed_points(effect.cate),
            "Over items": ends(spread.over_items),
            "Over trainings": ends(spread.over_seeds),
            "df": "–" if spread.freedom is None else str(spread.freedom),
            "Trainings": effect.seeds,
            "Pairs": f"{effect.n:,}",
        }
        if arms:
            row |= {
                "Easier arm right": _share(effect.x),
                "Harder arm right": _share(effect.x_prime),
            }
        rows.append(row | {"p": "none" if effect.p is None else p_words(effect.p),
                           "Test": effect.test, "Unread": effect.unread})  # fmt: skip
    return pd.DataFrame(rows)


def alike_sentence(effects: Sequence[tuple[str, OriginEffect]]) -> str:
    """Which effects have no p-value because both arms came out alike; empty where all have one."""
    those = [f"{effect.mix} in “{title}”" for title, effect in effects if effect.identical]
    if not those:
        return ""
    return (
        f"No p-value for {'; '.join(those)}: in every pair both members were right or both were "
        "wrong, so no pair says anything about a difference. That is no evidence of there being "
        "none; the interval says how large it may be."
    )


def draw_operations(effects: Mapping[str, OriginEffect]) -> None:
    """Whether operations are chosen at all; of one-step additive problems, step by step."""
    choices = {mix: found for mix, each in effects.items() if (found := operator_choice(each))}
    st.markdown("**Is the operation chosen, or always the same?**")
    st.caption(
        "A model that ignores the wording has no effect of the wording either. The first "
        "calculation it writes shows whether it chooses: in one-step problems with “more” and "
        "“fewer”, asked step by step, against always taking the commoner operation."
    )
    if not choices:
        st.info("No first calculations were counted.")
        return
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "Mix": mix,
                    "Right operation": _share(each.chosen),
                    "Over trainings": _plain_ends(each.spread.over_seeds),
                    "Always the commoner": f"{percent(each.baseline)} ({each.commonest})",
                    "Consistent": percent(each.x.value),
                    "Inconsistent": percent(each.x_prime.value),
                    "n": f"{each.chosen.n:,}",
                    "10 points above?": "yes" if each.well_above else "not surely",
                }
                for mix, each in choices.items()
            ]
        ),
        hide_index=True,
        alt=f"Right operations against always the commonest, {len(choices)} mixes",
    )
    balanced = effects.get(BALANCED)
    if balanced is not None and BALANCED in choices:
        said = cure_sentence(balanced, choices[BALANCED])
        cures = balance_cures(balanced, choices[BALANCED])
        st.markdown(
            f":material/{'check' if cures else 'close'}: The balanced mix: effect "
            f"{signed_points(balanced.cate)} points ({ends(balanced.spread.judged)}). {said}"
        )


def draw_reversed(effects: Mapping[str, OriginEffect]) -> None:
    """Of the wrong answers, those that the reversed operation gives, with the control."""
    st.markdown("**Are wrong answers the reversed operation?**")
    st.caption(
        "Misleading words suggest one particular wrong answer. Its share of the wrong answers on "
        "inconsistent problems stands next to the same share on consistent ones, where nothing "
        "suggests it: only what goes beyond that speaks for being misled."
    )
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "Mix": mix,
                    "Inconsistent: reversed": _share(found.inconsistent),
                    "of wrong": f"{found.inconsistent.n:,}",
                    "Consistent: reversed (control)": _share(found.consistent),
                    "of wrong ": f"{found.consistent.n:,}",
                }
                for mix, each in effects.items()
                for found in (reversed_answers(each),)
            ]
        ),
        hide_index=True,
        alt=f"Share of reversed answers among wrong ones, {len(effects)} mixes",
    )


def draw_forms(by_wording: Mapping[str, Mapping[str, OriginEffect]]) -> None:
    """Transfer against comparison, by how the comparison is worded.

    Args:
        by_wording: effects by mix, by wording.
    """
    st.markdown("**Transfer against comparison: which comparisons?**")
    st.caption(
        "If the effect came from comparing as such, it would be there with consistent comparisons "
        "as well; if from their wording, with inconsistent ones alone."
    )
    mixes = list(dict.fromkeys(mix for effects in by_wording.values() for mix in effects))
    st.dataframe(
        pd.DataFrame(
            [
                {"Mix": mix}
                | {
                    f"{wording.capitalize()}": f"{signed_points(effects[mix].cate)} "
                    f"({ends(effects[mix].spread.judged)}, n = {effects[mix].n:,})"
                    for wording, effects in by_wording.items()
                    if mix in effects
                }
                for mix in mixes
            ]
        ),
        hide_index=True,
        alt=f"Effect of transfer against comparison by wording, {len(mixes)} mixes",
    )


def draw_accuracies(effects: Mapping[str, OriginEffect], arms: tuple[str, str]) -> None:
    """Right answers of each arm of a study."""
    st.markdown("**How much is right at all?**")
    st.caption(
        "An effect needs room: where nearly all or hardly any answers are right, it cannot show."
    )
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "Mix": mix,
                    arms[0].capitalize(): _share(each.x),
                    arms[1].capitalize(): _share(each.x_prime),
                    "n of each": f"{each.n:,}",
                    "Unread": each.unread,
                }
                for mix, each in effects.items()
            ]
        ),
        hide_index=True,
        alt=f"Right answers of both arms, {len(effects)} mixes",
    )


def draw_judgements(judgements: Sequence[Judgement]) -> None:
    """Every prediction, its verdict and the figures behind it."""
    for each in judgements:
        icon, colour = VERDICTS[each.verdict]
        with st.container(border=True):
            st.markdown(f"**{each.number}. {plain(each.title)}**")
            st.badge(each.verdict.capitalize(), icon=icon, color=colour)
            st.markdown(plain(f"Predicted: {each.predicted}."))
            st.caption("\n".join(f"- {plain(sentence)}" for sentence in each.found))


def _share(share: CountShare) -> str:
    interval = share.interval
    if interval is None:
        return "–"
    return f"{percent(share.value)} ({_plain_ends(interval)})"


def _plain_ends(interval: Interval | None) -> str:
    if interval is None:
        return "–"
    return percents(interval.low, interval.high)


def has_findings(of: str) -> bool:
    """Whether anything was found of the experiment, of fine-tuning or of a taught model."""
    return bool(_findings(of))


def draw_findings(of: str, title: str = "") -> bool:
    """Everything that was found of the experiment or of fine-tuning.

    Args:
        of: `biaslab.training.origins.findings.EXPERIMENT` or `TUNING`.
        title: stands above, where there is something.

    Returns:
        whether there is anything.
    """
    blocks = _findings(of)
    if blocks and title:
        st.header(title, anchor=False)
    _draw(blocks)
    return bool(blocks)


def _findings(of: str) -> tuple[Block, ...]:
    now = state(findings.FINDINGS_FILE)
    return () if now is None else _blocks(now, of)


def _draw(blocks: Iterable[Block]) -> None:
    for block in blocks:
        match block:
            case FindingText(text, caption):
                (st.caption if caption else st.markdown)(plain(text))
            case FindingPicture():
                figure = plotly.io.from_json(block.dark if is_dark() else block.light)
                draw_chart(Chart(figure, block.summary, pd.DataFrame(block.data)), block.name)
            case Cells(title, alt, rows):
                st.markdown(f"**{plain(title)}**")
                st.dataframe(pd.DataFrame(rows), hide_index=True, height="content", alt=alt)
            case Fold(label, inside):
                with st.expander(label):
                    _draw(inside)
            case judgement:
                draw_judgements([judgement])


@st.cache_data(show_spinner=False, max_entries=4)
def _blocks(now: TableState, of: str) -> tuple[Block, ...]:
    return read_findings(Path(now.path), of)


INTERVALS = (
    "Two intervals, because there are two ways of being wrong. **Over items** (thick): other pairs "
    "of problems, put to these very models; pairs of all trainings are pooled, although all were "
    "asked the same ones, and it says nothing of other trainings. **Over trainings** (thin): other "
    "lessons in the same shares, after the same start, asked these pairs; a t interval of the "
    "trainings’ effects, with one degree of freedom fewer than there are trainings (with three it "
    "is wide, with one there is none). What is said of an effect in words goes by the wider ends "
    "of both."
)
"""How to read the intervals, as Markdown."""

_CAVEATS = (
    "The networks are **tiny models trained on this app’s problems alone**. They show that a "
    "mechanism can work, in simulation. They are no evidence that it is at work in large models, "
    "and none about children.",
    "How large an effect is depends on **how long** was trained, not on the mix alone: see the "
    "figure along training. All models of the family were trained alike; other amounts of "
    "training, other networks and other sentences would give other figures.",
    "All models go on from one start, a model that had met no comparison and no transfer. So they "
    "have much in common, and few trainings say little about all possible ones.",
    "An effect of zero does not show that the words were understood: see “More about the effect”.",
)
_ASKED = ("skewed", "balanced", "reversed")


def draw_mix_names(mixes: Iterable[str]) -> None:
    """What the mixes are, closed until asked for."""
    told = [f"- **{mix}**: {EXPLANATIONS[mix]}" for mix in MIXES if mix in set(mixes)]
    if told:
        with st.expander("The mixes: what each model was trained on"):
            st.markdown("\n".join(told))


def draw_caveats() -> None:
    """What all this does not show, the first of it unfolded."""
    st.markdown(_CAVEATS[0])
    with st.expander("What else this does not show"):
        st.markdown("\n".join(f"- {text}" for text in _CAVEATS[1:]))


def draw_adapters() -> None:
    """The taught models, to be asked here; which file they need where it is missing."""
    choices = ADAPTER_MODELS.every()
    missing = [each.why_not for each in choices if not each.ready]
    with st.container(horizontal=True):
        for each in choices:
            if each.ready:
                link(COMPOSE, f"Ask {each.label}", asked_of(each.spec))
    if missing:
        st.caption(plain(missing[0]))


def draw_links() -> None:
    """Ways on: ask these models, look into them, train one."""
    there = [name for name in _ASKED if name in tiny_names()]
    with st.container(horizontal=True):
        for name in there:
            link(COMPOSE, f"Ask the {name} model", asked_of(tiny_spec(name)))
        link(LOOK_INSIDE, "Look inside a model", {"model": tiny_spec(there[0])} if there else None)
        link(TRAINING_LAB, "Train a mix of your own")
