"""A room full of phones: how fast answers are stored, beside an endpoint that stores nothing.

    python benchmarks/room.py [--people 200] [--questions 20] [--pause 1.0] [--screens 30]

The same phones (threads in a process of their own, a connection each) first meet an endpoint that
reads the same JSON and stores nothing, then a room in a real file, each on a loopback server in a
process of its own. Paced: a pause between a phone's answers, drawn evenly up to twice `--pause`
seconds. Unpaced: none. Every answer of the room is looked up afterwards: "lost" are those that a
phone was told are stored and that are not there, "double" those that are there twice.

Then the same phones, paced, meet the whole app as a workshop has it, alone and with `--screens`
beside them: one is the host's, who watches the answers come, the others are visitors', who look in
turn at the start page, the effects and the items of a run of 200 pairs, each again after up to four
seconds. A screen waits from its request to the end of its script. Screens are threads in a process
of their own on the same computer, so what they cost there is in all waits.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import multiprocessing.synchronize
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from socket import socket
from typing import NamedTuple
from urllib.parse import urlencode
from urllib.request import urlopen

import psutil
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from biaslab.room import Room, Rooms, RoomState, open_rooms, questions_of
from biaslab.runs import open_store, prepare, run_here
from biaslab.studies import Design, experiment

STUDY = "consistency"
ENDED = ForwardMsg.ScriptFinishedStatus.FINISHED_SUCCESSFULLY
_QUIET_SECONDS = 0.3
TOKEN = "a-token-for-benchmarks-alone"

SERVER = """
import json, sys, uvicorn
from pathlib import Path
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
from biaslab.room import open_rooms
from biaslab.room.serving import routes

async def bare(request):
    told = json.loads(await request.body())
    return JSONResponse({"answered": [each["card"] for each in told["answers"]]})

