"""`python -m research.experiment`."""

import sys

from research.experiment.running import main

if __name__ == "__main__":
    sys.exit(main())
