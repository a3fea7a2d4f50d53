"""Compares an exported Arrow stream with the events of the same log as JSON Lines, as pyarrow, pandas, Polars and DuckDB
read it; usage: check_export.py STREAM LINES."""

import datetime
import json
import sys

import duckdb
import polars
import pyarrow
import pyarrow.ipc

FIELDS = [
    "type", "id", "unit", "experiment", "point", "slot", "variant", "choices", "propensity", "probabilities", "policy",
    "reason", "status", "goal", "value", "revenue", "negative", "kind", "key", "changed", "system", "instance",
]


def event(row):
    """The JSON object of a row, whose columns are those of the stream."""
    if row.get("json") is not None:
        return json.loads(row["json"])
    found = {name: row[name] for name in FIELDS if row.get(name) is not None}
    found["time"] = row["time"].astimezone(datetime.timezone.utc)
    for name in ["value_text", "value_flag"]:
        if row.get(name) is not None:
            found["value"] = row[name]
    for name, value in row.items():
        for whole in ["context", "metadata"]:
            if name.startswith(whole + ".") and value is not None:
                found.setdefault(whole, {})[name[len(whole) + 1:]] = value
    if row.get("features") is not None:
        found["features"] = {
            variant: {name: value for name, value in (values or {}).items() if value is not None}
            for variant, values in row["features"]
        }
    if row.get("configuration") is not None:
        found["configuration"] = json.loads(row["configuration"])
    return found


def instant(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def expect(condition, what):
    if not condition:
        sys.exit(what)


def main(stream, lines):
    with pyarrow.ipc.open_stream(pyarrow.memory_map(stream)) as reader:
        table = reader.read_all()
    table.validate(full=True)
    with open(lines, encoding="utf-8") as file:
        wanted = [json.loads(line) for line in file]
    rows = table.to_pylist()
    expect(len(rows) == len(wanted), f"{len(rows)} rows and {len(wanted)} lines")
    for number, (row, line) in enumerate(zip(rows, wanted)):
        found = event(row)
        for one in [found, line]:
            if isinstance(one["time"], str):
                one["time"] = instant(one["time"])
        expect(found == line, f"row {number}: {found} and not {line}")

    variants = [row["variant"] for row in rows] if "variant" in table.column_names else []
    decisions = sum(row["type"] == "decision" for row in rows)

    frame = table.to_pandas()
    expect(len(frame) == len(rows), "pandas has other rows")
    expect(str(frame["time"].dtype) == "datetime64[us, UTC]", f"pandas reads {frame['time'].dtype}")
    expect(int((frame["type"] == "decision").sum()) == decisions, "pandas counts other decisions")

    frame = polars.read_ipc_stream(stream)
    expect(frame.height == len(rows), "Polars has other rows")
    expect(str(frame.schema["time"]) == "Datetime(time_unit='us', time_zone='UTC')", str(frame.schema))
    expect(frame["type"].cast(polars.String).to_list() == [row["type"] for row in rows], "Polars reads other types")
    if variants:
        expect(frame["variant"].cast(polars.String).to_list() == variants, "Polars reads other variants")

    events = table
    counted = duckdb.sql("SELECT count(*), count(*) FILTER (type = 'decision') FROM events").fetchall()[0]
    expect(counted == (len(rows), decisions), f"DuckDB counts {counted}")
    if variants:
        read = duckdb.sql("SELECT variant FROM events").fetchall()
        expect([row[0] for row in read] == variants, "DuckDB reads other variants")
    if "choices" in table.column_names:
        read = duckdb.sql("SELECT choices FROM events").fetchall()
        expect([row[0] for row in read] == [row["choices"] for row in rows], "DuckDB reads other choices")


main(*sys.argv[1:])
