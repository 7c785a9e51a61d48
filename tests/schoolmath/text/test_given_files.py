"""What people give is read within bounds: no file without end, none that brings a parser down."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from biaslab.cli import main
from biaslab.files import import_bytes
from biaslab.studies.decisions.biases import check_text, scales
from biaslab.studies.decisions.biases.document import MOST_EVENTS
from schoolmath.text.given_files import (
    DEEPEST,
    DoubledName,
    FileRefused,
    TooDeep,
    parse_json,
    read_beginning,
    read_given,
    read_given_text,
)
from tests.loops import over

ENDLESS = Path("/dev/zero")
endless = pytest.mark.skipif(not ENDLESS.exists(), reason="this system has no /dev/zero")
pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")

COMMANDS = {
    "check-bias": ["check-bias", "FILE"],
    "biases": ["biases", "--keep", "FILE", "--db", "DB"],
    "import items": ["import", "FILE", "--format", "gift"],
    "import": ["import", "FILE"],
    "import pairs": ["import", "FILE", "--db", "DB"],
    "import cases": ["import", "GOOD", "--cases", "FILE"],
    "misconceptions": ["import", "GOOD", "--format", "csv", "--misconceptions", "FILE"],
    "design": ["pairs", "--design", "FILE", "--out", "OUT"],
    "reproduce": ["reproduce", "FILE"],
    "class": ["report", "--class", "FILE", "--quiz", "GOOD", "--out", "OUT"],
    "quiz": ["report", "--class", "GOOD", "--quiz", "FILE", "--out", "OUT"],
    "export": ["export", "FILE", "--format", "gift", "--out", "OUT"],
}


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def refused(command: str, file: Path, folder: Path) -> str:
    good = folder / "good.csv"
    good.write_text("question,a,b,key\nQ,1,2,A\n")
    places = {"FILE": file, "DB": folder / "runs.db", "OUT": folder / "out.csv", "GOOD": good}
    arguments = [str(places.get(word, word)) for word in COMMANDS[command]]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 1, result.output
    assert isinstance(result.exception, SystemExit), result.exception
    return result.output


@endless
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_refuses_a_file_that_never_ends(command: str, tmp_path: Path) -> None:
    assert "zero is no ordinary file" in refused(command, ENDLESS, tmp_path)


@pipes
@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_waits_for_a_pipe_that_nobody_writes_to(
    command: str, pipe: Path, tmp_path: Path
) -> None:
    assert "pipe is no ordinary file" in refused(command, pipe, tmp_path)


@pytest.mark.parametrize("bracket", ["[", "- "])
def test_a_bias_text_of_brackets_does_not_end_the_program(bracket: str, tmp_path: Path) -> None:
    file = tmp_path / "deep.yaml"
    file.write_text(bracket * (30_000 // len(bracket)))
    ended = subprocess.run(
        [sys.executable, "-m", "biaslab", "check-bias", file], capture_output=True, text=True
    )
    assert ended.returncode == 1, ended.stderr
    assert f"line 1, YAML: Lists or keys lie more than {DEEPEST} deep here." in ended.stdout


class TestBiasTexts:
    def fault(self, text: str) -> str:
        (finding,) = check_text(text, scales()).faults
        return str(finding)

    @over("opening", ["[", "{", "- ", "? ", "[{", "a: [? "])
    @over("size", [200, 30_000, 490_000])
    def test_openings_of_every_kind_are_refused(self, opening: str, size: int) -> None:
        assert "deep here" in self.fault(opening * (size // len(opening)))

    def test_the_line_of_what_lies_too_deep_is_named(self) -> None:
        assert "line 3" in self.fault("id: x\nname: y\ntext: " + "[" * 40)

    def test_more_parts_than_a_bias_can_have_are_refused(self) -> None:
        text = "id: [" + "a," * MOST_EVENTS + "]"
        assert f"more than {MOST_EVENTS:,} parts" in self.fault(text)

    def test_references_that_would_multiply_are_refused(self) -> None:
        bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n"
        fault = self.fault(bomb)
        assert "line 2" in fault
        assert "refers to another part" in fault

    @pytest.mark.parametrize("value", ["!!timestamp x", "!!bool x", '!!int ""', "!!python/name:os"])
    def test_tags_are_refused(self, value: str) -> None:
        assert "has a tag" in self.fault(f"id: {value}")


class TestJson:
    @given(st.integers(1, DEEPEST))
    def test_what_is_not_too_deep_is_read_as_json_reads_it(self, depth: int) -> None:
        text = '[{"a":' * (depth // 2) + "[" * (depth % 2) + "1"
        text += "]" * (depth % 2) + "}]" * (depth // 2)
        assert parse_json(text) == json.loads(text)

    @pytest.mark.parametrize("depth", [DEEPEST + 1, 900, 100_000])
    @pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
    def test_what_is_too_deep_is_refused(self, depth: int, opening: str, closing: str) -> None:
        with pytest.raises(TooDeep):
            parse_json(opening * depth + "1" + closing * depth)

    def test_of_two_values_of_one_name_none_is_silently_lost(self) -> None:
        with pytest.raises(DoubledName) as error:
            parse_json('[{"a": 1, "b": 2, "b": 3}]')
        assert error.value.name == "b"

    @pytest.mark.parametrize("depth", [40, 900])
    def test_a_deep_row_of_items_costs_that_row(self, depth: int) -> None:
        deep = '{"question": ' + "[" * depth + "]" * depth + "}"
        good = '{"question": "2 + 2?", "options": ["4", "5"], "key": "A"}'
        report = import_bytes(f"{good}\n{deep}\n".encode(), "items.jsonl")
        assert len(report.items) == 1
        assert "nested too deeply" in str(report.refused[0])


class TestReading:
    def test_a_file_of_the_most_bytes_is_read_and_one_more_is_refused(self, tmp_path: Path) -> None:
        file = tmp_path / "text"
        file.write_bytes(b"x" * 10)
        assert read_given(file, 10) == b"x" * 10
        assert read_beginning(file, 3) == b"xxx"
        with pytest.raises(FileRefused, match="text is larger than 9 bytes"):
            read_given(file, 9)

    def test_a_text_that_is_not_utf_8_is_refused(self, tmp_path: Path) -> None:
        file = tmp_path / "text"
        file.write_bytes(b"\xff\xfe")
        with pytest.raises(FileRefused, match="UTF-8"):
            read_given_text(file)

    def test_a_missing_file_is_the_systems_own_error(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError):
            read_given(tmp_path / "nowhere")
