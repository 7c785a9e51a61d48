"""Two tiny models: what the docs say of them, asked again here."""

from __future__ import annotations

from pathlib import Path

from biaslab.runs import open_store, prepare, run_here
from biaslab.studies.word_problems.inside.reversals import reversals
from biaslab.ui.training.demo import DESIGN, MODELS, STRATEGY
from schoolmath.text.figures import percent, signed_points

DOCS = Path(__file__).resolve().parents[3] / "docs" / "training-lab.md"


def test_the_docs_say_what_the_demo_shows(tmp_path: Path) -> None:
    docs = DOCS.read_text(encoding="utf-8")
    with open_store(tmp_path / "runs.db") as store:
        for model in MODELS:
            run = prepare(store, DESIGN, model, STRATEGY)
            run_here(store, run)
            answers = store.outcomes([run])
            right, misled = (int(answers[arm].sum()) for arm in ("y_x", "y_x_prime"))
            row = (
                f"| `{model}` | {right} of {len(answers)} | {misled} of {len(answers)} | "
                f"{signed_points((right - misled) / len(answers))} | {len(answers) - misled} |"
            )
            assert row in docs
            if found := reversals(store.wrong_answers(run, 2 * DESIGN.n)):
                (counted,) = found
                said = (
                    f"| {counted.reversed} ({percent(counted.share)}; operations at random "
                    f"{percent(counted.by_operation)},"
                )
                assert f"{row.removesuffix(' |')} {said}" in docs
