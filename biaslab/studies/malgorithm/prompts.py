"""Prompt strategies for which rationale led to a choice: at once, in steps, or by likelihood.

Four are those of Sonkar et al. (2024), with 0 or 5 examples. The wording is the paper's where a
design asks for it, else this project's own. `ScoreLetters` is no paper's: nothing is written. An
item with the key's choice first asks its question as a multiple-choice question: a conversation of
its own, of which the second knows nothing, without examples as in the paper. A chat model gives its
reasoning and its answer in one turn, and examples are earlier turns. A base model continues one
text that ends where the JSON begins, after its reasoning in a request of its own.

The five examples are of five content classes; two choices of the key and three of mal-rules; the
right labels are all four, one of them twice. Their reasoning is told from the traces. They are put
in the manner of the item that follows (order, letter, framing, style), and the question asked is
never among them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from biaslab.models import (
    Completion,
    GenerationRequest,
    LikelihoodRequest,
    Message,
    ModelForm,
    Sampling,
)
from biaslab.studies.malgorithm.items import (
    PUBLISHED_FORM,
    RATIONALE,
    Framing,
    asks_question,
    asks_reason,
    identification,
    of_bank,
)
from biaslab.studies.published import published_words
from biaslab.studies.study import Answered, Item, Request, content_hash
from schoolmath.malrules.answers import Working
from schoolmath.malrules.bank import BankDesign, BankMix, ChoiceItem, RationaleStyle, make_items
from schoolmath.malrules.forms import read_form
from schoolmath.malrules.rules import rules

EXAMPLES = 5
"""How many: the paper's."""

SEED = -2024
"""Of the examples; a bank of this seed is for nothing else."""

_POOL = 160
_WANTED = (("B", False), ("D", True), ("A", False), ("C", False), ("A", True))
"""Right label, and whether the choice is the key's, of each example in order."""


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """A question, a choice and its rationale, with the reasoning that finds it.

    Attributes:
        question: of the bank; text: as an item puts it; reasoning: a few sentences;
            label: of the right rationale; key: whether the choice is the key's.
    """

    question: str
    text: str
    reasoning: str
    label: str
    key: bool


def examples_of(facts: Mapping[str, Any]) -> tuple[WorkedExample, ...]:
    """The examples that come before an item with these facts."""
    manner = Framing(facts["order"], facts["shown"], facts["framing"])
    usual = _chosen(facts["style"], manner)
    asked = facts["question"]
    if all(example.question != asked for example in usual):
        return usual
    return _chosen(facts["style"], manner, asked)


@cache
def examples_fingerprint() -> str:
    """Changes whenever the examples do."""
    shown = [
        (example.text, example.reasoning, example.label)
        for style in RationaleStyle
        for example in _chosen(style.value, Framing())
    ]
    return content_hash(shown)


@lru_cache(maxsize=64)
def _chosen(style: str, manner: Framing, without: str = "") -> tuple[WorkedExample, ...]:
    found: list[WorkedExample] = []
    classes: set[str] = set()
    for label, of_key in _WANTED:
        example, content_class = _first(style, manner, label, of_key, classes, without, found)
        classes.add(content_class)
        found.append(example)
    return tuple(found)


def _first(
    style: str,
    manner: Framing,
    label: str,
    of_key: bool,
    classes: set[str],
    without: str,
    examples: Sequence[WorkedExample],
) -> tuple[WorkedExample, str]:
    """The first question of the pool that gives such an example, of a new class if there is."""
    taken = {without, *(example.question for example in examples)}
    fitting = [
        (question, item)
        for question in _pool(style)
        if question.question not in taken
        for item in (_with_right_label(question, manner, label),)
        if (item.facts["choice"] == question.key) is of_key
    ]
    if not fitting:
        raise LookupError(f"The bank has no example with the right label {label} in style {style}.")
    question, item = next(
        (each for each in fitting if each[0].content_class not in classes), fitting[0]
    )
    reasoning = _reasoning(question, item)
    example = WorkedExample(question.question, item.text, reasoning, label, of_key)
    return example, question.content_class


@cache
def _pool(style: str) -> tuple[ChoiceItem, ...]:
    # No items that compare pupils: their long questions would fill a small model's context.
    return tuple(
        make_items(BankDesign(n=_POOL, seed=SEED, doks=(1, 2), style=style, mix=BankMix.EVEN))
    )


