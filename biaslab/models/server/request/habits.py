"""What an address was seen to do, which decides how its next answers are taken."""

from __future__ import annotations

from dataclasses import dataclass, field

from biaslab.models.server.request.replies import Finish, Reply


@dataclass(slots=True)
class Habits:
    """What was seen of one address. Belongs to one event loop.

    Attributes:
        proved: it answered before as such a server does, so a web page is a passing fault.
        says_finish: it said at least once, in a word that is known, how an answer ended.
        whole: what else it was seen to say at the end of whole answers; an empty text: nothing.
        remarks: sentences about what is otherwise than was asked for, in order, each once.
    """

    proved: bool = False
    says_finish: bool = False
    whole: set[str] = field(default_factory=set)
    remarks: dict[str, None] = field(default_factory=dict)

    def note(self, reply: Reply) -> None:
        """An answer came."""
        self.proved = True
        self.says_finish |= reply.finish is not Finish.UNSAID

    def remark(self, sentence: str) -> None:
        """Something that whoever reads the answers should know."""
        self.remarks.setdefault(sentence)
