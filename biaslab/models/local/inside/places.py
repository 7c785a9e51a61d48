"""Which tokens of a prompt stand at a place of its text."""

from __future__ import annotations

from collections.abc import Sequence

from biaslab.models.activations import Span
from biaslab.models.local.encoding import Encoder, UnreadablePrompt
from biaslab.models.requests import Message


def tokens_at(
    encoder: Encoder, messages: Sequence[Message], spans: Sequence[Span]
) -> tuple[list[int], list[list[int]]]:
    """The tokens of a prompt, and for each span which of them belong to it, by number.

    Raises:
        UnreadablePrompt: the prompt cannot be read, or it is not known where in it a token stands.
    """
    prompt = encoder.prompt(messages)
    tokens = encoder.encode(prompt)
    ends = encoder.ends(prompt)
    content = messages[-1].content
    begins = prompt.text.rfind(content)
    if begins < 0:
        raise UnreadablePrompt(
            "The model's chat template changes the text of the question, so its words are not "
            "found again in what the model reads. Choose another model."
        )
    # The tokenizer's own tokens in front belong to no place.
    before = len(tokens) - len(ends)
    found = []
    for span in spans:
        last = len(prompt.text) if span.end >= len(content) else begins + span.end
        inside = [at for at, end in enumerate(ends) if begins + span.start < end <= last]
        found.append([before + at for at in inside if before + at >= 0])
    return tokens, found