def _with_right_label(question: ChoiceItem, manner: Framing, label: str) -> Item:
    asked = of_bank(question)
    letters = identification(asked, question.key, manner).facts["letters"]
    return identification(asked, letters[label], manner)


def _reasoning(question: ChoiceItem, item: Item) -> str:
    """What is done according to the right rationale, step by step, and that it fits."""
    choice = item.facts["choice"]
    worked = _worked(question, choice)
    steps = [step.text.removeprefix("so ") for step in worked.steps]
    who = "Whoever chose this"
    told = f"{who} {steps[0]}." + "".join(f" Then that person {step}." for step in steps[1:])
    right = "is the right way" if choice == question.key else "is not the right way"
    return (
        f"{told} That gives {question.option(choice)}, which is the choice. It {right}, and it is "
        f"what rationale {item.answer} tells."
    )


def _worked(question: ChoiceItem, choice: str) -> Working:
    problem = read_form(question.problem)
    if choice == question.key:
        return problem.solve()
    ways = rules()[question.rules[choice]].run(problem)
    shown = question.option(choice)
    return next((way for way in ways if way.answer.shown == shown), ways[0])


JSON_CUE, PUBLISHED_CUE = '{"answer": "', '{"Correct Choice": "'
"""Ends a base model's prompt; what follows is read as the answer, or scored."""

_COUNTS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}


def introduction(noun: str, count: int) -> str:
    """Begins every identification.

    Args:
        noun: what the reasons are, in the singular.
        count: how many are shown.
    """
    return (
        f"Here are a question, a choice that was made as its answer, and {_COUNTS[count]} {noun}s. "
        f"Exactly one of the {noun}s led to this choice."
    )


INTRODUCTION = introduction(RATIONALE, 4)
"""That of the bank's questions and of the examples."""

ASK_RATIONALE = "Which rationale led to this choice?"
"""Ends every identification; other reasons are asked for by their own name."""

ASK_OPTION = "Which option is right?"
"""Ends the question asked as a multiple-choice question."""

AT_ONCE = 'Answer with JSON and nothing else: {"answer": "X"}, where X is the letter of the '
"""Asks for the answer alone."""

STEP_BY_STEP = "Let's think step by step."
"""Kojima et al. (2022)."""

THEN_JSON = 'End with your answer as JSON: {"answer": "X"}, where X is the letter of the '
"""Asks a chat model for the answer after its reasoning."""

CONCLUSION = "Therefore, the answer as JSON is:"
"""Before a base model's answer that follows from its reasoning."""

ANSWER_TOKENS = {ModelForm.BASE: 16, ModelForm.CHAT: 256}
"""Most tokens of an answer at once. A chat model may explain before it states."""

REASONING_TOKENS = {ModelForm.BASE: 256, ModelForm.CHAT: 1024}
"""Most tokens of reasoning; a chat model's include its answer."""


def next_text(begins: str) -> tuple[str, ...]:
    """Where a base model's reasoning begins a text of its own, or the answer."""
    return ("\nQuestion:", f"\n{begins}", f"\n{CONCLUSION}")


@dataclass(frozen=True, slots=True)
class _Task:
    """One thing asked.

    Attributes:
        body: the text of an item, or the question with its options.
        ask: what is asked about it; at_once, in_steps: how a chat model is to answer, with `ask`.
        reason: what makes a base model reason; concludes: what comes between reasoning and answer.
        cue: begins the answer as JSON; system: what stands before everything else.
    """

    body: str
    ask: str
    at_once: str
    in_steps: str
    reason: str = STEP_BY_STEP
    concludes: str = f"{CONCLUSION} "
    cue: str = JSON_CUE
    system: str = ""
    examples: tuple[WorkedExample, ...] = ()
    introduction: str = INTRODUCTION
    picture: str = ""


