"""How a request is put to a server, and how else when it refuses a parameter.

Servers agree on most of the protocol. Where one refuses a parameter and the same can be said
in another way, all further requests say it that way; where it cannot, the request fails with
a sentence. Nothing that was asked for is dropped, but for a seed: answers above temperature 0 are
drawn by chance with it as without it, and it is said that they will not come again the same.

What an address was seen to do, which decides how its next answers are taken.
"""

from __future__ import annotations

import math
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from biaslab.models.provider import NOT_CONTINUED, Continuing, ThinkingSwitch, why_no_level
from biaslab.models.requests import GenerationRequest, Message, ThinkingLevel
from biaslab.models.server.request.replies import Finish, ServerReply

CHAT_PATH = "/chat/completions"
COMPLETIONS_PATH = "/completions"

MOST_STOPS = 4
"""OpenAI takes no more stop texts; the text is cut at the others here."""

Body: TypeAlias = dict[str, Any]

_PARAMETERS = ("max_completion_tokens", "max_tokens", "temperature", "stop", "seed")
_REFUSED = re.compile(
    r"unsupported|not support|does ?n.t support|unrecognized|unknown|unexpected|not permitted"
    r"|not allowed|deprecated|extra (?:inputs|fields|field)",
    re.IGNORECASE,
)


NO_PICTURE = (
    "A picture can be shown to a chat model on a server only, and the question is not asked "
    "without it. Choose another model, or pictures in words."
)


_MOST_READ = 5_000
"""Signs of what a server says about an error that are checked."""


class Unaskable(ValueError):
    """The request cannot be put to such a server; the text is a sentence saying why."""


@dataclass(frozen=True, slots=True)
class ServerRefusal:
    """What a server said when it refused a request.

    Attributes:
        status: of the response.
        message: its own words; code, kind: its marks for the error, such as
            ``unsupported_parameter`` and ``invalid_request_error``.
        parameter: name of the parameter that is not accepted, where it names one.
    """

    status: int
    message: str = ""
    code: str = ""
    kind: str = ""
    parameter: str = ""

    @property
    def refused_parameter(self) -> str:
        """The parameter that the server does not take at all, or not with this value."""
        if not _REFUSED.search(f"{self.code.replace('_', ' ')} {self.message}"):
            return ""
        if self.parameter in _PARAMETERS:
            return self.parameter
        named = [name for name in _PARAMETERS if re.search(rf"\b{name}\b", self.message)]
        # “'max_tokens' is not supported, use 'max_completion_tokens'” names the refused first.
        return min(named, key=self.message.index) if named else ""


@dataclass(slots=True)
class Dialect:
    """How one server wants requests to be put; changes when it refuses a parameter.

    Attributes:
        length: name of the parameter for the most tokens written.
        says_stop: whether stop texts are sent; if not, the text is only cut here.
        says_one: whether a temperature of 1 is sent; servers that refuse it take it as given.
        says_seed: whether seeds are sent.
        continuing: how it goes on from the model's own last message; None: not proved.
        switch: how it is told how much to think; None: not proved.
    """

    length: str = "max_tokens"
    says_stop: bool = True
    says_one: bool = True
    says_seed: bool = True
    continuing: Continuing | None = None
    switch: ThinkingSwitch | None = None

    def body(self, name: str, request: GenerationRequest) -> Body:
        """What is sent to `path_of` the request.

        Raises:
            Unaskable: the messages cannot be put to a server.
        """
        sampling = request.sampling
        body: Body = {"model": name}
        if path_of(request) == CHAT_PATH:
            messages, said = told_to_think(request.messages, self.switch, sampling.thinking)
            body |= said | _turns(messages, self.continuing)
            body[self.length] = sampling.max_new_tokens
        else:
            body["prompt"] = request.messages[0].content
            body["max_tokens"] = sampling.max_new_tokens
        if sampling.temperature != 1 or self.says_one:
            body["temperature"] = sampling.temperature
        if sampling.temperature > 0 and self.says_seed:
            body["seed"] = sampling.seed
        if sampling.stop and self.says_stop:
            body["stop"] = list(sampling.stop[:MOST_STOPS])
        return body

    def learn(self, refused: str) -> None:
        """Says what can be said otherwise without the refused parameter from now on."""
        if refused == "max_tokens":
            self.length = "max_completion_tokens"
        elif refused == "max_completion_tokens":
            self.length = "max_tokens"
        elif refused == "stop":
            self.says_stop = False
        elif refused == "temperature":
            self.says_one = False
        elif refused == "seed":
            self.says_seed = False

    def remark(self, host: str) -> str:
        """What is to be known of how requests are put; empty for nothing.

        Args:
            host: of the server.
        """
        if self.says_seed:
            return ""
        return (
            f"{host} takes no seed, so what was asked above temperature 0 was asked without one "
            "and will not come again the same."
        )


