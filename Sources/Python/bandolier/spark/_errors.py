"""The errors that only clusters have."""

from __future__ import annotations

import re

from .._errors import BandolierError

_ERROR_IN_TRACE = re.compile(r"^(?:\w+\.)*(?:_errors\.|bandolier\.)\w+: ", re.MULTILINE)


class KeptFolderError(BandolierError):
    """A folder of kept results cannot be used, because they are of another question, or some are missing."""


class ClusterError(BandolierError):
    """A session cannot run tasks, such as one of Spark Connect."""


class TaskError(BandolierError):
    """Spark gave up a job, because a task failed as often as `spark.task.maxFailures` allows.

    The text is the last error of the task, with what the command wrote to standard error. The error of Spark, with the
    traces of Python and Java, is its cause.
    """

    @classmethod
    def of(cls, error: Exception) -> "TaskError":
        """Returns the error for one that Spark raised."""
        text = str(error)
        found = list(_ERROR_IN_TRACE.finditer(text))
        return cls(text[found[-1].end():].split("\n\n\tat ", 1)[0].strip() if found else text)
