"""LaTeX that always compiles, whatever models and runs are called."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from biaslab.publishing.paper import make_paper, write_paper
from biaslab.publishing.paper.tables import escaped
from biaslab.runs import open_store
from tests.loops import over

ROOT = Path(__file__).resolve().parents[3]
COMMAND = re.compile(r"\\(?:[A-Za-z]+|[{}$&#_%\\])")
NASTY = r"50%_of\my{model}#1 $x$ & ~^<>|" + "`\"--''?!,, Größe № 模型 \u202e\x00\n[5]"


@over(
    ("text", "shown"),
    [
        ("a_b", r"a\_b"),
        ("50 %", r"50 \%"),
        ("#1 & {x}", r"\#1 \& \{x\}"),
        ("C:\\models", r"C:\textbackslash{}models"),
        ("--fast", "-{}-fast"),
        ("−3.1", "$-$3.1"),
        ("Zürich, Łódź", "Zürich, Łódź"),
        ("模型", "[U+6A21][U+578B]"),
        ("two\nlines", "two lines"),
    ],
)
def test_what_latex_would_take_for_a_command_is_shown_as_it_is(text: str, shown: str) -> None:
    assert escaped(text) == shown


@given(st.text())
def test_no_text_leaves_a_command_a_comment_or_an_open_group(text: str) -> None:
    shown = escaped(text)
    without = COMMAND.sub("", shown.replace("$-$", "").replace("$'$", ""))
    without = without.replace("$$", "")

    assert not set(without) & set("\\%#&_^~$\n\0") - {"~"}
    assert without.count("{") == without.count("}") == without.count("{}")
    assert all(each.isascii() or each.isalpha() for each in shown)


@pytest.fixture(scope="module")
def paper(runs: tuple[Path, dict[str, str]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A paper on a model whose name has everything that LaTeX does not bear."""
    db, ids = runs
    folder = tmp_path_factory.mktemp("latex")
    shutil.copy(db, folder / "runs.db")
    with open_store(folder / "runs.db") as store:
        with store.writing() as connection:
            connection.execute(
                "UPDATE models SET spec = ? WHERE spec = 'learner:perfect'", (NASTY,)
            )
        out = folder / "paper"
        chosen = [ids[name] for name in ("keyword", "perfect", "decision", "samples")]
        paper = make_paper(store, chosen)
    write_paper(paper, out)
    return out


def test_every_row_of_a_table_has_a_cell_for_every_column(paper: Path) -> None:
    tables = sorted((paper / "tables").glob("*.tex"))

    assert len(tables) == 3
    for path in tables:
        text = path.read_text(encoding="utf-8")
        assert text.count(r"\begin{table*}") == text.count(r"\end{table*}") >= 1
        (columns,) = {len(found) for found in re.findall(r"\\begin\{tabular\}\{(\w+)\}", text)}
        rows = [line for line in text.splitlines() if line.endswith(r"\\")]
        assert {len(re.findall(r"(?<!\\)&", row)) + 1 for row in rows} == {columns}
        assert all(rule in text for rule in (r"\toprule", r"\midrule", r"\bottomrule"))


def test_a_table_has_the_figures_of_its_csv(paper: Path) -> None:
    import pandas as pd

    latex = (paper / "tables/effects.tex").read_text(encoding="utf-8")
    table = pd.read_csv(paper / "tables/effects.csv")

    rows = [line for line in latex.splitlines() if line.endswith(r"\\")][1:]
    assert len(rows) == len(table) == 4
    for row, (_, effect) in zip(rows, table.iterrows(), strict=True):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)&", row)]
        assert cells[4] == str(effect["n"])
        if effect["study"] != "decision":
            shown = float(cells[7].replace("$-$", "-"))
            assert shown == pytest.approx(100 * effect["cate"], abs=0.051)
            low, high = re.findall(r"[-+]?\d+\.\d", cells[8].replace("$-$", "-"))
            assert float(low) == pytest.approx(100 * effect["ci_low"], abs=0.051)
            assert float(high) == pytest.approx(100 * effect["ci_high"], abs=0.051)


def test_every_reference_that_is_cited_is_there(paper: Path) -> None:
    cited = re.findall(r"\\cite\{([^}]+)\}", (paper / "methods.tex").read_text(encoding="utf-8"))
    entries = re.findall(r"^@misc\{([^,]+),$", (paper / "references.bib").read_text(), re.M)

    assert {key for keys in cited for key in keys.split(",")} == set(entries)
    assert len(entries) == len(set(entries))


def test_every_file_that_the_document_takes_in_is_there(paper: Path) -> None:
    document = (paper / "paper.tex").read_text(encoding="utf-8")

    inputs = re.findall(r"\\input\{([^}]+)\}", document)
    assert set(inputs) >= {"methods", "limitations", "tables/effects"}
    assert [name for name in inputs if not (paper / f"{name}.tex").is_file()] == []
    figures = re.findall(r"\\includegraphics\[[^]]*\]\{([^}]+)\}", document)
    assert figures
    assert [name for name in figures if not (paper / name).is_file()] == []


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
def test_the_document_compiles(paper: Path) -> None:
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    compiled = subprocess.run(command, cwd=paper, capture_output=True, text=True)

    assert compiled.returncode == 0, compiled.stdout[-3000:]
    assert (paper / "paper.pdf").read_bytes().startswith(b"%PDF")


def test_the_citation_of_the_software_names_its_version() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert cited["version"] == project["version"]
    assert [author["name"] for author in cited["authors"]] == [
        author["name"] for author in project["authors"]
    ]
    assert cited["license"] == project["license"]
