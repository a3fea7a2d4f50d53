"""Shards of a log: made from files or a data frame by a map stage and a reduce stage, or found in a folder."""

import json
import os
import sys

from bandolier.spark.cluster import Cluster
from bandolier.spark.errors import CommandError, KeptFolderError
from bandolier.spark.inputs import expanded, identity
from bandolier.spark.kept import read_question, write_question
from bandolier.spark.shardtasks import FACTS, BuildShard, FindShard, kept_path
from bandolier.spark.tasks import ImportFiles, ImportFrame, row_of_frame

_LARGEST_COUNT = 4096
_BYTES_OF_A_SHARD = 256 << 20


class Shards:
    """The shards of a log on a cluster: partition i of ``rows`` has shard i, as `BuildShard` gives it.

    Attributes
    ----------
    count : int
        The number of shards.
    rows : pyspark.RDD
        The facts and chunks of the shards.
    question : dict or None
        What kept shards were made of.
    """

    def __init__(self, cluster, count, rows, question=None):
        self.cluster = cluster
        self.count = count
        self.rows = rows
        self.question = question
        self._facts = None

    def facts(self):
        """Returns the facts of each shard, in order.

        Raises
        ------
        CommandError
            An input was refused: the first one, in the order of the inputs.
        """
        if self._facts is None:
            with self.cluster.errors():
                rows = self.rows.filter(_is_fact).values().collect()
            facts = [json.loads(row) for row in rows]
            failures = sorted(failure for fact in facts for failure in fact["failures"])
            if failures:
                raise CommandError(*failures[0][1:])
            for _, text in sorted(message for fact in facts for message in fact["messages"]):
                _tell(text)
            self._facts = facts
        return self._facts

    def data_end(self):
        """Returns the time of the latest event of all shards as text; None if there are no events."""
        return max((fact["latest"] for fact in self.facts() if fact["latest"]), default=None, key=_time_key)

    def release(self):
        """Lets Spark forget the shards."""
        self.rows.unpersist()


def shard(spark, source, folder, *, shards=None, import_options=(), frame_name=None, executable=None):
    """Makes shards of events: logs of which no two share a unit. Returns their paths.

    Parameters
    ----------
    spark : pyspark.sql.SparkSession
        The session; its executors need to see the files and the folder.
    source
        What `report` takes.
    folder : str
        Where the logs go, as ``shard-1-of-8.log`` to ``shard-8-of-8.log``, each by one rename. Those that are there
        already are not made again; a folder with shards of other files, or of other versions of them, is refused.
    shards : int
        The number of shards, 1 to 4,096.
    import_options, frame_name, executable
        As for `report`.

    Raises
    ------
    CommandError
        An input was refused.
    KeptFolderError
        The folder keeps shards of something else.
    TaskError
        A task failed as often as Spark allows.
    """
    cluster = Cluster(spark, executable)
    folder = os.path.abspath(folder)
    made = made_shards(cluster, source, import_options, shards, folder, frame_name)
    return [kept_path(folder, number, made.count) for number in range(made.count)]


def made_shards(cluster, source, options, count=None, folder=None, name=None):
    """Returns the shards of files or of a data frame; those that a folder keeps are not made again."""
    from pyspark import StorageLevel

    is_frame = hasattr(source, "mapInArrow")
    paths = None if is_frame else expanded(source)
    count = count or default_count(cluster, paths)
    if folder is None:
        pairs = _pairs(cluster, source if is_frame else paths, options, count)
        build = BuildShard(cluster.shipped, count)
        rows = cluster.by_shard(pairs, count).mapPartitionsWithIndex(build)
        return Shards(cluster, count, rows.persist(StorageLevel.DISK_ONLY))
    question = {"shards": count, "options": list(options), "name": name}
    if not is_frame:
        question["files"] = [identity(path) for path in paths]
    elif name is None:
        raise KeptFolderError("shards of a data frame are kept under a name, which tells its content; give one")
    write_question(folder, question)
    missing = [shard for shard in range(count) if not os.path.isdir(kept_path(folder, shard, count))]
    if missing:
        _keep(cluster, _pairs(cluster, source if is_frame else paths, options, count, missing), count, folder, missing)
    return kept_shards(cluster, folder)


def kept_shards(cluster, folder):
    """Returns the shards that a folder keeps."""
    question = read_question(folder)
    count = question["shards"]
    missing = [shard + 1 for shard in range(count) if not os.path.isdir(kept_path(folder, shard, count))]
    if missing:
        raise KeptFolderError(
            f"{folder}: shard {missing[0]} of {count} is missing; make the shards again, which adds only the missing")
    find = FindShard(cluster.shipped, count, folder)
    return Shards(cluster, count, cluster.for_each(range(count), find), question)


def _keep(cluster, pairs, count, folder, missing):
    """Makes the missing shards of a folder."""
    build = BuildShard(cluster.shipped, count, folder, missing)
    Shards(cluster, count, cluster.by_shard(pairs, count).mapPartitionsWithIndex(build)).facts()


def _pairs(cluster, source, options, count, wanted=None):
    """Returns the pairs of a shard and a row that the map stage gives for each file or partition."""
    if hasattr(source, "mapInArrow"):
        task = ImportFrame(cluster.shipped, options, count, wanted)
        return source.mapInArrow(task, task.SCHEMA).rdd.map(row_of_frame)
    files = cluster.context.parallelize(list(enumerate(source)), max(1, len(source)))
    return files.mapPartitions(ImportFiles(cluster.shipped, options, count, wanted))


def default_count(cluster, paths):
    """Returns how many shards there are by default: one for each processor, and more for many bytes."""
    size = sum(os.path.getsize(path) for path in paths or [])
    return min(_LARGEST_COUNT, max(cluster.context.defaultParallelism, -(-size // _BYTES_OF_A_SHARD)))


def _time_key(time):
    """Returns what orders times in ISO 8601 of the zone Z, whose fractions have any number of digits."""
    seconds, _, fraction = time.rstrip("Z").partition(".")
    return seconds, fraction.ljust(6, "0")


def _is_fact(row):
    return row[0] == FACTS


def _tell(text):
    """Prints what an import said of records that it skipped."""
    for line in text.splitlines():
        if "rejected" in line and "rejected 0" not in line:
            print(line, file=sys.stderr)
