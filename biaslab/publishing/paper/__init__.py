"""From runs to a paper, and a bundle of all that it rests on, which anybody can make again.

paper = make_paper(store, ["0123456789ab"])     # bundle, with checksums
write_paper(paper, Path("paper"))
reproduce(Path("paper")).differences            # what comes out otherwise, in sentences
open_recorded(store, Path("paper.zip"))         # somebody's runs beside one's own, read-only
"""

from biaslab.publishing.paper.analysis import Analysis, BundleError, PaperError, check_runs
from biaslab.publishing.paper.recorded import BundleRecord, open_recorded
from biaslab.publishing.paper.reproducing import Reproduction, reproduce
from biaslab.publishing.paper.writing import Paper, make_paper, write_paper, zipped

__all__ = [
    "Analysis",
    "BundleError",
    "BundleRecord",
    "Paper",
    "PaperError",
    "Reproduction",
    "check_runs",
    "make_paper",
    "open_recorded",
    "reproduce",
    "write_paper",
    "zipped",
]
