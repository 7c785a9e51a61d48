"""Turns everything that can go wrong with a server into a sentence for a person.

Each says what happened, where, and what to do; and whether asking again may help or nothing
can be answered before somebody does something.

Reads what a server sends as an answer, and takes nothing for one that is none.

Thinking is kept apart from the text, so that no answer is ever read from it. A server may
return it apart (as ``reasoning_content`` or ``reasoning``). Where a chat model's text itself holds
thinking (`schoolmath.text.thinking`), it is taken apart here and the rest is left as written.
Thinking that never ended, because the answer was cut off, leaves an empty text. Plain
completions are never taken apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from openai import APIConnectionError, APIStatusError

from biaslab.models.requests import Completion, Failure, GenerationRequest, used_up
from biaslab.models.server.keys import NO_KEY, hide_key
from biaslab.models.server.request.client import (
    MOST_HELD_SECONDS,
    OVERLOADED,
    WAIT,
    InVain,
    Overdue,
    Unreachable,
    trouble,
    until,
    wait_asked,
)
from biaslab.models.server.request.dialect import (
    CHAT_PATH,
    ServerHabits,
    ServerRefusal,
    Unaskable,
    cut_at_stop,
    path_of,
    refusal_of,
)
from biaslab.models.server.request.limit import NO_CONNECTION, NOT_SECURE, TIMED_OUT, is_passing
from biaslab.models.server.request.replies import (
    LONGEST_TEXT,
    Finish,
    NoAnswer,
    SentError,
    ServerReply,
    load,
    read_reply,
)
from biaslab.models.server.request.unpacking import MOST_ANSWER_BYTES, ReplyTooLarge
from schoolmath.text.thinking import split_thinking

_MOST_QUOTED = 300

_CONTEXT = re.compile(
    r"context[ _](?:length|window|size)|maximum (?:context|input|sequence|model) length"
    r"|too many tokens|(?:prompt|input|request) is too long|max_model_len|maximum.{1,20}tokens",
    re.IGNORECASE,
)
_CONTENT = re.compile(
    r"content[ _](?:filter|policy|management)|moderation|flagged|safety (?:system|policy)",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"insufficient[ _](?:quota|balance|credit|fund)|exceeded your current quota|billing"
    r"|out of credit|payment",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model[ _]not[ _]found|model.{0,120}(?:not found|does not exist|not exist|not available)"
    r"|(?:not a valid|invalid|unknown|no such) model",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Recipient:
    """Whom a request was put to.

    Attributes:
        url: base URL.
        name: the model's name as it was sent.
        key: to be taken out of every text; shown nowhere.
        models: the names of models that the server lists, where they were asked for.
    """

    url: str
    name: str
    key: str
    models: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Asked(url={self.url!r}, name={self.name!r})"

    @property
    def host(self) -> str:
        """Such as ``localhost:8000``."""
        return urlsplit(self.url).netloc

    def hide(self, words: str) -> str:
        """The words without the key."""
        return hide_key(words, self.key)

    def quote(self, words: str) -> str:
        """The server's words in a sentence, without the key."""
        return quote(self.hide(words))

    def sent(self, error: NoAnswer) -> Failure:
        """What the server sent is no answer, this time."""
        return Failure(f"{self.host} {error.what}. Resume the run to ask again.", retryable=True)

    def no_server(self) -> Failure:
        """Something answers at the address that is no such server."""
        path = urlsplit(self.url).path
        hint = "" if path.endswith("/v1") else f" Most addresses end in /v1: try {self.url}/v1."
        return Failure(
            f"What answers at {self.url} is no OpenAI-compatible server. Check the base URL.{hint}",
            retryable=False,
            stops_run=True,
        )


def failure_of(error: BaseException, recipient: Recipient) -> Failure:
    """What to tell of an error that asking a server ended with.

    Args:
        error: anything that was raised.
        recipient: whom the request was put to.
    """
    if isinstance(error, APIStatusError):
        return _of_status(error, recipient)
    if isinstance(error, Unaskable):
        return Failure(str(error), retryable=False, stops_run=True)
    if isinstance(error, Overdue):
        return _timed_out(recipient)
    if isinstance(error, ReplyTooLarge):
        return Failure(
            f"{recipient.host} sent more than {MOST_ANSWER_BYTES // 2**20} MB as one answer, "
            "and no "
            "more of it was taken.",
            retryable=False,
        )
    if isinstance(error, (APIConnectionError, Unreachable)):
        if isinstance(error.__cause__, InVain):
            return recipient.sent(error.__cause__.answer)
        why = trouble(error.__cause__ or error)
        if why == TIMED_OUT:
            return _timed_out(recipient)
        if why == NOT_SECURE:
            return Failure(
                f"No secure connection to {recipient.host} could be made: its certificate "
                "cannot be "
                "checked, or it speaks http and not https. Check the base URL.",
                retryable=False,
                stops_run=True,
            )
        if why == NO_CONNECTION:
            return Failure(
                f"Nothing answers at {recipient.url}. See that the server is running and that the "
                "base URL is right, then resume the run.",
                retryable=True,
                stops_run=True,
            )
        return Failure(
            f"The connection to {recipient.host} was lost before the answer was there. See that "
            "the "
            "server is running, then resume the run.",
            retryable=True,
        )
    return Failure(
        f"Asking {recipient.host} ended with an error: {type(error).__name__} "
        f"{recipient.quote(str(error))}",
        retryable=False,
    )


