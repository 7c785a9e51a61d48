"""Scenes of a bias written by a language model: what is asked, and every answer checked.

The contents of the gaps are asked for once and stand in both arms alike, so nothing but what the
file marks can differ. An answer is JSON keyed by gap; no gap may be missing, unknown, empty or a
copy of its instruction, each keeps its slot's rules, and none says nearly the same as a scene
before it. What passes is still looked at by a person before it is used. The generating step of
Malberg et al. (2024) asks a model for every case; there, a person looked at a sample.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice, pairwise

from biaslab.models import (
    Completion,
    GenerationRequest,
    Message,
    ModelForm,
    ModelIdentity,
    ModelKind,
    Sampling,
)
from biaslab.stats.estimates import Interval, wilson
from biaslab.studies.decisions.biases.checking import check_scenes
from biaslab.studies.decisions.biases.document import BiasError
from biaslab.studies.decisions.biases.files import with_vignettes
from biaslab.studies.decisions.biases.filling import of_arm
from biaslab.studies.decisions.biases.scenarios import Ask, Scenario
from biaslab.studies.decisions.biases.template import Bias, Vignette, VignetteSlot
from biaslab.studies.study import content_hash
from schoolmath.text.figures import count, percent

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
    return diversity_of({each.id: _text(each) for each in vignettes})


def diversity_of(texts: Mapping[str, str]) -> Diversity:
    """The figures of some texts, by id; the first `MOST_COMPARED` are checked.

    Raises:
        ValueError: there are none.
    """
    if not texts:
        raise ValueError("There are no scenes.")
    worded = {name: _words(text) for name, text in islice(texts.items(), MOST_COMPARED)}
    words = [word for each in worded.values() for word in each]
    pairs = [pair for each in worded.values() for pair in pairwise(each)]
    shared = {
        (one, other): _jaccard(set(worded[one]), set(worded[other]))
        for one, other in combinations(worded, 2)
    }
    closest = max(shared, key=shared.__getitem__, default=None)
    return Diversity(
        len(texts),
        len(set(words)) / (len(words) or 1),
        len(set(pairs)) / (len(pairs) or 1),
        sum(shared.values()) / len(shared) if shared else None,
        closest,
        0.0 if closest is None else shared[closest],
    )


def neighbouring_words(vignette: Vignette) -> frozenset[tuple[str, str]]:
    """The different pairs of words that stand next to each other in a scene."""
    return frozenset(pairwise(_words(_text(vignette))))


def _text(vignette: Vignette) -> str:
    texts = []
    for content in vignette.slots.values():
        texts += [content] if isinstance(content, str) else list(content.values())
    return " ".join(texts)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _jaccard(one: set[str], other: set[str]) -> float:
    return len(one & other) / (len(one | other) or 1)


ASK = """\
Below is a text with gaps in curly brackets. Fill its gaps for a scene {scene}.

Text:
{text}

What stands in each gap:
{gaps}

- The gaps together make one natural, consistent scene, in plain English a teacher would enjoy.
- A gap fits its place: what stands there is put into the text exactly as you write it. Where a \
gap has a capital, as in {{Name}}, the app writes the first letter large.
- Invent something of your own; no real people, firms or brands.
- Hint at no answer and give no advice.

Answer with one JSON object and nothing else, with a text of your own for each “…”:
{shape}"""
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
class SceneResult:
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


def gap_request(
    bias: Bias, field: str, form: ModelForm, seed: int, scenario: str = ""
) -> GenerationRequest:
    """Asks for one scene.

    Args:
        bias: with slots.
        field: the field of work in which it is set.
        form: how the model wants to be addressed.
        seed: other seeds, other scenes.
        scenario: who decides what, in place of the field alone.

    Raises:
        BiasError: the bias has no gaps to fill.
    """
    keys = gap_keys(bias)
    if not keys:
        raise BiasError(f"The bias “{bias.name}” has no gaps that a model could fill.")
    treatment = of_arm(bias.text, 1).replace("@", " for ")
    text = ASK.format(
        scene=f"about {scenario}" if scenario else f"from this field of work: {field}",
        text=treatment,
        gaps="\n".join(f"- {key}: {told}" for key, told in keys.items()),
        shape=json.dumps(dict.fromkeys(keys, "…"), ensure_ascii=False),
    )
    sampling = Sampling(ANSWER_TOKENS, TEMPERATURE, seed)
    if form is ModelForm.CHAT:
        return GenerationRequest((Message("user", text),), sampling)
    return GenerationRequest((Message("text", text + CUE),), sampling)


def read_filling(bias: Bias, answer: str, vignette_id: str, field: str) -> SceneResult:
    """What a model's answer gives, with everything that is wrong with it."""
    given = _object(answer)
    if given is None:
        return SceneResult(None, ("The answer holds no JSON object.",))
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
        return SceneResult(None, tuple(faults))
    contents = {key: str(given[key]) for key in keys}
    filled = judged(bias, Vignette(vignette_id, field, _slots(bias, contents)))
    assert filled.vignette is not None
    short = [_too_short(bias, name, filled.vignette) for name in filled.vignette.slots]
    return replace(filled, faults=(*filled.faults, *filter(None, short)))


