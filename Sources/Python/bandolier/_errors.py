"""The errors of the package: one class for each exit code of the command."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any, Optional, Sequence

if TYPE_CHECKING:
    from ._report import Report


class BandolierError(Exception):
    """The base class of the errors of this package."""


class ExecutableNotFoundError(BandolierError, FileNotFoundError):
    """The command `bandolier` is not there, or cannot be run."""


class UnexpectedOutputError(BandolierError, ValueError):
    """The command did not write what it should: it is another program, or of another version than the package."""

    def __init__(self, executable: str, what: str) -> None:
        super().__init__(executable, what)

    def __str__(self) -> str:
        return "{} wrote no {}; is it the command bandolier, in the version of this package?".format(*self.args)


class CommandError(BandolierError):
    """The command failed. The message is what it wrote to standard error."""

    arguments: tuple[str, ...]
    """The arguments of the command."""
    exit_code: int
    """The exit code; the negative number of the signal for a process that was killed."""
    output: bytes
    """What the command had written to standard output."""

    def __init__(self, message: str, arguments: Sequence[str], exit_code: int, output: bytes = b"") -> None:
        super().__init__(message)
        self.arguments = tuple(arguments)
        self.exit_code = exit_code
        self.output = output

    def __reduce__(self) -> tuple[Any, ...]:  # so that errors travel between processes
        return type(self), (str(self), self.arguments, self.exit_code, self.output)


class UsageError(CommandError, ValueError):
    """An option or a name is unknown, or a value is not valid (exit code 64)."""


class BadDataError(CommandError, ValueError):
    """Data are invalid or damaged (exit code 65)."""


class MissingInputError(CommandError, FileNotFoundError):
    """A log or a file does not exist (exit code 66)."""


class OutputError(CommandError, OSError):
    """An output cannot be created, or reading or writing failed (exit codes 73 and 74)."""


class LockedError(CommandError):
    """Another writer has the log (exit code 75)."""


class CheckFailed(CommandError):
    """A check named by `fail_on` failed, after the report was made (exit code 3)."""

    report: Optional[Report] = None
    """The report, if the command makes one."""


class InterruptedCommandError(CommandError):
    """The command was interrupted by someone else than this process (exit code 130)."""


class KilledCommandError(CommandError):
    """The command was ended by a signal, such as one of the kernel when memory ran out."""


_CLASSES: dict[int, type[CommandError]] = {
    3: CheckFailed,
    64: UsageError,
    65: BadDataError,
    66: MissingInputError,
    73: OutputError,
    74: OutputError,
    75: LockedError,
    130: InterruptedCommandError,
}


def command_error(exit_code: int, messages: str, arguments: Sequence[str], output: bytes) -> CommandError:
    """Returns the error for an exit code other than 0."""
    if exit_code < 0:
        return KilledCommandError(
            _joined(messages, f"{arguments[0]} was ended by {_signal_name(-exit_code)}"), arguments, exit_code, output)
    kind = _CLASSES.get(exit_code, CommandError)
    return kind(messages or f"{arguments[0]} failed with exit code {exit_code}", arguments, exit_code, output)


def _joined(*texts: str) -> str:
    return "\n".join(text for text in texts if text)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
