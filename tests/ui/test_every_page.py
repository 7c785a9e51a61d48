"""What holds on every page."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import DEADLINE
from tests.ui.conftest import ROOT, Asked, Visit, turn_to, words

PAGES = (
    "home", "demo", "compose", "import_pairs", "review", "models", "runs", "effects", "items",
    "check_tutor",
    "malgorithms", "biases", "your_class", "guess", "concepts", "look_inside",
    "training_lab", "origins", "audit", "what_happened",
)  # fmt: skip
FREE = ("your_class", "concepts", "training_lab", "origins", "audit", "what_happened")
"""Pages that show something without a file of runs."""


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.usefixtures("asked")
def test_a_page_opens_on_a_file_with_runs(page: str, visit: Visit) -> None:
    app = visit(page)
    assert not app.error
    assert len(app.title) == 1


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.usefixtures("empty")
def test_a_page_opens_before_anything_was_asked(page: str, visit: Visit) -> None:
    app = visit(page)
    assert not app.error
    assert app.title


@pytest.mark.parametrize("page", FREE)
def test_your_class_and_building_a_concept_need_no_file_of_runs(
    page: str, visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "notes.db"
    path.write_text("This is no database at all.")
    monkeypatch.setenv("BIASLAB_DB", str(path))
    app = visit(page)
    assert not app.error


@pytest.mark.parametrize("page", ["runs", "effects", "items"])
@pytest.mark.usefixtures("empty")
def test_an_empty_page_says_what_to_do(page: str, visit: Visit) -> None:
    app = visit(page)
    assert "Ask a model" in app.info[0].value
    # Before them stand the steps of the same area.
    assert [link.proto.page for link in app.get("page_link")][-2:] == ["", "compose"]


@pytest.mark.parametrize("page", [page for page in PAGES if page not in FREE])
def test_a_damaged_file_is_told_in_a_sentence(
    page: str, visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "notes.db"
    path.write_text("This is no database at all.")
    monkeypatch.setenv("BIASLAB_DB", str(path))
    app = visit(page)
    assert len(app.error) == 1
    assert "hoose another" in app.error[0].value
    assert "Traceback" not in words(app)
    assert path.read_text() == "This is no database at all."


@pytest.mark.parametrize("page", ["runs", "effects", "items"])
@pytest.mark.usefixtures("asked")
def test_a_link_to_a_run_that_is_not_there_says_so(page: str, visit: Visit) -> None:
    app = visit(page, **{"runs" if page == "effects" else "run": "no_such_run"})
    assert not app.error
    assert "no\\_such\\_run" in app.warning[0].value


def test_a_page_comes_back_as_it_was_left(asked: Asked, visit: Visit) -> None:
    app = visit("items", run=asked.shy, pattern="both right")
    left = dict(app.query_params)
    app.query_params.clear()
    turn_to(app, "runs").run()
    app.query_params.clear()
    turn_to(app, "items").run()
    assert dict(app.query_params) == left


def test_the_back_button_forgets_what_the_other_page_had_in_its_address(
    asked: Asked, visit: Visit
) -> None:
    app = visit("effects", runs=asked.shy, by="operation")
    turn_to(app, "items")
    app.query_params = {"run": asked.keyword, "strata": "steps:2"}
    app.run()
    turn_to(app, "effects").run()
    assert dict(app.query_params) == {"runs": asked.shy, "by": "operation"}


@pytest.mark.usefixtures("asked")
def test_an_unexpected_error_is_told_without_a_stack_trace_on_the_page(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a fault of this program")

    monkeypatch.setattr("biaslab.ui.results.item_detail.verdict", fail)
    app = visit("items")
    assert "did not expect" in app.error[0].value
    assert app.expander[-1].label == "Details for a report"


def test_no_tag_stands_in_the_style_which_streamlit_would_throw_away_whole() -> None:
    assert "<" not in (ROOT / "assets" / "style" / "style.css").read_text(encoding="utf-8")


@pytest.mark.usefixtures("asked")
@pytest.mark.slow
def test_no_page_loads_torch_into_the_server() -> None:
    script = f"""
import sys
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash
manifest_scanner.scan_component_manifests = lambda: []
for page in {PAGES!r}:
    app = AppTest.from_file({str(ROOT / "biaslab/ui/main.py")!r}, default_timeout={DEADLINE})
    if page != "home":
        app._page_hash = calc_hash(page)
    app.run()
    assert len(app.title) == 1 and not app.error and not app.exception, page
found = [name for name in ("torch", "transformers", "openai") if name in sys.modules]
sys.exit(f"loaded: {{found}}" if found else 0)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
