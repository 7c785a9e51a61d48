"""A case of a bias as it is asked: both arms side by side, and what its extremes mean."""

from __future__ import annotations

import html

import streamlit as st

from biaslab.studies.decisions.biases import Case
from biaslab.ui.widgets.cards import differing, to_html
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import signed_number


def draw_case(case: Case) -> None:
    """Draws both arms with the differing words marked, and the options once where they agree."""
    one, other = case.control, case.treatment
    st.html(
        '<div class="bl bl-pair">'
        + _arm("Control", one.text, other.text, one.options, other.options, "x")
        + _arm("Treatment", other.text, one.text, other.options, one.options, "x-prime")
        + "</div>"
    )
    # Values that hold texts with gaps of their own stand filled in the arms above.
    drawn = {name: value for name, value in case.values.items() if "{" not in str(value)}
    if drawn:
        said = ", ".join(f"{name} = {value}" for name, value in drawn.items())
        st.caption(plain(f"Drawn values: {said}."))


def draw_extremes(case: Case) -> None:
    """Says which answers give the ends of the metric."""
    metric = case.metric
    lines = [
        f"The score compares distances from option {metric.gamma1 + 1} in the control and from "
        f"option {metric.gamma2 + 1} in the treatment (kappa {metric.kappa}; a point may lie off "
        "the scale)."
    ]
    for name, answers in (
        ("in the direction of the bias", case.classic),
        ("the other way", case.opposite),
    ):
        if all(0 <= answer < len(case.control.options) for answer in answers):
            said = (case.control.options[answers[0]], case.treatment.options[answers[1]])
            score = signed_number(float(metric.of(*answers)))
            lines.append(f"Fully {name}: “{said[0]}”, then “{said[1]}”: {score}.")
    st.markdown("\n".join(f"- {plain(line)}" for line in lines))


def _arm(
    name: str, text: str, other: str, options: tuple[str, ...], others: tuple[str, ...], side: str
) -> str:
    listed = "".join(
        f"<li>{to_html(differing(option, beside))}</li>"
        for option, beside in zip(options, others, strict=True)
    )
    return (
        f'<section class="bl-card {side}" aria-label="{name}"><div class="bl-arm">{name}</div>'
        f'<p class="bl-text">{to_html(differing(text, other))}</p>'
        f"<details><summary>{len(options)} options: {html.escape(options[0])} … "
        f"{html.escape(options[-1])}</summary><ol>{listed}</ol></details></section>"
    )
