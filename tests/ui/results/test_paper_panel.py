"""Effects: a paper about the runs on the page in one click."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

from biaslab.paper import reproduce
from biaslab.ui.results.paper_panel import paper_zip
from tests.ui.conftest import Asked, Visit, downloads


def test_effects_offer_a_paper(asked: Asked, visit: Visit) -> None:
    app = visit("effects", runs=f"{asked.keyword},{asked.comparer}")

    assert "Paper (ZIP)" in downloads(app)
    assert not app.exception


def test_it_is_broken_down_as_the_page_is_and_can_be_made_again(
    asked: Asked, tmp_path: Path
) -> None:
    content = paper_zip([asked.keyword, asked.comparer], "operation", "exclude", vote=False)

    with ZipFile(BytesIO(content)) as archive:
        names = {name.partition("/")[2] for name in archive.namelist()}
    assert {"methods.tex", "tables/effects-consistency-operation.tex"} <= names
    # A study without the stratum is broken down by its own.
    assert "tables/effects-transfer-comparison-steps.tex" in names
    (tmp_path / "paper.zip").write_bytes(content)
    assert reproduce(tmp_path / "paper.zip").differences == ()
