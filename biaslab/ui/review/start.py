"""The start of Quality review: reviews that are here, packets that were sent, a new review."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from biaslab.problems import DesignError
from biaslab.review.reading import reviews
from biaslab.review.records import ReviewRecord, Role
from biaslab.review.reviews import (
    MOST_CONTROL,
    MOST_MORE,
    MOST_PEOPLE,
    create_review,
)
from biaslab.runs import RunError
from biaslab.studies import Design, experiment
from biaslab.studies.study import LARGEST_SEED
from biaslab.text.figures import count
from biaslab.ui.compose.design_form import (
    address_of,
    design_of_address,
    draw_size_and_seed,
    draw_study,
)
from biaslab.ui.navigation import COMPOSE, REVIEW, action_row, link
from biaslab.ui.review import address
from biaslab.ui.review.packets_panel import draw_taking_in
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.cards import facts_list
from biaslab.ui.widgets.words import moment, plain

_PEOPLE = "review: people"
_REFUSED = "review: refused"


def draw_start() -> None:
    """Draws the list of reviews, the panel for packets and the form for a new review."""
    action = action_row()
    found = reviews(queries.store())
    if found:
        st.header("Reviews in this file", anchor=False)
        for record in found:
            _draw_line(record)
    one, other = st.columns(2, gap="medium")
    with one, st.container(border=True):
        st.header(
            "A new review",
            anchor=False,
            help="People judge a random part of the texts: first everybody the same control set, "
            "to see whether they agree, then each a share of further texts. From each pair of "
            "problems one text is taken.",
        )
        _draw_form(action)
    with other, st.container(border=True):
        st.header("I was sent a packet", anchor=False)
        st.markdown("Open the coordinator's file and judge its texts here.")
        draw_taking_in()


def _draw_line(record: ReviewRecord) -> None:
    people = ", ".join(record.people)
    said = "your part of a review" if record.role is Role.REVIEWER else _size_words(record)
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        link(REVIEW, plain(record.title), {"review": record.id})
        when = moment(record.created, st.context.timezone)
        st.caption(f"{said} · {plain(people)} · {when}")


def _draw_form(action: DeltaGenerator) -> None:
    design = design_of_address()
    study = experiment(design.study)
    draw_study(study)
    draw_size_and_seed()
    _draw_settings(design)
    st.text_input(
        "Reviewers",
        key=_PEOPLE,
        placeholder="AB, Cem, Dana",
        help=f"2 to {MOST_PEOPLE} first names or initials with commas between. They stand in the "
        "file of this computer and in the packets, nowhere else.",
    )
    one, two, three = st.columns(3)
    with one:
        st.number_input(
            "Control set",
            2,
            MOST_CONTROL,
            value=None,
            help="Texts that everybody judges; 10 in the paper.",
            **address.control_parameter().bind(),
        )
    with two:
        st.number_input(
            "Further texts",
            2,
            MOST_MORE,
            value=None,
            help="Texts that are split among the reviewers afterwards; 90 in the paper. To show "
            "that fewer than 2 % are faulty takes 183 and no fault at all.",
            **address.further_parameter().bind(),
        )
    with three:
        st.number_input(
            "Seed of the review",
            0,
            LARGEST_SEED,
            value=None,
            help="Decides which texts are drawn and who gets which.",
            **address.seed_parameter().bind(),
        )
    with action:
        _draw_making(design)


def _draw_making(design: Design) -> None:
    """The button that makes the review, and why it could not be made."""
    st.button(
        "Make the review",
        type="primary",
        icon=":material/rate_review:",
        on_click=_create,
        args=(design,),
        key="make review",
    )
    refused = st.session_state.pop(_REFUSED, "")
    if refused:
        st.error(plain(refused), icon=":material/error:")
        return
    texts = f"{address.control_parameter().value} + {address.further_parameter().value}"
    st.markdown(f"{texts} texts of {count(design.n, 'pair')}, judged by the reviewers named below")


def _draw_settings(design: Design) -> None:
    labels = {setting.name: setting.label for setting in experiment(design.study).settings}
    if design.settings:
        facts_list({labels[name]: str(value) for name, value in design.settings.items()})
    link(COMPOSE, "Look at these pairs or change their settings", address_of(design))


def _create(design: Design) -> None:
    people = str(st.session_state.get(_PEOPLE) or "").replace(";", ",").split(",")
    try:
        made = create_review(
            queries.store(),
            design,
            people,
            seed=address.seed_parameter().value,
            control=address.control_parameter().value,
            further=address.further_parameter().value,
        )
    except (DesignError, RunError) as error:
        st.session_state[_REFUSED] = str(error)
        return
    st.session_state.pop(_PEOPLE, None)
    st.query_params.from_dict({"review": made, "view": address.FILES})


def draw_unknown() -> None:
    """Says that the link names a review that is not here, with the way back."""
    st.warning(
        "The link names a review that is not in this file. Choose one below, or open the packet "
        "that you were sent."
    )


def _size_words(record: ReviewRecord) -> str:
    seed = f"review seed {record.seed}"
    return f"{record.control} control and {record.further} further texts, {seed}"
