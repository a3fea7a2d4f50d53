"""Events as Arrow streams, the form in which the command hands over and takes tables."""

from __future__ import annotations

import contextlib
from typing import Any, Iterator, Mapping, Optional, Union

import pyarrow as pa

from ._command import Command
from ._errors import UnexpectedOutputError

_ROWS = 65_536


def read_events(command: Command, log: str, kind: Optional[str], options: Mapping[str, Any]) -> pa.Table:
    """Returns the events of a kind, or of all kinds, in the order of the log, without a copy of what was received."""
    finished = command.run(["export"], [log], _options(kind, options))
    try:
        return pa.ipc.open_stream(pa.py_buffer(finished.output)).read_all()
    except (pa.ArrowInvalid, OSError):
        raise UnexpectedOutputError(finished.executable, "Arrow stream") from None


def export_arguments(
    command: Command, log: str, kind: Optional[str], options: Mapping[str, Any],
) -> list[str]:
    """Returns the command that hands over the events of a kind, or of all kinds."""
    return command.arguments(["export"], [log], _options(kind, options), contextlib.ExitStack())


def _options(kind: Optional[str], options: Mapping[str, Any]) -> dict[str, Any]:
    return {"kind": kind, **options, "format": "arrow"}


def arrow_stream(table: Union[pa.Table, pa.RecordBatchReader]) -> Iterator[bytes]:
    """Yields the bytes of a table as an Arrow stream."""
    batches = table.to_batches(max_chunksize=_ROWS) if isinstance(table, pa.Table) else table
    sink = _Sink()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        for batch in batches:
            stream.write_batch(batch)
            yield sink.take()
    yield sink.take()


class _Sink:
    """A file that keeps what was written until it is taken."""

    closed = False

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, part: Any) -> int:
        self._parts.append(bytes(part))
        return len(self._parts[-1])

    def take(self) -> bytes:
        """Returns what was written since the last time."""
        parts, self._parts = self._parts, []
        return b"".join(parts)

    def flush(self) -> None:
        """Does nothing: there is no file behind."""

    def close(self) -> None:
        """Does nothing: what was written can still be taken."""
