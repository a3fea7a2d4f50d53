"""The data source `bandolier`: logs as data frames."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from typing import Any, Iterator, Optional

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from .._errors import MissingInputError, UsageError
from .._executable import Path
from ._cluster import Cluster
from ._inputs import expanded, is_log
from ._scratch import Scratch
from ._tasks import Shipped


def register_source(spark: Any, executable: Optional[Path]) -> None:
    """Registers the data source; see `bandolier.spark.register`."""
    cluster = Cluster(spark, executable)

    class Registered(LogSource):
        executable = cluster.executable
        shipped = cluster.shipped

    spark.dataSource.register(Registered)


class LogSource(DataSource):
    """Events of logs. `register` says where the executable is."""

    executable: str
    shipped: Shipped

    @classmethod
    def name(cls) -> str:
        return "bandolier"

    def schema(self) -> Any:
        """Returns the columns of all logs."""
        from pyspark.sql.pandas.types import from_arrow_schema

        return from_arrow_schema(self._columns())

    def reader(self, schema: Any) -> DataSourceReader:
        """Returns the reader, whose partitions are the logs."""
        return _Reader(self._logs(), self._kind(), self.shipped, self._columns())

    def _columns(self) -> pa.Schema:
        schemas = [_schema(self.executable, log, self._kind()) for log in self._logs()]
        return pa.unify_schemas([_plain(schema) for schema in schemas])

    def _kind(self) -> Optional[str]:
        return self.options.get("kind")

    def _logs(self) -> list[str]:
        path = self.options.get("path")
        if path is None:
            raise UsageError("the data source bandolier needs the path of a log: load(PATH)", ["export"], 64)
        path = path[len("file:"):] if path.startswith("file:") else path
        logs = [name for name in expanded(path) if os.path.isdir(name) and is_log(name)]
        if not logs:
            raise MissingInputError(f"{path}: there is no log", ["export", path], 66)
        return logs


@dataclass
class _Log(InputPartition):
    """A log."""

    path: str


class _Reader(DataSourceReader):
    def __init__(self, logs: list[str], kind: Optional[str], shipped: Shipped, columns: pa.Schema) -> None:
        self.logs = logs
        self.kind = kind
        self.shipped = shipped
        self.columns = columns

    def partitions(self) -> list[InputPartition]:
        return [_Log(path) for path in self.logs]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yields the events of a log, with nulls in columns that it does not have."""
        with Scratch("source") as scratch:
            stream = scratch.join("events.arrows")
            self.shipped.command(scratch).run("export", partition.path, *_arrow(self.kind), "-o", stream)
            with pa.memory_map(stream) as file:
                for batch in pa.ipc.open_stream(file):
                    yield _aligned(batch, self.columns)


def _arrow(kind: Optional[str]) -> list[str]:
    return ["--format", "arrow", "--progress", "never", *([] if kind is None else ["--kind", kind])]


def _schema(executable: str, log: str, kind: Optional[str]) -> pa.Schema:
    """Returns the schema of an exported log, of which only the beginning is read."""
    command = [executable, "export", log, *_arrow(kind)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        try:
            return pa.ipc.open_stream(child.stdout).schema
        except pa.ArrowInvalid:
            messages = child.stderr.read().decode("utf-8", "replace").strip()
            raise UsageError(messages, command, child.wait()) from None
        finally:
            child.kill()


def _plain(schema: pa.Schema) -> pa.Schema:
    """Returns a schema without dictionaries, whose values differ between logs, and with nulls allowed everywhere."""
    return pa.schema([pa.field(field.name, _plain_type(field.type)) for field in schema])


def _plain_type(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_dictionary(kind):
        return kind.value_type
    return pa.list_(_plain_type(kind.value_type)) if pa.types.is_list(kind) else kind


def _aligned(batch: pa.RecordBatch, target: pa.Schema) -> pa.RecordBatch:
    """Returns a batch with the columns of a schema."""
    columns = [
        _decoded(batch.column(field.name)).cast(field.type) if field.name in batch.schema.names
        else pa.nulls(batch.num_rows, field.type)
        for field in target]
    return pa.RecordBatch.from_arrays(columns, schema=target)


def _decoded(array: pa.Array) -> pa.Array:
    if pa.types.is_dictionary(array.type):
        return array.dictionary_decode()
    if pa.types.is_list(array.type) and pa.types.is_dictionary(array.type.value_type):
        return pa.ListArray.from_arrays(array.offsets, array.values.dictionary_decode(), mask=array.is_null())
    return array
