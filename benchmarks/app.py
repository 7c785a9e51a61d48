"""How fast the app is for one person and for thirty, with 100,000 responses in its file.

    python benchmarks/app.py [--responses 100000] [--sessions 30] [--seconds 20]

A real server is started and spoken to as a browser does, through its web socket. Measured are

- the time from starting the server to the end of the first page's script, everything cold;
- for each page, with the whole file behind it: the server's CPU and the wall time of a rerun
  (the first visit fills what is kept between clicks and is shown apart);
- the time from click to finished page when many sessions click once a second.

Clicks are reruns of the page in the state its address names. Drawing in the browser is not
part of the figures.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from socket import socket

import psutil
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from biaslab.runs import open_store, prepare, run_here
from biaslab.studies import Design

ROOT = Path(__file__).resolve().parents[1]
GOALS = {"cold": 3.0, "cpu": 0.050, "wall": 0.300, "median": 0.5}


@dataclass(frozen=True)
class Page:
    """A page and the state in its address."""

    name: str
    query: str = ""


class Visitor:
    """One browser tab."""

    def __init__(self, port: int, page: Page) -> None:
        self._address = f"ws://127.0.0.1:{port}/_stcore/stream"
        self._page = page
        self._hash = ""
        self.errors = 0
        self.elements = 0

    async def __aenter__(self) -> Visitor:
        self._socket = await websockets.connect(
            self._address, subprotocols=["streamlit"], max_size=None
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._socket.close()

    async def click(self) -> float:
        """Runs the page's script; the seconds until it has finished."""
        state = ClientState(query_string=self._page.query)
        if self._hash:
            state.page_script_hash = self._hash
        else:
            state.page_name = self._page.name
        self.elements = 0
        began = time.perf_counter()
        await self._socket.send(BackMsg(rerun_script=state).SerializeToString())
        while True:
            message = ForwardMsg.FromString(await self._socket.recv())
            if message.HasField("navigation"):
                self._hash = message.navigation.page_script_hash
            self.elements += message.HasField("delta") or message.HasField("ref_hash")
            if message.HasField("delta") and message.delta.new_element.HasField("exception"):
                self.errors += 1
            # A script that ends early to run again, or a part that runs by its own clock, is
            # not the answer to the click.
            if (
                message.WhichOneof("type") == "script_finished"
                and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
            ):
                return time.perf_counter() - began


def fill(path: Path, responses: int) -> str:
    """A file with so many responses of a simulated learner; the run's id."""
    with open_store(path) as store:
        design = Design("consistency", responses // 4, 1)
        run = prepare(store, design, "learner:halfway", "cot")
        record = run_here(store, run)
        print(f"{record.asked:,} responses, {path.stat().st_size / 1e6:.0f} MB")
        return run


def serve(path: Path) -> tuple[subprocess.Popen[bytes], int]:
    """The server, on a free port."""
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"),
        "--server.port", str(port), "--server.headless", "true",
    ]  # fmt: skip
    # What is compiled once is kept, as for everybody who has started the app before.
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment = {**kept, "BIASLAB_DB": str(path)}
    return subprocess.Popen(command, env=environment, cwd=ROOT), port


async def first_page(port: int) -> None:
    """Waits until the first page's script has finished."""
    while True:
        try:
            async with Visitor(port, Page("")) as visitor:
                await visitor.click()
                return
        except OSError:
            await asyncio.sleep(0.02)


async def reruns(server: psutil.Process, port: int, pages: list[Page], times: int) -> None:
    """CPU and wall time of each page; also as multiples of the first page's, which is Home."""
    print(
        f"{'page':10}{'elements':>9}{'first visit s':>14}{'its CPU s':>10}"
        f"{'rerun CPU ms':>14}{'to Home':>8}{'wall ms':>9}"
    )
    home = 0.0
    for page in pages:
        async with Visitor(port, page) as visitor:
            before = sum(server.cpu_times()[:2])
            first = await visitor.click()
            first_cpu = sum(server.cpu_times()[:2]) - before
            await visitor.click()
            before = sum(server.cpu_times()[:2])
            walls = [await visitor.click() for _ in range(times)]
            cpu = (sum(server.cpu_times()[:2]) - before) / times
            home = home or cpu
            wall = statistics.median(walls)
            met = "met" if cpu <= GOALS["cpu"] and wall <= GOALS["wall"] else "not met"
            print(
                f"{page.name or 'home':10}{visitor.elements:9}{first:14.2f}{first_cpu:10.2f}"
                f"{cpu * 1000:14.0f}{cpu / home:8.2f}{wall * 1000:9.0f}"
                f"  {met}{'  ERRORS' if visitor.errors else ''}"
            )


async def crowd(port: int, pages: list[Page], sessions: int, seconds: float) -> list[float]:
    """Click times of many sessions, each clicking once a second."""

    async def one(index: int) -> list[float]:
        taken = []
        async with Visitor(port, pages[index % len(pages)]) as visitor:
            await asyncio.sleep(index / sessions)
            await visitor.click()
            end = time.perf_counter() + seconds
            while time.perf_counter() < end:
                spent = await visitor.click()
                taken.append(spent)
                await asyncio.sleep(max(0.0, 1.0 - spent))
        return taken

    return [t for times in await asyncio.gather(*map(one, range(sessions))) for t in times]


def main() -> None:
    """Prints the figures beside their goals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--responses", type=int, default=100_000)
    parser.add_argument("--sessions", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=20.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "runs.db"
        run = fill(path, given.responses)
        pages = [
            Page(""),
            Page("compose"),
            Page("runs", f"run={run}"),
            Page("effects", f"runs={run}"),
            Page("items", f"run={run}"),
        ]
        began = time.perf_counter()
        process, port = serve(path)
        try:
            asyncio.run(first_page(port))
            cold = time.perf_counter() - began
            print(f"cold start to first page: {cold:.2f} s (goal {GOALS['cold']:.0f} s)")
            server = psutil.Process(process.pid)
            asyncio.run(reruns(server, port, pages, 20))
            print(f"goals: CPU {GOALS['cpu'] * 1000:.0f} ms, wall {GOALS['wall'] * 1000:.0f} ms")
            times = asyncio.run(crowd(port, pages, given.sessions, given.seconds))
            late = sorted(times)[int(len(times) * 0.95)]
            print(
                f"{given.sessions} sessions, one click a second each: median "
                f"{statistics.median(times):.2f} s, 95 % within {late:.2f} s,"
                f" {len(times) / given.seconds:.1f} clicks/s (goal: median {GOALS['median']} s)"
            )
            loaded = [m.path for m in server.memory_maps() if "libtorch" in m.path]
            print(f"torch in the server's process: {'YES' if loaded else 'no'}")
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
