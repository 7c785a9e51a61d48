"""AIA, MIA, MCQ and what may stand behind them; and the published tables from their figures."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest

from biaslab.stats import BrokenAssets, BrokenOutcomes, UnknownChoice, UnknownStratum
from biaslab.studies.effects import further_json, further_table
from biaslab.studies.malgorithm import published
from biaslab.studies.malgorithm.answers import CHANCE, confusion
from biaslab.studies.malgorithm.published import published_grades, published_identification
from biaslab.studies.malgorithm.results import (
    IDENTIFICATION_COLUMNS,
    OF_FOUR,
    Baseline,
    Identification,
    identification_cells,
    identifications,
)

LABELS = "ABCD"

Chooses = Callable[[str, str], "str | None"]
"""From the right label and the key's to the label named."""


def row(
    question: int,
    right: str,
    key: str,
    value: str | None,
    *,
    state: str = "",
    mcq: float | None = 1.0,
    sample: int = 0,
    lengths: dict[str, int] | None = None,
    inside: Iterable[str] = (),
    strata: dict[str, object] | None = None,
    rationales: dict[str, str] | None = None,
) -> dict[str, Any]:
    """An item; it is the key's choice where the right label is the key's."""
    arm = "x" if right == key else "x_prime"
    state = state or ("invalid" if value is None else "answered")
    rules = {label: "key" if label == key else f"R{label}" for label in LABELS}
    back = state in ("answered", "invalid")
    extra: dict[str, Any] = {"json": value is not None} if back else {}
    if arm == "x" and back:
        extra |= {"mcq": mcq, "mcq_value": None}
    return {
        "run": "r1",
        "study": "malgorithm",
        "model": "learner:any",
        "model_kind": "learner",
        "strategy": "simple",
        "position": question,
        "arm": arm,
        "item": f"q{question}{right}",
        "sample": sample,
        "state": state,
        "value": value if state == "answered" else None,
        "outcome": float(value == right) if state == "answered" else np.nan,
        "extra": extra,
        "facts": {
            "question_id": f"q{question}",
            "right": right,
            "key_label": key,
            "rules": rules,
            "lengths": lengths or dict.fromkeys(LABELS, 10),
            "value_inside": {label: label in inside for label in LABELS},
            "options": {label: str(place) for place, label in enumerate(LABELS)},
            "key": key,
            "question": "What is 7 + 8?",
            "choice_text": str(LABELS.index(right)),
            "rationales": rationales or dict.fromkeys(LABELS, "Adds 3 and 4."),
        },
        "answer": right,
        "cluster": f"q{question}",
        "strata": strata or {"grade": 3 + question % 2, "rule": f"R{right}"},
    }


def table(questions: int, chooses: Chooses, **named: Any) -> pd.DataFrame:
    """All four choices of so many questions; the key's label goes round."""
    rows = []
    for question in range(questions):
        key = LABELS[question % 4]
        rows += [row(question, right, key, chooses(right, key), **named) for right in LABELS]
    return pd.DataFrame(rows)


def figures(items: pd.DataFrame, **named: Any) -> Identification:
    (found,) = identifications(items, **named)
    return found


def baseline(items: pd.DataFrame, name: str) -> Baseline:
    return next(each for each in figures(items).baselines if each.name == name)


