"""Bandolier's logs and reports as Arrow tables and data frames.

The functions of this package run the command `bandolier`: the one given by the argument `executable`, else that of the
environment variable `BANDOLIER`, else the one that the wheel of this package has installed, else the first on the
`PATH`.

>>> from bandolier import Log, report
>>> log = Log("datasets/storefront.log")
>>> log.decisions().num_rows
39126
>>> report("compare", log, experiment="pricing", metric="converted").answer[1]
'No data-quality check failed.'
"""

from typing import TYPE_CHECKING

from ._batches import EventBatches
from ._command import BandolierWarning, run
from ._errors import (
    BadDataError,
    BandolierError,
    CheckFailed,
    CommandError,
    ExecutableNotFoundError,
    InterruptedCommandError,
    KilledCommandError,
    LockedError,
    MissingInputError,
    OutputError,
    UnexpectedOutputError,
    UsageError,
)
from ._executable import find_executable
from ._log import Appended, Imported, Log
from ._report import Report
from ._reports import evaluate, learn, report_all, simulate, write_partial

if TYPE_CHECKING:  # Has the options of each report as keywords.
    from ._options import report
else:
    from ._reports import report

__all__ = [
    "Appended",
    "BadDataError",
    "BandolierError",
    "BandolierWarning",
    "CheckFailed",
    "CommandError",
    "EventBatches",
    "ExecutableNotFoundError",
    "Imported",
    "InterruptedCommandError",
    "KilledCommandError",
    "LockedError",
    "Log",
    "MissingInputError",
    "OutputError",
    "Report",
    "UnexpectedOutputError",
    "UsageError",
    "evaluate",
    "find_executable",
    "learn",
    "report",
    "report_all",
    "run",
    "simulate",
    "write_partial",
]

__version__ = "0.1.0"

for _name in __all__:  # Tracebacks and pages of help say bandolier.Report, not bandolier._report.Report.
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__
del _name
