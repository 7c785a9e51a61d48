"""Simulated models: what somebody who works in a given way would write to a prompt."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from biaslab.training.measuring import SEED, PairKind, never, unseen_pairs
from schoolmath.malrules.catalogue.stories.chain import REVERSED, calculate

Way = Callable[[dict], str]
"""From a reasoning step, as the facts of an item hold it, to the operation that is done."""


def rightly(step: dict) -> str:
    return step["operation"]


def by_keyword(step: dict) -> str:
    """Adds wherever it reads "more", subtracts wherever it reads "fewer"."""
    misled = step["consistent"] is False
    return REVERSED[step["operation"]] if misled else step["operation"]


def adding(_step: dict) -> str:
    return "+"


def reversing(step: dict) -> str:
    return REVERSED[step["operation"]]


class Answerer:
    """Writes to prompts about the items of some kinds in the place of `continue_texts`."""

    def __init__(self, kinds: Sequence[PairKind], n: int, way: Way) -> None:
        pairs = [pair for kind in kinds for pair in unseen_pairs(kind, n, SEED)]
        self.items = {item.text: item for pair in pairs for item in (pair.x, pair.x_prime)}
        self.way = way
        self.prompts: list[str] = []

    def __call__(self, _model, _tokenizer, prompts, _most_tokens, _enough=never) -> list[str]:
        self.prompts += prompts
        return [self._write(prompt) for prompt in prompts]

    def _write(self, prompt: str) -> str:
        item = self.items[prompt.removeprefix("Q: ").partition("\nA:")[0]]
        worked, amount = "", item.facts["steps"][0]["left"]
        for step in item.facts["steps"]:
            operation, left = self.way(step), amount
            amount = calculate(operation, left, step["right"])
            worked += f" {left} {operation} {step['right']} = {amount}."
        reasoning = prompt.endswith(("step by step.", "child would."))
        return worked if reasoning else f" {amount}"


def mute(_model, _tokenizer, prompts, _most_tokens, _enough=never) -> list[str]:
    return ["" for _ in prompts]
