"""Reads what a server sends as an answer, and takes nothing for one that is none.

Thinking is kept apart from the text, so that no answer is ever read from it. A server may
return it apart (as ``reasoning_content`` or ``reasoning``). Where a chat model's text itself holds
thinking (`schoolmath.text.thinking`), it is taken apart here and the rest is left as written.
Thinking that never ended, because the answer was cut off, leaves an empty text. Plain
completions are never taken apart.
"""

from __future__ import annotations

from biaslab.models.requests import Completion, Failure, GenerationRequest, used_up
from biaslab.models.server.request.dialect import CHAT_PATH, cut_at_stop, path_of, refusal_of
from biaslab.models.server.request.failures import Recipient, failure_of_refusal
from biaslab.models.server.request.habits import ServerHabits
from biaslab.models.server.request.replies import (
    LONGEST_TEXT,
    Finish,
    NoAnswer,
    SentError,
    ServerReply,
    load,
    read_reply,
)
from schoolmath.text.thinking import split_thinking


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
