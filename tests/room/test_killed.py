"""The program is killed in the middle of a round, or sleeps: no answer is lost or counts twice."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import pytest

from biaslab.room import Room, Rooms, RoomState, open_rooms
from biaslab.room.records import QuestionCard
from tests.conftest import DEADLINE, free_port, wait_for
from tests.room.conftest import STUDY, pairs, phone

PHONES, QUESTIONS, KILLS, SLEEPS = 30, 20, 3, 2

SERVER = """
import sys, uvicorn
from pathlib import Path
from starlette.applications import Starlette
from biaslab.room import open_rooms
from biaslab.room.serving import routes
rooms = open_rooms(Path(sys.argv[1]))
uvicorn.run(Starlette(routes=routes(lambda: rooms)), port=int(sys.argv[2]), log_level="warning")
"""


class Phone:
    """Keeps an answer until the server names it, as the page does, and sends it again till then.

    Args:
        address: of the server; code: of the room.
        number: of the phone.
        patience: seconds that it waits for a reply.
    """

    def __init__(self, address: str, code: str, number: int, patience: float = 10) -> None:
        self._host = urlsplit(address).netloc
        self._path = f"/r/{code}"
        self._person = phone(number)
        self._draws = Random(number)
        self._patience = patience
        self.sent: dict[int, str] = {}
        self.in_vain = 0
        """How often no reply came."""

    def play(self) -> None:
        """Answers every question, one after the other."""
        cards = self._ask("join", {"person": self._person})["cards"]
        for each in cards:
            card = each["card"]
            self.sent[card] = str(self._draws.randrange(10**6))
            answers = [{"card": card, "text": self.sent[card]}]
            stored = self._ask("answers", {"person": self._person, "answers": answers})
            assert card in stored["answered"]

    def _ask(self, path: str, body: dict[str, object]) -> dict[str, list[dict[str, int]]]:
        """A reply, however often it takes."""
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            try:
                connection = http.client.HTTPConnection(self._host, timeout=self._patience)
                connection.request("POST", f"{self._path}/{path}", json.dumps(body))
                reply = connection.getresponse()
                told: dict[str, list[dict[str, int]]] = json.loads(reply.read())
                assert reply.status == 200, told
            except (OSError, http.client.HTTPException, ValueError):
                self.in_vain += 1
                threading.Event().wait(0.05 + self._draws.random() / 20)
            else:
                return told
            finally:
                connection.close()
        raise AssertionError("No reply came in time.")


def _start(path: Path, port: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", SERVER, str(path), str(port)])


def _once_each(rooms: Rooms, room: Room, phones: Sequence[Phone]) -> None:
    """Sees that what every phone sent is there as it was sent, once."""
    found = Counter((each.place, each.card.number) for each in rooms.answers(room.id))
    assert len(found) == PHONES * QUESTIONS
    assert set(found.values()) == {1}
    kept = {(each.place, each.card.number): each.text for each in rooms.answers(room.id)}
    for number, each in enumerate(phones):
        place = rooms.person(room.id, phone(number)).place
        assert {
            card: kept[place, QuestionCard.numbered(card).number] for card in each.sent
        } == each.sent


def test_no_answer_is_lost_or_counted_twice_when_the_program_is_killed_in_mid_round(
    tmp_path: Path,
) -> None:
    path, port = tmp_path / "rooms.db", free_port()
    with open_rooms(path) as rooms:
        room = rooms.open_room("Tuesday", pairs(QUESTIONS), STUDY)
        rooms.move(room.id, RoomState.ANSWERING)
        phones = [Phone(f"http://127.0.0.1:{port}", room.code, each) for each in range(PHONES)]
        server = _start(path, port)
        with ThreadPoolExecutor(PHONES) as pool:
            playing = [pool.submit(each.play) for each in phones]
            for kill in range(1, KILLS + 1):
                due = PHONES * QUESTIONS * kill // (KILLS + 1)
                wait_for(lambda due=due: rooms.arrivals(room.id).answers >= due)
                server.kill()  # as kill -9
                server.wait()
                server = _start(path, port)
            for each in playing:
                each.result()
        server.terminate()
        server.wait()
        _once_each(rooms, room, phones)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal that stops a process")
def test_nor_while_the_computer_sleeps_and_phones_give_up_waiting(tmp_path: Path) -> None:
    path, port = tmp_path / "rooms.db", free_port()
    with open_rooms(path) as rooms:
        room = rooms.open_room("Tuesday", pairs(QUESTIONS), STUDY)
        rooms.move(room.id, RoomState.ANSWERING)
        server = _start(path, port)
        address = f"http://127.0.0.1:{port}"
        phones = [Phone(address, room.code, each, patience=2) for each in range(PHONES)]
        with ThreadPoolExecutor(PHONES) as pool:
            playing = [pool.submit(each.play) for each in phones]
            for sleep in range(1, SLEEPS + 1):
                due = PHONES * QUESTIONS * sleep // (SLEEPS + 1)
                wait_for(lambda due=due: rooms.arrivals(room.id).answers >= due)
                # As a laptop that is shut: nothing runs, what came stays in the network's buffers.
                server.send_signal(signal.SIGSTOP)
                before = sum(each.in_vain for each in phones)
                wait_for(lambda before=before: sum(p.in_vain for p in phones) >= before + PHONES)
                server.send_signal(signal.SIGCONT)
            for each in playing:
                each.result()
        server.terminate()
        server.wait()
        _once_each(rooms, room, phones)
