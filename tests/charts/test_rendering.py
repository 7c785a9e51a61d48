"""Charts in a real browser, on a phone: drawn without errors and without clipped words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from biaslab.charts import Chart, arms_chart, cate_chart, config, empty_chart, structure_chart
from biaslab.stats import Effect
from biaslab.studies import Arms
from biaslab.studies.published import published_effects

ARMS = Arms("consistent", "inconsistent")
PHONE = 390


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": PHONE, "height": 844})
    yield context.new_page()
    context.close()


def _open(page: Page, chart: Chart, folder: Path) -> list[str]:
    """Shows a chart and gives back the errors of the page."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    file = folder / "chart.html"
    chart.figure.write_html(
        file, config=config("test"), include_plotlyjs="directory", div_id="chart",
        post_script="document.body.dataset.drawn = 'yes'",
    )  # fmt: skip
    page.goto(file.as_uri())
    page.wait_for_selector("body[data-drawn]")
    return errors


def _texts(page: Page) -> list[dict[str, Any]]:
    script = """() => [...document.querySelectorAll('#chart svg text')].map(t => {
        const box = t.getBoundingClientRect();
        return {text: t.textContent, left: box.left, right: box.right, top: box.top}
    }).filter(t => t.text)"""
    found: list[dict[str, Any]] = page.evaluate(script)
    return found


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["cate", "published", "arms", "structure", "empty"])
def test_a_phone_shows_every_chart_whole(
    page: Page, tmp_path: Path, three_kinds: list[Effect], facts: dict[str, object],
    name: str, dark: bool,
) -> None:  # fmt: skip
    charts = {
        "cate": lambda: cate_chart(three_kinds, ARMS, study="Consistency", dark=dark),
        "published": lambda: cate_chart(
            three_kinds, ARMS, published_effects=published_effects("consistency"), dark=dark
        ),
        "arms": lambda: arms_chart(three_kinds, ARMS, stratum_label="Steps", dark=dark),
        "structure": lambda: structure_chart(facts, dark=dark),
        "empty": lambda: empty_chart("There is nothing to show yet.", dark=dark),
    }
    assert _open(page, charts[name](), tmp_path) == []
    texts = _texts(page)
    assert texts
    for text in texts:
        assert text["left"] >= 0, text
        assert text["right"] <= PHONE, text
        assert text["top"] >= 0, text


def test_names_with_markup_and_dollars_appear_as_they_are(
    page: Page, tmp_path: Path, make_effects: Any
) -> None:
    name = "local:<b>$x$</b>&amp;"
    found = make_effects({"model": name, "kind": "language model"})
    assert _open(page, cate_chart(found, ARMS), tmp_path) == []
    assert any(f"{name}, direct" in text["text"] for text in _texts(page))
