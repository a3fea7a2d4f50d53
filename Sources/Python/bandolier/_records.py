"""Records and tables as JSON Lines, the form in which the command takes events."""

from __future__ import annotations

import datetime
import json
import os
import sys
from typing import Any, Iterable, Iterator, Mapping, Union

import pyarrow as pa
from pyarrow import compute

_ROWS = 8_192
_NESTED = ("context.", "features.", "metadata.")
# The columns of `Log.events` with values of data points that are no numbers.
_VALUES = frozenset(("value_text", "value_flag"))
_WHAT_EVENTS_ARE = "events are an Arrow table, a data frame or records (mappings)"
_PLAIN = (str, int, bool, list)


def json_lines(data: Any) -> Iterator[bytes]:
    """Yields blocks of JSON Lines for an Arrow table, a data frame, anything else that exports Arrow, or records.

    A cell that is null, or not a number, is left out. Columns such as `context.country` become members of `context`.

    >>> table = pa.table({"unit": ["u-1", "u-2"], "context.age": [33, None]})
    >>> b"".join(json_lines(table))
    b'{"unit":"u-1","context":{"age":33}}\\n{"unit":"u-2"}\\n'

    Raises:
        TypeError: The data are neither a table nor records.
        ValueError: A value cannot be written as JSON, such as a `datetime` without a time zone. The message names the
            row.
    """
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
    table = as_table(data)
    if table is None:
        if _is_pandas(data):
            return data.to_dict("records")
        if isinstance(data, (str, bytes, bytearray, os.PathLike)) or not isinstance(data, Iterable):
            raise TypeError(_WHAT_EVENTS_ARE + "; for files use import_files")
        return data
    batches = table.to_batches(max_chunksize=_ROWS) if isinstance(table, pa.Table) else table
    return (
        row for batch in batches for part in _parts(batch)
        for row in _plain_columns(part).to_pylist(maps_as_pydicts="strict"))


def as_table(data: Any) -> Union[pa.Table, pa.RecordBatchReader, None]:
    """Returns what is a table, a data frame, or anything else that exports Arrow; nothing for other data, and for a
    data frame of pandas that no table of Arrow can hold."""
    if isinstance(data, (pa.Table, pa.RecordBatchReader)):
        return data
    if _is_pandas(data):
        try:
            return pa.Table.from_pandas(data, preserve_index=False).replace_schema_metadata()
        except (pa.ArrowInvalid, pa.ArrowTypeError):  # Objects of several types in a column.
            return None
    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    if type(data).__name__ == "LazyFrame":
        data = data.collect()
    try:
        return pa.RecordBatchReader.from_stream(data) if hasattr(data, "__arrow_c_stream__") else None
    except pa.ArrowInvalid:  # A series.
        raise TypeError(_WHAT_EVENTS_ARE + f", not a {type(data).__name__}") from None


def _is_pandas(data: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def _parts(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    return (batch.slice(start, _ROWS) for start in range(0, batch.num_rows, _ROWS))


def _plain_columns(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Returns the batch with times as texts in UTC, to the microsecond, and with names instead of their dictionary.

    Times without a time zone are in UTC.
    """
    arrays = []
    for array in batch.columns:
        if pa.types.is_timestamp(array.type):
            texts = array.cast(pa.timestamp("us", array.type.tz), safe=False).cast(pa.timestamp("us")).cast(pa.string())
            array = compute.binary_join_element_wise(compute.replace_substring(texts, " ", "T"), "Z", "")
        arrays.append(_decoded(array) if pa.types.is_dictionary(array.type) else array)
    return pa.RecordBatch.from_arrays(arrays, names=batch.schema.names)


def _decoded(array: pa.DictionaryArray) -> pa.Array:
    """Returns the values of a dictionary's codes; those of Polars are views, which pyarrow cannot look up."""
    if pa.types.is_string_view(array.dictionary.type):
        array = pa.DictionaryArray.from_arrays(array.indices, array.dictionary.cast(pa.string()))
    return array.dictionary_decode()


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
        if type(value) is list and value and all(isinstance(pair, tuple) and len(pair) == 2 for pair in value):
            value = dict(value)  # A map, as pandas has it.
        if value is None or type(value) not in _PLAIN and (value := _present(value)) is None:
            continue
        if name in _VALUES:
            event["value"] = value
        elif isinstance(name, str) and name.startswith(_NESTED):
            *parts, last = name.split(".", 2 if name.startswith("features.") else 1)
            target = event
            for part in parts:
                target = target.setdefault(part, {})
            target[last] = value
        else:
            event[name] = value
    return event


def _present(value: Any) -> Any:
    """Returns a value without what is missing: null, not a number, and the members of a struct that are null."""
    if isinstance(value, Mapping):
        return {name: kept for name, element in value.items() if (kept := _present(element)) is not None}
    return None if value is None or _is_missing(value) else value


def _is_missing(value: Any) -> bool:
    """Returns whether a value is not a number, or one of those that pandas has for what is missing."""
    different = value != value
    if different is True or type(value).__name__ == "NAType":
        return True
    return getattr(different, "ndim", 1) == 0 and bool(different)  # A number of numpy, and no array.


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
