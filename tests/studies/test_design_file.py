"""A design as a JSON file: read back as it was, or refused with the reason."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab import __version__
from biaslab.files import InterchangeError
from biaslab.studies import Design
from biaslab.studies.designs import MAX_BYTES, read_design_file, write_design_file
from schoolmath.problems import DesignError
from tests.loops import over

DESIGN = Design("consistency", 7, 5, {"steps": "1-2", "operations": "additive"})


def changed(**fields: Any) -> bytes:
    """The file of the design with other fields; None leaves one out."""
    found = json.loads(write_design_file(DESIGN)) | fields
    return json.dumps({name: value for name, value in found.items() if value is not None}).encode()


@given(
    n=st.integers(1, 100_000),
    seed=st.integers(0, 2**31 - 1),
    low=st.integers(1, 5),
    high=st.integers(1, 5),
)
def test_a_design_comes_back_as_it_was(n: int, seed: int, low: int, high: int) -> None:
    design = Design("consistency", n, seed, {"steps": f"{min(low, high)}-{max(low, high)}"})
    filed = read_design_file(write_design_file(design, "Größe 1"))

    assert filed.design == design
    assert (filed.name, filed.made_by) == ("Größe 1", f"BiasLab {__version__}")


def test_a_file_with_the_mark_of_another_editor_is_read() -> None:
    assert read_design_file(b"\xef\xbb\xbf" + write_design_file(DESIGN)).design == DESIGN


def test_a_file_of_a_newer_format_says_so() -> None:
    with pytest.raises(InterchangeError, match=r"version 5 .* newer BiasLab"):
        read_design_file(changed(format_version=5))


def test_a_file_of_the_first_format_means_the_first_version_of_the_texts() -> None:
    design = Design("consistency", 20, 1, {"steps": "1-1"})
    now = write_design_file(design)
    then = now.replace(b'"format_version": 4', b'"format_version": 1')

    assert read_design_file(now).design == design
    assert read_design_file(then).design.settings == {"version": "1", "steps": "1-1"}


@pytest.mark.parametrize("version", [1, 2])
def test_prompts_about_concepts_have_had_versions_since_the_third_format(version: int) -> None:
    now = write_design_file(Design("concept-learning", 20, 1, {"shots": 5}))
    then = now.replace(b'"format_version": 4', b'"format_version": %d' % version)

    assert read_design_file(now).design.settings == {"shots": 5}
    assert read_design_file(then).design.settings == {"version": "1", "shots": 5}


@pytest.mark.parametrize("version", [1, 2, 3])
def test_decisions_have_had_versions_since_the_fourth_format(version: int) -> None:
    now = write_design_file(Design("decision", 20, 1, {"bias": "anchoring"}))
    then = now.replace(b'"format_version": 4', b'"format_version": %d' % version)

    assert read_design_file(now).design.settings == {"bias": "anchoring"}
    assert read_design_file(then).design.settings == {"version": "1", "bias": "anchoring"}


def test_an_unknown_setting_is_refused_by_its_name() -> None:
    with pytest.raises(DesignError, match="no setting 'colour'") as refused:
        read_design_file(changed(settings={"colour": "red"}))
    assert refused.value.setting == "colour"


def test_an_unknown_study_is_refused_by_its_name() -> None:
    with pytest.raises(DesignError, match="no study 'consistence'"):
        read_design_file(changed(study="consistence"))


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"steps": "0-9"}, "not within 1 to 5"),
        ({"steps": 9}, "not within 1 to 5"),
        ({"operations": "all of them"}, "not one of the choices"),
    ],
)
def test_a_value_that_the_setting_does_not_have_is_refused(
    settings: dict[str, Any], reason: str
) -> None:
    with pytest.raises(DesignError, match=reason):
        read_design_file(changed(settings=settings))


@pytest.mark.parametrize("n", [0, -1, 100_001])
def test_a_size_out_of_range_is_refused(n: int) -> None:
    with pytest.raises(DesignError, match="from 1 to 100,000"):
        read_design_file(changed(n=n))


@over(
    "content",
    [
        b"",
        b"\xff\xfe\x00",
        b"{",
        b"[]",
        b"null",
        b"[" * 50_000,
        b'{"a":' * 10_000,
        b"9" * 20_000,
        b" " * (MAX_BYTES + 1),
        b'{"format": "biaslab-design", "format": "biaslab-design"}',
        b'{"format": "something else"}',
        b'{"format": "biaslab-design", "format_version": "1"}',
        changed(format_version=0),
        changed(format_version=True),
        changed(n=None),
        changed(n="7"),
        changed(n=True),
        changed(n=7.0),
        changed(seed=-1),
        changed(seed=2**31),
        changed(study=3),
        changed(settings=[]),
        changed(settings={"steps": None}),
        changed(settings={"steps": ["1-2"]}),
        changed(name=["x"]),
        changed(made_by="x" * 1_000),
        changed(name="a\x1b[31mb"),
    ],
)
def test_a_broken_or_hostile_file_is_refused_in_a_sentence(content: bytes) -> None:
    with pytest.raises(InterchangeError) as refused:
        read_design_file(content)
    assert str(refused.value).endswith(".")
    assert len(str(refused.value)) < 300


@given(content=st.binary(max_size=200))
def test_no_bytes_at_all_make_it_stumble(content: bytes) -> None:
    with pytest.raises(InterchangeError):
        read_design_file(content)


@given(
    fields=st.dictionaries(
        st.sampled_from(["study", "n", "seed", "settings", "format_version", "name", "more"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
            max_leaves=5,
        ),
    )
)
def test_whatever_the_fields_hold_it_is_read_or_refused(fields: dict[str, Any]) -> None:
    content = json.dumps(json.loads(write_design_file(DESIGN)) | fields).encode()
    try:
        design = read_design_file(content).design
    except (InterchangeError, DesignError):
        return
    assert read_design_file(write_design_file(design)).design == design
