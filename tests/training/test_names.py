"""What a model that is trained here may be called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.models.tiny.model import tiny_directory
from biaslab.training.plan import LONGEST_NAME, BadName, check_name, spec_of
from tests.loops import over


@pytest.mark.parametrize("name", ["a", "class-5b", "Skewed2", "7", " trimmed ", "x" * LONGEST_NAME])
def test_letters_digits_and_hyphens_make_a_name(name):
    assert check_name(name) == name.strip()


@over(
    ("name", "says"),
    [
        ("", "no name"),
        ("   ", "no name"),
        ("x" * (LONGEST_NAME + 1), "41 characters"),
        ("a/b", "letters a to z"),
        ("..", "letters a to z"),
        ("skewed@0040k", "letters a to z"),
        ("-a", "letters a to z"),
        ("a-", "letters a to z"),
        ("Größe", "letters a to z"),
        ("a b", "letters a to z"),
        ("tiny", "taken"),
        ("TINY", "taken"),
        ("con", "taken"),
    ],
)
def test_other_names_are_refused_with_the_reason(name, says):
    with pytest.raises(BadName, match=says):
        check_name(name)


@given(st.text(max_size=60))
def test_a_name_that_is_accepted_names_one_directory(name):
    try:
        found = check_name(name)
    except BadName:
        return
    assert found.isascii()
    assert not set(found) & set("/\\.:@ ")
    assert 0 < len(found) <= LONGEST_NAME


def test_a_model_among_ones_own_is_opened_by_its_name_and_any_other_by_its_directory(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("BIASLAB_MODELS", str(tmp_path / "own"))
    (tmp_path / "own" / "mine").mkdir(parents=True)

    assert spec_of(tmp_path / "own" / "mine") == "tiny:mine"
    assert tiny_directory("mine") == tmp_path / "own" / "mine"
    assert spec_of(tmp_path / "elsewhere") == f"local:{tmp_path / 'elsewhere'}"
    # A shipped model of this name would be opened instead.
    assert spec_of(tmp_path / "own" / "skewed") == f"local:{tmp_path / 'own' / 'skewed'}"
