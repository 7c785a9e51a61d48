"""Asking for a decision, and reading which numbered option a response chooses.

Malberg et al. (2024) let the model answer freely and have a second conversation extract the
option from that answer. Here the second request never draws anew: it shows the answer given and
asks which option it chose. The wording is this project's own.

What is asked for is ``Option 4``. Also read are other spellings and marks of layout (``OPTION: 4``,
``Option **4**``), a bare number, and the wording of exactly one option. The last statement of a
choice wins; one of several options, or of an option that was not offered, is unreadable.

A case as a pair of items: both arms, their options in one order, and what identifies them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from biaslab.models import Completion, GenerationRequest, Message, ModelForm, Sampling
from biaslab.studies.decisions.biases import Case, Metric
from biaslab.studies.study import Answered, Item, Pair, Request, Value, content_hash

INTRODUCTION = "Please put yourself in this situation and decide."
CHOOSE_FREELY = (
    "Which option do you choose? Think it over in a few sentences, and settle on exactly one."
)
ASK_NUMBER = (
    "Which option did you choose? Write “Option” and its number, and nothing else. If you chose "
    "none, write “No option selected”."
)
ASK_NUMBER_OF = (
    "Below are a list of options and an answer that chooses one of them. Which option does the "
    "answer choose? Write “Option” and its number, and nothing else. If it chooses none, write "
    "“No option selected”."
)
CHOOSE_NOW = "Which option do you choose? Write “Option” and its number, and nothing else."
FREE_TOKENS = 512
"""Most tokens of a free answer."""
NUMBER_TOKENS = {ModelForm.BASE: 16, ModelForm.CHAT: 128}
"""Most tokens of the option's number; a chat model may repeat the option."""
OPTION_CUE = "Option "
"""Ends a base model's prompt; what follows is read as the number."""
NEXT_TEXT = (f"\n{INTRODUCTION}", "\nOptions:", "\nWhich option")
"""Where a base model's free answer begins a text of its own."""


@dataclass(frozen=True, slots=True)
class Decide:
    """Asks for a decision.

    Attributes:
        thinks: whether a free answer comes before the choice.
        separate: whether the choice is read from the free answer in a conversation of its own.
    """

    name: str
    label: str
    explanation: str
    thinks: bool
    separate: bool = False

    @property
    def version(self) -> str:
        """Hash of the prompts' wording."""
        return content_hash(
            self.name, INTRODUCTION, CHOOSE_FREELY, ASK_NUMBER, ASK_NUMBER_OF, CHOOSE_NOW,
            OPTION_CUE, FREE_TOKENS, *NUMBER_TOKENS.values(), *NEXT_TEXT,
        )  # fmt: skip

    def next_request(
        self, item: Item, responses: Sequence[Answered], form: ModelForm
    ) -> Request | None:
        """The free answer where there is one, then the option."""
        if len(responses) >= 1 + self.thinks:
            return None
        facts = {"task": "decision", **item.facts, "stage": "choose" if responses else "think"}
        if not self.thinks:
            return _number(item.text, CHOOSE_NOW, form, {**facts, "stage": "choose"})
        if not responses:
            return _free(item.text, form, facts)
        free = responses[0]
        if not isinstance(free, Completion):
            raise TypeError("A decision builds on a written answer, not on likelihoods.")
        said = free.text.strip()
        if self.separate:
            shown = f"{ASK_NUMBER_OF}\n\n{write_options(item.options)}\n\nAnswer:\n{said}"
            return _number(shown, "", form, facts)
        if form is ModelForm.BASE:
            return _number(f"{item.text}\n\n{CHOOSE_FREELY}\n{said}\n", ASK_NUMBER, form, facts)
        messages = (
            Message("user", _opening(item.text, CHOOSE_FREELY)),
            Message("assistant", said),
            Message("user", ASK_NUMBER),
        )
        return GenerationRequest(messages, _sampling(NUMBER_TOKENS[form]), facts)


def write_options(options: Sequence[str]) -> str:
    """The options as a numbered list, in the order given."""
    lines = (f"Option {number}: {option}" for number, option in enumerate(options, 1))
    return "\n".join(("Options:", *lines))


