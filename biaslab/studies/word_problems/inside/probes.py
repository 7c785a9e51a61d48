"""Where in a network the operation can be read off: a linear probe at each layer and place.

Probes are fitted to generated pairs of one-step additive comparisons of one seed and asked about
pairs of another. Both members of every pair are among the texts, half of them with + and half with
-, so "more" goes with + exactly as often as with -: a probe that sees the cue word alone is right
half the time. Nor do the numbers tell: the second one is always the smaller, as it must be where
it is taken away. Two controls: the same probes fitted to shuffled labels must be at chance, and a
probe for the cue word itself must be right at that word as it goes in.

A probe tells what can be read there, not that the model uses it: `...inside.swaps` does. Near the
answer it may read the size of the number that is about to be written, as sums are larger than
differences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from biaslab.models import ModelForm
from biaslab.models.activations import PlacedText, ProbeRequest, ProbeResult, Span
from biaslab.stats.errors import BrokenOutcomes
from biaslab.stats.estimates import Interval, clustered_share
from biaslab.studies.study import Design, Item, experiment
from biaslab.studies.word_problems.inside.word_by_word import DIRECT

PAIRS = 200
"""Pairs that probes are fitted to, and as many others that they are asked about."""

FITTED_SEED, TESTED_SEED = 11, 12

SHUFFLES = 10
"""How often labels are shuffled for the control."""

PLACES = (
    "first name of the comparison",
    "number of the comparison",
    "word “more” or “fewer”",
    "end of the comparison",
    "name in the question",
    "end of the question",
    "first word after the problem",
    "last word before the answer",
)
"""Where is probed, in the order of most texts."""

CUE_PLACE = 2
"""The place of the word that suggests an operation."""

_SETTINGS = {"steps": "1-1", "operations": "additive"}
_WORD = re.compile(r"\S+")
_OPERATION, _CUE, _SHUFFLED = "operation", "cue", "shuffled"


@dataclass(frozen=True, slots=True)
class ProbeText:
    """A problem that is probed.

    Attributes:
        marked: the prompt and its places.
        pair: which pair it is of.
        plus: whether the right answer needs +; more: whether its comparison says "more".
    """

    marked: PlacedText
    pair: str
    plus: bool
    more: bool

    @property
    def inconsistent(self) -> bool:
        """Whether the cue word suggests the wrong operation."""
        return self.plus != self.more


@dataclass(frozen=True, slots=True)
class Probes:
    """What is asked of a model."""

    tested: tuple[ProbeText, ...]
    request: ProbeRequest


@dataclass(frozen=True, slots=True)
class ProbeAccuracy:
    """How often a probe named the operation of a problem that it had not seen.

    Attributes:
        layer: 0 is the words as they go in, n what comes out of the nth block; place: a number of
            `PLACES`.
        right: texts of which it named the right one, of n; interval: 95 %, the two members of a
            pair counted as one observation as far as they agree (`clustered_share`).
        inconsistent: share among the inconsistent members alone.
        shuffled: share of probes fitted to shuffled labels, all `SHUFFLES` of them together.
        cue: share of a probe for the cue word instead of the operation.
    """

    layer: int
    place: int
    right: int
    n: int
    interval: Interval
    inconsistent: float
    shuffled: float
    cue: float

    @property
    def share(self) -> float:
        """From 0 to 1; 0.5 is guessing."""
        return self.right / self.n


@cache
def probes(form: ModelForm, pairs: int = PAIRS) -> Probes:
    """The texts, places and labels for models of one form.

    Args:
        form: how the model wants to be addressed.
        pairs: how many are fitted to, and how many tested; even.
    """
    fitted = _texts(FITTED_SEED, pairs, form, frozenset())
    tested = _texts(TESTED_SEED, pairs, form, frozenset(each.marked for each in fitted))
    plus = np.array([each.plus for each in fitted])
    draw = np.random.default_rng(FITTED_SEED)
    labels = {
        _OPERATION: tuple(each.plus for each in fitted),
        _CUE: tuple(each.more for each in fitted),
    } | {
        f"{_SHUFFLED} {number}": tuple(map(bool, draw.permutation(plus)))
        for number in range(SHUFFLES)
    }
    request = ProbeRequest(
        tuple(each.marked for each in fitted), tuple(each.marked for each in tested), labels
    )
    return Probes(tested, request)


def accuracies(probes: Probes, probed: ProbeResult) -> list[ProbeAccuracy]:
    """How often the probes were right: layer by layer, and place by place in each.

    Raises:
        BrokenOutcomes: there is not one answer for each text, place and label.
    """
    said = {name: np.array(values, dtype=bool) for name, values in probed.said.items()}
    shapes = {values.shape[1:] for values in said.values()}
    if set(said) != set(probes.request.labels) or shapes != {(len(PLACES), len(probes.tested))}:
        raise BrokenOutcomes("There is not one answer for each text, place and label: ask again.")
    plus = np.array([each.plus for each in probes.tested])
    more = np.array([each.more for each in probes.tested])
    pair = np.array([each.pair for each in probes.tested], dtype=object)
    shuffled = np.stack([said[name] for name in said if name.startswith(_SHUFFLED)])
    found = []
    for layer, place in np.ndindex(said[_OPERATION].shape[:2]):
        hits = said[_OPERATION][layer, place] == plus
        interval = clustered_share(hits.astype(np.float64), pair, len(hits))
        assert interval is not None  # there are texts
        found.append(
            ProbeAccuracy(
                layer,
                place,
                int(hits.sum()),
                len(hits),
                interval,
                float(hits[plus != more].mean()),
                float((shuffled[:, layer, place] == plus).mean()),
                float((said[_CUE][layer, place] == more).mean()),
            )
        )
    return found


def _texts(
    seed: int, pairs: int, form: ModelForm, used: frozenset[PlacedText]
) -> tuple[ProbeText, ...]:
    """Both members of so many pairs, half of them with each operation, none seen before."""
    found: dict[bool, list[ProbeText]] = {True: [], False: []}
    for both in _both(seed, pairs, form):
        some = found[both[0].plus]
        if len(some) < pairs and not used & {each.marked for each in both}:
            some += both
    return (*found[True], *found[False])


def _both(seed: int, pairs: int, form: ModelForm) -> Iterator[Sequence[ProbeText]]:
    # More than are needed: where one adds, the second number is as often the larger one.
    for pair in experiment("consistency").pairs(Design("consistency", 3 * pairs, seed, _SETTINGS)):
        (step,) = pair.x.facts["steps"]
        if step["right"] >= step["left"]:
            continue
        both = [_text(item, pair.id, form) for item in (pair.x, pair.x_prime)]
        if all(both):
            yield [each for each in both if each is not None]


def _text(item: Item, pair: str, form: ModelForm) -> ProbeText | None:
    """The text with its places; None where one of them is not found."""
    asked = DIRECT.next_request(item, (), form)
    assert asked is not None  # the first request of a strategy
    content = asked.messages[-1].content
    ends = [match.end() for match in _WORD.finditer(content)]
    ends[-1] = len(content)
    words = content.split()
    before = len(content[: content.index(item.text)].split())
    (step,) = item.facts["steps"]
    lengths = [len(sentence.split()) for sentence in item.facts["sentences"]]
    start = before + lengths[0]
    end, asks = start + lengths[1], start + lengths[1] + lengths[2]
    people = {item.text.split()[0], str(step["agent"])}
    bare = [word.strip(".,?") for word in words]
    named = [at for at in range(start, asks) if bare[at] in people]
    number = next((at for at in range(start, end) if bare[at] == str(step["right"])), None)
    if number is None or not named or named[0] >= end or named[-1] < end:
        return None
    at = (named[0], number, number + 1, end - 1, named[-1], asks - 1, asks, len(words) - 1)
    cue = bare[number + 1]
    if cue not in ("more", "fewer"):
        return None
    spans = [Span(ends[place - 1] if place else 0, ends[place]) for place in at]
    return ProbeText(
        PlacedText(asked.messages, tuple(spans)), pair, str(step["operation"]) == "+", cue == "more"
    )
