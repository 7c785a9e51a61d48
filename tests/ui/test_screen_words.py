"""Names and numbers as they stand on screens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from biaslab.models import ModelKind
from biaslab.runs import PairPattern, RunStatus
from biaslab.runs.store.records import number_words, pattern_words
from biaslab.studies import Arms
from biaslab.ui.widgets import words
from schoolmath.text import figures


@given(st.text(alphabet=st.sampled_from("ab *_`[]()<>#$~:\\{}|^!"), min_size=1, max_size=30))
def test_plain_text_stays_as_it_is_in_markdown(text: str) -> None:
    line = f"x{text.strip()}x"
    (block, *_) = [t for t in MarkdownIt().parse(words.plain(line)) if t.type == "inline"]
    assert all(child.type == "text" for child in block.children or [])
    assert "".join(child.content for child in block.children or []) == line


def test_a_dollar_sign_stays_a_dollar_sign() -> None:
    assert words.plain("$5 and $6") == "\\$5 and \\$6"


def test_every_kind_status_and_pattern_has_words() -> None:
    assert set(words.KINDS) == set(ModelKind)
    assert set(words.STATUSES) == set(RunStatus)
    said = {pattern_words(pattern, Arms("easy", "hard")) for pattern in PairPattern}
    assert len(said) == len(PairPattern)


@pytest.mark.parametrize(
    ("difference", "said"),
    [(0.125, "+12.5"), (-0.031, "−3.1"), (0.0, "0.0"), (-0.0001, "0.0"), (None, "–")],
)
def test_differences_carry_their_sign(difference: float | None, said: str) -> None:
    assert figures.signed_points(difference) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.2, "under a second"), (1, "1 second"), (40, "40 seconds"), (180, "3 minutes"),
     (9000, "2.5 hours")],
)  # fmt: skip
def test_durations_are_rounded_for_people(seconds: float, said: str) -> None:
    assert words.duration(seconds) == said


@pytest.mark.parametrize(("p", "said"), [(0.0, "< 0.001"), (0.0234, "0.023"), (None, "–")])
def test_p_values_are_never_zero(p: float | None, said: str) -> None:
    assert figures.p_words(p) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [("1067/100", "10.67"), ("1/3", "1/3"), ("21", "21"), ("-5/2", "-2.5"), ("seven", "seven")],
)
def test_answers_are_written_as_decimals_where_that_is_exact(value: str, said: str) -> None:
    assert number_words(value) == said


def test_times_are_in_the_viewers_zone() -> None:
    assert words.moment("2026-11-21T03:12:00Z", "Europe/Berlin") == "21 Nov 2026, 04:12"
    assert words.moment("2026-11-21T03:12:00Z") == "21 Nov 2026, 03:12 UTC"
    assert words.moment(None) == "–"
