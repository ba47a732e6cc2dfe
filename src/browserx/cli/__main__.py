"""``python -m browserx.cli``."""

import sys

from browserx.cli.entry import main

if __name__ == "__main__":
    sys.exit(main())
