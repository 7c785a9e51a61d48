"""``python -m research.adapters``."""

import sys

from research.adapters.teaching import main

if __name__ == "__main__":
    sys.exit(main())
