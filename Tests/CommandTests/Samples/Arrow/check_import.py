"""Imports tables that pyarrow, pandas, Polars and DuckDB write, as streams, files and Parquet; usage: check_import.py
FOLDER STREAM, with the command in the environment variable BANDOLIER."""

import datetime
import json
import os
import subprocess
import sys

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet

COMMAND = os.environ["BANDOLIER"]
MAPPING = ["time=ts", "unit=visitor", "variant=group", "propensity=prob", "experiment:=x", "context.*=*"]
TIMES = [datetime.datetime(2026, 1, 5, 10, 0, second, tzinfo=datetime.timezone.utc) for second in range(3)]


def run(*arguments, exit_code=0, environment=None):
    done = subprocess.run([COMMAND, *arguments], capture_output=True, env={**os.environ, **(environment or {})})
    if done.returncode != exit_code:
        sys.exit(f"{arguments} ended with {done.returncode}: {done.stderr.decode()}")
    return done.stdout.decode(), done.stderr.decode()


def events(log):
    return [json.loads(line) for line in run("log", "cat", log)[0].splitlines()]


def mapped(path, log, environment=None):
    run("import", path, "--log", log, *[part for entry in MAPPING for part in ["--map", entry]],
        environment=environment)
    return events(log)


def expect(found, wanted, what):
    if found != wanted:
        sys.exit(f"{what}: {found} and not {wanted}")


def wanted(contexts):
    times = [time.strftime("%Y-%m-%dT%H:%M:%SZ") for time in TIMES]
    return [
        {"type": "decision", "time": times[row], "unit": f"u{row}", "experiment": "x", "variant": "A",
         "propensity": 0.5, **({"context": context} if context else {})}
        for row, context in enumerate(contexts)
    ]


def tables(folder):
    """The files of a table of one's own, by each library, and the contexts that it must give."""
    base = {"ts": TIMES, "visitor": ["u0", "u1", "u2"], "group": ["A"] * 3, "prob": [0.5] * 3}
    contexts = [{"age": 30, "plan": "pro"}, {"plan": "free"}, {"age": 41}]
    table = pyarrow.table({
        **base, "prob": pyarrow.array([0.5] * 3, pyarrow.float32()), "age": pyarrow.array([30, None, 41], pyarrow.uint8()),
        "plan": pyarrow.array(["pro", "free", None]).dictionary_encode(),
    })
    with pyarrow.ipc.new_stream(f"{folder}/a.arrows", table.schema) as stream:
        stream.write_table(table, max_chunksize=2)
    pyarrow.feather.write_feather(table, f"{folder}/a.feather", compression="uncompressed")
    pyarrow.feather.write_feather(table, f"{folder}/lz4.feather")
    options = pyarrow.ipc.IpcWriteOptions(compression="zstd")
    with pyarrow.ipc.new_stream(f"{folder}/zstd.arrows", table.schema, options=options) as stream:
        stream.write_table(table, max_chunksize=2)
    pyarrow.parquet.write_table(table, f"{folder}/a.parquet")
    frame = pandas.DataFrame({**base, "age": pandas.array([30, None, 41], "Int64"), "plan": ["pro", "free", None]})
    frame.to_parquet(f"{folder}/p.parquet")
    frame.to_feather(f"{folder}/p.arrow", compression="uncompressed")
    frame = polars.DataFrame({**base, "age": [30, None, 41], "plan": ["pro", "free", None]})
    frame.write_ipc_stream(f"{folder}/l.arrows", compression="uncompressed")
    frame.write_ipc(f"{folder}/l.arrow", compression="uncompressed")
    frame.write_parquet(f"{folder}/l.parquet")
    duckdb.sql(f"COPY (SELECT * REPLACE (prob::DECIMAL(4, 2) AS prob) FROM table_) TO '{folder}/d.parquet'".replace(
        "table_", f"'{folder}/a.parquet'"))
    names = ["a.arrows", "a.feather", "lz4.feather", "zstd.arrows", "a.parquet", "p.parquet", "p.arrow", "l.arrows", "l.arrow", "l.parquet", "d.parquet"]
    return names, contexts


