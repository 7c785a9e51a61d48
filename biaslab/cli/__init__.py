"""The command line: the same jobs as the screens, with a progress bar.

Every command is a thin call of the library. Errors are one sentence on standard error and
exit status 1; wrong usage is status 2.
"""

from biaslab.cli.commands import main

__all__ = ["main"]
