"""Who has what in a structure, and which structures make no sense."""

import pytest

from schoolmath.problems.chains import resolve
from schoolmath.problems.quantities import EITHER
from schoolmath.problems.structure import StructureError, parse_structure, write_structure
from tests.loops import over


def plan(line):
    return resolve(parse_structure(line))


def test_the_line_of_the_issue_is_a_chain_of_three_steps():
    found = plan("container . transfer- . comparison+ inconsistent . rate")
    assert (found.start, found.path, found.operations) == (0, (1, 2, 3), ("-", "+", "*"))
    assert (found.asked, found.people) == ("B", ("A", "B"))
    assert [part.packed for part in found.parts] == [1, 1, 1, 0]


def test_a_later_container_is_somebody_elses_and_not_needed():
    found = plan("container . container . comparison")
    assert found.path == (2,)
    assert [part.needed for part in found.parts] == [True, False, True]
    assert found.operations == (EITHER,)


def test_comparing_with_a_bystander_begins_the_path_there():
    found = plan("container A . container B . comparison C:B . transfer+")
    assert (found.start, found.path, found.asked) == (1, (2, 3), "C")


def test_a_distractor_changes_nobody_on_the_path():
    found = plan("container . container . transfer distractor . transfer")
    assert found.parts[2].agent == "B"
    assert found.path == (3,)


def test_a_distractor_counts_as_the_amount_that_it_goes_on_from():
    found = plan("container . comparison . rate . comparison B:A distractor")
    assert [part.packed for part in found.parts] == [1, 1, 0, 1]


def test_things_can_be_unpacked_and_packed_anew():
    found = plan("container . rate* . transfer . rate/")
    assert [part.packed for part in found.parts] == [1, 0, 0, 2]


@over(
    ("line", "part", "reason"),
    [
        ("container . comparison A:A", 1, "compared with themselves"),
        ("container . transfer A>A", 1, "gives to themselves"),
        ("container . comparison B:A . comparison A:B", 2, "closes a circle"),
        ("container unit=litre . transfer unit=kilogram", 1, "unit kilogram"),
        ("container thing=apple . transfer thing=pear", 1, "thing pear"),
        ("container . comparison C:A . comparison D:A", 1, "does not need"),
        ("container . rate . rate", 2, "packed once"),
        ("container thing=apple . rate unit=sack", 1, "not counted in the unit"),
        ("container thing=milk . rate", 0, "not packed one by one"),
        ("container . rate unit=litre", 1, "is a measure"),
        ("container . transfer+ A>B", 1, "the sign is -"),
        ("container . transfer B>C", 1, "is not known"),
        ("container . comparison B:C", 1, "is not known"),
        ("container . rate distractor . transfer", 1, "cannot be a distractor"),
        ("container . comparison B:A distractor . transfer B>", 1, "is no distractor"),
        ("container A . container A . transfer", 1, "known already"),
        ("container distractor . transfer", 0, "never a distractor"),
        ("transfer", 0, "begins with what somebody has"),
        ("container", 0, "nothing to calculate"),
        ("container . container", 1, "nothing to calculate"),
    ],
)
def test_what_makes_no_sense_is_refused_at_its_part(line, part, reason):
    with pytest.raises(StructureError) as refused:
        plan(line)
    assert refused.value.part == part
    assert reason in str(refused.value)
    assert refused.value.setting == "structure"


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("container . foo", "foo"),
        ("container . transfer*", "*"),
        ("container . transfer consistent", "consistent"),
        ("container thing=appel", "thing=appel"),
        ("container . comparison B:A C:A", "C:A"),
        ("container . comparison distractor distractor", "distractor"),
        ("container . comparison B", "B"),
    ],
)
def test_what_cannot_be_read_is_refused_where_it_stands(line, fault):
    with pytest.raises(StructureError) as refused:
        parse_structure(line)
    assert line[refused.value.start : refused.value.end] == fault


@pytest.mark.parametrize("line", ["", " . . ", ". ".join(["container"] * 13)])
def test_an_empty_or_endless_line_is_refused(line):
    with pytest.raises(StructureError):
        parse_structure(line)


@pytest.mark.parametrize(
    "line",
    [
        "container . transfer- . comparison+ inconsistent . rate",
        "container A thing=apple attribute=red . transfer+ B>A . comparison* C:A distractor",
        "container unit=litre . transfer >A . comparison/ consistent",
    ],
)
def test_a_line_is_written_as_it_was_read(line):
    assert write_structure(parse_structure(line)) == line


def test_a_line_is_read_whatever_its_spaces_capitals_and_signs():
    typed = "Container.Transfer − .comparison × Inconsistent"
    assert write_structure(parse_structure(typed)) == (
        "container . transfer- . comparison* inconsistent"
    )
