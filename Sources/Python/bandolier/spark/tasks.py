"""What tasks do on executors. Instances of these classes are sent to them, so they hold plain values only."""

import os
import shutil

from bandolier.spark import tables
from bandolier.spark.command import Command
from bandolier.spark.errors import CommandError
from bandolier.spark.inputs import is_parquet
from bandolier.spark.minilogs import packed_chunks
from bandolier.spark.scratch import Scratch

# Numbers of rows that are no chunks of a log.
FAILED = -1
MESSAGES = -2


class Shipped:
    """The executable that Spark copied to the machine of a task."""

    def __init__(self, name):
        self.name = name

    def command(self, scratch, *pipes):
        """Returns the command for a task, which also holds the pipes of other scratch folders open."""
        from pyspark import SparkFiles

        return Command(SparkFiles.get(self.name), scratch, pipes)


class ImportFiles:
    """Imports whole files, and splits what they hold into mini-logs by unit: pairs of a shard, from 0, and a row.

    A row is the number of the source file, the number of a chunk and the chunk. What an invalid file is refused with is
    a row of the first shard, so that no task is tried again, and the first invalid file can be told.

    Parameters
    ----------
    shipped
        The executable.
    options
        Options of ``import``, as on the command line.
    shard_count
        The number of shards.
    wanted
        The shards, from 0, that are not there yet; None stands for all.
    """

    def __init__(self, shipped, options, shard_count, wanted=None):
        self.shipped = shipped
        self.options = list(options)
        self.shard_count = shard_count
        self.wanted = None if wanted is None else frozenset(wanted)

    def __call__(self, files):
        for number, path in files:
            with Scratch("map") as scratch:
                yield from self.rows(number, path, scratch)

    def rows(self, number, path, scratch):
        """Yields the rows of one file."""
        command = self.shipped.command(scratch)
        try:
            messages = self._import(command, number, path, scratch)
        except CommandError as error:
            if not error.is_lasting:
                raise
            yield 0, (number, FAILED, (error.arguments, error.exit_code, error.messages))
            return
        yield 0, (number, MESSAGES, messages)
        command.run("log", "split", scratch.join("log"), "--into", self.shard_count, "-o", scratch.join("part"))
        shutil.rmtree(scratch.join("log"))
        for shard in range(self.shard_count):
            part = scratch.join(f"part-{shard}")
            if self.wanted is None or shard in self.wanted:
                for chunk_number, chunk in packed_chunks(part):
                    yield shard, (number, chunk_number, chunk)
            shutil.rmtree(part)

    def _import(self, command, number, path, scratch):
        options = list(self.options)
        source = path
        if is_parquet(path):
            source = scratch.join(os.path.splitext(os.path.basename(path))[0] + ".jsonl")
            tables.write_parquet(path, source)
            options += ["--format", "jsonl"]
        return command.run(
            "import", source, "--log", scratch.join("log"), "--seed", number, "--progress", "never", *options)


class ImportFrame(ImportFiles):
    """Imports the rows of a partition of a data frame, as `ImportFiles` does a file; for ``mapInArrow``."""

    SCHEMA = "shard int, source int, number int, chunk binary"

    def __call__(self, batches):
        import pyarrow
        from pyspark import TaskContext

        number = TaskContext.get().partitionId()
        with Scratch("map") as scratch:
            path = scratch.join("rows.jsonl")
            tables.write_batches(batches, path)
            for shard, (source, chunk_number, chunk) in self.rows(number, path, scratch):
                columns = [[shard], [source], [chunk_number], [_encoded(chunk)]]
                types = [pyarrow.int32()] * 3 + [pyarrow.binary()]
                yield pyarrow.RecordBatch.from_arrays(
                    [pyarrow.array(column, type) for column, type in zip(columns, types)],
                    names=["shard", "source", "number", "chunk"])


def _encoded(value):
    """Returns what a column of bytes holds for a chunk, messages or an error."""
    import json

    return value if isinstance(value, bytes) else json.dumps(value).encode()


def row_of_frame(row):
    """Returns the pair of a shard and a row that a row of `ImportFrame` stands for."""
    import json

    value = bytes(row.chunk)
    return row.shard, (row.source, row.number, value if row.number >= 0 else json.loads(value))
