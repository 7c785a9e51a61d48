"""From runs to a paper, and a bundle of all that it rests on, which anybody can make again.

paper = make_paper(store, ["0123456789ab"])     # bundle, with checksums
write_paper(paper, Path("paper"))
reproduce(Path("paper")).differences            # what comes out otherwise, in sentences
"""

from biaslab.paper.analysis import Analysis
from biaslab.paper.bundle.reproducing import Reproduction, reproduce
from biaslab.paper.errors import BundleError, PaperError
from biaslab.paper.writing import Paper, make_paper, write_paper

__all__ = [
    "Analysis",
    "BundleError",
    "Paper",
    "PaperError",
    "Reproduction",
    "make_paper",
    "reproduce",
    "write_paper",
]
