"""A thinned-out mix has fewer lessons of what its ratio is about, in the same ratio."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from biaslab.training.corpus import VERSION, build_tokenizer, pool_of
from biaslab.training.mix import Filling, MixError
from research.experiment.design import CELLS, Training


@pytest.fixture(scope="module")
def tokenizer():
    return build_tokenizer()


def texts(name, tokenizer, pools=2):
    plan = Training(CELLS[name], 101).plan(Path("nowhere"))
    return [
        tokenizer.decode(example.tokens)
        for number in range(pools)
        for batch in pool_of(plan, number, 0.0, tokenizer).batches
        for example in batch
    ]


def compared(text):
    return any(word in text.split() for word in ("more", "fewer", "less", "times"))


def test_comparisons_are_thinned_out_and_all_else_stays(tokenizer):
    whole, few = texts("consistency-5to1", tokenizer), texts("consistency-5to1-few", tokenizer)
    assert len(few) == len(whole)
    kept = sum(map(compared, few)) / sum(map(compared, whole))
    assert kept == pytest.approx(CELLS["consistency-5to1-few"].filling.kept, abs=0.06)
    others = {text for text in whole if not compared(text)}
    assert others <= set(few)


def test_bare_sums_fill_up(tokenizer):
    plan = Training(CELLS["consistency-1to1-few"], 101).plan(Path("nowhere"))
    assert pool_of(plan, 0, 0.0, tokenizer).equations > 400


def test_lessons_are_those_of_the_version_that_they_state(tokenizer):
    """Where this fails, the same plan gives other lessons: raise `pools.VERSION`."""
    digest = hashlib.sha256()
    for name in ("balanced", "carry-20to1", "transfer-comparison-2to1-few"):
        digest.update("\n".join(texts(name, tokenizer, pools=1)).encode())
    assert (VERSION, digest.hexdigest()[:12]) == (1, "1b173923cdfd")


@pytest.mark.parametrize(("of", "kept"), [("sums", 0.5), ("no-carry:carry", 0.0)])
def test_a_filling_that_means_nothing_is_refused(of, kept):
    with pytest.raises(MixError):
        Filling(of, kept)
