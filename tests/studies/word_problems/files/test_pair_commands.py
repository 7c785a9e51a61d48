"""`biaslab pairs` into every format, and at a glance."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path

import pandas as pd
import pypdf
import pytest
import yaml
from click.testing import CliRunner, Result

from biaslab.cli import main, pair_files
from biaslab.studies.word_problems import files as interchange


def biaslab(*arguments: object, status: int = 0) -> Result:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code == status, result.output
    return result


def pairs(out: Path, *more: object, status: int = 0) -> str:
    return biaslab("pairs", "carry", "--n", 8, "--out", out, *more, status=status).output


def test_the_ending_of_the_file_decides_the_format(tmp_path):
    starts = {".csv": b"pair,arm", ".jsonl": b'{"pair"', ".parquet": b"PAR1", ".zip": b"PK",
              ".pdf": b"%PDF", ".gift": b"::0001", ".xml": b"<?xml"}  # fmt: skip
    assert set(starts) == set(pair_files.SUFFIXES)
    for suffix, start in starts.items():
        out = tmp_path / f"p{suffix}"
        assert str(out) in pairs(out)
        assert out.read_bytes().startswith(start), suffix


def test_a_format_may_be_named_whatever_the_ending(tmp_path):
    out = tmp_path / "p.csv"
    said = pairs(out, "--format", "released")
    rows = list(csv.DictReader(io.StringIO(out.read_text("utf-8"), newline="")))
    assert len(rows) == 8
    assert list(rows[0])[-2:] == ["Carry Operation", "Num. Carries"]
    assert "have no column for" in said


def test_a_parquet_file_has_its_card_beside_it(tmp_path):
    pairs(tmp_path / "p.parquet", "--title", "Carries")
    assert len(pd.read_parquet(tmp_path / "p.parquet")) == 16
    front = yaml.safe_load((tmp_path / "p.README.md").read_text("utf-8").split("---\n")[1])
    assert front["pretty_name"] == "Carries"
    assert front["configs"][0]["data_files"][0]["path"] == "p.parquet"


def test_a_worksheet_is_laid_out_as_chosen(tmp_path):
    out = tmp_path / "p.pdf"
    said = pairs(out, "--paper", "letter", "--no-solutions", "--title", "5a", "--members", "x")
    assert "8 problems in" in said
    reader = pypdf.PdfReader(out)
    text = " ".join(page.extract_text() for page in reader.pages)
    assert round(reader.pages[0].mediabox.width) == 612
    assert "Solutions" not in text
    assert text.startswith("5a")


def test_a_refusal_leaves_no_file(tmp_path):
    said = pairs(tmp_path / "p.pdf", "--members", "both", status=1)
    assert "nobody sees both" in said
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_ending_is_wrong_usage(tmp_path):
    assert ".parquet" in pairs(tmp_path / "p.doc", status=2)


def test_nothing_to_do_is_wrong_usage():
    assert "--overview" in biaslab("pairs", "carry", "--n", 8, status=2).output


def test_the_overview_is_a_table_with_a_column_for_each_member():
    said = biaslab("pairs", "carry", "--n", 8, "--overview", "--set", "carries=2").output
    assert "x: no carry" in said
    assert "x′: carry" in said
    (line,) = [line for line in said.splitlines() if line.startswith("Carries and borrows")]
    assert line.split() == ["Carries", "and", "borrows", "0.00", "2.00"]
    assert "Members differ in nothing but the treatment." in said


@pytest.mark.parametrize("form", ["pdf", "zip"])
def test_the_overview_comes_with_a_file_too(tmp_path, form):
    out = tmp_path / f"p.{form}"
    said = pairs(out, "--overview")
    assert out.stat().st_size > 0
    assert "8 pairs at a glance" in said
    if form == "zip":
        assert zipfile.ZipFile(out).testzip() is None


def test_the_command_offers_what_the_package_can_do():
    assert tuple(interchange.PAIR_EXPORTS) == pair_files.FORMATS
    assert set(pair_files.SUFFIXES.values()) == set(pair_files.FORMATS) - {"released", "qti"}
    for suffix, form in pair_files.SUFFIXES.items():
        assert interchange.PAIR_EXPORTS[form].suffix == suffix
