"""A sample that a person checks corrects what the reading missed, and its interval holds."""

from __future__ import annotations

import random

import numpy as np
import pytest

from biaslab.audit import AuditError, audit
from biaslab.audit.report import (
    STRATA,
    ComparisonVerdict,
    Label,
    correct,
    draw_sample,
    read_labels,
    sample_csv,
    stratum_of,
)
from biaslab.audit.stratified import UnitStratum, stratified_share
from tests.audit.designed import designed

STUDIES = ("consistency", "transfer-comparison")
READ = [
    each.text for study in ("consistency", "transfer-comparison") for each in designed(study, 40)
]
MISSED = [
    f"{name}'s pile of {thing} outnumbers Bo's by {n}, and Bo's holds {n + 4}. And {name}'s?"
    for n, (name, thing) in enumerate(
        (name, thing)
        for name in ("Ana", "Ida", "Cem")
        for thing in ("pens", "cups", "nuts", "keys")
    )
]
"""Consistent comparisons in words that no clause is found in."""


def truth() -> dict[str, Label]:
    """What a person would say of every text, by its id."""
    known = {
        each.text: Label(
            ComparisonVerdict.NONE
            if not each.compares
            else _compared({str(k) for k in each.wordings}),
            each.transfers,
        )
        for study in STUDIES
        for each in designed(study, 40)
    }
    known |= dict.fromkeys(MISSED, Label(ComparisonVerdict.CONSISTENT, False))
    return {text.id: known[text.text] for text in audit(known).texts}


def _compared(kinds: set[str]) -> ComparisonVerdict:
    return ComparisonVerdict.BOTH if len(kinds) > 1 else ComparisonVerdict(kinds.pop())


@pytest.fixture(scope="module")
def corpus():
    return audit([*READ, *MISSED])


class TestTheSample:
    def test_it_is_drawn_by_lot_and_the_same_seed_draws_the_same(self, corpus):
        one, same, other = (draw_sample(corpus, 40, seed) for seed in (1, 1, 2))
        assert one == same
        assert {text.id for text in one} != {text.id for text in other}
        assert len({text.id for text in one}) == 40

    def test_every_stratum_is_in_it(self, corpus):
        there = {stratum_of(text.shown) for text in corpus.texts}
        assert {stratum_of(text.shown) for text in draw_sample(corpus, 12)} == there
        assert there <= set(STRATA)

    def test_more_than_there_are_is_all_of_them(self, corpus):
        assert len(draw_sample(corpus, 10_000)) == len(corpus.texts)

    def test_within_a_stratum_every_text_is_as_likely(self, corpus):
        counts: dict[str, int] = {}
        for seed in range(300):
            for text in draw_sample(corpus, 30, seed):
                counts[text.id] = counts.get(text.id, 0) + 1
        same = [
            counts.get(text.id, 0)
            for text in corpus.texts
            if stratum_of(text.shown) == stratum_of(corpus.texts[0].shown)
        ]
        assert np.std(same) < 2 * np.sqrt(np.mean(same))


class TestLabels:
    def test_a_sample_comes_back_as_it_was_filled_in(self, corpus):
        labels = truth()
        drawn = draw_sample(corpus, 30)
        some = {text.id: labels[text.id] for text in drawn[:20]}
        assert read_labels(sample_csv(drawn, some).encode(), "sample.csv") == some

    def test_a_label_that_means_nothing_is_named_by_its_row(self):
        data = b"id,text,comparison,transfer\nab,T,consistent,yes\ncd,T,perhaps,yes\n"
        with pytest.raises(AuditError, match="row 3"):
            read_labels(data, "sample.csv")

    @pytest.mark.parametrize("data", [b"", b"a,b\n1,2\n", b"\x00\x01" * 50, b"[1, 2"])
    def test_a_file_that_is_no_sample_is_refused_in_a_sentence(self, data):
        with pytest.raises(AuditError, match=r"sample\.csv"):
            read_labels(data, "sample.csv")


