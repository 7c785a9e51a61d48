"""Which tests `make quick` and `make test` leave out; `make test-all` runs every one.

A folder stands for all that is in it. Where a module belongs is how long it takes: `make quick` is
to end within a minute on two cores, `make test` within eight.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent

REST = (
    "audit/test_sample.py",
    "browser/test_accessibility.py",
    "browser/test_biases.py",
    "browser/test_composing.py",
    "browser/test_concepts.py",
    "browser/test_import_pairs.py",
    "browser/test_keys.py",
    "browser/test_navigation.py",
    "browser/test_paper.py",
    "browser/test_training_lab.py",
    "charts/test_rendering.py",
    "cli/test_correct_command.py",
    "cli/test_servers_command.py",
    "cli/test_train_command.py",
    "cli/test_write_scenes_command.py",
    "files/test_bad_files.py",
    "files/test_round_trips.py",
    "keeping/word_problems/test_demonstration.py",
    "models/learner/test_learner.py",
    "models/local/inside",
    "models/local/test_concept_scoring.py",
    "models/server/test_batches.py",
    "models/server/test_channel.py",
    "models/server/test_listing.py",
    "models/server/test_probing.py",
    "models/server/test_real_servers.py",
    "models/server/test_server_scoring.py",
    "models/server/test_worker_pool.py",
    "publishing/paper/test_bundle.py",
    "publishing/paper/test_figures.py",
    "publishing/paper/test_latex.py",
    "publishing/report/test_in_a_browser.py",
    "publishing/report/test_reports_of_runs.py",
    "research",
    "review/test_quality.py",
    "room/test_killed.py",
    "room/test_known_effects.py",
    "room/test_phone.py",
    "room/test_whole_round.py",
    "runs/engine/batches",
    "runs/engine/test_looking_inside.py",
    "runs/matrix/test_cells.py",
    "runs/test_fitting.py",
    "runs/test_rereading.py",
    "runs/test_wrong_answers.py",
    "schoolmath/malrules/bank/test_bank_items.py",
    "schoolmath/malrules/bank/test_item_quality.py",
    "schoolmath/malrules/catalogue/test_algebra_any_problem.py",
    "schoolmath/malrules/catalogue/test_fractions_percents_and_chances.py",
    "schoolmath/malrules/catalogue/test_geometry_data_and_stories_any_problem.py",
    "schoolmath/malrules/catalogue/test_subtraction_habits.py",
    "schoolmath/malrules/classes/test_class_groups.py",
    "schoolmath/malrules/classes/test_class_sheets.py",
    "schoolmath/malrules/diagnosis/test_diagnosis_pupils.py",
    "schoolmath/malrules/test_every_rule.py",
    "schoolmath/problems/reading/test_reading_inverse.py",
    "schoolmath/problems/reading/test_reading_limits.py",
    "schoolmath/problems/test_vocabulary.py",
    "stats/comparisons/test_logistic.py",
    "stats/estimates/test_interval_coverage.py",
    "stats/sequential/test_stopping_errors.py",
    "stats/test_samples.py",
    "studies/answers/test_any_number.py",
    "studies/concepts/test_concept_learning.py",
    "studies/concepts/test_concept_results.py",
    "studies/concepts/test_counting.py",
    "studies/decisions/test_decision_runs.py",
    "studies/decisions/test_shipped_biases.py",
    "studies/malgorithm/test_malgorithm_runs.py",
    "studies/word_problems/composer/test_diagnosable.py",
    "studies/word_problems/files/test_pair_quizzes.py",
    "studies/word_problems/files/test_school_rows.py",
    "studies/word_problems/overview/test_pair_overview.py",
    "studies/word_problems/treatments/test_each_treatment.py",
    "studies/word_problems/treatments/test_treatment_proof.py",
    "test_install.py",
    "test_processes.py",
    "test_recipes.py",
    "training/background/test_jobs.py",
    "training/lessons/test_lessons.py",
    "training/measures/test_gate.py",
    "training/measures/test_measuring.py",
    "training/origins/test_origins_predictions.py",
    "training/test_shipped_model.py",
    "training/test_trainer.py",
    "ui/audit/test_audit_page.py",
    "ui/custom_pairs",
    "ui/inside",
    "ui/models",
    "ui/results/test_diagnosis.py",
    "ui/serving/test_compression.py",
    "ui/serving/test_guard.py",
    "ui/test_large_files.py",
    "ui/test_review_page.py",
    "ui/training",
)
"""What `make test` leaves out: what tries everything there is, simulates, trains, makes papers,
kills processes, starts other programs, or drives the app in a browser beyond its main paths."""

SLOW = (
    "browser",
    "charts/test_arms_chart.py",
    "charts/test_cate_chart.py",
    "charts/test_looks.py",
    "charts/test_overview_charts.py",
    "charts/test_structure_chart.py",
    "cli/test_models_command.py",
    "models/local/test_fetching.py",
    "models/local/test_local_scoring.py",
    "models/local/test_local_writing.py",
    "models/server/test_secrets.py",
    "models/server/test_server_model.py",
    "models/test_counting.py",
    "models/test_model_opening.py",
    "models/test_providers.py",
    "publishing/paper/test_methods.py",
    "publishing/report/test_report_command.py",
    "runs/engine/test_running.py",
    "runs/engine/test_streaming.py",
    "runs/engine/test_worker_process.py",
    "runs/store/test_opening.py",
    "schoolmath/malrules/diagnosis/test_diagnosis_answers.py",
    "schoolmath/text/test_given_files.py",
    "stats/comparisons/test_comparisons.py",
    "stats/effects/test_effects.py",
    "stats/effects/test_explained.py",
    "stats/test_agreement.py",
    "studies/concepts/test_signal_detection.py",
    "studies/decisions/test_bias_files.py",
    "studies/malgorithm/test_identification.py",
    "studies/malgorithm/test_malgorithm.py",
    "studies/same_seeds",
    "studies/test_studies.py",
    "studies/word_problems/composer/test_composed.py",
    "studies/word_problems/composer/test_composing.py",
    "studies/word_problems/treatments/test_treatments.py",
    "test_light_start.py",
    "test_path_of_a_pair.py",
    "ui/ask",
    "ui/classroom/test_class_page.py",
    "ui/classroom/test_guess_page.py",
    "ui/compose/test_compose_page.py",
    "ui/compose/test_keeping_designs.py",
    "ui/demo/test_demo_page.py",
    "ui/results/test_effects_page.py",
    "ui/results/test_items_page.py",
    "ui/runs/test_run_record.py",
    "ui/runs/test_runs_page.py",
    "ui/studies/test_biases_page.py",
    "ui/studies/test_concepts_page.py",
    "ui/studies/test_malgorithms_page.py",
    "ui/studies/word_problems/test_structure_builder.py",
)
"""What `make quick` leaves out besides: what draws pictures, drives a browser, starts servers and
processes, or opens many models and pages."""


@cache
def is_slow(module: Path) -> bool:
    """Whether `make quick` leaves a module of tests out."""
    return is_rest(module) or _is_in(module, SLOW)


@cache
def is_rest(module: Path) -> bool:
    """Whether `make test` leaves a module of tests out."""
    return _is_in(module, REST)


def _is_in(module: Path, those: tuple[str, ...]) -> bool:
    inside = module.relative_to(TESTS)
    return any(each in (str(inside), *map(str, inside.parents)) for each in those)
