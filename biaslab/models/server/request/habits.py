"""What an address was seen to do, which decides how its next answers are taken."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

from biaslab.models.server.request.replies import Finish, ServerReply


class Wait(NamedTuple):
    """How long a server wants to be left alone.

    Attributes:
        until: on the clock of `time.monotonic`.
        sentence: for the person who waits; empty where it is not worth a word.
    """

    until: float = -math.inf
    sentence: str = ""


@dataclass(slots=True)
class ServerHabits:
    """What was seen of one address. Belongs to one event loop.

    Attributes:
        proved: it answered before as such a server does, so a web page is a passing fault.
        says_finish: it said at least once, in a word that is known, how an answer ended.
        whole: what else it was seen to say at the end of whole answers; an empty text: nothing.
        remarks: sentences about what is otherwise than was asked for, in order, each once.
        wait: how long it wants to be left alone.
    """

    proved: bool = False
    says_finish: bool = False
    whole: set[str] = field(default_factory=set)
    remarks: dict[str, None] = field(default_factory=dict)
    wait: Wait = Wait()

    def note(self, reply: ServerReply) -> None:
        """An answer came."""
        self.proved = True
        self.says_finish |= reply.finish is not Finish.UNSAID

    def remark(self, sentence: str) -> None:
        """Something that whoever reads the answers should know."""
        if sentence:
            self.remarks.setdefault(sentence)