def main(folder, stream):
    os.mkdir(folder)
    names, contexts = tables(folder)
    python = {"PATH": f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"}
    os.mkdir(f"{folder}/bin")
    with open(f"{folder}/bin/python3", "w") as file:
        file.write(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    os.chmod(f"{folder}/bin/python3", 0o755)
    python = {"PATH": f"{folder}/bin:{os.environ['PATH']}"}
    for name in names:
        expect(mapped(f"{folder}/{name}", f"{folder}/{name}.log", python), wanted(contexts), name)

    # DuckDB where there is no pyarrow: a module of that name that cannot be imported stands before it.
    os.mkdir(f"{folder}/without")
    with open(f"{folder}/without/pyarrow.py", "w") as file:
        file.write("raise ImportError\n")
    found = mapped(f"{folder}/a.parquet", f"{folder}/without.log", {**python, "PYTHONPATH": f"{folder}/without"})
    expect(found, wanted(contexts), "DuckDB")

    # What is compressed says what to do where there is no pyarrow.
    nothing = {**python, "PYTHONPATH": f"{folder}/without"}
    errors = run("import", f"{folder}/lz4.feather", "--log", f"{folder}/z.log", "--map", "time=ts", "--map",
                 "unit=visitor", "--map", "goal:=g", environment=nothing, exit_code=74)[1]
    expect("compressed batches" in errors and "pip install pyarrow" in errors, True, errors)

    # A UUID is a text.
    table = pyarrow.table({"ts": TIMES, "visitor": ["u"] * 3, "row": pyarrow.array([bytes(range(16))] * 3, pyarrow.uuid())})
    pyarrow.parquet.write_table(table, f"{folder}/uuid.parquet")
    run("import", f"{folder}/uuid.parquet", "--log", f"{folder}/uuid.log", "--map", "time=ts", "--map", "unit=visitor",
        "--map", "goal:=g", "--map", "id=row", environment=python)
    expect([event["id"] for event in events(f"{folder}/uuid.log")], ["00010203-0405-0607-0809-0a0b0c0d0e0f"] * 3, "UUID")

    # A log as Parquet and back, with each of the lines of the documentation.
    log = f"{folder}/first.log"
    run("import", stream, "--log", log)
    with pyarrow.ipc.open_stream(stream) as reader:
        t = reader.read_all()
    pyarrow.parquet.write_table(t.unify_dictionaries(), f"{folder}/events.parquet")
    duckdb.sql(f"COPY t TO '{folder}/duck.parquet'")
    for name in ["events", "duck"]:
        run("import", f"{folder}/{name}.parquet", "--log", f"{folder}/{name}.log", environment=python)
        expect(events(f"{folder}/{name}.log") == events(log), True, f"{name}.parquet gives other events")
    again = run("import", f"{folder}/events.parquet", "--log", f"{folder}/events.log", environment=python)[1]
    expect("appended 0 events" in again, True, again)

    # Events of a data frame.
    frame = pandas.DataFrame({
        "type": ["decision", "goal"], "time": pandas.to_datetime(["2026-01-05T10:00:00Z"] * 2), "unit": [7, 7],
        "experiment": ["x", "x"], "variant": ["A", None], "goal": [None, "sale"], "value": [None, 2.5],
        "context.age": [33.0, None],
    })
    table = pyarrow.Table.from_pandas(frame)
    with pyarrow.ipc.new_stream(f"{folder}/frame.arrows", table.schema) as file:
        file.write_table(table)
    run("import", f"{folder}/frame.arrows", "--log", f"{folder}/frame.log")
    time = "2026-01-05T10:00:00Z"
    expect(events(f"{folder}/frame.log"), [
        {"type": "decision", "time": time, "unit": "7", "experiment": "x", "variant": "A", "context": {"age": 33}},
        {"type": "goal", "time": time, "unit": "7", "experiment": "x", "goal": "sale", "value": 2.5},
    ], "pandas")


main(*sys.argv[1:])
