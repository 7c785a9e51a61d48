"""A test over many cases tries them all, and names each that fails."""

from __future__ import annotations

import inspect

import pytest

from tests.loops import over


def test_every_failure_is_named_and_none_hides_another() -> None:
    tried: list[str] = []

    @over("word, size", [("one", 3), ("two", 4), ("three", 5), ("four", 0)])
    @over("least", [1, 2], ids=["small", "large"])
    def looked_at(fixture: list[str], word: str, size: int, least: int) -> None:
        fixture.append(word)
        assert len(word) == size
        if least == 2:
            pytest.fail("too small")

    assert list(inspect.signature(looked_at).parameters) == ["fixture"]
    with pytest.raises(AssertionError, match="4 of 4 failed") as told:
        looked_at(tried)
    assert tried == ["one", "one", "two", "two", "three", "three", "four", "four"]
    assert "'one', 3: AssertionError: 1 of 2 failed:\nlarge: Failed: too small" in str(told.value)
    assert "'two', 4: AssertionError: 2 of 2 failed" in str(told.value)


def test_a_loop_over_nothing_or_over_no_parameter_is_refused() -> None:
    def looked_at(word: str) -> None:
        del word

    with pytest.raises(AssertionError, match="no case"):
        over("word", [])(looked_at)()
    with pytest.raises(AssertionError, match="no parameters"):
        over("size", [1])(looked_at)


def test_a_case_that_is_skipped_leaves_the_others() -> None:
    tried: list[int] = []

    @over("number", [1, 2, 3])
    def looked_at(number: int) -> None:
        if number < 3:
            pytest.skip("too small")
        tried.append(number)

    looked_at()
    assert tried == [3]
    with pytest.raises(pytest.skip.Exception):
        over("number", [1, 2])(looked_at.__wrapped__)()  # type: ignore[attr-defined]
