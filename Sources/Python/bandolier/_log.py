"""Logs: reading, appending and importing events."""

from __future__ import annotations

import datetime
import os
import re
from typing import Any, Iterable, NamedTuple, Optional, Union

import pyarrow as pa

from ._arguments import is_list
from ._batches import EventBatches
from ._command import Command, Finished, ProgressOption
from ._errors import UnexpectedOutputError
from ._executable import Path
from ._records import as_table, json_lines
from ._report import Report
from ._reports import report, table_report
from ._streams import arrow_stream, export_arguments, read_events


class Appended(NamedTuple):
    """What an append has done; everything is on disk."""

    events: int
    """The number of events that were appended."""
    duplicates: int
    """The number of events that were skipped, because the log has events with their ids."""
    position: Optional[int]
    """The position of the last event of the log; nothing if no event was given."""


class Imported(NamedTuple):
    """What an import has done."""

    records: int
    """The number of records that were read."""
    events: int
    """The number of events that were appended."""
    duplicates: int
    """The number of events that the log already had."""
    rejected: int
    """The number of records that were left out: those without a unit, and those that `on_error="skip"` skips."""
    messages: tuple[str, ...]
    """What the command has said, among it findings about the quality of the data."""
    refused: int = 0
    """The number of events with the id of another and other content, of a source whose ids are unique."""
    ignored: int = 0
    """The number of records that are no events."""


class Log:
    """A log of events: a folder that the command `bandolier` reads and writes.

    The value has no state but its path, so logs can be shared by threads and processes. A log need not exist before it
    is appended to.

    >>> log = Log("datasets/storefront.log")
    >>> log.goals().column_names[:4]
    ['type', 'time', 'unit', 'experiment']
    >>> log.info()["events"]
    50000
    """

    def __init__(
        self, path: Path, /, *, executable: Optional[Path] = None, progress: ProgressOption = None,
    ) -> None:
        """Names a log.

        Args:
            path: The folder of the log.
            executable: The command, if it is not the one that `find_executable` finds.
            progress: `True` shows progress on standard error; a function gets each of its lines.
        """
        self.path = os.fsdecode(os.fspath(path))
        self._command = Command(executable, progress)

    def __fspath__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        return f"Log({self.path!r})"

    def decisions(self, **options: Any) -> pa.Table:
        """Returns the decisions, a row each, in the order of the log.

        The options are those of `events`.

        >>> Log("datasets/storefront.log").decisions().group_by("experiment").aggregate([("unit", "count_distinct")])[
        ...     "unit_count_distinct"].to_pylist()
        [1381, 1284, 733, 1145, 5531, 5035, 5641, 5461]
        """
        return self.events("decision", **options)

    def goals(self, **options: Any) -> pa.Table:
        """Returns the goals, a row each, in the order of the log."""
        return self.events("goal", **options)

    def conversions(self, **options: Any) -> pa.Table:
        """Returns the conversions, a row each, in the order of the log."""
        return self.events("conversion", **options)

    def data_points(self, **options: Any) -> pa.Table:
        """Returns the data points, a row each, in the order of the log."""
        return self.events("dataPoint", **options)

    def events(self, kind: Optional[str] = None, **options: Any) -> pa.Table:
        """Returns the events of a kind, or of all kinds, a row each, in the order of the log.

        Args:
            kind: `decision`, `goal`, `conversion`, `dataPoint` or a kind of life-cycle event; all events by default.
            options: The options of the command, as in `report`: `damaged="skip"` leaves out damaged parts.

        Raises:
            MissingInputError: There is no log.
            BadDataError: The log is damaged.

        >>> Log("datasets/storefront.log").events("conversion").num_rows
        1014
        """
        return read_events(self._command, self.path, kind, options)

    def batches(self, kind: Optional[str] = None, **options: Any) -> EventBatches:
        """Returns the events of a kind, or of all kinds, in batches, for logs that are larger than memory.

        The value is a context manager: at the end of its block the command that reads the log has ended. DuckDB,
        Polars and `pyarrow.dataset.write_dataset` take it as they take a reader of Arrow.

        Args:
            kind: A kind of events, as in `events`.
            options: The options of the command, as in `events`.

        >>> with Log("datasets/storefront.log").batches("goal") as goals:
        ...     sum(batch.num_rows for batch in goals)
        6044
        """
        return EventBatches(export_arguments(self._command, self.path, kind, options))

    def append(
        self, events: Any, *, allow_duplicates: bool = False, keep_placeholder_units: bool = False,
    ) -> Appended:
        """Appends events, and returns when they are on disk.

        An event whose id is already in the log is skipped; events without an id are always appended.

        Args:
            events: An Arrow table, a data frame, anything else that exports Arrow, or records: mappings with the
                fields of JSON Lines. Columns such as `context.country` become members of `context`. Times are
                numbers since 1970, ISO 8601 texts with an offset, or times; those of records need a time zone, those of
                tables without one are in UTC.
            allow_duplicates: Whether to append events even if their id is already in the log.
            keep_placeholder_units: Whether units that stand for a missing one, such as `NULL`, are taken as they are;
                otherwise they are not valid.

        Raises:
            BadDataError: An event is not valid. The message names its line, counted from 1; those before it are
                stored.
            LockedError: Another writer has the log.

        >>> import tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> log = Log(folder.name + "/checkout.log")
        >>> log.append([
        ...     {"type": "decision", "time": 1767323045, "unit": "u-1", "experiment": "checkout", "variant": "red"},
        ...     {"type": "goal", "time": 1767323046, "unit": "u-1", "experiment": "checkout", "goal": "purchase"}])
        Appended(events=2, duplicates=0, position=1)
        >>> log.decisions()["variant"].to_pylist()
        ['red']
        >>> folder.cleanup()

        Records and tables become JSON Lines on the way, some 30,000 a second; `import_table` is the faster way.
        """
        options = {
            "ack": True, "allow_duplicates": allow_duplicates, "keep_placeholder_units": keep_placeholder_units}
        finished = self._command.run(
            ["append"], [self.path], options, shows_progress=False, blocks=json_lines(events))
        acknowledged = bytes(finished.output).split()
        events, duplicates = _numbers(r"appended (\d+) events, duplicates (\d+)", finished)
        return Appended(events, duplicates, int(acknowledged[-1]) if acknowledged else None)

    def import_files(self, *inputs: Union[Path, Iterable[Path]], **options: Any) -> Imported:
        """Imports files, folders or patterns in any format that `bandolier formats` lists.

        Importing is idempotent: the same file again adds nothing.

        Args:
            inputs: The files, or lists of them.
            options: The options of `bandolier import`, as in `report`. A table of your own needs a mapping of fields
                to its columns, as a YAML file or as a mapping, in which a value behind `=` is the same in all rows:
                `map={"time": "ts", "unit": "user", "variant": "group", "experiment": "=checkout"}`.

        Raises:
            MissingInputError: There is no such file.
            BadDataError: A record is not valid. `on_error="skip"` skips such records. One whose unit is missing (empty,
                `NULL`, `None` ...) is left out and counted; `keep_placeholder_units=True` keeps such texts.

        >>> import tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> log = Log(folder.name + "/shop.log")
        >>> log.import_files("datasets/storefront.jsonl.gz").events
        50000
        >>> log.import_files("datasets/storefront.jsonl.gz").events
        0
        >>> folder.cleanup()
        """
        lists: Iterable[Any] = (given if is_list(given) else [given] for given in inputs)
        paths = ["./-" if os.fspath(path) == "-" else path for paths in lists for path in paths]
        return _imported(self._command.run(["import"], paths, {"log": self.path, **options}))

    def import_table(self, table: Any, **options: Any) -> Imported:
        """Imports a table: one of `events`, or one with columns of its own.

        Importing is idempotent: the same rows again add nothing.

        Args:
            table: An Arrow table, a data frame, anything else that exports Arrow, or records. Times without a time
                zone are in UTC.
            options: The options of `bandolier import`, as in `import_files`; `map` names the column of each field of
                a table with columns of its own.

        >>> import pyarrow as pa, tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> log = Log(folder.name + "/visits.log")
        >>> visits = pa.table({"ts": [1767607200, 1767607260], "user": ["u-1", "u-2"], "group": ["A", "B"]})
        >>> columns = {"time": "ts", "unit": "user", "variant": "group", "experiment": "=banner"}
        >>> log.import_table(visits, map=columns).events
        2
        >>> folder.cleanup()
        """
        columns = as_table(table)
        blocks = json_lines(table) if columns is None else arrow_stream(columns)
        return _imported(self._command.run(["import"], ["-"], {"log": self.path, **options}, blocks=blocks))

    def verify(self, *, deep: bool = False) -> str:
        """Checks every byte of the log, and returns a sentence on what it has.

        Args:
            deep: Whether to read every event too, which takes far longer.

        Raises:
            BadDataError: Something is wrong. The message names the file, the byte and the events.

        >>> Log("datasets/storefront.log").verify()  # doctest: +ELLIPSIS
        'whole: 50000 events, ... bytes'
        """
        return bytes(self._command.run(["log", "verify"], [self.path], {"deep": deep}).output).decode().strip()

    def info(self) -> dict[str, Union[str, int, float, datetime.datetime, None]]:
        """Returns what is known of the log without reading its events: counts, times, segments and bytes.

        >>> str(Log("datasets/storefront.log").info()["earliest"])
        '2026-01-01 00:00:00+00:00'
        """
        table = table_report(self._command, ["log", "info"], [self.path], {}, shows_progress=False).table
        return {row["property"]: _typed(row["property"], row["value"]) for row in table.to_pylist()}

    def report(self, name: str, /, **options: Any) -> Report:
        """Returns a report of the log: see `bandolier.report`.

        >>> Log("datasets/storefront.log").report("rewards", experiment="pricing").column("rewards").to_pylist()
        [8, 30]
        """
        settings = {"executable": self._command.executable, "progress": self._command.progress}
        return report(name, self, **{**settings, **options})


