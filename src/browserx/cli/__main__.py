"""``python -m browserx.cli``."""

import sys

from browserx.cli.entry import main

sys.exit(main())