class TestCorrection:
    def test_everything_judged_gives_the_truth(self, corpus):
        labels = truth()
        found = correct(corpus, labels)
        one = [each.compared for each in labels.values()]
        consistent, inconsistent = (
            one.count(ComparisonVerdict.CONSISTENT),
            one.count(ComparisonVerdict.INCONSISTENT),
        )
        wording = found.shares["wording"]["consistent"]
        assert wording.share == pytest.approx(consistent / (consistent + inconsistent))
        problems = [each.problem for each in labels.values()]
        for kind, each in found.shares["problems"].items():
            assert each.share == pytest.approx(problems.count(kind) / len(problems))
            assert each.interval.low <= each.share <= each.interval.high

    def test_what_the_reading_missed_is_put_right_within_the_interval(self, corpus):
        labels = truth()
        seen = corpus.feature("problems")
        drawn = draw_sample(corpus, 60, seed=4)
        found = correct(corpus, {text.id: labels[text.id] for text in drawn})
        right = sum(each.problem == "comparison" for each in labels.values()) / len(labels)
        share = found.shares["problems"]["comparison"]
        assert seen.count("comparison") / len(corpus.texts) < right
        assert share.interval.low <= right <= share.interval.high
        assert found.judged == len(drawn)

    def test_a_stratum_that_nobody_judged_leaves_the_share_untold(self, corpus):
        labels = {
            text.id: truth()[text.id]
            for text in corpus.texts[:20]
            if stratum_of(text.shown) == "consistent"
        }
        found = correct(corpus, labels)
        assert found.missing
        assert found.shares["wording"]["consistent"] is None
        assert found.ratios() == {}

    def test_labels_of_other_texts_count_for_nothing(self, corpus):
        found = correct(corpus, {"no such text": Label(ComparisonVerdict.NONE, True)})
        assert (found.judged, found.foreign) == (0, 1)


class TestTheStratifiedShare:
    def test_one_stratum_is_a_plain_share_with_wilsons_interval(self):
        found = stratified_share([UnitStratum(10**9, {"a": 8, "b": 2})], ("a",), ("a", "b"))
        assert found.share == 0.8
        assert (found.interval.low, found.interval.high) == pytest.approx((0.49016, 0.94331), 1e-3)

    def test_strata_count_by_their_size(self):
        strata = [UnitStratum(900, {"b": 10}), UnitStratum(100, {"a": 10})]
        assert stratified_share(strata, ("a",), ("a", "b")).share == pytest.approx(0.1)

    @pytest.mark.parametrize(
        "strata",
        [
            [],
            [UnitStratum(5, {})],
            [UnitStratum(5, {"a": 1}), UnitStratum(5, {})],
            [UnitStratum(5, {"c": 2})],
        ],
    )
    def test_without_judged_units_of_the_kinds_there_is_no_share(self, strata):
        assert stratified_share(strata, ("a",), ("a", "b")) is None

    @pytest.mark.parametrize(
        ("weights", "shares", "judged"),
        [
            # The reading tells nothing (null), little, and nearly all.
            ((0.5, 0.5), ((0.6, 0.3), (0.6, 0.3)), 20),
            ((0.6, 0.4), ((0.7, 0.2), (0.3, 0.5)), 15),
            ((0.3, 0.2, 0.5), ((0.95, 0.03), (0.05, 0.9), (0.1, 0.1)), 25),
        ],
    )
    def test_its_interval_holds_the_true_share_about_95_times_in_100(self, weights, shares, judged):
        """Small calibration: 300 corpora of 1,500, so the share held is known to 2 points."""
        draws = np.random.default_rng(7)
        true_a = sum(w * a for w, (a, _) in zip(weights, shares, strict=True))
        true_b = sum(w * b for w, (_, b) in zip(weights, shares, strict=True))
        held = 0
        for _ in range(300):
            strata = []
            for size, (a, b) in zip(draws.multinomial(1500, weights), shares, strict=True):
                kinds = draws.multinomial(min(judged, size), (a, b, 1 - a - b))
                found = dict(zip("abc", map(int, kinds), strict=True))
                strata.append(UnitStratum(int(size), found))
            share = stratified_share(strata, ("a",), ("a", "b"))
            held += share.interval.low <= true_a / (true_a + true_b) <= share.interval.high
        assert 0.92 <= held / 300 <= 0.995


def test_labelling_at_random_beats_counting_what_was_read(corpus):
    """Positive control: the reading alone is off by far more than the corrected share."""
    labels = truth()
    right = sum(each.problem == "comparison" for each in labels.values()) / len(labels)
    feature = corpus.feature("problems")
    raw = feature.count("comparison") / feature.told
    errors = []
    for seed in random.Random(3).sample(range(10_000), 20):
        drawn = draw_sample(corpus, 60, seed)
        share = correct(corpus, {t.id: labels[t.id] for t in drawn}).shares["problems"][
            "comparison"
        ]
        errors.append(share.share - right)
    assert abs(np.mean(errors)) < 0.3 * abs(raw - right)