def _numbers(pattern: str, finished: Finished) -> list[int]:
    """Returns the numbers of a pattern, summed over the messages that match it."""
    found = [match.groups() for match in map(re.compile(pattern).match, finished.messages) if match]
    if not found:
        raise UnexpectedOutputError(finished.executable, "number of events")
    return [sum(int(number or 0) for number in numbers) for numbers in zip(*found)]


def _imported(finished: Finished) -> Imported:
    records, events, duplicates, refused, rejected = _numbers(
        r"read (\d+) records, (?:would append|appended) (\d+) events, duplicates (\d+)"
        r"(?:, refused (\d+) \([a-z ]+\))?, rejected (\d+)", finished)
    ignored = (re.match(r"ignored (\d+): ", message) for message in finished.messages)
    return Imported(
        records, events, duplicates, rejected, tuple(finished.messages), refused,
        sum(int(match.group(1)) for match in ignored if match))


def _typed(name: str, value: Optional[str]) -> Union[str, int, float, datetime.datetime, None]:
    """Returns the value of a property, of which the command has the text; nothing for times of a log without events."""
    if not value:
        return None
    if name in ("earliest", "latest"):
        return pa.scalar(value).cast(pa.timestamp("us", tz="UTC")).as_py().astimezone(datetime.timezone.utc)
    for kind in (int, float):
        try:
            return value if name in ("id", "profile") else kind(value)
        except ValueError:
            continue
    return value
