"""Where biases come from: the same tiny network, trained on problems in other shares."""

import streamlit as st

from biaslab.charts.training.origins import MixPanel, mix_chart
from biaslab.charts.training.origins_training import training_chart
from biaslab.training.origins.findings import EXPERIMENT, MAKE_FINDINGS, TUNING
from biaslab.training.origins.predictions import ARMS, CONSISTENCY, STUDIES, TRANSFER
from biaslab.training.origins.rows import MAKE_IT
from biaslab.ui.navigation import LINK, ORIGINS, heading, link
from biaslab.ui.training.origins import queries as read
from biaslab.ui.training.origins.choices import (
    curve_title,
    draw_choices,
    draw_mixes,
    draw_study,
)
from biaslab.ui.training.origins.findings import draw_findings
from biaslab.ui.training.origins.tables import (
    alike_sentence,
    draw_accuracies,
    draw_forms,
    draw_judgements,
    draw_operations,
    draw_reversed,
    effects_table,
)
from biaslab.ui.training.origins.words import INTERVALS, draw_caveats, draw_links, draw_mix_names
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.words import plain

heading(
    "Where biases come from",
    "Does a model learn its biases from **how often it meets which kind of problem**?",
)
experiment = draw_findings(EXPERIMENT, "How much of the bias is in the mix?")
now = read.state()
if now is None:
    st.info(
        "The table of the family of tiny models is not there yet. Make it with the command below: "
        "it trains every model and writes assets/origins/family.csv, within hours on two cores."
    )
    st.code(MAKE_IT, language=None)
    draw_links()
    st.stop()

rows = read.rows(now)
if not rows:
    st.info("The table of the family has no rows yet. Make it with the command below.")
    st.code(MAKE_IT, language=None)
    draw_links()
    st.stop()
if experiment:
    st.header("A first family of models", anchor=False)
else:
    st.markdown(plain(read.in_short(now)))
end, along, beside, predicted, taught = st.tabs(
    ["At the end of training", "Along training", "Beside the effect", "Predicted, and found",
     "Fine-tuning"]
)  # fmt: skip
with end:
    chosen = draw_choices(rows)
    ends = {study: read.final_effects(now, chosen.kind(study)) for study in STUDIES}
    panels = [MixPanel(chosen.title(study), effects) for study, effects in ends.items()]
    draw_chart(mix_chart(panels, chosen.way, dark=is_dark()), f"effect by mix {chosen.way}")
    with st.expander("Which intervals these are"):
        st.markdown(INTERVALS)
    with st.expander("In words"):
        # With the experiment's answer above, the family's own is folded.
        for sentence in (*([read.in_short(now)] if experiment else []), *read.sentences(now)):
            st.markdown(plain(sentence))
        st.caption(
            "Effects are percentage points that the easier arm was more often right, at the end of "
            "training; in brackets 95 % intervals."
        )
    draw_mix_names(dict.fromkeys(row.mix for row in rows))
    listed = [(panel.study, effect) for panel in panels for effect in panel.effects.values()]
    if listed:
        with st.expander("All of it in numbers"):
            if alike := alike_sentence(listed):
                st.markdown(plain(alike))
            st.dataframe(
                effects_table(listed), hide_index=True, alt=f"Effects by mix, {len(listed)} rows"
            )

with along:
    studies = [study for study in STUDIES if any(row.study == study for row in rows)]
    study = draw_study(studies)
    curves = read.along_training(now, chosen.kind(study))
    followed = [mix for mix, curve in curves.items() if len(curve) > 1]
    shown = draw_mixes(followed) if len(followed) > 1 else followed
    title = curve_title(curves, chosen, study)
    chart = training_chart(
        {mix: curves[mix] for mix in shown}, title, chosen.way, ARMS[study],
        dark=is_dark(),
    )  # fmt: skip
    draw_chart(chart, f"along training {study} {chosen.way}")

with beside:
    if ends[CONSISTENCY]:
        draw_accuracies(ends[CONSISTENCY], ARMS[CONSISTENCY])
    draw_operations(read.operations(now))
    if ends[CONSISTENCY]:
        draw_reversed(ends[CONSISTENCY])
    forms = {
        wording: effects
        for wording in ("consistent", "inconsistent", "mixed")
        if (effects := read.final_effects(now, chosen.kind(TRANSFER, wording)))
    }
    if forms:
        draw_forms(forms)

with predicted:
    st.markdown(
        "The predictions were written down and committed before any of these models was trained "
        "(docs/origins.md). The verdicts are worked out from the table alone, at one step."
    )
    draw_judgements(read.judgements(now))

with taught:
    if not draw_findings(TUNING):
        st.info("The findings of fine-tuning are not there. Make them with the command below.")
        st.code(MAKE_FINDINGS, language=None)

draw_caveats()
with st.container(horizontal=True, vertical_alignment="center"):
    st.download_button(
        "All tables (ZIP)", read.tables, "biaslab-origins.zip", "application/zip", key="tables",
        on_click="ignore", icon=":material/download:",
        help="Family, experiment and fine-tuning as CSV. What the columns mean: docs/origins.md.",
    )  # fmt: skip
    link(ORIGINS, "Link to this view", st.query_params.to_dict(), icon=LINK)
draw_links()
