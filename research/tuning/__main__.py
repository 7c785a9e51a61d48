"""`python -m research.tuning`."""

import sys

from research.tuning.running import main

if __name__ == "__main__":
    sys.exit(main())
