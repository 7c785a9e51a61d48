"""The routes of a room: the page on phones, and what it sends and gets.

    GET  /r/CODE            the page; /r/ asks for the code first
    GET  /r/phone.js        its script
    POST /r/CODE/join       {person}           who this is, where the room stands, its questions
    POST /r/CODE/answers    {person, answers}  which answers are stored, where the room stands
    GET  /r/CODE/state      X-Person           where the room stands

`person` is 32 hexadecimal digits that the phone made. All but the page needs it, so only who is in
a room is told anything of it; addresses that try wrong codes are slowed down. Whatever is refused
is refused in a sentence of JSON: ``{"error": ...}``. The rest of what a stranger might send is
limited before it is read.
"""

from __future__ import annotations

import asyncio
import io
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, TypeAlias

import segno
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from biaslab.models.server.addresses import network_of
from biaslab.room.reading import MemberCount, ReadAnswer, member_counts, read_room, right_answer
from biaslab.room.records import (
    CODE_LENGTH,
    LARGEST_BODY,
    LETTERS,
    LONGEST_ANSWER,
    MOST_ADDRESSES,
    MOST_QUESTIONS,
    WRONG_CODES,
    BadRequest,
    NotNow,
    QuestionCard,
    Room,
    RoomAnswer,
    RoomBusy,
    RoomError,
    RoomFull,
    RoomPace,
    RoomState,
    UnknownPerson,
    UnknownRoom,
    dealt,
)
from biaslab.room.store import Rooms
from biaslab.runs import StoreError
from schoolmath.text.given_files import parse_json

# How many wrong codes an address may try.

_A_MINUTE = 60.0


class WrongCodes:
    """A token bucket for each address: `WRONG_CODES` at once, and as many a minute."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        """Starts with everybody's bucket full."""
        self._now = now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def are_left(self, address: str) -> bool:
        """Whether this address may try one more."""
        return self._tokens(network_of(address)) >= 1.0

    def count(self, address: str) -> None:
        """Takes down that this address tried a wrong one."""
        network = network_of(address)
        self._left[network] = (max(0.0, self._tokens(network) - 1.0), self._now())
        self._left.move_to_end(network)
        while len(self._left) > MOST_ADDRESSES:
            self._left.popitem(last=False)

    def _tokens(self, network: str) -> float:
        left, at = self._left.get(network, (float(WRONG_CODES), self._now()))
        return min(float(WRONG_CODES), left + (self._now() - at) * WRONG_CODES / _A_MINUTE)


PERSON = "X-Person"
"""Header with the id of a phone that asks where the room stands."""

_PAGE = Path(__file__).resolve().parents[2] / "assets" / "room"
_CODE = re.compile(rf"[{LETTERS}]{{{CODE_LENGTH}}}", re.IGNORECASE)
_PERSON = re.compile(r"[0-9a-f]{32}")
_NOT_KEPT = {"Cache-Control": "no-store"}
_STATUS: Mapping[type[Exception], int] = {
    UnknownRoom: 404,
    UnknownPerson: 401,
    RoomFull: 409,
    NotNow: 409,
    RoomBusy: 503,
    StoreError: 503,
}

_Answer: TypeAlias = Callable[[Request], Awaitable[Response]]


class _TooManyTries(RoomError):
    """Too many wrong codes came from this address."""


class _TooLarge(RoomError):
    """A request is larger than a phone's can be."""


def routes(open_rooms: Callable[[], Rooms]) -> list[BaseRoute]:
    """The routes of all rooms.

    Args:
        open_rooms: the file of rooms, asked for once somebody comes.
    """
    serving = _Serving(open_rooms)
    found: list[BaseRoute] = []
    # A QR code of an address in capitals has fewer squares.
    for base in ("/r", "/R"):
        found += [
            Route(base, _to_page),
            Route(f"{base}/", _page),
            Route(f"{base}/phone.js", _script),
            Route(f"{base}/{{code}}", _page),
            Route(f"{base}/{{code}}/join", _in_sentences(serving.join), methods=["POST"]),
            Route(f"{base}/{{code}}/answers", _in_sentences(serving.answers), methods=["POST"]),
            Route(f"{base}/{{code}}/state", _in_sentences(serving.state)),
        ]
    return found


async def _to_page(request: Request) -> Response:
    """The page names its script relative to a folder."""
    return RedirectResponse(f"{request.url.path}/", status_code=303)


async def _page(_: Request) -> Response:
    """The page is the same for every code, also for one that no room has."""
    return FileResponse(_PAGE / "phone.html", headers=_NOT_KEPT)


async def _script(_: Request) -> Response:
    return FileResponse(_PAGE / "phone.js", headers={"Cache-Control": "no-cache"})


