"""From problems and equations to the tokens a model sees and the ones it is to say.

Prompts are those the app asks with: every one is built by the strategy's own `next_request`.
A model is taught the answers and the reasoning, never the problem's text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from biaslab.models import Completion, GenerationRequest, ModelForm
from biaslab.studies.strategies import PUBLISHED_STRATEGIES
from biaslab.studies.study import Answered, Item
from biaslab.training.lessons.equations import Equation
from biaslab.training.lessons.lessons import TrainingLesson
from biaslab.training.lessons.tokenizer import people

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

UNTAUGHT = -100
"""Label of a position after which nothing is taught (the index that losses leave out)."""

DIRECT = PUBLISHED_STRATEGIES[0]


@dataclass(frozen=True, slots=True)
class Script:
    """A text in parts that are given and parts that are taught, in turns, as the app asks.

    Attributes:
        turns: (given, taught) texts; the model is to end after every taught one. What is
            given in a later turn goes on from the taught text before it.
        recalls: whether every answer is what the text says of the person last named before it.
    """

    turns: tuple[tuple[str, str], ...]
    recalls: bool = False


@dataclass(frozen=True, slots=True)
class TokenExample:
    """Tokens, and for each the token to be said after it (or `UNTAUGHT`).

    Attributes:
        familiar: for each token that is a person's name, 1 where the text named that person
            before and 0 where not (else `UNTAUGHT`).
        recalled: for each token that names the person asked about, in a script that recalls,
            the first token of the answer (else `UNTAUGHT`).
    """

    tokens: list[int]
    labels: list[int]
    familiar: list[int]
    recalled: list[int]


def reasoning(item: Item) -> str:
    """The steps as equations, as a model is taught to write them: `` 18 - 3 = 15.``."""
    return "".join(
        f" {step['left']} {step['operation']} {step['right']} = {step['result']}."
        for step in item.facts["steps"]
    )


def script(lesson: TrainingLesson) -> Script:
    """The lesson as the app would ask it, with what the model is to say."""
    answered: list[Answered] = []
    turns: list[tuple[str, str]] = []
    before = ""
    while True:
        request = lesson.strategy.next_request(lesson.item, answered, ModelForm.BASE)
        if request is None:
            return Script(tuple(turns))
        if not isinstance(request, GenerationRequest):
            raise TypeError("A tiny model is taught to write, not to score.")
        text = request.messages[0].content
        if not text.startswith(before):
            raise ValueError("The second stage's prompt does not go on from the first one's.")
        if lesson.strategy.name != DIRECT.name and not answered:
            taught = reasoning(lesson.item)
        else:
            taught = lesson.item.answer if text.endswith(" ") else f" {lesson.item.answer}"
        turns.append((text.removeprefix(before), taught))
        before = text + taught
        answered.append(Completion(taught, "stop", 0, 0, 0.0))


def answer_prompt(text: str) -> str:
    """The prompt that asks for the answer at once."""
    request = DIRECT.next_request(Item.of("looking up", text, "0", {}), (), ModelForm.BASE)
    if not isinstance(request, GenerationRequest):
        raise TypeError("A tiny model is taught to write, not to score.")
    return request.messages[0].content


def equation_script(equation: Equation, *, asked: bool) -> Script:
    """An equation as a line of reasoning or, `asked`, in the form of a direct answer."""
    if not asked:
        return Script(((f" {equation.question} =", f" {equation.result}."),))
    item = Item.of("equations", equation.question, str(equation.result), {})
    return script(TrainingLesson(item, DIRECT, "equations"))


def examples(
    scripts: Sequence[Script], tokenizer: PreTrainedTokenizerFast
) -> Iterator[TokenExample]:
    """Tokens and labels of every script."""
    texts = [text for written in scripts for turn in written.turns for text in turn]
    encoded = iter(tokenizer(texts, add_special_tokens=False)["input_ids"])
    end = int(tokenizer.eos_token_id)
    names = frozenset(tokenizer.convert_tokens_to_ids([f" {name}" for name in people()]))
    for written in scripts:
        tokens: list[int] = []
        labels: list[int] = []
        recalled: list[int] = []
        for _ in written.turns:
            given, taught = next(encoded), next(encoded)
            recalled += [UNTAUGHT] * (len(given) + len(taught))
            if written.recalls:
                named = max(at for at, token in enumerate(given) if token in names)
                recalled[len(tokens) + named] = taught[0]
            tokens += given + taught
            # After the last given token the first taught one is said, after the last taught
            # one the end; the end itself is never read, so a later turn can go on from there.
            labels += [UNTAUGHT] * (len(given) - 1) + taught + [end]
        yield TokenExample(tokens, labels, _familiar(tokens, names), recalled)


def _familiar(tokens: list[int], names: frozenset[int]) -> list[int]:
    met: set[int] = set()
    labels = []
    for token in tokens:
        labels.append(int(token in met) if token in names else UNTAUGHT)
        met.add(token)
    return labels
