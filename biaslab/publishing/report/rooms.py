"""A report about a live room. People are numbers in the order in which they came."""

from __future__ import annotations

from biaslab import __version__
from biaslab.charts.room import effect_words, finding_words, room_chart, room_words
from biaslab.publishing.report.content import (
    AnswerMark,
    Entry,
    Items,
    Report,
    ReportAnswer,
    ReportFinding,
    ReportPart,
    ReportPicture,
    ReportTable,
    Section,
)
from biaslab.publishing.report.page import version_of_charts
from biaslab.room import (
    Arm,
    MemberCount,
    ModelEffect,
    NotNow,
    ReadAnswer,
    RoomEffect,
    RoomKind,
    RoomReading,
    Rooms,
    answers_csv,
    member_counts,
    models_beside,
    people_needed,
    read_room,
    right_answer,
    room_effect,
)
from biaslab.runs import Store, study_in
from biaslab.runs.store.records import number_words
from biaslab.studies import Arms
from biaslab.studies.published import published_effects
from schoolmath.text.figures import count, percent, signed_number


def report_of_room(store: Store, rooms: Rooms, room_id: str) -> Report:
    """A report about a room: its effect beside models', and every answer without a person's id.

    Args:
        store: the file of runs, for models that were asked the same study.
        rooms: the file of rooms.
        room_id: a room of pairs, or one that counts; a class's quiz has a report of its own.

    Raises:
        NotNow: the room is a quiz, or nobody has answered.
        UnknownRoom: there is none.
        DesignError: its study is not there any more.
    """
    reading = read_room(rooms, room_id)
    room = reading.room
    if room.kind is RoomKind.QUIZ:
        raise NotNow("This room is a class's quiz. Take it over in My class; its report is there.")
    if not reading.answers:
        raise NotNow("Nobody has answered in this room, so there is nothing to report.")
    effect = room_effect(reading)
    counts = member_counts(reading)
    arms, beside = Arms("", ""), list[ModelEffect]()
    if room.kind is RoomKind.PAIRS:
        arms, beside = (
            study_in(store, room.study).arms,
            models_beside(store, room.study, room.questions),
        )
    people = len({each.place for each in reading.answers})
    simulated = "simulated " if room.rehearsal else ""
    sections = [_of_questions(reading, counts, arms)]
    if room.kind is RoomKind.PAIRS:
        sections.insert(0, _of_effect(reading, effect, beside, arms))
    return Report(
        title=f"{room_words(room)}: {room.title}",
        about=f"{count(people, f'{simulated}person', f'{simulated}people')} answered "
        f"{count(len(room.questions), 'question')} on phones. People are numbers in the order in "
        "which they came; there is no name in this file.",
        findings=_findings(reading, effect, counts, arms),
        sections=tuple(sections),
        items=_items(reading, arms),
        methods=(effect.method,) if effect.method else (effect.reason,),
        limitations=_limitations(reading, effect),
        provenance={
            "Room": f"{room.id}, seed {room.seed}",
            "Made with": f"BiasLab {__version__}",
            "Charts drawn by": f"plotly.js {version_of_charts()} (MIT licence)",
        },
        files={"answers.csv": answers_csv(reading)},
    )


def _findings(
    reading: RoomReading, effect: RoomEffect, counts: tuple[MemberCount, ...], arms: Arms
) -> tuple[ReportFinding, ...]:
    room = reading.room
    if room.kind is RoomKind.PAIRS:
        needed = people_needed(room, spread=effect.spread)
        said = [finding_words(room, effect, arms)]
        if effect.binary and effect.low is not None:
            said.append(
                f"With {count(len(room.questions), 'pair')}, {needed.interval} people give an "
                f"interval of 15 points to either side, and {needed.finding} find a true "
                "difference of 15 points four times in five."
            )
        return (ReportFinding(room_words(room), tuple(said)),)
    answered, right = sum(each.answered for each in counts), sum(each.right for each in counts)
    share = f"{right} of {answered} answers were right ({percent(right / answered)})."
    return (
        ReportFinding(
            room_words(room), (share, "This room was counted, not sampled: no interval.")
        ),
    )


def _of_effect(
    reading: RoomReading, effect: RoomEffect, model_effects: list[ModelEffect], arms: Arms
) -> Section:
    room = reading.room
    published = published_effects(room.study, "direct")
    light, dark = (
        room_chart(room, effect, model_effects, arms, published_effects=published, dark=dark)
        for dark in (False, True)
    )
    picture = ReportPicture(light.summary.partition("?")[0] + "?", light, dark)
    return Section("The effect", (effect_words(effect),), (picture,))


def _of_questions(reading: RoomReading, counts: tuple[MemberCount, ...], arms: Arms) -> Section:
    rows = []
    for each in counts:
        question = reading.room.questions[each.question]
        how = f"{each.right} of {each.answered}" if reading.binary else signed_number(each.mean)
        rows.append(
            (
                f"{each.question + 1}",
                _arm(each.arm, arms),
                question.asked(each.arm).text,
                how,
                ", ".join(f"{number_words(value)} ({n})" for value, n in each.values.items()),
                ", ".join(f"{error} ({n})" for error, n in each.errors.items()) or "–",
            )
        )
    right = "Right" if reading.binary else "Mean on the scale"
    columns = ("Question", "Kind", "Text", right, "Answers", "Behind wrong answers")
    return Section(
        "Question by question",
        tables=(ReportTable("What was answered", columns, tuple(rows), frozenset({3})),),
    )


def _items(reading: RoomReading, arms: Arms) -> Items:
    by_card: dict[int, list[ReadAnswer]] = {}
    for each in reading.answers:
        by_card.setdefault(each.card.number, []).append(each)
    entries = []
    for index, question in enumerate(reading.room.questions):
        members: tuple[Arm, ...] = ("x",) if question.x_prime is None else ("x", "x_prime")
        parts = tuple(
            ReportPart(
                _arm(arm, arms),
                question.asked(arm).text,
                number_words(right_answer(question, arm)) if reading.binary else "",
                tuple(
                    ReportAnswer(
                        _mark(each, reading), number_words(each.value or ""), "", 1, _who(each)
                    )
                    for each in by_card.get(2 * index + (arm == "x_prime"), [])
                ),
            )
            for arm in members
        )
        entries.append(Entry(f"Question {index + 1}", {}, parts))
    return Items("question", {}, entries)


def _who(answer: ReadAnswer) -> str:
    return f"Person {answer.place + 1}"


def _mark(answer: ReadAnswer, reading: RoomReading) -> AnswerMark:
    if answer.outcome is None:
        return AnswerMark.UNREAD
    if not reading.binary:
        return AnswerMark.READ
    return AnswerMark.RIGHT if answer.outcome == 1.0 else AnswerMark.WRONG


def _arm(arm: str, arms: Arms) -> str:
    return arms.x if arm == "x" else arms.x_prime


def _limitations(reading: RoomReading, effect: RoomEffect) -> tuple[str, ...]:
    said = []
    if reading.room.rehearsal:
        said.append("Everybody in this room is simulated; nothing is said of real people.")
    if effect.unread:
        said.append(f"{count(effect.unread, 'answer')} could not be read.")
    if reading.room.kind is RoomKind.PAIRS:
        said.append("It speaks of these pairs and of people like these, not of all people.")
    return tuple(said)
