"""A room full of phones: how fast answers are stored, beside an endpoint that stores nothing.

    python benchmarks/room.py [--people 200] [--questions 20] [--pause 1.0] [--seed 1]

The same phones (threads in a process of their own, a connection each) first meet an endpoint that
reads the same JSON and stores nothing, then a room in a real file, each on a loopback server in a
process of its own. Paced: a pause between a phone's answers, drawn evenly up to twice `--pause`
seconds. Unpaced: none. Every answer of the room is looked up afterwards: "lost" are those that a
phone was told are stored and that are not there, "double" those that are there twice.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
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
from urllib.request import urlopen

import psutil

from biaslab.room import State, open_rooms, questions_of
from biaslab.studies import Design, experiment

STUDY = "consistency"

SERVER = """
import json, sys, uvicorn
from pathlib import Path
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
from biaslab.room import open_rooms
from biaslab.room.phones.serving import routes

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
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    print(f"{given.people} people, {given.questions} answers each")
    columns = {"": 22, "/s": 8, "median": 9, "p95": 9, "max ms": 9, "CPU ms": 9, "lost": 6}
    print("".join(f"{name:>{width}}" for name, width in columns.items()) + f"{'double':>8}")
    for pause, name in ((given.pause, "paced"), (0.0, "no pauses")):
        rows = [_round(given, pause, is_bare) for is_bare in (True, False)]
        for (played, lost, double), what in zip(rows, ("bare", "room"), strict=True):
            waits = sorted(1_000 * each for each in played.waits)
            print(
                f"{f'{name}, {what}':22}{len(waits) / played.seconds:8.0f}"
                f"{statistics.median(waits):9.1f}{waits[int(0.95 * len(waits))]:9.1f}"
                f"{waits[-1]:9.1f}{1_000 * played.cpu:9.2f}{lost:>6}{double:>8}"
            )
        (bare, _, _), (room, _, _) = rows
        print(
            f"{f'{name}, ratio':22}{bare.seconds / room.seconds:8.2f}"
            f"{statistics.median(room.waits) / statistics.median(bare.waits):9.2f}"
            f"{'':18}{room.cpu / bare.cpu:9.2f}"
        )


def _round(given: argparse.Namespace, pause: float, is_bare: bool) -> tuple[Played, str, str]:
    with tempfile.TemporaryDirectory() as folder, socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        path = Path(folder) / "rooms.db"
        study = experiment(STUDY)
        with open_rooms(path) as rooms:
            questions = questions_of(study, study.pairs(Design(STUDY, given.questions, given.seed)))
            room = rooms.open_room("Benchmark", questions, STUDY, seed=given.seed)
            rooms.move(room.id, State.ANSWERING)
            server = subprocess.Popen([sys.executable, "-c", SERVER, str(path), str(port)])
            try:
                _wait_for(f"http://127.0.0.1:{port}/r/{room.code}")
                told = multiprocessing.get_context("spawn").Queue()
                phones = multiprocessing.get_context("spawn").Process(
                    target=_phones,
                    args=(port, "" if is_bare else room.code, given, pause, server.pid, told),
                )
                phones.start()
                played: Played = told.get()
                phones.join()
            finally:
                server.terminate()
                server.wait()
            if is_bare:
                return played, "", ""
            there = [(each.place, each.card.number) for each in rooms.answers(room.id)]
            places = {
                number: rooms.person(room.id, _id(number)).place for number in range(given.people)
            }
            stored = {(places[number], card) for number, card in played.stored}
            return played, str(len(stored - {*there})), str(len(there) - len({*there}))


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
