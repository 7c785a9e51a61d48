"""What a room answered: its effect beside those of models and publications, and its answers."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Mapping, Sequence

import streamlit as st

from biaslab.charts.room import finding_words, model_words, room_chart
from biaslab.room import (
    FEWEST_FOR_ANSWERS,
    MOST_QUESTIONS,
    Arm,
    MemberCount,
    ModelEffect,
    Room,
    RoomKind,
    RoomQuestion,
    answers_csv,
    models_beside,
    people_needed,
    right_answer,
)
from biaslab.runs.store.records import number_words
from biaslab.studies import experiment
from biaslab.studies.published import published_effects
from biaslab.ui.classroom.room import (
    RoomResults,
    asked_studies,
    questions_answered,
    results,
    rooms,
)
from biaslab.ui.results.effects import draw_people
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count, percent, signed_number


def draw_results(room: Room) -> None:
    """Draws everything."""
    found = results(room)
    if not found.reading.answers:
        st.info("Nobody has answered yet.")
        return
    if room.kind is RoomKind.PAIRS:
        st.header("The effect", anchor=False)
        draw_effect(room, found)
    st.header("Question by question", anchor=False)
    for index in range(len(room.questions)):
        with st.expander(f"Question {index + 1}", expanded=index == 0):
            draw_question(found, index)
    with st.container(horizontal=True):
        st.download_button(
            "Report as one file",
            lambda: _report_page(room),
            f"biaslab-room-{room.code}.html",
            "text/html",
            key="room report",
            on_click="ignore",
            icon=":material/description:",
            help="The effect next to models', every question and answer in one HTML file that "
            "opens in any browser without a network and can be printed. People are numbers in it.",
        )
        st.download_button(
            "Answers (CSV)",
            lambda: answers_csv(found.reading).encode(),
            f"room-{room.code.lower()}.csv",
            on_click="ignore",
            help="A row for each answer. People are numbers in the order in which they came.",
        )


def _report_page(room: Room) -> bytes:
    from biaslab.publishing.report import page, report_of_room

    return page(report_of_room(queries.store(), rooms(), room.id))


def draw_effect(room: Room, results: RoomResults) -> None:
    """Draws the effect: a sentence, the chart, what it would take."""
    st.markdown(f"**{plain(finding_words(room, results.effect, results.arms))}**")
    # People answer with a number and no working, as models do that are asked directly.
    published = published_effects(room.study, "direct")
    chart = room_chart(
        room,
        results.effect,
        results.beside,
        results.arms,
        published_effects=published,
        dark=is_dark(),
    )
    draw_chart(chart, f"room {room.code}")
    if results.effect.unread:
        st.caption(f"{count(results.effect.unread, 'answer')} could not be read.")
    needed = people_needed(room, spread=results.effect.spread)
    if results.effect.binary and results.effect.low is not None:
        st.caption(
            f"With {count(len(room.questions), 'pair')}, {needed.interval} people give an interval "
            f"of 15 points to either side, and {needed.finding} find a true difference of 15 "
            "points four times in five."
        )
    if results.effect.method:
        st.caption(plain(results.effect.method))
    draw_people(experiment(room.study))


def draw_question(results: RoomResults, index: int) -> None:
    """Draws both members of a question with what was answered to each."""
    room = results.reading.room
    question = room.questions[index]
    members = [each for each in results.counts if each.question == index]
    few = len({each.place for each in results.reading.answers}) < FEWEST_FOR_ANSWERS
    cards = "".join(
        _member(
            each,
            question.asked(each.arm).text,
            (results.arms.x if each.arm == "x" else results.arms.x_prime)
            if room.kind is RoomKind.PAIRS
            else "",
            right_answer(question, each.arm) if results.reading.binary else "",
            _of_models(results.beside, question.id, each.arm, binary=results.reading.binary),
            binary=results.reading.binary,
            few=few,
        )
        for each in members
    )
    st.html(f'<div class="bl bl-pair">{cards}</div>')


def draw_example() -> None:
    """Draws a slide of a room that nobody is in: a pair, and what a recorded model answered."""
    study = next(iter(asked_studies().values()))
    asked = questions_answered(study, MOST_QUESTIONS)
    recorded = {run.id for run in queries.recorded_runs()}
    models = models_beside(queries.store(), study.name, asked)
    beside = [each for each in models if each.run.id in recorded and each.answers]

    def is_telling(question: RoomQuestion) -> bool:
        """Whether the first recorded model is right of x and wrong of x'."""
        found = beside[0].answers if beside else {}
        outcomes = [found.get((question.id, arm), (None, None))[1] for arm in _ARMS]
        return outcomes == [1.0, 0.0]

    example = next(filter(is_telling, asked), None)
    if example is None:
        return
    st.caption(
        "**Example**: one slide of a room. Here stand a recorded model's answers; those of the "
        "people in your room stand above them."
    )
    cards = "".join(
        _card(
            arm,
            example.asked(arm).text,
            study.arms.x if arm == "x" else study.arms.x_prime,
            right_answer(example, arm),
            _of_models(beside, example.id, arm, binary=True),
        )
        for arm in _ARMS
    )
    st.html(f'<div class="bl bl-pair">{cards}</div>')


