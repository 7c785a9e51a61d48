"""From messages to token numbers, with the special tokens exactly once.

A chat template writes its own special tokens, the beginning of text among them, so its text
is tokenised without adding any. Plain text gets those that the tokenizer itself puts in front,
and none of those it would put behind: a prompt is to be continued, not ended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from biaslab.models.requests import Message, ModelForm, ThinkingLevel
from schoolmath.text.thinking import MARKER_TOKENS, closing_marker


class UnreadablePrompt(ValueError):
    """The model cannot be given these messages; the text is a sentence saying why."""


class NoSwitch(UnreadablePrompt):
    """The model cannot be told to think so much, whatever it is asked."""


_ON_OFF = {ThinkingLevel.OFF: False, ThinkingLevel.SHORT: True, ThinkingLevel.LONG: True}

SWITCHES: Mapping[str, Mapping[ThinkingLevel, Any]] = {
    "enable_thinking": _ON_OFF,
    "thinking": _ON_OFF,
    "reasoning_effort": {ThinkingLevel.SHORT: "low", ThinkingLevel.LONG: "high"},
}
"""Names that chat templates know the switch by: Qwen 3, SmolLM 3 and GLM; Granite and DeepSeek;
gpt-oss."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt as the model will see it.

    Attributes:
        text: after the chat template, where there is one.
        plain: whether the tokenizer's own special tokens go in front.
    """

    text: str
    plain: bool


class Encoder:
    """Turns messages into token numbers and token numbers into text.

    Args:
        tokenizer: a tokenizer of transformers.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._front = self._special_tokens_in_front()
        self._left_out = self._unspoken_tokens()

    @property
    def form(self) -> ModelForm:
        """Chat where the tokenizer has a chat template."""
        return ModelForm.CHAT if self._tokenizer.chat_template else ModelForm.BASE

    def prompt(self, messages: Sequence[Message], thinking: ThinkingLevel | None = None) -> Prompt:
        """The text that the model continues.

        Raises:
            NoSwitch: the model cannot be told to think so much.
            UnreadablePrompt: there are no messages, or the model's template refuses them.
        """
        chosen = self.thinking_arguments(thinking)
        if not messages:
            raise UnreadablePrompt("The request holds no message: nothing was asked.")
        if any(message.picture for message in messages):
            raise UnreadablePrompt(
                "A model that is opened here is shown no pictures, and the question is not asked "
                "without its picture. Choose a chat model on a server, or pictures in words."
            )
        if len(messages) == 1 and messages[0].role == "text":
            return Prompt(messages[0].content, plain=True)
        if self.form is ModelForm.BASE:
            raise UnreadablePrompt(
                "The model continues plain text and has no chat template, but was given turns "
                f"of a conversation ({', '.join(m.role for m in messages)})."
            )
        # What a model wrote itself, or an answer begun for it, follows right after the text that it
        # was to continue then: a template may trim it, or write what was said before otherwise than
        # what is being said. Where that text opens thinking, this is closed: it is an answer.
        continued = len(messages) > 1 and messages[-1].role == "assistant"
        turns = messages[:-1] if continued else messages
        text = self._rendered(turns, chosen)
        if continued:
            closing = closing_marker(text)
            text += f"{closing}\n\n{messages[-1].content}" if closing else messages[-1].content
        return Prompt(text, plain=False)

    def thinking_arguments(self, level: ThinkingLevel | None) -> dict[str, Any]:
        """What the chat template is told for a level; nothing where none was chosen.

        That a template has a switch is seen by its text: it differs with the switch.

        Raises:
            NoSwitch: it has none, or not for this level.
        """
        if level is None:
            return {}
        hello = (Message("user", "Hello."),)
        for name, values in SWITCHES.items() if self.form is ModelForm.CHAT else ():
            if len({self._rendered(hello, {name: value}) for value in values.values()}) > 1:
                if level in values:
                    return {name: values[level]}
                raise NoSwitch(
                    "This model always thinks, little or much. "
                    "Start a new run with short or long thinking; to resume the run would change "
                    "nothing."
                )
        raise NoSwitch(
            "This model has no switch for its thinking that BiasLab knows. Start a new run that "
            "leaves thinking as the model does it; to resume the run would change nothing."
        )

    def _rendered(self, turns: Sequence[Message], options: Mapping[str, Any]) -> str:
        try:
            return str(
                self._tokenizer.apply_chat_template(
                    [{"role": message.role, "content": message.content} for message in turns],
                    tokenize=False,
                    add_generation_prompt=True,
                    **options,
                )
            )
        except Exception as error:  # a template is a program and may raise anything
            raise UnreadablePrompt(
                f"The model's chat template refuses these messages: {error}"
            ) from error

    def closing(self, marker: str) -> list[int]:
        """Token numbers that end thinking with its marker, before the answer."""
        return self._tokens(f"\n{marker}\n\n")

    def encode(self, prompt: Prompt, continuation: str = "") -> list[int]:
        """Token numbers of a prompt and what follows it, tokenised together."""
        tokens = self._tokens(prompt.text + continuation)
        if prompt.plain:
            tokens = [*self._front, *tokens]
        begin = self._tokenizer.bos_token_id
        while begin is not None and tokens[:2] == [begin, begin]:
            del tokens[0]
        return tokens

    def ends(self, prompt: Prompt) -> list[int]:
        """Where in the prompt's text each of its own tokens ends, in characters.

        The tokenizer's special tokens in front are not among them.

        Raises:
            UnreadablePrompt: the tokenizer does not tell.
        """
        try:
            encoded = self._tokenizer(
                prompt.text, add_special_tokens=False, return_offsets_mapping=True, verbose=False
            )
        except NotImplementedError as error:
            raise UnreadablePrompt(
                "The model's tokenizer does not tell where in a text its tokens stand, so no word "
                "can be found among them. Choose a model with a tokenizer.json."
            ) from error
        return [int(end) for _, end in encoded["offset_mapping"]]

    def decode(self, tokens: Sequence[int], before: Sequence[int]) -> str:
        """The text that the tokens add.

        Args:
            tokens: what was written.
            before: the last few tokens of what stood before it: some tokenizers drop the
                space in front of the first word of what they are given.
        """
        return self.decode_all([tokens], [before])[0]

    def decode_all(
        self, tokens: Sequence[Sequence[int]], before: Sequence[Sequence[int]]
    ) -> list[str]:
        """The text of several rows at once; see `decode`."""
        together = self._texts([[*b, *t] for b, t in zip(before, tokens, strict=True)])
        fronts = self._texts(before)
        return [
            whole[len(front) :] if whole.startswith(front) else self._texts([t])[0]
            for whole, front, t in zip(together, fronts, tokens, strict=True)
        ]

    def _texts(self, tokens: Sequence[Sequence[int]]) -> list[str]:
        # Of special tokens those stay that mark thinking: without them it would be an answer.
        texts = self._tokenizer.batch_decode(
            [[token for token in row if token not in self._left_out] for row in tokens],
            skip_special_tokens=False,
            clean_up_tokenization_spaces=False,
        )
        return [str(text) for text in texts]

    def _unspoken_tokens(self) -> frozenset[int]:
        """Special tokens that are no part of what a model says."""
        named = dict(
            zip(self._tokenizer.all_special_ids, self._tokenizer.all_special_tokens, strict=True)
        )
        added = getattr(self._tokenizer, "added_tokens_decoder", {})
        named |= {number: str(token) for number, token in added.items() if token.special}
        return frozenset(n for n, text in named.items() if text.lower() not in MARKER_TOKENS)

    def _tokens(self, text: str) -> list[int]:
        encoded = self._tokenizer(text, add_special_tokens=False, verbose=False)
        return [int(token) for token in encoded["input_ids"]]

    def _special_tokens_in_front(self) -> list[int]:
        bare = self._tokens("a")
        full = [int(token) for token in self._tokenizer("a", verbose=False)["input_ids"]]
        for start in range(len(full) - len(bare) + 1):
            if full[start : start + len(bare)] == bare:
                return full[:start]
        return []
