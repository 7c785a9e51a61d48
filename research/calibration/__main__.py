"""Runs every calibration and writes its figures: `python -m research.calibration`."""

from __future__ import annotations

from pathlib import Path

import click

from biaslab.studies.decisions.biases import bias_paths
from research.calibration import coverage, stopping
from research.calibration.markdown import cells_csv
from research.calibration.recovery import (
    DESIGNS,
    classes_section,
    confusion,
    decisions_section,
    measure,
    recovery_section,
)
from research.calibration.studies import TRIALS, calibrate, studies_section
from research.calibration.tutors import tutors_section

_RECOVERED_FROM = 60
"""Pairs from which strategies are told."""

FIGURES = Path("research") / "docs" / "calibration.csv"


@click.command()
@click.option("--seeds", default=400, show_default=True, help="Designs a row.")
@click.option("--copies", default=100, show_default=True, help="Pupils a rule of a quiz.")
@click.option("--understanding", default=1000, show_default=True, help="Who understand, a quiz.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
@click.option("--out", default=FIGURES, show_default=True, type=click.Path(path_type=Path))
def main(seeds: int, copies: int, understanding: int, jobs: int, out: Path) -> None:
    """Measures what is promised: every study, every interval, every rule for stopping early."""
    sections = {
        "Every study": studies_section(calibrate(TRIALS, seeds, jobs)),
        "Strategies behind answers about concepts": recovery_section(
            confusion(range(seeds // 4), _RECOVERED_FROM), _RECOVERED_FROM
        ),
        "Decision biases": decisions_section(list(bias_paths()), seeds),
        "Questions about tutors": tutors_section(seeds),
        "Intervals": coverage.table(coverage.run()),
        "Stopping rules": stopping.table(stopping.run()),
        "Your class": classes_section([measure(each, copies, understanding) for each in DESIGNS]),
    }
    out.write_text(cells_csv(sections), encoding="utf-8")
    click.echo(f"Written to {out}; its page, calibration.md, is written by hand and under test.")


if __name__ == "__main__":
    main()
