"""Tables of events, of Parquet files and data frames, as JSON Lines that `import` reads."""

from __future__ import annotations

import datetime
import json
from typing import Any, Iterable

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_MICROSECOND = datetime.timedelta(microseconds=1)


def write_parquet(path: str, target: str) -> None:
    """Writes the rows of a Parquet file as JSON Lines, in their order, in memory for one batch."""
    import pyarrow.parquet

    with pyarrow.parquet.ParquetFile(path) as file:
        write_batches(file.iter_batches(batch_size=8192), target)


def write_batches(batches: Iterable[Any], target: str) -> None:
    """Writes the rows of Arrow record batches as JSON Lines.

    A column is a field of the JSON Lines format; nulls are absent fields. `data` is the value of a data point where
    `value` is a column of numbers. Timestamps are microseconds; one without a zone is taken as UTC.
    """
    with open(target, "w", encoding="utf-8") as file:
        for batch in batches:
            for row in batch.to_pylist():
                file.write(json.dumps(_event(row), ensure_ascii=False, default=_plain) + "\n")


def _event(row):
    event = _present(row)
    data = event.pop("data", None)
    if data is not None:
        event.setdefault("value", data)
    return event


def _present(value):
    """Returns a value without the nulls in it; a map, which Arrow gives as pairs, becomes an object."""
    if isinstance(value, dict):
        return {key: _present(part) for key, part in value.items() if part is not None}
    if isinstance(value, list) and value and all(isinstance(part, tuple) for part in value):
        return {key: _present(part) for key, part in value if part is not None}
    return value


def _plain(value):
    if isinstance(value, datetime.datetime):
        zoned = value if value.tzinfo else value.replace(tzinfo=datetime.timezone.utc)
        return (zoned - _EPOCH) // _MICROSECOND
    raise TypeError(f"a column has values of the type {type(value).__name__}, which events cannot have")
