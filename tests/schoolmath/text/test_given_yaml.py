"""YAML that people give: not deep, without references, not endless."""

from __future__ import annotations

import pytest
import yaml

from schoolmath.text.yaml_files import parse_yaml

LAUGHS = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 30_000, "too deep"),
        ("- " * 30_000 + "x", "too deep"),
        ("{a: " * 30_000, "too deep"),
        (LAUGHS, "alias"),
        ("&a [*a]", "alias"),
        ("[" + "x," * 100_001 + "]", "more than 100,000 values"),
        ("a: 1\na: 2\n", "stands twice"),
    ],
    ids=["lists", "lines", "mappings", "laughs", "itself", "many", "twice"],
)
def test_what_could_take_the_reader_down_is_refused_at_its_line(text: str, said: str) -> None:
    with pytest.raises(yaml.MarkedYAMLError, match=said) as refused:
        parse_yaml(text)
    assert refused.value.problem_mark is not None


@pytest.mark.parametrize("text", ["!!python/object/apply:os.system [id]", "!!python/name:os.abort"])
def test_what_names_code_is_not_run(text: str) -> None:
    with pytest.raises(yaml.YAMLError):
        parse_yaml(text)
