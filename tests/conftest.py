"""Settings and the browser shared by all tests."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import SystemRandom
from socket import socket
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal.conjecture import engine

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TESTS = Path(__file__).parent
DEADLINE = 600.0
"""Seconds within which whatever a test waits for must have happened: a page, another process, a
reply. The one limit of all tests, and so long that only what hangs reaches it: a busy machine is no
fault of what is tested. Only where a time-out itself is tested, there is a shorter one."""
DEADLINE_MS = 1000 * DEADLINE
"""The same as browsers are told it."""


SHIPPED_RECORDED = TESTS.parent / "assets" / "recorded"
"""The gallery of recorded runs that comes with BiasLab."""


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """The shipped gallery is there; the run of consistency, step by step, that it begins with."""
    monkeypatch.setenv("BIASLAB_RECORDED", str(SHIPPED_RECORDED))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return "r560df2fe621"


def free_port() -> int:
    """A port of this computer at which a server can be told to listen.

    Below those that a system gives to connections, one of which might take it before the server
    has begun.
    """
    while True:
        port = SystemRandom().randrange(20_000, 32_000)
        with socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def wait_for(condition: Callable[[], object]) -> None:
    """Looks again and again until the condition holds, and fails after the deadline."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        if condition():
            return
        threading.Event().wait(0.02)
    pytest.fail("This did not happen in time.")


os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
# Nothing that a test writes by default goes to where the person who runs it keeps their own.
os.environ["BIASLAB_DB"] = str(Path(tempfile.mkdtemp(prefix="biaslab-tests-")) / "runs.db")
# The runs that come with BiasLab stand beside one's own everywhere; tests of them say so.
os.environ["BIASLAB_RECORDED"] = str(Path(os.environ["BIASLAB_DB"]).parent / "no gallery")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

# No test is timed: how long an example takes depends on what else the machine does. A failure is
# made small but not explained: of a state machine that took minutes, and told little.
settings.register_profile(
    "same",
    deadline=None,
    derandomize=True,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[phase for phase in Phase if phase is not Phase.explain],
)
# The same examples every time, so that a red run is somebody's change; what passed once, passes
# again, so more of them cost every run and find nothing new. `make quick` has fewer, `make explore`
# draws others and ten times as many.
settings.register_profile("quick", settings.get_profile("same"), max_examples=15)
settings.register_profile(
    "explore",
    settings.get_profile("same"),
    derandomize=False,
    print_blob=True,
    max_examples=500,
)
settings.load_profile(os.environ.get("BIASLAB_EXAMPLES", "same"))

# A failure is told within a minute, as small as it has become until then: the library's own limit
# is five minutes, and no setting.
assert engine.MAX_SHRINKING_SECONDS > 30
engine.MAX_SHRINKING_SECONDS = 30

