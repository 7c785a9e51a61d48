"""``python -m biaslab``: the command line where no command ``biaslab`` is installed."""

from biaslab.cli import main

main(prog_name="biaslab")