rooms = open_rooms(Path(sys.argv[1]))
app = Starlette(routes=[Route("/bare", bare, methods=["POST"]), *routes(lambda: rooms)])
uvicorn.run(app, port=int(sys.argv[2]), log_level="warning")
"""


class Played(NamedTuple):
    """What the phones saw.

    Attributes:
        seconds: from the first answer to the last; waits: of each answer, in seconds.
        cpu: seconds of the server's processor an answer.
        stored: pairs of phone and card that phones were told are stored.
    """

    seconds: float
    waits: list[float]
    cpu: float
    stored: set[tuple[int, int]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--pause", type=float, default=1.0)
    parser.add_argument("--screens", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    print(f"{given.people} people, {given.questions} answers each")
    columns = {"": 26, "/s": 8, "median": 9, "p95": 9, "max ms": 9, "CPU ms": 9, "lost": 6}
    print("".join(f"{name:>{width}}" for name, width in columns.items()) + f"{'double':>8}")
    for pause, name in ((given.pause, "paced"), (0.0, "no pauses")):
        bare, room = (_round(given, pause, what) for what in ("bare", "room"))
        _print(f"{name}, bare", bare)
        _print(f"{name}, room", room)
        print(
            f"{f'{name}, ratio':26}{bare.played.seconds / room.played.seconds:8.2f}"
            f"{statistics.median(room.played.waits) / statistics.median(bare.played.waits):9.2f}"
            f"{'':18}{room.played.cpu / bare.played.cpu:9.2f}"
        )
    _print("paced, app", _round(given, given.pause, "app"))
    if given.screens:
        with_screens = _round(given, given.pause, "app", given.screens)
        _print(f"paced, app, {given.screens} screens", with_screens)
        _print_waits("  of the screens", with_screens.screens, with_screens.played.seconds)
        print()


class Round(NamedTuple):
    """One round.

    Attributes:
        played: what the phones saw.
        lost, double: answers; empty where none are kept.
        screens: what screens waited, in seconds.
    """

    played: Played
    lost: str = ""
    double: str = ""
    screens: Sequence[float] = ()


def _print(name: str, found: Round) -> None:
    _print_waits(name, found.played.waits, found.played.seconds)
    print(f"{1_000 * found.played.cpu:9.2f}{found.lost:>6}{found.double:>8}")


def _print_waits(name: str, waits: Sequence[float], seconds: float) -> None:
    ms = sorted(1_000 * each for each in waits)
    print(
        f"{name:26}{len(ms) / seconds:8.1f}{statistics.median(ms):9.1f}"
        f"{ms[int(0.95 * len(ms))]:9.1f}{ms[-1]:9.1f}",
        end="",
    )


def _round(given: argparse.Namespace, pause: float, what: str, screens: int = 0) -> Round:
    with tempfile.TemporaryDirectory() as folder, socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        path = Path(folder) / "rooms.db"
        study = experiment(STUDY)
        run = _run_of(path.with_name("runs.db")) if what == "app" else ""
        with open_rooms(path) as rooms:
            questions = questions_of(study, study.pairs(Design(STUDY, given.questions, given.seed)))
            room = rooms.open_room("Benchmark", questions, STUDY, seed=given.seed)
            rooms.move(room.id, RoomState.ANSWERING)
            server = _served(path, port) if what == "app" else _small(path, port)
            try:
                _wait_for(f"http://127.0.0.1:{port}/r/{room.code}")
                code = "" if what == "bare" else room.code
                played, waits = _play(given, pause, port, code, server.pid, run, room.id, screens)
            finally:
                server.terminate()
                server.wait()
            if what == "bare":
                return Round(played)
            return _counted(given, rooms, room, played, waits)


def _counted(
    given: argparse.Namespace, rooms: Rooms, room: Room, played: Played, waits: Sequence[float]
) -> Round:
    there = [(each.place, each.card.number) for each in rooms.answers(room.id)]
    places = {number: rooms.person(room.id, _id(number)).place for number in range(given.people)}
    stored = {(places[number], card) for number, card in played.stored}
    return Round(played, str(len(stored - {*there})), str(len(there) - len({*there})), waits)


def _play(
    given: argparse.Namespace, pause: float, port: int, code: str, server: int, run: str,
    room: str, screens: int,
) -> tuple[Played, Sequence[float]]:  # fmt: skip
    """What phones saw, and what screens waited meanwhile."""
    spawn = multiprocessing.get_context("spawn")
    told: multiprocessing.Queue[Played] = spawn.Queue()
    waited: multiprocessing.Queue[list[float]] = spawn.Queue()
    ended = spawn.Event()
    looking = spawn.Process(target=_screens, args=(port, run, room, screens, ended, waited))
    if screens:
        looking.start()
        waited.get()  # all screens have drawn their first page
    phones = spawn.Process(target=_phones, args=(port, code, given, pause, server, told))
    phones.start()
    played = told.get()
    phones.join()
    if not screens:
        return played, ()
    ended.set()
    waits = waited.get()
    looking.join()
    return played, waits


def _run_of(database: Path) -> str:
    """A run of a simulated learner in a file."""
    with open_store(database) as store:
        run = prepare(store, Design(STUDY, 200, 1), "learner:shy", "direct")
        run_here(store, run)
        return run


def _small(path: Path, port: int) -> subprocess.Popen[bytes]:
    """The room's routes and a bare endpoint alone."""
    return subprocess.Popen([sys.executable, "-c", SERVER, str(path), str(port)])


