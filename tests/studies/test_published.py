"""Published results: facts that agree with themselves, with source and confidence."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from biaslab.stats import BrokenAssets, paired_t_p
from biaslab.studies import published
from biaslab.studies.published import PublishedEffect, human_baselines, published_effects
from tests.loops import over

STUDIES = ("consistency", "transfer-comparison", "carry")


def _paper(study: str) -> list[PublishedEffect]:
    return [e for e in published_effects(study) if e.source == "Opedal et al. 2024"]


@pytest.mark.parametrize("study", STUDIES)
def test_every_cate_is_the_difference_of_its_accuracies(study: str) -> None:
    for effect in published_effects(study):
        difference = effect.accuracy_x - effect.accuracy_x_prime
        assert effect.cate == pytest.approx(difference, abs=1e-9), effect


def test_the_only_correction_is_the_sign_of_one_printed_cate() -> None:
    corrected = [e for s in STUDIES for e in published_effects(s) if e.cate != e.printed_cate]
    (effect,) = corrected
    assert (effect.study, effect.strategy, effect.model) == ("carry", "direct", "LLaMA2 70B")
    assert (effect.cate, effect.printed_cate) == (-0.01, 0.01)
    assert effect.status == "corrected"
    assert "printed as 1.0" in effect.note
    assert sum(e.status == "corrected" for s in STUDIES for e in published_effects(s)) == 1


@pytest.mark.parametrize(
    ("study", "significant", "negative"),
    [("consistency", 20, 0), ("transfer-comparison", 22, 1), ("carry", 0, 0)],
)
def test_benjamini_hochberg_over_table_2_gives_the_corrected_counts(
    study: str, significant: int, negative: int
) -> None:
    table_2 = [e for e in _paper(study) if e.strategy in ("direct", "cot")]
    assert len(table_2) == 23
    p_values = [1.0 if e.p is None else e.p for e in table_2]
    rejected, q, *_ = multipletests(p_values, alpha=0.05, method="fdr_bh")
    assert rejected.sum() == significant
    assert sum(e.cate < 0 for e, r in zip(table_2, rejected, strict=True) if r) == negative
    assert [e.q_bh for e in table_2] == pytest.approx(list(q))


@over(("strategy", "models"), [("direct", 11), ("cot", 12), ("child-cot", 8)])
@over("study", STUDIES)
def test_every_model_of_the_paper_is_there_once_with_500_pairs(
    study: str, strategy: str, models: int
) -> None:
    cells = [e for e in published_effects(study, strategy) if e.source == "Opedal et al. 2024"]
    assert len({e.model for e in cells}) == len(cells) == models
    assert {e.n for e in cells} == {500}
    assert all(e.accuracy_x * 500 == pytest.approx(round(e.accuracy_x * 500)) for e in cells)


def test_the_eight_pairs_of_hegartys_problems_follow_from_accuracies_and_printed_p() -> None:
    cells = [e for e in published_effects("consistency") if e.n == 8]
    assert len(cells) == 6
    assert all("eight pairs" in e.note for e in cells)
    for cell in cells:
        right, right_prime = (round(8 * a) for a in (cell.accuracy_x, cell.accuracy_x_prime))
        possible = set()
        for both in range(max(0, right + right_prime - 8), min(right, right_prime) + 1):
            x = np.array([1.0] * right + [0.0] * (8 - right))
            x_prime = np.array(
                [1.0] * both + [0.0] * (right - both)
                + [1.0] * (right_prime - both) + [0.0] * (8 - right - right_prime + both)
            )  # fmt: skip
            p = paired_t_p(x, x_prime)
            possible.add(None if p is None or p == 1 else round(p, 2))
        assert cell.p in possible


def test_another_study_has_no_published_effects() -> None:
    assert published_effects("something else") == []


class TestPeople:
    def test_every_figure_comes_with_source_number_and_confidence(self) -> None:
        for effect in _effects_of_people():
            for baseline in human_baselines(effect):
                assert baseline.n
                assert f"n = {baseline.n}" in baseline.sentence
                assert baseline.source in baseline.sentence
                assert baseline.confidence in baseline.sentence

    def test_what_was_read_without_a_number_of_people_is_only_given_on_request_and_says_so(
        self,
    ) -> None:
        asked = human_baselines("consistency", without_n=True)
        silent = [b for b in asked if b.n is None]
        assert silent
        assert all("number of people not given" in b.sentence for b in silent)
        assert not set(silent) & set(human_baselines("consistency"))

    def test_nothing_is_kept_from_memory(self) -> None:
        text = (published.ASSETS / "human_baselines.csv").read_text(encoding="utf-8")
        assert "memory" not in text.lower()

    def test_counter_evidence_is_not_left_out(self) -> None:
        assert any("counter-evidence" in b.note for b in human_baselines("consistency"))


def test_a_damaged_table_is_reported_by_name_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "human_baselines.csv").write_text("effect,n,status\ncarry,,from a dream\n")
    monkeypatch.setattr(published, "ASSETS", tmp_path)
    monkeypatch.setattr(published, "_all_baselines", published._all_baselines.__wrapped__)
    with pytest.raises(BrokenAssets, match=r"Line 2 of .*human_baselines\.csv"):
        human_baselines("carry")
    monkeypatch.setattr(published, "_all_effects", published._all_effects.__wrapped__)
    with pytest.raises(BrokenAssets, match=r"opedal_2024_effects\.csv cannot be read"):
        published_effects("carry")


def _effects_of_people() -> set[str]:
    with (published.ASSETS / "human_baselines.csv").open(encoding="utf-8", newline="") as file:
        return {row["effect"] for row in csv.DictReader(file)}