def draw_votes(results: RoomResults, index: int) -> None:
    """Draws how often each choice of a question was taken, the right one marked."""
    room = results.reading.room
    asked = room.questions[index].x
    given = Counter(each.text for each in results.reading.answers if each.card.question == index)
    most = max([1, *given.values()])
    bars = "".join(
        _bar(choice, given[str(at)], most, right=str(at) == asked.item.answer)
        for at, choice in enumerate(asked.choices, start=1)
    )
    st.html(
        f'<div class="bl bl-votes"><p class="bl-text">{html.escape(asked.text)}</p>{bars}</div>'
    )


def _bar(choice: str, votes: int, most: int, *, right: bool) -> str:
    mark = " right" if right else ""
    sign = "✓ " if right else ""
    return (
        f'<div class="bl-vote{mark}"><span>{sign}{html.escape(choice)}</span>'
        f'<b>{votes}</b><i style="--share:{votes / most:.3f}"></i></div>'
    )


_ARMS: tuple[Arm, Arm] = ("x", "x_prime")

_MODELS = 3
"""Models whose answers stand on a card."""


def _of_models(model_effects: Sequence[ModelEffect], pair: str, arm: Arm, *, binary: bool) -> str:
    """What models answered to one member, a line each."""
    lines: list[str] = []
    for each in model_effects:
        if (pair, arm) not in each.answers or len(lines) == _MODELS:
            continue
        value, outcome = each.answers[pair, arm]
        mark = "" if not binary or value is None else "✓ " if outcome == 1 else "✗ "
        told = "could not be read" if value is None else number_words(value)
        lines.append(f"{html.escape(model_words(each))}: <b>{mark}{html.escape(told)}</b>")
    return f'<p class="bl-foot">{"<br>".join(lines)}</p>' if lines else ""


def _member(
    member: MemberCount, text: str, arm: str, right: str, models: str, *, binary: bool, few: bool
) -> str:
    """One member as a card: its text, the share right, what was answered, what is behind it."""
    if few and member.answered:
        counted = (
            f'<p class="bl-faint">Single answers are shown from {FEWEST_FOR_ANSWERS} people on.</p>'
        )
    else:
        counted = _counts("Answers", member.values) + _counts("Behind wrong answers", member.errors)
    if not member.answered:
        said = "nobody answered it"
    elif few:
        said = f"{member.answered} answered it"
    elif binary:
        share = percent(member.right / member.answered, 0)
        said = f"{share} right ({member.right} of {member.answered})"
        said += f", {member.unread} could not be read" if member.unread else ""
    else:
        said = f"mean {signed_number(member.mean)} ({member.answered} answers)"
    people = f"<p><b>{html.escape(said)}</b></p>{counted}"
    return _card(member.arm, text, arm, right, models, people)


def _card(arm: Arm, text: str, name: str, right: str, models: str, people: str = "") -> str:
    """A member: its arm's name, its text, what people answered, the right answer, models."""
    side = "x" if arm == "x" else "x-prime"
    head = f'<div class="bl-arm">{html.escape(name)}</div>' if name else ""
    foot = f'<p class="bl-foot">Right answer: <b>{html.escape(number_words(right))}</b></p>'
    return (
        f'<section class="bl-card {side}">{head}<p class="bl-text">{html.escape(text)}</p>'
        f"{people}{foot if right else ''}{models}</section>"
    )


def _counts(title: str, counts: Mapping[str, int], most: int = 5) -> str:
    if not counts:
        return ""
    shown = [f"{number_words(value)} ({many})" for value, many in [*counts.items()][:most]]
    rest = sum([*counts.values()][most:])
    shown += [f"others ({rest})"] if rest else []
    return f'<p class="bl-faint">{title}: {html.escape(", ".join(shown))}</p>'
