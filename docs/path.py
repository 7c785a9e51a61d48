"""The path of one pair from Compose to Effects: the files whose functions are called, in order.

    python docs/path.py

prints what stands in docs/architecture.md; tests/test_path_of_a_pair.py holds that it does.
"""

from __future__ import annotations

import inspect
import sys
import tempfile
from pathlib import Path
from types import FrameType

from biaslab.charts import cate_chart
from biaslab.models.spec import registry
from biaslab.runs import open_store, prepare, run_here
from biaslab.stats import effects
from biaslab.studies import Design, experiments

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = (str(ROOT / "schoolmath"), str(ROOT / "biaslab"))


def path_of_a_pair() -> dict[str, list[str]]:
    """For each station the files first called there."""
    stations: dict[str, list[str]] = {}
    known: set[str] = set()

    def arrive(station: str) -> None:
        stations[station] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        code, file = frame.f_code, frame.f_code.co_filename
        if event != "call" or file in known or not file.startswith(PACKAGES):
            return
        # Bodies of modules and of classes, which run when a file is imported, are not optimised.
        if code.co_flags & inspect.CO_OPTIMIZED and code.co_name[0] != "<":
            known.add(file)
            name = Path(file).relative_to(ROOT).as_posix().removeprefix("biaslab/")
            list(stations.values())[-1].append(name)

    # What a program does once, whatever is asked.
    design, learner = Design("consistency", 1, 1), "learner:careless"
    arms = experiments()[design.study].arms
    registry()
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "runs.db") as store:
        arrive("Composed, proved and saved with its run")
        sys.setprofile(note)
        run = prepare(store, design, learner, "direct")
        arrive("Asked, its answers read and saved")
        run_here(store, run)
        arrive("Taken out of the file and made an effect")
        found = effects(store.outcomes([run]))
        arrive("Drawn")
        cate_chart(found, arms)
        sys.setprofile(None)
    return stations


def as_text(stations: dict[str, list[str]]) -> str:
    """The stations as the page on architecture has them."""
    return "\n".join(
        f"{number}. **{station}:** {', '.join(f'`{file}`' for file in files)}."
        for number, (station, files) in enumerate(stations.items(), 1)
    )


if __name__ == "__main__":
    sys.stdout.write(as_text(path_of_a_pair()) + "\n")
