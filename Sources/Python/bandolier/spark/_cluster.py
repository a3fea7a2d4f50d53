"""A Spark session, with the executable and this package copied to its executors."""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import shutil
import weakref
import zipfile
from typing import Any, Callable, Iterator, Optional, Sequence

from .._executable import Path, find_executable
from ._command import Command
from ._errors import ClusterError, TaskError
from ._scratch import Scratch
from ._tasks import Shipped

_copies: "weakref.WeakKeyDictionary[Any, _Copies]" = weakref.WeakKeyDictionary()


class Cluster:
    """The context of a session, and the executable for the driver and for tasks."""

    def __init__(self, spark: Any, executable: Optional[Path] = None) -> None:
        """Copies the executable to the executors, unless that was done before.

        Raises:
            ClusterError: The session has no context.
            ExecutableNotFoundError: There is no executable.
        """
        self.executable = find_executable(executable)
        try:
            self.context = spark.sparkContext
        except Exception as error:
            raise ClusterError(
                "the session has no SparkContext, as with Spark Connect; run this on the cluster with spark-submit"
            ) from error
        if self.context not in _copies:
            _copies[self.context] = _Copies(self.context)
        self.shipped = _copies[self.context].shipped(self.executable)

    def command(self, scratch: Scratch) -> Command:
        """Returns the command for the driver."""
        return Command(self.executable, scratch)

    def by_shard(self, pairs: Any, shard_count: int) -> Any:
        """Returns an RDD of pairs shuffled: partition i has the pairs of shard i."""
        # PySpark groups what it shuffles by the memory in use, unless there is plenty; but a task that is run again has
        # to write the same bytes, or Spark gives up.
        pairs._memory_limit = lambda: 1 << 50
        return pairs.partitionBy(shard_count, _itself)

    def for_each(self, shards: Sequence[int], task: Callable[[int, Any], Iterator[Any]]) -> Any:
        """Returns an RDD of what a task gives for each of some shards, in a partition for each."""
        return self.context.parallelize(list(shards), max(1, len(shards))).mapPartitions(_ForEach(task))

    @contextlib.contextmanager
    def errors(self) -> Iterator[None]:
        """Raises a `TaskError` where Spark gives up a job."""
        try:
            yield
        except Exception as error:
            if type(error).__module__.startswith(("py4j", "pyspark")):
                raise TaskError.of(error) from error
            raise


class _Copies:
    """What was copied to the executors of a context."""

    def __init__(self, context: Any) -> None:
        self.context = context
        self.folder = Scratch("ship")
        atexit.register(self.folder.close)
        context.addPyFile(_zipped(self.folder))

    def shipped(self, executable: str) -> Shipped:
        """Copies an executable under a name that depends on its content, unless that was done before."""
        with open(executable, "rb") as file:
            name = f"bandolier-{hashlib.sha256(file.read()).hexdigest()[:16]}"
        copy = self.folder.join(name)
        if not os.path.exists(copy):
            shutil.copy(executable, copy)
            os.chmod(copy, 0o755)
            self.context.addFile(copy)
        return Shipped(name)


class _ForEach:
    def __init__(self, task: Callable[[int, Any], Iterator[Any]]) -> None:
        self.task = task

    def __call__(self, shards: Iterator[int]) -> Iterator[Any]:
        for shard in shards:
            yield from self.task(shard, ())


def _itself(shard: int) -> int:
    return shard


def _zipped(folder: Scratch) -> str:
    """Returns the path of an archive of the package, named by its content."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    root = os.path.dirname(package)
    digest, made = hashlib.sha256(), folder.join("package.zip")
    with zipfile.ZipFile(made, "w") as archive:
        for path in sorted(_sources(package)):
            with open(path, "rb") as file:
                content = file.read()
            name = os.path.relpath(path, root)
            digest.update(name.encode() + b"\0" + content)
            archive.writestr(zipfile.ZipInfo(name), content)
    named = folder.join(f"bandolier-{digest.hexdigest()[:16]}.zip")
    os.rename(made, named)
    return named


def _sources(folder: str) -> Iterator[str]:
    for parent, _, names in os.walk(folder):
        yield from (os.path.join(parent, name) for name in names if name.endswith(".py"))
