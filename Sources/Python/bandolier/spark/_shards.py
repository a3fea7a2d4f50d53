"""Shards of a log: made from files or a data frame by two stages, or kept in a folder."""

from __future__ import annotations

import json
import os
import sys
from typing import Any, Mapping, Optional, Sequence

from .._arguments import option_arguments
from .._errors import command_error
from .._executable import Path
from ._cluster import Cluster
from ._command import refuse_own_options
from ._errors import KeptFolderError
from ._inputs import expanded, identity
from ._kept import claim, kept_question
from ._shardtasks import FACTS, BuildShard, FindShard, kept_path
from ._tasks import ImportFiles, ImportFrame, pair_of_row

_OWN_OPTIONS = frozenset(["--log", "--seed", "--rejects", "--force", "--dry-run", "--suggest", "--progress"])
_LARGEST_COUNT = 4096
_BYTES_OF_A_SHARD = 256 << 20


def shard(
    spark: Any, source: Any, folder: Path, /, *, shards: Optional[int] = None,
    import_options: Mapping[str, Any] = {}, frame_name: Optional[str] = None, executable: Optional[Path] = None,
) -> list[str]:
    """Splits events by unit into logs that reports can start from, and returns their paths.

    Args:
        spark: The session.
        source: What `bandolier.spark.report` takes.
        folder: Where the logs go, a folder that all machines see: `shard-1-of-8.log` to `shard-8-of-8.log`. Each is
            put there by one rename, and made only if it is missing.
        shards: The number of shards, 1 to 4,096.
        import_options: As in `bandolier.spark.report`.
        frame_name: As in `bandolier.spark.report`.
        executable: As in `bandolier.spark.report`.

    Raises:
        BadDataError: An input is invalid. The message has its file and line.
        KeptFolderError: The folder has shards of other files, of other versions of them, or another number of shards.
        TaskError: A task failed as often as Spark allows.
    """
    cluster, folder = Cluster(spark, executable), os.path.abspath(folder)
    made = made_shards(cluster, source, import_arguments(import_options), shards, folder, frame_name)
    return [kept_path(folder, number, made.count) for number in range(made.count)]


class Shards:
    """The shards of a log on a cluster."""

    def __init__(self, cluster: Cluster, count: int, rows: Any, question: Optional[Mapping[str, Any]] = None) -> None:
        """Takes an RDD whose partition i has the rows of shard i, and the question of shards that are kept."""
        self.cluster = cluster
        self.count = count
        self.rows = rows
        self.question = question
        self._facts: Optional[list[dict[str, Any]]] = None

    def facts(self) -> list[dict[str, Any]]:
        """Returns the facts of each shard.

        Raises:
            CommandError: An input was refused; of several the first.
        """
        if self._facts is None:
            with self.cluster.errors():
                self._facts = [json.loads(row) for row in self.rows.filter(_is_fact).values().collect()]
            failures = sorted(failure for facts in self._facts for failure in facts["failures"])
            for _, exit_code, messages, arguments in failures[:1]:
                raise command_error(exit_code, messages, arguments, b"")
            for _, messages in sorted(message for facts in self._facts for message in facts["messages"]):
                _tell(messages)
        return self._facts

    def data_end(self) -> Optional[str]:
        """Returns the time of the latest event of all shards, `None` if there are no events."""
        return max((facts["latest"] for facts in self.facts() if facts["latest"]), default=None, key=time_key)

    def release(self) -> None:
        """Lets Spark forget the shards."""
        self.rows.unpersist()


def made_shards(
    cluster: Cluster, source: Any, options: Sequence[str], count: Optional[int] = None, folder: Optional[str] = None,
    name: Optional[str] = None,
) -> Shards:
    """Returns the shards of files or of a data frame; those that a folder keeps are not made again."""
    refuse_own_options("an import", options, _OWN_OPTIONS)
    paths = None if _is_frame(source) else expanded(source)
    source = source if paths is None else paths
    count = count or default_count(cluster, paths)
    if folder is None:
        from pyspark import StorageLevel

        pairs = _pairs(cluster, source, options, count)
        rows = cluster.by_shard(pairs, count).mapPartitionsWithIndex(BuildShard(cluster.shipped, count))
        return Shards(cluster, count, rows.persist(StorageLevel.DISK_ONLY))
    if paths is None and name is None:
        raise KeptFolderError("shards of a data frame are kept under a name for its content: give frame_name")
    files = None if paths is None else [identity(path) for path in paths]
    claim(folder, {"shards": count, "options": list(options), "frame": name, "files": files})
    missing = _missing(folder, count)
    if missing:
        build = BuildShard(cluster.shipped, count, folder, missing)
        pairs = _pairs(cluster, source, options, count, missing)
        Shards(cluster, count, cluster.by_shard(pairs, count).mapPartitionsWithIndex(build)).facts()
    return kept_shards(cluster, folder)


def kept_shards(cluster: Cluster, folder: str) -> Shards:
    """Returns the shards that a folder keeps.

    Raises:
        KeptFolderError: Some are missing.
    """
    question = kept_question(folder)
    count = question["shards"]
    for number in _missing(folder, count)[:1]:
        raise KeptFolderError(
            f"{folder}: shard {number + 1} of {count} is missing; make the shards again, which adds only those missing")
    rows = cluster.for_each(range(count), FindShard(cluster.shipped, count, folder))
    return Shards(cluster, count, rows, question)


def _missing(folder: str, count: int) -> list[int]:
    return [number for number in range(count) if not os.path.isdir(kept_path(folder, number, count))]


def _pairs(cluster: Cluster, source: Any, options: Sequence[str], count: int, wanted: Optional[list] = None) -> Any:
    """Returns an RDD of what the map stage gives: pairs of a shard and a row of it."""
    if _is_frame(source):
        task = ImportFrame(cluster.shipped, options, count, wanted, source.columns)
        # Spark would look for the field x of the struct context in a column called context.x.
        source = source.toDF(*(f"column_{index}" for index in range(len(source.columns))))
        return source.mapInArrow(task, task.SCHEMA).rdd.map(pair_of_row)
    files = cluster.context.parallelize(list(enumerate(source)), max(1, len(source)))
    return files.mapPartitions(ImportFiles(cluster.shipped, options, count, wanted))


def default_count(cluster: Cluster, paths: Optional[Sequence[str]]) -> int:
    """Returns how many shards there are by default: one for each processor, and more for large files."""
    size = sum(os.path.getsize(path) for path in paths or [])
    return min(_LARGEST_COUNT, max(cluster.context.defaultParallelism, -(-size // _BYTES_OF_A_SHARD)))


def import_arguments(options: Mapping[str, Any]) -> list[str]:
    """Returns options of `import` as arguments."""
    return option_arguments(options, lambda name: name == "map")


def time_key(time: str) -> tuple[str, str]:
    """Returns what orders times in ISO 8601 in UTC, whose fractions have any number of digits."""
    seconds, _, fraction = time.rstrip("Z").partition(".")
    return seconds, fraction.ljust(6, "0")


def _is_frame(source: Any) -> bool:
    return hasattr(source, "mapInArrow")


def _is_fact(row: tuple) -> bool:
    return row[0] == FACTS


def _tell(messages: str) -> None:
    """Prints what an import said of the records that it skipped."""
    for line in messages.splitlines():
        if "rejected" in line and "rejected 0" not in line:
            print(line, file=sys.stderr)
