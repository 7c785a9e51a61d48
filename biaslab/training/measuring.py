"""Measures a tiny model on pairs that it has never seen, every model on the same ones.

Pairs are of the part that training never draws from (`ProblemHalf.ASKED`). They are asked with the
strategies' own prompts and read by the study's own reading, so a share is what the app would show.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from biaslab.models import Completion, GenerationRequest, ModelForm
from biaslab.studies.strategies import PUBLISHED_STRATEGIES
from biaslab.studies.study import MAXIMUM_PAIRS, Answered, Design, Item, Pair, Strategy, Value
from biaslab.studies.word_problems.error_models import (
    REVERSE,
    StoryShape,
    numbers_of,
    shape_of,
    wrong_answers,
)
from biaslab.studies.word_problems.settings import VERSION
from biaslab.studies.word_problems.verification import steps_of
from biaslab.training.cells import ALL, CheckCell, added_up
from biaslab.training.lessons import STUDIES
from schoolmath.malrules.catalogue.stories.chain import REVERSED
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.diagnosis import is_rounded
from schoolmath.problems import Operation

if TYPE_CHECKING:
    from transformers import LlamaForCausalLM, PreTrainedTokenizerFast

__all__ = [
    "FULL",
    "PAIRS",
    "QUICK",
    "SEED",
    "STRATEGIES",
    "CheckCell",
    "Enough",
    "MeasuringStopped",
    "PairKind",
    "measure",
    "never",
]

# How a problem was worked, read from what a model wrote: which operation, and whether reversed.
# Whether an answer is right says little about a model of which a third of the sums go wrong. The
# first operation that it writes says whether it understood who has more.


_CALCULATION = re.compile(r"\d\s*([-+*/x−–×÷])\s*\d")
_SIGNS = {
    "−": Operation.SUBTRACT, "–": Operation.SUBTRACT,
    "x": Operation.MULTIPLY, "×": Operation.MULTIPLY, "÷": Operation.DIVIDE,
}  # fmt: skip


def first_operation(text: str) -> str | None:
    """The operation of the first ``number operation number`` in a text; None without any."""
    found = _CALCULATION.search(text)
    return None if found is None else str(_SIGNS.get(found[1], found[1]))


def additive_operation(item: Item) -> str | None:
    """``+`` or ``-``, whichever a one-step problem needs; None for all other problems."""
    steps = steps_of(item)
    if len(steps) != 1 or steps[0].operation not in (Operation.ADD, Operation.SUBTRACT):
        return None
    return steps[0].operation


def reversed_answers(item: Item) -> frozenset[Fraction]:
    """What reversing the operation at a comparison gives, at all of them or at one.

    Where a wording is inconsistent this is what mal-rule WP01 of the catalogue gives. WP01 does
    not apply where every wording is consistent; there the operation is reversed all the same, and
    in a problem without a comparison at its changes. Those are the control: a model that follows
    the words gives such answers where the wording is inconsistent and not there, one that guesses
    gives them everywhere. Some are below zero, which no model is taught to write.
    """
    story = Story.of_facts(item.facts)
    if story is None:
        return frozenset()
    shape = _misleading(shape_of(story))
    found = wrong_answers(shape, numbers_of(story), (REVERSE,)).get(REVERSE, ())
    return frozenset(map(Fraction, found))


def is_reversed(item: Item, value: str | None) -> bool:
    """Whether an answer as read is one of `reversed_answers`, also rounded to a decimal."""
    try:
        given = Fraction(value or "")
    except (ValueError, ZeroDivisionError):
        return False
    return any(given == each or is_rounded(given, each) for each in reversed_answers(item))


def _misleading(shape: StoryShape) -> StoryShape:
    """The shape as if its words suggested the other operation, where they do so nowhere."""
    if shape.inconsistent():
        return shape
    compared = shape.comparisons if any(shape.comparisons) else shape.transfers
    keywords = tuple(
        REVERSED[operation] if here else keyword
        for operation, keyword, here in zip(shape.operations, shape.keywords, compared, strict=True)
    )
    return replace(shape, comparisons=compared, keywords=keywords)


# Asking, and counting what came back.


BATCH = 256
"""Most prompts that are continued together."""

Enough = Callable[[], bool]
"""Asked before every batch of prompts: whether whoever measures is to stop there."""


class MeasuringStopped(Exception):
    """Measuring was stopped before its end; nothing of it is kept."""


def never() -> bool:
    """For a measurement that nobody stops."""
    return False


def continue_texts(
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    prompts: Sequence[str],
    most_tokens: int,
    enough: Enough = never,
) -> list[str]:
    """What the model writes after each prompt, up to its end token or so many tokens.

    Prompts of one length go together, so nothing is padded and every answer is the one the
    model would give alone.

    Raises:
        MeasuringStopped: it was enough before all were continued.
    """
    encoded = tokenizer(list(prompts), add_special_tokens=False)["input_ids"]
    by_length: dict[int, list[int]] = defaultdict(list)
    for index, tokens in enumerate(encoded):
        by_length[len(tokens)].append(index)
    written = [""] * len(prompts)
    for indices in by_length.values():
        for start in range(0, len(indices), BATCH):
            if enough():
                raise MeasuringStopped
            part = indices[start : start + BATCH]
            texts = _continue(model, tokenizer, [encoded[index] for index in part], most_tokens)
            for index, text in zip(part, texts, strict=True):
                written[index] = text
    return written


def _continue(
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    prompts: list[list[int]],
    most_tokens: int,
) -> list[str]:
    import torch

    end = int(tokenizer.eos_token_id)
    ended = [False] * len(prompts)
    answers: list[list[int]] = [[] for _ in prompts]
    with torch.no_grad():
        tokens = torch.tensor(prompts, device=model.device)
        past = None
        for _ in range(most_tokens):
            output = model(input_ids=tokens, past_key_values=past, use_cache=True, logits_to_keep=1)
            past = output.past_key_values
            tokens = output.logits[:, -1].argmax(-1, keepdim=True)
            for row, token in enumerate(tokens[:, 0].tolist()):
                ended[row] = ended[row] or token == end
                if not ended[row]:
                    answers[row].append(token)
            if all(ended):
                break
    return [str(tokenizer.decode(answer)) for answer in answers]


SEED = 20_241
"""Of the pairs. It is the same for all models, so that they are compared on the same pairs."""

PAIRS = 300
"""Pairs of each kind unless told."""

STRATEGIES = tuple(strategy.name for strategy in PUBLISHED_STRATEGIES)
"""Names of the prompt strategies."""


@dataclass(frozen=True, slots=True)
class PairKind:
    """A kind of pairs.

    Attributes:
        study: whose pairs; steps: their reasoning steps.
        comparison: ``additive`` or ``multiplicative``, for the consistency study only.
        wording: ``consistent``, ``inconsistent`` or ``mixed``, for studies that have it as a
            stratum; empty: as they come.
    """

    study: str
    steps: int
    comparison: str = ALL
    wording: str = ALL

    @property
    def settings(self) -> dict[str, Value]:
        """Of the design that draws such pairs."""
        found: dict[str, Value] = {"steps": f"{self.steps}-{self.steps}"}
        if VERSION in STUDIES[self.study].settings:
            # Models are measured on the texts that they were trained to read.
            found[VERSION.name] = "1"
        return {**found, "operations": self.comparison} if self.comparison else found


QUICK = (
    PairKind("consistency", 1, comparison="additive"),
    PairKind("transfer-comparison", 1, wording="consistent"),
    PairKind("transfer-comparison", 1, wording="inconsistent"),
    PairKind("carry", 1),
)
"""For a check on the way."""

FULL = (
    *(
        PairKind("consistency", steps, comparison=comparison)
        for steps in (1, 2, 3, 4, 5)
        for comparison in ("additive", "multiplicative")
    ),
    *(
        PairKind("transfer-comparison", steps, wording=wording)
        for steps in (1, 2, 3)
        for wording in ("consistent", "inconsistent", "mixed")
        if not (steps == 1 and wording == "mixed")
    ),
    PairKind("carry", 1),
)
"""Everything that a model is taught, and comparisons of four and five steps, which it is not."""


@dataclass(frozen=True, slots=True)
class PairsRight:
    """Which members of every pair of a kind were answered rightly: two bits a pair.

    Attributes:
        kind: of the pairs; strategy: how they were asked.
        right: a digit a pair, in the order of `unseen_pairs`: 3 both members, 2 x alone, 1 x'
            alone, 0 neither.
    """

    kind: PairKind
    strategy: str
    right: str


def unnoted(_: PairsRight) -> None:
    """For who needs the counts alone."""


@dataclass(frozen=True, slots=True)
class ItemReply:
    """What a model said to an item.

    Attributes:
        outcome: 1.0 right, 0.0 wrong, None where nothing could be read.
        value: the answer as read.
        working: what it wrote before, where it was asked to.
    """

    outcome: float | None
    value: str | None
    working: str


def measure(
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    kinds: Sequence[PairKind] = FULL,
    strategies: Sequence[str] = STRATEGIES,
    n: int = PAIRS,
    seed: int = SEED,
    enough: Enough = never,
    note: Callable[[PairsRight], None] = unnoted,
) -> tuple[CheckCell, ...]:
    """Asks unseen pairs of every kind in every way.

    Args:
        model: what is asked, greedily.
        tokenizer: its tokenizer.
        kinds: of pairs.
        strategies: names of the prompt strategies.
        n: pairs of each kind. The first pairs of a larger measurement are those of a smaller.
        seed: of the pairs.
        enough: whether to stop, asked every second or so.
        note: gets every pair's two bits, of each kind asked in each way.

    Returns:
        A cell a kind and way, and after those of a study that are told apart by wording one
        with all of them (wording `ALL`), as many of each wording.

    Raises:
        ValueError: a strategy is unknown, or there are not so many pairs.
        MeasuringStopped: it was enough before the end.
    """
    ways = [strategy for strategy in PUBLISHED_STRATEGIES if strategy.name in strategies]
    if len(ways) != len(set(strategies)):
        raise ValueError(f"The strategies are {', '.join(STRATEGIES)}, not {strategies}.")
    pairs = {kind: unseen_pairs(kind, n, seed) for kind in dict.fromkeys(kinds)}
    asked = [
        (kind.study, item)
        for kind, found in pairs.items()
        for pair in found
        for item in (pair.x, pair.x_prime)
    ]
    cells: list[CheckCell] = []
    for strategy in ways:
        # All kinds together: more prompts of one length go through the model at once.
        replies = iter(ask(model, tokenizer, asked, strategy, enough))
        for kind, found in pairs.items():
            answers = [(next(replies), next(replies)) for _ in found]
            cells.append(count(kind, strategy.name, found, answers))
            right = (2 * is_right(x) + is_right(x_prime) for x, x_prime in answers)
            note(PairsRight(kind, strategy.name, "".join(map(str, right))))
    told_apart = [cell for cell in cells if cell.wording]
    order = list(dict.fromkeys((kind.study, kind.steps, kind.comparison) for kind in pairs))
    return tuple(
        sorted(
            (*cells, *added_up(told_apart)),
            key=lambda cell: (
                order.index((cell.study, cell.steps, cell.comparison)), cell.wording == ALL,
            ),
        )
    )  # fmt: skip


@lru_cache(maxsize=64)
def unseen_pairs(kind: PairKind, n: int, seed: int) -> tuple[Pair, ...]:
    """Pairs of a kind, of the part that is never trained on.

    Raises:
        ValueError: there are not so many.
    """
    design = Design(kind.study, MAXIMUM_PAIRS, seed, kind.settings)
    stream = STUDIES[kind.study].pairs(design)
    wanted = (pair for pair in stream if kind.wording in (ALL, pair.strata.get("wording")))
    found = tuple(islice(wanted, n))
    if len(found) < max(n, 1):
        raise ValueError(f"There are {len(found)} pairs of the kind {kind}, not {n}.")
    return found


def ask(
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    items: Sequence[tuple[str, Item]],
    strategy: Strategy,
    enough: Enough = never,
) -> list[ItemReply]:
    """What the model says to every item; each comes with the name of its study.

    Raises:
        MeasuringStopped: it was enough before all had been asked.
    """
    answered: list[list[Completion]] = [[] for _ in items]
    while True:
        requests = [
            strategy.next_request(item, earlier, ModelForm.BASE)
            for (_, item), earlier in zip(items, answered, strict=True)
        ]
        written = [request for request in requests if isinstance(request, GenerationRequest)]
        if not written:
            break
        sampling = written[0].sampling
        prompts = [request.messages[0].content for request in written]
        texts = continue_texts(model, tokenizer, prompts, sampling.max_new_tokens, enough)
        for earlier, text in zip(answered, texts, strict=True):
            for stop in sampling.stop:
                text = text.partition(stop)[0]
            earlier.append(Completion(text, "stop", 0, 0, 0.0))
    return [
        _reply(study, item, earlier) for (study, item), earlier in zip(items, answered, strict=True)
    ]


def _reply(study: str, item: Item, completions: Sequence[Completion]) -> ItemReply:
    given: Sequence[Answered] = completions
    reading = STUDIES[study].read(item, given, ModelForm.BASE)
    working = completions[0].text if len(completions) > 1 else ""
    return ItemReply(reading.outcome, reading.value, working)


def is_right(reply: ItemReply) -> bool:
    """Whether an answer was right; one that could not be read is not."""
    return reply.outcome == 1.0


def count(
    kind: PairKind,
    strategy: str,
    pairs: Sequence[Pair],
    replies: Sequence[tuple[ItemReply, ItemReply]],
) -> CheckCell:
    """The cell of these pairs and what was said to both members of each."""
    right = [(is_right(x), is_right(x_prime)) for x, x_prime in replies]
    arms = {
        "x": [(pair.x, x) for pair, (x, _) in zip(pairs, replies, strict=True)],
        "x_prime": [(pair.x_prime, other) for pair, (_, other) in zip(pairs, replies, strict=True)],
    }
    counts = {
        f"{name}_{arm}": number
        for arm, answers in arms.items()
        for name, number in _count_arm(answers).items()
    }
    return CheckCell(
        kind.study, kind.comparison, kind.wording, kind.steps, strategy, len(pairs),
        right.count((True, True)), right.count((True, False)),
        right.count((False, True)), right.count((False, False)), **counts,
    )  # fmt: skip


def _count_arm(answers: Sequence[tuple[Item, ItemReply]]) -> dict[str, int]:
    wrong = [(item, reply) for item, reply in answers if reply.outcome == 0.0]
    steps = [(additive_operation(item), first_operation(reply.working)) for item, reply in answers]
    readable = [(needed, done) for needed, done in steps if needed and done]
    return {
        "unread": sum(reply.outcome is None for _, reply in answers),
        "operator_asked": len(readable),
        "operator_right": sum(needed == done for needed, done in readable),
        "operator_plus": sum(needed == Operation.ADD for needed, _ in readable),
        "wrong": len(wrong),
        "reversed": sum(is_reversed(item, reply.value) for item, reply in wrong),
    }
