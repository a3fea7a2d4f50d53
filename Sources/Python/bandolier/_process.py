"""Child processes that end with this one."""

from __future__ import annotations

import ctypes
import os
import selectors
import signal
import subprocess
import sys
from typing import IO, Any, Callable, Iterable, Iterator, Mapping, Optional, Sequence, Union

from ._errors import ExecutableNotFoundError

_PR_SET_PDEATHSIG = 1
_PATIENCE_BEFORE_INTERRUPT = 0.25
_PATIENCE_BEFORE_KILL = 5.0

# `PyDLL` keeps the interpreter's lock: between fork and exec there is no other thread to take it.
_libc = ctypes.PyDLL(None) if sys.platform.startswith("linux") else None


def start_process(
    arguments: Sequence[str], environment: Optional[Mapping[str, str]] = None, **options: Any,
) -> "subprocess.Popen[bytes]":
    """Starts a process. On Linux the kernel kills it when the thread that started it ends, however that happens.

    Raises:
        ExecutableNotFoundError: The system cannot run it.
    """
    try:
        return subprocess.Popen(
            arguments, env=_environment(environment or os.environ),
            preexec_fn=_dying_with(os.getpid()) if _libc else None, **options)
    except OSError as error:
        if error.filename not in (None, arguments[0]):
            raise
        raise ExecutableNotFoundError(f"{arguments[0]} cannot be run: {error.strerror}") from error


def _environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Returns the environment, in which `python3` is this Python: the command reads Parquet with its pyarrow."""
    folders = [os.path.dirname(sys.executable or ""), environment.get("PATH", "")]
    return {**environment, "PATH": os.pathsep.join(filter(None, folders))}


def end_process(process: "subprocess.Popen[bytes]", is_interrupted: bool = False) -> None:
    """Ends a process: it is interrupted, so that it can remove unfinished files, and killed if it does not end.

    An interrupt from a terminal has reached the process already, and a second one would end it at once.
    """
    if is_interrupted and _ends_within(process, _PATIENCE_BEFORE_INTERRUPT):
        return
    process.send_signal(signal.SIGINT)
    if not _ends_within(process, _PATIENCE_BEFORE_KILL):
        process.kill()
        process.wait()


def _ends_within(process: "subprocess.Popen[bytes]", seconds: float) -> bool:
    try:
        process.wait(seconds)
        return True
    except subprocess.TimeoutExpired:
        return False


class Child:
    """A process that reads blocks of bytes, writes to a file, and reports lines of standard error to a function."""

    def __init__(
        self, arguments: Sequence[str], output: int, takes_input: bool = False, *, directory: Optional[str] = None,
        environment: Optional[Mapping[str, str]] = None, inherited: Sequence[int] = (),
    ) -> None:
        """Starts a process that writes to the descriptor `output`.

        Args:
            directory: The working directory, if not that of this process.
            environment: The environment, if not that of this process.
            inherited: Descriptors that stay open in the process.
        """
        self._process = start_process(
            arguments, environment, stdin=subprocess.PIPE if takes_input else subprocess.DEVNULL, stdout=output,
            stderr=subprocess.PIPE, bufsize=0, cwd=directory, pass_fds=inherited)

    def finish(self, blocks: Iterable[bytes] = (), message: Callable[[str], None] = lambda line: None) -> int:
        """Writes the blocks to the process, waits for its end, and returns its exit code.

        Whatever is raised meanwhile, by the blocks, by `message` or by an interrupt from the keyboard, ends the
        process first.
        """
        try:
            self._exchange(iter(blocks), _Lines(message))
            return self._process.wait()
        except BaseException as error:
            end_process(self._process, is_interrupted=isinstance(error, KeyboardInterrupt))
            raise
        finally:
            for pipe in (self._process.stdin, self._process.stderr):
                if pipe is not None:
                    pipe.close()

    def _exchange(self, blocks: Iterator[bytes], lines: "_Lines") -> None:
        """Writes and reads until the process has closed standard error, which it does at its end."""
        errors, pipe = self._process.stderr, self._process.stdin
        assert errors is not None
        feed = _Feed(pipe, blocks) if pipe is not None else None
        with selectors.DefaultSelector() as selector:
            selector.register(errors, selectors.EVENT_READ)
            if feed is not None:
                os.set_blocking(feed.pipe.fileno(), False)
                selector.register(feed.pipe, selectors.EVENT_WRITE)
            while selector.get_map():
                for key, _ in selector.select():
                    if key.fileobj is errors:
                        received = os.read(errors.fileno(), 1 << 16)
                        lines.add(received)
                        if not received:
                            selector.unregister(errors)
                    elif feed is not None and not feed.write():
                        selector.unregister(feed.pipe)
                        feed.pipe.close()


class _Feed:
    """Blocks that are written to a pipe as it takes them."""

    def __init__(self, pipe: IO[bytes], blocks: Iterator[bytes]) -> None:
        self.pipe = pipe
        self._blocks = blocks
        self._rest = memoryview(b"")

    def write(self) -> bool:
        """Writes what the pipe takes, and returns whether there is more."""
        while not self._rest:
            block = next(self._blocks, None)
            if block is None:
                return False
            self._rest = memoryview(block)
        try:
            self._rest = self._rest[os.write(self.pipe.fileno(), self._rest):]
        except BlockingIOError:
            pass
        except BrokenPipeError:  # The process has said why, or will by its exit code.
            return False
        return True


class _Lines:
    """Bytes that are cut into lines."""

    def __init__(self, line: Callable[[str], None]) -> None:
        self._line = line
        self._rest = b""

    def add(self, received: bytes) -> None:
        """Passes on the lines that are complete; no bytes are the end."""
        *lines, self._rest = (self._rest + received).split(b"\n")
        if not received and self._rest:
            lines, self._rest = lines + [self._rest], b""
        for line in lines:
            self._line(line.decode("utf-8", "replace"))


def _dying_with(parent: int) -> Callable[[], None]:
    """Returns what a child does before it becomes the command: it asks the kernel to kill it when its parent ends."""

    def ask() -> None:
        if _libc is not None:
            _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # The parent has ended before the request.
            os._exit(1)

    return ask


class OutputFile:
    """A file in memory, or a temporary one where there are none, that a process writes and this one reads."""

    def __init__(self) -> None:
        if hasattr(os, "memfd_create"):
            self.descriptor = os.memfd_create("bandolier")
        else:
            import tempfile

            with tempfile.TemporaryFile() as file:
                self.descriptor = os.dup(file.fileno())

    def bytes(self) -> Union[bytes, "memoryview"]:
        """Returns what has been written, without a copy."""
        import mmap

        size = os.fstat(self.descriptor).st_size
        return memoryview(mmap.mmap(self.descriptor, size, prot=mmap.PROT_READ)) if size else b""

    def __enter__(self) -> "OutputFile":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.descriptor)
