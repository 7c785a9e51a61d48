"""The lessons of a training as tokens: those a model sees, and those it is to say.

Prompts are those the app asks with: every one is built by the strategy's own `next_request`. A
model is taught the answers and the reasoning, never the problem's text.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from biaslab.models import Completion, GenerationRequest, ModelForm
from biaslab.studies.strategies import FINAL_CUE, PUBLISHED_STRATEGIES
from biaslab.studies.study import Answered, Item
from biaslab.studies.word_problems.cast import (
    ProblemHalf,
    draw_agents,
    draw_entity,
    draw_phrasing,
    problem_of,
)
from biaslab.training.lessons import (
    FIRST_SHARES,
    FIRST_WAYS,
    KIND_SHARES,
    ONE_STEP,
    Equation,
    TrainingLesson,
    equations,
    lessons,
)
from biaslab.training.mix import RATIOS
from biaslab.training.plan import TrainingPlan
from schoolmath.problems import Container, Draws, Statement, phrasings, vocabulary, write
from schoolmath.problems.quantities import carries

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

# The tokenizer: one token a word, one a digit, made from this app's own words. Every word this app
# can write in a prompt stands in it twice, with and without the space before it. A space before a
# digit is a token of its own, so that a prompt that ends in a space and one that ends without it
# both stay what they were when an answer is added. Anything else becomes the unknown token: a tiny
# model is not meant for texts from elsewhere.


PIECES = r"'s(?![A-Za-z])| ?[A-Za-z]+| ?[^A-Za-z\d\s]|\d|\s"
"""Cuts a text into tokens; every character belongs to exactly one piece."""

PAD = "<pad>"
END = "<end>"
UNKNOWN = "<unknown>"

LONGEST_TEXT = 1024
"""Most tokens of prompt and answer together."""

_GAP = re.compile(r"\{\w+\}")


def words() -> list[str]:
    """Every piece of text that has a token of its own, in a fixed order."""
    found = dict.fromkeys([" ", "\n", *string.digits, "'s"])
    for text in _texts():
        for piece in re.findall(PIECES, text):
            bare = piece.strip(" ")
            if bare and bare not in string.digits and bare != "\n":
                found[bare] = None
                found[f" {bare}"] = None
    for mark in string.punctuation:
        found[mark] = None
        found[f" {mark}"] = None
    return list(found)


def _texts() -> Iterator[str]:
    lists = vocabulary()
    for name in lists.names:
        yield name.text
    for noun in lists.nouns.values():
        yield f"{noun.singular} {noun.plural}"
    for unit in lists.units.values():
        yield f"{unit.singular} {unit.plural} of"
    yield " ".join(lists.attributes)
    for templates in phrasings().values():
        for template in templates:
            # A gap is filled by other words of the list; "'s" must stay whole beside it.
            yield _GAP.sub("", template)
    yield "now"
    yield FINAL_CUE
    for strategy in PUBLISHED_STRATEGIES:
        request = strategy.next_request(Item("", "", "", {}), (), ModelForm.BASE)
        if isinstance(request, GenerationRequest):
            yield request.messages[0].content


def people() -> tuple[str, ...]:
    """All first names."""
    return tuple(name.text for name in vocabulary().names)


def build_tokenizer() -> PreTrainedTokenizerFast:
    """The tokenizer, made anew from the vocabulary, phrasings and prompts as they are now."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    pieces = [PAD, END, UNKNOWN, *words()]
    tokenizer = Tokenizer(
        models.WordLevel({piece: index for index, piece in enumerate(pieces)}, unk_token=UNKNOWN)
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(PIECES), behavior="isolated")
    tokenizer.decoder = decoders.Fuse()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=PAD,
        eos_token=END,
        unk_token=UNKNOWN,
        padding_side="left",
        model_max_length=LONGEST_TEXT,
        clean_up_tokenization_spaces=False,
    )


# From problems and equations to scripts, and from these to tokens.


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


def equation_script(equation: Equation, *, direct: bool) -> Script:
    """An equation as a line of reasoning or, `direct`, in the form of a direct answer."""
    if not direct:
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


# What every tiny model learns before any mix: calculating, and who has how many. Nothing here
# favours one arm of a study: there are bare equations, and texts in which nothing happens and
# nobody is compared, of which one looks up who has how many ("Ana has 5 apples. Ben has 7 apples.
# How many apples does Ben have?"). All mixes go on from one such start, so they differ in the mix
# alone.


LOOKING_UP_SHARE = 0.2
"""Share of texts to look something up in; the others are equations."""

EVEN = (1, 1)
"""Ratio of three-digit calculations without a carry or borrow to those with one."""

SMALL_SHARE = 0.35
"""Share of the equations that have small numbers."""

MOST_PEOPLE = 4
"""Most people in a text to look something up in."""

QUESTIONS = 3
"""Questions about one text, each about anybody in it: whoever was asked about may be asked about
again, or a model would learn to answer by leaving out what was said before."""

EQUATIONS = 3
"""Equations in one script."""


def first_scripts(seed: int, pool: int) -> Iterator[Script]:
    """The lessons of a pool, without end; the same seed and pool give the same ones."""
    number = f"{seed}/{pool}"
    draws = Draws(f"start/{number}")
    small = _equations(f"small/{number}", FIRST_SHARES)
    all_kinds = _equations(f"all/{number}", KIND_SHARES)
    texts = looking_up(seed, pool)
    while True:
        if draws.chance(LOOKING_UP_SHARE):
            yield next(texts)
        else:
            yield next(small if draws.chance(SMALL_SHARE) else all_kinds)


