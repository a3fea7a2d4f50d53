"""Events in batches, as a running command hands them over."""

from __future__ import annotations

import queue
import subprocess
import tempfile
import threading
from typing import IO, Any, Iterator, Optional, Sequence

import pyarrow as pa

from ._command import taken_messages, unprefixed
from ._errors import CommandError, command_error
from ._process import end_process, start_process

_BUFFER_BYTES = 1 << 20
_PIPE_CLOSED = 141
_READING_ERRORS = (pa.ArrowInvalid, OSError, EOFError)


class EventBatches:
    """Events in batches, each a `pyarrow.RecordBatch`, for logs that are larger than memory.

    It can be read once. Errors that the command meets are raised by the loop over the batches.
    """

    def __init__(self, arguments: Sequence[str]) -> None:
        """Starts the command and reads the names and types of the columns."""
        self._arguments = arguments
        self._messages = tempfile.TemporaryFile()
        self._process = _started_in_thread(arguments, self._messages)
        assert self._process.stdout is not None
        self._stream = self._process.stdout
        try:
            self._reader = pa.ipc.open_stream(pa.PythonFile(self._stream, mode="r"))
        except _READING_ERRORS as error:
            raise self._failure() or error

    @property
    def schema(self) -> pa.Schema:
        """The names and types of the columns."""
        return self._reader.schema

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        try:
            yield from self._reader
            if self._process.wait() != 0:  # Arrow takes the end of a file for the end of the stream.
                raise EOFError("the stream has ended early")
        except _READING_ERRORS as error:
            raise self._failure() or error
        if not self._messages.closed:
            taken_messages(self._lines())

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object:
        reader = pa.RecordBatchReader.from_batches(self.schema, iter(self))
        return reader.__arrow_c_stream__(requested_schema)

    def __enter__(self) -> "EventBatches":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_stream"):
            self.close()

    def close(self) -> None:
        """Ends the command, if it has not ended."""
        if self._process.poll() is None:
            end_process(self._process)
        self._stream.close()
        self._messages.close()

    def _failure(self) -> Optional[CommandError]:
        """Ends the command that cannot be read any more, and returns its error, if it has failed by itself."""
        self._stream.close()
        exit_code = self._process.wait()
        lines = self._lines()
        self.close()
        if exit_code in (0, _PIPE_CLOSED):
            return None
        return command_error(exit_code, "\n".join(map(unprefixed, lines)), self._arguments, b"")

    def _lines(self) -> list[str]:
        self._messages.seek(0)
        return self._messages.read().decode("utf-8", "replace").splitlines()


def _started_in_thread(arguments: Sequence[str], messages: IO[bytes]) -> "subprocess.Popen[bytes]":
    """Starts a process in a thread that waits for its end.

    The kernel kills a process when the thread that started it ends, and the thread that calls this may end before the
    last batch is read.
    """
    started: queue.Queue[Any] = queue.Queue()

    def start_and_wait() -> None:
        try:
            process = start_process(
                arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=messages, bufsize=_BUFFER_BYTES)
        except BaseException as error:
            started.put(error)
            return
        started.put(process)
        process.wait()

    threading.Thread(target=start_and_wait, daemon=True).start()
    result = started.get()
    if isinstance(result, BaseException):
        messages.close()
        raise result
    return result
