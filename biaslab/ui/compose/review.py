"""Quality review: sheets for the reviewers, and what came back in them."""

from __future__ import annotations

import html
from collections.abc import Callable

import streamlit as st

from biaslab.files import InterchangeError
from biaslab.files.opening import withstood
from biaslab.publishing.review import (
    CONTROL,
    EITHER,
    MORE,
    MOST_CONTROL,
    MOST_MORE,
    MOST_PEOPLE,
    Criterion,
    ErrorRate,
    JudgedText,
    Judgements,
    RaterAgreement,
    ReviewSheet,
    ReviewText,
    delete_review,
    error_rates,
    fails,
    make_sheets,
    put_together,
    rater_agreement,
    read_sheet,
    stored_reviews,
    write_sheet,
)
from biaslab.runs import RunError
from biaslab.studies import experiment
from biaslab.studies.study import LARGEST_SEED
from biaslab.ui.compose.design_form import (
    address_of,
    design_of_address,
    draw_size_and_seed,
    draw_study,
)
from biaslab.ui.navigation import COMPOSE, action_row, link
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.address import integer
from biaslab.ui.widgets.cards import facts_list, figures
from biaslab.ui.widgets.words import plain, shown_errors
from schoolmath.problems import DesignError
from schoolmath.text.figures import MINUS, count, exact_percent, percent, percents

_SHEETS = "review: sheets"
_MEGABYTES = 5


def draw_making() -> None:
    """Draws the form for a new review, and its sheets once they are made."""
    action = action_row()
    st.header("Sheets for the reviewers", anchor=False)
    design = design_of_address()
    draw_study(experiment(design.study))
    draw_size_and_seed()
    if design.settings:
        labels = {each.name: each.label for each in experiment(design.study).settings}
        facts_list({labels[name]: str(value) for name, value in design.settings.items()})
    link(COMPOSE, "Look at these pairs or change their settings", address_of(design))
    people = st.text_input(
        "Reviewers",
        placeholder="AB, Cem, Dana",
        help=f"2 to {MOST_PEOPLE} first names or initials with commas between. They appear in the "
        "sheets only.",
    )
    columns = st.columns(3)
    control, further, seed = (
        integer("control", CONTROL, 2, MOST_CONTROL),
        integer("more", MORE, 2, MOST_MORE),
        integer("review-seed", 1, 0, LARGEST_SEED),
    )
    for column, label, parameter, most, about in (
        (columns[0], "Control set", control, MOST_CONTROL,
         "Texts that everybody judges; 10 in the paper."),
        (columns[1], "Further texts", further, MOST_MORE,
         "Texts that are split among the reviewers; 90 in the paper. To show that fewer than 2 % "
         "are faulty takes 183 and no fault at all."),
        (columns[2], "Seed of the review", seed, LARGEST_SEED,
         "Determines which texts are drawn and who judges which."),
    ):  # fmt: skip
        least = 0 if parameter is seed else 2
        column.number_input(label, least, most, value=None, help=about, **parameter.bind())

    def make() -> list[ReviewSheet]:
        names = people.replace(";", ",").split(",")
        sizes = {"control": control.value, "further": further.value}
        return make_sheets(queries.store(), design, names, seed=seed.value, **sizes)

    with action:
        if st.button("Make the sheets", type="primary", icon=":material/rate_review:"):
            _try_making(make)
        texts = f"{control.value} + {further.value}"
        st.markdown(f"{texts} texts of {count(design.n, 'pair')} for the reviewers named below")
    if made := st.session_state.get(_SHEETS):
        st.markdown(
            "Everybody fills in “yes” or “no” in a sheet of their own, in any spreadsheet, "
            "without seeing the others'."
        )
        _draw_downloads(made)


def _try_making(make: Callable[[], list[ReviewSheet]]) -> None:
    st.session_state.pop(_SHEETS, None)
    try:
        st.session_state[_SHEETS] = make()
    except (DesignError, RunError) as error:
        st.error(plain(str(error)), icon=":material/error:")


def _draw_downloads(sheets: list[ReviewSheet]) -> None:
    with st.container(horizontal=True):
        for sheet in sheets:
            name = f"review-{sheet.review}-{sheet.reviewer}.csv"
            st.download_button(
                f"{plain(sheet.reviewer)} (CSV)",
                write_sheet(sheet),
                name,
                "text/csv",
                on_click="ignore",
                icon=":material/download:",
                key=name,
            )


def draw_reading() -> None:
    """Draws the panel for sheets that came back, and what they say together."""
    st.header("Sheets that came back", anchor=False)
    files = st.file_uploader(
        "The sheets of all reviewers (CSV or XLSX)",
        type=["csv", "xlsx", "txt"],
        accept_multiple_files=True,
        max_upload_size=_MEGABYTES,
    )
    sheets: list[ReviewSheet] = []
    for file in files or ():
        try:
            sheets.append(read_sheet(withstood(read_sheet, file.getvalue())))
        except (InterchangeError, RunError) as refused:
            st.error(f"**{plain(file.name)}**: {plain(str(refused))}")
    if not files or len(sheets) < len(files):
        return
    try:
        _draw_results(put_together(sheets))
    except RunError as refused:
        st.error(plain(str(refused)))


