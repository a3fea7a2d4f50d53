"""The tasks that import files and data frames. Tasks are sent to executors, so they hold plain values only."""

from __future__ import annotations

import json
import os
import shutil
from typing import Any, Iterable, Iterator, Optional, Sequence

from .._errors import CommandError
from . import _tables
from ._command import Command, refusal
from ._inputs import is_parquet
from ._minilogs import packed_chunks
from ._scratch import Scratch

# Numbers of rows that are no chunks of a log.
FAILED = -1
MESSAGES = -2

Pair = tuple[int, tuple[int, int, Any]]
"""A shard, from 0, and a row: the number of the source, the number of a chunk, and the chunk."""


class Shipped:
    """The executable that Spark has copied to the machine of a task."""

    def __init__(self, name: str) -> None:
        self.name = name

    def command(self, scratch: Scratch, *near: Scratch) -> Command:
        """Returns the command for a task."""
        from pyspark import SparkFiles

        return Command(SparkFiles.get(self.name), scratch, *near, directory=scratch.path)


class ImportFiles:
    """Imports whole files, and splits what they hold into mini-logs by unit.

    That a file is invalid is a row too, one of the first shard: no task is tried again for it, and the driver can say
    which of several invalid files comes first.
    """

    def __init__(
        self, shipped: Shipped, options: Sequence[str], shard_count: int, wanted: Optional[Iterable[int]] = None,
    ) -> None:
        """Takes options of `import`, and the shards, from 0, that are wanted: all by default."""
        self.shipped = shipped
        self.options = list(options)
        self.shard_count = shard_count
        self.wanted = None if wanted is None else frozenset(wanted)

    def __call__(self, files: Iterable[tuple[int, str]]) -> Iterator[Pair]:
        for number, path in files:
            with Scratch("map") as scratch:
                source = path
                if is_parquet(path):
                    source = scratch.join(os.path.splitext(os.path.basename(path))[0] + ".arrows")
                    _tables.write_parquet(path, source)
                yield from self._rows(number, source, path, scratch)

    def _rows(self, number: int, source: str, name: str, scratch: Scratch) -> Iterator[Pair]:
        """Yields the pairs of a file that is called by another name in messages."""
        command = self.shipped.command(scratch)
        try:
            messages = command.run(
                "import", source, "--log", scratch.join("log"), "--seed", number, "--progress", "never", *self.options)
        except CommandError as error:
            exit_code, text, arguments = refusal(error)
            yield 0, (number, FAILED, [exit_code, text.replace(source, name), arguments])
            return
        messages = messages.replace(source, name)
        yield 0, (number, MESSAGES, messages)
        command.run("log", "split", scratch.join("log"), "--into", self.shard_count, "-o", scratch.join("part"))
        shutil.rmtree(scratch.join("log"))
        for shard in range(self.shard_count):
            part = scratch.join(f"part-{shard}")
            if self.wanted is None or shard in self.wanted:
                for chunk_number, chunk in packed_chunks(part):
                    yield shard, (number, chunk_number, chunk)
            shutil.rmtree(part)


class ImportFrame(ImportFiles):
    """Imports the rows of a partition of a data frame, as `ImportFiles` does a file; for `mapInArrow`."""

    SCHEMA = "shard int, source int, number int, chunk binary"

    def __init__(
        self, shipped: Shipped, options: Sequence[str], shard_count: int, wanted: Optional[Iterable[int]],
        columns: Sequence[str],
    ) -> None:
        """Takes the names of the columns too, which those of the batches stand for."""
        super().__init__(shipped, options, shard_count, wanted)
        self.columns = list(columns)

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow
        from pyspark import TaskContext

        schema = pyarrow.schema([
            ("shard", pyarrow.int32()), ("source", pyarrow.int32()), ("number", pyarrow.int32()),
            ("chunk", pyarrow.binary())])
        partition = TaskContext.get().partitionId()
        with Scratch("map") as scratch:
            path = scratch.join("rows.arrows")
            _tables.write_batches((batch.rename_columns(self.columns) for batch in batches), path)
            name = f"partition {partition} of the data frame"
            for shard, (source, number, value) in self._rows(partition, path, name, scratch):
                chunk = value if number >= 0 else json.dumps(value).encode()
                row = {"shard": shard, "source": source, "number": number, "chunk": chunk}
                yield pyarrow.RecordBatch.from_pylist([row], schema=schema)


def pair_of_row(row: Any) -> Pair:
    """Returns the pair that a row of `ImportFrame` stands for."""
    value = bytes(row.chunk)
    return row.shard, (row.source, row.number, value if row.number >= 0 else json.loads(value))