def _opening(text: str, ask: str) -> str:
    return f"{INTRODUCTION}\n\n{text}\n\n{ask}"


def _free(text: str, form: ModelForm, facts: dict[str, Any]) -> Request:
    shown = _opening(text, CHOOSE_FREELY)
    if form is ModelForm.CHAT:
        return GenerationRequest((Message("user", shown),), _sampling(FREE_TOKENS), facts)
    message = Message("text", f"{shown}\n")
    return GenerationRequest((message,), _sampling(FREE_TOKENS, NEXT_TEXT), facts)


def _number(text: str, ask: str, form: ModelForm, facts: dict[str, Any]) -> Request:
    shown = _opening(text, ask) if ask == CHOOSE_NOW else f"{text}\n\n{ask}".strip()
    if form is ModelForm.CHAT:
        return GenerationRequest((Message("user", shown),), _sampling(NUMBER_TOKENS[form]), facts)
    message = Message("text", f"{shown}\n{OPTION_CUE}")
    return GenerationRequest((message,), _sampling(NUMBER_TOKENS[form], ("\n",)), facts)


def _sampling(tokens: int, stop: tuple[str, ...] = ()) -> Sampling:
    return Sampling(max_new_tokens=tokens, stop=stop)


DECISION_STRATEGIES = (
    Decide(
        "think-then-choose",
        "Think, then choose",
        "The model thinks in a few sentences and then names its option, in one conversation.",
        thinks=True,
    ),
    Decide(
        "two-conversations",
        "Think, read by a second conversation",
        "As in the paper: a new conversation says which option the free answer chose.",
        thinks=True,
        separate=True,
    ),
    Decide(
        "choose",
        "Choose at once",
        "The model names its option without thinking first.",
        thinks=False,
    ),
)
"""One conversation, two as published, and at once."""