def path_of(request: GenerationRequest) -> str:
    """Where a request goes: plain text is continued, turns are answered.

    Raises:
        Unaskable: there is nothing to send.
    """
    if not request.messages:
        raise Unaskable("The request holds no message: nothing was asked.")
    if request.messages[0].role != "text":
        return CHAT_PATH
    if any(message.picture for message in request.messages):
        raise Unaskable(NO_PICTURE)
    return COMPLETIONS_PATH


def refusal_of(status: int, error: object) -> ServerRefusal:
    """Reads what a server sends with an error, in the forms that servers use.

    Args:
        status: of the response.
        error: what stands under ``error`` in its body, or the body where there is no such.
    """
    if isinstance(error, str):
        return ServerRefusal(status, error[:_MOST_READ])
    if not isinstance(error, Mapping):
        return ServerRefusal(status)
    if isinstance(error.get("error"), (str, Mapping)):
        return refusal_of(status, error["error"])
    detail = error.get("detail")
    if isinstance(detail, list) and detail and isinstance(detail[0], Mapping):
        place = detail[0].get("loc")
        parameter = str(place[-1]) if isinstance(place, list) and place else ""
        said = _text(detail[0].get("msg"))
        return ServerRefusal(status, f"{parameter}: {said}", parameter=parameter)
    message = error.get("message") or detail or ""
    return ServerRefusal(
        status,
        _text(message),
        _text(error.get("code")),
        _text(error.get("type")),
        _text(error.get("param")),
    )


def cut_at_stop(text: str, stops: tuple[str, ...]) -> tuple[str, bool]:
    """The text up to the first stop text in it, and whether there was one."""
    places = [place for stop in stops if stop and (place := text.find(stop)) >= 0]
    return (text[: min(places)], True) if places else (text, False)


def turn_of(message: Message) -> dict[str, Any]:
    """A turn as servers take it: its text, or its picture and its text."""
    if not message.picture:
        return {"role": message.role, "content": message.content}
    address = {"url": png_address(message.picture)}
    parts = [{"type": "image_url", "image_url": address}, {"type": "text", "text": message.content}]
    return {"role": message.role, "content": parts}


def _turns(messages: tuple[Message, ...], continuing: Continuing | None) -> Body:
    if any(message.role == "text" for message in messages):
        raise Unaskable("The request mixes plain text with turns of a conversation.")
    if messages[-1].role != "assistant":
        return {"messages": [turn_of(message) for message in messages]}
    if continuing is None:
        raise Unaskable(NOT_CONTINUED)
    return told_to_continue(messages, continuing)


def told_to_continue(messages: Sequence[Message], continuing: Continuing) -> Body:
    """The fields of a request whose last message, the model's own, is to be continued."""
    turns = [turn_of(message) for message in messages]
    if continuing is Continuing.PREFIX:
        turns[-1]["prefix"] = True
    flags = {"continue_final_message": True, "add_generation_prompt": False}
    return {"messages": turns, **(flags if continuing is Continuing.FLAGS else {})}


def told_to_think(
    messages: tuple[Message, ...], switch: ThinkingSwitch | None, level: ThinkingLevel | None
) -> tuple[tuple[Message, ...], Body]:
    """The messages, and the fields beside them, that tell a server how much to think.

    Raises:
        Unaskable: it cannot be told so.
    """
    if level is None:
        return messages, {}
    if why_not := why_no_level(switch, level):
        raise Unaskable(why_not)
    long = level is ThinkingLevel.LONG
    if switch is ThinkingSwitch.TEMPLATE:
        return messages, {"chat_template_kwargs": {"enable_thinking": long}}
    if switch is ThinkingSwitch.EFFORT:
        return messages, {"reasoning_effort": "high" if long else "low"}
    last = max(at for at, message in enumerate(messages) if message.role == "user")
    word = "/think" if long else "/no_think"
    told = messages[last]._replace(content=f"{messages[last].content} {word}")
    return (*messages[:last], told, *messages[last + 1 :]), {}


def _text(value: object) -> str:
    return "" if value is None else str(value)[:_MOST_READ]


_PICTURE_ZOOM = 2.0
"""Letters come out some 30 pixels high, which models read well."""


@lru_cache(maxsize=64)
def png_address(svg: str) -> str:
    """An SVG picture as a data address of the same picture in PNG.

    Letters are always of the font that ships with matplotlib: the same picture is the same on every
    machine, and a machine without fonts draws no picture without its words.

    Args:
        svg: text of the file.

    Raises:
        ValueError: it is no SVG.
    """
    import matplotlib
    import resvg_py

    font = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    png = resvg_py.svg_to_bytes(
        svg_string=svg, zoom=_PICTURE_ZOOM, skip_system_fonts=True, font_files=[str(font)],
        font_family="DejaVu Sans", sans_serif_family="DejaVu Sans",
    )  # fmt: skip
    return "data:image/png;base64," + b64encode(bytes(png)).decode("ascii")


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
