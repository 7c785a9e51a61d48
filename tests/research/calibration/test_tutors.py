"""Questions about tutors: a difference that is there is found, one that is not is not."""

from __future__ import annotations

from scipy.stats import binom

from biaslab.studies.tutor.check import MEASURES
from research.calibration.tutors import LEVEL, RESPONDENTS, checks_of, power

DRAWS = 40
SURE = 0.001
"""How rarely what keeps its promise fails here; draws are fixed."""


def test_every_study_finds_a_large_difference_and_none_where_there_is_none() -> None:
    for measure in MEASURES:
        none, large = (power(measure.study, 100, gap, DRAWS) for gap in (0.0, 0.3))
        assert none.found <= binom.ppf(1 - SURE, DRAWS, LEVEL), measure.study
        assert large.found >= DRAWS * 0.8, measure.study
        for each in (none, large):
            assert each.covered >= binom.ppf(SURE, DRAWS, 1 - LEVEL), measure.study


def test_only_who_sees_something_gets_a_clear_line() -> None:
    *blind, sees = (checks_of(name, 30, 10) for name in RESPONDENTS)
    assert [each.any_clear <= 1 for each in blind] == [True, True, True]
    assert sees.any_clear == 10
    assert sees.clear["pressure"] == 0
