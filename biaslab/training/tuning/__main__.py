"""`python -m biaslab.training.tuning`."""

import sys

from biaslab.training.tuning.running import main

if __name__ == "__main__":
    sys.exit(main())
