"""A Ray cluster of two nodes, both on this machine: real processes that can be killed."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from tests.conftest import DEADLINE

_RAY = str(Path(sys.executable).with_name("ray"))
_HOST = "127.0.0.1"
_SECOND = "127.0.0.2" if sys.platform == "linux" else _HOST
"""A node of its own address, so that nothing of the head ever goes through the second node."""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind((_HOST, 0))
        return int(listener.getsockname()[1])


class TwoNodes:
    """Starts both nodes with one processor each; a context manager that leaves nothing behind."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._log = directory / "nodes.txt"
        # Sockets are kept here, and their paths must be short.
        self._short = tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True)
        self._gcs, self._client = free_port(), free_port()
        self._started: list[psutil.Process] = []
        token = directory / "token"
        token.write_text(secrets.token_hex(32))
        self.environment = {
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN_PATH": str(token),
            "RAY_USAGE_STATS_ENABLED": "0",
            "OMP_NUM_THREADS": "1",
            "HF_HUB_OFFLINE": "1",
        }

    @property
    def address(self) -> str:
        return f"ray://{_HOST}:{self._client}"

    def __enter__(self) -> TwoNodes:
        try:
            self._start(
                "--head", f"--node-ip-address={_HOST}", f"--port={self._gcs}",
                f"--ray-client-server-port={self._client}", f"--temp-dir={self._short.name}",
                "--include-dashboard=false",
            )  # fmt: skip
            self._wait_for(self._gcs)
            self._wait_for(self._client)
            self._start(f"--address={_HOST}:{self._gcs}", f"--node-ip-address={_SECOND}")
            self._wait_for_both()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *details: object) -> None:
        for node in reversed(self._started):
            _kill_with_children(node)
        self._short.cleanup()

    def kill_second_node(self) -> None:
        """As if the power had failed there."""
        _kill_with_children(self._started[1])

    def kill_head(self) -> None:
        """The whole cluster is lost by this."""
        _kill_with_children(self._started[0])

    def engines(self) -> list[psutil.Process]:
        """Processes that answer for a model, on both nodes."""
        found = []
        for node in self._started:
            if node.is_running():
                found += [
                    process
                    for process in node.children(recursive=True)
                    if process.status() != psutil.STATUS_ZOMBIE
                    and "NodeEngine" in " ".join(process.cmdline())
                ]
        return found

    def _start(self, *arguments: str) -> None:
        command = [
            _RAY, "start", "--block", "--num-cpus=1",
            "--disable-usage-stats", *arguments,
        ]  # fmt: skip
        with self._log.open("ab") as log:
            started = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **self.environment},
                start_new_session=True,
            )
        self._started.append(psutil.Process(started.pid))

    def _wait_for_both(self) -> None:
        deadline = time.monotonic() + DEADLINE
        while time.monotonic() < deadline:
            told = subprocess.run(
                [_RAY, "status", f"--address={_HOST}:{self._gcs}"],
                capture_output=True,
                text=True,
                env={**os.environ, **self.environment},
            ).stdout
            if "/2.0 CPU" in told:
                return
        raise AssertionError(f"The second node did not join:\n{self._log.read_text()[-2000:]}")

    def _wait_for(self, port: int) -> None:
        deadline = time.monotonic() + DEADLINE
        while time.monotonic() < deadline:
            try:
                socket.create_connection((_HOST, port), 1).close()
                return
            except OSError:
                if not self._started[0].is_running():
                    break
                time.sleep(0.05)
        raise AssertionError(f"Ray did not start:\n{self._log.read_text()[-2000:]}")


def _kill_with_children(process: psutil.Process) -> None:
    try:
        doomed = [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return
    for one in doomed:
        try:
            one.kill()
        except psutil.NoSuchProcess:
            continue
    psutil.wait_procs(doomed, timeout=DEADLINE)
