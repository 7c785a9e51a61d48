"""What a training says of itself is read while it is written, and after it was killed."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.training.cells import CheckCell
from biaslab.training.heartbeat import (
    MEASURING,
    TrainingProgress,
    mend,
    read_checks,
    read_progress,
)
from biaslab.training.trainer import CHECKS_FILE, PROGRESS_FILE

CELL = CheckCell("consistency", "additive", "", 1, "direct", 4, 1, 2, 0, 1)


def line(step: int, stage: str = "problems") -> TrainingProgress:
    return TrainingProgress(step / 10, min(1.0, step / 100), step, 32 * step, 1.5, stage)


def written(lines: list[TrainingProgress]) -> bytes:
    return "".join(json.dumps(asdict(each)) + "\n" for each in lines).encode()


def check(examples: int) -> str:
    return json.dumps({"minute": 1.0, "examples": examples, "cells": [asdict(CELL)]}) + "\n"


def test_a_training_that_has_said_nothing_has_no_progress(tmp_path):
    assert read_progress(tmp_path) == ()
    assert read_checks(tmp_path) == ()


def test_lines_are_read_as_they_were_written(tmp_path):
    lines = [line(32), line(64), line(96)]
    (tmp_path / PROGRESS_FILE).write_bytes(written(lines))

    assert read_progress(tmp_path) == tuple(lines)


@given(st.data())
def test_cut_anywhere_all_whole_lines_are_read(data):
    lines = [line(step) for step in range(1, data.draw(st.integers(1, 6)))]
    content = written(lines)
    cut = data.draw(st.integers(0, len(content)))
    whole = content[:cut].count(b"\n")
    # A line without its end may be whole already.
    whole += content[cut : cut + 1] == b"\n"
    with TemporaryDirectory() as directory:
        (Path(directory) / PROGRESS_FILE).write_bytes(content[:cut])

        assert read_progress(Path(directory)) == tuple(lines[:whole])


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 3)), min_size=1, max_size=8))
def test_what_was_lost_and_done_again_counts_once(goes):
    """A training is killed and goes on from an earlier save, any number of times."""
    said, saved = [], 0
    for done, lost in goes:
        said += [line(step) for step in range(saved + 1, saved + done + 1)]
        saved = max(0, saved + done - lost)
    last = said[-1].step
    with TemporaryDirectory() as directory:
        (Path(directory) / PROGRESS_FILE).write_bytes(written(said))

        assert read_progress(Path(directory)) == tuple(line(step) for step in range(1, last + 1))


def test_half_a_line_is_ended_so_that_the_next_one_is_whole(tmp_path):
    path = tmp_path / PROGRESS_FILE
    path.write_bytes(written([line(1)]) + b'{"minute": 0.2, "sha')

    mend(tmp_path)
    with path.open("ab") as file:
        file.write(written([line(2)]))

    assert read_progress(tmp_path) == (line(1), line(2))


@pytest.mark.parametrize("content", [b"", b"whole\n"])
def test_files_that_end_as_they_should_stay_as_they_are(content, tmp_path):
    (tmp_path / PROGRESS_FILE).write_bytes(content)

    mend(tmp_path)

    assert (tmp_path / PROGRESS_FILE).read_bytes() == content
    assert not (tmp_path / CHECKS_FILE).exists()


def test_measuring_is_shown_until_the_training_goes_on(tmp_path):
    path = tmp_path / PROGRESS_FILE
    path.write_bytes(written([line(10), line(10, MEASURING)]))
    assert [each.stage for each in read_progress(tmp_path)] == ["problems", MEASURING]

    path.write_bytes(written([line(10), line(10, MEASURING), line(20)]))
    assert [each.step for each in read_progress(tmp_path)] == [10, 20]


def test_checks_come_with_their_cells_and_a_check_made_again_counts_once(tmp_path):
    (tmp_path / CHECKS_FILE).write_text(check(100) + check(200) + check(200) + '{"minute": 1')

    checks = read_checks(tmp_path)

    assert [each.examples for each in checks] == [100, 200]
    assert checks[0].cells == (CELL,)


@pytest.mark.parametrize("content", ["[]", "3", '{"minute": "x"}', "\x00", '{"step": 1}'])
def test_a_line_that_is_no_progress_is_passed_over(content, tmp_path):
    (tmp_path / PROGRESS_FILE).write_bytes(content.encode() + b"\n" + written([line(1)]))

    assert read_progress(tmp_path) == (line(1),)