def failure_of_refusal(refusal: ServerRefusal, recipient: Recipient) -> Failure:
    """What to tell of an error that the server itself explained."""
    said = f" It said: {recipient.quote(refusal.message)}" if refusal.message else ""
    everything = f"{refusal.code} {refusal.kind} {refusal.message}"
    status = refusal.status
    if status == 402 or (status in (403, 429) and _MONEY.search(everything)):
        return Failure(
            f"{recipient.host} wants to be paid before it answers more.{said} Put that right "
            "there, "
            "then resume the run.",
            retryable=True,
            stops_run=True,
        )
    if status in (400, 403, 422) and _CONTENT.search(everything):
        return Failure(
            f"{recipient.host} refused to answer this for its content.{said} Asking again will "
            "hardly help.",
            retryable=False,
        )
    if status in (401, 403):
        return _key_refused(recipient, said)
    if status in (400, 404, 422) and _NO_MODEL.search(everything):
        return _no_model(recipient, said)
    if status in (404, 405):
        return recipient.no_server()
    if status in (400, 413, 422) and (status == 413 or _CONTEXT.search(everything)):
        return Failure(
            f"The prompt and the answer it may write are longer than the model “{recipient.name}” "
            f"bears.{said} Ask for fewer new tokens, or use a model with a longer context.",
            retryable=False,
        )
    if refusal.refused_parameter:
        return Failure(
            f"The model “{recipient.name}” at {recipient.host} does not take "
            f"“{refusal.refused_parameter}” "
            f"as this study asks it.{said} Choose other settings, or another model: leaving it "
            "out would ask something else.",
            retryable=False,
            stops_run=True,
        )
    if is_passing(status):
        return _passing(status, recipient, said)
    return Failure(f"{recipient.host} refused the request ({status}).{said}", retryable=False)


def quote(words: str) -> str:
    """Words in quotation marks, on one line and not too many."""
    line = " ".join(words.split())
    line = line if len(line) <= _MOST_QUOTED else f"{line[:_MOST_QUOTED]} …"
    return f"“{line}”"


def _of_status(error: APIStatusError, recipient: Recipient) -> Failure:
    status = error.status_code
    if 300 <= status < 400:
        return Failure(
            f"{recipient.url} sends on to another address, and prompts are sent only to the "
            "address "
            "you gave: give the base URL it points to.",
            retryable=False,
            stops_run=True,
        )
    if _is_page(error.body) and status in (404, 405, 501):
        return recipient.no_server()
    refusal = refusal_of(status, None if _is_page(error.body) else error.body)
    failure = failure_of_refusal(refusal, recipient)
    wait = error.response.extensions.get(WAIT, wait_asked(error.response.headers))
    if status in OVERLOADED and wait > 0 and failure.retryable and not failure.stops_run:
        how_long = f"for {wait:.0f} seconds" if wait <= MOST_HELD_SECONDS else until(wait)
        return Failure(
            f"{recipient.host} wants to be left alone {how_long} ({status}). Resume the run after "
            "that, or with fewer requests at once.",
            retryable=True,
            stops_run=wait > MOST_HELD_SECONDS,
        )
    return failure


def _key_refused(recipient: Recipient, message: str) -> Failure:
    if recipient.key in ("", NO_KEY):
        return Failure(
            f"{recipient.host} asks for a key and none was given.{message} Name the environment "
            "variable that holds it, or type it.",
            retryable=True,
            stops_run=True,
        )
    return Failure(
        f"{recipient.host} refuses the key.{message} Check the key and what it may be used for, "
        "then "
        "resume the run.",
        retryable=True,
        stops_run=True,
    )


def _no_model(recipient: Recipient, message: str) -> Failure:
    there = ""
    if recipient.models:
        shown = ", ".join(recipient.models[:10])
        more = f" and {len(recipient.models) - 10} more" if len(recipient.models) > 10 else ""
        there = f" It has {shown}{more}."
    return Failure(
        f"There is no model “{recipient.name}” at {recipient.host}.{there or message} Check the "
        "name.",
        retryable=False,
        stops_run=True,
    )


