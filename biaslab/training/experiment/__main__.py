"""`python -m biaslab.training.experiment`."""

import sys

from biaslab.training.experiment.running import main

if __name__ == "__main__":
    sys.exit(main())
