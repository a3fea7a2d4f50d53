"""Tables of events, of Parquet files and data frames, as Arrow streams, which `import` reads."""

from __future__ import annotations

from typing import Any, Iterable

_ROWS = 65_536


def write_parquet(path: str, target: str) -> None:
    """Writes the rows of a Parquet file in their order, with those of one batch in memory."""
    import pyarrow.parquet

    with pyarrow.parquet.ParquetFile(path) as file, pyarrow.ipc.new_stream(target, file.schema_arrow) as stream:
        for batch in file.iter_batches(batch_size=_ROWS):
            stream.write_batch(batch)


def write_batches(batches: Iterable[Any], target: str) -> None:
    """Writes record batches of one schema; none give an empty file."""
    import pyarrow

    batches = iter(batches)
    first = next(batches, None)
    if first is None:
        open(target, "wb").close()
        return
    with pyarrow.ipc.new_stream(target, first.schema) as stream:
        stream.write_batch(first)
        for batch in batches:
            stream.write_batch(batch)