@dataclass(frozen=True, slots=True)
class Identify:
    """Asks for the rationale, and with the key's choice first for the right option."""

    name: str
    label: str
    explanation: str
    reasons: bool = False
    shots: int = 0

    @property
    def version(self) -> str:
        """Hash of our wording and of the examples. The published words are the paper's for good."""
        return content_hash(
            self.name, INTRODUCTION, ASK_RATIONALE, ASK_OPTION, AT_ONCE, STEP_BY_STEP, THEN_JSON,
            CONCLUSION, JSON_CUE, *ANSWER_TOKENS.values(), *REASONING_TOKENS.values(),
            examples_fingerprint() if self.shots else "",
        )  # fmt: skip

    def next_request(
        self, item: Item, responses: Sequence[Answered], form: ModelForm
    ) -> Request | None:
        """The question where it is asked, then the rationale; two requests each where a base
        model reasons first.
        """
        each = 2 if self.reasons and form is ModelForm.BASE else 1
        first = asks_question(item.facts)
        if len(responses) >= each * (first + asks_reason(item.facts)):
            return None
        if first and len(responses) < each:
            task, facts = _question(item.facts), {"task": "mcq", **_known(item.facts)}
        else:
            task, facts = self._identification(item), {"task": "identify", **_known(item.facts)}
        if form is ModelForm.CHAT:
            return self._turns(task, facts)
        if len(responses) % each == 0:
            return self._begin(task, facts)
        reasoning = responses[-1]
        if not isinstance(reasoning, Completion):
            raise TypeError("Step-by-step prompts build on written reasoning, not on likelihoods.")
        return self._conclude(task, reasoning.text.strip(), facts)

    def _identification(self, item: Item) -> _Task:
        shown = examples_of(item.facts)[: self.shots] if self.shots else ()
        if item.facts.get("framing") == PUBLISHED_FORM:
            return self._published(item, shown)
        noun = item.facts.get("told", RATIONALE)
        begins = introduction(noun, len(item.facts["rationales"]))
        ask = ASK_RATIONALE.replace(RATIONALE, noun)
        return _Task(
            f"{begins}\n\n{item.text}", ask, *_hows(ask, noun), examples=shown, introduction=begins,
            picture=item.facts.get("picture", ""),
        )  # fmt: skip

    def _published(self, item: Item, examples: tuple[WorkedExample, ...]) -> _Task:
        """The prompt that the paper prints, for step by step.

        What it was where the answer is wanted at once, and how examples were put, is not printed:
        the same without reasoning, and earlier turns in the same words. No base model was asked.
        """
        words = published_words()
        system = words["malgorithm, system"].words
        task, reason = words["malgorithm, task"].words, words["malgorithm, reasoning"].words
        answer = words["malgorithm, answer"].filled(labels="/".join(item.facts["rationales"]))
        at_once = f"{task}\n\n{answer.replace('And then provide', 'Provide')}"
        if not self.reasons:
            system = system.replace("Provide step-by-step reasoning to determine", "Determine")
            system = system.replace("Then, provide", "Provide")
        return _Task(
            item.text, task, at_once, f"{task}\n\n{reason}\n\n{answer}", reason, "", PUBLISHED_CUE,
            system, examples, "", item.facts.get("picture", ""),
        )  # fmt: skip

    def _turns(self, task: _Task, facts: Mapping[str, Any]) -> Request:
        how = task.in_steps if self.reasons else task.at_once
        messages = [Message("system", task.system)] if task.system else []
        for example in task.examples:
            messages.append(Message("user", f"{_example_body(task, example)}\n\n{how}"))
            said = f"{example.reasoning}\n\n" if self.reasons else ""
            messages.append(Message("assistant", said + _written(task, example.label)))
        messages.append(Message("user", f"{task.body}\n\n{how}", task.picture))
        tokens = (REASONING_TOKENS if self.reasons else ANSWER_TOKENS)[ModelForm.CHAT]
        return GenerationRequest(tuple(messages), Sampling(max_new_tokens=tokens), facts)

    def _begin(self, task: _Task, facts: Mapping[str, Any]) -> Request:
        if not self.reasons:
            text = f"{self._shown(task)}{task.body}\n\n{task.ask}\n{task.cue}"
            return _plain(text, task.picture, ANSWER_TOKENS[ModelForm.BASE], ("\n",), facts)
        text = f"{self._shown(task)}{task.body}\n\n{task.ask} {task.reason}"
        most, stop = REASONING_TOKENS[ModelForm.BASE], next_text(task.introduction)
        return _plain(text, task.picture, most, stop, facts)

    def _conclude(self, task: _Task, reasoning: str, facts: Mapping[str, Any]) -> Request:
        text = (
            f"{self._shown(task)}{task.body}\n\n{task.ask} {task.reason} {reasoning}\n"
            f"{task.concludes}{task.cue}"
        )
        return _plain(text, task.picture, ANSWER_TOKENS[ModelForm.BASE], ("\n",), facts)

    def _shown(self, task: _Task) -> str:
        """What comes before a base model's text, with examples in the form in which it goes on."""
        parts = [f"{task.system}\n\n"] if task.system else []
        for example in task.examples:
            said = (
                f" {task.reason} {example.reasoning}\n{task.concludes}" if self.reasons else "\n"
            ) + _written(task, example.label)
            parts.append(f"{_example_body(task, example)}\n\n{task.ask}{said}\n\n")
        return "".join(parts)


