"""Scenes of a bias written by a language model: what is asked, and whether the answer will do.

The contents of the gaps are asked for once and stand in both arms alike, so nothing but what the
file marks can differ. An answer is JSON keyed by gap; no gap may be missing, unknown, empty or a
copy of its instruction, and each keeps its slot's rules. What passes is still looked at by a
person before it is used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from biaslab.models import GenerationRequest, Message, ModelForm, Sampling
from biaslab.studies.decisions.biases.checking import check_scenes
from biaslab.studies.decisions.biases.errors import BiasError
from biaslab.studies.decisions.biases.filling import of_arm
from biaslab.studies.decisions.biases.template import Bias, Vignette, VignetteSlot
from biaslab.studies.study import content_hash

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
MOST_COMPARED = 200
"""More scenes than this are not compared pair by pair."""


@dataclass(frozen=True, slots=True)
class Diversity:
    """How different some scenes are.

    Attributes:
        scenes: how many.
        distinct_words: different words among all words, 0..1.
        distinct_pairs: different pairs of neighbouring words among all such pairs, 0..1.
        overlap: mean share of words that two scenes have in common (Jaccard), 0..1; None for a
            single scene.
        closest: ids of the two that share most; closest_overlap: how much.
    """

    scenes: int
    distinct_words: float
    distinct_pairs: float
    overlap: float | None
    closest: tuple[str, str] | None
    closest_overlap: float


def diversity(vignettes: Sequence[Vignette]) -> Diversity:
    """The figures of some scenes.

    Raises:
        ValueError: there are none.
    """
    if not vignettes:
        raise ValueError("There are no scenes.")
    worded = {each.id: _words(each) for each in vignettes[:MOST_COMPARED]}
    words = [word for each in worded.values() for word in each]
    pairs = [pair for each in worded.values() for pair in pairwise(each)]
    shared = {
        (one, other): _jaccard(set(worded[one]), set(worded[other]))
        for one, other in combinations(worded, 2)
    }
    closest = max(shared, key=shared.__getitem__, default=None)
    return Diversity(
        len(vignettes),
        len(set(words)) / (len(words) or 1),
        len(set(pairs)) / (len(pairs) or 1),
        sum(shared.values()) / len(shared) if shared else None,
        closest,
        0.0 if closest is None else shared[closest],
    )


def neighbouring_words(vignette: Vignette) -> frozenset[tuple[str, str]]:
    """The different pairs of words that stand next to each other in a scene."""
    return frozenset(pairwise(_words(vignette)))


def _words(vignette: Vignette) -> list[str]:
    texts = []
    for content in vignette.slots.values():
        texts += [content] if isinstance(content, str) else list(content.values())
    return _WORD.findall(" ".join(texts).lower())


def _jaccard(one: set[str], other: set[str]) -> float:
    return len(one & other) / (len(one | other) or 1)


ASK = """\
Below is a text with gaps in curly brackets. Fill its gaps for a scene from this field of work: \
{field}.

Text:
{text}

What stands in each gap:
{gaps}

- The gaps together make one natural, consistent scene, in plain English a teacher would enjoy.
- A gap fits its place: what stands there is put into the text exactly as you write it. Where a \
gap has a capital, as in {{Name}}, the app writes the first letter large.
- Invent something of your own; no real people, firms or brands.
- Hint at no answer and give no advice.

