"""The script for spark-submit: `spark-submit .../bandolier/spark/submit.py report rewards 'events/*.gz'`."""

import os
import sys

# spark-submit puts the folder of the script on the path of modules, not the one that has the package.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from bandolier.spark.__main__ import main  # noqa: E402

sys.exit(main())
