"""Running the command `bandolier`."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import re
import subprocess
import sys
import warnings
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

from ._arguments import option_arguments, option_text
from ._errors import command_error
from ._executable import Path, find_executable
from ._process import Child, OutputFile
from ._yaml import yaml_file

ProgressOption = Union[bool, Callable[[str], None], None]
"""`True` shows lines of progress on standard error; a function gets each line, about once a second."""

_PROGRESS_LINE = re.compile(r"[a-z][^:]*  [0-9]")
_PREFIX = "bandolier: "


class BandolierWarning(UserWarning):
    """What the command warns of, such as a time range without events, or damaged parts that were left out."""


@dataclass
class Finished:
    """What a command that succeeded has written."""

    output: Union[bytes, memoryview]
    """Standard output."""
    messages: list[str] = field(default_factory=list)
    """The lines of standard error but for progress, without the name of the command."""
    executable: str = "bandolier"
    """The path of the command."""


@dataclass(frozen=True)
class Command:
    """The command `bandolier`, and how its progress is shown."""

    executable: Optional[Path] = None
    progress: ProgressOption = None

    def run(
        self, verb: Sequence[str], operands: Iterable[Any] = (), options: Mapping[str, Any] = {}, *,
        shows_progress: bool = True, blocks: Optional[Iterable[bytes]] = None,
    ) -> Finished:
        """Runs a verb with keyword arguments as options, and returns what it has written.

        Operands are passed behind `--`, so that their names may begin with a dash.

        Raises:
            CommandError: The command failed; the class says how.
        """
        lines: list[str] = []
        with contextlib.ExitStack() as files, OutputFile() as file:
            arguments = self.arguments(verb, operands, options, files)
            if self.progress and shows_progress:
                arguments.insert(1 + len(verb), "--progress=always")
            child = Child(arguments, file.descriptor, takes_input=blocks is not None)
            exit_code = child.finish(blocks or (), functools.partial(self._receive, lines))
            output = file.bytes()
        if exit_code != 0:
            raise command_error(exit_code, "\n".join(map(unprefixed, lines)), arguments, bytes(output))
        return Finished(output, taken_messages(lines), arguments[0])

    def arguments(
        self, verb: Sequence[str], operands: Iterable[Any], options: Mapping[str, Any], files: contextlib.ExitStack,
    ) -> list[str]:
        """Returns the arguments of a verb, of which the first is the executable.

        A mapping in place of a YAML file becomes one, which `files` removes.
        """
        arguments = [find_executable(self.executable), *verb]
        help = _Help(tuple(arguments))

        def with_file(value: Any, name: str = "") -> Any:
            return yaml_file(value, name or "plan", files) if isinstance(value, Mapping) and help.reads(name) else value

        options = {name: with_file(value, name) for name, value in options.items()}
        operands = [option_text(with_file(operand)) for operand in operands]
        arguments += option_arguments(options, help.repeats)
        return [*arguments, "--", *operands] if operands else arguments

    def _receive(self, lines: list[str], line: str) -> None:
        if self.progress and _PROGRESS_LINE.match(line):
            if self.progress is True:
                print(line, file=sys.stderr)
            else:
                self.progress(line)
        else:
            lines.append(line)


def run(
    verb: str, /, *operands: Any, executable: Optional[Path] = None, progress: ProgressOption = None, **options: Any,
) -> str:
    """Runs any verb of the command, and returns what it wrote to standard output.

    Args:
        verb: The verb, such as `log compact` or `explain`; `bandolier --help` lists them.
        operands: What stands without an option, such as the log.
        executable: The command, if it is not the one that `find_executable` finds.
        progress: `True` shows progress on standard error; a function gets each of its lines.
        options: The options of the verb. Underscores become dashes; a list repeats an option, a mapping gives
            `KEY=VALUE` for each key, `True` is a flag.

    Raises:
        CommandError: The command failed; the class says how.

    >>> run("log cat", "datasets/storefront.log", from_=2, to=3)
    '{"type":"dataPoint","time":"2026-01-01T00:00:00Z","unit":"u-1","kind":"custom","key":"plan","value":"free"}\\n'
    """
    finished = Command(executable, progress).run(verb.split(), operands, options)
    return bytes(finished.output).decode("utf-8", "replace")


def taken_messages(lines: Iterable[str]) -> list[str]:
    """Returns the lines of standard error without the name of the command, and warns of what they warn of."""
    messages = [unprefixed(line) for line in lines if line]
    _warn(messages)
    return messages


def unprefixed(line: str) -> str:
    """Returns a line of standard error without the name of the command."""
    return line[len(_PREFIX):] if line.startswith(_PREFIX) else line


def _warn(messages: Iterable[str]) -> None:
    for message in messages:
        if message.startswith(("warning: ", "lost: ", "no record has a content ")):
            warnings.warn(message, BandolierWarning, stacklevel=_level_of_caller())


def _level_of_caller() -> int:
    """Returns how far up, seen from the caller of this function, the first function outside the package is."""
    frame, level, folder = sys._getframe(1), 1, os.path.dirname(__file__)
    while frame.f_back and os.path.dirname(frame.f_code.co_filename) == folder:
        frame, level = frame.f_back, level + 1
    return level


class _Help:
    """What a command says of its arguments in its machine-readable help; nothing is known of one that has none."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command

    def repeats(self, name: str) -> bool:
        """Returns whether an option can be given more than once; true if the command does not say."""
        return bool(self._declared(name).get("isRepeating", True))

    def reads(self, name: str) -> bool:
        """Returns whether an option, or the operand, which has no name, is one file in YAML."""
        declared = self._declared(name)
        endings = declared.get("completionKind", {}).get("file", {}).get("extensions", ())
        return "yaml" in endings and not declared["isRepeating"]

    def _declared(self, name: str) -> Mapping[str, Any]:
        return self._arguments.get(name.rstrip("_").replace("_", "-"), {})

    @functools.cached_property
    def _arguments(self) -> dict[str, Mapping[str, Any]]:
        """The options and the operand by their names."""
        help = subprocess.run(
            [*self._command, "--experimental-dump-help"], stdin=subprocess.DEVNULL, capture_output=True)
        try:
            arguments = json.loads(help.stdout)["command"]["arguments"]
        except (ValueError, KeyError):
            return {}
        return {
            name["name"]: argument
            for argument in arguments if argument["kind"] != "flag"
            for name in argument.get("names", [{"name": ""}])}
