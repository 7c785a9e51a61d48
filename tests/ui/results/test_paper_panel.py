"""Effects: a paper and a report about the runs on the page, each in one click."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

from biaslab.publishing.paper import reproduce
from biaslab.ui.results.overview import paper_zip, report_page
from tests.ui.conftest import Asked, Visit, downloads


def test_effects_offer_a_paper_and_a_report(asked: Asked, visit: Visit) -> None:
    app = visit("effects", runs=f"{asked.keyword},{asked.comparer}")

    assert {"Paper (ZIP)", "Report as one file"} <= set(downloads(app))
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


def test_a_report_is_broken_down_as_the_page_is(asked: Asked) -> None:
    content = report_page([asked.keyword, asked.comparer], "operation", "exclude", vote=False)

    html = content.decode()
    assert "<caption>By operation</caption>" in html
    assert "<caption>By reasoning steps</caption>" in html
