"""Runs the command `bandolier` for a task: it dies with the task, and what it says comes back."""

import ctypes
import os
import signal
import subprocess
import tempfile

from bandolier.spark.errors import CommandError

_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
_libc = ctypes.CDLL(None)


class Command:
    """The executable `bandolier`, as tasks run it.

    Parameters
    ----------
    executable
        Its path on this machine.
    scratch
        The `Scratch` of the task, which is not removed while a command runs.
    pipes
        The pipes of other scratch folders that are not removed while a command runs.
    """

    def __init__(self, executable, scratch, pipes=()):
        self.executable = executable
        self.scratch = scratch
        self.pipes = [scratch.pipe, *pipes]

    def run(self, *arguments, output=None):
        """Runs the command to its end, and returns its messages (standard error).

        Parameters
        ----------
        arguments
            What follows the name of the command.
        output
            A file that its standard output goes to; by default it is dropped.

        Raises
        ------
        CommandError
            The exit code is not 0.
        """
        arguments = [str(argument) for argument in arguments]
        with tempfile.TemporaryFile(dir=self.scratch.path) as messages:
            with open(output or os.devnull, "wb") as standard_output:
                child = subprocess.Popen(
                    [self.executable, *arguments], stdin=subprocess.DEVNULL, stdout=standard_output, stderr=messages,
                    cwd=self.scratch.path, pass_fds=self.pipes, preexec_fn=_die_with(os.getpid()))
                code = _wait(child)
            text = _read(messages)
        if code != 0:
            raise CommandError(arguments, code, text)
        return text


def _die_with(parent):
    """Returns what a child does before it becomes the command: it asks to be killed when its parent ends."""

    def prepare():
        _libc.prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)

    return prepare


def _wait(child):
    """Waits for a child, and leaves none behind when the wait is interrupted."""
    try:
        return child.wait()
    finally:
        if child.returncode is None:
            child.kill()
            child.wait()


def _read(messages, limit=1 << 20):
    """Returns the last part of a file of messages as text."""
    size = messages.seek(0, os.SEEK_END)
    messages.seek(max(0, size - limit))
    return messages.read().decode("utf-8", "replace")
