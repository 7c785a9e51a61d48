"""What a chart of answers word by word shows, in words and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from biaslab.charts.wording import percent
from biaslab.studies.word_problems.inside.word_by_word import WordByWord


@dataclass(frozen=True, slots=True)
class Panel:
    """One model on one member of a pair.

    Attributes:
        model: its name on screens.
        read: what it would answer after each word.
    """

    model: str
    read: WordByWord


def said(panel: Panel, arm: str, *, alone: bool = True) -> str:
    """Where the reversed answer leads, and how it ends, in a sentence or two."""
    read, sought = panel.read, panel.read.sought
    who = arm.capitalize() if alone else f"{panel.model}, {arm}"
    last = read.chances[-1]
    if last.reversed is None:
        return (
            f"{who}: at the end the right answer ({sought.right}) has {percent(last.right)}. "
            "Reversing the operation gives no whole number here."
        )
    at = read.misled
    if at is None:
        led = f"the reversed answer ({sought.reversed}) is never clearly ahead"
    else:
        there = read.chances[at]
        led = (
            f"after “{bare(read.words[at])}” (word {at + 1} of {len(read.words)}) the reversed "
            f"answer ({sought.reversed}) leads with {percent(there.reversed or 0.0)} to "
            f"{percent(there.right)}"
        )
    return (
        f"{who}: {led}; at the end the right one ({sought.right}) has {percent(last.right)} and "
        f"the reversed one {percent(last.reversed)}."
    )


def table(panels: Sequence[Panel], arm: str) -> pd.DataFrame:
    """A row for every model and word; probabilities are from 0 to 1."""
    return pd.DataFrame(
        [
            {
                "model": panel.model,
                "member": arm,
                "position": index + 1,
                "word": word,
                "sentence_differs": treated,
                "right_answer": panel.read.sought.right,
                "reversed_answer": panel.read.sought.reversed,
                "p_right": chances.right,
                "p_reversed": chances.reversed,
                "p_other_number": chances.other,
            }
            for panel in panels
            for index, (word, treated, chances) in enumerate(
                zip(panel.read.words, panel.read.treated, panel.read.chances, strict=True)
            )
        ]
    )


def bare(word: str) -> str:
    """A word without the marks that end its sentence."""
    return word.rstrip(".,?!") or word