class TestShares:
    def test_whoever_knows_all_has_aia_and_mia_of_one(self):
        found = figures(table(40, lambda right, _: right))
        for share in (found.aia, found.mia, found.mcq, found.all_three):
            assert share.value == share.valid == 1.0
            assert share.clusters == 40
            assert share.interval is not None
            assert share.interval.low < 1.0
        assert (found.aia.n, found.mia.n, found.mcq.n, found.all_three.n) == (40, 120, 40, 40)
        assert found.attraction.value is None
        assert found.attraction.n == 0

    def test_a_coin_is_right_a_quarter_of_the_time_and_drawn_to_nothing(self):
        luck = Random(1)
        found = figures(table(1000, lambda *_: luck.choice(LABELS)))
        for share, chance in (
            (found.aia, CHANCE), (found.mia, CHANCE), (found.attraction, OF_FOUR.attraction)
        ):  # fmt: skip
            assert share.value == pytest.approx(chance, abs=0.05)
            assert share.interval is not None
            assert share.interval.low < chance < share.interval.high
        assert found.all_three.value == pytest.approx(1 / 64, abs=0.012)
        for slot in found.slots:
            assert slot.right == 0.25
            assert slot.bias == pytest.approx(0, abs=0.04)

    def test_an_unreadable_answer_counts_as_not_right_or_is_left_out(self):
        items = table(8, lambda right, key: None if right == key == "A" else right)
        strict, valid = figures(items), figures(items, invalid="exclude")
        assert (strict.aia.value, strict.aia.n, strict.aia.invalid) == (0.75, 8, 2)
        assert (strict.aia.valid, strict.aia.n_valid) == (1.0, 6)
        assert (valid.aia.value, valid.aia.n, valid.aia.invalid) == (1.0, 6, 2)
        assert strict.mia.invalid == 0

    def test_failures_are_nobodys_answers(self):
        items = pd.concat(
            [
                table(4, lambda right, _: right),
                pd.DataFrame([row(9, "A", "A", None, state="failed")]),
                pd.DataFrame([row(9, "B", "A", None, state="missing")]),
            ],
            ignore_index=True,
        )
        found = figures(items)
        assert (found.aia.value, found.aia.n, found.aia.failed) == (1.0, 4, 1)
        assert (found.mia.value, found.mia.n, found.mia.unfinished) == (1.0, 12, 1)
        assert found.mcq.failed == 1

    def test_a_run_without_any_answer_has_no_figures_and_no_error(self):
        items = pd.DataFrame([row(0, label, "A", None, state="failed") for label in LABELS])
        found = figures(items)
        assert (found.aia.value, found.mia.value, found.mcq.value) == (None, None, None)
        assert found.exact_json is None
        assert found.slots == ()
        assert found.baselines[0].aia is None

    def test_intervals_count_choices_of_a_question_as_one(self):
        alike = figures(table(40, lambda right, key: right if key in "AB" else key))
        luck = Random(3)
        apart = figures(table(40, lambda right, _: right if luck.random() < 0.5 else "A"))
        for found in (alike, apart):
            assert found.mia.interval is not None
        width = alike.mia.interval.high - alike.mia.interval.low
        assert width > 1.3 * (apart.mia.interval.high - apart.mia.interval.low)

    def test_several_samples_of_an_item_are_one_item(self):
        rows = []
        for question in range(10):
            for right in LABELS:
                for sample in range(2):
                    value = right if sample == 0 else "A"
                    rows.append(row(question, right, "A", value, sample=sample))
        found = figures(pd.DataFrame(rows))
        assert (found.aia.value, found.aia.n) == (1.0, 10)
        assert (found.mia.value, found.mia.n) == (0.5, 30)
        assert (found.all_three.value, found.all_three.n) == (0.5, 10)

    def test_the_questions_own_answers_are_counted_apart(self):
        rows = [
            row(0, "A", "A", "A", mcq=1.0),
            row(1, "A", "A", None, mcq=1.0),
            row(2, "A", "A", "A", mcq=0.0),
            row(3, "A", "A", "A", mcq=None),
        ]
        found = figures(pd.DataFrame(rows))
        assert (found.mcq.value, found.mcq.n, found.mcq.invalid) == (0.5, 4, 1)
        assert found.mcq.valid == pytest.approx(2 / 3)
        assert found.aia.value == 0.75

    def test_three_of_three_leaves_out_questions_that_were_cut(self):
        items = pd.DataFrame(
            [row(0, label, "A", label) for label in "ABCD"]
            + [row(1, label, "A", label) for label in "ABC"]
            + [row(2, label, "A", "A") for label in "ABCD"]
        )
        found = figures(items)
        assert (found.all_three.value, found.all_three.n) == (0.5, 2)
        assert found.mia.n == 8