def judged(bias: Bias, vignette: Vignette) -> SceneResult:
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
    return SceneResult(tidied, tuple(dict.fromkeys(found)))


_FEWEST_SCENES = 5
"""With fewer scenes nothing is said about how long a text is."""


def _too_short(bias: Bias, name: str, vignette: Vignette) -> str:
    """Says that a text has less than half the words of the shortest that stands there, or ""."""
    if len(bias.vignettes) < _FEWEST_SCENES:
        return ""
    there = [each for other in bias.vignettes for each in _each(other.slots[name])]
    shortest = min(len(text.split()) for text in there)
    words = min(len(text.split()) for text in _each(vignette.slots[name]))
    if 2 * words >= shortest:
        return ""
    return (
        f"{name}: It has {count(words, 'word')}; the shortest scene there is has "
        f"{shortest} in this place."
    )


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


MOST_SCENES = 1_000
"""Most scenes that are asked for at once."""

MOST_SHARED = 0.5
"""A scene that shares a larger part of its neighbouring pairs of words with one before it says
nearly the same. Scenes by people share at most 0.22."""

FIELDS = (
    "a school", "a hospital", "a farm", "a shop", "a library", "a town hall", "a bakery",
    "a museum", "a laboratory", "a railway", "a sports club", "a theatre",
)  # fmt: skip
"""Fields of work for a bias that has no vignettes yet."""

_NO_ANSWER = "No answer came: "
_QUOTED = re.compile(r"“[^”]*”|\b\d[\d.,]*(?: %)?")


@dataclass(frozen=True, slots=True)
class WrittenScene:
    """A scene that a model was asked for, and what became of it.

    Attributes:
        number: which one, from 1; a second attempt has the number of the first.
        field: of work, as asked.
        filled: the scene with what speaks against it.
        answer: what the model wrote; "" where no answer came.
        answered: whether one came at all.
    """

    number: int
    field: str
    filled: SceneResult
    answer: str
    answered: bool = True

    @property
    def sound(self) -> Vignette | None:
        """The scene, where nothing speaks against it."""
        return None if self.filled.faults else self.filled.vignette


@dataclass(frozen=True, slots=True)
class WrittenScenes:
    """All scenes of one asking, in the order of the requests."""

    bias: Bias
    scenes: tuple[WrittenScene, ...]

    @property
    def sound(self) -> tuple[Vignette, ...]:
        """Those that passed every check."""
        return tuple(each.sound for each in self.scenes if each.sound is not None)

    @property
    def answered(self) -> int:
        """How many requests had an answer: the others count nowhere."""
        return sum(each.answered for each in self.scenes)

    @property
    def keep_rate(self) -> float | None:
        """Share of the answers that passed, 0..1; None without answers."""
        return len(self.sound) / self.answered if self.answered else None

    @property
    def interval(self) -> Interval | None:
        """Of the keep rate: Wilson, 95 %."""
        return wilson(len(self.sound), self.answered)

    def reasons(self) -> list[tuple[str, int]]:
        """Why scenes were refused: see `refusals`."""
        return refusals(each.filled for each in self.scenes)

    def file(self, bias_text: str, model: str, *, beside: bool = False) -> str:
        """A bias file with the sound scenes, under an id of its own.

        Args:
            bias_text: the file of the bias that they were written for.
            model: who wrote them, for its notes.
            beside: whether the scenes that the bias has stay in front of them.
        """
        return with_vignettes(
            bias_text,
            [*(self.bias.vignettes if beside else ()), *self.sound],
            f"{self.bias.id}-written"[:80],
            f"{self.bias.name}, scenes by a model",
            f"{count(len(self.sound), 'scene')} written by {model}, checked by rules and read by "
            "nobody.",
        )