def _in_sentences(answer: _Answer) -> _Answer:
    """Turns refusals into sentences of JSON."""

    @wraps(answer)
    async def answering(request: Request) -> Response:
        try:
            return await answer(request)
        except _TooManyTries as error:
            return _refused(str(error), 429, {"Retry-After": "10"})
        except _TooLarge as error:
            # What is left of it is not read, so nothing can follow on this connection.
            return _refused(str(error), 413, {"Connection": "close"})
        except (RoomError, StoreError) as error:
            status = next((code for kind, code in _STATUS.items() if isinstance(error, kind)), 400)
            return _refused(str(error), status, {"Retry-After": "2"} if status == 503 else {})

    return answering


def _refused(sentence: str, status: int, headers: Mapping[str, str]) -> Response:
    return JSONResponse({"error": sentence}, status, headers={**_NOT_KEPT, **headers})


class _Serving:
    """Answers phones."""

    def __init__(self, open_rooms: Callable[[], Rooms]) -> None:
        self._opened = open_rooms
        self._wrong_codes = WrongCodes()
        self._counted: tuple[tuple[str, int], Sequence[ReadAnswer], Sequence[MemberCount]] | None
        self._counted = None
        self._counting = asyncio.Lock()

    async def join(self, request: Request) -> Response:
        """Lets a phone in, and gives it what it is asked."""
        told = await _body(request)
        person = _person(told.get("person"))
        room = self._room(request, person)
        joined = await asyncio.wrap_future(self._opened().join(room.id, person))
        cards = _shown(room, dealt(room, joined.place)) if _stands(self._opened(), room) else []
        return JSONResponse(
            {
                **self._standing(room),
                "answered": joined.answered,
                "cards": cards,
                "results": await self._results(room, joined.place),
            },
            headers=_NOT_KEPT,
        )

    async def answers(self, request: Request) -> Response:
        """Writes answers down, and says so once they are on the disk."""
        told = await _body(request)
        person = _person(told.get("person"))
        given = _given(told.get("answers"))
        room = self._room(request, person)
        somebody = self._opened().person(room.id, person)
        await asyncio.wrap_future(self._opened().send(room, somebody, given))
        stored = self._opened().stored(somebody, given)
        return JSONResponse(
            {**self._standing(room), "answered": stored.answered, "refused": stored.refused},
            headers=_NOT_KEPT,
        )

    async def state(self, request: Request) -> Response:
        """Where the room stands."""
        person = _person(request.headers.get(PERSON))
        room = self._room(request, person)
        self._opened().person(room.id, person)
        return JSONResponse(self._standing(room), headers=_NOT_KEPT)

    def _room(self, request: Request, person: str) -> Room:
        """The room of the address; who tried too many codes is refused unless they are in it."""
        address = request.client.host if request.client else ""
        may_try = self._wrong_codes.are_left(address)
        too_many = _TooManyTries(
            "Too many wrong codes came from this network. Wait a few seconds, then try again."
        )
        code = str(request.path_params["code"])
        try:
            if not _CODE.fullmatch(code):
                raise UnknownRoom("A code has four letters, none of them I or O.")
            room = self._opened().find(code)
            if not may_try:
                self._opened().person(room.id, person)
        except UnknownRoom as error:
            if not may_try:
                raise too_many from error
            self._wrong_codes.count(address)
            raise
        except UnknownPerson as error:
            raise too_many from error
        return room

    def _standing(self, room: Room) -> dict[str, Any]:
        """What every phone in a room is told."""
        state = room.state
        if self._opened().is_over(room) and state in (RoomState.WAITING, RoomState.ANSWERING):
            state = RoomState.CLOSED
        return {
            "room": room.id,
            "title": room.title,
            "state": state,
            "pace": room.pace,
            "step": room.step,
            "steps": room.steps,
            "shows": room.shows_answers,
        }

    async def _results(self, room: Room, place: int) -> list[dict[str, Any]]:
        """The answers of a person beside the room's; none before they are revealed."""
        if room.state is not RoomState.REVEALED or not room.shows_answers:
            return []
        key = (room.id, self._opened().arrivals(room.id).answers)
        # Everybody asks at the same moment; one reads all answers and the others wait.
        async with self._counting:
            if self._counted is None or self._counted[0] != key:
                answers, counts = await asyncio.to_thread(_read, self._opened(), room.id)
                self._counted = (key, answers, counts)
            _, answers, counts = self._counted
        by_card = {QuestionCard.of(each.question, each.arm).number: each for each in counts}
        mine = {each.card.number: each for each in answers if each.place == place}
        return [
            _result(room, card, mine[card.number], by_card)
            for card in dealt(room, place)
            if card.number in mine
        ]


