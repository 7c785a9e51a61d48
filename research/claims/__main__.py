"""``python -m research.claims``."""

import sys

from research.claims.claims import main

if __name__ == "__main__":
    sys.exit(main())
