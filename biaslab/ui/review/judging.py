"""Judging one text after the other. Every answer is written down at once."""

from __future__ import annotations

import html

import streamlit as st

from biaslab.review.packets import MOST_COMMENT
from biaslab.review.reading import tasks
from biaslab.review.records import ReviewRecord, Role, Task
from biaslab.review.reviews import answer, comment
from biaslab.review.texts import Criterion
from biaslab.ui.review.address import FILES, turn_parameter, view_parameter, who_parameter
from biaslab.ui.review.queries import part_words
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.errors import shown_errors
from biaslab.ui.widgets.words import plain

_KEYS = {
    (Criterion.NATURAL, True): "1",
    (Criterion.NATURAL, False): "2",
    (Criterion.CLEAR, True): "3",
    (Criterion.CLEAR, False): "4",
}


def draw_judging(record: ReviewRecord) -> None:
    """Draws the text whose turn it is, with its two questions."""
    who = who_parameter(len(record.people))
    if len(record.people) > 1:
        choosing.selectbox(
            "Who is judging?",
            [0, *range(1, len(record.people) + 1)],
            format_func=lambda place: plain(record.people[place - 1]) if place else "choose a name",
            filter_mode=None,
            **who.bind(),
        )
    if not who.value:
        st.info("Choose your name to begin. Nobody sees here what others said.")
        return
    person = who.value - 1
    given = tasks(queries.store(), record.id, person)
    if not given:
        st.info("There is nothing for you to judge yet.")
        return
    undone = [task.turn for task in given if task.judgement is None]
    done = len(given) - len(undone)
    part = part_words(given[0].text.round).capitalize()
    st.progress(done / len(given), text=f"{part}: {done} of {len(given)} judged")
    if not undone:
        _draw_finished(record, person)
    turn = turn_parameter(len(given))
    shown = given[(turn.value or (undone[0] if undone else len(given))) - 1]
    _draw_text(shown, len(given))
    for place, criterion in enumerate(Criterion, 1):
        _draw_question(record, person, shown, criterion, place, len(given))
    _draw_comment(record, person, shown)
    _draw_steps(shown, len(given))
    st.caption(
        "Keys: 1 and 2 answer the first question, 3 and 4 the second, B goes back, N on. Every "
        "answer is kept at once; you may close the page and come back."
    )


def _draw_finished(record: ReviewRecord, person: int) -> None:
    name = plain(record.people[person])
    if record.role is Role.COORDINATOR:
        st.success(
            f"All done, thank you, {name}. Let the next person choose their name above. You may "
            "still change your answers."
        )
        return
    st.success(f"All done, thank you, {name}. Now send your packet back to the coordinator.")
    st.button(
        "Get the packet to send back",
        type="primary",
        icon=":material/download:",
        on_click=view_parameter((FILES,)).change,
        args=(FILES,),
        key="get packet",
    )


def _draw_text(task: Task, total: int) -> None:
    st.html(
        '<div class="bl"><section class="bl-card" aria-label="The text to judge">'
        f'<div class="bl-faint">Text {task.turn} of {total}</div>'
        f'<p class="bl-text">{html.escape(task.text.text)}</p>'
        f'<p class="bl-foot">Stated answer: <b>{html.escape(task.text.answer)}</b></p>'
        "</section></div>"
    )


def _draw_question(
    record: ReviewRecord, person: int, task: Task, criterion: Criterion, place: int, total: int
) -> None:
    said = task.natural if criterion is Criterion.NATURAL else task.clear
    so_far = "" if said is None else f" You said **{'yes' if said else 'no'}**."
    st.markdown(f"**{place}. {criterion.question}**{so_far}")
    st.caption(criterion.explanation)
    with st.container(horizontal=True):
        for yes in (True, False):
            st.button(
                "Yes" if yes else "No",
                type="primary" if said is yes else "secondary",
                icon=":material/check:" if said is yes else None,
                on_click=_answer,
                args=(record.id, person, task, criterion, yes, total),
                shortcut=_KEYS[criterion, yes],
                key=f"{criterion} {yes}",
            )


def _answer(
    review: str, person: int, task: Task, criterion: Criterion, yes: bool, total: int
) -> None:
    with shown_errors():
        answer(queries.store(), review, person, task.text.number, criterion, yes)
        # Else the page would go on to the next text with the second answer.
        turn_parameter(total).change(task.turn)


def _draw_comment(record: ReviewRecord, person: int, task: Task) -> None:
    key = f"review comment {record.id} {person} {task.text.number}"
    st.session_state[key] = task.comment

    def keep() -> None:
        text = str(st.session_state[key] or "")
        with shown_errors():
            comment(queries.store(), record.id, person, task.text.number, text)

    st.text_area(
        "Comment (optional)",
        key=key,
        on_change=keep,
        height=80,
        max_chars=MOST_COMMENT,
        placeholder="What is wrong with it?",
    )


def _draw_steps(task: Task, total: int) -> None:
    turn = turn_parameter(total)
    with st.container(horizontal=True):
        for word, icon, to, key in (
            ("Back", ":material/chevron_left:", task.turn - 1, "b"),
            ("Next", ":material/chevron_right:", task.turn + 1, "n"),
        ):
            st.button(
                word,
                icon=icon,
                disabled=not 1 <= to <= total,
                on_click=turn.change,
                args=(to,),
                shortcut=key,
                key=f"review {word}",
            )