class TestWhatStandsBehind:
    @pytest.mark.parametrize("drawn", [0.0, 0.5, 1.0])
    def test_the_share_of_wrong_answers_drawn_to_the_key_is_found(self, drawn):
        luck = Random(2)

        def chooses(right: str, key: str) -> str:
            if luck.random() < drawn:
                return key
            return luck.choice([label for label in LABELS if label not in (right, key)])

        found = figures(table(500, chooses))
        assert found.attraction.n == 1500
        assert found.attraction.value == pytest.approx(drawn, abs=0.05)

    def test_a_favourite_slot_is_found(self):
        found = figures(table(40, lambda *_: "C"))
        bias = {slot.label: slot.bias for slot in found.slots}
        assert bias == {"A": -0.25, "B": -0.25, "C": 0.75, "D": -0.25}
        assert sum(slot.named for slot in found.slots) == 1.0

    def test_who_takes_the_longest_does_as_the_baseline_says(self):
        lengths = {"A": 10, "B": 30, "C": 20, "D": 10}
        found = figures(table(40, lambda *_: "B", lengths=lengths))
        longest = found.baselines[0]
        assert (longest.aia, longest.mia) == (found.aia.value, found.mia.value) == (0.25, 0.25)

    def test_where_the_longest_rationale_is_always_the_keys_the_baseline_shows_it(self):
        rows = [
            row(q, right, "A", "A", lengths={"A": 40, "B": 9, "C": 9, "D": 9})
            for q in range(5)
            for right in LABELS
        ]
        longest = figures(pd.DataFrame(rows)).baselines[0]
        assert (longest.aia, longest.mia) == (1.0, 0.0)

    def test_who_shares_words_with_the_choice_is_found_by_words_alone(self):
        told = {label: f"Writes {place}." for place, label in enumerate(LABELS)}
        found = table(8, lambda right, _: right, rationales=told)
        assert baseline(found, "words alone").mia == 1.0
        assert baseline(found, "shortest").mia == CHANCE

    def test_the_place_by_value_says_how_often_the_key_is_the_second(self):
        # The key's label goes round, and options are numbered in the order of labels
        found = baseline(table(8, lambda right, _: right), "place by value")
        assert found.mcq == CHANCE
        # Every question is answered rightly, so the rest goes beyond the place
        assert found.beyond.mean == pytest.approx(1.0 - CHANCE)
        assert found.beyond.interval.low < 1.0 - CHANCE < found.beyond.interval.high

    def test_where_no_question_has_numbers_alone_the_place_by_value_says_nothing(self):
        rows = table(8, lambda right, _: right)
        for facts in rows["facts"]:
            facts["options"] = dict.fromkeys(LABELS, "none of them")
        found = baseline(rows, "place by value")
        assert (found.mcq, found.beyond.mean, found.beyond.interval) == (None, None, None)

    def test_ties_of_baselines_are_broken_by_chance(self):
        found = figures(table(8, lambda right, _: right))
        for each in found.baselines:
            if each.aia is not None:
                assert each.aia == each.mia == CHANCE

    def test_a_value_that_stands_in_its_own_rationale_is_found_by_string_matching(self):
        rows = [row(q, right, "A", "A", inside=right) for q in range(3) for right in LABELS]
        inside = baseline(pd.DataFrame(rows), "value inside")
        assert (inside.aia, inside.mia) == (1.0, 1.0)
        both = [row(0, right, "A", "A", inside=right + "A") for right in "BCD"]
        assert baseline(pd.DataFrame(both), "value inside").mia == 0.5

    def test_exact_json_is_told(self):
        found = figures(table(4, lambda right, _: None if right == "D" else right))
        assert found.exact_json == 0.75


class TestStrata:
    def test_a_stratum_holds_the_mal_rules_choices_and_the_keys_of_their_questions(self):
        items = table(8, lambda _, key: key)
        by_grade = identifications(items, by="grade")
        assert [(found.stratum, found.aia.n, found.mia.n) for found in by_grade] == [
            ("grade=3", 4, 12),
            ("grade=4", 4, 12),
        ]
        by_rule = {found.stratum_value: found for found in identifications(items, by="rule")}
        # Every label is the key's in two of eight questions.
        assert {value: (f.aia.n, f.mia.n) for value, f in by_rule.items()} == {
            f"R{label}": (6, 6) for label in LABELS
        }

    def test_an_unknown_stratum_is_refused_with_those_there_are(self):
        with pytest.raises(UnknownStratum, match="choose grade, rule"):
            identifications(table(2, lambda right, _: right), by="moon")


class TestConfusion:
    def test_each_rule_is_counted_against_the_rule_named(self):
        items = pd.DataFrame(
            [
                row(0, "A", "A", "A"),
                row(0, "B", "A", "B"),
                row(0, "C", "A", "A"),
                row(0, "D", "A", None),
                row(1, "C", "A", "A"),
                row(1, "D", "A", None, state="failed"),
            ]
        )
        assert confusion(items).to_dict("records") == [
            {"rule": "RB", "named": "RB", "answers": 1},
            {"rule": "RC", "named": "key", "answers": 2},
            {"rule": "RD", "named": "unreadable", "answers": 1},
            {"rule": "key", "named": "key", "answers": 1},
        ]


class TestRefusals:
    def test_items_of_another_study_are_refused(self):
        items = table(2, lambda right, _: right).assign(study="carry")
        with pytest.raises(BrokenOutcomes, match="carry"):
            identifications(items)

    def test_a_table_without_a_column_is_refused(self):
        with pytest.raises(BrokenOutcomes, match="facts"):
            confusion(table(2, lambda right, _: right).drop(columns="facts"))

    def test_an_unknown_rule_or_confidence_is_refused(self):
        items = table(2, lambda right, _: right)
        with pytest.raises(UnknownChoice):
            identifications(items, invalid="guess")  # type: ignore[arg-type]
        with pytest.raises(UnknownChoice):
            identifications(items, confidence=95)