_MARKS = r"[\s\"'“”‘’`*_#:=(\[-]*"
_OPTION = re.compile(rf"\boptions?{_MARKS}(?P<number>\d{{1,3}})(?![\d%.]*\d|\s*%)", re.IGNORECASE)
_REJECTED = re.compile(
    r"(?:\b(?:rather than|instead of|not|over|than|against|nor|neither|without|between|versus"
    r"|vs\.?)"
    r"\s+(?:choose\s+|choosing\s+|pick\s+|picking\s+|take\s+|taking\s+)?(?:the\s+)?)\Z",
    re.IGNORECASE,
)
_CHOOSES = re.compile(
    r"\b(?:i(?:'d| would| will|'ll| am going to)?\s+(?:therefore\s+|finally\s+)?"
    r"(?:choose|chose|pick|select|go with|opt for|settle on|decide on|take)"
    r"|(?:my|the|our)\s+(?:final\s+|own\s+)?(?:answer|choice|decision|selection)"
    r"\s*(?:is|would be|:))"
    rf"{_MARKS}(?:the\s+)?\Z",
    re.IGNORECASE,
)
_ALSO = re.compile(r"\W*(?:,|/|&|\bor\b|\band\b|\bto\b)\W*(?:options?\W*)?\d", re.IGNORECASE)
_BARE = re.compile(r"[\s\"'“”`*_(\[]*(?P<number>\d{1,3})[\s\"'“”`*_)\].:]*")
_LISTED = re.compile(r"[\s\"'`*_(\[]*(?P<number>\d{1,3})[)\].:][*_]*\s+(?P<wording>\S.*)")
_NONE = re.compile(r"\bno option (?:was |is |has been )?(?:selected|chosen)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OptionReading:
    """Which option a response chooses.

    Attributes:
        number: its number as it was shown, from 1; None where none can be read.
        rule: name of the rule that read it; explanation: that rule in a sentence.
        span: where it stands in the response.
    """

    number: int | None
    rule: str
    explanation: str
    span: tuple[int, int] | None = None


def read_option(text: str, options: Sequence[str], *, cut_off: bool = False) -> OptionReading:
    """The option that a response chooses.

    Args:
        text: the whole response.
        options: their wordings in the order in which they were shown.
        cut_off: whether it was cut off at its length, so that its end may be missing.
    """
    stated = [match for match in _OPTION.finditer(text) if not _rejected(text, match)]
    if stated:
        return _of_stated(text, stated, len(options))
    body = text.strip()
    bare = _BARE.fullmatch(body)
    if bare is not None:
        start = text.find(body)
        span = (start + bare.start("number"), start + bare.end("number"))
        return _offered(int(bare["number"]), len(options), "bare", "A bare number.", span)
    listed = _LISTED.fullmatch(body)
    if listed is not None and "\n" not in body:
        number = int(listed["number"])
        if 1 <= number <= len(options) and _same(listed["wording"], options[number - 1]):
            start = text.find(body)
            span = (start + listed.start("number"), start + listed.end("number"))
            return OptionReading(number, "listed", "One line of the list, with its number.", span)
    if _NONE.search(text):
        return OptionReading(None, "none", "The response says that no option was selected.")
    return _by_wording(text, options, cut_off)


def _rejected(text: str, match: re.Match[str]) -> bool:
    return _REJECTED.search(text, max(0, match.start() - 40), match.start()) is not None


def _of_stated(text: str, stated: Sequence[re.Match[str]], offered: int) -> OptionReading:
    chosen = [
        each for each in stated if _CHOOSES.search(text, max(0, each.start() - 60), each.start())
    ]
    named = {int(each["number"]) for each in stated}
    if len(named) > 1 and not chosen and not _ends_with(text, stated[-1]):
        return OptionReading(
            None, "several", "Several options are named and none is said to be the choice."
        )
    last = (chosen or stated)[-1]
    if _ALSO.match(text, last.end("number")):
        return OptionReading(None, "several", "The choice names several options.")
    rule = "chosen" if chosen else "stated"
    said = "that is said to be chosen" if chosen else "that is named"
    return _offered(
        int(last["number"]), offered, rule, f"The last option {said}.", last.span("number")
    )


def _ends_with(text: str, match: re.Match[str]) -> bool:
    """Whether the option is a line of its own at the end."""
    begin = text.rfind("\n", 0, match.start()) + 1
    before = text[begin : match.start()].strip(" \t\"'“”‘’`*_#:=([-")
    return before.lower() in ("", "answer", "final answer", "choice", "final choice") and not (
        text[match.end() :].strip().count("\n")
    )


def _offered(
    number: int, offered: int, rule: str, explanation: str, span: tuple[int, int]
) -> OptionReading:
    if 1 <= number <= offered:
        return OptionReading(number, rule, explanation, span)
    return OptionReading(
        None, "not offered", f"Option {number} was not offered: there are {offered}.", span
    )


def _by_wording(text: str, options: Sequence[str], cut_off: bool) -> OptionReading:
    """The option whose wording is all that the response, or its last line, says."""
    lines = [line for line in text.strip().split("\n") if line.strip()]
    parts = [text, *([] if cut_off or not lines else [lines[-1]])]
    for part in parts:
        for number, option in enumerate(options, 1):
            if _same(part, option):
                start = text.rfind(part.strip())
                return OptionReading(
                    number, "wording", "The wording of this option and nothing else.",
                    (start, start + len(part.strip())),
                )  # fmt: skip
    return OptionReading(None, "unread", "No option is named.")


def _same(one: str, other: str) -> bool:
    return _plain(one) == _plain(other)


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w%+-]+", " ", text).split()).casefold()


NAME = "decision"
"""Of the study."""

ON_SCALE, REVERSED = "as on the scale", "reversed"
"""How the options of a pair stand."""


@dataclass(frozen=True, slots=True)
class ArmText:
    """What one arm of a case shows.

    Attributes:
        before: what stands in front of the options.
        options: in the order of the scale.
        after: what follows them; mostly nothing.
    """

    before: str
    options: tuple[str, ...]
    after: str = ""