def refusals(scenes: Iterable[SceneResult]) -> list[tuple[str, int]]:
    """Kinds of reasons why scenes cannot be used, the most frequent first; names left out."""
    return Counter(
        kind for each in scenes for kind in {_kind(fault) for fault in each.faults}
    ).most_common()


def _kind(fault: str) -> str:
    """A reason without what it quotes; why no answer came is told in full."""
    return fault if fault.startswith(_NO_ANSWER) else _QUOTED.sub("…", fault)


def scenes_written(
    bias: Bias,
    ask: Ask,
    form: ModelForm,
    number: int,
    seed: int = 1,
    scenarios: Sequence[Scenario] = (),
    attempts: int = 1,
) -> Iterator[WrittenScene]:
    """Asks for scenes; each appears when its answer has come and has been checked.

    A scene that says nearly the same as one that came before is told with that as its fault.

    Args:
        bias: whose gaps are filled.
        ask: the model.
        form: how it wants to be addressed.
        number: of scenes; scenarios or else the bias's fields of work take turns.
        seed: of the first request; each has one of its own.
        scenarios: who decides what.
        attempts: how often a scene is asked for until it passes.

    Raises:
        BiasError: the bias has no gaps.
        ValueError: the number is not from 1 to `MOST_SCENES`.
    """
    if not 1 <= number <= MOST_SCENES:
        raise ValueError(f"From 1 to {MOST_SCENES:,} scenes can be asked for at once.")
    named = [(each.field, each.text) for each in scenarios]
    named = named or [(field, "") for field in bias.fields or FIELDS]
    before: dict[int, frozenset[tuple[str, str]]] = {}
    missing = list(range(number))
    for attempt in range(attempts):
        chosen = [named[place % len(named)] for place in missing]
        requests = [
            gap_request(bias, field, form, seed + attempt * number + place, scenario)
            for place, (field, scenario) in zip(missing, chosen, strict=True)
        ]
        for at, answer in ask(requests):
            place, field = missing[at], chosen[at][0]
            if isinstance(answer, Completion):
                yield _scene(bias, answer.text, place + 1, field, before)
            else:
                failed = SceneResult(None, (f"{_NO_ANSWER}{answer.reason}",))
                yield WrittenScene(place + 1, field, failed, "", answered=False)
        missing = [place for place in missing if place + 1 not in before]
        if not missing:
            return


def _scene(
    bias: Bias,
    answer: str,
    number: int,
    field: str,
    before: dict[int, frozenset[tuple[str, str]]],
) -> WrittenScene:
    """What an answer gives; a scene that passes is noted among those before."""
    filled = read_filling(bias, answer, f"written-{number}", field)
    if filled.vignette is not None and not filled.faults:
        words = neighbouring_words(filled.vignette)
        like = max(before, key=lambda each: _shared(words, before[each]), default=None)
        if like is not None and _shared(words, before[like]) > MOST_SHARED:
            share = percent(_shared(words, before[like]), 0)
            fault = f"It says nearly the same as scene {like}: they share {share} of their "
            filled = replace(filled, faults=(f"{fault}neighbouring words.",))
        else:
            before[number] = words
    return WrittenScene(number, field, filled, answer)


def write_scenes(
    bias: Bias,
    ask: Ask,
    form: ModelForm,
    number: int,
    seed: int = 1,
    on_scene: Callable[[WrittenScene], object] | None = None,
    scenarios: Sequence[Scenario] = (),
    attempts: int = 1,
) -> WrittenScenes:
    """All of `scenes_written`, in order.

    Args:
        bias: as there.
        ask: as there.
        form: as there.
        number: as there.
        seed: as there.
        on_scene: called with each as it comes.
        scenarios: as there.
        attempts: as there.
    """
    found = []
    for each in scenes_written(bias, ask, form, number, seed, scenarios, attempts):
        found.append(each)
        if on_scene is not None:
            on_scene(each)
    return WrittenScenes(bias, tuple(sorted(found, key=lambda scene: scene.number)))


def _shared(one: frozenset[tuple[str, str]], other: frozenset[tuple[str, str]]) -> float:
    return len(one & other) / (len(one | other) or 1)


def check_writer(identity: ModelIdentity) -> None:
    """Refuses models that cannot write scenes.

    Raises:
        BiasError: it is a simulated learner or a tiny model.
    """
    if identity.kind is not ModelKind.LANGUAGE_MODEL:
        raise BiasError(
            f"“{identity.spec}” is a {identity.kind} and cannot write scenes: it knows numbers "
            "only. Choose a language model, on a server or in a folder of this computer."
        )
