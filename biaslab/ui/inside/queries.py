"""Answers word by word, worked out once for each model and pair and then kept by the server."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from contextlib import closing
from typing import TypeAlias

import streamlit as st

from biaslab.models import Access, Failure, Likelihood
from biaslab.runs.jobs.one_off_process import ToScore, score_in_background
from biaslab.studies import Pair
from biaslab.studies.word_problems.inside.prefixes import Prefixes, prefixes_of_pair
from biaslab.studies.word_problems.inside.word_by_word import WordByWord, word_by_word
from biaslab.ui.inside.models import Opened
from biaslab.ui.widgets.words import plain

MOST_KEPT = 500
"""Pairs and models that are kept, those looked at last."""

Read: TypeAlias = tuple[WordByWord, WordByWord]
"""Both members of a pair, x first."""


@st.cache_resource(show_spinner=False)
def _shelf() -> OrderedDict[tuple[str, ...], Read]:
    """What was worked out since this server was started; shared by all sessions."""
    return OrderedDict()


def is_kept(models: Sequence[Opened], pair: Pair) -> bool:
    """Whether nothing has to be worked out for these models."""
    return all(_key(model, pair) in _shelf() for model in models)


def look(models: Sequence[Opened], pair: Pair) -> tuple[dict[str, Read], dict[str, str]]:
    """What each model would answer after each word, with a bar while it is being worked out.

    Clicking anything else on the page ends it; the models that are done by then are kept.

    Args:
        models: which.
        pair: of which problem.

    Returns:
        what was found by the model's label, and why the others could not be asked.

    Raises:
        RunError: the process that asks has ended early.
    """
    shelf = _shelf()
    refused = _work_out([model for model in models if _key(model, pair) not in shelf], pair)
    found: dict[str, Read] = {}
    for model in models:
        key = _key(model, pair)
        if key in shelf:
            shelf.move_to_end(key)
            found[model.label] = shelf[key]
    while len(shelf) > MOST_KEPT:
        shelf.popitem(last=False)
    return found, refused


def _key(model: Opened, pair: Pair) -> tuple[str, ...]:
    return (model.id, pair.id, *(each.id for each in prefixes_of_pair(pair, model.form)))


def _work_out(models: Sequence[Opened], pair: Pair) -> dict[str, str]:
    """Asks in a process of its own, which ends with the answers or with this page.

    Returns:
        why models could not be asked, by label; the others are on the shelf.
    """
    if not models:
        return {}
    cut = [prefixes_of_pair(pair, model.form) for model in models]
    wanted = [
        ToScore(model.spec, Access(), [*one.requests, *other.requests])
        for model, (one, other) in zip(models, cut, strict=True)
    ]
    answers: list[dict[int, Likelihood]] = [{} for _ in models]
    refused: dict[str, str] = {}
    done, total = 0, sum(len(each.requests) for each in wanted)
    bar = st.progress(0.0, f"Opening {plain(models[0].label)} …")
    try:
        with closing(score_in_background(wanted)) as told:
            for number, place, answer in told:
                model = models[number]
                done += 1
                if isinstance(answer, Failure):
                    refused.setdefault(model.label, answer.reason)
                    continue
                answers[number][place] = answer
                if len(answers[number]) == len(wanted[number].requests):
                    _shelf()[_key(model, pair)] = _read(cut[number], answers[number])
                bar.progress(done / total, f"{plain(model.label)}: {done} of {total} words")
    finally:
        bar.empty()
    return refused


def _read(cut: tuple[Prefixes, Prefixes], answers: dict[int, Likelihood]) -> Read:
    one, other = cut
    given = [answers[place] for place in range(len(answers))]
    words = len(one.requests)
    return word_by_word(one, given[:words]), word_by_word(other, given[words:])