Answer with one JSON object and nothing else. Its keys are exactly these, each with a text:
{keys}"""
"""What is asked."""

CUE = "\n\nJSON:\n"
"""Ends the prompt of a model that continues text."""

ANSWER_TOKENS = 1024
TEMPERATURE = 0.9
PROMPT_VERSION = content_hash(ASK, CUE, ANSWER_TOKENS)
"""Changes whenever the wording of the prompt does."""

_SENTENCE_END = re.compile(r"[.!?…][\"”’)]*\Z")
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Filled:
    """What came of a model's answer.

    Attributes:
        vignette: the scene, tidied; None where the answer holds no such object.
        faults: why it cannot be used, in sentences; none: a person may accept it.
    """

    vignette: Vignette | None
    faults: tuple[str, ...]


def gap_keys(bias: Bias) -> dict[str, str]:
    """What is asked for: the instruction of every gap by its key, ``slot`` or ``slot[choice]``."""
    found: dict[str, str] = {}
    for name, slot in bias.slots.items():
        choices = _choices(bias, slot)
        if not choices:
            found[name] = _instruction(slot, slot.instruction.get("", name))
        for choice in choices:
            said = slot.instruction.get(choice) or slot.instruction.get("", name)
            told = said if choice in slot.instruction else f"{said} (where {slot.by} is {choice})"
            found[f"{name}[{choice}]"] = _instruction(slot, told)
    return found


def gap_request(bias: Bias, field: str, form: ModelForm, seed: int) -> GenerationRequest:
    """Asks for one scene.

    Args:
        bias: with slots.
        field: the field of work in which it is set.
        form: how the model wants to be addressed.
        seed: other seeds, other scenes.

    Raises:
        BiasError: the bias has no gaps to fill.
    """
    keys = gap_keys(bias)
    if not keys:
        raise BiasError(f"The bias “{bias.name}” has no gaps that a model could fill.")
    treatment = of_arm(bias.text, 1).replace("@", " for ")
    text = ASK.format(
        field=field,
        text=treatment,
        gaps="\n".join(f"- {key}: {told}" for key, told in keys.items()),
        keys=json.dumps(list(keys), ensure_ascii=False),
    )
    sampling = Sampling(ANSWER_TOKENS, TEMPERATURE, seed)
    if form is ModelForm.CHAT:
        return GenerationRequest((Message("user", text),), sampling)
    return GenerationRequest((Message("text", text + CUE),), sampling)


def read_filling(bias: Bias, answer: str, vignette_id: str, field: str) -> Filled:
    """What a model's answer gives, with everything that is wrong with it."""
    given = _object(answer)
    if given is None:
        return Filled(None, ("The answer holds no JSON object.",))
    keys = gap_keys(bias)
    faults = [f"The gap “{key}” is missing." for key in keys if key not in given]
    faults += [f"There is no gap “{str(key)[:60]}”." for key in given if key not in keys]
    for key, instruction in keys.items():
        content = given.get(key)
        if content is None:
            continue
        if not isinstance(content, str):
            faults.append(f"What stands in “{key}” is no text.")
        elif not content.strip():
            faults.append(f"The gap “{key}” is empty.")
        elif _same(content, instruction) or _same(content, instruction.partition(" (")[0]):
            faults.append(f"What stands in “{key}” is its instruction.")
    if faults:
        return Filled(None, tuple(faults))
    contents = {key: str(given[key]) for key in keys}
    return judged(bias, Vignette(vignette_id, field, _slots(bias, contents)))


def judged(bias: Bias, vignette: Vignette) -> Filled:
    """A scene with its texts tidied, and what its bias's rules say against it."""
    tidied = replace(
        vignette,
        slots={
            name: _tidy(content, _is_sentence(bias, name))
            if isinstance(content, str)
            else {c: _tidy(text, _is_sentence(bias, name)) for c, text in content.items()}
            for name, content in vignette.slots.items()
        },
    )
    findings = check_scenes(replace(bias, vignettes=(tidied,)))
    found = [
        f"{finding.where.removeprefix('vignettes[0].')}: {finding.message}"
        for finding in findings
        if finding.fault and finding.where.startswith("vignettes[0]")
    ]
    if any(other.slots == tidied.slots for other in bias.vignettes):
        found.append("This scene is there already.")
    return Filled(tidied, tuple(dict.fromkeys(found)))


def _instruction(slot: VignetteSlot, instruction: str) -> str:
    rules = []
    if slot.words:
        rules.append(f"at most {slot.words} words")
    rules += [f"no {what}" for what in slot.forbid]
    return f"{instruction} ({', '.join(rules)})" if rules else instruction


def _choices(bias: Bias, slot: VignetteSlot) -> tuple[str, ...]:
    source = bias.values.get(slot.by)
    return tuple(map(str, getattr(source, "options", ())))


def _slots(bias: Bias, contents: Mapping[str, str]) -> dict[str, str | Mapping[str, str]]:
    found: dict[str, str | Mapping[str, str]] = {}
    for name, slot in bias.slots.items():
        choices = _choices(bias, slot)
        found[name] = (
            {choice: contents[f"{name}[{choice}]"] for choice in choices}
            if choices
            else contents[name]
        )
    return found


def _is_sentence(bias: Bias, name: str) -> bool | None:
    """Whether the slot's text ends in a full stop, as those do that are there; None: no telling."""
    ends = [
        _SENTENCE_END.search(text) is not None
        for vignette in bias.vignettes
        for text in _each(vignette.slots[name])
    ]
    if not ends:
        return None
    return sum(ends) * 2 > len(ends)


def _each(content: str | Mapping[str, str]) -> tuple[str, ...]:
    return (content,) if isinstance(content, str) else tuple(content.values())


def _tidy(text: str, is_sentence: bool | None) -> str:
    """One line without doubled spaces, its end as the slot wants it."""
    tidy = " ".join(text.split())[:_LONGEST]
    if is_sentence and _SENTENCE_END.search(tidy) is None:
        return f"{tidy}."
    if is_sentence is False:
        return tidy.rstrip(".!? ")
    return tidy


def _same(one: str, other: str) -> bool:
    return " ".join(one.lower().split()).strip(".") == " ".join(other.lower().split()).strip(".")


def _object(answer: str) -> dict[str, object] | None:
    """The first JSON object in an answer, whatever stands around it."""
    decoder = json.JSONDecoder()
    for match in re.finditer(r"\{", answer):
        try:
            found, _ = decoder.raw_decode(answer, match.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return found
    return None