def _draw_results(judgements: Judgements) -> None:
    if judgements.missing:
        who = ", ".join(f"{plain(name)} {number}" for name, number in judgements.missing.items())
        st.info(
            f"Judgements are missing: {who}. The number of faulty texts appears when all are in."
        )
    if not judgements.control:
        st.info("Agreement appears when everybody has judged the whole control set.")
        return
    st.subheader("Do the reviewers agree?", anchor=False)
    agreements = [rater_agreement(judgements.control, criterion) for criterion in Criterion]
    for agreement in agreements:
        _draw_agreement(agreement)
    numbers = {number for each in agreements for number in each.disputed}
    if not judgements.missing:
        rates = error_rates(judgements.all)
        _draw_rates(rates, len(judgements.all))
        numbers |= {number for rate in rates for number in rate.faulty}
    if numbers:
        st.subheader("Texts to look at", anchor=False)
    for judged in judgements.all:
        if judged.number in numbers:
            _draw_text(judgements.texts[judged.number], judged)


def _draw_agreement(agreement: RaterAgreement) -> None:
    st.markdown(f"**{agreement.criterion.question}**")
    shown = {agreement.method: "undefined"}
    if agreement.kappa is not None:
        interval = agreement.interval
        ends = f"{_two(interval.low)} to {_two(interval.high)}" if interval else "–"
        shown = {
            agreement.method: _two(agreement.kappa),
            f"{exact_percent(agreement.confidence)} interval": ends,
        }
    figures({**shown, "same answer": percent(agreement.raw), "answers “no”": str(agreement.noes)})
    few = f"{agreement.raters} reviewers, {agreement.texts} texts, too few to say much about "
    told = f"{few}agreement: read the interval, not the number alone."
    if agreement.kappa is None:
        told = (
            "Everybody gave every text the same answer, so kappa is undefined: chance would agree "
            "as often."
        )
    elif agreement.undefined:
        told += (
            f" In {percent(agreement.undefined)} of the samples behind the interval kappa was "
            "undefined; they are left out."
        )
    st.caption(told)


def _draw_rates(rates: list[ErrorRate], texts: int) -> None:
    st.subheader("How many texts are faulty?", anchor=False)
    st.caption(
        f"Of {count(texts, 'text')}. A text of the control set counts as faulty if at least half "
        "of the reviewers said no. The exact interval (Clopper and Pearson) shows which rates fit "
        "what was found."
    )
    st.table(
        [
            {
                "Fails": "at least one"
                if rate.criterion == EITHER
                else Criterion(rate.criterion).label,
                "Faulty": f"{len(rate.faulty)} of {rate.texts}",
                "Rate": percent(rate.rate),
                f"{exact_percent(rate.confidence)} interval": percents(
                    rate.interval.low, rate.interval.high
                ),
            }
            for rate in rates
        ],
        border="horizontal",
    )


def _draw_text(text: ReviewText, judged_text: JudgedText) -> None:
    """A text with how many said no and what was said, without names."""
    asked = len(judged_text.judgements)
    said = []
    for criterion in Criterion:
        noes = sum(not each.answer_to(criterion) for each in judged_text.judgements)
        if noes:
            fault = "" if fails(judged_text.judgements, criterion) else ", not counted as faulty"
            said.append(f"{criterion.label}: {noes} of {asked} said no{fault}")
    said += [f"“{each.comment}”" for each in judged_text.judgements if each.comment]
    st.html(
        f'<div class="bl"><section class="bl-card" aria-label="Text {text.number}">'
        f'<div class="bl-faint">Text {text.number}</div>'
        f'<p class="bl-text">{html.escape(text.text)}</p>'
        f"<p>Stated answer: <b>{html.escape(text.answer)}</b></p>"
        f'<p class="bl-outcome">{html.escape("; ".join(said))}</p></section></div>'
    )


def _two(value: float) -> str:
    # A rounded zero has no sign.
    return f"{round(value, 2) + 0.0:.2f}".replace("-", MINUS)


def draw_stored() -> None:
    """Draws the reviews that an earlier version kept in the file, to be taken out as sheets."""
    found = stored_reviews(queries.store())
    if not found:
        return
    st.header("Reviews that an earlier version saved in this file", anchor=False)
    st.markdown("Collect their sheets and enter them above to see the result.")
    for review, (title, sheets) in found.items():
        with st.container(border=True):
            st.markdown(f"**{plain(title)}**")
            _draw_downloads(sheets)
            st.button(
                "Delete it for good",
                icon=":material/delete:",
                on_click=_delete,
                args=(review,),
                key=f"delete review {review}",
            )


def _delete(review: str) -> None:
    with shown_errors():
        delete_review(queries.store(), review)
