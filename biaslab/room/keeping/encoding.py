"""Questions as they stand in the file of rooms."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from biaslab.room.records import AnsweredBy, PairMember, RoomQuestion
from biaslab.studies import Item


def write_questions(questions: Sequence[RoomQuestion]) -> str:
    """Questions as JSON."""
    return json.dumps([_question_json(each) for each in questions], ensure_ascii=False)


def read_questions(text: str) -> tuple[RoomQuestion, ...]:
    """The questions that `write_questions` wrote."""
    return tuple(
        RoomQuestion(
            each["id"],
            _asked(each["x"]),
            None if each["x_prime"] is None else _asked(each["x_prime"]),
            AnsweredBy(each["answered_by"]),
            each["cluster"],
            each["strata"],
            each["errors"],
        )
        for each in json.loads(text)
    )


def _question_json(question: RoomQuestion) -> dict[str, Any]:
    return {
        "id": question.id,
        "x": _asked_json(question.x),
        "x_prime": None if question.x_prime is None else _asked_json(question.x_prime),
        "answered_by": question.answered_by,
        "cluster": question.cluster,
        "strata": dict(question.strata),
        "errors": dict(question.errors),
    }


def _asked_json(asked: PairMember) -> dict[str, Any]:
    item = asked.item
    return {
        "id": item.id,
        "text": item.text,
        "answer": item.answer,
        "facts": dict(item.facts),
        "options": list(item.options),
        "shown": asked.text,
        "choices": list(asked.choices),
    }


def _asked(told: dict[str, Any]) -> PairMember:
    item = Item(told["id"], told["text"], told["answer"], told["facts"], tuple(told["options"]))
    return PairMember(item, told["shown"], tuple(told["choices"]))
