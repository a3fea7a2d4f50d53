"""A Spark session as `bandolier.spark` uses it: the executable and the package go to the executors, errors come back."""

import atexit
import contextlib
import hashlib
import os
import shutil
import weakref
import zipfile

import bandolier.spark
from bandolier.spark.command import Command
from bandolier.spark.errors import ClusterError, TaskError
from bandolier.spark.scratch import Scratch
from bandolier.spark.tasks import Shipped

_copies = weakref.WeakKeyDictionary()


class Cluster:
    """The context of a session, with what was copied to its executors.

    Parameters
    ----------
    spark
        A `SparkSession`.
    executable
        The path of the command `bandolier` for the executors; it must run there, so on a cluster whose machines do not
        have the libraries of Swift it is the one that ``make spark`` builds.
    """

    def __init__(self, spark, executable=None):
        self.executable = find_executable(executable)
        self.spark = spark
        try:
            self.context = spark.sparkContext
        except Exception as error:
            raise ClusterError(
                "the session has no SparkContext, as in Spark Connect; run this on the cluster with spark-submit"
            ) from error
        if self.context not in _copies:
            _copies[self.context] = _Copies(self.context)
        self.shipped = _copies[self.context].shipped(self.executable)

    def command(self, scratch):
        """Returns the command for the driver."""
        return Command(self.executable, scratch)

    def by_shard(self, pairs, shard_count):
        """Returns pairs shuffled, so that partition i has those of shard i."""
        # PySpark cuts the groups of pairs that it shuffles by the memory in use, unless there is plenty; a task that is
        # run again must write the same bytes, or Spark gives up.
        pairs._memory_limit = lambda: 1 << 50
        return pairs.partitionBy(shard_count, _itself)

    def for_each(self, shards, task):
        """Returns what a task gives for shards that it has no rows of: one partition for each."""
        numbers = self.context.parallelize(list(shards), max(1, len(shards)))
        return numbers.mapPartitions(_ForEach(task))

    @contextlib.contextmanager
    def errors(self):
        """Turns the error with which Spark gives up a job into a `TaskError` with what the command said."""
        try:
            yield
        except Exception as error:
            if type(error).__module__.startswith(("py4j", "pyspark")):
                raise TaskError.of(error) from error
            raise


class _Copies:
    """What was copied to the executors of a context: this package, and executables."""

    def __init__(self, context):
        self.context = context
        self.folder = Scratch("ship")
        atexit.register(self.folder.close)
        context.addPyFile(_zipped(self.folder))

    def shipped(self, executable):
        """Copies an executable under a name that tells its content, unless that was done before."""
        with open(executable, "rb") as file:
            name = f"bandolier-{hashlib.file_digest(file, 'sha256').hexdigest()[:16]}"
        copy = self.folder.join(name)
        if not os.path.exists(copy):
            shutil.copy(executable, copy)
            os.chmod(copy, 0o755)
            self.context.addFile(copy)
        return Shipped(name)


class _ForEach:
    def __init__(self, task):
        self.task = task

    def __call__(self, shards):
        for shard in shards:
            yield from self.task(shard, ())


def _itself(shard):
    return shard


def _zipped(folder):
    """Returns the path of an archive of this package; the same sources give the same bytes."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(bandolier.spark.__file__)))
    root = os.path.dirname(package)
    digest, target = hashlib.sha256(), folder.join("package.zip")
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(_sources(package)):
            with open(path, "rb") as file:
                content = file.read()
            name = os.path.relpath(path, root)
            digest.update(name.encode() + b"\0" + content)
            archive.writestr(zipfile.ZipInfo(name), content)
    final = folder.join(f"bandolier-{digest.hexdigest()[:16]}.zip")
    os.rename(target, final)
    return final


def _sources(folder):
    for parent, _, names in os.walk(folder):
        yield from (os.path.join(parent, name) for name in names if name.endswith(".py"))


def find_executable(executable=None):
    """Returns the path of the command: the one given, the one that ``BANDOLIER`` names, or the one on the PATH."""
    for name in (executable, os.environ.get("BANDOLIER"), "bandolier"):
        if name:
            path = shutil.which(os.fspath(name))
            if path is None:
                raise ClusterError(f"{name}: no such executable; build it with make spark, and name it with BANDOLIER")
            return os.path.realpath(path)
