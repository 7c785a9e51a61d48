"""How a model is reached: addresses, the name of its key, how much at once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

OPENAI_URL = "https://api.openai.com/v1"
"""Where ``openai:NAME`` is asked when no address is given."""

TYPED_KEY = "BIASLAB_TYPED_KEY"
"""Environment variable that hands a key typed for one session to the worker. Never on disk."""

AT_ONCE = 32
"""Most requests on their way at the same time, unless a person says otherwise."""

MOST_AT_ONCE = 1024
"""More connections than this run into the operating system's limit of open files."""


class Endpoint(StrEnum):
    """Which of a server's two ways of writing is used."""

    CHAT = "chat"
    """``/chat/completions``: takes turns."""
    COMPLETIONS = "completions"
    """``/completions``: continues plain text."""


class Continuing(StrEnum):
    """How a chat server is told to go on from the model's own last message."""

    UNTOLD = "untold"
    """It does so by itself: llama.cpp and what is built on it."""
    FLAGS = "flags"
    """By ``continue_final_message``: vLLM, SGLang."""
    PREFIX = "prefix"
    """By ``prefix`` in the message: Mistral, DeepSeek."""


class ThinkingSwitch(StrEnum):
    """How a chat server is told how much to think."""

    TEMPLATE = "template"
    """By ``enable_thinking`` of the model's chat template, on or off: vLLM, SGLang, llama.cpp."""
    EFFORT = "effort"
    """By ``reasoning_effort``, low or high: OpenAI, gpt-oss."""
    WORDS = "words"
    """By ``/think`` or ``/no_think`` behind the question, which some models were trained on."""


NOT_CONTINUED = (
    "An answer that is begun for the model wants a server that goes on from it, and the test of "
    "this one did not prove that it does. Use a strategy of the published form, a local model, or "
    "test the server again if it was tested long ago."
)


def why_no_level(switch: ThinkingSwitch | None, level: str) -> str:
    """Why a server with this switch cannot be told a `ThinkingLevel`; empty where it can."""
    if switch is None:
        return (
            "The test of this server found no way to say how much the model thinks. Leave that as "
            "the model does it, or test the server again if it was tested long ago."
        )
    effort = switch is ThinkingSwitch.EFFORT
    if effort and level == "off":
        return "This server always thinks, little or much. Choose short or long."
    if not effort and level == "short":
        return "This server thinks or does not; how long cannot be set. Choose off or long."
    return ""


@dataclass(frozen=True, slots=True)
class Access:
    """How a model is reached. Never holds a key.

    Attributes:
        base_urls: of servers that all serve this model, such as ``http://localhost:8000/v1``.
            The first one is part of the model's identity; the others share the work.
        endpoint: how the server is addressed; None: not known yet (see `probe`).
        served: the name under which the server answered when it was probed. Part of the
            identity: an answer given under another name is never taken for this model's.
        also_served: other names under which it answers, taken for the same model because a person
            said so. Part of the identity.
        key_env: name of the environment variable that holds the key; empty for none.
        at_once: most requests on their way at the same time, from 1 to `MOST_AT_ONCE`.
        processes: how many processes send them, for servers faster than one core can ask.
        cluster: address of a Ray cluster that a local model is run on; empty for this machine.
        continuing: how the server goes on from the model's own last message; None: not proved.
        switch: how it is told how much to think; None: not proved.
        dtype: number format of a local model, as in `biaslab.models.open_model`. Part of its
            identity.
    """

    base_urls: tuple[str, ...] = ()
    endpoint: Endpoint | None = None
    served: str = ""
    also_served: tuple[str, ...] = ()
    key_env: str = ""
    at_once: int = AT_ONCE
    processes: int = 1
    cluster: str = ""
    continuing: Continuing | None = None
    switch: ThinkingSwitch | None = None
    dtype: str = "auto"
