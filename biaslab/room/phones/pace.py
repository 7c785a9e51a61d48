"""How many wrong codes an address may try."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, IPv6Network, ip_address

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
        return self._tokens(_network(address)) >= 1.0

    def count(self, address: str) -> None:
        """Takes down that this address tried a wrong one."""
        network = _network(address)
        self._left[network] = (max(0.0, self._tokens(network) - 1.0), self._now())
        self._left.move_to_end(network)
        while len(self._left) > MOST_ADDRESSES:
            self._left.popitem(last=False)

    def _tokens(self, network: str) -> float:
        left, at = self._left.get(network, (float(WRONG_CODES), self._now()))
        return min(float(WRONG_CODES), left + (self._now() - at) * WRONG_CODES / _A_MINUTE)


def _network(address: str) -> str:
    """The address; of IPv6 its network, since each computer there has as many as it likes."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address) and found.ipv4_mapped is None:
        return str(IPv6Network((found, 64), strict=False))
    return str(found)
