"""Compares what it takes to get a file of events in: into a durable log, and into tables of other engines.

Run by `peers.py`. Files: native JSON Lines of short lines, the same compressed, and a CSV of assignments (which only
Bandolier checks for duplicates). Bandolier imports each into a new log, imports it again, and imports it again without
the notes of the files that it imported before, which compares every event. The other engines create a table from the
file, with their own detection of types. Each is a process of its own; the medians of the runs count.
"""

import gzip
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from output import faster, write_table

DUCKDB = """import duckdb, sys
db = duckdb.connect(sys.argv[2])
db.execute("SET threads TO 2")
db.execute(f"CREATE TABLE events AS FROM {sys.argv[3]}('{sys.argv[1]}')")
print(db.execute("SELECT count(*) FROM events").fetchone()[0])
"""
POLARS = """import polars, sys
read = {"read_json": polars.read_ndjson, "read_csv": polars.read_csv}[sys.argv[3]]
table = read(sys.argv[1])
table.write_ipc(sys.argv[2])
print(table.height)
"""
CHDB = """import chdb.session, sys
form = {"read_json": "JSONEachRow", "read_csv": "CSVWithNames"}[sys.argv[3]]
db = chdb.session.Session(sys.argv[2])
db.query("CREATE DATABASE d")
db.query(f"CREATE TABLE d.events ENGINE = MergeTree ORDER BY tuple() AS SELECT * FROM file('{sys.argv[1]}', {form})")
print(str(db.query("SELECT count() FROM d.events")).strip())
"""
PEERS = {"duckdb": DUCKDB, "polars": POLARS, "chdb": CHDB}
MAP = ["--map", "time=ts", "--map", "unit=user", "--map", "variant=group", "--map", "id=row",
       "--map", "context.country=country", "--experiment", "checkout"]


def write_files(folder, events):
    """The files: name, path, how engines read it, and the options of the import."""
    rng = random.Random(1)
    lines, table = os.path.join(folder, "events.jsonl"), os.path.join(folder, "table.csv")
    with open(lines, "w", encoding="utf-8") as file:
        for number in range(events):
            time_text = f"2026-01-05T{10 + number // 3_600_000 % 12}:{number // 60_000 % 60:02}:{number // 1000 % 60:02}.{number % 1000:03}Z"
            file.write(f'{{"type":"goal","time":"{time_text}","unit":"user-{rng.randrange(events // 2)}",'
                       f'"experiment":"checkout","goal":"purchase","value":{rng.randrange(1000) / 100}}}\n')
    with open(table, "w", encoding="utf-8") as file:
        file.write("row,ts,user,group,country\n")
        for number in range(events):
            file.write(f"r{number},{1767607200 + number // 1000},u-{rng.randrange(events // 2)},"
                       f"{rng.choice('AB')},{rng.choice(['DE', 'FR', 'IT'])}\n")
    compressed = lines + ".gz"
    with open(lines, "rb") as source, gzip.open(compressed, "wb", compresslevel=6) as target:
        shutil.copyfileobj(source, target, 1 << 20)
    return [("native JSON Lines", lines, "read_json", []),
            ("native JSON Lines, gzip", compressed, "read_json", []),
            ("CSV with --map", table, "read_csv", MAP)]


def timed(command):
    """Seconds and peak memory in MiB of a command, which must succeed."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    message = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise RuntimeError(f"{command[0]} failed: {message.decode()[-500:]}")
    return time.monotonic() - start, usage.ru_maxrss / 1024


def bandolier(command, path, options, folder):
    """One measurement each of a new log, the same file again, and again without notes."""
    log = os.path.join(folder, "import.log")
    shutil.rmtree(log, ignore_errors=True)
    run = [command, "import", path, "--log", log, "--progress", "never", *options]
    first, again = timed(run), timed(run)
    os.remove(os.path.join(log, "IMPORTS"))
    compared = timed(run)
    return {"bandolier import": first, "bandolier, same file again": again,
            "bandolier, same file again without notes": compared}


def peers(path, reader, folder):
    """One measurement of each peer that can be imported and reads the file."""
    results = {}
    for name, program in PEERS.items():
        target = os.path.join(folder, f"{name}.table")
        shutil.rmtree(target, ignore_errors=True)
        if os.path.exists(target):
            os.remove(target)
        try:
            results[name] = timed([sys.executable, "-c", program, path, target, reader])
        except RuntimeError as error:
            print(f"{name} cannot read {os.path.basename(path)}: {str(error).splitlines()[-1]}", file=sys.stderr)
    return results


def run(command, target, events, runs):
    """Compares and writes the CSV."""
    output = []
    with tempfile.TemporaryDirectory() as folder:
        for name, path, reader, options in write_files(folder, events):
            measurements = {}
            for _ in range(runs):
                for engine, pair in {**bandolier(command, path, options, folder),
                                     **peers(path, reader, folder)}.items():
                    measurements.setdefault(engine, []).append(pair)
            own = statistics.median(seconds for seconds, _ in measurements["bandolier import"])
            for engine, pairs in measurements.items():
                seconds = [pair[0] for pair in pairs]
                middle = statistics.median(seconds)
                output.append([
                    name, events, os.path.getsize(path), engine, round(middle, 3), round(min(seconds), 3),
                    round(max(seconds), 3), round(events / middle), round(middle / own, 3),
                    faster(engine, middle / own),
                    round(max(pair[1] for pair in pairs))])
    heading = ["file", "events", "bytes", "engine", "seconds", "seconds_min", "seconds_max", "events_per_second",
               "ratio_to_import", "faster", "peak_mebibytes"]
    write_table(heading, output, target)
    print(f"runs: {runs}; seed 1; wrote {target}")
