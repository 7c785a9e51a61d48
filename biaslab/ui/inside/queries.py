"""What was seen inside models, worked out once and then kept by the server.

For a pair, everything is asked of one process that opens the models one after the other: answers
word by word of all of them, and the swaps of the first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import streamlit as st

from biaslab.models import Access, Failure, Likelihood, LikelihoodRequest
from biaslab.models.activations import InsideRequest, ProbeResult, SwapResult
from biaslab.runs.jobs.one_off import ToScore, score_in_background
from biaslab.studies import Pair
from biaslab.studies.word_problems.inside.probes import ProbeAccuracy, accuracies, probes
from biaslab.studies.word_problems.inside.swaps import (
    NoSwaps,
    SwapEffects,
    Swaps,
    decided,
    swaps_of_pair,
)
from biaslab.studies.word_problems.inside.word_by_word import (
    Prefixes,
    WordByWord,
    prefixes_of_pair,
    word_by_word,
)
from biaslab.ui.inside.models import OpenModel
from biaslab.ui.widgets.words import plain

MOST_KEPT = 500
"""Pairs and models that are kept, those looked at last."""

Read: TypeAlias = tuple[WordByWord, WordByWord]
"""Both members of a pair, x first."""

Probing: TypeAlias = list[ProbeAccuracy]


class InsideView(NamedTuple):
    """What was seen of a pair.

    Attributes:
        found: answers word by word, by the model's label.
        refused: why the other models could not be asked.
        decided: what the swaps of the first model did, or a sentence on why there are none; None
            where they were not wanted.
    """

    found: dict[str, Read]
    refused: dict[str, str]
    decided: SwapEffects | str | None


@dataclass(frozen=True, slots=True)
class _ModelRequest:
    """What is still to be asked of one model.

    Attributes:
        cut: both members, where answers word by word are wanted; swaps: where they are.
    """

    model: OpenModel
    cut: tuple[Prefixes, Prefixes] | None
    swaps: Swaps | None

    @property
    def words(self) -> list[LikelihoodRequest]:
        return [] if self.cut is None else [each for one in self.cut for each in one.requests]

    @property
    def requests(self) -> list[LikelihoodRequest | InsideRequest]:
        return [*self.words, *([] if self.swaps is None else [self.swaps.request])]


@st.cache_resource(show_spinner=False)
def _shelf() -> OrderedDict[tuple[str, ...], Read | SwapEffects | Probing | str]:
    """What was worked out since this server was started; shared by all sessions."""
    return OrderedDict()


def is_kept(models: Sequence[OpenModel], pair: Pair, swaps: bool) -> bool:
    """Whether nothing has to be worked out for these models."""
    return not _missing(models, pair, swaps)


def look(models: Sequence[OpenModel], pair: Pair, swaps: bool) -> InsideView:
    """What each model would answer after each word, and where the first one decides it.

    A bar is drawn while it is being worked out. Clicking anything else on the page ends it; the
    models that are done by then are kept.

    Args:
        models: which; at least one.
        pair: of which problem.
        swaps: whether swaps are wanted, of the first model.

    Raises:
        RunError: the process that asks has ended early.
    """
    refused = _work_out(_missing(models, pair, swaps), pair)
    found: dict[str, Read] = {}
    for model in models:
        read = _taken(_key(model, pair))
        if isinstance(read, tuple):
            found[model.label] = read
    swapped = _decided(models[0], pair)
    _tidy()
    return InsideView(found, refused, swapped)


def is_probed(model: OpenModel) -> bool:
    """Whether the probe of this model was worked out."""
    return _probe_key(model) in _shelf()


def probe(model: OpenModel) -> Probing | str:
    """Where the operation can be read off inside a model, or a sentence on why it cannot.

    Raises:
        RunError: the process that asks has ended early.
    """
    key = _probe_key(model)
    kept = _taken(key)
    if isinstance(kept, list | str):
        return kept
    asked = probes(model.form)
    with (
        st.spinner(f"Probing {plain(model.label)} with {len(asked.tested)} problems …"),
        closing(score_in_background([ToScore(model.spec, Access(), [asked.request])])) as told,
    ):
        (answer,) = (each.answer for each in told)
    if isinstance(answer, Failure):
        if not answer.stops_run:
            _shelf()[key] = answer.reason
        return answer.reason
    assert isinstance(answer, ProbeResult)  # that is what was asked for
    found = accuracies(asked, answer)
    _shelf()[key] = found
    _tidy()
    return found


def _key(model: OpenModel, pair: Pair) -> tuple[str, ...]:
    return (model.id, pair.id, *(each.id for each in prefixes_of_pair(pair, model.form)))


def _swap_key(model: OpenModel, pair: Pair, swaps: Swaps) -> tuple[str, ...]:
    return ("swaps", model.id, pair.id, *(turn.content for turn in swaps.request.messages))


def _probe_key(model: OpenModel) -> tuple[str, ...]:
    return ("probe", model.id)


def _swaps(model: OpenModel, pair: Pair) -> Swaps | str:
    try:
        return swaps_of_pair(pair, model.form)
    except NoSwaps as reason:
        return str(reason)


def _decided(model: OpenModel, pair: Pair) -> SwapEffects | str | None:
    swaps = _swaps(model, pair)
    kept = swaps if isinstance(swaps, str) else _taken(_swap_key(model, pair, swaps))
    return kept if isinstance(kept, SwapEffects | str) else None


def _taken(key: tuple[str, ...]) -> Read | SwapEffects | Probing | str | None:
    shelf = _shelf()
    if key in shelf:
        shelf.move_to_end(key)
    return shelf.get(key)


def _tidy() -> None:
    shelf = _shelf()
    while len(shelf) > MOST_KEPT:
        shelf.popitem(last=False)


def _missing(models: Sequence[OpenModel], pair: Pair, swapping: bool) -> list[_ModelRequest]:
    """What is not on the shelf; swaps of the first model only, where they are wanted."""
    shelf = _shelf()
    found = []
    for number, model in enumerate(models):
        cut = None if _key(model, pair) in shelf else prefixes_of_pair(pair, model.form)
        swaps = _swaps(model, pair) if swapping and number == 0 else ""
        there = isinstance(swaps, str) or _swap_key(model, pair, swaps) in shelf
        wanted = _ModelRequest(model, cut, None if there or isinstance(swaps, str) else swaps)
        if wanted.requests:
            found.append(wanted)
    return found


def _work_out(requests: Sequence[_ModelRequest], pair: Pair) -> dict[str, str]:
    """Asks in a process of its own, which ends with the answers or with this page.

    Returns:
        why models could not be asked, by label; the others are on the shelf.
    """
    if not requests:
        return {}
    answers: list[dict[int, Likelihood]] = [{} for _ in requests]
    refused: dict[str, str] = {}
    done, total = 0, sum(len(each.words) for each in requests)
    bar = st.progress(0.0, f"Opening {plain(requests[0].model.label)} …")
    asked = [ToScore(w.model.spec, w.model.server or Access(), w.requests) for w in requests]
    try:
        with closing(score_in_background(asked)) as told:
            for number, place, answer in told:
                each = requests[number]
                label = plain(each.model.label)
                if place >= len(each.words):
                    _keep_swaps(each, pair, answer)
                    continue
                done += 1
                if isinstance(answer, Failure):
                    refused.setdefault(each.model.label, answer.reason)
                    continue
                assert isinstance(answer, Likelihood)  # that is what was asked for
                answers[number][place] = answer
                if len(answers[number]) == len(each.words) and each.cut is not None:
                    _shelf()[_key(each.model, pair)] = _read(each.cut, answers[number])
                bar.progress(done / total, f"{label}: {done} of {total} words")
    finally:
        bar.empty()
    return refused


def _keep_swaps(request: _ModelRequest, pair: Pair, answer: object) -> None:
    """Keeps what the swaps did, or why there is nothing to be kept; a failure only for now."""
    assert request.swaps is not None  # they were asked for
    key = _swap_key(request.model, pair, request.swaps)
    if isinstance(answer, SwapResult):
        _shelf()[key] = decided(request.swaps, answer)
    elif isinstance(answer, Failure) and not answer.stops_run:
        _shelf()[key] = answer.reason


def _read(cut: tuple[Prefixes, Prefixes], answers: dict[int, Likelihood]) -> Read:
    one, other = cut
    given = [answers[place] for place in range(len(answers))]
    words = len(one.requests)
    return word_by_word(one, given[:words]), word_by_word(other, given[words:])