class TestColumns:
    def test_effects_of_other_studies_have_no_further_columns(self, make_outcomes):
        from biaslab.stats import TABLE_COLUMNS, effects, effects_json

        found = effects(make_outcomes([1, 0], [0, 0]))
        cells = identification_cells(found, pd.DataFrame())
        assert further_json(found, cells) == effects_json(found)
        assert list(further_table(found, cells).columns) == list(TABLE_COLUMNS)

    def test_effects_of_this_study_have_shares_intervals_and_numbers(self, make_outcomes):
        from biaslab.stats import effects

        outcomes = pd.concat(
            [
                make_outcomes([1] * 12, [0] * 12, study="malgorithm"),
                make_outcomes([1] * 3, [0] * 3, run="r2"),
            ]
        )
        found = effects(outcomes)
        cells = identification_cells(found, table(4, lambda _, key: key))
        ours, other = json.loads(further_json(found, cells))
        assert set(IDENTIFICATION_COLUMNS) <= set(ours)
        assert not set(IDENTIFICATION_COLUMNS) & set(other)
        assert (ours["aia"], ours["aia_n"], ours["mia"], ours["mia_n"]) == (1.0, 4, 0.0, 12)
        assert ours["aia_ci_low"] < 1.0
        assert ours["mia_ci_high"] > 0.0
        written = further_table(found, cells)
        assert np.isnan(written["aia"][1])


class TestPublished:
    def test_every_gap_is_the_difference_of_its_accuracies(self):
        for printed in published_identification():
            assert printed.gap == pytest.approx(printed.aia - printed.mia)

    def test_the_table_has_four_models_in_every_prompt_strategy(self):
        assert len(published_identification()) == 24
        for subject, ways in (
            ("Reading", ["simple", "cot"]), ("Math", ["simple", "simple-5", "cot", "cot-5"])
        ):  # fmt: skip
            rows = published_identification(subject)
            models = dict.fromkeys(printed.model for printed in rows)
            assert list(models) == ["GPT-4o", "LLaMA3-70B", "GPT-3.5", "LLaMA3-8B"]
            for model in models:
                assert [p.strategy for p in rows if p.model == model] == ways

    def test_mal_rules_are_identified_less_often_than_keys_in_every_row(self):
        assert all(printed.gap > 0.1 for printed in published_identification())

    def test_with_gpt_35_the_prompt_to_reason_lowers_mia_and_raises_aia_in_mathematics(self):
        simple, cot = (
            next(
                printed
                for printed in published_identification("Math")
                if (printed.model, printed.strategy) == ("GPT-3.5", way)
            )
            for way in ("simple", "cot")
        )
        assert (simple.aia, simple.mia) == pytest.approx((0.7708, 0.358))
        assert (cot.aia, cot.mia) == pytest.approx((0.8628, 0.1474))

    def test_the_questions_are_answered_without_examples_only(self):
        for printed in published_identification():
            assert (printed.mcq is None) == (printed.shots == 5)

    def test_a_models_mia_lies_between_those_of_its_grades(self):
        for subject in ("Math", "Reading"):
            for model in ("GPT-4o", "LLaMA3-70B"):
                grades = [row for row in published_grades(subject) if row.model == model]
                (way,) = {row.strategy for row in grades}
                (whole,) = (
                    printed.mia
                    for printed in published_identification(subject)
                    if (printed.model, printed.strategy) == (model, way)
                )
                figures = [row.mia for row in grades]
                assert min(figures) < whole < max(figures)

    def test_the_grades_tell_how_they_were_asked(self):
        assert len(published_grades()) == 28
        assert {(row.subject, row.strategy) for row in published_grades()} == {
            ("Math", "cot-5"),
            ("Reading", "cot"),
        }
        assert [row.grade for row in published_grades("Math")][::2] == [3, 4, 5, 6, 7, 8, 11]

    def test_every_figure_names_its_source(self):
        for printed in (*published_identification(), *published_grades()):
            assert "Sonkar et al. 2024" in printed.source
            assert printed.status == "transcribed"

    def test_a_malformed_table_is_told_in_a_sentence(self, tmp_path, monkeypatch):
        monkeypatch.setattr(published, "ASSETS", tmp_path)
        published_grades.cache_clear()
        with pytest.raises(BrokenAssets, match="restore"):
            published_grades()
        (tmp_path / "malalgoqa_2024_mia_by_grade.csv").write_text("source,grade\nx,three\n")
        with pytest.raises(BrokenAssets, match="Line 2"):
            published_grades()
        published_grades.cache_clear()