# What `make quick` leaves out: what simulates, trains, draws pictures, drives a browser, starts
# servers and processes, or tries everything there is. A folder stands for all that is in it.
SLOW = (
    "audit/test_sample.py",
    "browser",
    "charts/test_arms_chart.py",
    "charts/test_cate_chart.py",
    "charts/test_looks.py",
    "charts/test_overview_charts.py",
    "charts/test_rendering.py",
    "charts/test_structure_chart.py",
    "cli/test_correct_command.py",
    "cli/test_models_command.py",
    "cli/test_servers_command.py",
    "cli/test_train_command.py",
    "cli/test_write_scenes_command.py",
    "files/test_bad_files.py",
    "files/test_round_trips.py",
    "keeping/word_problems/test_demonstration.py",
    "schoolmath/malrules/bank/test_bank_items.py",
    "schoolmath/malrules/bank/test_item_quality.py",
    "schoolmath/malrules/catalogue/test_algebra_any_problem.py",
    "schoolmath/malrules/catalogue/test_fractions_percents_and_chances.py",
    "schoolmath/malrules/catalogue/test_geometry_data_and_stories_any_problem.py",
    "schoolmath/malrules/catalogue/test_subtraction_habits.py",
    "schoolmath/malrules/classes/test_class_groups.py",
    "schoolmath/malrules/classes/test_class_sheets.py",
    "schoolmath/malrules/diagnosis/test_diagnosis_answers.py",
    "schoolmath/malrules/diagnosis/test_diagnosis_pupils.py",
    "schoolmath/malrules/test_every_rule.py",
    "models/learner/test_learner.py",
    "models/local/inside",
    "models/local/test_concept_scoring.py",
    "models/local/test_fetching.py",
    "models/local/test_local_scoring.py",
    "models/local/test_local_writing.py",
    "models/server/test_batches.py",
    "models/server/test_channel.py",
    "models/server/test_listing.py",
    "models/server/test_probing.py",
    "models/server/test_real_servers.py",
    "models/server/test_secrets.py",
    "models/server/test_server_model.py",
    "models/server/test_server_scoring.py",
    "models/server/test_worker_pool.py",
    "models/test_counting.py",
    "models/test_model_opening.py",
    "models/test_providers.py",
    "publishing/paper/test_bundle.py",
    "publishing/paper/test_figures.py",
    "publishing/paper/test_latex.py",
    "publishing/paper/test_methods.py",
    "schoolmath/problems/reading/test_reading_inverse.py",
    "schoolmath/problems/reading/test_reading_limits.py",
    "research/calibration",
    "research/paper",
    "schoolmath/problems/test_vocabulary.py",
    "publishing/report/test_in_a_browser.py",
    "publishing/report/test_report_command.py",
    "publishing/report/test_reports_of_runs.py",
    "review/test_quality.py",
    "room/test_killed.py",
    "room/test_known_effects.py",
    "room/test_phone.py",
    "runs/engine/batches",
    "runs/engine/test_looking_inside.py",
    "runs/engine/test_running.py",
    "runs/engine/test_streaming.py",
    "runs/engine/test_worker_process.py",
    "runs/matrix/test_cells.py",
    "runs/store/test_opening.py",
    "runs/test_fitting.py",
    "runs/test_rereading.py",
    "runs/test_wrong_answers.py",
    "stats/comparisons/test_comparisons.py",
    "stats/comparisons/test_logistic.py",
    "stats/effects/test_effects.py",
    "stats/effects/test_explained.py",
    "stats/estimates/test_interval_coverage.py",
    "stats/sequential/test_stopping_errors.py",
    "stats/test_agreement.py",
    "stats/test_samples.py",
    "studies/answers/test_any_number.py",
    "studies/concepts/test_concept_learning.py",
    "studies/concepts/test_concept_results.py",
    "studies/concepts/test_counting.py",
    "studies/concepts/test_signal_detection.py",
    "studies/decisions/test_bias_files.py",
    "studies/decisions/test_decision_runs.py",
    "studies/decisions/test_shipped_biases.py",
    "studies/malgorithm/test_identification.py",
    "studies/malgorithm/test_malgorithm.py",
    "studies/malgorithm/test_malgorithm_runs.py",
    "studies/same_seeds",
    "studies/test_studies.py",
    "studies/word_problems/composer/test_composed.py",
    "studies/word_problems/composer/test_composing.py",
    "studies/word_problems/composer/test_diagnosable.py",
    "studies/word_problems/files/test_pair_quizzes.py",
    "studies/word_problems/files/test_school_rows.py",
    "studies/word_problems/overview/test_pair_overview.py",
    "studies/word_problems/treatments/test_each_treatment.py",
    "studies/word_problems/treatments/test_treatment_proof.py",
    "studies/word_problems/treatments/test_treatments.py",
    "test_install.py",
    "test_light_start.py",
    "test_path_of_a_pair.py",
    "test_processes.py",
    "test_recipes.py",
    "schoolmath/text/test_given_files.py",
    "training/background/test_jobs.py",
    "training/lessons/test_lessons.py",
    "training/measures/test_gate.py",
    "training/measures/test_measuring.py",
    "training/origins/test_origins_predictions.py",
    "training/test_shipped_model.py",
    "training/test_trainer.py",
    "ui/ask",
    "ui/audit/test_audit_page.py",
    "ui/classroom/test_class_page.py",
    "ui/classroom/test_guess_page.py",
    "ui/compose/test_compose_page.py",
    "ui/compose/test_keeping_designs.py",
    "ui/custom_pairs",
    "ui/demo/test_demo_page.py",
    "ui/inside",
    "ui/models",
    "ui/results/test_diagnosis.py",
    "ui/results/test_effects_page.py",
    "ui/results/test_items_page.py",
    "ui/test_review_page.py",
    "ui/runs/test_run_record.py",
    "ui/runs/test_runs_page.py",
    "ui/serving/test_compression.py",
    "ui/serving/test_guard.py",
    "ui/studies/test_biases_page.py",
    "ui/studies/test_concepts_page.py",
    "ui/studies/test_malgorithms_page.py",
    "ui/studies/word_problems/test_structure_builder.py",
    "ui/test_large_files.py",
    "ui/training",
)


@cache
def is_slow(module: Path) -> bool:
    """Whether `make quick` leaves a module of tests out."""
    inside = module.relative_to(TESTS)
    return any(each in (str(inside), *map(str, inside.parents)) for each in SLOW)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves slow modules unread where they are left out: to read all takes half a minute."""
    quick = "not slow" in config.option.markexpr
    return True if quick and collection_path.is_file() and is_slow(collection_path) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what is slow and what drives a browser, so that no module says it of itself."""
    for item in items:
        if is_slow(item.path):
            item.add_marker(pytest.mark.slow)
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]


def find_chromium() -> str:
    """The browser that is installed, or an empty text."""
    return next((path for name in NAMES if (path := shutil.which(name))), "")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    path = find_chromium()
    if not path:
        reason = "No Chromium or Chrome is installed: apt-get install chromium, or see README.md."
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()
