"""Runs the command `bandolier` for a task: it ends with the task, and leaves nothing outside the scratch folder."""

from __future__ import annotations

import os
from typing import Container, Optional, Sequence

from .._errors import BadDataError, CommandError, MissingInputError, UsageError, command_error
from .._process import Child
from ._scratch import Scratch

_LASTING = (UsageError, BadDataError, MissingInputError)


def threads_of_task(words: Sequence[str]) -> list[str]:
    """Returns the option that gives a command of a task as many threads as Spark gives the task processors."""
    if any(word.partition("=")[0] == "--jobs" for word in words):
        return []
    from pyspark import TaskContext

    context = TaskContext.get()
    return [] if context is None else ["--jobs", str(context.cpus())]


def is_lasting(error: CommandError) -> bool:
    """Returns whether a command would fail in the same way again, because the usage or the data are wrong."""
    return isinstance(error, _LASTING)


def refuse_own_options(what: str, words: Sequence[str], own: Container[str]) -> None:
    """Raises a `UsageError` if arguments have an option that a cluster sets itself."""
    for word in words:
        if word.partition("=")[0] in own:
            raise UsageError(f"error: {word}: {what} on a cluster sets this option itself; leave it out", words, 64)


def refusal(error: CommandError) -> list:
    """Returns a lasting error as a value, so that no task is tried again for it; raises others."""
    if not is_lasting(error):
        raise error
    return [error.exit_code, str(error), list(error.arguments)]


class Command:
    """The executable, as a task runs it: its temporary files are in the scratch folder, which it holds open."""

    def __init__(self, executable: str, scratch: Scratch, *near: Scratch, directory: Optional[str] = None) -> None:
        """Takes the scratch folder of the task, and others that must not be removed while a command runs."""
        self.executable = executable
        self.directory = directory
        self.environment = dict(os.environ, TMPDIR=scratch.path)
        self.pipes = [folder.pipe for folder in (scratch, *near)]

    def run(self, *arguments: object, output: Optional[str] = None) -> str:
        """Runs a verb to its end, and returns its messages.

        Args:
            arguments: What follows the name of the command.
            output: A file for its standard output, which is dropped otherwise.

        Raises:
            CommandError: The command failed; the class says how.
        """
        words = [self.executable, *map(str, arguments)]
        lines: list[str] = []
        with open(output or os.devnull, "wb") as file:
            child = Child(
                words, file.fileno(), directory=self.directory, environment=self.environment, inherited=self.pipes)
            code = child.finish(message=lines.append)
        messages = "".join(line + "\n" for line in lines)
        if code != 0:
            error = command_error(code, messages.rstrip("\n"), words, b"")
            raise error if is_lasting(error) else _told(error, words[1:])
        return messages


def _told(error: CommandError, words: list[str]) -> CommandError:
    """Returns an error with the arguments of the command in its text, for the log of Spark."""
    text = f"{error}\nbandolier {' '.join(words)}: exit code {error.exit_code}"
    return type(error)(text, error.arguments, error.exit_code)