def _read(rooms: Rooms, room_id: str) -> tuple[Sequence[ReadAnswer], Sequence[MemberCount]]:
    reading = read_room(rooms, room_id)
    return reading.answers, member_counts(reading)


def _stands(rooms: Rooms, room: Room) -> bool:
    """Whether questions are shown."""
    return room.state is RoomState.ANSWERING and not rooms.is_over(room)


def _shown(room: Room, cards: Sequence[QuestionCard]) -> list[dict[str, Any]]:
    """The cards that a phone may show now: all, or the one that the host shows."""
    steps = range(len(cards)) if room.pace is RoomPace.EACH else [room.step]
    found = []
    for step in steps:
        card = cards[step]
        question = room.questions[card.question]
        asked = question.asked(card.arm)
        found.append(
            {
                "card": card.number,
                "step": step,
                "text": asked.text,
                "kind": question.answered_by,
                "choices": asked.choices,
            }
        )
    return found


def _result(
    room: Room, card: QuestionCard, answer: ReadAnswer, counts: Mapping[int, MemberCount]
) -> dict[str, Any]:
    """One answer of a person beside the room's to the same text, and to its twin."""
    question = room.questions[card.question]
    asked = question.asked(card.arm)
    here = counts[card.number]
    is_binary = bool(here.right + here.wrong)
    twin = counts.get(card.number ^ 1)
    same = here.values.get(answer.value, 0) if answer.value is not None else 0
    return {
        "text": asked.text,
        "answer": asked.choices[int(answer.text) - 1] if asked.choices else answer.text,
        "is_right": None if not is_binary else answer.outcome == 1.0,
        "right_answer": right_answer(question, card.arm) if is_binary else "",
        "same": same,
        "answered": here.answered,
        "right": here.right if is_binary else None,
        "twin_answered": 0 if twin is None else twin.answered,
        "twin_right": None if twin is None or not is_binary else twin.right,
    }


async def _body(request: Request) -> dict[str, Any]:
    """The object that a phone sent."""
    taken = b""
    try:
        async for part in request.stream():
            taken += part
            if len(taken) > LARGEST_BODY:
                raise _TooLarge(f"A phone sends at most {LARGEST_BODY:,} bytes.")
        told = parse_json(taken.decode())
    except (ValueError, RecursionError) as error:
        raise BadRequest("This is no JSON that a phone of a room sends.") from error
    except ClientDisconnect as error:
        raise BadRequest("The request broke off.") from error
    if not isinstance(told, dict):
        raise BadRequest("A phone sends an object.")
    return told


def _person(value: object) -> str:
    if not isinstance(value, str) or not _PERSON.fullmatch(value):
        raise BadRequest("A phone says who it is with 32 hexadecimal digits.")
    return value


def _given(value: object) -> list[RoomAnswer]:
    if not isinstance(value, list) or len(value) > 2 * MOST_QUESTIONS:
        raise BadRequest(f"A phone sends a list of at most {2 * MOST_QUESTIONS} answers.")
    return [_answer(each) for each in value]


def _answer(value: object) -> RoomAnswer:
    card = value.get("card") if isinstance(value, dict) else None
    text = value.get("text") if isinstance(value, dict) else None
    if type(card) is not int or not isinstance(text, str) or len(text) > LONGEST_ANSWER:
        raise BadRequest(
            f"An answer has the number of its card, and a text of at most {LONGEST_ANSWER} "
            "characters."
        )
    if not 0 <= card < 2 * MOST_QUESTIONS:
        raise BadRequest("There is no such card.")
    return RoomAnswer(card, text)


# Where phones join: the address of a room, and its code on the wall.


def join_address(host: str, code: str) -> str:
    """The address that a phone opens to join a room, in capitals: its QR code has fewer squares.

    Args:
        host: as people type it, with its port where it has one, and with ``https://`` before it
            where the app is served so.
        code: of the room.

    Raises:
        BadRequest: the host or the code is none.
    """
    scheme, _, rest = host.strip().rpartition("://")
    rest = rest.rstrip("/")
    if scheme.lower() not in ("", "http", "https") or not rest or set(rest) & set(" /?#@\\"):
        raise BadRequest(f"“{host}” is no host. Write it as in 192.168.1.20:8501.")
    if len(code) != CODE_LENGTH or not set(code.upper()) <= set(LETTERS):
        raise BadRequest(f"“{code}” is no code of a room.")
    return f"{scheme or 'http'}://{rest}/r/{code}".upper()


def qr_svg(text: str) -> str:
    """A QR code as the text of an SVG file: black on white, as wide as its place.

    Level M: it is read with an eighth of it hidden.
    """
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", border=4, dark="#000", light="#fff", xmldecl=False, omitsize=True
    )
    return out.getvalue().decode()