def _served(path: Path, port: int) -> subprocess.Popen[bytes]:
    """The whole app, open to a network."""
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    command += ["--server.port", str(port)]
    variables = {"BIASLAB_DB": str(path.with_name("runs.db")), "BIASLAB_TOKEN": TOKEN}
    return subprocess.Popen(
        command,
        cwd=Path(__file__).resolve().parents[1],
        env={**os.environ, **variables, "BIASLAB_HOSTS": "lab.example"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _screens(
    port: int,
    run: str,
    room: str,
    screens: int,
    ended: multiprocessing.synchronize.Event,
    waited: multiprocessing.Queue[list[float]],
) -> None:
    """Looks at pages in a thread a screen until it is told to end; tells what each look waited."""
    waits: list[float] = []
    ready = threading.Barrier(screens + 1)

    def look(number: int) -> None:
        draws = Random(number)
        pages = [("", {}), ("effects", {"run": run}), ("items", {"run": run})]
        cookie = ""
        if number == 0:
            pages, cookie = [("room", {"room": room})], _cookie(port)
        headers = {"Cookie": cookie} if cookie else {}
        address = f"ws://localhost:{port}/_stcore/stream"
        with connect(
            address,
            additional_headers=headers,
            subprotocols=[Subprotocol("streamlit")],
            max_size=None,
        ) as opened:
            turn = number
            while not ended.is_set():
                name, query = pages[turn % len(pages)]
                state = ClientState(page_name=name, query_string=urlencode(query))
                began = time.perf_counter()
                opened.send(BackMsg(rerun_script=state).SerializeToString())
                drawn_at = _drawn(opened)
                if turn == number:
                    ready.wait()
                else:
                    waits.append(drawn_at - began)
                turn += 1
                ended.wait(draws.random() * 4)

    threads = [threading.Thread(target=look, args=(number,)) for number in range(screens)]
    for thread in threads:
        thread.start()
    ready.wait()
    waited.put([])
    for thread in threads:
        thread.join()
    waited.put(waits)


def _drawn(opened: ClientConnection) -> float:
    """When a whole page was drawn: the last end of its script before nothing came for a while.

    A page may begin again by itself, and parts of it draw themselves anew; those ends do not count.
    """
    ended = 0.0
    while True:
        try:
            message = ForwardMsg.FromString(opened.recv(_QUIET_SECONDS if ended else 300))
        except TimeoutError:
            return ended
        is_end = message.WhichOneof("type") == "script_finished"
        if is_end and message.script_finished == ENDED:
            ended = time.perf_counter()


def _cookie(port: int) -> str:
    """What makes a screen that of the person at this computer."""
    connection = http.client.HTTPConnection("localhost", port, timeout=60)
    connection.request("GET", f"/start?token={TOKEN}")
    return connection.getresponse().headers["Set-Cookie"].partition(";")[0]


def _wait_for(address: str) -> None:
    while True:
        try:
            with urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.05)


def _id(number: int) -> str:
    return f"{number:032x}"


def _phones(
    port: int,
    code: str,
    given: argparse.Namespace,
    pause: float,
    server: int,
    told: multiprocessing.Queue[Played],
) -> None:
    """Plays every phone in a thread of its own, and tells what they saw."""
    waits: list[float] = []
    stored: set[tuple[int, int]] = set()
    ready = threading.Barrier(given.people + 1)

    def play(number: int) -> None:
        draws = Random(f"{given.seed}/{number}")
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

        def ask(path: str, body: object) -> dict[str, list[dict[str, int]]]:
            connection.request("POST", path, json.dumps(body))
            reply: dict[str, list[dict[str, int]]] = json.loads(connection.getresponse().read())
            return reply

        cards = list(range(given.questions))
        if code:
            joined = ask(f"/r/{code}/join", {"person": _id(number)})
            cards = [each["card"] for each in joined["cards"]]
        else:
            ask("/bare", {"answers": []})
        ready.wait()
        for card in cards:
            time.sleep(draws.random() * 2 * pause)
            began = time.perf_counter()
            path = f"/r/{code}/answers" if code else "/bare"
            answers = [{"card": card, "text": str(draws.randrange(1_000))}]
            reply = ask(path, {"person": _id(number), "answers": answers})
            waits.append(time.perf_counter() - began)
            if card in reply["answered"]:
                stored.add((number, card))

    threads = [threading.Thread(target=play, args=(number,)) for number in range(given.people)]
    for thread in threads:
        thread.start()
    ready.wait()
    process = psutil.Process(server)
    before, began = _cpu(process), time.perf_counter()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - began
    told.put(Played(seconds, waits, (_cpu(process) - before) / len(waits), stored))


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


if __name__ == "__main__":
    main()