def pair_of(case: Case, *, is_reversed: bool) -> Pair:
    """Both arms of a case as a pair; the options of both in the same order."""
    facts = {
        "bias": case.bias.id,
        "scenario": case.vignette.id,
        "values": dict(case.values),
        "kappa": case.metric.kappa,
    }
    arms = [ArmText(f"{arm.text}\n\n", arm.options) for arm in (case.control, case.treatment)]
    return _pair(
        arms, facts, case.metric, case.classic, case.vignette.field, is_reversed=is_reversed
    )


def pair_of_texts(
    bias: str, scenario: str, field: str, control: ArmText, treatment: ArmText, metric: Metric
) -> Pair:
    """A case whose texts somebody else wrote, with its options in the order of the scale.

    Args:
        bias: id of its bias here.
        scenario: what its file calls the scene; cases of one scene are one cluster.
        field: of work; "" where nothing says it.
        control: its text.
        treatment: its text, with as many options.
        metric: the parameters of its score.
    """
    facts = {
        "bias": bias,
        "scenario": scenario,
        "values": {},
        "kappa": metric.kappa,
        # Cases may have an arm in common; an item of each keeps them apart.
        "imported": content_hash(str((control, treatment, metric))),
    }
    classic = _most_biased(metric, len(control.options))
    return _pair([control, treatment], facts, metric, classic, field, is_reversed=False)


def on_scale(item: Item) -> ArmText:
    """What an item shows, with its options in the order of the scale."""
    before, _, after = item.text.rpartition(write_options(item.options))
    is_reversed = item.facts["reversed"]
    return ArmText(before, item.options[::-1] if is_reversed else item.options, after)


def turned(pair: Pair) -> Pair:
    """The same pair with the options of both arms in the other order."""
    one, other = pair.x.facts, pair.x_prime.facts
    facts = {name: one[name] for name in one if name not in _OF_AN_ARM}
    metric = Metric(one["kappa"], one["gamma"], other["gamma"])
    arms = [on_scale(item) for item in (pair.x, pair.x_prime)]
    classic = (one["classic"], other["classic"])
    field = str(pair.strata.get("field", ""))
    return _pair(arms, facts, metric, classic, field, is_reversed=not one["reversed"])


_OF_AN_ARM = ("arm", "reversed", "gamma", "scale", "asked", "classic")


def _pair(
    arms: list[ArmText],
    facts: Mapping[str, Any],
    metric: Metric,
    classic: tuple[int, int],
    field: str,
    *,
    is_reversed: bool,
) -> Pair:
    items = []
    ends = zip(arms, (metric.gamma1, metric.gamma2), classic, strict=True)
    for place, (arm, gamma, extreme) in enumerate(ends):
        options = tuple(reversed(arm.options)) if is_reversed else arm.options
        text = f"{arm.before}{write_options(options)}{arm.after}"
        known = {
            **facts,
            "arm": "treatment" if place else "control",
            "reversed": is_reversed,
            "gamma": gamma,
            "scale": len(options),
            # Cases that show the same are asked once, and chance has to allow for that.
            "asked": content_hash(text),
        }
        # Two pairs may show one control with different points to measure from, so the text
        # alone does not identify an item. A response is kept by its messages: it is asked once.
        identity = content_hash(NAME, text, options, sorted(known.items(), key=str))
        # For simulated learners alone: no part of what identifies the item.
        items.append(Item(identity, text, "", {**known, "classic": extreme}, options))
    scene = f"{facts['bias']}/{facts['scenario']}"
    strata: dict[str, Value] = {"bias": facts["bias"]}
    if field:
        strata["field"] = field
    strata |= {"order": REVERSED if is_reversed else ON_SCALE, "scenario": scene}
    return Pair.of(items[0], items[1], strata, cluster=scene)


def _most_biased(metric: Metric, options: int) -> tuple[int, int]:
    """The answers of control and treatment that move farthest in the direction of the bias."""

    def moved(answers: tuple[int, ...]) -> int:
        one, other = answers
        return metric.kappa * (abs(one - metric.gamma1) - abs(other - metric.gamma2))

    one, other = max(product(range(options), repeat=2), key=moved)
    return one, other
