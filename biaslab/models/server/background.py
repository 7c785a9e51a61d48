"""An event loop in a thread of its own, for callers that wait, whatever loop they are in.

A notebook, and some test tools, have a loop running in the thread that calls; asyncio refuses a
second one there.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, TypeVar

_T = TypeVar("_T")


class BackgroundLoop:
    """Runs coroutines one after the other; a context manager.

    Interrupting the caller cancels what is running.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="waiting", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, _T]) -> _T:
        """What the coroutine returns or raises."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Ends the thread."""
        if self._loop.is_closed():
            return
        self.run(self._loop.shutdown_asyncgens())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __enter__(self) -> BackgroundLoop:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def run_in_background(work: Coroutine[Any, Any, _T]) -> _T:
    """What the coroutine returns or raises; like `asyncio.run`, from anywhere."""
    with BackgroundLoop() as loop:
        return loop.run(work)
