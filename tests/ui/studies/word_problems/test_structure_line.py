"""A line of structure while it is being written, right or wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.ui.studies.word_problems.structure_builder import TEMPLATES
from biaslab.ui.studies.word_problems.structure_text import (
    examples,
    join,
    letters_for,
    read_line,
    write_part,
)
from schoolmath.problems.structure import (
    MOST_PARTS,
    SentenceKind,
    Structure,
    parse_structure,
    write_structure,
)
from tests.loops import over

PARTS = st.sampled_from(
    [
        "container", "container B", "container distractor", "transfer", "transfer+",
        "transfer- A>B", "transfer >A", "comparison", "comparison* inconsistent",
        "comparison- B:A consistent", "comparison A:A", "rate", "rate/", "rate* unit=box",
        "container thing=milk", "comparison+ attribute=red", "transfer distractor",
        "transfr-", "comparison foo", "rate?", "container thing=dragon", "<b>", "container A B",
    ]
)  # fmt: skip


@over("name", TEMPLATES)
def test_every_structure_to_begin_with_makes_sense_and_is_written_in_the_usual_way(
    name: str,
) -> None:
    line = read_line(TEMPLATES[name])
    assert line.error is None
    assert write_structure(parse_structure(line.text)) == line.text


def test_the_structures_to_begin_with_differ() -> None:
    assert len(set(TEMPLATES.values())) == len(TEMPLATES)


def test_a_part_that_cannot_be_read_leaves_the_others_readable() -> None:
    line = read_line("container . transfr- . comparison+")
    assert [part.step is not None for part in line.parts] == [True, False, True]
    assert line.texts == ["container", "transfr-", "comparison+"]
    start, end = line.fault
    assert line.text[start:end] == "transfr"


def test_a_part_that_makes_no_sense_is_marked_where_it_stands() -> None:
    line = read_line("container . comparison A:A  . transfer-")
    start, end = line.fault
    assert line.text[start:end] == "comparison A:A"


@pytest.mark.parametrize("text", ["", " . . ", "...."])
def test_an_empty_line_has_a_fault_without_a_place(text: str) -> None:
    line = read_line(text)
    assert line.error is not None
    assert line.fault == (0, 0)
    assert line.parts == ()


@given(parts=st.lists(PARTS, max_size=MOST_PARTS + 2))
def test_whatever_the_parts_the_line_is_told_part_by_part(parts: list[str]) -> None:
    line = read_line(join(parts))
    sentences = examples(line)
    assert line.texts == parts
    assert len(sentences) == len(parts)
    assert all(sentences)
    start, end = line.fault
    assert 0 <= start <= end <= len(line.text)
    assert (line.plan is None) == (line.error is not None)


@given(text=st.text(max_size=60))
def test_whatever_is_typed_is_read_or_told_of(text: str) -> None:
    line = read_line(text)
    assert len(examples(line)) == len(line.parts)
    assert [line.text[part.start : part.end] for part in line.parts] == line.texts


@given(parts=st.lists(PARTS, max_size=MOST_PARTS))
def test_letters_to_choose_from_hold_everybody_who_is_named(parts: list[str]) -> None:
    line = read_line(join(parts))
    letters = letters_for(line)
    for part in line.parts:
        if part.step is not None:
            assert {letter for letter in part.step.agents if letter} <= set(letters)


@over(
    ("text", "told"),
    [
        ("container", "A has some apples."),
        ("transfer-", "A gives away some apples."),
        ("transfer+", "A gets some apples."),
        ("transfer A>B", "A gives B some apples."),
        ("transfer B>A", "B gives A some apples."),
        ("comparison+", "B has some more apples than A."),
        ("comparison+ inconsistent", "A has some fewer apples than B."),
        ("comparison* consistent", "B has several times as many apples as A."),
        ("comparison/ inconsistent", "A has several times as many apples as B."),
        ("rate/", "A’s apples are packed into boxes, so many to a box."),
        ("transfer- thing=milk unit=litre", "A gives away some liters of milk."),
    ],
)
def test_a_part_is_told_as_a_sentence_that_a_teacher_knows(text: str, told: str) -> None:
    line = read_line("container" if text == "container" else f"container . {text}")
    assert examples(line)[-1] == told


def test_sentences_before_a_rate_that_opens_boxes_count_boxes() -> None:
    assert examples(read_line("container . rate*")) == [
        "A has some boxes of apples.",
        "Each box of A’s holds so many apples.",
    ]


@pytest.mark.parametrize("kind", list(SentenceKind))
def test_a_step_written_alone_is_read_back(kind: SentenceKind) -> None:
    (step,) = parse_structure(str(kind)).steps
    assert parse_structure(write_part(step)) == Structure((step,))
