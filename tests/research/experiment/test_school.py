"""Mixes of school problems: effects that are there are found, and none where there is none."""

from __future__ import annotations

import pytest

from biaslab.training.origins.predictions import Truth
from research.experiment.design import CARRY, CELLS, CHECKS, CONSISTENCY, STUDIES, TRANSFER
from research.experiment.school import (
    AUDITED,
    CLAIMS,
    COMPARED,
    COUNTED,
    EVEN,
    school_at_end,
    school_chart,
    school_figures,
    school_mixes,
    school_sentence,
)
from tests.research.experiment.simulated_table import no_effect, table

TITLES = {study: study.capitalize() for study in STUDIES}


def effects(points):
    """Models with these effects in points, by cell; alike in consistency and transfers."""

    def shares(cell, study, _lessons):
        half = 0.0 if study == CARRY else points.get(cell.name, 0) / 200
        return 0.5 + half, 0.5 - half

    return shares


def found(shares, starts=6, names=COMPARED, checks=CHECKS):
    return school_mixes(table(shares, [CELLS[name] for name in names], starts, checks))


def answers(mixes):
    return {each.claim: each.answer for each in mixes.decided}


def test_effects_that_follow_the_mix_make_every_claim_hold():
    mixes = found(effects({COUNTED: 60, AUDITED: 25}))
    assert set(answers(mixes).values()) == {Truth.TRUE}
    both = "the consistency effect and transfer effect are"
    assert school_sentence(mixes) == (
        f"With the ratios of public corpora {both} above zero. With the ratios of Opedal et al. "
        f"{both} above zero. With those of Opedal et al. {both} larger."
    )
    assert mixes.mean[TRANSFER, COUNTED].value == pytest.approx(0.60, abs=0.05)
    assert mixes.mean[CARRY, COUNTED].value == pytest.approx(0.0, abs=0.05)
    assert mixes.mean[CONSISTENCY, EVEN].value == pytest.approx(0.0, abs=0.05)


def test_the_last_lesson_has_sentences_of_its_own():
    def shares(cell, study, lessons):
        kinds = no_effect if lessons == CHECKS[-1] else effects({COUNTED: 60, AUDITED: 25})
        return kinds(cell, study, lessons)

    mixes = found(shares)
    assert " are larger." in school_sentence(mixes)
    end = school_at_end(mixes)
    assert end.startswith("After the last lesson: With the ratios of public corpora ")
    assert end.count("it cannot be told whether the ") == 3


def test_without_any_effect_no_claim_holds():
    mixes = found(no_effect)
    assert Truth.TRUE not in answers(mixes).values()
    assert school_sentence(mixes).count("it cannot be told whether the ") == 3


def test_an_effect_that_is_as_large_with_both_is_larger_with_neither():
    held = answers(found(effects({COUNTED: 30, AUDITED: 30})))
    assert all((held[claim] is Truth.TRUE) == (not claim.than) for claim in CLAIMS)


def test_the_other_way_round_is_said_not_to_hold():
    told = school_sentence(found(effects({COUNTED: -30, AUDITED: -30})))
    assert "corpora the consistency effect and transfer effect are not above zero." in told


def test_every_figure_has_its_interval_its_q_and_its_starts():
    told = school_figures(found(effects({COUNTED: 60, AUDITED: 25})))
    assert told.count(", q ") == len(CLAIMS)
    claimed, even = told.split("With 1:1, without a claim: ")
    assert claimed.count("95 % interval") == len(CLAIMS)
    assert even.count("95 % interval") == 2
    assert told.endswith("Mean over log lessons; 6 of 10 starts.")


def test_with_few_starts_nothing_is_decided():
    assert school_sentence(found(effects({COUNTED: 40}), 4)).startswith("Not yet decided: ")


def test_without_a_start_that_has_all_mixes_at_their_end_there_is_nothing():
    assert found(no_effect, names=(COUNTED, EVEN)) is None
    assert found(no_effect, checks=CHECKS[:3]) is None
    assert school_mixes([]) is None


@pytest.mark.parametrize("dark", [False, True])
def test_all_mixes_are_drawn_study_by_study_and_said_in_words(dark):
    chart = school_chart(found(effects({COUNTED: 60, AUDITED: 25})), TITLES, dark=dark)
    starts, end, mean = chart.figure.data
    assert len(mean.x) == len(end.x) == len(STUDIES) * len(COMPARED)
    assert len(starts.x) == 6 * len(mean.x)
    assert len([s for s in chart.figure.layout.shapes if s.y0 == s.y1]) == len(mean.x)
    assert "Carry, mean over log lessons: Opedal et al.: " in chart.summary
    assert set(chart.data["when"]) == {"mean over log lessons", "last lesson"}


def test_of_one_start_the_bars_are_of_items_alone():
    chart = school_chart(found(no_effect, 1), TITLES)
    said = " ".join(each.text for each in chart.figure.layout.annotations).replace("<br>", " ")
    assert "over items alone: one start" in said