def looking_up(seed: int, pool: int) -> Iterator[Script]:
    """Texts in which everyone has some of a thing, and questions about everyone in turn."""
    draws = Draws(f"looking up/{seed}/{pool}")
    while True:
        count = draws.between(2, MOST_PEOPLE)
        people = draw_agents(draws, count, ProblemHalf.TRAINING)
        entity = draw_entity(draws)
        amounts = [
            draws.between(100, 999) if draws.chance(0.2) else draws.between(2, 60) for _ in people
        ]
        said = [
            Statement(Container(person, amount, entity), phrasing=draw_phrasing(draws))
            for person, amount in zip(people, amounts, strict=True)
        ]
        turns: list[tuple[str, str]] = []
        for _ in range(QUESTIONS):
            asked = draws.below(count)
            problem = problem_of(
                said, people[asked], entity, draw_phrasing(draws), now=draws.chance(0.5)
            )
            sentences = write(problem).sentences
            given = (
                answer_prompt(" ".join(sentences))
                if not turns
                else f"\n\n{answer_prompt(sentences[-1])}"
            )
            turns.append((given, str(amounts[asked])))
        yield Script(tuple(turns), recalls=True)


def _equations(stream: str, shares: tuple[tuple[str, float], ...]) -> Iterator[Script]:
    draws = Draws(f"equation forms/{stream}")
    drawn = equations(stream, shares, EVEN)
    while True:
        asked = draws.chance(0.5)
        turns = [equation_script(next(drawn), direct=asked).turns[0] for _ in range(EQUATIONS)]
        between = "\n\n" if asked else ""
        later = [(f"{between}{given}", taught) for given, taught in turns[1:]]
        yield Script((turns[0], *later))


# A pool, in the batches and the order in which it is learnt. It follows from the plan and its
# number alone. So it may be made before it is needed, by another process, or again after an
# interruption, and always has the same lessons.


VERSION = 1
"""Of the lessons: another one where the same plan would give other lessons than before."""

COMPARISONS, PROBLEMS, CARRIES = RATIOS
"""What a filling thins out, by the name of its ratio."""

_NEUTRAL = (("small", 1.0),)


@dataclass(frozen=True, slots=True)
class LessonPool:
    """Lessons that are made together.

    Attributes:
        batches: in the order of learning, each of lessons of nearly one length.
        equations: how many of the lessons are bare equations.
    """

    batches: tuple[tuple[TokenExample, ...], ...]
    equations: int


def pool_of(
    plan: TrainingPlan, number: int, share: float, tokenizer: PreTrainedTokenizerFast
) -> LessonPool:
    """The pool of a plan with this number, from 0.

    Args:
        plan: the training's.
        number: which pool.
        share: how much of the training is done before it, 0 to 1: first problems are short.
        tokenizer: makes tokens of it.
    """
    size = plan.schedule.batch
    scripts, bare = _scripts(plan, number, share, size * plan.schedule.pool)
    ready = sorted(examples(scripts, tokenizer), key=lambda example: len(example.tokens))
    batches = [tuple(ready[at : at + size]) for at in range(0, len(ready), size)]
    order = Draws(f"batches/{plan.seed}/{number}")
    return LessonPool(tuple(order.several(batches, len(batches))), bare)


def _scripts(plan: TrainingPlan, number: int, share: float, count: int) -> tuple[list[Script], int]:
    """The lessons as texts, and how many of them are bare equations."""
    if plan.mix is None:
        return list(islice(first_scripts(plan.seed, number), count)), 0
    problems = (
        lessons(plan.mix, plan.seed, number, ONE_STEP, FIRST_WAYS)
        if share < plan.schedule.one_step_until
        else lessons(plan.mix, plan.seed, number)
    )
    carrying = (plan.mix.no_carry, plan.mix.carry)
    bare = equations(f"{plan.seed}/{number}", plan.equation_kinds, carrying)
    neutral = _neutral(plan, number)
    draws = Draws(f"interleaved/{plan.seed}/{number}")
    thinned = Draws(f"filling/{plan.seed}/{number}")
    made: list[Script] = []
    equations_made = 0
    for _ in range(count):
        drawn: TrainingLesson | Equation = (
            next(bare) if draws.chance(plan.schedule.equations_share) else next(problems)
        )
        asked = isinstance(drawn, Equation) and draws.chance(0.5)
        filling = plan.filling
        if filling and _is_about(drawn, filling.of) and not thinned.chance(filling.kept):
            drawn, asked = next(neutral), thinned.chance(0.5)
        if isinstance(drawn, Equation):
            equations_made += 1
            made.append(equation_script(drawn, direct=asked))
        else:
            made.append(script(drawn))
    return made, equations_made


def _is_about(example: TrainingLesson | Equation, ratio: str) -> bool:
    """Whether a lesson is one of those that the ratio divides."""
    if isinstance(example, Equation):
        return ratio == CARRIES and min(example.left, example.right) >= 100
    if ratio == CARRIES:
        return example.study == "carry"
    compared = any(step["consistent"] is not None for step in example.item.facts["steps"])
    return ratio == PROBLEMS or compared


def _neutral(plan: TrainingPlan, number: int) -> Iterator[Equation]:
    """Bare sums and differences that say nothing about the ratio that is thinned out."""
    for drawn in equations(f"filling/{plan.seed}/{number}", _NEUTRAL):
        of_carries = plan.filling is not None and plan.filling.of == CARRIES
        if not of_carries or carries(drawn.operation, drawn.left, drawn.right) == 0:
            yield drawn