def _passing(status: int, recipient: Recipient, message: str) -> Failure:
    if status == 429:
        return Failure(
            f"{recipient.host} was asked too much at once and did not answer (429).{message} "
            "Resume the "
            "run with fewer requests at once.",
            retryable=True,
        )
    return Failure(
        f"{recipient.host} had an error of its own ({status}).{message} Resume the run to ask "
        "again.",
        retryable=True,
    )


def _timed_out(recipient: Recipient) -> Failure:
    return Failure(
        f"{recipient.host} did not answer in time. It may have too much to do: resume the run with "
        "fewer requests at once.",
        retryable=True,
    )


def _is_page(body: object) -> bool:
    if isinstance(body, Mapping):
        return False
    return isinstance(body, str) and body.lstrip().startswith("<")


_ABOUT_RUNS = re.compile(r",? then resume the run|[:.]? [Rr]esume the run[^.]*(?=\.)")


def without_runs(reason: str) -> str:
    """The sentence without what it tells somebody whose run has paused."""
    return _ABOUT_RUNS.sub("", reason)


def read_answer(
    content: bytes,
    request: GenerationRequest,
    recipient: Recipient,
    seconds: float,
    habits: ServerHabits | None = None,
) -> Completion | Failure:
    """What a response with status 200 says.

    Tokens that the server did not count are given as 0. An answer is whole only if the server
    says so, or was seen to end whole answers in the same way.

    Args:
        content: the body of the response.
        request: what was asked.
        recipient: whom, for the sentence of a failure.
        seconds: how long the answer took.
        habits: what was seen of the server; remarks go there.
    """
    reply = reply_of(content, request, recipient)
    if isinstance(reply, Failure):
        return reply
    return completion_of(
        reply, request, recipient, seconds, ServerHabits() if habits is None else habits
    )


def reply_of(
    content: bytes, request: GenerationRequest, recipient: Recipient
) -> ServerReply | Failure:
    """The first half of `read_answer`: what was sent, whatever it says."""
    try:
        body = load(content, recipient.key)
        return read_reply(body, chat=path_of(request) == CHAT_PATH)
    except SentError as error:
        return failure_of_refusal(refusal_of(error.status, error.error), recipient)
    except NoAnswer as error:
        return recipient.no_server() if error.page else recipient.sent(error)


def completion_of(
    reply: ServerReply,
    request: GenerationRequest,
    recipient: Recipient,
    seconds: float,
    habits: ServerHabits,
) -> Completion | Failure:
    """The second half of `read_answer`: what it says."""
    if reply.finish is Finish.FILTERED or (reply.refusal and not reply.text):
        return _refused(recipient, reply.refusal)
    most = request.sampling.max_new_tokens
    if reply.finish is Finish.UNSAID and not (reply.word in habits.whole and reply.tokens_out):
        return _unsaid(recipient, reply)
    ran_out = reply.finish is Finish.UNSAID and reply.tokens_out >= most
    written, thinking = reply.text, reply.thinking
    if path_of(request) == CHAT_PATH and not thinking:
        thought = split_thinking(written)
        written, thinking = thought.text, thought.thinking
    if request.messages[-1].role == "assistant":  # Some send what was begun in front of the rest.
        written = written.removeprefix(request.messages[-1].content)
    text, stopped = cut_at_stop(written, request.sampling.stop)
    cut_off = (reply.finish is Finish.CUT or ran_out or reply.signs_cut > 0) and not stopped
    if cut_off and not text.strip() and (thinking or reply.tokens_thought):
        return used_up(most)
    if reply.signs_cut:
        habits.remark(
            f"Answers of more than {LONGEST_TEXT:,} signs were cut there; they count as cut off."
        )
    return Completion(
        text=text,
        finish="length" if cut_off else "stop",
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        seconds=seconds,
        thinking=thinking,
        served=reply.served,
    )


def _unsaid(recipient: Recipient, reply: ServerReply) -> Failure:
    said = f"says “{reply.word}”" if reply.word else "does not say (finish_reason is missing)"
    return Failure(
        f"{recipient.host} {said} where it should say how its answer ended, so it may have been "
        "cut "
        "off. Nothing that may be half an answer is read. Resume the run to ask again, or use a "
        "server that says it.",
        retryable=True,
    )


def _refused(recipient: Recipient, words: str) -> Failure:
    said = f" It said: {recipient.quote(words)}" if words else ""
    return Failure(
        f"The model at {recipient.host}, or a filter in front of it, refused to answer this for "
        "its "
        f"content.{said} Asking again will hardly help.",
        retryable=False,
    )
