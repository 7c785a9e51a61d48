"""A live room: people answer on their phones what models were asked, and have an effect.

    rooms = rooms_here()                                     # rooms.db beside the file of runs
    questions = questions_of_design(store, Design("consistency", 10, 1))
    room = rooms.open_room("Tuesday", questions, "consistency")
    join_address("192.168.1.20:8501", room.code)             # phones open this; qr_svg draws it
    rooms.move(room.id, State.ANSWERING)                     # and forward or back, step by step
    rooms.arrivals(room.id)                                  # joined, begun, finished
    reading = read_room(rooms, room.id)                      # answers as the study reads them
    room_effect(reading), member_counts(reading), models_beside(store, ...)
    answers_csv(reading); rooms.delete(room.id)

Everybody answers one member of each pair, or both far apart (`Allocation`). Phones get a page of
their own (`biaslab.room.serving.routes`), outside the screens. Answers are written down
before phones hear of it, so none is lost when a phone goes offline or the program is killed.

Opening, leading and deleting a room asks `biaslab.system.roles` who acts.
"""

from biaslab.room.asking import (
    can_be_asked,
    is_of,
    question_counted,
    questions_of,
    questions_of_design,
    questions_of_items,
    questions_of_quiz,
    questions_of_run,
    rehearse,
)
from biaslab.room.effect import (
    ModelEffect,
    PeopleNeeded,
    RoomEffect,
    models_beside,
    people_needed,
    room_effect,
)
from biaslab.room.reading import (
    SEVERAL,
    UNKNOWN,
    MemberCount,
    ReadAnswer,
    RoomReading,
    answers_csv,
    member_counts,
    read_room,
    right_answer,
    sheet_of,
)
from biaslab.room.records import (
    FEWEST_FOR_ANSWERS,
    FEWEST_FOR_EFFECT,
    KEPT_DAYS,
    LASTS_HOURS,
    LONGEST_HOURS,
    LONGEST_TITLE,
    MOST_OPEN,
    MOST_PEOPLE,
    MOST_QUESTIONS,
    Allocation,
    AnsweredBy,
    Arm,
    Arrivals,
    BadRequest,
    CannotAsk,
    NotNow,
    PairMember,
    Room,
    RoomBusy,
    RoomError,
    RoomFull,
    RoomKind,
    RoomPace,
    RoomQuestion,
    RoomState,
    TooManyRooms,
    UnknownPerson,
    UnknownRoom,
    WrongMove,
)
from biaslab.room.serving import join_address, qr_svg
from biaslab.room.store import Rooms, default_rooms, open_rooms, rooms_beside, rooms_here

__all__ = [
    "FEWEST_FOR_ANSWERS",
    "FEWEST_FOR_EFFECT",
    "KEPT_DAYS",
    "LASTS_HOURS",
    "LONGEST_HOURS",
    "LONGEST_TITLE",
    "MOST_OPEN",
    "MOST_PEOPLE",
    "MOST_QUESTIONS",
    "SEVERAL",
    "UNKNOWN",
    "Allocation",
    "AnsweredBy",
    "Arm",
    "Arrivals",
    "BadRequest",
    "CannotAsk",
    "MemberCount",
    "ModelEffect",
    "NotNow",
    "PairMember",
    "PeopleNeeded",
    "ReadAnswer",
    "Room",
    "RoomBusy",
    "RoomEffect",
    "RoomError",
    "RoomFull",
    "RoomKind",
    "RoomPace",
    "RoomQuestion",
    "RoomReading",
    "RoomState",
    "Rooms",
    "TooManyRooms",
    "UnknownPerson",
    "UnknownRoom",
    "WrongMove",
    "answers_csv",
    "can_be_asked",
    "default_rooms",
    "is_of",
    "join_address",
    "member_counts",
    "models_beside",
    "open_rooms",
    "people_needed",
    "qr_svg",
    "question_counted",
    "questions_of",
    "questions_of_design",
    "questions_of_items",
    "questions_of_quiz",
    "questions_of_run",
    "read_room",
    "rehearse",
    "right_answer",
    "room_effect",
    "rooms_beside",
    "rooms_here",
    "sheet_of",
]
