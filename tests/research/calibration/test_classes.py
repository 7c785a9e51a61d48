"""Quizzes find the rules that they promise to name, and accuse hardly anybody else."""

from __future__ import annotations

from research.calibration.recovery import DESIGNS, classes_section, measure


def test_followers_are_named_and_who_understands_is_not() -> None:
    """A small version of `make calibration`: two quizzes, with options and with own answers."""
    found = [measure(design, copies=40, understanding=60) for design in DESIGNS[:2]]

    for each in found:
        assert each.rules >= 3
        assert each.named >= 0.85 * each.followers
        assert each.misled <= 0.02 * each.followers
        assert each.accused == 0


def test_the_page_tells_every_quiz_and_all_together() -> None:
    told = classes_section([measure(DESIGNS[2], copies=2, understanding=5)])

    assert "| grade 3, ColumnAddition, options |" in told
    assert told.splitlines()[-1].startswith("| all |")
