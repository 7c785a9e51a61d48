"""Tables of the page Where biases come from: effects, and what accuracy alone does not show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import pandas as pd
import streamlit as st

from biaslab.stats.estimates import Interval
from biaslab.training.origins.effects import (
    CountShare,
    OriginEffect,
    balance_cures,
    ends,
    operator_choice,
    reversed_answers,
)
from biaslab.training.origins.predictions import BALANCED, Judgement, Verdict, cure_sentence
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import p_words, percent, percents, signed_points

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
        "inconsistent problems stands beside the same share on consistent ones, where nothing "
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
