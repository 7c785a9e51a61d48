"""A way to a server that drops its first connections, as a gateway does while it wakes up."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


@contextmanager
def dropping(url: str, connections: int) -> Iterator[str]:
    """Another base URL of the same server.

    Args:
        url: base URL of the server that is asked.
        connections: how many are closed as soon as they are made; all others are let through.
    """
    parts = urlsplit(url)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        door = threading.Thread(
            target=_let_in, args=(listening, (parts.hostname, parts.port), connections), daemon=True
        )
        door.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}{parts.path}"


def _let_in(listening: socket.socket, server: tuple[str, int], dropped: int) -> None:
    with suppress(OSError):
        while True:
            visitor, _ = listening.accept()
            if dropped > 0:
                dropped -= 1
                visitor.close()
                continue
            behind = socket.create_connection(server)
            for source, target in ((visitor, behind), (behind, visitor)):
                threading.Thread(target=_carry, args=(source, target), daemon=True).start()


def _carry(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
