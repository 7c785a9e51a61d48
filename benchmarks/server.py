"""How fast a server is asked: whole runs, storing included, against the bare openai client.

    python benchmarks/server.py [--at-once 64 256 512] [--requests 2000] [--latency 0.2]

The server is a simulation on loopback, a process of its own: it answers every request after the
same time with the same text, and any number at once. So the ideal rate is the most at once over
that time. Ways, in turn, each in a fresh process:

* the openai client alone, with its usual transport and with its fastest (aiohttp): nothing is
  checked and nothing kept;
* a run of this library with one process and with several: pairs, checks, cache, answers read
  and stored.

A process on one core cannot ask faster than one core allows; its share of that core is printed
beside the rate.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

REPLY = json.dumps(
    {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "echo",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": "The answer is 7."},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 60, "completion_tokens": 7, "total_tokens": 67},
    }
).encode()
MODELS = json.dumps({"object": "list", "data": [{"id": "echo", "object": "model"}]}).encode()


class Echo(asyncio.Protocol):
    """Just enough of HTTP to answer; a real server would take the core that is measured."""

    latency = 0.2

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keeps the way back."""
        self._transport = transport
        self._waiting = b""

    def data_received(self, data: bytes) -> None:
        """Answers every whole request after the latency."""
        self._waiting += data
        while True:
            head, separator, rest = self._waiting.partition(b"\r\n\r\n")
            if not separator:
                return
            length = 0
            for line in head.split(b"\r\n")[1:]:
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if len(rest) < length:
                return
            self._waiting = rest[length:]
            body = MODELS if head.startswith(b"GET") else REPLY
            asyncio.get_running_loop().call_later(self.latency, self._reply, body)

    def _reply(self, body: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                + str(len(body)).encode()
                + b"\r\n\r\n"
                + body
            )


def serve(latency: float, port: multiprocessing.Queue) -> None:
    """Runs the server until the process is ended."""

    async def forever() -> None:
        Echo.latency = latency
        server = await asyncio.get_running_loop().create_server(Echo, "127.0.0.1", 0, backlog=4096)
        port.put(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(forever())


@dataclass(frozen=True)
class Measured:
    """One client.

    Attributes:
        requests: answered; seconds: it took; cpu: seconds of CPU of all processes that asked.
        steady: requests a second between the first and the last tenth, without start and end.
    """

    requests: int
    seconds: float
    cpu: float
    steady: float


def between_the_tenths(times: list[float]) -> float:
    """Requests a second between the first and the last tenth."""
    ordered = sorted(times)
    first, last = len(ordered) // 10, len(ordered) * 9 // 10
    return (last - first) / (ordered[last] - ordered[first])


def bare(url: str, at_once: int, requests: int, fast: bool) -> Measured:
    """The openai client alone."""
    import httpx2
    from openai import AsyncOpenAI, DefaultAioHttpClient, DefaultAsyncHttpxClient

    limits = httpx2.Limits(max_connections=at_once, max_keepalive_connections=at_once)
    transport = DefaultAioHttpClient if fast else DefaultAsyncHttpxClient

    async def ask() -> tuple[float, float]:
        http_client = transport(limits=limits)
        client = AsyncOpenAI(api_key="none", base_url=url, http_client=http_client, timeout=60)
        places = asyncio.Semaphore(at_once)
        times: list[float] = []

        async def one(number: int) -> None:
            async with places:
                await client.chat.completions.create(
                    model="echo",
                    messages=[{"role": "user", "content": f"{PROBLEM} {number}"}],
                    max_tokens=256,
                    temperature=0,
                )
                times.append(time.perf_counter())

        await one(0)
        began = time.perf_counter()
        await asyncio.gather(*(one(number) for number in range(requests)))
        seconds = time.perf_counter() - began
        await client.close()
        return seconds, between_the_tenths(times)

    before = time.process_time()
    seconds, steady = asyncio.run(ask())
    return Measured(requests, seconds, time.process_time() - before, steady)


def whole_run(url: str, at_once: int, requests: int, processes: int) -> Measured:
    """A run of this library from its first request to its last answer on disk."""
    from biaslab.models import Access, Endpoint
    from biaslab.models.server.channel import ServerChannel
    from biaslab.runs import RunOptions, open_store, prepare, run_here
    from biaslab.studies import Design

    assert ServerChannel, "imported before the clock starts"
    access = Access((url,), Endpoint.CHAT, "echo", at_once=at_once, processes=processes)
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "runs.db") as store:
        design = Design("consistency", requests // 2, 1, {"steps": "1-5"})
        run = prepare(store, design, "openai:echo", "direct", options=RunOptions(access=access))
        before, began = _cpu(), time.perf_counter()
        record = run_here(store, run)
        seconds = time.perf_counter() - began
        assert record.asked == record.items_total, record
        cpu = _cpu() - before
        with store.reading() as database:
            sql = "SELECT (julianday(created) - 2461000) * 86400 AS second FROM responses"
            steady = between_the_tenths([row["second"] for row in database.query(sql)])
        return Measured(record.asked, seconds, cpu, steady)


def _cpu() -> float:
    """CPU of this process and of those it started and has waited for."""
    mine = psutil.Process().cpu_times()
    return float(mine.user + mine.system + mine.children_user + mine.children_system)


PROBLEM = (
    "Amir has 12 red marbles. Lena has 7 more red marbles than Amir. Lena then gives 3 of her red "
    "marbles to Tom. How many red marbles does Lena have?\n\nThe answer (Arabic numerals) is"
)

WAYS: dict[str, Callable[[str, int, int], Measured]] = {
    "openai client, usual transport": lambda url, n, r: bare(url, n, r, fast=False),
    "openai client, fastest transport": lambda url, n, r: bare(url, n, r, fast=True),
    "run, one process": lambda url, n, r: whole_run(url, n, r, 1),
    "run, two processes": lambda url, n, r: whole_run(url, n, r, 2),
}


def _in_a_fresh_process(way: str, url: str, at_once: int, requests: int) -> Measured:
    command = [sys.executable, __file__, "--way", way, "--url", url]
    command += ["--at-once", str(at_once), "--requests", str(requests)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return Measured(**json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    """Prints a line for each way and number at once."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--at-once", type=int, nargs="+", default=[64, 256, 512])
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    parser.add_argument("--url", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.way:
        measured = WAYS[chosen.way](chosen.url, chosen.at_once[0], chosen.requests)
        print(json.dumps(asdict(measured)))
        return
    port: multiprocessing.Queue = multiprocessing.Queue()
    server = multiprocessing.Process(target=serve, args=(chosen.latency, port), daemon=True)
    server.start()
    url = f"http://127.0.0.1:{port.get()}/v1"
    print(f"{os.cpu_count()} cores, {chosen.requests} requests, {chosen.latency} s latency")
    for at_once in chosen.at_once:
        ideal = at_once / chosen.latency
        print(f"\n{at_once} at once: ideal {ideal:,.0f} a second")
        for way in WAYS:
            found = _in_a_fresh_process(way, url, at_once, chosen.requests)
            rate = found.requests / found.seconds
            print(
                f"  {way:34} {rate:7,.0f} a second, {found.steady:7,.0f} without start and end "
                f"({found.steady / ideal:4.0%} of ideal), "
                f"{1000 * found.cpu / found.requests:5.2f} ms CPU a request, "
                f"{found.cpu / found.seconds:4.2f} cores"
            )


if __name__ == "__main__":
    main()
