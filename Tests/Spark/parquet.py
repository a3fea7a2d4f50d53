"""The events of JSON Lines as Parquet files."""

import datetime
import gzip
import json

import pyarrow
import pyarrow.parquet


def parquet_files(events, folder):
    """Writes a Parquet file for each file of JSON Lines, and returns the folder."""
    folder.mkdir()
    files = []
    for path in sorted(events.iterdir()):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            files.append((path.name.replace(".jsonl.gz", ".parquet"), [_row(json.loads(line)) for line in file]))
    rows = [row for _, rows in files for row in rows]
    names = dict.fromkeys(name for row in rows for name in row)
    schema = pyarrow.table({name: [row.get(name) for row in rows] for name in names}).schema
    schema = schema.set(schema.get_field_index("time"), pyarrow.field("time", pyarrow.timestamp("us", "UTC")))
    for name, rows in files:
        table = pyarrow.Table.from_pylist(rows, schema=schema)
        pyarrow.parquet.write_table(table, folder / name, row_group_size=700)
    return folder


def _row(event):
    event["time"] = datetime.datetime.fromisoformat(event["time"].replace("Z", "+00:00"))
    value = event.pop("value", None)
    if value is not None:
        event["value_text" if isinstance(value, str) else "value"] = value if isinstance(value, str) else float(value)
    if "revenue" in event:
        event["revenue"] = float(event["revenue"])
    return event
