"""How many wrong codes an address may try."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from biaslab.models.server.addresses import network_of
from biaslab.room.limits import MOST_ADDRESSES, WRONG_CODES

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
