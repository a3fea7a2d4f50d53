"""Records and tables as JSON Lines, the form in which the command takes events."""

from __future__ import annotations

import datetime
import json
import sys
from typing import Any, Iterable, Iterator, Mapping

import pyarrow as pa

_ROWS = 8_192
_NESTED = ("context.", "features.", "metadata.")
# The columns of `Log.events` with values of data points that are no numbers.
_VALUES = ("value_text", "value_flag")


def json_lines(data: Any) -> Iterator[bytes]:
    """Yields blocks of JSON Lines for an Arrow table, a data frame, anything else that exports Arrow, or records.

    A cell that is null, or not a number, is left out. Columns such as `context.country` become members of `context`.

    >>> table = pa.table({"unit": ["u-1", "u-2"], "context.age": [33, None]})
    >>> b"".join(json_lines(table))
    b'{"unit":"u-1","context":{"age":33}}\\n{"unit":"u-2"}\\n'

    Raises:
        TypeError: The data are neither a table nor records.
        ValueError: A time has no time zone, or a value cannot be written as JSON. The message names the row.
    """
    if isinstance(data, (str, bytes, bytearray)):
        raise TypeError("events are an Arrow table, a data frame or records (mappings); for files use import_files")
    lines: list[str] = []
    for number, row in enumerate(_rows(data)):
        if not isinstance(row, Mapping):
            raise TypeError(f"row {number} is a {type(row).__name__}; events are mappings: {{'type': 'goal', ...}}")
        lines.append(_line(row, number))
        if len(lines) == _ROWS:
            yield "".join(lines).encode()
            lines = []
    yield "".join(lines).encode()


def _rows(data: Any) -> Iterable[Any]:
    if isinstance(data, Mapping):
        return [data]
    batches = _batches(data)
    return data if batches is None else (row for batch in batches for row in batch)


def _batches(data: Any) -> Any:
    """Returns the rows of a table in batches; nothing for what is no table."""
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(data, pandas.DataFrame):
        data = pa.Table.from_pandas(data, preserve_index=False)
    elif isinstance(data, pa.RecordBatch):
        data = pa.Table.from_batches([data])
    elif not isinstance(data, (pa.Table, pa.RecordBatchReader)) and hasattr(data, "__arrow_c_stream__"):
        data = pa.RecordBatchReader.from_stream(data)
    if isinstance(data, pa.Table):
        data = data.to_batches(max_chunksize=_ROWS)
    elif not isinstance(data, pa.RecordBatchReader):
        return None
    return (_plain_times(part).to_pylist(maps_as_pydicts="strict") for batch in data for part in _parts(batch))


def _parts(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    return (batch.slice(start, _ROWS) for start in range(0, batch.num_rows, _ROWS))


def _plain_times(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Returns the batch with times as texts in UTC, to the microsecond."""
    arrays = []
    for field, array in zip(batch.schema, batch.columns):
        if pa.types.is_timestamp(field.type):
            if field.type.tz is None:
                raise ValueError(
                    f"the column {field.name!r} has times without a time zone; give it one, such as UTC, with "
                    "dt.tz_localize of pandas, dt.replace_time_zone of Polars or cast of Arrow")
            array = array.cast(pa.timestamp("us", "UTC"), safe=False).cast(pa.timestamp("us")).cast(pa.string())
            array = pa.compute.binary_join_element_wise(pa.compute.replace_substring(array, " ", "T"), "Z", "")
        arrays.append(array)
    return pa.RecordBatch.from_arrays(arrays, names=batch.schema.names)


def _line(row: Mapping[str, Any], number: int) -> str:
    try:
        return json.dumps(_event(row), allow_nan=False, separators=(",", ":"), default=_plain) + "\n"
    except (ValueError, TypeError) as error:
        raise type(error)(f"row {number}: {error}") from error


def _event(row: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the event of a row. Tables of `Log.events` have the whole of some events in the column `json`."""
    if isinstance(whole := row.get("json"), str):
        return json.loads(whole)
    event: dict[str, Any] = {}
    for name, value in row.items():
        value = _present(value)
        if value is None:
            continue
        if name in _VALUES:
            event["value"] = value
        elif isinstance(name, str) and name.startswith(_NESTED):
            path = name.split(".", 2 if name.startswith("features.") else 1)
            target = event
            for part in path[:-1]:
                target = target.setdefault(part, {})
            target[path[-1]] = value
        else:
            event[name] = value
    return event


def _present(value: Any) -> Any:
    """Returns a value without what is missing: null, not a number, and the members of a struct that are null."""
    if isinstance(value, Mapping):
        return {name: kept for name, element in value.items() if (kept := _present(element)) is not None}
    return None if value is None or value != value else value


def _plain(value: Any) -> Any:
    """Returns what JSON has for a value of Python or numpy that it does not know."""
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone; give one, such as datetime.timezone.utc")
        return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if hasattr(value, "tolist"):  # A number or an array of numpy.
        return value.tolist()
    if type(value).__name__ in ("Decimal", "UUID"):
        return float(value) if type(value).__name__ == "Decimal" else str(value)
    raise TypeError(f"{value!r} is a {type(value).__name__}, which JSON does not have")
