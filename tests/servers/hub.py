"""A hub on this computer: what Hugging Face's answers when a model is looked up and downloaded."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

COMMIT = "0123456789abcdef0123456789abcdef01234567"

_HELD_AFTER = 100_000


@dataclass
class Hub:
    """The hub, and what it is to do wrong.

    Attributes:
        url: its address.
        repositories: the directory that each stands for.
        asked: path and first byte of every request, in order.
        sent: bytes of files sent, by name.
        cut_after: bytes of a weights file after which the connection is cut once; 0 for never.
        closed: whether it answers nothing but errors.
        closes_when_cut: whether it is closed from the cut on.
        corrupts: name of the file in which it sends one wrong byte.
        claims: bytes that it says the weights have, if not the real number.
        held: whether it stops sending weights after the first bytes until `goes_on`; `holds` is
            set when it does.
        knows_ranges: whether it sends a part when asked for one.
    """

    url: str = ""
    repositories: dict[str, Path] = field(default_factory=dict)
    asked: list[tuple[str, int]] = field(default_factory=list)
    sent: dict[str, int] = field(default_factory=dict)
    cut_after: int = 0
    closed: bool = False
    closes_when_cut: bool = False
    corrupts: str = ""
    claims: int = 0
    knows_ranges: bool = True
    held: bool = False
    holds: threading.Event = field(default_factory=threading.Event)
    goes_on: threading.Event = field(default_factory=threading.Event)


@contextmanager
def hub_at(repositories: dict[str, Path]) -> Iterator[Hub]:
    """A hub with these models, on a free port until the block ends."""
    hub = Hub(repositories=repositories)

    class Handler(_Handler):
        served = hub

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield hub
    finally:
        hub.goes_on.set()
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    served: Hub
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        hub, path = self.served, self.path.partition("?")[0]
        first = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").split("-")[0])
        hub.asked.append((path, first))
        for repository, directory in hub.repositories.items():
            if hub.closed:
                self._say(503)
            elif path in (
                f"/api/models/{repository}/revision/main",
                f"/api/models/{repository}/revision/{COMMIT}",
            ):
                files = [_listed(file, hub) for file in sorted(directory.iterdir())]
                self._say(200, json.dumps({"sha": COMMIT, "siblings": files}).encode())
            elif path.startswith(start := f"/{repository}/resolve/{COMMIT}/"):
                # The hub sends on to where large files lie.
                self.send_response(302)
                self.send_header("Location", f"/stored/{repository}/{path.removeprefix(start)}")
                self.send_header("X-Repo-Commit", COMMIT)
                self.send_header("Content-Length", "0")
                self.end_headers()
            elif path.startswith(start := f"/stored/{repository}/"):
                self._send(directory / path.removeprefix(start), first)
            else:
                continue
            return
        self._say(401)

    def _send(self, file: Path, first: int) -> None:
        hub, content = self.served, bytearray(file.read_bytes())
        if file.name == hub.corrupts:
            content[-1] ^= 1
        total, first = len(content), first if hub.knows_ranges else 0
        rest = bytes(content[first:])
        self.send_response(206 if first else 200)
        self.send_header("Content-Length", str(len(rest)))
        if first:
            self.send_header("Content-Range", f"bytes {first}-{total - 1}/{total}")
        self.end_headers()
        if hub.cut_after and file.suffix in (".safetensors", ".gguf"):
            rest, hub.cut_after = rest[: hub.cut_after], 0
            hub.closed = hub.closes_when_cut
            self.close_connection = True
        if hub.held and file.suffix == ".safetensors":
            rest, hub.held = rest[:_HELD_AFTER], False
            self.close_connection = True
            self.wfile.write(rest)
            hub.holds.set()
            hub.goes_on.wait(60)
        else:
            self.wfile.write(rest)
        hub.sent[file.name] = hub.sent.get(file.name, 0) + len(rest)

    def _say(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as in http.server
        """Says nothing: tests read what was asked."""


def _listed(file: Path, hub: Hub) -> dict[str, Any]:
    content = file.read_bytes()
    git = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
    listed = {"rfilename": file.name, "size": len(content), "blobId": git}
    if file.suffix in (".safetensors", ".bin", ".gguf"):
        size = hub.claims or len(content)
        digest = hashlib.sha256(content).hexdigest()
        listed["lfs"] = {"sha256": digest, "size": size, "pointerSize": 134}
    return listed