@dataclass(frozen=True, slots=True)
class ScoreLetters:
    """Asks how probable each letter is after a prompt that begins the answer.

    Attributes:
        written: the strategy whose prompt it is. A base model's ends where the JSON begins; of a
            chat model's, the answer is begun so as a turn of its own.
    """

    name: str
    label: str
    explanation: str
    written: Identify

    @property
    def version(self) -> str:
        """Hash of the prompts' wording."""
        return content_hash(self.name, self.written.version)

    def next_request(
        self, item: Item, responses: Sequence[Answered], form: ModelForm
    ) -> Request | None:
        """The letters of the options where the question is asked, then those of the reasons."""
        asked = self.written.next_request(item, responses, form)
        if not isinstance(asked, GenerationRequest) or asked.facts is None:
            return None
        question = asked.facts["task"] == "mcq"
        published = not question and item.facts.get("framing") == PUBLISHED_FORM
        cue = PUBLISHED_CUE if published else JSON_CUE
        begun = (Message("assistant", cue),) if form is ModelForm.CHAT else ()
        letters = asked.facts["options" if question else "rationales"]
        return LikelihoodRequest((*asked.messages, *begun), tuple(letters), asked.facts)


def _question(facts: Mapping[str, Any]) -> _Task:
    options = "\n".join(f"{letter}. {text}" for letter, text in facts["options"].items())
    body = f"Question: {facts['question']}\n\nOptions:\n{options}"
    hows = _hows(ASK_OPTION, "option")
    return _Task(body, ASK_OPTION, *hows, picture=facts.get("picture", ""))


def _hows(ask: str, noun: str) -> tuple[str, str]:
    """How a chat model is to answer: at once, and step by step."""
    return f"{ask} {AT_ONCE}{noun}.", f"{ask} {STEP_BY_STEP} {THEN_JSON}{noun}."


def _example_body(task: _Task, example: WorkedExample) -> str:
    return f"{INTRODUCTION}\n\n{example.text}" if task.introduction else example.text


def _known(facts: Mapping[str, Any]) -> dict[str, Any]:
    """What a simulated learner needs to know."""
    names = ("question_id", "options", "key", "choice", "rationales", "right", "key_label")
    return {name: facts[name] for name in names}


def _plain(
    text: str, picture: str, tokens: int, stop: tuple[str, ...], facts: Mapping[str, Any]
) -> Request:
    sampling = Sampling(max_new_tokens=tokens, stop=stop)
    return GenerationRequest((Message("text", text, picture),), sampling, facts)


def _written(task: _Task, label: str) -> str:
    return f'{task.cue}{label}"}}'


_SIMPLE = Identify("simple", "Answer at once", "The model names the rationale at once, as JSON.")

PUBLISHED_STRATEGIES = (
    _SIMPLE,
    Identify(
        "cot",
        "Think step by step",
        "The model writes out its reasoning (chain of thought) before it names the rationale.",
        reasons=True,
    ),
    Identify(
        "simple-5",
        "At once, with five examples",
        "Five other questions with their answers come first; then the rationale is named at once.",
        shots=EXAMPLES,
    ),
    Identify(
        "cot-5",
        "Step by step, with five examples",
        "Five other questions with worked reasoning come first; then the model reasons itself.",
        reasons=True,
        shots=EXAMPLES,
    ),
)
"""Those of the paper: simple and CoT, with 0 and 5 shots."""

IDENTIFICATION_STRATEGIES = (
    *PUBLISHED_STRATEGIES,
    ScoreLetters(
        "likelihood",
        "Likeliest letter",
        "The answer is begun for the model, and the letter that is likeliest to follow counts. "
        "Nothing is written. Not of the paper.",
        _SIMPLE,
    ),
)
"""All of them, the default first."""
