"""The errors of `bandolier.spark`."""

# Exit codes that say that the same arguments and the same input will end so again: usage, data, missing input.
LASTING = frozenset([64, 65, 66])


class CommandError(RuntimeError):
    """A command that ended with another exit code than 0.

    Attributes
    ----------
    arguments : list of str
        The arguments of the command.
    exit_code : int
        Its exit code; negative if a signal ended it. 64 is a wrong usage, 65 invalid data, 66 a missing input.
    messages : str
        What it wrote to standard error: for an invalid input its file and line, and how to fix it.
    """

    def __init__(self, arguments, exit_code, messages):
        super().__init__(arguments, exit_code, messages)
        self.arguments = arguments
        self.exit_code = exit_code
        self.messages = messages

    @property
    def is_lasting(self):
        """Whether trying again cannot help, because the input or the usage is wrong."""
        return self.exit_code in LASTING

    def __str__(self):
        how = f"exit code {self.exit_code}" if self.exit_code >= 0 else f"signal {-self.exit_code}"
        return f"bandolier {' '.join(self.arguments)}: {how}\n{self.messages.rstrip()}"


class KeptFolderError(RuntimeError):
    """A folder of kept results that cannot be used: it belongs to another question."""


class ClusterError(RuntimeError):
    """A session that cannot run tasks of Python, such as one of Spark Connect, or an executable that is not there."""


class TaskError(RuntimeError):
    """A job that Spark gave up because a task failed as often as ``spark.task.maxFailures`` allows.

    The text is the last error of the task, with what the command wrote to standard error; the error of Spark, with the
    traces of Python and Java, is its cause.
    """

    @classmethod
    def of(cls, error):
        """Returns the error for one that Spark raised."""
        text = str(error)
        mark = f"{CommandError.__module__}.{CommandError.__qualname__}: "
        if mark not in text:
            return cls(text)
        told = text.rsplit(mark, 1)[1].split("\n\tat ", 1)[0]
        return cls(told.strip())
